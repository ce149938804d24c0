//! Why a source cannot answer.

use crate::document::PackageId;
use crate::failure::{ExitCode, Failure};
use crate::package::SignatureError;
use crate::registry::RegistryError;

/// Why a source cannot answer.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The registry did not answer as it should.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The SHA256SUMS document is not signed as it must be.
    #[error("the SHA256SUMS document of `{}` {} is not authentic", id.addr, id.version)]
    Signature {
        /// The package whose proof it is.
        id: Box<PackageId>,
        /// What is wrong.
        #[source]
        source: SignatureError,
    },
    /// `--offline` forbids to ask.
    #[error(
        "the registry is not asked under `--offline`, and what is on this machine does not suffice"
    )]
    Offline,
}

impl SourceError {
    /// Whether the source says that the version exists, but not for the platform asked for.
    pub fn is_missing_platform(&self) -> bool {
        match self {
            Self::Registry(error) => matches!(error, RegistryError::PlatformNotPublished { .. }),
            Self::Signature { .. } | Self::Offline => false,
        }
    }
}

impl Failure for SourceError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Registry(error) => error.exit_code(),
            Self::Signature { source, .. } => source.exit_code(),
            Self::Offline => ExitCode::NotFound,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Registry(error) => error.hints(),
            Self::Signature { source, .. } => source.hints(),
            Self::Offline => vec![
                "run the command once without `--offline`; what a lock file then selects and the package cache holds needs no network any more".to_owned(),
            ],
        }
    }
}
