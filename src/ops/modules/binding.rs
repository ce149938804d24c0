//! How the module lock of a root module binds its calls while they are installed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::address::ModuleSource;
use crate::config::OpenCall;
use crate::disk;
use crate::document::{LockedModule, MODULE_LOCK_NAME, ModuleLock};
use crate::ops::{LockMode, ModuleInstallError, OpError, Reporter};

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

/// A module lock and how it binds.
pub(in crate::ops) struct ModuleBinding {
    path: PathBuf,
    /// `None` if there is none.
    lock: Option<ModuleLock>,
    mode: LockMode,
    /// Calls that were met, and those among them that are not locked.
    met: BTreeSet<String>,
    unlocked: BTreeSet<String>,
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
            unlocked: BTreeSet::new(),
        })
    }

    /// What a call has to lead to, if that is locked. `--upgrade` chooses anew.
    pub(in crate::ops) fn locked(&self, call: &OpenCall) -> Option<&LockedModule> {
        let lock = self.lock.as_ref()?;
        let lock = (self.mode != LockMode::Upgrade).then_some(lock)?;
        locked_for(lock, call)
    }

    /// Takes out the calls that may not be followed, with the reason: under `--locked` those that are not locked.
    pub(in crate::ops) fn refuse(
        &mut self,
        open: Vec<OpenCall>,
    ) -> (Vec<OpenCall>, Vec<(OpenCall, ModuleInstallError)>) {
        let (mut allowed, mut refused) = (Vec::new(), Vec::new());
        for call in open {
            self.met.insert(call.key.clone());
            let is_unlocked = self.lock.is_some() && self.locked(&call).is_none();
            if is_unlocked {
                self.unlocked.insert(call.key.clone());
            }
            if is_unlocked && self.mode == LockMode::Locked {
                let lock = self.lock.as_ref();
                let locked = lock.and_then(|lock| lock.calls.get(&call.key)).cloned();
                let locked = locked.map(Box::new);
                refused.push((call, ModuleInstallError::NotLocked { locked }));
            } else {
                allowed.push(call);
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
            LockMode::Keep => {
                let keys: Vec<String> = self.unlocked.iter().map(|key| format!("`{key}`")).collect();
                reporter.note(&format!(
                    "note: not in `{MODULE_LOCK_NAME}`: {}; lock with `provender lock`",
                    keys.join(", ")
                ));
            }
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
        let path = self.path.clone();
        Err(OpError::ModuleLockDiffers { path, changes })
    }
}
