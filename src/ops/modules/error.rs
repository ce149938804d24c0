//! Why a module could not be installed.

use std::fmt;

use crate::address::ModuleAddr;
use crate::disk::DiskError;
use crate::document::{LockedModule, MODULE_LOCK_NAME};
use crate::failure::{ExitCode, Failure};
use crate::ops::{ModuleMismatch, OtherDirectory};
use crate::package::DirectoryHashError;
use crate::registry::ModuleRegistryError;
use crate::source::ModuleFetchError;
use crate::version::{ModuleConstraints, ModuleVersion};

/// Why a module could not be installed.
#[derive(Debug, thiserror::Error)]
pub enum ModuleInstallError {
    /// Its registry could not be asked, or gave no usable answer.
    #[error(transparent)]
    Registry(#[from] ModuleRegistryError),
    /// No version will do.
    #[error("{}", no_matching_version(addr, constraints, newest.as_ref()))]
    NoMatchingVersion {
        /// The module.
        addr: Box<ModuleAddr>,
        /// What was asked for.
        constraints: ModuleConstraints,
        /// The newest version that could be chosen, if any.
        newest: Option<ModuleVersion>,
    },
    /// Its package could not be had.
    #[error(transparent)]
    Fetch(#[from] ModuleFetchError),
    /// It could not be placed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// Its package is not the locked one.
    #[error(transparent)]
    LockMismatch(Box<ModuleMismatch>),
    /// It is another directory of its package than the locked one.
    #[error(transparent)]
    OtherDirectory(#[from] Box<OtherDirectory>),
    /// Under `--locked`, it is not locked, or something else is.
    #[error("{gap}")]
    NotLocked {
        /// What the lock lacks.
        gap: ModuleLockGap,
    },
    /// Its files cannot be compared with the lock.
    #[error("its files cannot be compared with what is locked")]
    Hash(#[from] DirectoryHashError),
    /// Another call wanted the same package, and getting it failed there.
    #[error("its package could not be had for module `{0}` either")]
    SamePackage(String),
}

/// What a module lock does not say of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModuleLockGap {
    /// Anything.
    Absent,
    /// It is of another source, or of a version that the call does not allow.
    Other(Box<LockedModule>),
    /// What the package is.
    Incomplete,
}

impl ModuleInstallError {
    /// Whether `--offline` alone kept it from being had.
    pub(in crate::ops) fn is_offline(&self) -> bool {
        matches!(self, Self::Fetch(ModuleFetchError::Offline))
    }

    /// Whether the package could be had, and does not fit what is locked.
    pub(in crate::ops) fn is_about_lock(&self) -> bool {
        match self {
            Self::LockMismatch(_)
            | Self::OtherDirectory(_)
            | Self::NotLocked { .. }
            | Self::Hash(_) => true,
            Self::Registry(_)
            | Self::NoMatchingVersion { .. }
            | Self::Fetch(_)
            | Self::Disk(_)
            | Self::SamePackage(_) => false,
        }
    }
}

impl Failure for ModuleInstallError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Registry(source) => source.exit_code(),
            Self::NoMatchingVersion { .. } => ExitCode::NotFound,
            Self::Fetch(source) => source.exit_code(),
            Self::Disk(source) => source.exit_code(),
            Self::LockMismatch(_) | Self::OtherDirectory(_) => ExitCode::Verification,
            Self::NotLocked { .. } => ExitCode::Difference,
            Self::Hash(source) => source.exit_code(),
            Self::SamePackage(_) => ExitCode::Local,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Registry(source) => source.hints(),
            Self::NoMatchingVersion { addr, .. } => {
                vec![format!(
                    "list what there is with `provender versions {addr}`"
                )]
            }
            Self::Fetch(source) => source.hints(),
            Self::Disk(source) => source.hints(),
            Self::LockMismatch(mismatch) => vec![mismatch_hint(mismatch)],
            Self::OtherDirectory(_) => vec![CHANGED.to_owned()],
            Self::NotLocked { .. } => {
                vec!["lock it with `provender lock`, and commit the file".to_owned()]
            }
            Self::Hash(source) => source.hints(),
            Self::SamePackage(_) => Vec::new(),
        }
    }
}

impl fmt::Display for ModuleLockGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{MODULE_LOCK_NAME}` ")?;
        match self {
            Self::Absent => f.write_str("does not have it, and `--locked` takes nothing else"),
            Self::Other(locked) => {
                write!(f, "has it from `{}`", locked.source)?;
                if let Some(version) = &locked.version {
                    write!(f, " {version}")?;
                }
                f.write_str(", which is not what the call asks for")
            }
            Self::Incomplete => {
                f.write_str("has it without the `commit` or `archive` that its package is")
            }
        }
    }
}

/// What to do about a package that is not what it was.
const CHANGED: &str = "find out from the publisher why it has changed; if that is as it should be, lock it anew with `provender lock --upgrade`";

fn mismatch_hint(mismatch: &ModuleMismatch) -> String {
    match &mismatch.identity {
        Some(_) => CHANGED,
        None => "if nobody here has changed the files, find out who has; `provender verify --fix` installs them anew as they were locked",
    }
    .to_owned()
}

fn no_matching_version(
    addr: &ModuleAddr,
    constraints: &ModuleConstraints,
    newest: Option<&ModuleVersion>,
) -> String {
    match newest {
        None => format!("the registry offers no version of module `{addr}`"),
        Some(newest) => {
            format!("no version of module `{addr}` meets `{constraints}`; the newest is {newest}")
        }
    }
}
