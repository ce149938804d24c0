//! `--fix` of `provender verify`: what is needed to fetch and to install.

use std::collections::BTreeSet;
use std::path::Path;

use crate::address::Platform;
use crate::commands::KeyArgs;
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::package_sources::PackagesFrom;
use crate::commands::roots::networks;
use crate::config::{RootModule, temp_dir};
use crate::document::{LOCK_FILE_NAME, MODULE_LOCK_NAME};
use crate::ops::module_mirror::{MirrorModulesRequest, fix_modules};
use crate::ops::{
    Finding, FindingKind, FixMirrorRequest, InstallTreeRequest, Kinds, LockMode, MissingPackages,
    OpError, Remedy, SignaturePolicy, Summary, TreeRoot, Verification, fix_mirror, install_tree,
    make_executable,
};
use crate::store::MirrorStore;
use crate::ui::ProgressReporter;

/// What mending works with.
pub(super) struct Fixing<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) keys: KeyArgs,
    pub(super) reporter: &'a ProgressReporter,
}

impl Fixing<'_> {
    /// Mends a mirror directory.
    pub(super) async fn mirror(
        &self,
        root: &Path,
        missing: MissingPackages,
        found: &Verification,
    ) -> Result<Vec<OpError>, CommandError> {
        let network = self.context.network(PackagesFrom::Registries)?;
        let cache = self.context.cache_to_read();
        let policy = SignaturePolicy::AsTheSourceRequires;
        let fetcher = network.fetcher(self.reporter, policy, cache.as_ref());
        let fetcher = self.keys.applied(fetcher);
        let request = FixMirrorRequest {
            store: MirrorStore::new(root),
            missing,
            tool: self.context.tool,
            jobs: self.context.jobs,
        };
        let mut failures = fix_mirror(&*network.source, &fetcher, &request, found).await;
        let temporary = temp_dir(self.context.environment);
        let of_modules =
            MirrorModulesRequest::of_nothing(self.context.tool, self.context.jobs, temporary);
        let (origins, store) = (&network.modules, &request.store);
        failures.extend(fix_modules(origins, store, self.reporter, &of_modules, found).await);
        Ok(failures)
    }

    /// Installs anew what the lock files of root modules say, as far as something was found; they stay as they are. Plugins
    /// that may not be executed get that right in their places.
    pub(super) async fn install(
        &self,
        modules: &[(Option<String>, RootModule)],
        platforms: &BTreeSet<Platform>,
        found: &Verification,
    ) -> Result<Vec<OpError>, CommandError> {
        let is_to_install = |finding: &Finding| {
            finding.kind != FindingKind::NotExecutable && finding.remedy() == Remedy::Mend
        };
        let is_found = |of_modules: bool| {
            let mut to_install = found.findings.iter().filter(|it| is_to_install(it));
            to_install.any(|it| it.subject.module.is_some() == of_modules)
        };
        let mut failures = make_executable(found);
        if is_found(true) {
            // What is not locked is told as such, and is no reason to leave the rest; one platform will do.
            let one = platforms.iter().take(1).cloned().collect();
            let mode = LockMode::Keep;
            failures.extend(
                self.install_kind(modules, &one, Kinds::Modules, mode)
                    .await?,
            );
        }
        if is_found(false) {
            let mode = LockMode::Locked;
            let installed = self.install_kind(modules, platforms, Kinds::Providers, mode);
            failures.extend(installed.await?);
        }
        Ok(failures)
    }

    async fn install_kind(
        &self,
        modules: &[(Option<String>, RootModule)],
        platforms: &BTreeSet<Platform>,
        kinds: Kinds,
        lock_mode: LockMode,
    ) -> Result<Vec<OpError>, CommandError> {
        let mut failures = Vec::new();
        let tools = modules.iter().map(|(_, module)| module.tool);
        let networks = networks(self.context, tools, PackagesFrom::Methods)?;
        let cache = self.context.cache_to_fill();
        for platform in platforms {
            let lock = match kinds {
                Kinds::Modules => MODULE_LOCK_NAME,
                Kinds::All | Kinds::Providers => LOCK_FILE_NAME,
            };
            let locked = modules
                .iter()
                .filter(|(_, module)| module.dir.join(lock).is_file());
            let roots = locked.filter_map(|(name, module)| {
                let network = networks.get(&module.tool)?;
                Some(TreeRoot {
                    name: name.clone(),
                    module: module.clone(),
                    source: &*network.source,
                    modules: &network.modules,
                    overridden: &network.dev_overrides,
                    plugin_cache: network.plugin_cache.as_ref(),
                })
            });
            let request = InstallTreeRequest {
                roots: roots.collect(),
                platform: platform.clone(),
                lock_mode,
                jobs: self.context.jobs,
                kinds,
            };
            let Some(network) = networks.values().next() else {
                continue;
            };
            let policy = SignaturePolicy::AsTheSourceRequires;
            let fetcher = network.fetcher(self.reporter, policy, cache.as_ref());
            let tree = install_tree(&self.keys.applied(fetcher), &request).await;
            failures.extend(tree.roots.into_iter().flat_map(|root| errors(root.summary)));
        }
        Ok(failures)
    }
}

fn errors(summary: Summary) -> Vec<OpError> {
    let of_packages = summary.packages.into_iter().filter_map(|it| it.error);
    let of_modules = summary.modules.into_iter().filter_map(|it| it.error);
    of_packages
        .chain(of_modules)
        .chain(summary.failures)
        .collect()
}
