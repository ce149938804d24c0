//! The services that a host announces, and the URL of each (facts/providers 1.12 to 1.14).

use std::collections::BTreeMap;

use url::Url;

use crate::address::Hostname;
use crate::registry::DiscoveryError;
use crate::secret::ShownUrl;

/// The id of a service: its name, `.v`, and the version of its protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ServiceId(&'static str);

impl ServiceId {
    /// The provider registry protocol, version 1.
    pub const PROVIDERS_V1: Self = Self("providers.v1");

    /// A service by the key it has in discovery documents, which is matched literally.
    pub const fn new(key: &'static str) -> Self {
        Self(key)
    }

    /// The key in the discovery document.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// The name with its dot, by which a host's other versions of the service are recognised.
    fn name_with_dot(self) -> &'static str {
        self.0.split_inclusive('.').next().unwrap_or(self.0)
    }
}

/// What a host offers: service ids with their values, and the URL that relative values start from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Services {
    host: Hostname,
    base: Url,
    values: BTreeMap<String, Option<String>>,
    hops: Vec<ShownUrl>,
}

impl Services {
    /// Puts together what was found for `host`; a value of `None` was there but is no string.
    pub fn new(host: Hostname, base: Url, values: BTreeMap<String, Option<String>>) -> Self {
        Self {
            host,
            base,
            values,
            hops: Vec::new(),
        }
    }

    /// Notes the URLs on the way to them.
    #[must_use]
    pub fn found_by(self, hops: Vec<ShownUrl>) -> Self {
        Self { hops, ..self }
    }

    /// Every URL on the way to the discovery document, redirects included; empty if nobody was asked.
    pub fn hops(&self) -> &[ShownUrl] {
        &self.hops
    }

    /// The URL of `service`: relative values resolved, fragment dropped.
    ///
    /// # Errors
    ///
    /// If the host does not offer it, offers only other versions of it, or gives a value that is
    /// no http(s) URL or carries user information.
    pub fn url(&self, service: ServiceId) -> Result<Url, DiscoveryError> {
        match self.values.get(service.as_str()) {
            Some(Some(value)) => self.resolve(service, value),
            Some(None) | None => Err(self.not_offered(service)),
        }
    }

    fn resolve(&self, service: ServiceId, value: &str) -> Result<Url, DiscoveryError> {
        let refused = |reason| DiscoveryError::ServiceUrl {
            host: self.host.clone(),
            service: service.as_str(),
            value: shown(value),
            reason,
        };
        if has_colon_without_scheme(value) {
            return Err(refused("it is not a URL"));
        }
        let mut url = self
            .base
            .join(value)
            .map_err(|_| refused("it is not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused("its scheme is neither `https` nor `http`"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("it carries a user name or password"));
        }
        url.set_fragment(None);
        Ok(url)
    }

    fn not_offered(&self, service: ServiceId) -> DiscoveryError {
        let others: Vec<String> = self
            .values
            .keys()
            .filter(|key| key.starts_with(service.name_with_dot()))
            .cloned()
            .collect();
        DiscoveryError::NotOffered {
            host: self.host.clone(),
            service: service.as_str(),
            others,
        }
    }
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

/// A value for messages: a URL may hold a password, and a text of a stranger may be long.
fn shown(value: &str) -> String {
    match Url::parse(value) {
        Ok(url) => ShownUrl::of(&url).to_string(),
        Err(_) => value.chars().take(200).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn services(value: &str) -> Services {
        Services::new(
            "example.com".parse().unwrap(),
            "https://example.com/disco/foo.json".parse().unwrap(),
            BTreeMap::from([("providers.v1".to_owned(), Some(value.to_owned()))]),
        )
    }

    #[test]
    fn values_resolve_against_the_final_discovery_url() {
        for (value, expected) in [
            ("http://example.net/foo/bar", "http://example.net/foo/bar"),
            ("./stu/", "https://example.com/disco/stu/"),
            ("", "https://example.com/disco/foo.json"),
            ("/baz", "https://example.com/baz"),
            ("//example.net/", "https://example.net/"),
            ("/v1/?x=1#frag", "https://example.com/v1/?x=1"),
        ] {
            let url = services(value).url(ServiceId::PROVIDERS_V1).unwrap();
            assert_eq!(url.as_str(), expected, "{value}");
        }
    }

    #[test]
    fn refuses_other_schemes_and_user_information() {
        for value in [
            "ftp://127.0.0.1/pub/",
            "https://u:p@example.com/",
            "https://",
            "***not a URL***:/x",
        ] {
            let error = services(value).url(ServiceId::PROVIDERS_V1).unwrap_err();
            assert!(
                matches!(error, DiscoveryError::ServiceUrl { .. }),
                "{value}: {error}"
            );
        }
    }

    #[test]
    fn refusals_show_no_password() {
        let error = services("https://u:hunter2@example.com/").url(ServiceId::PROVIDERS_V1);
        let text = error.unwrap_err().to_string();
        assert!(text.contains("https://***@example.com/"), "{text}");
    }

    #[test]
    fn tells_other_versions_of_the_service() {
        let services = Services::new(
            "example.com".parse().unwrap(),
            "https://example.com/".parse().unwrap(),
            BTreeMap::from([
                ("providers.v2".to_owned(), Some("/".to_owned())),
                ("providers.v1".to_owned(), None),
                ("modules.v1".to_owned(), Some("/".to_owned())),
            ]),
        );
        let error = services.url(ServiceId::PROVIDERS_V1).unwrap_err();
        let DiscoveryError::NotOffered { others, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(others, ["providers.v1", "providers.v2"]);
    }
}
