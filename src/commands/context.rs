//! From arguments and environment to what the use cases need: settings are resolved here, once.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use url::Url;

use crate::address::{Platform, ProviderAddr, Tool};
use crate::auth::Credentials;
use crate::commands::GlobalArgs;
use crate::commands::auth_parts::CredentialsPlaces;
use crate::commands::error::CommandError;
use crate::commands::package_sources::{NetworkUse, PackageSources, PackagesFrom};
use crate::config::{
    CliConfig, Environment, NetrcEntry, Patience, RootModule, default_cache_dir, detect_tool,
    environment, home_dir, read_netrc,
};
use crate::http::{Client, ClientIdentity, ClientOptions, Login, NoProxy, RetryPolicy};
use crate::ops::{ExpiredKeys, Fetcher, ModuleOrigins, PackageSizes, Reporter, SignaturePolicy};
use crate::package::{Enforcement, ModuleLimits};
use crate::registry::DiscoveryClient;
use crate::source::{GitProgram, ModuleGetter, Source};
use crate::store::{PackageCache, PluginCache, UnlockedEntries};
use crate::ui::Printer;

/// Packages in flight at once.
const DEFAULT_JOBS: usize = 8;

/// What every command works with.
pub(super) struct Context<'e> {
    pub(super) printer: Printer,
    pub(super) environment: &'e Environment,
    /// The directory that relative paths of arguments and the root module start from.
    pub(super) dir: PathBuf,
    pub(super) tool: Tool,
    /// The tool that the user has named, if any.
    pub(super) named_tool: Option<Tool>,
    pub(super) jobs: usize,
    /// `--jobs`, if it is given.
    pub(super) jobs_named: Option<usize>,
    network_use: NetworkUse,
    /// Where the package cache is; `None` under `--no-cache`, or without a home directory.
    cache_dir: Option<PathBuf>,
    patience: Patience,
    ca_files: Vec<PathBuf>,
    client_identity: Option<ClientIdentity>,
    started_in: PathBuf,
}

/// The network side: a client and the source that asks by it.
pub(super) struct Network {
    http: Client,
    pub(super) source: Box<dyn Source>,
    /// Providers under development, and the directories of their plugins.
    pub(super) dev_overrides: BTreeMap<ProviderAddr, PathBuf>,
    /// The tools' plugin cache, if the user has set one up.
    pub(super) plugin_cache: Option<PluginCache>,
    /// Where modules come from.
    pub(super) modules: ModuleOrigins,
    package_retry: RetryPolicy,
    expired_keys: ExpiredKeys,
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
        let named_tool = match args.tool {
            Some(tool) => Some(tool.into()),
            None => tool_of_environment(environment)?,
        };
        let tool = named_tool.unwrap_or_else(|| {
            detect_tool(&root_module.map_or_else(|| dir.clone(), |root| dir.join(root)))
        });
        let ca_files = args.ca_file.iter().map(|file| dir.join(file)).collect();
        let client_identity = client_identity(args, &dir);
        let cache_dir = cache_dir(args, environment, &dir, &started_in);
        Ok(Self {
            printer,
            environment,
            dir,
            tool,
            named_tool,
            jobs: args.jobs.map_or(DEFAULT_JOBS, NonZeroUsize::get),
            jobs_named: args.jobs.map(NonZeroUsize::get),
            network_use: if args.offline {
                NetworkUse::Offline
            } else {
                NetworkUse::Online
            },
            cache_dir,
            patience: Patience::from_environment(environment),
            ca_files,
            client_identity,
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
        self.cli_config_of(self.tool)
    }

    fn cli_config_of(&self, tool: Tool) -> CliConfig {
        CliConfig::load(
            tool,
            self.environment,
            home_dir(self.environment).as_deref(),
            &self.started_in,
        )
    }

    /// A client as the options and the environment ask for, for what needs no passwords.
    pub(super) fn http(&self) -> Result<Client, CommandError> {
        self.http_with(Vec::new())
    }

    fn http_with(&self, logins: Vec<Login>) -> Result<Client, CommandError> {
        self.check_proxies()?;
        Ok(Client::new(ClientOptions {
            ca_files: self.ca_files.clone(),
            client_identity: self.client_identity.clone(),
            logins,
            request_timeout: Some(self.patience.registry_timeout),
            stall_timeout: self.patience.stall_timeout,
            no_proxy: self.no_proxy(),
            ..ClientOptions::default()
        })?)
    }

    /// The HTTP library passes over a proxy that it does not understand, and the user would not know.
    fn check_proxies(&self) -> Result<(), CommandError> {
        let is_set = |name: &&&str| self.environment.non_empty(name).is_some();
        for name in environment::PROXIES.iter().filter(is_set) {
            let value = self.environment.non_empty(name).unwrap_or_default();
            if !is_proxy(value) {
                return Err(CommandError::Proxy { name });
            }
        }
        Ok(())
    }

    fn no_proxy(&self) -> NoProxy {
        let names = [environment::NO_PROXY, environment::NO_PROXY_LOWER_CASE];
        let mut set = names
            .into_iter()
            .filter_map(|name| self.environment.non_empty(name));
        NoProxy::parse(set.next().unwrap_or_default())
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

    /// Reads the CLI configuration, and builds the client and the source to take packages from.
    pub(super) fn network(&self, from: PackagesFrom<'_>) -> Result<Network, CommandError> {
        self.network_of(self.tool, from)
    }

    /// As [`Self::network`], for another tool than the one of `--chdir`.
    pub(super) fn network_of(
        &self,
        tool: Tool,
        from: PackagesFrom<'_>,
    ) -> Result<Network, CommandError> {
        let sources = self.package_sources_of(tool, from)?;
        Ok(Network {
            source: sources.source(from)?,
            dev_overrides: sources.dev_overrides(),
            plugin_cache: self.plugin_cache(&sources.config, tool),
            modules: self.module_origins(&sources),
            http: sources.http,
            package_retry: RetryPolicy::of(self.patience.package_retries),
            expired_keys: self.expired_keys(tool),
        })
    }

    /// What modules are installed with.
    fn module_origins(&self, sources: &PackageSources) -> ModuleOrigins {
        let ssh_command = self.environment.non_empty(environment::GIT_SSH_COMMAND);
        ModuleOrigins {
            registry: sources.module_registry(),
            getter: ModuleGetter {
                http: self.is_online().then(|| sources.http.clone()),
                retry: RetryPolicy::of(self.patience.package_retries),
                tool: sources.tool,
                limits: ModuleLimits::default(),
                git: GitProgram {
                    ssh_command: ssh_command.map(str::to_owned),
                },
            },
        }
    }

    /// Reads the CLI configuration and builds the client: all that sources are made of.
    pub(super) fn package_sources(
        &self,
        from: PackagesFrom<'_>,
    ) -> Result<PackageSources, CommandError> {
        self.package_sources_of(self.tool, from)
    }

    fn package_sources_of(
        &self,
        tool: Tool,
        from: PackagesFrom<'_>,
    ) -> Result<PackageSources, CommandError> {
        let config = self.cli_config_of(tool);
        for warning in &config.warnings {
            self.printer.warning(&warning.to_string());
        }
        for setting in &config.not_honoured {
            self.printer
                .warning(&format!("{setting} is not honoured yet"));
        }
        let http = self.http_with(self.logins(from))?;
        let places = CredentialsPlaces::of(self);
        let enforcement = match self
            .environment
            .get(environment::OPENTOFU_ENFORCE_GPG_VALIDATION)
        {
            Some("true") => Enforcement::Strict,
            Some(_) | None => Enforcement::Usual,
        };
        let (environment, started_in) = (self.environment, &self.started_in);
        Ok(PackageSources {
            credentials: Arc::new(places.credentials(self.environment, &config, &http)),
            http,
            retry: RetryPolicy::of(self.patience.registry_retries),
            tool,
            enforcement,
            network_use: self.network_use,
            dir: self.dir.clone(),
            implied_dirs: PackageSources::implied_dirs(&config, tool, environment, started_in),
            config,
        })
    }

    /// What a tool does about expired keys.
    pub(super) fn expired_keys(&self, tool: Tool) -> ExpiredKeys {
        let variable = environment::OPENTOFU_ENFORCE_GPG_EXPIRATION;
        ExpiredKeys::of(tool, self.environment.get(variable) == Some("true"))
    }

    /// The plugin cache; as with the tools, a relative path counts from `--chdir`.
    fn plugin_cache(&self, config: &CliConfig, tool: Tool) -> Option<PluginCache> {
        let unlocked = if config.plugin_cache_may_break_dependency_lock_file {
            UnlockedEntries::Accepted
        } else {
            UnlockedEntries::Refused
        };
        let dir = self.dir.join(config.plugin_cache_dir.as_ref()?);
        Some(PluginCache::new(&dir, tool, unlocked))
    }
}

impl Context<'_> {
    /// The logins of `.netrc`, which the installer of OpenTofu does not read (facts/providers 2.9).
    fn logins(&self, from: PackagesFrom<'_>) -> Vec<Login> {
        let is_mirroring = matches!(from, PackagesFrom::Registries | PackagesFrom::Mirror(..));
        if self.tool == Tool::Tofu && !is_mirroring {
            return Vec::new();
        }
        let entries = read_netrc(self.environment).unwrap_or_else(|error| {
            self.printer
                .warning(&format!("going on without passwords: {error}"));
            Vec::new()
        });
        let login = |entry: NetrcEntry| Login {
            place: entry.machine,
            name: entry.login,
            password: entry.password,
        };
        entries.into_iter().map(login).collect()
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
            expired_keys: self.expired_keys,
            cache,
            reporter,
            sizes: PackageSizes::default(),
        }
    }
}

/// Whether the HTTP library takes this for a proxy; without a scheme it is one that speaks http.
fn is_proxy(text: &str) -> bool {
    let text = if text.contains("://") {
        text.to_owned()
    } else {
        format!("http://{text}")
    };
    let known = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    let url = text.parse::<Url>().ok();
    url.is_some_and(|url| known.contains(&url.scheme()) && url.has_host())
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

/// The certificate to show and its key; the command line has both or none.
fn client_identity(args: &GlobalArgs, dir: &Path) -> Option<ClientIdentity> {
    Some(ClientIdentity {
        certificate: dir.join(args.client_cert.as_ref()?),
        key: dir.join(args.client_key.as_ref()?),
    })
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
