//! `lock`, the part for modules: what each call that is not local leads to, into the module lock.
//!
//! What is locked for a call stays as long as the call asks for it, and `--upgrade` resolves anew. What a package holds has
//! to be known all the same, as it may call further modules and require providers: it is read where it is installed, if
//! those are the locked files, else it is fetched to a temporary directory and compared. Each package is fetched once for
//! all root modules. A module that cannot be had fails by itself: the module lock then stays as it is, and the providers
//! of the others are locked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use futures_util::StreamExt;
use futures_util::stream;
use sha2::{Digest as _, Sha256};
use tokio::sync::OnceCell;

use crate::address::Tool;
use crate::config::{ModuleProblem, ModuleWalk, OpenCall};
use crate::disk::TempDir;
use crate::document::{
    LockedModule, MODULE_LOCK_NAME, ModuleLock, ModulesManifest, PackageIdentity,
};
use crate::hash::{PackageHash, Sha256Digest};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::lock::site::{Settled, settle};
use crate::ops::lock::tree::{LockEffect, LockTreeRequest, LockedVersions, VERB};
use crate::ops::modules::binding::{locked_for, read_module_lock};
use crate::ops::modules::install::start_walk;
use crate::ops::modules::mismatch::{Received, check_directory, check_received, told};
use crate::ops::modules::origins::Resolved;
use crate::ops::modules::packages::{ModulePackages, PackageOrigin, module_dir};
use crate::ops::modules::place::ModulesPlace;
use crate::ops::root_requirements::{Completeness, not_installed};
use crate::ops::{
    Action, Kinds, ModuleInstallError, ModuleOrigins, ModuleOutcome, OpError, Reporter, SourcedRoot,
};
use crate::package::h1_of_module;
use crate::version::ModuleVersion;

/// Locks modules of the root modules of a run.
pub(in crate::ops) struct ModuleLocker<'l> {
    versions: LockedVersions,
    effect: LockEffect,
    kinds: Kinds,
    jobs: usize,
    /// Where its directory of packages is made once it is needed.
    temporary: &'l Path,
    packages: OnceCell<TempDir>,
    /// By tool and name.
    fetched: Mutex<BTreeMap<(Tool, String), Fetched>>,
    reporter: &'l dyn Reporter,
}

/// A package in the temporary directory.
#[derive(Debug, Clone)]
struct Fetched {
    dir: PathBuf,
    identity: PackageIdentity,
    hash: PackageHash,
}

/// The modules of a root module, as far as they could be had.
pub(in crate::ops) struct LockedTree {
    pub(in crate::ops) walk: ModuleWalk,
    pub(in crate::ops) completeness: Completeness,
    /// One entry for each call that is not local.
    pub(in crate::ops) outcomes: Vec<ModuleOutcome>,
    /// Why the module lock could not be written, or that it would change.
    pub(in crate::ops) failure: Option<OpError>,
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
    pub(in crate::ops) fn new(
        request: &'l LockTreeRequest<'_>,
        reporter: &'l dyn Reporter,
    ) -> Self {
        // Who names providers wants these alone.
        let kinds = if request.only.is_empty() {
            request.kinds
        } else {
            Kinds::Providers
        };
        Self {
            versions: request.versions,
            effect: request.effect,
            kinds,
            jobs: request.jobs,
            temporary: &request.temporary,
            packages: OnceCell::new(),
            fetched: Mutex::default(),
            reporter,
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
        if self.kinds == Kinds::Providers {
            return Ok(None);
        }
        let module = &root.module;
        let old = read_module_lock(&module.dir)?;
        let site = Site {
            locker: self,
            origins: root.modules,
            tool: module.tool,
            place: ModulesPlace::of(module),
            manifest: ModulesPlace::of(module).read(module.tool)?,
            old: old.clone().unwrap_or_default(),
        };
        let walk = start_walk(module, self.reporter)?;
        let (mut tree, new) = site.walk(walk).await;
        let is_dynamic = |problem: &ModuleProblem| matches!(problem, ModuleProblem::Dynamic);
        let is_whole = tree.outcomes.iter().all(|it| it.error.is_none())
            && tree.walk.failures.iter().all(|it| is_dynamic(&it.problem));
        let is_needed = old.is_some() || !new.calls.is_empty();
        if is_whole && is_needed {
            let path = module.dir.join(MODULE_LOCK_NAME);
            let old = old.unwrap_or_default();
            tree.failure = self.settle(path, &old, &new).await.err();
        }
        Ok(Some(tree))
    }

    /// Writes the module lock or compares it.
    async fn settle(
        &self,
        path: PathBuf,
        old: &ModuleLock,
        new: &ModuleLock,
    ) -> Result<(), OpError> {
        let (file, text, effect) = (path.clone(), new.render(), self.effect);
        match on_blocking_pool(move || settle(&file, &text, effect)).await? {
            Settled::Done => Ok(()),
            Settled::Differs => Err(OpError::ModuleLockDiffers {
                path,
                changes: changes(old, new),
            }),
        }
    }

    /// The package, fetched if it is not yet there.
    async fn package(
        &self,
        origins: &ModuleOrigins,
        tool: Tool,
        origin: &PackageOrigin,
    ) -> Result<Fetched, ModuleInstallError> {
        let name = (tool, origin.name());
        if let Some(known) = self.known(&name) {
            return Ok(known);
        }
        let beside = self.temporary.join("modules");
        let make = || on_blocking_pool(move || TempDir::create_beside(&beside));
        let packages = self.packages.get_or_try_init(make).await?;
        let dir = packages.path().join(directory_name(&name));
        let identity = ModulePackages::new(&origins.getter, None, self.reporter)
            .place(origin, &dir, None)
            .await?;
        let files = dir.clone();
        let hash = on_blocking_pool(move || h1_of_module(&files)).await?;
        let fetched = Fetched {
            dir,
            identity,
            hash,
        };
        let mut all = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(name, fetched.clone());
        Ok(fetched)
    }

    fn known(&self, name: &(Tool, String)) -> Option<Fetched> {
        let all = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(name).cloned()
    }
}

/// A name of a directory for a package, whose own may hold anything.
fn directory_name((tool, name): &(Tool, String)) -> String {
    let digest = Sha256Digest(Sha256::digest(name).into());
    format!("{}-{digest}", tool.name())
}

/// A root module whose modules are locked.
struct Site<'s, 'l> {
    locker: &'s ModuleLocker<'l>,
    origins: &'s ModuleOrigins,
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
                        if self.locker.kinds != Kinds::Modules {
                            self.locker.reporter.warning(&not_installed(&call));
                        }
                        outcomes.push(self.locked(&call, &locked));
                        let below = self.old.below(&key);
                        new.calls
                            .extend(below.map(|(key, locked)| (key.clone(), locked.clone())));
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
        outcomes.sort_by(|a, b| a.key.cmp(&b.key));
        let tree = LockedTree {
            walk,
            completeness,
            outcomes,
            failure: None,
        };
        (tree, new)
    }

    /// Finds out what there is to know of calls of one level.
    async fn find_all(&self, open: Vec<OpenCall>) -> Vec<(OpenCall, Found)> {
        let looking = open.into_iter().map(|call| async {
            let locked = locked_for(&self.old, &call);
            let locked = locked.filter(|_| self.locker.versions == LockedVersions::Stay);
            let at_hand = match locked {
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

    /// What is known of a locked call without fetching anything.
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
        (self.locker.kinds == Kinds::Modules).then(|| Found::Unread(locked.clone()))
    }

    async fn fetch_all(&self, wanted: Vec<Wanted<'_>>) -> Vec<(OpenCall, Found)> {
        let resolving = wanted
            .into_iter()
            .map(|Wanted { call, locked }| async move {
                let version = locked.and_then(|locked| locked.version.as_ref());
                let resolved = self.origins.resolve(call, version, self.tool, None).await;
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

    /// Gets one package for all calls that want it.
    async fn fetch_group(
        &self,
        group: Vec<(Resolved, Option<&LockedModule>)>,
    ) -> Vec<(OpenCall, Found)> {
        let mut found = Vec::new();
        let mut failed_for: Option<String> = None;
        for (resolved, locked) in group {
            let call = resolved.call.clone();
            if let Some(first) = &failed_for {
                let error = ModuleInstallError::SamePackage(first.clone());
                found.push((call, Found::Failed(error)));
                continue;
            }
            let origin = &resolved.origin;
            let package = self.locker.package(self.origins, self.tool, origin).await;
            let outcome = match package {
                Ok(package) => self
                    .compared(resolved, package, locked)
                    .await
                    .unwrap_or_else(Found::Failed),
                Err(error) => {
                    if !error.is_offline() {
                        failed_for = Some(call.key.clone());
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
        package: Fetched,
        locked: Option<&LockedModule>,
    ) -> Result<Found, ModuleInstallError> {
        let Fetched {
            dir,
            identity,
            hash,
        } = package;
        let whole = dir.clone();
        let received = Received { identity, whole };
        if let Some(locked) = locked {
            check_received(&received, &hash, locked).await?;
        }
        let subdir = module_dir(dir.clone(), resolved.subdir).await?;
        let named = resolved.call.source.subdir();
        if let Some(locked) = locked {
            check_directory(locked, &subdir, named)?;
        }
        let directory = Some(LockedModule::directory_of(&subdir));
        let directory = directory.filter(|it| *it != LockedModule::directory_of(named));
        let package = dir.clone();
        let dir = dir.join(subdir).to_string_lossy().replace('\\', "/");
        let locked = LockedModule {
            source: resolved.call.source.shown(),
            version: resolved.version,
            identity: received.identity.clone(),
            hash,
            directory,
        };
        let old = self.old.calls.get(&resolved.call.key);
        let locked = as_locked(received, locked, old).await;
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
            let version = shown(locked.version.as_ref());
            let text = format!("{verb} module `{key}` from `{source}`{version}");
            self.locker.reporter.note(&text);
        }
        ModuleOutcome {
            version: locked.version.as_ref().map(ToString::to_string),
            action,
            error: None,
            ..of_call(call)
        }
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

fn shown(version: Option<&ModuleVersion>) -> String {
    let version = version.map(|version| format!(" {version}"));
    version.unwrap_or_default()
}

fn of_call(call: &OpenCall) -> ModuleOutcome {
    ModuleOutcome {
        key: call.key.clone(),
        source: call.source.shown(),
        version: None,
        action: Action::Failed,
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
        error: Some(error),
        ..of_call(call)
    }
}

/// What differs between two packages of one source and version, in words.
fn differences(old: &LockedModule, new: &LockedModule) -> String {
    let mut differences = Vec::new();
    if old.hash != new.hash {
        let (old, new) = (&old.hash, &new.hash);
        differences.push(format!("is locked with the hash `{old}`, and has `{new}`"));
    }
    if old.identity != new.identity {
        let (old, new) = (told(&old.identity), told(&new.identity));
        differences.push(format!("is locked as {old}, and is {new}"));
    }
    if old.directory != new.directory {
        let shown = |module: &LockedModule| module.directory.clone().unwrap_or_default();
        let (old, new) = (shown(old), shown(new));
        differences.push(format!(
            "is locked with the directory `{old}`, and has `{new}`"
        ));
    }
    differences.join("; it ")
}

/// What differs between two module locks, in words.
fn changes(old: &ModuleLock, new: &ModuleLock) -> Vec<String> {
    let mut changes = Vec::new();
    for (key, module) in &new.calls {
        let told = format!("`{}`{}", module.source, shown(module.version.as_ref()));
        match old.calls.get(key) {
            None => changes.push(format!("module `{key}` from {told} is not locked")),
            Some(old) if old == module => {}
            Some(old) if old.source == module.source && old.version == module.version => {
                let differs = differences(old, module);
                changes.push(format!("module `{key}` from {told} {differs}"));
            }
            Some(old) => changes.push(format!(
                "module `{key}` is locked from `{}`{}, and would be from {told}",
                old.source,
                shown(old.version.as_ref())
            )),
        }
    }
    let gone = old.calls.keys().filter(|key| !new.calls.contains_key(*key));
    changes.extend(gone.map(|key| format!("module `{key}` is locked but no longer called")));
    if changes.is_empty() {
        changes.push("its text is not as `provender lock` writes it".to_owned());
    }
    changes
}
