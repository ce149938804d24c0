//! The services that a host announces, and the URL of each (facts/providers 1.10, 1.12 to 1.14).

use std::collections::BTreeMap;

use serde_json::Value;
use url::Url;

use crate::address::Hostname;
use crate::document::{JsonError, LoginService, LoginServiceError, Node, resolve_service_url};
use crate::registry::DiscoveryError;
use crate::secret::ShownUrl;

/// The id of a service: its name, `.v`, and the version of its protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ServiceId(&'static str);

impl ServiceId {
    /// The provider registry protocol, version 1.
    pub const PROVIDERS_V1: Self = Self("providers.v1");

    /// The module registry protocol, version 1.
    pub const MODULES_V1: Self = Self("modules.v1");

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

/// What a registry has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegistryKind {
    /// Providers.
    Providers,
    /// Modules.
    Modules,
}

impl RegistryKind {
    /// The service by which a host announces it.
    pub fn service(self) -> ServiceId {
        match self {
            Self::Providers => ServiceId::PROVIDERS_V1,
            Self::Modules => ServiceId::MODULES_V1,
        }
    }

    /// The word for one of what it has.
    pub(super) fn of_one(self) -> &'static str {
        match self {
            Self::Providers => "provider",
            Self::Modules => "module",
        }
    }
}

/// What a host offers: service ids with their values, and the URL that relative values start from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Services {
    host: Hostname,
    base: Url,
    values: BTreeMap<String, Option<String>>,
    hops: Vec<ShownUrl>,
    login: Option<Value>,
}

impl Services {
    /// Puts together what was found for `host`; a value of `None` was there but is no string.
    pub fn new(host: Hostname, base: Url, values: BTreeMap<String, Option<String>>) -> Self {
        Self {
            host,
            base,
            values,
            hops: Vec::new(),
            login: None,
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

    /// Adds the value of `login.v1`, the one service that is more than a URL.
    #[must_use]
    pub fn with_login(self, login: Option<Value>) -> Self {
        Self { login, ..self }
    }

    /// How to log in to the host, if it says so by `login.v1`.
    ///
    /// # Errors
    ///
    /// If what it says cannot be used.
    pub fn login(&self) -> Result<Option<LoginService>, LoginServiceError> {
        let value = self.login.as_ref();
        value
            .map(|value| LoginService::parse(value, &self.base))
            .transpose()
    }

    /// The versions of a service that the host announces, usable or not: `tfe` finds `tfe.v2` and `tfe.v2.1`.
    pub fn versions_of(&self, name: &str) -> Vec<String> {
        let is_one = |key: &&String| {
            key.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('.'))
        };
        self.values.keys().filter(is_one).cloned().collect()
    }

    /// Reads the discovery document that `base` answered with: one object without anything after it, or
    /// `null` (facts/providers 1.10).
    ///
    /// # Errors
    ///
    /// If it is anything else.
    pub fn parse(host: Hostname, base: Url, document: &[u8]) -> Result<Self, JsonError> {
        let document = Node::only(document)?;
        if document.is_null() {
            return Ok(Self::new(host, base, BTreeMap::new()));
        }
        let members = document.members()?.into_iter();
        let values = members
            .map(|(key, value)| (key, value.as_text().ok()))
            .collect();
        Ok(Self::new(host, base, values))
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
        resolve_service_url(&self.base, value).map_err(|bad| refused(bad.reason()))
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
