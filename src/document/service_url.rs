//! The URL that a service's value stands for (facts/providers 1.13, facts/login 1).
//!
//! Hostile input: values of discovery documents. A scheme other than http and https, user information that
//! would become an `Authorization` of its own, and text that only looks relative are refused.

use url::{Host, Url};

/// Why a value is no URL of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.reason())]
pub enum BadServiceUrl {
    /// It does not parse.
    NotAUrl,
    /// It leads somewhere else than to a web server.
    Scheme,
    /// It carries a user name or password.
    UserInformation,
}

impl BadServiceUrl {
    /// The reason in words, to follow a colon.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NotAUrl => "it is not a URL",
            Self::Scheme => "its scheme is neither `https` nor `http`",
            Self::UserInformation => "it carries a user name or password",
        }
    }
}

/// Resolves `value` against `base`, the final URL of the discovery document; the fragment is dropped.
///
/// # Errors
///
/// If the result is no http or https URL, or carries user information.
pub fn resolve_service_url(base: &Url, value: &str) -> Result<Url, BadServiceUrl> {
    if has_colon_without_scheme(value) {
        return Err(BadServiceUrl::NotAUrl);
    }
    let mut url = base.join(value).map_err(|_| BadServiceUrl::NotAUrl)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BadServiceUrl::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(BadServiceUrl::UserInformation);
    }
    url.set_fragment(None);
    Ok(url)
}

/// Whether what is sent to `url` stays secret: it is https, or this machine itself.
pub(super) fn keeps_secrets(url: &Url) -> bool {
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || is_loopback
}

/// Whether the first segment of `value` has a colon that ends no scheme. RFC 3986, section 4.2, has no
/// such relative references, but the URL parser takes them for paths.
fn has_colon_without_scheme(value: &str) -> bool {
    let first = value.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((scheme, _)) = first.split_once(':') else {
        return false;
    };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    !is_scheme
}
