//! Why a module could not be installed.

use crate::address::ModuleAddr;
use crate::disk::DiskError;
use crate::document::PackageIdentity;
use crate::failure::{ExitCode, Failure};
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
    /// Another package than the one that is known to be the right one.
    #[error("its package is {got}, expected {expected}")]
    OtherPackage {
        /// What was fetched; nothing of it was placed.
        got: PackageIdentity,
        /// What it must be.
        expected: PackageIdentity,
    },
    /// Another call wanted the same package, and getting it failed there.
    #[error("its package could not be had for module `{0}` either")]
    SamePackage(String),
}

impl Failure for ModuleInstallError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Registry(source) => source.exit_code(),
            Self::NoMatchingVersion { .. } => ExitCode::NotFound,
            Self::Fetch(source) => source.exit_code(),
            Self::Disk(source) => source.exit_code(),
            Self::OtherPackage { .. } => ExitCode::Verification,
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
            Self::OtherPackage { .. } | Self::SamePackage(_) => Vec::new(),
        }
    }
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
