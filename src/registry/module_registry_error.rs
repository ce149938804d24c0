//! What can go wrong while asking a module registry.

use crate::address::ModuleAddr;
use crate::failure::{ExitCode, Failure};
use crate::registry::CallError;
use crate::registry::call_error::fault_of_registry;
use crate::secret::ShownUrl;
use crate::version::ModuleVersion;

/// Why a module registry's answer is not to be had or not usable.
#[derive(Debug, thiserror::Error)]
pub enum ModuleRegistryError {
    /// It gave no usable answer.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The registry does not know the module.
    #[error("the registry of `{}` has no module `{addr}` (404 from `{url}`)", addr.hostname())]
    NoSuchModule {
        /// The module.
        addr: Box<ModuleAddr>,
        /// The URL asked.
        url: ShownUrl,
    },
    /// The registry answers with an empty list of modules.
    #[error("the registry's answer for module `{addr}` names no module")]
    NoModuleInAnswer {
        /// The module.
        addr: Box<ModuleAddr>,
    },
    /// The registry has no package for a version that it lists.
    #[error("the registry has no package of module `{addr}` {version}")]
    NoSuchVersion {
        /// The module.
        addr: Box<ModuleAddr>,
        /// The version.
        version: Box<ModuleVersion>,
    },
    /// The location is none, or none that may be fetched.
    #[error(
        "the registry's location `{got}` of module `{addr}` {version} cannot be used: {reason}"
    )]
    Location {
        /// The module.
        addr: Box<ModuleAddr>,
        /// The version.
        version: Box<ModuleVersion>,
        /// The location, cut short if long.
        got: String,
        /// Why.
        reason: &'static str,
    },
}

impl Failure for ModuleRegistryError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Call(source) => source.exit_code(),
            Self::NoSuchModule { .. } | Self::NoSuchVersion { .. } => ExitCode::NotFound,
            Self::NoModuleInAnswer { .. } | Self::Location { .. } => ExitCode::Remote,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Call(source) => source.hints(),
            Self::NoSuchModule { addr, .. } => vec![format!(
                "check the address; a private registry may also hide `{addr}` from requests without a token"
            )],
            Self::NoModuleInAnswer { .. } | Self::NoSuchVersion { .. } | Self::Location { .. } => {
                fault_of_registry()
            }
        }
    }
}
