//! What has to be known of a mirror to write the far side's settings.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use url::Url;

use super::{cli_config, git_config, nginx, readme};
use crate::document::JsonDocumentError;

/// Where the mirror will be served as long as nobody says.
const PLACEHOLDER_URL: &str = "https://mirror.example.com/";

/// Where the mirror will be served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FarSideSettings {
    /// The URL of its root; its path ends with `/`.
    pub url: Url,
    /// The path, there, of the certificates that the server's is signed by, if the system does not trust it.
    pub ca_file: Option<String>,
}

/// A mirror as the far side sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FarSide {
    /// Where it will be served.
    pub settings: FarSideSettings,
    /// Its directory, where the web server finds it.
    pub root: String,
    /// Whether it has providers.
    pub has_providers: bool,
    /// The hosts of its module registries.
    pub registries: BTreeSet<String>,
    /// Its repositories.
    pub repositories: Vec<MirroredRepository>,
    /// The servers whose archives it has.
    pub servers: BTreeSet<ArchiveServer>,
    /// Modules that are not the whole of their archives.
    pub locations: Vec<OtherLocation>,
}

/// A repository in a mirror.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirroredRepository {
    /// Its path below the mirror's root, parts not encoded.
    pub path: Vec<String>,
    /// The URLs that git is given for it.
    pub urls: Vec<String>,
}

/// A server whose archives a mirror has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArchiveServer {
    /// Its directory below `archives`, the host with its port.
    pub directory: String,
    /// Its host name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Whether it speaks https.
    pub has_tls: bool,
}

/// What a registry answers for a module that is not the whole of its archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherLocation {
    /// The path of `download` below the mirror's root.
    pub path: String,
    /// The location.
    pub location: String,
}

impl Default for FarSideSettings {
    fn default() -> Self {
        Self {
            url: PLACEHOLDER_URL.parse().expect("a valid URL"),
            ca_file: None,
        }
    }
}

impl FarSideSettings {
    /// Settings for a mirror that is served at `url`, `/` added at the end of its path; `None` if it is no http or
    /// https URL, or has a query, fragment or user.
    pub fn of(url: &str, ca_file: Option<String>) -> Option<Self> {
        let mut url = Url::parse(url).ok()?;
        let is_plain = url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        if !is_plain || !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return None;
        }
        if !url.path().ends_with('/') {
            url.set_path(&format!("{}/", url.path()));
        }
        Some(Self { url, ca_file })
    }

    /// Whether nobody has said where the mirror will be.
    pub fn is_placeholder(&self) -> bool {
        self.url.as_str() == PLACEHOLDER_URL
    }

    /// Reads what [`Self::render`] wrote.
    ///
    /// # Errors
    ///
    /// If it is no JSON object with a usable `url`.
    pub fn parse(document: &[u8]) -> Result<Self, JsonDocumentError> {
        let value = serde_json::from_slice::<Value>(document);
        let value = value.map_err(|source| JsonDocumentError::Syntax { source })?;
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let url = text("url").unwrap_or_default();
        Self::of(url, text("ca_file").map(str::to_owned)).ok_or_else(|| {
            JsonDocumentError::Missing {
                place: "url".to_owned(),
            }
        })
    }

    /// As a document, for the next run.
    pub fn render(&self) -> String {
        let mut value = json!({ "url": self.url.as_str() });
        if let Some(ca_file) = &self.ca_file {
            value["ca_file"] = ca_file.as_str().into();
        }
        format!("{value:#}\n")
    }
}

impl FarSide {
    /// By what a later run knows that `README.md` is its own.
    pub const README_MARK: &str = readme::MARK;

    /// Takes out the servers that have the name and port of the mirror's own.
    pub fn take_conflicting_servers(&mut self) -> Vec<ArchiveServer> {
        let url = &self.settings.url;
        let (host, port) = (url.host_str(), url.port_or_known_default());
        let is_own = |it: &&ArchiveServer| Some(it.host.as_str()) == host && Some(it.port) == port;
        let own: Vec<_> = self.servers.iter().filter(is_own).cloned().collect();
        self.servers.retain(|server| !own.contains(server));
        own
    }

    /// The CLI configuration of both tools.
    pub fn cli_config(&self) -> String {
        cli_config::render(self)
    }

    /// The settings of git; `None` if there are no repositories.
    pub fn git_config(&self) -> Option<String> {
        (!self.repositories.is_empty()).then(|| git_config::render(self))
    }

    /// The configuration of nginx, to be included in its `http` block.
    pub fn nginx(&self) -> String {
        nginx::render(self)
    }

    /// How to use all that; begins with [`Self::README_MARK`].
    pub fn readme(&self) -> String {
        readme::render(self)
    }

    /// The URL of a path below the mirror's root, its parts encoded.
    pub(super) fn url_of<'p>(&self, parts: impl IntoIterator<Item = &'p str>) -> Url {
        let mut url = self.settings.url.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(parts);
        }
        url
    }
}
