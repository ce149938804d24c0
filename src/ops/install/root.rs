//! `install` without addresses: what `init` does for the providers of a root module.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::address::{Platform, ProviderAddr};
use crate::config::RootModule;
use crate::ops::install::tree::install_roots;
use crate::ops::{Fetcher, InstallTreeRequest, Kinds, ModuleOrigins, OpError, Summary, TreeRoot};
use crate::source::Source;
use crate::store::PluginCache;

/// How the lock file binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockMode {
    /// Locked versions stay; what is not locked is chosen and locked.
    Keep,
    /// `--upgrade`: the newest versions that the constraints allow.
    Upgrade,
    /// `--locked`: nothing may be chosen anew and nothing is written.
    Locked,
}

/// What to install.
#[derive(Debug, Clone)]
pub struct InstallRootRequest {
    /// The root module; its tool decides how the lock file is written.
    pub root: RootModule,
    /// For which platform.
    pub platform: Platform,
    /// How the lock file binds.
    pub lock_mode: LockMode,
    /// Packages in flight at once.
    pub jobs: usize,
    /// What to install.
    pub kinds: Kinds,
    /// Providers under development, which are not installed, and the directories of their plugins.
    pub overridden: BTreeMap<ProviderAddr, PathBuf>,
    /// The tools' plugin cache, if the user has one.
    pub plugin_cache: Option<PluginCache>,
}

/// Installs every provider that the root module requires and writes its lock file; if any provider
/// fails, the lock file stays as it is (facts/providers 5.9).
///
/// # Errors
///
/// If the configuration or the lock file cannot be read, or the lock file does not fit under
/// `--locked`. Later failures are in the summary.
pub async fn install_root(
    source: &dyn Source,
    modules: &ModuleOrigins,
    fetcher: &Fetcher<'_>,
    request: &InstallRootRequest,
) -> Result<Summary, OpError> {
    let root = TreeRoot {
        name: None,
        module: request.root.clone(),
        source,
        modules,
        overridden: &request.overridden,
        plugin_cache: request.plugin_cache.as_ref(),
    };
    let tree = InstallTreeRequest {
        roots: vec![root],
        platform: request.platform.clone(),
        lock_mode: request.lock_mode,
        jobs: request.jobs,
        kinds: request.kinds,
    };
    let mut results = install_roots(fetcher, &tree).await.into_iter();
    results.next().unwrap_or_else(|| Ok(Summary::default()))
}
