//! One root module on its way to be installed: what it requires, what is locked, where its packages go.

use std::collections::BTreeSet;

use crate::address::{Platform, ProviderAddr, Tool};
use crate::disk;
use crate::document::{Locks, PackageId, ProviderLock};
use crate::hash::PackageHash;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache::plugins::link_usable;
use crate::ops::install::one::{Installer, Order, Placed};
use crate::ops::install::prior::Prior;
use crate::ops::install::tree_selection::{Question, locked_version};
use crate::ops::lock::update::{hashes_after_install, hashes_after_link, necessary_changes};
use crate::ops::modules::install::InstalledModules;
use crate::ops::packages::obtain::Obtainer;
use crate::ops::packages::pipeline::Slot;
use crate::ops::root_requirements::{
    Completeness, adopted, read_lock_file, requirements_of_tree, root_requirements,
};
use crate::ops::{
    Action, Fetcher, InstallTreeRequest, Kinds, LockMode, ModuleOutcome, OpError, PackageFailure,
    PackageOutcome, Reporter, RootRequirements, TreeRoot,
};
use crate::store::{InstallStore, PackageCache};
use crate::version::Version;

/// A root module whose configuration and lock file were read.
pub(in crate::ops) struct RootRun<'a> {
    root: &'a TreeRoot<'a>,
    platform: &'a Platform,
    lock_mode: LockMode,
    kinds: Kinds,
    required: RootRequirements,
    /// What became of the modules.
    modules: Vec<ModuleOutcome>,
    /// Required providers that are under development.
    overridden: BTreeSet<ProviderAddr>,
    /// The lock file as it is.
    on_disk: Locks,
    /// The locks to go by: those of the file, and those taken over from Terraform.
    old: Locks,
    store: InstallStore,
}

/// A package of a root module and how it is locked from now on.
pub(in crate::ops) type Done = (PackageOutcome, ProviderLock);

impl<'a> RootRun<'a> {
    /// Reads what `root` requires and what is locked; `modules` are those that were installed for it.
    ///
    /// # Errors
    ///
    /// If configuration, state or lock file cannot be read, or the lock file does not fit under
    /// `--locked`.
    pub(in crate::ops) fn prepare(
        root: &'a TreeRoot<'a>,
        request: &'a InstallTreeRequest<'_>,
        modules: Option<InstalledModules>,
        reporter: &dyn Reporter,
    ) -> Result<Self, OpError> {
        let module = &root.module;
        let (mut required, modules) = match modules {
            None => (root_requirements(module, reporter)?, Vec::new()),
            Some(InstalledModules { walk, outcomes }) => {
                let has_failed = outcomes.iter().any(|outcome| outcome.error.is_some());
                let completeness = if has_failed {
                    Completeness::ModulesMissing
                } else {
                    Completeness::Whole
                };
                let required = requirements_of_tree(walk, completeness, module, reporter)?;
                (required, outcomes)
            }
        };
        if request.kinds == Kinds::Modules {
            required.requirements.clear();
            required.is_complete = false;
        }
        let overridden = leave_out_overridden(&mut required, root, reporter);
        let on_disk = read_lock_file(&required.lock_path, module.tool, reporter)?;
        let run = Self {
            root,
            platform: &request.platform,
            lock_mode: request.lock_mode,
            kinds: request.kinds,
            old: adopted(on_disk.clone(), module.tool, reporter),
            store: InstallStore::new(module.data_dir.join("providers")),
            required,
            modules,
            overridden,
            on_disk,
        };
        if run.lock_mode == LockMode::Locked {
            run.refuse_changes()?;
        }
        Ok(run)
    }

    /// Under `--locked` the lock file alone selects, so nobody has to be asked to see that it does
    /// not fit.
    fn refuse_changes(&self) -> Result<(), OpError> {
        let mut on_disk = self.on_disk.clone();
        let is_overridden = |addr: &ProviderAddr| self.overridden.contains(addr);
        on_disk.providers.retain(|addr, _| !is_overridden(addr));
        let changes = necessary_changes(&on_disk, &self.required);
        if changes.is_empty() {
            return Ok(());
        }
        Err(OpError::LockDiffers {
            path: self.required.lock_path.clone(),
            changes,
        })
    }

    pub(in crate::ops) fn root(&self) -> &'a TreeRoot<'a> {
        self.root
    }

    /// What became of the modules, taken out.
    pub(in crate::ops) fn take_modules(&mut self) -> Vec<ModuleOutcome> {
        std::mem::take(&mut self.modules)
    }

    pub(in crate::ops) fn tool(&self) -> Tool {
        self.root.module.tool
    }

    /// The versions to find out; `number` is that of this root module.
    pub(in crate::ops) fn questions(&self, number: usize) -> impl Iterator<Item = Question<'_>> {
        let requirements = self.required.requirements.iter();
        requirements.map(move |(addr, constraints)| {
            let locked = self.old.providers.get(addr).map(|lock| &lock.version);
            let locked = locked.filter(|_| self.lock_mode != LockMode::Upgrade);
            Question {
                number,
                tool: self.tool(),
                source: self.root.source,
                addr,
                constraints,
                locked: locked_version(addr, constraints, locked),
            }
        })
    }

    /// The package of a selected version.
    pub(in crate::ops) fn package(&self, addr: &ProviderAddr, version: Version) -> PackageId {
        PackageId {
            addr: addr.clone(),
            version,
            platform: self.platform.clone(),
        }
    }

    /// Locks that stay whatever is installed: those of providers under development, and those of unread
    /// modules, which may still be required.
    pub(in crate::ops) fn retained_locks(&self) -> Locks {
        let mut retained = self.old.clone();
        if self.required.is_complete {
            let is_overridden = |addr: &ProviderAddr| self.overridden.contains(addr);
            retained.providers.retain(|addr, _| is_overridden(addr));
        }
        retained
    }

    /// The package, if the very files that the lock file means are in place, or the tools' plugin cache
    /// has them.
    ///
    /// # Errors
    ///
    /// If the place cannot be written.
    pub(in crate::ops) async fn at_hand(
        &self,
        id: &PackageId,
        fetcher: &Fetcher<'_>,
    ) -> Result<Option<Done>, PackageFailure> {
        if let Some(lock) = self.kept_lock(id, fetcher.cache).await {
            let outcome = PackageOutcome::done(id.clone(), Action::Kept, None, None);
            return Ok(Some((outcome, lock)));
        }
        let (cache, prior) = (self.root.plugin_cache, self.prior(id));
        let linked = link_usable(cache, &self.store, id, prior, fetcher.reporter).await?;
        Ok(linked.map(|linked| {
            let hashes = hashes_after_link(self.prior_hashes(id), linked.h1);
            let outcome = PackageOutcome::done(id.clone(), Action::Installed, linked.verdict, None);
            (outcome, self.lock(id, hashes))
        }))
    }

    /// The lock of a package whose files are in place.
    async fn kept_lock(
        &self,
        id: &PackageId,
        cache: Option<&PackageCache>,
    ) -> Option<ProviderLock> {
        let prior = self.prior_lock(id)?;
        let (store, wanted, cache) = (self.store.clone(), id.clone(), cache.cloned());
        let hash = on_blocking_pool(move || {
            let known = cache.and_then(|it| it.h1_of_installed(&wanted, &store.dir(&wanted)));
            // An unreadable or broken directory is installed anew, as if it were absent.
            known.or_else(|| store.hash(&wanted).unwrap_or(None))
        })
        .await?;
        prior.hashes.contains(&hash).then(|| prior.clone())
    }

    /// Asks for what has to be known to install a package.
    ///
    /// # Errors
    ///
    /// If the source does not offer it.
    pub(in crate::ops) async fn order(
        &self,
        fetcher: &Fetcher<'_>,
        id: &PackageId,
    ) -> Result<Order, PackageFailure> {
        let installer = self.installer(fetcher);
        installer.prepare(id.clone(), self.prior(id)).await
    }

    /// Installs a package, replacing what stands in its place.
    ///
    /// # Errors
    ///
    /// If it cannot be fetched, proved or placed, or does not fit the lock file.
    pub(in crate::ops) async fn install(
        &self,
        fetcher: &Fetcher<'_>,
        order: Order,
        slot: &Slot,
    ) -> Result<Done, PackageFailure> {
        let id = order.id.clone();
        let installer = self.installer(fetcher);
        let placed = installer.install(order, self.prior(&id), slot).await?;
        Ok(self.done(id, placed))
    }

    /// Installs a package if lock file and cache prove it, so that nobody has to be asked.
    ///
    /// # Errors
    ///
    /// If it cannot be placed.
    pub(in crate::ops) async fn install_recalled(
        &self,
        fetcher: &Fetcher<'_>,
        id: &PackageId,
    ) -> Result<Option<Done>, PackageFailure> {
        let installer = self.installer(fetcher);
        let placed = installer.install_recalled(id, self.prior(id)).await?;
        Ok(placed.map(|placed| self.done(id.clone(), placed)))
    }

    fn installer<'i>(&'i self, fetcher: &'i Fetcher<'i>) -> Installer<'i> {
        Installer {
            obtainer: Obtainer {
                source: self.root.source,
                fetcher,
            },
            store: &self.store,
            plugin_cache: self.root.plugin_cache,
        }
    }

    /// The lock of the same version.
    fn prior_lock(&self, id: &PackageId) -> Option<&ProviderLock> {
        let lock = self.old.providers.get(&id.addr);
        lock.filter(|lock| lock.version == id.version)
    }

    fn prior_hashes(&self, id: &PackageId) -> &[PackageHash] {
        self.prior_lock(id).map_or(&[], |lock| &lock.hashes)
    }

    fn prior(&self, id: &PackageId) -> Prior<'_> {
        let hashes = self.prior_hashes(id);
        match (self.lock_mode, self.prior_lock(id)) {
            (LockMode::Locked, _) => Prior::Required(hashes),
            (LockMode::Keep | LockMode::Upgrade, Some(_)) => Prior::Locked(hashes),
            (LockMode::Keep | LockMode::Upgrade, None) => Prior::Free,
        }
    }

    fn done(&self, id: PackageId, placed: Placed) -> Done {
        let hashes = hashes_after_install(
            self.tool(),
            self.prior_hashes(&id),
            placed.h1,
            &placed.published,
            &placed.archive_hashes,
        );
        let lock = self.lock(&id, hashes);
        let (verdict, size) = (Some(placed.verdict), placed.size);
        let outcome = PackageOutcome::done(id, Action::Installed, verdict, size);
        (outcome, lock)
    }

    fn lock(&self, id: &PackageId, hashes: Vec<PackageHash>) -> ProviderLock {
        let constraints = self.required.requirements.get(&id.addr);
        ProviderLock {
            version: id.version.clone(),
            constraints: constraints.cloned().unwrap_or_default(),
            hashes,
        }
    }

    /// Writes the lock file, if it has to change.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(in crate::ops) async fn write(&self, new: &Locks) -> Result<(), OpError> {
        let is_left_alone = self.lock_mode == LockMode::Locked || self.kinds == Kinds::Modules;
        if is_left_alone || !self.on_disk.is_outdated_by(new) {
            return Ok(());
        }
        let (path, text) = (self.required.lock_path.clone(), new.render(self.tool()));
        on_blocking_pool(move || disk::write_atomically(&path, text.as_bytes())).await?;
        Ok(())
    }
}

/// Takes providers under development out of what is to be installed (facts/providers 9.6), and says so.
fn leave_out_overridden(
    required: &mut RootRequirements,
    root: &TreeRoot<'_>,
    reporter: &dyn Reporter,
) -> BTreeSet<ProviderAddr> {
    let mut overridden = BTreeSet::new();
    for (addr, dir) in root.overridden {
        if required.requirements.remove(addr).is_some() {
            reporter.warning(&format!(
                "`{addr}` is not installed: `dev_overrides` of the CLI configuration take it from `{}`",
                dir.display()
            ));
            overridden.insert(addr.clone());
        }
    }
    overridden
}
