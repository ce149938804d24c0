//! Provider source addresses: hostname, namespace and type (facts/providers 12).
//!
//! Addresses come from configurations, lock files and directory names, and become paths and URLs.
//! Their parts can hold neither separators nor dots, before mapping or after it; the host is checked
//! by [`Hostname`].

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::provider_part::{normal_namespace, normal_type, parse_host};
use super::{Hostname, ProviderAddrError, ProviderSource, Tool};

pub(super) const LEGACY_NAMESPACE: &str = "-";
pub(super) const DEFAULT_NAMESPACE: &str = "hashicorp";
const BUILT_IN_NAMESPACE: &str = "builtin";
const BUILT_IN_HOST: &str = "terraform.io";
const TOFU_BUILT_IN_HOST: &str = "opentofu.org";

/// A provider that can be installed: never a built-in one, never the legacy namespace `-`.
///
/// Ordered by host (comparison form), namespace and type, each as bytes. `Display` prints the full
/// form, in which the host is in its display form.
///
/// Cheap to clone: addresses stand in every package, plan, outcome and error.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProviderAddr(Arc<Parts>);

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Parts {
    hostname: Hostname,
    namespace: String,
    ty: String,
}

impl ProviderAddr {
    /// Joins parts that were normalised before.
    pub(super) fn of_parts(hostname: Hostname, namespace: String, ty: String) -> Self {
        Self(Arc::new(Parts {
            hostname,
            namespace,
            ty,
        }))
    }

    /// The registry's host name.
    pub fn hostname(&self) -> &Hostname {
        &self.0.hostname
    }

    /// The namespace, normalised.
    pub fn namespace(&self) -> &str {
        &self.0.namespace
    }

    /// The type, normalised.
    pub fn ty(&self) -> &str {
        &self.0.ty
    }

    /// Parses the full canonical form only, which is what `Display` prints.
    ///
    /// # Errors
    ///
    /// Refuses what [`ProviderSource::parse`] refuses, and also built-in and legacy addresses, and
    /// every spelling but the canonical one.
    pub fn parse_canonical(text: &str) -> Result<Self, ProviderAddrError> {
        Self::parse_canonical_for(text, Tool::Terraform)
    }

    /// Parses the full canonical form by the rules of `tool`, as its lock file has it (facts 5.3).
    ///
    /// # Errors
    ///
    /// As [`ProviderAddr::parse_canonical`].
    pub fn parse_canonical_for(text: &str, tool: Tool) -> Result<Self, ProviderAddrError> {
        match ProviderSource::parse(text, tool)? {
            ProviderSource::Installable(addr) => addr.require_spelling(text),
            ProviderSource::BuiltIn(address) => Err(ProviderAddrError::BuiltIn(address)),
            ProviderSource::Legacy(address) => Err(ProviderAddrError::Legacy(address)),
        }
    }

    /// Gives itself if `text` is exactly its canonical form.
    fn require_spelling(self, text: &str) -> Result<Self, ProviderAddrError> {
        if self.to_string() == text {
            return Ok(self);
        }
        Err(ProviderAddrError::NotCanonical {
            text: text.to_owned(),
            canonical: self.to_string(),
        })
    }

    /// Builds one from the directory names of a mirror; every part is normalised (facts 6.3).
    ///
    /// # Errors
    ///
    /// Refuses invalid parts, punycode hosts, the legacy namespace and the built-in one of
    /// `terraform.io`. A type that begins with `terraform-` is allowed, as a source address of one
    /// part may name such a provider (facts 12.3).
    pub fn from_parts(host: &str, namespace: &str, ty: &str) -> Result<Self, ProviderAddrError> {
        let text = format!("{host}/{namespace}/{ty}");
        let ty = normal_type(&text, ty)?;
        if namespace == LEGACY_NAMESPACE {
            return Err(ProviderAddrError::Legacy(text));
        }
        let namespace = normal_namespace(&text, namespace)?;
        let hostname = parse_host(&text, host)?;
        let addr = Self::of_parts(hostname, namespace, ty);
        if addr.is_built_in(Tool::Terraform) {
            return Err(ProviderAddrError::BuiltIn(addr.to_string()));
        }
        Ok(addr)
    }

    /// The provider of a local name that has no `source`: `DEFAULT_HOST/hashicorp/NAME`, and for
    /// `terraform` the built-in one (facts 12.5).
    ///
    /// # Errors
    ///
    /// Refuses a name that cannot be a type.
    pub fn implied(name: &str, tool: Tool) -> Result<ProviderSource, ProviderAddrError> {
        let ty = normal_type(name, name)?;
        if ty == "terraform" {
            let address = format!("{BUILT_IN_HOST}/{BUILT_IN_NAMESPACE}/{ty}");
            return Ok(ProviderSource::BuiltIn(address));
        }
        let hostname = parse_host(name, tool.default_host())?;
        let namespace = DEFAULT_NAMESPACE.to_owned();
        Ok(ProviderSource::Installable(Self::of_parts(
            hostname, namespace, ty,
        )))
    }

    /// The provider of the same namespace and type on another host.
    #[must_use]
    pub fn on_host(&self, hostname: Hostname) -> Self {
        Self::of_parts(hostname, self.0.namespace.clone(), self.0.ty.clone())
    }

    /// The form for messages: without the host if that is the default one of `tool` (facts 12.7).
    pub fn for_display(&self, tool: Tool) -> String {
        if self.0.hostname.for_display() == tool.default_host() {
            return format!("{}/{}", self.0.namespace, self.0.ty);
        }
        self.to_string()
    }

    pub(super) fn is_built_in(&self, tool: Tool) -> bool {
        let host = self.0.hostname.for_display();
        self.0.namespace == BUILT_IN_NAMESPACE
            && (host == BUILT_IN_HOST || (tool == Tool::Tofu && host == TOFU_BUILT_IN_HOST))
    }
}

impl fmt::Display for ProviderAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.0.hostname, self.0.namespace, self.0.ty)
    }
}

impl FromStr for ProviderAddr {
    type Err = ProviderAddrError;

    fn from_str(text: &str) -> Result<Self, ProviderAddrError> {
        Self::parse_canonical(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addr(text: &str) -> ProviderAddr {
        text.parse().unwrap()
    }

    #[test]
    fn canonical_form_parses_back() {
        for text in [
            "registry.terraform.io/hashicorp/aws",
            "example.com:8443/acme/net",
            "испытание.com/münchen/faß",
        ] {
            assert_eq!(addr(text).to_string(), text);
        }
    }

    #[test]
    fn canonical_form_is_the_only_one_that_a_lock_may_hold() {
        use ProviderAddrError::{BuiltIn, Host, Legacy, NotCanonical};
        let refused = |text: &str| ProviderAddr::parse_canonical(text).unwrap_err();
        assert!(matches!(refused("hashicorp/aws"), NotCanonical { .. }));
        assert!(matches!(refused("aws"), NotCanonical { .. }));
        assert!(matches!(
            refused("Example.com/acme/net"),
            NotCanonical { .. }
        ));
        assert!(matches!(
            refused("example.com:443/acme/net"),
            NotCanonical { .. }
        ));
        assert!(matches!(refused("xn--80akhbyknj4f.com/a/b"), Host { .. }));
        assert!(matches!(
            refused("terraform.io/builtin/terraform"),
            BuiltIn(_)
        ));
        assert!(matches!(refused("registry.terraform.io/-/aws"), Legacy(_)));
    }

    #[test]
    fn directory_names_are_normalised() {
        let found = ProviderAddr::from_parts("Example.com", "Acme", "Terraform-X").unwrap();
        assert_eq!(found.to_string(), "example.com/acme/terraform-x");
        for (host, namespace) in [
            ("xn--mnchen-3ya.de", "a"),
            ("a.b", "-"),
            ("terraform.io", "builtin"),
        ] {
            assert!(
                ProviderAddr::from_parts(host, namespace, "x").is_err(),
                "{host}/{namespace}"
            );
        }
    }

    #[test]
    fn implied_provider_of_terraform_is_built_in() {
        let terraform = ProviderAddr::implied("terraform", Tool::Tofu).unwrap();
        assert_eq!(
            terraform,
            ProviderSource::BuiltIn("terraform.io/builtin/terraform".into())
        );
        let null = ProviderAddr::implied("null", Tool::Tofu).unwrap();
        assert_eq!(
            null,
            ProviderSource::Installable(addr("registry.opentofu.org/hashicorp/null"))
        );
        assert!(ProviderAddr::implied("a_b", Tool::Terraform).is_err());
    }

    #[test]
    fn addresses_sort_by_tuple_not_by_joined_text() {
        let mut sorted = [
            addr("a.com/a-b/c"),
            addr("a.com/a/d"),
            addr("é.com/a/a"),
            addr("z.com/a/a"),
        ];
        sorted.sort();
        let texts: Vec<String> = sorted.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            ["a.com/a/d", "a.com/a-b/c", "é.com/a/a", "z.com/a/a"]
        );
    }

    #[test]
    fn refuses_parts_that_map_to_a_parent_directory() {
        for part in [
            "..",
            "。。",
            "‥",
            "a。b",
            ".",
            "a／b",
            "a\\b",
            "\u{ff0d}",
            "a\u{ff0d}\u{ff0d}b",
        ] {
            let text = format!("example.com/{part}/x");
            assert!(
                ProviderSource::parse(&text, Tool::Terraform).is_err(),
                "{part}"
            );
            assert!(
                ProviderAddr::from_parts("example.com", "x", part).is_err(),
                "{part}"
            );
        }
    }

    #[test]
    fn default_host_is_left_out_of_messages() {
        let aws = addr("registry.terraform.io/hashicorp/aws");
        assert_eq!(aws.for_display(Tool::Terraform), "hashicorp/aws");
        assert_eq!(
            aws.for_display(Tool::Tofu),
            "registry.terraform.io/hashicorp/aws"
        );
    }
}
