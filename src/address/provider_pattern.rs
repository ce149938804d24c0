//! Patterns that select providers in the tools' `include` and `exclude` lists (facts/providers 9.4).

use std::fmt;

use super::provider_part::normal_part;
use super::{Hostname, HostnameError, ProviderAddr, Tool};
use crate::failure::{ExitCode, Failure};

const WILDCARD: &str = "*";

/// A provider address in which a whole part may be `*`. `Display` prints it with its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderPattern {
    host: Part<Hostname>,
    namespace: Part<String>,
    ty: Part<String>,
}

/// One part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part<T> {
    Any,
    Exactly(T),
}

impl ProviderPattern {
    /// Parses `[HOST/]NAMESPACE/TYPE`; without a host, that of `tool` is meant.
    ///
    /// # Errors
    ///
    /// Refuses text of another shape, invalid parts, and a `*` to the left of a part that is none.
    pub fn parse(text: &str, tool: Tool) -> Result<Self, ProviderPatternError> {
        let parts: Vec<&str> = text.split('/').collect();
        let (host, namespace, ty) = match parts[..] {
            [namespace, ty] => (tool.default_host(), namespace, ty),
            [host, namespace, ty] => (host, namespace, ty),
            _ => return Err(ProviderPatternError::Shape(text.to_owned())),
        };
        let host = match host {
            WILDCARD => Part::Any,
            name => Part::Exactly(name.parse().map_err(|reason| ProviderPatternError::Host {
                text: text.to_owned(),
                reason,
            })?),
        };
        let pattern = Self {
            host,
            namespace: name(text, namespace)?,
            ty: name(text, ty)?,
        };
        pattern.check_wildcards(text)?;
        Ok(pattern)
    }

    fn check_wildcards(&self, text: &str) -> Result<(), ProviderPatternError> {
        let (any_host, any_namespace) = (self.host == Part::Any, self.namespace == Part::Any);
        let any_type = self.ty == Part::Any;
        let is_name_behind_wildcard = (any_host && !any_namespace) || (any_namespace && !any_type);
        if is_name_behind_wildcard {
            return Err(ProviderPatternError::Wildcard(text.to_owned()));
        }
        Ok(())
    }

    /// Whether the pattern means `addr`.
    pub fn matches(&self, addr: &ProviderAddr) -> bool {
        self.host.allows(addr.hostname())
            && self.namespace.allows(addr.namespace())
            && self.ty.allows(addr.ty())
    }
}

impl<T> Part<T> {
    fn allows<U: ?Sized>(&self, other: &U) -> bool
    where
        T: PartialEq<U>,
    {
        match self {
            Self::Any => true,
            Self::Exactly(own) => own == other,
        }
    }
}

/// A namespace or type, normalised, or the wildcard.
fn name(text: &str, part: &str) -> Result<Part<String>, ProviderPatternError> {
    if part == WILDCARD {
        return Ok(Part::Any);
    }
    let normal = normal_part(part).map(Part::Exactly);
    normal.ok_or_else(|| ProviderPatternError::Name {
        text: text.to_owned(),
        part: part.to_owned(),
    })
}

impl<T: fmt::Display> fmt::Display for Part<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str(WILDCARD),
            Self::Exactly(own) => own.fmt(f),
        }
    }
}

impl fmt::Display for ProviderPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.host, self.namespace, self.ty)
    }
}

/// Why a text is no pattern. Each variant holds the text as given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderPatternError {
    /// Not two or three parts.
    #[error("`{0}` is no provider pattern: that is `[HOST/]NAMESPACE/TYPE`")]
    Shape(String),
    /// The host is neither `*` nor a host name.
    #[error("provider pattern `{text}` does not begin with a host name or `*`: {reason}")]
    Host {
        /// The whole text.
        text: String,
        /// What is wrong with the host.
        reason: HostnameError,
    },
    /// A namespace or type is neither `*` nor a name.
    #[error("provider pattern `{text}` holds `{part}`, which is neither `*` nor a name")]
    Name {
        /// The whole text.
        text: String,
        /// The part.
        part: String,
    },
    /// A `*` is followed by a name.
    #[error("provider pattern `{0}` has a name behind a `*`")]
    Wildcard(String),
}

impl Failure for ProviderPatternError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Result<ProviderPattern, ProviderPatternError> {
        ProviderPattern::parse(text, Tool::Terraform)
    }

    #[test]
    fn patterns_without_host_mean_the_default_host_of_the_tool() {
        let own = ProviderPattern::parse("*/*", Tool::Tofu).unwrap();
        let addr = |text: &str| text.parse::<ProviderAddr>().unwrap();
        assert!(own.matches(&addr("registry.opentofu.org/a/b")));
        assert!(!own.matches(&addr("registry.terraform.io/a/b")));
        let all = pattern("*/*/*").unwrap();
        assert!(all.matches(&addr("example.com:8443/a/b")));
        let host = pattern("example.com:443/Acme/*").unwrap();
        assert!(host.matches(&addr("example.com/acme/b")));
        assert!(!host.matches(&addr("example.com:8443/acme/b")));
    }

    #[test]
    fn display_parses_back() {
        for text in ["*/*/*", "example.com/*/*", "испытание.com/a/b"] {
            assert_eq!(pattern(text).unwrap().to_string(), text);
        }
        let short = pattern("a/*").unwrap().to_string();
        assert_eq!(short, "registry.terraform.io/a/*");
    }

    #[test]
    fn other_texts_are_refused_by_kind() {
        use ProviderPatternError::{Host, Name, Shape, Wildcard};
        for text in ["", "*", "demo", "a/b/c/d"] {
            assert_eq!(pattern(text), Err(Shape(text.to_owned())));
        }
        for text in ["*/demo", "*/acme/*", "*/*/demo", "example.com/*/demo"] {
            assert_eq!(pattern(text), Err(Wildcard(text.to_owned())));
        }
        assert!(matches!(
            pattern("acme//demo"),
            Err(Name { .. } | Host { .. })
        ));
        assert!(matches!(pattern(" acme/demo"), Err(Name { .. })));
        assert!(matches!(pattern("acme/de*"), Err(Name { .. })));
        assert!(matches!(
            pattern("xn--80akhbyknj4f.com/*/*"),
            Err(Host { .. })
        ));
    }
}
