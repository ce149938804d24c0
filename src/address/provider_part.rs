//! The parts of provider addresses: namespace, type and host (facts/providers 12.2).

use super::idn::Idn;
use super::{Hostname, ProviderAddrError};

/// Normalises the type of the address `text`.
pub(super) fn normal_type(text: &str, ty: &str) -> Result<String, ProviderAddrError> {
    normal_part(ty).ok_or_else(|| ProviderAddrError::Type {
        text: text.to_owned(),
        ty: ty.to_owned(),
    })
}

/// Normalises the namespace of the address `text`.
pub(super) fn normal_namespace(text: &str, namespace: &str) -> Result<String, ProviderAddrError> {
    normal_part(namespace).ok_or_else(|| ProviderAddrError::Namespace {
        text: text.to_owned(),
        namespace: namespace.to_owned(),
    })
}

/// Parses the host of the address `text`.
pub(super) fn parse_host(text: &str, host: &str) -> Result<Hostname, ProviderAddrError> {
    host.parse().map_err(|source| ProviderAddrError::Host {
        text: text.to_owned(),
        source,
    })
}

/// Normalises a namespace or type (facts 12.2); `None` if it is invalid.
///
/// The mapping can produce dots where there were none, so they are looked for on both sides of it.
pub(super) fn normal_part(part: &str) -> Option<String> {
    if part.is_empty() || part.contains('.') || part.contains("--") {
        return None;
    }
    let mapped = Idn::map(part)?.unicode;
    (!mapped.is_empty() && !mapped.contains('.') && !mapped.contains("--")).then_some(mapped)
}
