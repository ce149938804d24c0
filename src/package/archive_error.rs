//! Why an archive is refused.

use std::io;
use std::path::PathBuf;

use crate::disk;
use crate::failure::{ExitCode, Failure};

/// What is wrong with the name of an archive entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameProblem {
    /// Nothing in it names a file.
    #[error("is empty")]
    Empty,
    /// Longer or deeper than any path needs to be.
    #[error("is too long")]
    TooLong,
    /// Other bytes than UTF-8: such a name cannot be had on every platform.
    #[error("is not UTF-8")]
    NotUtf8,
    /// A line feed, NUL or another control character.
    #[error("holds a control character")]
    ControlCharacter,
    /// A backslash, which separates directories on some platforms.
    #[error("holds a backslash")]
    Backslash,
    /// A path from the root of a file system, or of a drive.
    #[error("is absolute")]
    Absolute,
    /// A `..` component.
    #[error("leads out of its directory")]
    Traversal,
    /// Not possible on Windows; only refused there.
    #[error("is not possible on this platform")]
    NotHere,
}

/// Why an archive cannot be hashed, inspected or unpacked. Entry names are escaped and shortened.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
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
    /// The directory to unpack into holds something.
    #[error("`{}` is not empty", path.display())]
    DestinationNotEmpty {
        /// The directory.
        path: PathBuf,
    },
    /// Not a zip archive, or one that is cut off or contradicts itself.
    #[error("the archive is no intact zip file")]
    NoZip {
        /// The archive.
        path: PathBuf,
        /// What the reader found.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The directory of the archive has fewer or more entries than its end record says.
    #[error("the archive lists {got} entries and declares {declared}")]
    EntryCount {
        /// Entries found.
        got: u64,
        /// Entries declared.
        declared: u64,
    },
    /// No entries at all.
    #[error("the archive is empty")]
    Empty,
    /// More entries than any package has.
    #[error("the archive has more than {limit} entries")]
    TooManyEntries {
        /// The limit.
        limit: u64,
    },
    /// The names together are longer than any package needs.
    #[error("the names of the archive's entries are longer than {limit} bytes together")]
    TooMuchText {
        /// The limit in bytes.
        limit: usize,
    },
    /// Inflated, the archive is larger than any package.
    #[error("the archive declares more than {limit} bytes of content")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// Two entries share bytes of the archive.
    #[error("the content of entry `{entry}` overlaps another entry's")]
    Overlap {
        /// The entry.
        entry: String,
    },
    /// The two places where the archive names an entry differ.
    #[error("the archive calls one entry both `{entry}` and `{local}`")]
    NamesDiffer {
        /// The name in the directory of the archive.
        entry: String,
        /// The name before the content.
        local: String,
    },
    /// The content is encrypted.
    #[error("entry `{entry}` is encrypted")]
    Encrypted {
        /// The entry.
        entry: String,
    },
    /// A compression method other than stored and deflated.
    #[error("entry `{entry}` uses the unsupported compression method {method}")]
    UnsupportedMethod {
        /// The entry.
        entry: String,
        /// The number of the method.
        method: u16,
    },
    /// The content cannot be inflated.
    #[error("the content of entry `{entry}` is damaged")]
    Damaged {
        /// The entry.
        entry: String,
        /// What the decoder found.
        source: io::Error,
    },
    /// The content is not as long as declared.
    #[error("entry `{entry}` declares {declared} bytes and has {}", or_more(*got, *declared))]
    SizeMismatch {
        /// The entry.
        entry: String,
        /// Bytes found; one more than declared if reading stopped there.
        got: u64,
        /// Bytes declared.
        declared: u64,
    },
    /// The content does not have the declared checksum.
    #[error("entry `{entry}` has CRC-32 {got:08x}, declared is {declared:08x}")]
    ChecksumMismatch {
        /// The entry.
        entry: String,
        /// The checksum found.
        got: u32,
        /// The checksum declared.
        declared: u32,
    },
    /// A name that must not be used as a path.
    #[error("the name of entry `{entry}` {problem}")]
    HostileName {
        /// The entry.
        entry: String,
        /// What is wrong.
        problem: NameProblem,
    },
    /// A link, device or other thing that is neither file nor directory.
    #[error("entry `{entry}` is neither a file nor a directory")]
    SpecialEntry {
        /// The entry.
        entry: String,
    },
    /// Two entries that are one on some file systems, or a file where another entry needs a
    /// directory.
    #[error("entries `{entry}` and `{other}` exclude each other")]
    Collision {
        /// The later entry.
        entry: String,
        /// The earlier one.
        other: String,
    },
    /// The plugin itself is not in the package.
    #[error("the archive holds no executable named `terraform-provider-{ty}`")]
    NoExecutable {
        /// The provider's type.
        ty: String,
    },
}

impl Failure for ArchiveError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Read { .. } | Self::Write { .. } | Self::DestinationNotEmpty { .. } => {
                ExitCode::Local
            }
            Self::NoZip { .. }
            | Self::EntryCount { .. }
            | Self::Empty
            | Self::TooManyEntries { .. }
            | Self::TooMuchText { .. }
            | Self::TooLarge { .. }
            | Self::Overlap { .. }
            | Self::NamesDiffer { .. }
            | Self::Encrypted { .. }
            | Self::UnsupportedMethod { .. }
            | Self::Damaged { .. }
            | Self::SizeMismatch { .. }
            | Self::ChecksumMismatch { .. }
            | Self::HostileName { .. }
            | Self::SpecialEntry { .. }
            | Self::Collision { .. }
            | Self::NoExecutable { .. } => ExitCode::Verification,
        }
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::Read { source, .. } | Self::Write { source, .. } => disk::hint(source),
            Self::DestinationNotEmpty { .. } => None,
            Self::NoZip { .. }
            | Self::EntryCount { .. }
            | Self::Empty
            | Self::TooManyEntries { .. }
            | Self::TooMuchText { .. }
            | Self::TooLarge { .. }
            | Self::Overlap { .. }
            | Self::NamesDiffer { .. }
            | Self::Encrypted { .. }
            | Self::UnsupportedMethod { .. }
            | Self::Damaged { .. }
            | Self::SizeMismatch { .. }
            | Self::ChecksumMismatch { .. }
            | Self::HostileName { .. }
            | Self::SpecialEntry { .. }
            | Self::Collision { .. }
            | Self::NoExecutable { .. } => Some(
                "the package was published like this, or damaged where it lay: do not use it, and tell who gave it",
            ),
        };
        hint.map(str::to_owned).into_iter().collect()
    }
}

fn or_more(got: u64, declared: u64) -> String {
    if got > declared {
        "more".to_owned()
    } else {
        got.to_string()
    }
}
