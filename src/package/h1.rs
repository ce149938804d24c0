//! The `h1:` hash of a package (facts/providers 4.3 to 4.7): of an archive and of a directory.
//!
//! The two differ where an archive has directory entries, `./`, doubled slashes or duplicate names
//! (facts 4.6). Lock files hold the directory's value, mirror indexes the archive's.
//!
//! Attacks and answers, for archives see `archive`:
//! - a file name with a line feed, which would forge lines of the hashed text: refused;
//! - a link out of the directory to another directory, a broken link, a pipe or device that never
//!   ends: refused. A link to a file counts with that file's content, wherever it is: the tools do
//!   so, and the content is what is hashed.

use std::collections::HashMap;
use std::fmt::{Display, Write as _};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::disk::ReadBuffer;
use crate::failure::{ExitCode, Failure};
use crate::hash::{PackageHash, Sha256Digest};

use super::archive::{Archive, Entry};
use super::archive_error::ArchiveError;
use super::archive_walk::Nowhere;

/// Why a directory has no `h1:` hash.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryHashError {
    /// Something in it cannot be read; also a link that leads nowhere.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// What cannot be read.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A link to a directory, a pipe, a device.
    #[error("`{}` is no file", path.display())]
    NoFile {
        /// What it is about.
        path: PathBuf,
    },
    /// A name that cannot stand in the hashed text.
    #[error("the name {:?} cannot be hashed", path.display().to_string())]
    Name {
        /// The file.
        path: PathBuf,
    },
}

impl Failure for DirectoryHashError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Read { .. } => ExitCode::Local,
            Self::NoFile { .. } | Self::Name { .. } => ExitCode::Verification,
        }
    }
}

/// Computes the `h1:` hash of an archive (facts 4.5).
///
/// Every entry of the archive's directory counts under its raw name. A name that occurs twice is
/// listed twice, both times with the content of the last. Whether the archive can be unpacked does
/// not matter.
///
/// # Errors
/// [`ArchiveError`] if it cannot be read or is no sound archive.
pub fn h1_of_zip(path: &Path) -> Result<PackageHash, ArchiveError> {
    let archive = Archive::open(path)?;
    let digests = archive.walk(&mut Nowhere)?;
    Ok(h1_of_entries(archive.entries(), &digests))
}

/// Computes the `h1:` hash of a directory (facts 4.4).
///
/// # Errors
/// [`DirectoryHashError`] if something in it cannot be read, or is neither a file nor a directory.
pub fn h1_of_directory(path: &Path) -> Result<PackageHash, DirectoryHashError> {
    let read = |source| DirectoryHashError::Read {
        path: path.to_owned(),
        source,
    };
    let root = fs::canonicalize(path).map_err(read)?;
    let mut buffer = ReadBuffer::new(ReadBuffer::USUAL);
    let mut lines = Vec::new();
    for file in files_below(&root)? {
        let name = name_below(&root, &file)
            .ok_or_else(|| DirectoryHashError::Name { path: file.clone() })?;
        lines.push((name, digest_of_file(&file, &mut buffer)?));
    }
    Ok(h1_of_lines(lines))
}

/// The hash of an archive from the digests of its entries, which are in the same order.
pub(super) fn h1_of_entries(entries: &[Entry], digests: &[Sha256Digest]) -> PackageHash {
    let named = entries.iter().map(|entry| entry.name.as_slice());
    let last: HashMap<&[u8], Sha256Digest> = named.clone().zip(digests.iter().copied()).collect();
    h1_of_lines(
        named
            .filter_map(|name| Some((name, *last.get(name)?)))
            .collect(),
    )
}

/// The hash over one line per file, sorted by name as bytes (facts 4.3): what is said of its content, two
/// spaces, its name. Names are free of line feeds.
pub(super) fn h1_of_lines<N: AsRef<[u8]>, C: Display>(mut lines: Vec<(N, C)>) -> PackageHash {
    lines.sort_by(|(one, _), (other, _)| one.as_ref().cmp(other.as_ref()));
    let mut hash = Sha256::new();
    let mut column = String::with_capacity(72);
    for (name, content) in &lines {
        column.clear();
        _ = write!(column, "{content}  ");
        hash.update(column.as_bytes());
        hash.update(name.as_ref());
        hash.update(b"\n");
    }
    PackageHash::h1(Sha256Digest(hash.finalize().into()))
}

/// Everything below a directory that is no directory, hidden files too; links are not followed.
fn files_below(root: &Path) -> Result<Vec<PathBuf>, DirectoryHashError> {
    let mut files = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        let read = |source| DirectoryHashError::Read {
            path: directory.clone(),
            source,
        };
        for entry in fs::read_dir(&directory).map_err(read)? {
            let entry = entry.map_err(read)?;
            if entry.file_type().map_err(read)?.is_dir() {
                directories.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    Ok(files)
}

pub(super) fn digest_of_file(
    path: &Path,
    buffer: &mut [u8],
) -> Result<Sha256Digest, DirectoryHashError> {
    let read = |source| DirectoryHashError::Read {
        path: path.to_owned(),
        source,
    };
    // Asked before opening, because opening a pipe waits for a writer.
    if !fs::metadata(path).map_err(read)?.is_file() {
        return Err(DirectoryHashError::NoFile {
            path: path.to_owned(),
        });
    }
    let mut file = File::open(path).map_err(read)?;
    let mut hash = Sha256::new();
    loop {
        match file.read(buffer) {
            Ok(0) => return Ok(Sha256Digest(hash.finalize().into())),
            Ok(count) => hash.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(read(error)),
        }
    }
}

/// The name of a file below a directory, with `/` between its parts; any bytes on Unix, text
/// elsewhere.
pub(super) fn name_below(root: &Path, file: &Path) -> Option<Vec<u8>> {
    let mut name = Vec::new();
    for component in file.strip_prefix(root).ok()?.components() {
        if !name.is_empty() {
            name.push(b'/');
        }
        name.extend_from_slice(component_bytes(component.as_os_str())?);
    }
    (!name.contains(&b'\n')).then_some(name)
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere a name can be no text")]
pub(super) fn component_bytes(component: &std::ffi::OsStr) -> Option<&[u8]> {
    Some(std::os::unix::ffi::OsStrExt::as_bytes(component))
}

#[cfg(not(unix))]
pub(super) fn component_bytes(component: &std::ffi::OsStr) -> Option<&[u8]> {
    component.to_str().map(str::as_bytes)
}
