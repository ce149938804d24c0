//! Why a module could not be mirrored.

use std::path::PathBuf;

use crate::address::PackagePlaceError;
use crate::disk::DiskError;
use crate::failure::{ExitCode, Failure};
use crate::hash::Sha256Digest;
use crate::ops::{ModuleInstallError, ModuleMismatch};
use crate::package::ModulePackError;
use crate::source::ModuleFetchError;
use crate::store::StoreError;

/// Why a module could not be mirrored.
#[derive(Debug, thiserror::Error)]
pub enum ModuleMirrorError {
    /// It could not be had.
    #[error(transparent)]
    Get(Box<ModuleInstallError>),
    /// The mirror has no place for its package.
    #[error(transparent)]
    Place(#[from] PackagePlaceError),
    /// Something else is kept where its package belongs.
    #[error("the mirror keeps `{kept}` at its place `{place}`")]
    Taken {
        /// The place in the mirror.
        place: String,
        /// What is there.
        kept: String,
    },
    /// The origin has another package under the name than the mirror knows.
    #[error(
        "its package is another one now: SHA-256 `{got}`, and the mirror's evidence names `{expected}`"
    )]
    Replaced {
        /// The digest of what came.
        got: Sha256Digest,
        /// That of the evidence.
        expected: Sha256Digest,
        /// The directory or file that the evidence is about.
        place: PathBuf,
    },
    /// A registry or a fetched module names a place on this machine's disk.
    #[error("what was fetched names a place on this machine's disk")]
    OnDisk,
    /// Its files cannot be packed.
    #[error(transparent)]
    Pack(#[from] ModulePackError),
    /// It cannot be put into the mirror.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ModuleMirrorError {
    /// How the package differs from the locked one, if that is what is wrong.
    pub(super) fn mismatch(&self) -> Option<&ModuleMismatch> {
        let Self::Get(source) = self else {
            return None;
        };
        let ModuleInstallError::LockMismatch(mismatch) = &**source else {
            return None;
        };
        Some(mismatch)
    }
}

impl From<ModuleInstallError> for ModuleMirrorError {
    fn from(source: ModuleInstallError) -> Self {
        Self::Get(Box::new(source))
    }
}

impl From<ModuleFetchError> for ModuleMirrorError {
    fn from(source: ModuleFetchError) -> Self {
        ModuleInstallError::from(source).into()
    }
}

impl From<DiskError> for ModuleMirrorError {
    fn from(source: DiskError) -> Self {
        Self::Store(source.into())
    }
}

impl Failure for ModuleMirrorError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Get(source) => source.exit_code(),
            Self::Pack(source) => source.exit_code(),
            Self::Store(source) => source.exit_code(),
            Self::Place(_) | Self::Taken { .. } => ExitCode::Local,
            Self::Replaced { .. } => ExitCode::Verification,
            Self::OnDisk => ExitCode::Remote,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Get(source) => source.hints(),
            Self::Pack(source) => source.hints(),
            Self::Store(source) => source.hints(),
            Self::Taken { .. } => vec![
                "a plain web server cannot tell the two apart; mirror one of them into another directory"
                    .to_owned(),
            ],
            Self::Replaced { place, .. } => vec![format!(
                "ask the publisher why; to take the new one all the same, delete `{}` and its evidence first",
                place.display()
            )],
            Self::Place(_) | Self::OnDisk => Vec::new(),
        }
    }
}
