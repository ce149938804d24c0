//! `lock`, the part for modules: what each call that is not local leads to, into the module lock.
//!
//! What is locked for a call stays as long as the call asks for it, and `--upgrade` resolves anew. What a package holds has
//! to be known all the same, as it may call further modules and require providers: it is read where it is installed, if
//! those are the locked files, else it is put into a temporary directory, from the cache or fetched, and compared. Each
//! package is fetched once for all root modules. A module that cannot be had fails by itself: the module lock then stays
//! as it is, and the providers of the others are locked. Where a source is dynamic, or there is no network, what is locked
//! of a call and below it stays.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use futures_util::StreamExt;
use futures_util::stream;
use tokio::sync::OnceCell;

use crate::address::Tool;
use crate::config::{ModuleFailure, ModuleWalk, OpenCall};
use crate::disk::TempDir;
use crate::document::{
    LockedModule, MODULE_LOCK_NAME, ModuleLock, ModulesManifest, PackageIdentity,
};
use crate::hash::PackageHash;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::lock::module_changes::{changes, numbered};
use crate::ops::lock::site::{Settled, settle};
use crate::ops::lock::tree::{LockEffect, LockTreeRequest, LockedVersions, VERB};
use crate::ops::modules::binding::{locked_for, read_module_lock, tells_package};
use crate::ops::modules::install::start_walk;
use crate::ops::modules::mismatch::{Received, check_directory, check_received};
use crate::ops::modules::origins::Resolved;
use crate::ops::modules::packages::{ModulePackages, PackageOrigin, Use, module_dir};
use crate::ops::modules::place::ModulesPlace;
use crate::ops::root_requirements::Completeness;
use crate::ops::{
    Action, Fetcher, Kinds, ModuleInstallError, ModuleOrigins, ModuleOutcome, OpError, Reporter,
    SourcedRoot,
};
use crate::package::h1_of_module;

/// Locks modules of the root modules of a run.
pub(in crate::ops) struct ModuleLocker<'l> {
    versions: LockedVersions,
    effect: LockEffect,
    kinds: Kinds,
    jobs: usize,
    /// Of the origins of each tool.
    packages: Vec<ModulePackages<'l>>,
    /// Where the directory of packages is made once it is needed.
    temporary: &'l Path,
    dir: OnceCell<TempDir>,
    /// How many packages were asked for.
    count: AtomicUsize,
    /// By directory.
    hashes: Mutex<BTreeMap<PathBuf, PackageHash>>,
    reporter: &'l dyn Reporter,
}

/// The modules of a root module, as far as they could be had.
pub(in crate::ops) struct LockedTree {
    pub(in crate::ops) walk: ModuleWalk,
    pub(in crate::ops) completeness: Completeness,
    /// One entry for each call that is not local.
    pub(in crate::ops) outcomes: Vec<ModuleOutcome>,
    /// Why the module lock could not be written, or that it would change.
    pub(in crate::ops) failure: Option<OpError>,
    /// Whether the module lock was written, 0 or 1, where no module tells it.
    pub(in crate::ops) lock_files: usize,
}

/// A call and what is locked for it.
struct Wanted<'o> {
    call: OpenCall,
    locked: Option<&'o LockedModule>,
}

/// What is known of a call.
enum Found {
    /// Its module's directory, as the walk takes it, its package, and what is locked from now on.
    Read(String, PathBuf, LockedModule),
    /// It stays locked, but its files are not at hand.
    Unread(LockedModule),
    Failed(ModuleInstallError),
}

impl<'l> ModuleLocker<'l> {
    pub(in crate::ops) fn new(request: &'l LockTreeRequest<'_>, fetcher: &'l Fetcher<'_>) -> Self {
        // Who names providers wants these alone.
        let kinds = if request.only.is_empty() {
            request.kinds
        } else {
            Kinds::Providers
        };
        let mut packages: Vec<ModulePackages<'l>> = Vec::new();
        for root in &request.roots {
            if packages_of(&packages, root.modules).is_none() {
                let (cache, reporter) = (fetcher.cache, fetcher.reporter);
                packages.push(ModulePackages::new(root.modules, cache, reporter));
            }
        }
        Self {
            versions: request.versions,
            effect: request.effect,
            kinds,
            jobs: request.jobs,
            packages,
            temporary: &request.temporary,
            dir: OnceCell::new(),
            count: AtomicUsize::new(0),
            hashes: Mutex::default(),
            reporter: fetcher.reporter,
        }
    }

    /// Locks the modules of `root`; `None` if only providers are wanted.
    ///
    /// # Errors
    ///
    /// If the configuration, the record of modules or the module lock cannot be read.
    pub(in crate::ops) async fn lock(
        &self,
        root: &SourcedRoot<'_>,
    ) -> Result<Option<LockedTree>, OpError> {
        let Some(packages) = packages_of(&self.packages, root.modules) else {
            return Ok(None);
        };
        if self.kinds == Kinds::Providers {
            return Ok(None);
        }
        let module = &root.module;
        let old = read_module_lock(&module.dir)?;
        let site = Site {
            locker: self,
            packages,
            tool: module.tool,
            place: ModulesPlace::of(module),
            manifest: ModulesPlace::of(module).read(module.tool)?,
            old: old.clone().unwrap_or_default(),
        };
        let walk = start_walk(module, self.reporter)?;
        let (mut tree, mut new) = site.walk(walk).await;
        let is_dynamic = |failure: &ModuleFailure| failure.problem.is_dynamic();
        let is_whole = tree.outcomes.iter().all(|it| it.error.is_none())
            && tree.walk.failures.iter().all(is_dynamic);
        if is_whole {
            site.keep_dynamic(&mut tree, &mut new);
            site.remove_uncalled(&mut tree, &new);
        }
        tree.outcomes.sort_by(|a, b| a.key.cmp(&b.key));
        let is_needed = old.is_some() || !new.calls.is_empty();
        if is_whole && is_needed {
            let path = module.dir.join(MODULE_LOCK_NAME);
            let old = old.unwrap_or_default();
            match self.settle(path, &old, &new).await {
                Ok(settled) => {
                    let is_told = tree.outcomes.iter().any(|it| it.action != Action::Kept);
                    let is_written = settled == Settled::Written;
                    tree.lock_files = usize::from(is_written && !is_told);
                }
                Err(error) => tree.failure = Some(error),
            }
        }
        Ok(Some(tree))
    }

    /// Writes the module lock or compares it.
    async fn settle(
        &self,
        path: PathBuf,
        old: &ModuleLock,
        new: &ModuleLock,
    ) -> Result<Settled, OpError> {
        let (file, text, effect) = (path.clone(), new.render(), self.effect);
        match on_blocking_pool(move || settle(&file, &text, effect)).await? {
            settled @ (Settled::Same | Settled::Written) => Ok(settled),
            Settled::Differs => Err(OpError::ModuleLockDiffers {
                verb: VERB,
                path,
                changes: changes(old, new),
            }),
        }
    }

    /// The package and the hash of its files, wherever they are: the `locked` one if that can be had.
    async fn package(
        &self,
        packages: &ModulePackages<'_>,
        origin: &PackageOrigin,
        locked: Option<&LockedModule>,
    ) -> Result<(Use, PackageHash), ModuleInstallError> {
        let beside = self.temporary.join("modules");
        let make = || on_blocking_pool(move || TempDir::create_beside(&beside));
        let dir = self.dir.get_or_try_init(make).await?;
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let target = dir.path().join(number.to_string());
        let package = packages.obtain(origin, &target, locked).await?;
        if let Some(hash) = self.known_hash(&package.dir) {
            return Ok((package, hash));
        }
        let files = package.dir.clone();
        let hash = on_blocking_pool(move || h1_of_module(&files)).await?;
        let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.insert(package.dir.clone(), hash.clone());
        Ok((package, hash))
    }

    fn known_hash(&self, dir: &Path) -> Option<PackageHash> {
        let hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.get(dir).cloned()
    }
}

/// Those that come from the same origins.
fn packages_of<'p, 'l>(
    packages: &'p [ModulePackages<'l>],
    origins: &ModuleOrigins,
) -> Option<&'p ModulePackages<'l>> {
    packages
        .iter()
        .find(|it| std::ptr::eq(it.origins(), origins))
}

/// A root module whose modules are locked.
struct Site<'s, 'l> {
    locker: &'s ModuleLocker<'l>,
    packages: &'s ModulePackages<'l>,
    tool: Tool,
    place: ModulesPlace,
    manifest: ModulesManifest,
    old: ModuleLock,
}

impl Site<'_, '_> {
    /// Follows all calls; the tree, and what is locked from now on.
    async fn walk(&self, mut walk: ModuleWalk) -> (LockedTree, ModuleLock) {
        let (mut new, mut outcomes) = (ModuleLock::default(), Vec::new());
        let mut completeness = Completeness::Whole;
        loop {
            let open = walk.advance();
            if open.is_empty() {
                break;
            }
            for (call, found) in self.find_all(open).await {
                let key = call.key.clone();
                match found {
                    Found::Read(dir, package, locked) => {
                        walk.place_in(&key, package, dir, locked.version.clone());
                        outcomes.push(self.locked(&call, &locked));
                        new.calls.insert(key, locked);
                    }
                    Found::Unread(locked) => {
                        walk.give_up(&key);
                        completeness = Completeness::ModulesMissing;
                        self.tell_unread(&call);
                        outcomes.push(self.locked(&call, &locked));
                        outcomes.extend(self.keep_below(&key, &mut new));
                        new.calls.insert(key, locked);
                    }
                    Found::Failed(error) => {
                        walk.give_up(&key);
                        completeness = Completeness::ModulesMissing;
                        outcomes.push(failed(&call, error));
                    }
                }
            }
        }
        let tree = LockedTree {
            walk,
            completeness,
            outcomes,
            failure: None,
            lock_files: 0,
        };
        (tree, new)
    }

    fn tell_unread(&self, call: &OpenCall) {
        let (key, source, place) = (&call.key, call.source.shown(), &call.place);
        let providers = match self.locker.kinds {
            Kinds::Modules => "",
            Kinds::All | Kinds::Providers => ", and providers that only it requires are left out",
        };
        self.locker.reporter.warning(&format!(
            "module `{key}` from `{source}` is neither installed as it is locked nor in the package cache: what it calls stays locked as it is{providers} ({place})"
        ));
    }

    /// Keeps what is locked below a call whose module is not known.
    fn keep_below(&self, key: &str, new: &mut ModuleLock) -> Vec<ModuleOutcome> {
        let mut outcomes = Vec::new();
        for (key, locked) in self.old.below(key) {
            new.calls.insert(key.clone(), locked.clone());
            outcomes.push(of_locked(key, locked, Action::Kept));
        }
        outcomes
    }

    /// Keeps what is locked of calls whose source only a tool that runs can know, and below them.
    fn keep_dynamic(&self, tree: &mut LockedTree, new: &mut ModuleLock) {
        for failure in &tree.walk.failures {
            let (key, place) = (&failure.key, &failure.place);
            let mut kept = self.keep_below(key, new);
            if let Some(locked) = self.old.calls.get(key) {
                new.calls.insert(key.clone(), locked.clone());
                kept.push(of_locked(key, locked, Action::Kept));
            }
            if !kept.is_empty() {
                self.locker.reporter.warning(&format!(
                    "module `{key}` stays locked as it is, with what it calls: its source or version is dynamic ({place})"
                ));
            }
            tree.outcomes.extend(kept);
        }
    }

    /// Tells what is locked and no longer called.
    fn remove_uncalled(&self, tree: &mut LockedTree, new: &ModuleLock) {
        let (action, verb) = match self.locker.effect {
            LockEffect::Write => (Action::Removed, "removed"),
            LockEffect::Compare => (Action::WouldRemove, "would remove"),
        };
        let old = self.old.calls.iter();
        for (key, locked) in old.filter(|(key, _)| !new.calls.contains_key(*key)) {
            let (source, version) = (&locked.source, numbered(locked.version.as_ref()));
            self.locker.reporter.note(&format!(
                "{verb} module `{key}` from `{source}`{version}, which is no longer called"
            ));
            tree.outcomes.push(of_locked(key, locked, action));
        }
    }

    /// Finds out what there is to know of calls of one level.
    async fn find_all(&self, open: Vec<OpenCall>) -> Vec<(OpenCall, Found)> {
        let looking = open.into_iter().map(|call| async {
            let locked = locked_for(&self.old, &call);
            let locked = locked.filter(|_| self.locker.versions == LockedVersions::Stay);
            let told = locked.filter(|locked| tells_package(locked, &call.source));
            let at_hand = match told {
                Some(locked) => self.at_hand(&call, locked).await,
                None => None,
            };
            (Wanted { call, locked }, at_hand)
        });
        let looking = stream::iter(looking).buffered(self.locker.jobs);
        let (mut found, mut wanted) = (Vec::new(), Vec::new());
        for (call, at_hand) in looking.collect::<Vec<_>>().await {
            match at_hand {
                Some(at_hand) => found.push((call.call, at_hand)),
                None => wanted.push(call),
            }
        }
        found.extend(self.fetch_all(wanted).await);
        found
    }

    /// What is known of a locked call without any package but the installed one.
    async fn at_hand(&self, call: &OpenCall, locked: &LockedModule) -> Option<Found> {
        let record = self.manifest.records.get(&call.key);
        let record = record.filter(|it| it.serves(&call.source, call.constraints.as_ref()));
        let record = record.filter(|it| it.version == locked.version && self.place.is_dir(&it.dir));
        let directory = locked.directory_or(call.source.subdir());
        if let Some(record) = record
            && let Some(package) = self.place.package_of(&call.key, &record.dir, &directory)
        {
            let files = package.clone();
            let hash = on_blocking_pool(move || h1_of_module(&files)).await;
            if hash.is_ok_and(|hash| hash == locked.hash) {
                return Some(Found::Read(record.dir.clone(), package, locked.clone()));
            }
        }
        None
    }

    async fn fetch_all(&self, wanted: Vec<Wanted<'_>>) -> Vec<(OpenCall, Found)> {
        let resolving = wanted
            .into_iter()
            .map(|Wanted { call, locked }| async move {
                let (origins, releases) = (self.packages.origins(), self.packages.releases());
                let resolved = origins.resolve(call, locked, self.tool, releases).await;
                (resolved, locked)
            });
        let resolved: Vec<_> = stream::iter(resolving)
            .buffered(self.locker.jobs)
            .collect()
            .await;
        let mut found = Vec::new();
        let mut groups: BTreeMap<String, Vec<(Resolved, Option<&LockedModule>)>> = BTreeMap::new();
        for (resolved, locked) in resolved {
            match resolved {
                Ok(resolved) => groups
                    .entry(resolved.origin.name())
                    .or_default()
                    .push((resolved, locked)),
                Err((call, error)) => found.push((call, unread_or_failed(error, locked))),
            }
        }
        let fetching = groups.into_values().map(|group| self.fetch_group(group));
        let mut fetching = stream::iter(fetching).buffer_unordered(self.locker.jobs);
        while let Some(group) = fetching.next().await {
            found.extend(group);
        }
        found
    }

    /// Gets the packages of one source for all calls that want them. What is locked comes first: the cache may have that
    /// though the source fails.
    async fn fetch_group(
        &self,
        mut group: Vec<(Resolved, Option<&LockedModule>)>,
    ) -> Vec<(OpenCall, Found)> {
        let mut found = Vec::new();
        let mut failed_for: Option<(String, Option<&PackageIdentity>)> = None;
        group.sort_by_key(|(_, locked)| locked.is_none());
        for (resolved, locked) in group {
            let call = resolved.call.clone();
            let told = locked.filter(|locked| tells_package(locked, &call.source));
            let expected = told.map(|locked| &locked.identity);
            if let Some((first, for_what)) = &failed_for
                && (*for_what == expected || expected.is_none())
            {
                let error = ModuleInstallError::SamePackage(first.clone());
                found.push((call, Found::Failed(error)));
                continue;
            }
            let origin = &resolved.origin;
            let package = self.locker.package(self.packages, origin, told).await;
            let outcome = match package {
                Ok((package, hash)) => self
                    .compared(resolved, package, hash, locked)
                    .await
                    .unwrap_or_else(Found::Failed),
                Err(error) => {
                    if !error.is_offline() {
                        failed_for = Some((call.key.clone(), expected));
                    }
                    unread_or_failed(error, locked)
                }
            };
            found.push((call, outcome));
        }
        found
    }

    /// The module in a package, which has to be the locked one if one is locked.
    async fn compared(
        &self,
        resolved: Resolved,
        package: Use,
        hash: PackageHash,
        locked: Option<&LockedModule>,
    ) -> Result<Found, ModuleInstallError> {
        let Use { dir, received, .. } = package;
        let source = &resolved.call.source;
        let locked = locked.map(|locked| LockedModule {
            identity: if tells_package(locked, source) {
                locked.identity.clone()
            } else {
                // By its hash alone, it is the same package.
                received.identity.clone()
            },
            ..locked.clone()
        });
        if let Some(locked) = &locked {
            check_received(&received, &hash, locked).await?;
        }
        let subdir = module_dir(dir.clone(), resolved.subdir).await?;
        let named = resolved.call.source.subdir();
        if let Some(locked) = &locked {
            check_directory(locked, &subdir, named)?;
        }
        let directory = Some(LockedModule::directory_of(&subdir));
        let directory = directory.filter(|it| *it != LockedModule::directory_of(named));
        let package = dir.clone();
        let dir = dir.join(subdir).to_string_lossy().replace('\\', "/");
        if let Some(locked) = locked {
            return Ok(Found::Read(dir, package, locked));
        }
        let new = LockedModule {
            source: source.shown(),
            version: resolved.version,
            identity: received.identity.clone(),
            hash,
            directory,
        };
        let old = self.old.calls.get(&resolved.call.key);
        let old = old.filter(|old| tells_package(old, source));
        let locked = as_locked(received, new, old).await;
        Ok(Found::Read(dir, package, locked))
    }

    fn locked(&self, call: &OpenCall, locked: &LockedModule) -> ModuleOutcome {
        let is_kept = self.old.calls.get(&call.key) == Some(locked);
        let (action, verb) = match (is_kept, self.locker.effect) {
            (true, _) => (Action::Kept, None),
            (false, LockEffect::Write) => (Action::Locked, Some("locked")),
            (false, LockEffect::Compare) => (Action::WouldLock, Some("would lock")),
        };
        if let Some(verb) = verb {
            let (key, source) = (&call.key, &locked.source);
            let version = numbered(locked.version.as_ref());
            let text = format!("{verb} module `{key}` from `{source}`{version}");
            self.locker.reporter.note(&text);
        }
        of_locked(&call.key, locked, action)
    }
}

/// What a package is locked as: behind a mirror, what it was locked as before, so that the lock stays that of the publisher's.
async fn as_locked(
    received: Received,
    new: LockedModule,
    old: Option<&LockedModule>,
) -> LockedModule {
    match old {
        Some(old)
            if (&old.source, &old.version, &old.directory)
                == (&new.source, &new.version, &new.directory) =>
        {
            let fits = check_received(&received, &new.hash, old).await;
            fits.map_or(new, |()| old.clone())
        }
        Some(_) | None => new,
    }
}

/// Without network, what is locked stays so though it cannot be looked at.
fn unread_or_failed(error: ModuleInstallError, locked: Option<&LockedModule>) -> Found {
    match locked {
        Some(locked) if error.is_offline() => Found::Unread(locked.clone()),
        Some(_) | None => Found::Failed(error),
    }
}

fn of_locked(key: &str, locked: &LockedModule, action: Action) -> ModuleOutcome {
    ModuleOutcome {
        key: key.to_owned(),
        source: locked.source.clone(),
        version: locked.version.as_ref().map(ToString::to_string),
        action,
        error: None,
        root: None,
    }
}

fn failed(call: &OpenCall, error: ModuleInstallError) -> ModuleOutcome {
    let error = OpError::Module {
        verb: VERB,
        key: call.key.clone(),
        place: call.place.clone(),
        source: Box::new(error),
    };
    ModuleOutcome {
        key: call.key.clone(),
        source: call.source.shown(),
        version: None,
        action: Action::Failed,
        error: Some(error),
        root: None,
    }
}
