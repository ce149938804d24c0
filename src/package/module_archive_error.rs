//! Why the archive of a module is refused.

use std::io;
use std::path::PathBuf;

use super::archive_error::ArchiveError;
use super::module_format::ModuleFormat;
use crate::disk;
use crate::failure::{ExitCode, Failure};

/// Why the archive of a module cannot be unpacked. Entry names are escaped and shortened.
#[derive(Debug, thiserror::Error)]
pub enum ModuleArchiveError {
    /// The file cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The archive.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file or directory cannot be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// What was to be written.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Not what its name says, or damaged.
    #[error("the archive is no intact {format} file")]
    Damaged {
        /// What it should be.
        format: ModuleFormat,
        /// What the reader found.
        source: io::Error,
    },
    /// A zip archive that is refused.
    #[error(transparent)]
    Zip {
        /// Why.
        source: Box<ArchiveError>,
    },
    /// No file in it.
    #[error("the archive has no files")]
    Empty,
    /// A name that cannot be a path below the module.
    #[error("the archive has an entry `{entry}`, whose name {problem}")]
    Name {
        /// The entry.
        entry: String,
        /// What is wrong; completes "whose name".
        problem: &'static str,
    },
    /// A device, a pipe, a sparse file.
    #[error("the archive has an entry `{entry}`, which is neither file nor directory nor link")]
    Special {
        /// The entry.
        entry: String,
    },
    /// Extended headers that contradict the plain ones, or are too large.
    #[error("the archive has an extended header that is not usable")]
    Extension,
    /// More bytes than allowed.
    #[error("the archive holds more than {limit} bytes")]
    TooLarge {
        /// How many may be.
        limit: u64,
    },
    /// More entries than allowed.
    #[error("the archive holds more than {limit} entries")]
    TooManyEntries {
        /// How many may be.
        limit: usize,
    },
}

impl Failure for ModuleArchiveError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Read { .. } | Self::Write { .. } => ExitCode::Local,
            Self::Zip { source } => source.exit_code(),
            Self::Damaged { .. }
            | Self::Empty
            | Self::Name { .. }
            | Self::Special { .. }
            | Self::Extension
            | Self::TooLarge { .. }
            | Self::TooManyEntries { .. } => ExitCode::Verification,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Read { source, .. } | Self::Write { source, .. } => {
                disk::hint(source).map(str::to_owned).into_iter().collect()
            }
            Self::Zip { source } => source.hints(),
            Self::Damaged { format, .. } => vec![format!(
                "if the server sends another format than `{format}`, say which with `?archive=FORMAT` in the source"
            )],
            Self::Empty
            | Self::Name { .. }
            | Self::Special { .. }
            | Self::Extension
            | Self::TooLarge { .. }
            | Self::TooManyEntries { .. } => Vec::new(),
        }
    }
}
