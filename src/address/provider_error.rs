//! Why a text is no provider address, and what to write instead.

use super::HostnameError;
use crate::failure::{ExitCode, Failure};

/// Why a text is no provider address. Each variant holds the text as given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderAddrError {
    /// Not one to three non-empty parts.
    #[error("`{0}` is no provider address: that is `[HOST/][NAMESPACE/]TYPE`")]
    Shape(String),
    /// The first of three parts is no host name.
    #[error("provider address `{text}` does not begin with a host name")]
    Host {
        /// The whole text.
        text: String,
        /// What is wrong with the host.
        source: HostnameError,
    },
    /// The namespace has characters that it may not have.
    #[error("provider address `{text}` has the invalid namespace `{namespace}`")]
    Namespace {
        /// The whole text.
        text: String,
        /// The namespace as given.
        namespace: String,
    },
    /// The type has characters that it may not have.
    #[error("provider address `{text}` has the invalid type `{ty}`")]
    Type {
        /// The whole text.
        text: String,
        /// The type as given.
        ty: String,
    },
    /// The type begins with a prefix that belongs to repositories, not to providers.
    #[error("provider address `{text}` has a type that begins with `{prefix}`")]
    TypePrefix {
        /// The whole text.
        text: String,
        /// The type, normalised.
        ty: String,
        /// The forbidden prefix.
        prefix: &'static str,
    },
    /// A provider that is part of the tool.
    #[error("provider `{0}` is built into the tool and cannot be installed")]
    BuiltIn(String),
    /// The namespace `-` of times before namespaces.
    #[error("provider address `{0}` has the legacy namespace `-`, which cannot be installed from")]
    Legacy(String),
    /// A valid address that is not written in full and in its canonical form.
    #[error("provider address `{text}` is not in its canonical form")]
    NotCanonical {
        /// The whole text.
        text: String,
        /// How it must be written.
        canonical: String,
    },
}

impl Failure for ProviderAddrError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Shape(text) => shape_hint(text).into_iter().collect(),
            Self::Host { source, .. } => source.hints(),
            Self::Namespace { namespace, .. } => part_hint(namespace),
            Self::Type { ty, .. } => part_hint(ty),
            Self::TypePrefix { text, ty, .. } => prefix_hint(text, ty).into_iter().collect(),
            Self::Legacy(address) => legacy_hint(address).into_iter().collect(),
            Self::NotCanonical { canonical, .. } => vec![format!("write it as `{canonical}`")],
            Self::BuiltIn(_) => Vec::new(),
        }
    }
}

/// Advice for a URL where an address is wanted.
fn shape_hint(text: &str) -> Option<String> {
    let (scheme, address) = text.split_once("://")?;
    matches!(scheme, "http" | "https").then(|| {
        format!(
            "leave out `{scheme}://`: `{}`",
            address.trim_end_matches('/')
        )
    })
}

/// The rule for namespaces and types in the user's terms.
fn part_hint(part: &str) -> Vec<String> {
    if part == "-" {
        return vec!["name the provider's namespace instead of `-`".to_owned()];
    }
    vec!["a namespace or type has letters, digits and single hyphens, not at its ends".to_owned()]
}

/// Providers are named without the prefix of their repositories.
fn prefix_hint(text: &str, ty: &str) -> Option<String> {
    let short = ["terraform-provider-", "opentofu-provider-"]
        .iter()
        .find_map(|prefix| ty.strip_prefix(prefix))
        .filter(|short| !short.is_empty())?;
    let (rest, _) = text.rsplit_once('/')?;
    Some(format!(
        "name the provider, not its repository: `{rest}/{short}`"
    ))
}

/// Most legacy addresses meant the provider of the default namespace.
fn legacy_hint(address: &str) -> Option<String> {
    let (_, ty) = address.rsplit_once('/')?;
    Some(format!(
        "name the provider with its namespace, which is often `hashicorp/{ty}`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{ProviderAddr, ProviderSource, Tool};

    #[test]
    fn advice_fits_the_mistake() {
        let cases = [
            (
                "https://registry.terraform.io/a/b",
                "leave out `https://`: `registry.terraform.io/a/b`",
            ),
            (
                "acme/terraform-provider-net",
                "name the provider, not its repository: `acme/net`",
            ),
            (
                "example.com/-/aws",
                "name the provider's namespace instead of `-`",
            ),
            (
                "a/b_c",
                "a namespace or type has letters, digits and single hyphens, not at its ends",
            ),
        ];
        for (text, hint) in cases {
            let error = ProviderSource::parse(text, Tool::Terraform).unwrap_err();
            assert_eq!(error.hints(), [hint], "{text}");
        }
    }

    #[test]
    fn advice_for_lock_file_addresses_shows_the_right_one() {
        let hints = |text: &str| ProviderAddr::parse_canonical(text).unwrap_err().hints();
        assert_eq!(
            hints("hashicorp/AWS"),
            ["write it as `registry.terraform.io/hashicorp/aws`"]
        );
        assert_eq!(
            hints("registry.terraform.io/-/aws"),
            ["name the provider with its namespace, which is often `hashicorp/aws`"]
        );
    }
}
