//! Why a store cannot be read or written.

use std::path::PathBuf;

use crate::disk::DiskError;
use crate::document::JsonDocumentError;
use crate::failure::{ExitCode, Failure};
use crate::hash::Sha256Digest;
use crate::package::{ArchiveError, DirectoryHashError};

/// Why a store cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The archive is not unpacked.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// An installed directory cannot be hashed.
    #[error(transparent)]
    DirectoryHash(#[from] DirectoryHashError),
    /// A JSON document of the mirror cannot be understood.
    #[error("cannot use `{}`", path.display())]
    Document {
        /// The document.
        path: PathBuf,
        /// Why.
        #[source]
        source: JsonDocumentError,
    },
    /// What is offered of a version is not what the mirror has of it.
    #[error("{}", replacement(filename, got.as_ref(), expected))]
    Replaced {
        /// The registry's name of the file.
        filename: String,
        /// The digest that the source announces; `None` if it does not list the file any longer.
        got: Option<Sha256Digest>,
        /// That of the evidence, or of the signed document beside it.
        expected: Sha256Digest,
    },
}

fn replacement(filename: &str, got: Option<&Sha256Digest>, expected: &Sha256Digest) -> String {
    let expected = format!("the mirror's evidence names `{expected}` for `{filename}`");
    match got {
        Some(got) => format!("the source announces SHA-256 `{got}`, and {expected}"),
        None => format!("the source no longer lists the file, and {expected}"),
    }
}

impl StoreError {
    /// Whether a file or directory could not be read or written, and nothing is wrong with the package.
    pub fn is_about_disk(&self) -> bool {
        match self {
            Self::Disk(_) => true,
            Self::Archive(error) => matches!(error, ArchiveError::Write { .. }),
            Self::DirectoryHash(_) | Self::Document { .. } | Self::Replaced { .. } => false,
        }
    }
}

impl Failure for StoreError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Disk(source) => source.exit_code(),
            Self::Archive(source) => source.exit_code(),
            Self::DirectoryHash(source) => source.exit_code(),
            Self::Document { .. } => ExitCode::Local,
            Self::Replaced { .. } => ExitCode::Verification,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Disk(source) => source.hints(),
            Self::Archive(source) => source.hints(),
            Self::DirectoryHash(source) => source.hints(),
            Self::Document { path, .. } => vec![format!(
                "if nothing else wrote it on purpose, delete `{}` and run the command again: it is made anew",
                path.display()
            )],
            Self::Replaced { .. } => vec![
                "the release was made anew: ask the publisher why, then delete its evidence and mirror it anew, or bring back the old package from a copy".to_owned(),
            ],
        }
    }
}
