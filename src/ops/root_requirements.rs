//! What a root module requires: its configuration, the local modules it calls, and its state.
//!
//! Modules from elsewhere are not fetched yet, each such call is reported, and a state that a backend
//! keeps is not read. A caller that would drop what nothing requires must not do so then
//! (`RootRequirements::is_complete`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::address::{ProviderAddr, Tool};
use crate::config::{
    CallSource, ModuleCall, ModuleKind, ModuleScan, RootModule, providers_in_state, scan_module,
};
use crate::disk;
use crate::document::{LOCK_FILE_NAME, LockFileError, Locks, ParsedLocks};
use crate::ops::{OpError, Reporter};
use crate::version::VersionConstraints;

/// A lock file is a few hundred bytes a provider.
const LOCK_FILE_CAP: u64 = 16 << 20;

/// What a root module requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootRequirements {
    /// Every required provider and the constraints of all modules on it.
    pub requirements: BTreeMap<ProviderAddr, VersionConstraints>,
    /// The root module's lock file, which may not exist.
    pub lock_path: PathBuf,
    /// Whether every module and the state were read; otherwise there may be further requirements.
    pub is_complete: bool,
}

/// Reads the requirements of `root`, telling `reporter` what was left out.
///
/// # Errors
///
/// If there is no configuration, or configuration or state cannot be read.
pub fn root_requirements(
    root: &RootModule,
    reporter: &dyn Reporter,
) -> Result<RootRequirements, OpError> {
    let mut walk = Walk::of_configuration(root, reporter)?;
    walk.state(root)?;
    Ok(RootRequirements {
        requirements: walk.found,
        lock_path: root.dir.join(LOCK_FILE_NAME),
        is_complete: walk.is_complete,
    })
}

/// As [`root_requirements`], of the configuration alone.
///
/// # Errors
///
/// If there is no configuration, or it cannot be read.
pub(super) fn configuration_requirements(
    root: &RootModule,
    reporter: &dyn Reporter,
) -> Result<BTreeMap<ProviderAddr, VersionConstraints>, OpError> {
    Ok(Walk::of_configuration(root, reporter)?.found)
}

struct Walk<'r> {
    tool: Tool,
    reporter: &'r dyn Reporter,
    seen: BTreeSet<PathBuf>,
    found: BTreeMap<ProviderAddr, VersionConstraints>,
    is_complete: bool,
    has_backend: bool,
}

impl<'r> Walk<'r> {
    fn of_configuration(root: &RootModule, reporter: &'r dyn Reporter) -> Result<Self, OpError> {
        let mut walk = Self {
            tool: root.tool,
            reporter,
            seen: BTreeSet::new(),
            found: BTreeMap::new(),
            is_complete: true,
            has_backend: false,
        };
        walk.module(&root.dir, ModuleKind::Root)?;
        Ok(walk)
    }

    fn module(&mut self, dir: &Path, kind: ModuleKind) -> Result<(), OpError> {
        let scan = scan_module(dir, self.tool, kind)?;
        if kind == ModuleKind::Root && scan.files.is_empty() {
            return Err(OpError::NoConfiguration {
                dir: dir.to_owned(),
            });
        }
        if kind == ModuleKind::Root {
            self.has_backend = scan.has_backend;
        }
        self.take(&scan);
        for call in &scan.module_calls {
            self.call(dir, call)?;
        }
        Ok(())
    }

    /// The state that a backend keeps is not read, so what only it uses is not known.
    fn state(&mut self, root: &RootModule) -> Result<(), OpError> {
        let path = root.state_file().filter(|_| !self.has_backend);
        let Some(path) = path else {
            self.is_complete = false;
            return Ok(());
        };
        let state = providers_in_state(&path, root.tool)?;
        for warning in &state.warnings {
            self.reporter.warning(warning);
        }
        for addr in state.providers {
            self.found.entry(addr).or_default();
        }
        Ok(())
    }

    fn take(&mut self, scan: &ModuleScan) {
        for warning in &scan.warnings {
            self.reporter.warning(warning);
        }
        for (addr, constraints) in &scan.requirements {
            let found = self.found.entry(addr.clone()).or_default();
            *found = found.and(constraints);
        }
    }

    fn call(&mut self, dir: &Path, call: &ModuleCall) -> Result<(), OpError> {
        match call.local_path() {
            Some(path) => {
                let child = dir.join(path);
                // A module that is called twice, or calls itself, adds nothing the second time.
                if self
                    .seen
                    .insert(child.canonicalize().unwrap_or_else(|_| child.clone()))
                {
                    self.module(&child, ModuleKind::Child)?;
                }
            }
            None => self.report_unhandled(call),
        }
        Ok(())
    }

    fn report_unhandled(&mut self, call: &ModuleCall) {
        self.is_complete = false;
        let source = match &call.source {
            CallSource::Literal(source) => format!("from `{source}`"),
            CallSource::Dynamic => "with a source that is computed".to_owned(),
        };
        self.reporter.warning(&format!(
            "module `{}` {source} is not handled yet, and providers that only it requires are left out ({}:{})",
            call.name,
            call.file.display(),
            call.line
        ));
    }
}

/// Reads a lock file; an absent one holds no locks.
///
/// # Errors
///
/// If it cannot be read or understood.
pub(super) fn read_lock_file(
    path: &Path,
    tool: Tool,
    reporter: &dyn Reporter,
) -> Result<Locks, OpError> {
    if !path.exists() {
        return Ok(Locks::default());
    }
    let bytes = disk::read_capped(path, LOCK_FILE_CAP)?;
    let fault = |source: LockFileError| OpError::Lock {
        path: path.to_owned(),
        source,
    };
    let ParsedLocks { locks, warnings } =
        Locks::parse(&String::from_utf8_lossy(&bytes), tool).map_err(fault)?;
    for warning in warnings {
        reporter.warning(&format!("{}: {warning}", path.display()));
    }
    Ok(locks)
}

/// The locks that `tool` goes by: OpenTofu takes over those of `registry.terraform.io/hashicorp`
/// for its own registry, without hashes (facts/providers 5.12).
pub(super) fn adopted(mut locks: Locks, tool: Tool, reporter: &dyn Reporter) -> Locks {
    if tool == Tool::Tofu {
        for lock in locks.adopt_terraform_locks() {
            reporter.warning(&format!(
                "the version locked for `{}` is taken over for `{}`",
                lock.from, lock.to
            ));
        }
    }
    locks
}
