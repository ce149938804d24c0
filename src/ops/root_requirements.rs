//! What a root module requires: its configuration, the modules it calls as far as they are installed, and its state.
//!
//! A call of a module that is not there is reported, and a state that a backend keeps is not read. A caller that would drop what nothing requires must not do so then
//! (`RootRequirements::is_complete`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::address::{ProviderAddr, Tool};
use crate::config::{ModuleProblem, ModuleWalk, OpenCall, RootModule, providers_in_state};
use crate::disk;
use crate::document::{LOCK_FILE_NAME, LockFileError, Locks, ParsedLocks};
use crate::ops::modules::install::start_walk;
use crate::ops::modules::place::ModulesPlace;
use crate::ops::{OpError, Reporter};
use crate::version::{ModuleVersion, VersionConstraints};

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

/// Reads the requirements of `root`, telling `reporter` what was left out: of modules from elsewhere those that
/// are installed are read.
///
/// # Errors
///
/// If there is no configuration, or configuration, record of modules or state cannot be read.
pub fn root_requirements(
    root: &RootModule,
    reporter: &dyn Reporter,
) -> Result<RootRequirements, OpError> {
    let InstalledTree {
        walk, completeness, ..
    } = InstalledTree::walk(root, reporter)?;
    requirements_of_tree(walk, completeness, root, reporter)
}

/// As [`root_requirements`], of the configuration alone.
///
/// # Errors
///
/// If there is no configuration, or it or the record of modules cannot be read.
pub(super) fn configuration_requirements(
    root: &RootModule,
    reporter: &dyn Reporter,
) -> Result<BTreeMap<ProviderAddr, VersionConstraints>, OpError> {
    Ok(requirements_and_calls(root, reporter)?.0)
}

/// As [`configuration_requirements`], with the calls of modules from elsewhere.
///
/// # Errors
///
/// As for [`configuration_requirements`].
pub(super) fn requirements_and_calls(
    root: &RootModule,
    reporter: &dyn Reporter,
) -> Result<
    (
        BTreeMap<ProviderAddr, VersionConstraints>,
        Vec<CalledModule>,
    ),
    OpError,
> {
    let tree = InstalledTree::walk(root, reporter)?;
    let required = requirements_of_calls(tree.walk, tree.completeness, root, reporter)?;
    Ok((required.requirements, tree.calls))
}

/// A call of a module from elsewhere.
pub(super) struct CalledModule {
    pub(super) call: OpenCall,
    /// The version that is installed from the same source, whether or not the call still allows it.
    pub(super) installed: Option<ModuleVersion>,
}

/// The modules of a root module, as far as they are installed.
struct InstalledTree {
    walk: ModuleWalk,
    completeness: Completeness,
    calls: Vec<CalledModule>,
}

impl InstalledTree {
    fn walk(root: &RootModule, reporter: &dyn Reporter) -> Result<Self, OpError> {
        let place = ModulesPlace::of(root);
        let manifest = place.read(root.tool)?;
        let mut walk = start_walk(root, reporter)?;
        let mut missing = Vec::new();
        let mut calls = Vec::new();
        walk.run(|call| {
            let record = manifest.records.get(&call.key);
            let record = record.filter(|it| place.is_dir(&it.dir));
            let record = record.filter(|it| it.source == call.source.to_string());
            calls.push(CalledModule {
                call: call.clone(),
                installed: record.and_then(|it| it.version.clone()),
            });
            let record = record.filter(|it| it.serves(&call.source, call.constraints.as_ref()));
            if record.is_none() {
                missing.push(not_installed(call));
            }
            record.map(|record| (record.dir.clone(), record.version.clone()))
        });
        for warning in &missing {
            reporter.warning(warning);
        }
        let completeness = if missing.is_empty() {
            Completeness::Whole
        } else {
            Completeness::ModulesMissing
        };
        Ok(Self {
            walk,
            completeness,
            calls,
        })
    }
}

/// The warning for a call whose module is not there to be read.
pub(super) fn not_installed(call: &OpenCall) -> String {
    format!(
        "module `{}` from `{}` is not installed, and providers that only it requires are left out ({})",
        call.key,
        call.source.shown(),
        call.place
    )
}

/// Whether all modules of a tree are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    /// Yes.
    Whole,
    /// No, and the user was told.
    ModulesMissing,
}

/// The requirements of a tree of modules that was walked.
///
/// # Errors
///
/// If a call in it is wrong, or the state cannot be read.
pub(super) fn requirements_of_tree(
    walk: ModuleWalk,
    completeness: Completeness,
    root: &RootModule,
    reporter: &dyn Reporter,
) -> Result<RootRequirements, OpError> {
    let root_scan = walk.modules.get("").map(|root| &root.scan);
    let has_backend = root_scan.is_some_and(|scan| scan.has_backend);
    let mut required = requirements_of_calls(walk, completeness, root, reporter)?;
    add_state(&mut required, has_backend, root, reporter)?;
    Ok(required)
}

/// The requirements of the configuration of a tree.
///
/// # Errors
///
/// If a call in it is wrong.
pub(super) fn requirements_of_calls(
    walk: ModuleWalk,
    completeness: Completeness,
    root: &RootModule,
    reporter: &dyn Reporter,
) -> Result<RootRequirements, OpError> {
    for warning in walk
        .modules
        .values()
        .flat_map(|module| &module.scan.warnings)
    {
        reporter.warning(warning);
    }
    let mut required = RootRequirements {
        requirements: walk.requirements(),
        lock_path: root.dir.join(LOCK_FILE_NAME),
        is_complete: completeness == Completeness::Whole,
    };
    for failure in walk.failures {
        // What a dynamic source leads to was told with the other warnings of its module.
        if failure.problem.is_dynamic() {
            required.is_complete = false;
            continue;
        }
        if let ModuleProblem::Scan(error) = failure.problem {
            return Err(error.into());
        }
        return Err(OpError::ModuleCall(Box::new(failure)));
    }
    Ok(required)
}

/// The state that a backend keeps is not read, so what only it uses is not known.
fn add_state(
    required: &mut RootRequirements,
    has_backend: bool,
    root: &RootModule,
    reporter: &dyn Reporter,
) -> Result<(), OpError> {
    let path = root.state_file().filter(|_| !has_backend);
    let Some(path) = path else {
        required.is_complete = false;
        return Ok(());
    };
    let state = providers_in_state(&path, root.tool)?;
    for warning in &state.warnings {
        reporter.warning(warning);
    }
    for addr in state.providers {
        required.requirements.entry(addr).or_default();
    }
    Ok(())
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
