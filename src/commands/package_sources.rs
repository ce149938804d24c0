//! From the CLI configuration to sources: which methods there are, in which order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use url::Url;

use crate::address::{ProviderAddr, Tool};
use crate::auth::Credentials;
use crate::commands::error::CommandError;
use crate::config::cli_config::{InstallationMethod, MethodKind, ProviderInstallation};
use crate::config::{CliConfig, Environment, implied_mirror_dirs};
use crate::http::{Client, RetryPolicy};
use crate::package::Enforcement;
use crate::registry::{
    DiscoveryClient, ModuleRegistryClient, NetworkMirrorClient, ProviderRegistryClient,
};
use crate::source::{
    ChainLink, FilesystemMirrorSource, HashTrust, LayoutUse, NetworkMirrorSource, OciMirrorSource,
    OfflineSource, OriginSource, ServingRule, Source, SourceChain,
};

/// Whom a command takes packages from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PackagesFrom<'a> {
    /// The methods of `provider_installation`; without that block, implied local mirrors and registries.
    Methods,
    /// The same for what is placed in this directory, which is never a source itself, nor is any implied mirror.
    MethodsBesides(&'a Path),
    /// Origin registries alone.
    Registries,
    /// One mirror: a directory, of which these layouts count, or an https URL.
    Mirror(&'a str, LayoutUse),
}

/// Whether requests may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NetworkUse {
    /// Yes.
    Online,
    /// No (`--offline`).
    Offline,
}

/// What sources are made of.
pub(super) struct PackageSources {
    pub(super) config: CliConfig,
    pub(super) http: Client,
    pub(super) credentials: Arc<Credentials>,
    pub(super) retry: RetryPolicy,
    pub(super) tool: Tool,
    pub(super) enforcement: Enforcement,
    pub(super) network_use: NetworkUse,
    /// Where relative paths of methods start: the root module's directory.
    pub(super) dir: PathBuf,
    pub(super) implied_dirs: Vec<PathBuf>,
}

impl PackageSources {
    /// The implied local mirrors that count: none if methods are configured.
    pub(super) fn implied_dirs(
        config: &CliConfig,
        tool: Tool,
        environment: &Environment,
        started_in: &Path,
    ) -> Vec<PathBuf> {
        if config.provider_installations.is_empty() {
            implied_mirror_dirs(tool, environment, started_in)
        } else {
            Vec::new()
        }
    }

    /// The source for `from`.
    pub(super) fn source(&self, from: PackagesFrom<'_>) -> Result<Box<dyn Source>, CommandError> {
        Ok(match (from, self.installation()) {
            (PackagesFrom::Registries, _) | (PackagesFrom::MethodsBesides(_), None) => {
                self.registries()
            }
            (PackagesFrom::Mirror(text, layouts), _) => self.mirror(text, layouts)?,
            (PackagesFrom::Methods, _) => Box::new(self.chain()),
            (PackagesFrom::MethodsBesides(target), Some(block)) => {
                Box::new(self.configured_chain(block, Some(target)))
            }
        })
    }

    /// The chain of the tools' methods.
    pub(super) fn chain(&self) -> SourceChain {
        match self.installation() {
            Some(block) => self.configured_chain(block, None),
            None => self.implied_chain(),
        }
    }

    /// The block that counts.
    pub(super) fn installation(&self) -> Option<&ProviderInstallation> {
        self.config.provider_installations.first()
    }

    /// Providers under development, and the directories of their plugins.
    pub(super) fn dev_overrides(&self) -> BTreeMap<ProviderAddr, PathBuf> {
        let block = self.installation();
        block.map_or_else(BTreeMap::new, |block| block.dev_overrides.clone())
    }

    /// A client that finds the services of hosts.
    pub(super) fn discovery(&self) -> DiscoveryClient {
        DiscoveryClient::new(
            self.http.clone(),
            Arc::clone(&self.credentials),
            self.config.hosts.clone(),
            self.tool,
            self.retry,
        )
    }

    /// A client of module registries, if requests may be made.
    pub(super) fn module_registry(&self) -> Option<ModuleRegistryClient> {
        let credentials = Arc::clone(&self.credentials);
        let client = || {
            ModuleRegistryClient::new(self.http.clone(), self.discovery(), credentials, self.retry)
        };
        (self.network_use == NetworkUse::Online).then(client)
    }

    fn registries(&self) -> Box<dyn Source> {
        if self.network_use == NetworkUse::Offline {
            return Box::new(OfflineSource::of_origin(self.tool, self.enforcement));
        }
        let credentials = Arc::clone(&self.credentials);
        let registry = ProviderRegistryClient::new(
            self.http.clone(),
            self.discovery(),
            credentials,
            self.retry,
        );
        Box::new(OriginSource::new(registry, self.tool, self.enforcement))
    }

    fn network_mirror(&self, url: Url, trust: HashTrust) -> Box<dyn Source> {
        if self.network_use == NetworkUse::Offline {
            return Box::new(OfflineSource::of_network_mirror());
        }
        let credentials = Arc::clone(&self.credentials);
        let client = NetworkMirrorClient::new(self.http.clone(), url, credentials, self.retry);
        Box::new(NetworkMirrorSource::new(client, trust))
    }

    /// `--from`, and `--mirror` of `verify`.
    fn mirror(&self, text: &str, layouts: LayoutUse) -> Result<Box<dyn Source>, CommandError> {
        if !text.is_empty() && !text.contains("://") {
            let dir = self.dir.join(text);
            if !dir.is_dir() {
                return Err(CommandError::NoSuchDirectory { dir });
            }
            let mirror = FilesystemMirrorSource::new(dir, layouts);
            return Ok(Box::new(mirror));
        }
        let url = text.parse::<Url>().ok();
        let url = url.filter(|url| url.scheme() == "https" && url.has_host());
        let mut url = url.ok_or_else(|| CommandError::MirrorUrl {
            text: text.chars().take(200).collect(),
        })?;
        // Who types a URL means the directory; in the CLI configuration the tools' reading holds.
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        Ok(self.network_mirror(url, HashTrust::Matching))
    }

    fn configured_chain(
        &self,
        block: &ProviderInstallation,
        besides: Option<&Path>,
    ) -> SourceChain {
        let is_target = |method: &&InstallationMethod| match (&method.kind, besides) {
            (MethodKind::FilesystemMirror { path }, Some(target)) => {
                is_same_dir(&self.dir.join(path), target)
            }
            _ => false,
        };
        let methods = block.methods.iter().filter(|method| !is_target(method));
        let links = methods.map(|method| self.link(method)).collect();
        SourceChain::new(links, format!("`{}`", block.place))
    }

    fn link(&self, method: &InstallationMethod) -> ChainLink {
        let name = format!("{} ({})", method.kind, method.place);
        let source: Box<dyn Source> = match &method.kind {
            MethodKind::Direct => self.registries(),
            MethodKind::FilesystemMirror { path } => {
                let dir = self.dir.join(path);
                Box::new(FilesystemMirrorSource::new(dir, LayoutUse::Any))
            }
            MethodKind::NetworkMirror {
                url,
                trust_all_hashes,
            } => {
                let trust = if *trust_all_hashes {
                    HashTrust::All
                } else {
                    HashTrust::Matching
                };
                self.network_mirror(url.clone(), trust)
            }
            MethodKind::OciMirror { .. } => Box::new(OciMirrorSource::new(name.clone())),
        };
        ChainLink {
            name,
            rule: ServingRule::Patterns(method.clone()),
            source,
        }
    }

    /// Without configured methods: the implied local mirrors, then the registry for all providers of which
    /// none of them holds any package (facts/providers 6.7).
    fn implied_chain(&self) -> SourceChain {
        let mirror = |dir: &PathBuf| ChainLink {
            name: format!("the implied local mirror `{}`", dir.display()),
            rule: ServingRule::Every,
            source: Box::new(FilesystemMirrorSource::new(dir, LayoutUse::Any)),
        };
        let mut links: Vec<ChainLink> = self.implied_dirs.iter().map(mirror).collect();
        links.push(ChainLink {
            name: "the provider's registry".to_owned(),
            rule: ServingRule::NotIn(self.implied_dirs.clone()),
            source: self.registries(),
        });
        SourceChain::new(links, "the CLI configuration".to_owned())
    }
}

/// Whether two paths name one directory, links followed; a missing one is none.
fn is_same_dir(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
    }
}
