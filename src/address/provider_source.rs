//! What `source` strings and addresses on the command line can mean (facts/providers 12.1 to 12.5).

use super::provider::{DEFAULT_NAMESPACE, LEGACY_NAMESPACE};
use super::provider_part::{normal_namespace, normal_part, normal_type, parse_host};
use super::{Hostname, ProviderAddr, ProviderAddrError, Tool};

/// What a `source` string can mean.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ProviderSource {
    /// A provider to install.
    Installable(ProviderAddr),
    /// `terraform.io/builtin/*` (OpenTofu also `opentofu.org/builtin/*`): part of the tool; the full
    /// address.
    BuiltIn(String),
    /// `DEFAULT_HOST/-/NAME`; the full address.
    Legacy(String),
}

impl ProviderSource {
    /// Parses a `source` string or a command-line address (without `@`), with the defaults of `tool`:
    /// `[HOST/][NAMESPACE/]TYPE` (facts 12.1 to 12.5).
    ///
    /// # Errors
    ///
    /// Refuses text of another shape, and invalid parts: the type first, then namespace, then host.
    pub fn parse(text: &str, tool: Tool) -> Result<Self, ProviderAddrError> {
        let parts: Vec<&str> = text.split('/').collect();
        if parts.iter().any(|part| part.is_empty()) {
            return Err(ProviderAddrError::Shape(text.to_owned()));
        }
        match parts[..] {
            [ty] => Self::of_parts(text, tool.default_host(), DEFAULT_NAMESPACE, ty, tool),
            [namespace, ty] => check_prefix(text, ty, tool)
                .and_then(|()| Self::of_parts(text, tool.default_host(), namespace, ty, tool)),
            [host, namespace, ty] => check_prefix(text, ty, tool)
                .and_then(|()| Self::of_parts(text, host, namespace, ty, tool)),
            _ => Err(ProviderAddrError::Shape(text.to_owned())),
        }
    }

    fn of_parts(
        text: &str,
        host: &str,
        namespace: &str,
        ty: &str,
        tool: Tool,
    ) -> Result<Self, ProviderAddrError> {
        let ty = normal_type(text, ty)?;
        if namespace == LEGACY_NAMESPACE {
            let hostname = parse_host(text, host)?;
            return Self::of_legacy(text, &hostname, &ty, tool);
        }
        let namespace = normal_namespace(text, namespace)?;
        let hostname = parse_host(text, host)?;
        let addr = ProviderAddr::of_parts(hostname, namespace, ty);
        if addr.is_built_in(tool) {
            return Ok(Self::BuiltIn(addr.to_string()));
        }
        Ok(Self::Installable(addr))
    }

    /// The legacy namespace exists on the default host only; elsewhere it is a plain bad namespace
    /// (facts 12.4).
    fn of_legacy(
        text: &str,
        hostname: &Hostname,
        ty: &str,
        tool: Tool,
    ) -> Result<Self, ProviderAddrError> {
        if hostname.for_display() == tool.default_host() {
            return Ok(Self::Legacy(format!("{hostname}/{LEGACY_NAMESPACE}/{ty}")));
        }
        Err(ProviderAddrError::Namespace {
            text: text.to_owned(),
            namespace: LEGACY_NAMESPACE.to_owned(),
        })
    }
}

/// Refuses types that begin with a product's name and a hyphen (facts 12.3).
fn check_prefix(text: &str, ty: &str, tool: Tool) -> Result<(), ProviderAddrError> {
    let prefixes: &[&'static str] = match tool {
        Tool::Terraform => &["terraform-"],
        Tool::Tofu => &["terraform-", "opentofu-"],
    };
    // A type that is invalid anyway is reported as such by the next step.
    let Some(ty) = normal_part(ty) else {
        return Ok(());
    };
    match prefixes.iter().find(|prefix| ty.starts_with(**prefix)) {
        Some(prefix) => Err(ProviderAddrError::TypePrefix {
            text: text.to_owned(),
            ty,
            prefix,
        }),
        None => Ok(()),
    }
}
