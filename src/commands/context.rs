//! From arguments and environment to what the use cases need: settings are resolved here, once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::address::{Platform, Tool};
use crate::auth::Credentials;
use crate::commands::GlobalArgs;
use crate::commands::auth_parts::CredentialsPlaces;
use crate::commands::error::CommandError;
use crate::config::{
    CliConfig, Environment, Patience, RootModule, default_cache_dir, detect_tool, environment,
    home_dir,
};
use crate::http::{Client, ClientOptions, RetryPolicy};
use crate::ops::{Fetcher, Reporter, SignaturePolicy};
use crate::package::Enforcement;
use crate::registry::{DiscoveryClient, ProviderRegistryClient};
use crate::source::{OfflineSource, OriginSource, Source};
use crate::store::PackageCache;
use crate::ui::Printer;

/// What every command works with.
pub(super) struct Context<'e> {
    pub(super) printer: Printer,
    pub(super) environment: &'e Environment,
    /// The directory that relative paths of arguments and the root module start from.
    pub(super) dir: PathBuf,
    pub(super) tool: Tool,
    pub(super) jobs: usize,
    network_use: NetworkUse,
    /// Where the package cache is; `None` under `--no-cache`, or without a home directory.
    cache_dir: Option<PathBuf>,
    patience: Patience,
    ca_files: Vec<PathBuf>,
    started_in: PathBuf,
}

/// Whether requests may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NetworkUse {
    /// Yes.
    Online,
    /// No (`--offline`).
    Offline,
}

/// The network side: a client and the source that asks by it.
pub(super) struct Network {
    http: Client,
    pub(super) source: Box<dyn Source>,
    package_retry: RetryPolicy,
}

impl<'e> Context<'e> {
    /// Resolves the global options against the environment; `root_module` is the one that the
    /// command works on if that is not `--chdir`, relative to it.
    pub(super) fn new(
        args: &GlobalArgs,
        root_module: Option<&Path>,
        environment: &'e Environment,
        printer: Printer,
    ) -> Result<Self, CommandError> {
        let started_in = std::env::current_dir().map_err(CommandError::CurrentDirectory)?;
        let dir = args
            .chdir
            .as_ref()
            .map_or_else(|| started_in.clone(), |dir| started_in.join(dir));
        if !dir.is_dir() {
            return Err(CommandError::NoSuchDirectory { dir });
        }
        let tool = match args.tool {
            Some(tool) => tool.into(),
            None => tool_of_environment(environment)?.unwrap_or_else(|| {
                detect_tool(&root_module.map_or_else(|| dir.clone(), |root| dir.join(root)))
            }),
        };
        let ca_files = args.ca_file.iter().map(|file| dir.join(file)).collect();
        let cache_dir = cache_dir(args, environment, &dir, &started_in);
        Ok(Self {
            printer,
            environment,
            dir,
            tool,
            jobs: args.jobs.get(),
            network_use: if args.offline {
                NetworkUse::Offline
            } else {
                NetworkUse::Online
            },
            cache_dir,
            patience: Patience::from_environment(environment),
            ca_files,
            started_in,
        })
    }

    /// `path` of an argument, relative to `--chdir`.
    pub(super) fn path(&self, path: &Path) -> PathBuf {
        self.dir.join(path)
    }

    /// The root module in `dir`.
    pub(super) fn root_module(&self, dir: PathBuf) -> RootModule {
        RootModule::new(dir, self.environment, self.tool)
    }

    /// The package cache, made if it is missing; `None`, after a warning, if that is not possible.
    pub(super) fn cache_to_fill(&self) -> Option<PackageCache> {
        let opened = PackageCache::open(self.cache_dir.as_ref()?);
        opened
            .inspect_err(|error| {
                let cause = std::error::Error::source(error);
                let cause = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
                let text = format!("going on without the package cache: {error}{cause}");
                self.printer.warning(&text);
            })
            .ok()
    }

    /// The package cache, if there is one.
    pub(super) fn cache_to_read(&self) -> Option<PackageCache> {
        PackageCache::existing(self.cache_dir.as_ref()?)
    }

    /// Where the package cache is or would be.
    pub(super) fn cache_dir(&self) -> Option<&Path> {
        self.cache_dir.as_deref()
    }

    /// Reads the CLI configuration.
    pub(super) fn cli_config(&self) -> CliConfig {
        CliConfig::load(
            self.tool,
            self.environment,
            home_dir(self.environment).as_deref(),
            &self.started_in,
        )
    }

    /// A client as the options and the environment ask for.
    pub(super) fn http(&self) -> Result<Client, CommandError> {
        Ok(Client::new(ClientOptions {
            ca_files: self.ca_files.clone(),
            request_timeout: Some(self.patience.registry_timeout),
            stall_timeout: self.patience.stall_timeout,
            ..ClientOptions::default()
        })?)
    }

    /// Service discovery with these credentials.
    pub(super) fn discovery(
        &self,
        http: &Client,
        config: &CliConfig,
        credentials: impl Into<Arc<Credentials>>,
    ) -> DiscoveryClient {
        DiscoveryClient::new(
            http.clone(),
            credentials.into(),
            config.hosts.clone(),
            self.tool,
            RetryPolicy::of(self.patience.registry_retries),
        )
    }

    /// Whether requests may be made.
    pub(super) fn is_online(&self) -> bool {
        self.network_use == NetworkUse::Online
    }

    /// Reads the CLI configuration and builds the client.
    pub(super) fn network(&self) -> Result<Network, CommandError> {
        let config = self.cli_config();
        for warning in &config.warnings {
            self.printer.warning(&warning.to_string());
        }
        for setting in &config.not_honoured {
            self.printer.warning(&format!(
                "{setting} is not honoured yet: packages come from origin registries"
            ));
        }
        let http = self.http()?;
        let places = CredentialsPlaces::of(self);
        let credentials = Arc::new(places.credentials(self.environment, &config, &http));
        let retry = RetryPolicy::of(self.patience.registry_retries);
        let discovery = self.discovery(&http, &config, Arc::clone(&credentials));
        let registry = ProviderRegistryClient::new(http.clone(), discovery, credentials, retry);
        let enforcement = match self
            .environment
            .get(environment::OPENTOFU_ENFORCE_GPG_VALIDATION)
        {
            Some("true") => Enforcement::Strict,
            Some(_) | None => Enforcement::Usual,
        };
        Ok(Network {
            http,
            source: match self.network_use {
                NetworkUse::Online => Box::new(OriginSource::new(registry, self.tool, enforcement)),
                NetworkUse::Offline => Box::new(OfflineSource::new(self.tool, enforcement)),
            },
            package_retry: RetryPolicy::of(self.patience.package_retries),
        })
    }
}

impl Network {
    /// A fetcher that looks into `cache` and tells `reporter`.
    pub(super) fn fetcher<'r>(
        &'r self,
        reporter: &'r dyn Reporter,
        signatures: SignaturePolicy,
        cache: Option<&'r PackageCache>,
    ) -> Fetcher<'r> {
        Fetcher {
            http: &self.http,
            retry: self.package_retry,
            signatures,
            cache,
            reporter,
        }
    }
}

/// Where the package cache is: the option, the variable, the user's cache directory.
fn cache_dir(
    args: &GlobalArgs,
    environment: &Environment,
    dir: &Path,
    started_in: &Path,
) -> Option<PathBuf> {
    if args.no_cache {
        return None;
    }
    if let Some(named) = &args.cache_dir {
        return Some(dir.join(named));
    }
    let variable = environment.non_empty(environment::PROVENDER_CACHE_DIR);
    let named = variable.map(|named| started_in.join(named));
    named.or_else(|| default_cache_dir(environment))
}

/// The platforms named by `texts`, this machine's if there are none.
pub(super) fn platforms(texts: &[String]) -> Result<BTreeSet<Platform>, CommandError> {
    if texts.is_empty() {
        return Ok(BTreeSet::from([Platform::current()]));
    }
    Ok(texts
        .iter()
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?)
}

fn tool_of_environment(environment: &Environment) -> Result<Option<Tool>, CommandError> {
    let text = environment.non_empty(environment::PROVENDER_TOOL);
    Ok(text.map(str::parse).transpose()?)
}
