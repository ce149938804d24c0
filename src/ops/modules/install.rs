//! `install`, the part for modules: what `init` does for `.terraform/modules` (facts/modules 3).
//!
//! Level by level: the modules that are there are read, the calls in them that are not installed are resolved and
//! fetched, all at once, and so on until no call is open. Each package is fetched once. The record of modules is
//! written at the end, without the calls that failed, as the tools do. Where there is a module lock, locked calls get what it
//! names and nothing else: see `binding`.

use futures_util::StreamExt;
use futures_util::stream;
use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::address::Tool;
use crate::config::{ModuleWalk, OpenCall, RootModule};
use crate::document::{LockedModule, ModuleRecord, ModulesManifest};
use crate::ops::modules::binding::ModuleBinding;
use crate::ops::modules::mismatch::{check_directory, check_package};
use crate::ops::modules::origins::Resolved;
use crate::ops::modules::packages::{ModulePackages, PackageOrigin, Subdir, module_dir};
use crate::ops::modules::place::ModulesPlace;
use crate::ops::{
    Action, Fetcher, LockMode, ModuleInstallError, ModuleOrigins, ModuleOutcome, OpError, Reporter,
};
use crate::version::ModuleVersion;

/// Installs modules of the root modules of a run.
pub(in crate::ops) struct ModuleInstaller<'i> {
    packages: ModulePackages<'i>,
    jobs: usize,
    reporter: &'i dyn Reporter,
}

/// What became of the modules of a root module.
pub(in crate::ops) struct InstalledModules {
    /// The tree as far as it could be had.
    pub(in crate::ops) walk: ModuleWalk,
    /// One entry for each call that is not local.
    pub(in crate::ops) outcomes: Vec<ModuleOutcome>,
}

/// An installed module that stays.
struct KeptModule {
    call: OpenCall,
    record: ModuleRecord,
    /// Where its package is; `None` if that is not known.
    package: Option<PathBuf>,
}

/// A call that was placed: the directory as the manifest has it.
type Placed = (
    OpenCall,
    Option<ModuleVersion>,
    Result<String, ModuleInstallError>,
);

impl<'i> ModuleInstaller<'i> {
    pub(in crate::ops) fn new(
        origins: &'i ModuleOrigins,
        jobs: usize,
        fetcher: &'i Fetcher<'_>,
    ) -> Self {
        let reporter = fetcher.reporter;
        Self {
            packages: ModulePackages::new(origins, fetcher.cache, reporter),
            jobs,
            reporter,
        }
    }

    /// What it installs with.
    pub(in crate::ops) fn origins(&self) -> &'i ModuleOrigins {
        self.packages.origins()
    }

    /// Installs the modules of `root`.
    ///
    /// # Errors
    ///
    /// If the root module or the record of modules cannot be read, or the record cannot be written. That
    /// a module cannot be had is in the outcomes.
    pub(in crate::ops) async fn install(
        &self,
        root: &RootModule,
        lock_mode: LockMode,
    ) -> Result<InstalledModules, OpError> {
        let place = ModulesPlace::of(root);
        let _lock = place.lock(self.reporter).await;
        place.remove_leftovers();
        let before = place.read(root.tool)?;
        let mut manifest = before.clone();
        if lock_mode == LockMode::Upgrade {
            manifest.records.clear();
        }
        let mut binding = ModuleBinding::read(&root.dir, lock_mode)?;
        let mut walk = start_walk(root, self.reporter)?;
        let mut outcomes = Vec::new();
        loop {
            let open = walk.advance();
            if open.is_empty() {
                break;
            }
            let (open, refused) = binding.refuse(open);
            for (call, error) in refused {
                outcomes.push(enter(&mut walk, &place, &call, None, Err(error)));
            }
            let (kept, mut wanted) = sort_out(open, &mut manifest, &place);
            let (kept, changed) = self.unchanged(kept, &binding, &place).await;
            for kept in kept {
                let (call, record) = (kept.call, kept.record);
                outcomes.push(outcome(&call, record.version.as_ref(), Action::Kept, None));
                match kept.package {
                    Some(package) => {
                        walk.place_in(&call.key, package, record.dir, record.version);
                    }
                    None => walk.place(&call.key, record.dir, record.version),
                }
            }
            let mut wrong = BTreeMap::new();
            for (call, error) in changed {
                wrong.insert(call.key.clone(), error);
                wanted.push(call);
            }
            let installed = self.install_all(wanted, &binding, &place, root.tool).await;
            for (call, version, result) in installed {
                let result = match (result, wrong.remove(&call.key)) {
                    // What is wrong with the installed files tells more.
                    (Err(error), Some(Some(wrong))) if error.is_offline() => Err(wrong),
                    (Ok(dir), Some(None)) => {
                        // Another version may call others.
                        manifest.forget(&call.key);
                        Ok(dir)
                    }
                    // What failed is recorded as it was.
                    (result, _) => result,
                };
                outcomes.push(enter(&mut walk, &place, &call, version.as_ref(), result));
            }
        }
        outcomes.sort_by(|a, b| a.key.cmp(&b.key));
        record_tree(&mut manifest, &walk);
        place.write(&before, &manifest).await?;
        binding.tell(self.reporter);
        let is_whole = outcomes.iter().all(|it| it.error.is_none()) && walk.failures.is_empty();
        if is_whole {
            binding.refuse_leftovers()?;
        }
        Ok(InstalledModules { walk, outcomes })
    }

    /// Tells the installed modules that are what is locked, or not locked, from those that have to be installed anew, the
    /// latter with what is wrong with their files.
    async fn unchanged(
        &self,
        kept: Vec<(OpenCall, ModuleRecord)>,
        binding: &ModuleBinding,
        place: &ModulesPlace,
    ) -> (Vec<KeptModule>, Vec<(OpenCall, Option<ModuleInstallError>)>) {
        let checks = kept.into_iter().map(|(call, record)| async {
            let locked = binding.locked(&call);
            let checked = check_installed(&call, record, locked, place).await;
            (call, checked)
        });
        let checked: Vec<_> = stream::iter(checks).buffered(self.jobs).collect().await;
        let (mut same, mut changed) = (Vec::new(), Vec::new());
        for (call, checked) in checked {
            match checked {
                Ok((record, package)) => same.push(KeptModule {
                    call,
                    record,
                    package,
                }),
                Err(error) => changed.push((call, error)),
            }
        }
        (same, changed)
    }

    async fn install_all(
        &self,
        wanted: Vec<OpenCall>,
        binding: &ModuleBinding,
        place: &ModulesPlace,
        tool: Tool,
    ) -> Vec<Placed> {
        let (origins, releases) = (self.packages.origins(), self.packages.releases());
        let resolving = stream::iter(wanted).map(|call| {
            let locked = binding.locked(&call);
            origins.resolve(call, locked, tool, releases)
        });
        let resolved: Vec<_> = resolving.buffered(self.jobs).collect().await;
        let mut done = Vec::new();
        let mut groups: BTreeMap<String, Vec<Resolved>> = BTreeMap::new();
        for result in resolved {
            match result {
                Ok(resolved) => groups
                    .entry(resolved.origin.name())
                    .or_default()
                    .push(resolved),
                Err((call, error)) => done.push((call, None, Err(error))),
            }
        }
        let placing =
            stream::iter(groups.into_values()).map(|group| self.place_group(group, binding, place));
        let mut placing = placing.buffer_unordered(self.jobs);
        while let Some(placed) = placing.next().await {
            done.extend(placed);
        }
        done
    }

    /// Places the packages of one source. What is locked comes first: the cache may have that though the source fails.
    async fn place_group(
        &self,
        group: Vec<Resolved>,
        binding: &ModuleBinding,
        place: &ModulesPlace,
    ) -> Vec<Placed> {
        let mut by_lock: BTreeMap<_, Vec<Resolved>> = BTreeMap::new();
        for resolved in group {
            let locked = binding.locked(&resolved.call);
            let locked = locked.map(|locked| locked.identity.clone());
            let same = by_lock.entry((locked.is_none(), locked)).or_default();
            same.push(resolved);
        }
        let mut placed = Vec::new();
        for same in by_lock.into_values() {
            placed.extend(self.place_same(same, binding, place).await);
        }
        placed
    }

    /// Places one package for all calls that want it: the first in their order, then the copies, all at once.
    async fn place_same(
        &self,
        calls: Vec<Resolved>,
        binding: &ModuleBinding,
        place: &ModulesPlace,
    ) -> Vec<Placed> {
        let mut calls = calls.into_iter();
        let Some(first) = calls.next() else {
            return Vec::new();
        };
        let first_key = first.call.key.clone();
        let mut placed = vec![self.place_call(first, binding, place).await];
        // What does not fit the lock of one call may fit that of another.
        let is_had = !matches!(&placed[0].2, Err(error) if !error.is_about_lock());
        if !is_had && !place.is_placed(&first_key) {
            placed.extend(calls.map(|it| {
                let error = ModuleInstallError::SamePackage(first_key.clone());
                (it.call, it.version, Err(error))
            }));
            return placed;
        }
        let copies = stream::iter(calls).map(|it| self.place_call(it, binding, place));
        placed.extend(copies.buffer_unordered(self.jobs).collect::<Vec<_>>().await);
        placed
    }

    async fn place_call(
        &self,
        resolved: Resolved,
        binding: &ModuleBinding,
        place: &ModulesPlace,
    ) -> Placed {
        let Resolved {
            call,
            version,
            origin,
            subdir,
        } = resolved;
        let locked = binding.locked(&call);
        let locked = locked.map(|locked| (locked, call.source.subdir()));
        let result = self
            .place_one(&call.key, &origin, subdir, locked, place)
            .await;
        if result.is_ok() {
            self.reporter.note(&installed_text(&call, version.as_ref()));
        }
        (call, version, result)
    }

    async fn place_one(
        &self,
        key: &str,
        origin: &PackageOrigin,
        subdir: Subdir,
        locked: Option<(&LockedModule, &str)>,
        place: &ModulesPlace,
    ) -> Result<String, ModuleInstallError> {
        let target = place.dir_of(key);
        if let (Subdir::Literal(directory), Some((locked, named))) = (&subdir, locked) {
            check_directory(locked, directory, named)?;
        }
        let locked = locked.map(|(locked, _)| locked);
        self.packages.place(origin, &target, locked).await?;
        let subdir = module_dir(target, subdir).await?;
        Ok(place.name_of(key, &subdir))
    }
}

/// Compares an installed module with what is locked: its record, and its package as far as that is known; else what is wrong
/// with the files, if it is these.
async fn check_installed(
    call: &OpenCall,
    record: ModuleRecord,
    locked: Option<&LockedModule>,
    place: &ModulesPlace,
) -> Result<(ModuleRecord, Option<PathBuf>), Option<ModuleInstallError>> {
    let (key, own) = (&call.key, place.dir_of(&call.key));
    let Some(locked) = locked else {
        if !place.may_be(key, &record.dir, &call.source) {
            return Err(None);
        }
        let package = place.is_own(key, &record.dir).then_some(own);
        return Ok((record, package));
    };
    if locked.version != record.version {
        return Err(None);
    }
    let directory = locked.directory_or(call.source.subdir());
    if let Some(package) = place.package_of(key, &record.dir, &directory) {
        check_package(package.clone(), None, Some(locked)).await?;
        return Ok((record, Some(package)));
    }
    // The record alone may be wrong.
    let dir = place.name_of(key, &directory);
    let is_there = place.is_dir(&dir);
    match check_package(own.clone(), None, Some(locked)).await {
        Ok(()) if is_there => Ok((ModuleRecord { dir, ..record }, Some(own))),
        Ok(()) | Err(_) => Err(None),
    }
}

/// Tells the calls that are installed from those that are not; a record that serves no more is dropped with
/// all below it.
fn sort_out(
    open: Vec<OpenCall>,
    manifest: &mut ModulesManifest,
    place: &ModulesPlace,
) -> (Vec<(OpenCall, ModuleRecord)>, Vec<OpenCall>) {
    let (mut kept, mut wanted) = (Vec::new(), Vec::new());
    for call in open {
        let record = manifest.records.get(&call.key);
        let record = record.filter(|it| it.serves(&call.source, call.constraints.as_ref()));
        match record {
            Some(record) if place.is_dir(&record.dir) => kept.push((call, record.clone())),
            Some(_) => wanted.push(call),
            None => {
                manifest.forget(&call.key);
                wanted.push(call);
            }
        }
    }
    (kept, wanted)
}

fn installed_text(call: &OpenCall, version: Option<&ModuleVersion>) -> String {
    let version = version
        .map(|version| format!(" {version}"))
        .unwrap_or_default();
    format!(
        "installed module `{}` from `{}`{version}",
        call.key,
        call.source.shown()
    )
}

fn enter(
    walk: &mut ModuleWalk,
    place: &ModulesPlace,
    call: &OpenCall,
    version: Option<&ModuleVersion>,
    result: Result<String, ModuleInstallError>,
) -> ModuleOutcome {
    match result {
        Ok(dir) => {
            let package = place.dir_of(&call.key);
            walk.place_in(&call.key, package, dir, version.cloned());
            outcome(call, version, Action::Installed, None)
        }
        Err(source) => {
            walk.give_up(&call.key);
            let error = OpError::Module {
                verb: "install",
                key: call.key.clone(),
                place: call.place.clone(),
                source: Box::new(source),
            };
            outcome(call, version, Action::Failed, Some(error))
        }
    }
}

fn outcome(
    call: &OpenCall,
    version: Option<&ModuleVersion>,
    action: Action,
    error: Option<OpError>,
) -> ModuleOutcome {
    ModuleOutcome {
        key: call.key.clone(),
        source: call.source.shown(),
        version: version.map(ToString::to_string),
        action,
        error,
        root: None,
    }
}

/// Starts a walk over the tree of `root`, with what is given for its variables.
pub(in crate::ops) fn start_walk(
    root: &RootModule,
    reporter: &dyn Reporter,
) -> Result<ModuleWalk, OpError> {
    let (inputs, warnings) = root.static_inputs();
    for warning in &warnings {
        reporter.warning(warning);
    }
    let walk = ModuleWalk::start(&root.dir, root.tool, &inputs)?;
    if walk
        .modules
        .values()
        .all(|it| it.source.is_none() && it.scan.files.is_empty())
    {
        let dir = root.dir.clone();
        return Err(OpError::NoConfiguration { dir });
    }
    Ok(walk)
}

/// Enters the root, the local and the installed modules of the tree.
fn record_tree(manifest: &mut ModulesManifest, walk: &ModuleWalk) {
    for (key, module) in &walk.modules {
        let record = match &module.source {
            None => ModuleRecord::root(),
            Some(source) => ModuleRecord {
                source: source.to_string(),
                version: module.version.clone(),
                dir: module.dir.clone(),
            },
        };
        manifest.records.insert(key.clone(), record);
    }
}
