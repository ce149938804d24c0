//! How the module lock of a root module binds its calls while they are installed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::address::{ModuleSource, RemoteModule, Tool, query_pairs};
use crate::config::OpenCall;
use crate::disk;
use crate::document::{LockedModule, MODULE_LOCK_NAME, ModuleLock, PackageIdentity};
use crate::ops::{LockMode, ModuleInstallError, ModuleLockGap, OpError, Reporter};
use crate::package::FormatChoice;

/// A lock of some thousand modules has some hundred kilobytes.
const MODULE_LOCK_CAP: u64 = 16 << 20;

/// Reads the module lock in the directory of a root module; `None` if there is none. Blocks.
///
/// # Errors
///
/// If it cannot be read or understood.
pub(in crate::ops) fn read_module_lock(dir: &Path) -> Result<Option<ModuleLock>, OpError> {
    let path = dir.join(MODULE_LOCK_NAME);
    if !path.exists() {
        return Ok(None);
    }
    let bytes = disk::read_capped(&path, MODULE_LOCK_CAP)?;
    let lock = ModuleLock::parse(&String::from_utf8_lossy(&bytes));
    let lock = lock.map_err(|source| OpError::ModuleLock { path, source })?;
    Ok(Some(lock))
}

/// What is locked for a call, if the lock is still of the module that it asks for.
pub(in crate::ops) fn locked_for<'l>(
    lock: &'l ModuleLock,
    call: &OpenCall,
) -> Option<&'l LockedModule> {
    let locked = lock.calls.get(&call.key)?;
    let constraints = call.constraints.as_ref();
    let is_admitted = match (&call.source, &locked.version) {
        (ModuleSource::Registry(_), Some(version)) => {
            constraints.is_none_or(|constraints| constraints.admits(version))
        }
        (ModuleSource::Remote(_), None) => true,
        (ModuleSource::Registry(_), None)
        | (ModuleSource::Remote(_), Some(_))
        | (ModuleSource::Local(_), _) => false,
    };
    (is_admitted && locked.source == call.source.shown()).then_some(locked)
}

/// Whether a lock tells what the package of a call is: only a directory of this machine is neither commit nor archive.
pub(in crate::ops) fn tells_package(locked: &LockedModule, source: &ModuleSource) -> bool {
    match (source, &locked.identity) {
        (_, PackageIdentity::Commit(_) | PackageIdentity::Archive(_)) => true,
        (ModuleSource::Remote(module), PackageIdentity::Directory) => may_be_directory(module),
        (ModuleSource::Registry(_) | ModuleSource::Local(_), PackageIdentity::Directory) => false,
    }
}

/// What a module lock does not say of a call; `None` if it says all.
pub(in crate::ops) fn gap(lock: &ModuleLock, call: &OpenCall) -> Option<ModuleLockGap> {
    match (locked_for(lock, call), lock.calls.get(&call.key)) {
        (Some(locked), _) if tells_package(locked, &call.source) => None,
        (Some(_), _) => Some(ModuleLockGap::Incomplete),
        (None, Some(other)) => Some(ModuleLockGap::Other(Box::new(other.clone()))),
        (None, None) => Some(ModuleLockGap::Absent),
    }
}

/// A module lock and how it binds.
pub(in crate::ops) struct ModuleBinding {
    path: PathBuf,
    /// `None` if there is none.
    lock: Option<ModuleLock>,
    mode: LockMode,
    /// Calls that were met, and those among them that are not locked.
    met: BTreeSet<String>,
    unlocked: BTreeMap<String, ModuleLockGap>,
}

impl ModuleBinding {
    /// Reads the module lock of the root module in `dir`.
    ///
    /// # Errors
    ///
    /// As [`read_module_lock`].
    pub(in crate::ops) fn read(dir: &Path, mode: LockMode) -> Result<Self, OpError> {
        Ok(Self {
            path: dir.join(MODULE_LOCK_NAME),
            lock: read_module_lock(dir)?,
            mode,
            met: BTreeSet::new(),
            unlocked: BTreeMap::new(),
        })
    }

    /// What a call has to lead to, if that is locked. `--upgrade` chooses anew.
    pub(in crate::ops) fn locked(&self, call: &OpenCall) -> Option<&LockedModule> {
        let lock = self.lock.as_ref()?;
        let lock = (self.mode != LockMode::Upgrade).then_some(lock)?;
        locked_for(lock, call).filter(|locked| tells_package(locked, &call.source))
    }

    /// Takes out the calls that may not be followed, with the reason: under `--locked` those that are not locked.
    pub(in crate::ops) fn refuse(
        &mut self,
        open: Vec<OpenCall>,
    ) -> (Vec<OpenCall>, Vec<(OpenCall, ModuleInstallError)>) {
        let (mut allowed, mut refused) = (Vec::new(), Vec::new());
        for call in open {
            self.met.insert(call.key.clone());
            let gap = self.lock.as_ref().and_then(|lock| gap(lock, &call));
            if let Some(gap) = &gap {
                self.unlocked.insert(call.key.clone(), gap.clone());
            }
            match gap.filter(|_| self.mode == LockMode::Locked) {
                Some(gap) => refused.push((call, ModuleInstallError::NotLocked { gap })),
                None => allowed.push(call),
            }
        }
        (allowed, refused)
    }

    /// Says what an installation leaves to `lock`.
    pub(in crate::ops) fn tell(&self, reporter: &dyn Reporter) {
        if self.lock.is_none() || self.met.is_empty() {
            return;
        }
        match self.mode {
            LockMode::Locked => {}
            LockMode::Upgrade => reporter.note(&format!(
                "note: `{MODULE_LOCK_NAME}` stays as it is: record the newest modules with `provender lock --upgrade`"
            )),
            LockMode::Keep if self.unlocked.is_empty() => {}
            LockMode::Keep => reporter.note(&format!(
                "note: {}; lock with `provender lock`",
                unlocked_text(&self.unlocked)
            )),
        }
    }

    /// Fails under `--locked` if something is locked that is no longer called, once all calls are known.
    ///
    /// # Errors
    ///
    /// If the lock would have to change.
    pub(in crate::ops) fn refuse_leftovers(&self) -> Result<(), OpError> {
        if self.mode != LockMode::Locked {
            return Ok(());
        }
        let locked = self.lock.iter().flat_map(|lock| lock.calls.keys());
        let left = locked.filter(|key| !self.met.contains(*key));
        let changes: Vec<String> = left
            .map(|key| format!("module `{key}` is locked but no longer called"))
            .collect();
        if changes.is_empty() {
            return Ok(());
        }
        Err(OpError::ModuleLockDiffers {
            verb: "install",
            path: self.path.clone(),
            changes,
        })
    }
}

/// Calls that are not locked, by what the lock says of them.
fn unlocked_text(unlocked: &BTreeMap<String, ModuleLockGap>) -> String {
    let mut by_text: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (key, gap) in unlocked {
        let text = match gap {
            ModuleLockGap::Absent => "not in",
            ModuleLockGap::Other(_) => "of another source or version in",
            ModuleLockGap::Incomplete => "without `commit` or `archive` in",
        };
        by_text.entry(text).or_default().push(format!("`{key}`"));
    }
    let told = by_text.iter();
    let told = told.map(|(text, keys)| format!("{text} `{MODULE_LOCK_NAME}`: {}", keys.join(", ")));
    told.collect::<Vec<_>>().join("; ")
}

/// Whether a source may name a directory: an archive of this machine is told by its name, or by an `archive` key.
fn may_be_directory(module: &RemoteModule) -> bool {
    if !module.getter().eq_ignore_ascii_case("file") {
        return false;
    }
    let (path, query) = module.url().split_once('?').unwrap_or((module.url(), ""));
    let pairs = query_pairs(query).unwrap_or_default();
    let archive = pairs.iter().find(|(key, _)| key == "archive");
    let archive = archive.map(|(_, value)| value.as_str());
    // One tool's archives are the other's directories.
    [Tool::Terraform, Tool::Tofu]
        .iter()
        .any(|tool| FormatChoice::of(path, archive, *tool) == FormatChoice::None)
}
