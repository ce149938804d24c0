//! `install` without addresses: what `init` does for the providers of a root module.

use std::collections::BTreeMap;

use futures_util::StreamExt;
use futures_util::stream;

use crate::address::{Platform, ProviderAddr};
use crate::config::RootModule;
use crate::disk;
use crate::document::{Locks, PackageId, ProviderLock};
use crate::hash::PackageHash;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::install_one::{Installer, Order, Placed, Prior};
use crate::ops::lock_update::{hashes_after_install, hashes_after_link, necessary_changes};
use crate::ops::pipeline::{Prepared, Slot, heaviest_first};
use crate::ops::plugin_cache_use::link_usable;
use crate::ops::root_requirements::{adopted, read_lock_file, root_requirements};
use crate::ops::selection::no_matching_version;
use crate::ops::versions::tell_oddities;
use crate::ops::{
    Action, Fetcher, OpError, PackageFailure, PackageOutcome, RootRequirements, Summary,
};
use crate::source::Source;
use crate::store::{InstallStore, PluginCache};
use crate::version::{Prereleases, Version, VersionConstraints};

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
    /// The tools' plugin cache, if the user has one.
    pub plugin_cache: Option<PluginCache>,
}

/// Installs every provider that the root module requires and writes its lock file; if any provider
/// fails, the lock file stays as it is (facts/providers 5.9).
///
/// # Errors
///
/// If the configuration or the lock file cannot be read, the lock file does not fit under
/// `--locked`, or cannot be written. Failures of single providers are in the summary.
pub async fn install_root(
    source: &dyn Source,
    fetcher: &Fetcher<'_>,
    request: &InstallRootRequest,
) -> Result<Summary, OpError> {
    let root = root_requirements(&request.root, fetcher.reporter)?;
    let on_disk = read_lock_file(&root.lock_path, request.root.tool, fetcher.reporter)?;
    let old = adopted(on_disk.clone(), request.root.tool, fetcher.reporter);
    let store = InstallStore::new(request.root.data_dir.join("providers"));
    let run = Run {
        source,
        fetcher,
        request,
        root,
        on_disk,
        old,
        store,
    };
    if request.lock_mode == LockMode::Locked {
        run.refuse_changes()?;
    }
    let (selections, mut summary) = run.select().await;
    if !summary.failures.is_empty() {
        return Ok(summary);
    }
    let mut new = run.retained_locks();
    for (outcome, lock) in run.install_all(&selections).await {
        if let Some(lock) = lock {
            new.providers.insert(outcome.id.addr.clone(), lock);
        }
        summary.packages.push(outcome);
    }
    summary.sort();
    if summary.exit_code().is_none() {
        run.write(&new).await?;
    }
    Ok(summary)
}

type Selections = BTreeMap<ProviderAddr, Version>;

/// What became of a package, and its lock if it is in place.
type Installed = (PackageOutcome, Option<ProviderLock>);

struct Run<'a> {
    source: &'a dyn Source,
    fetcher: &'a Fetcher<'a>,
    request: &'a InstallRootRequest,
    root: RootRequirements,
    /// The lock file as it is.
    on_disk: Locks,
    /// The locks to go by: those of the file, and those taken over from Terraform.
    old: Locks,
    store: InstallStore,
}

impl Run<'_> {
    /// Chooses a version of each required provider.
    async fn select(&self) -> (Selections, Summary) {
        let mut selections = Selections::new();
        let mut summary = Summary::default();
        let chosen =
            stream::iter(&self.root.requirements)
                .map(|(addr, constraints)| async move {
                    (addr, self.select_one(addr, constraints).await)
                })
                .buffered(self.request.jobs)
                .collect::<Vec<_>>()
                .await;
        for (addr, version) in chosen {
            match version {
                Ok(version) => {
                    selections.insert(addr.clone(), version);
                }
                Err(error) => summary.failures.push(error),
            }
        }
        (selections, summary)
    }

    async fn select_one(
        &self,
        addr: &ProviderAddr,
        constraints: &VersionConstraints,
    ) -> Result<Version, OpError> {
        let locked = self.old.providers.get(addr).map(|lock| &lock.version);
        if let Some(locked) = locked.filter(|_| self.request.lock_mode != LockMode::Upgrade) {
            if constraints.allows(locked, Prereleases::ExactOnly) {
                return Ok(locked.clone());
            }
            return Err(OpError::LockedVersion {
                addr: addr.clone(),
                locked: locked.clone(),
                constraints: constraints.clone(),
            });
        }
        let answer = self.source.available_versions(addr).await;
        let answer = answer.map_err(|source| OpError::Versions {
            addr: addr.clone(),
            source,
        })?;
        tell_oddities(addr, &answer, self.fetcher.reporter);
        let offered = answer.versions.iter().map(|offer| &offer.version);
        let selected = constraints.select(offered).cloned();
        selected.ok_or_else(|| no_matching_version(addr, constraints, &answer))
    }

    /// Under `--locked` the lock file alone selects, so nobody has to be asked to see that it does
    /// not fit.
    fn refuse_changes(&self) -> Result<(), OpError> {
        let changes = necessary_changes(&self.on_disk, &self.root);
        if changes.is_empty() {
            return Ok(());
        }
        Err(OpError::LockDiffers {
            path: self.root.lock_path.clone(),
            changes,
        })
    }

    /// Locks that stay whatever is installed: those of unread modules, which may still be required.
    fn retained_locks(&self) -> Locks {
        if self.root.is_complete {
            Locks::default()
        } else {
            self.old.clone()
        }
    }

    async fn install_all(&self, selections: &Selections) -> Vec<Installed> {
        self.fetcher.reporter.planned(selections.len());
        let ids = selections.iter().map(|(addr, version)| PackageId {
            addr: addr.clone(),
            version: version.clone(),
            platform: self.request.platform.clone(),
        });
        let prepare = |id| self.prepare(id);
        let work = |order, slot| self.install_one(order, slot);
        heaviest_first(ids, self.request.jobs, prepare, work).await
    }

    async fn prepare(&self, id: PackageId) -> Prepared<Order, Installed> {
        match self.at_hand(&id).await {
            Ok(Some(installed)) => return Prepared::Done(installed),
            Ok(None) => {}
            Err(failure) => return Prepared::Done(self.failed(id, failure)),
        }
        match self.installer().prepare(id.clone(), self.prior(&id)).await {
            Ok(order) => Prepared::Work {
                weight: order
                    .meta
                    .as_ref()
                    .map_or(0, |meta| self.fetcher.weight(meta)),
                work: order,
            },
            Err(failure) => Prepared::Done(self.failed(id, failure)),
        }
    }

    /// The package if it is installed already, or the tools' plugin cache has it.
    async fn at_hand(&self, id: &PackageId) -> Result<Option<Installed>, PackageFailure> {
        let lock = self.prior_lock(id);
        if self.is_installed(id, lock).await? {
            let outcome = PackageOutcome::done(id.clone(), Action::Kept, None, None);
            return Ok(Some(self.finished(outcome, lock.cloned())));
        }
        let plugin_cache = self.request.plugin_cache.as_ref();
        let (prior, reporter) = (self.prior(id), self.fetcher.reporter);
        let linked = link_usable(plugin_cache, &self.store, id, prior, reporter).await?;
        Ok(linked.map(|linked| {
            let hashes = hashes_after_link(self.prior_hashes(id), linked.h1);
            let outcome = PackageOutcome::done(id.clone(), Action::Installed, linked.verdict, None);
            self.finished(outcome, Some(self.lock(id, hashes)))
        }))
    }

    async fn install_one(&self, order: Order, slot: Slot) -> Installed {
        let id = order.id.clone();
        let prior = self.prior(&id);
        match self.installer().install(order, prior, &slot).await {
            Ok(placed) => {
                let outcome = PackageOutcome::done(
                    id.clone(),
                    Action::Installed,
                    Some(placed.package.verdict().clone()),
                    Some(placed.package.size()),
                );
                self.finished(outcome, Some(self.lock_of(&id, placed)))
            }
            Err(failure) => self.failed(id, failure),
        }
    }

    fn installer(&self) -> Installer<'_> {
        Installer {
            source: self.source,
            fetcher: self.fetcher,
            store: &self.store,
            plugin_cache: self.request.plugin_cache.as_ref(),
        }
    }

    /// The lock of the same version.
    fn prior_lock(&self, id: &PackageId) -> Option<&ProviderLock> {
        let lock = self.old.providers.get(&id.addr);
        lock.filter(|lock| lock.version == id.version)
    }

    fn prior_hashes(&self, id: &PackageId) -> &[PackageHash] {
        let lock = self.prior_lock(id);
        lock.map(|lock| lock.hashes.as_slice()).unwrap_or_default()
    }

    fn prior(&self, id: &PackageId) -> Prior<'_> {
        let hashes = self.prior_hashes(id);
        match (self.request.lock_mode, self.prior_lock(id)) {
            (LockMode::Locked, _) => Prior::Required(hashes),
            (_, Some(_)) => Prior::Locked(hashes),
            (_, None) => Prior::Free,
        }
    }

    fn lock_of(&self, id: &PackageId, placed: Placed) -> ProviderLock {
        let hashes = hashes_after_install(
            self.request.root.tool,
            self.prior_hashes(id),
            placed.h1,
            &placed.published,
            &placed.package,
        );
        self.lock(id, hashes)
    }

    fn lock(&self, id: &PackageId, hashes: Vec<PackageHash>) -> ProviderLock {
        let requirements = &self.root.requirements;
        ProviderLock {
            version: id.version.clone(),
            constraints: requirements.get(&id.addr).cloned().unwrap_or_default(),
            hashes,
        }
    }

    fn failed(&self, id: PackageId, failure: PackageFailure) -> Installed {
        self.finished(PackageOutcome::failed("install", id, failure), None)
    }

    fn finished(&self, outcome: PackageOutcome, lock: Option<ProviderLock>) -> Installed {
        self.fetcher.reporter.finished(&outcome);
        (outcome, lock)
    }

    /// Whether the very files that the lock file means are in place.
    async fn is_installed(
        &self,
        id: &PackageId,
        prior: Option<&ProviderLock>,
    ) -> Result<bool, PackageFailure> {
        let Some(prior) = prior else {
            return Ok(false);
        };
        let (store, id) = (self.store.clone(), id.clone());
        let cache = self.fetcher.cache.cloned();
        let hash = on_blocking_pool(move || {
            let known = cache.and_then(|cache| cache.h1_of_installed(&id, &store.dir(&id)));
            // An unreadable or broken directory is installed anew, as if it were absent.
            known.or_else(|| store.hash(&id).unwrap_or(None))
        })
        .await;
        Ok(hash.is_some_and(|hash| prior.hashes.contains(&hash)))
    }

    async fn write(&self, new: &Locks) -> Result<(), OpError> {
        if self.request.lock_mode == LockMode::Locked || !self.on_disk.is_outdated_by(new) {
            return Ok(());
        }
        let (path, text) = (
            self.root.lock_path.clone(),
            new.render(self.request.root.tool),
        );
        on_blocking_pool(move || disk::write_atomically(&path, text.as_bytes())).await?;
        Ok(())
    }
}
