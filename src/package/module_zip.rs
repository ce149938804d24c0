//! Zip archives of modules, read by the reader for packages of providers. Attacks: see `module_archive` and
//! `archive`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::archive::Archive;
use super::archive_error::ArchiveError;
use super::archive_walk::Place;
use super::module_archive_error::ModuleArchiveError;
use super::module_target::ModuleTarget;

const TYPE_MASK: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const LINK: u32 = 0o120_000;
/// What a link that is written as a file gets (facts 4.2).
const LINK_MODE: u32 = 0o777;
const DIRECTORY_MODE: u32 = 0o755;

/// Unpacks the archive at `path` into `target`.
pub(super) fn unpack(path: &Path, target: &mut ModuleTarget<'_>) -> Result<(), ModuleArchiveError> {
    let archive = Archive::open(path)?;
    // What it declares is what it holds: the walk makes sure of that.
    target.add_bytes(archive.size())?;
    let mut opened = Vec::with_capacity(archive.entries().len());
    for entry in archive.entries() {
        target.count_entry()?;
        opened.push(if entry.is_directory() {
            target.directory(&entry.name, DIRECTORY_MODE)?;
            None
        } else {
            let mode = match entry.mode & TYPE_MASK {
                REGULAR | 0 => entry.mode,
                LINK => LINK_MODE,
                _ => {
                    return Err(ModuleArchiveError::Special {
                        entry: entry.display(),
                    });
                }
            };
            // Made at once and opened again later: a hundred thousand cannot be open together.
            Some(target.open(&entry.name, mode)?.0)
        });
    }
    let mut place = Opened { paths: &opened };
    archive.walk(&mut place)?;
    Ok(())
}

/// The files that were made for the entries.
struct Opened<'o> {
    paths: &'o [Option<PathBuf>],
}

impl Opened<'_> {
    fn path(&self, index: usize) -> &Path {
        self.paths[index].as_deref().unwrap_or(Path::new(""))
    }
}

impl Place for Opened<'_> {
    type Writer = File;

    fn open(&mut self, index: usize) -> Result<File, ArchiveError> {
        let path = self.path(index);
        writable(path).map_err(|source| self.failed(index, source))
    }

    fn failed(&self, index: usize, source: io::Error) -> ArchiveError {
        ArchiveError::Write {
            path: self.path(index).to_owned(),
            source,
        }
    }
}

/// Opens a file of ours for writing, even if its mode denies that.
fn writable(path: &Path) -> io::Result<File> {
    let open = || {
        std::fs::OpenOptions::new()
            .write(true)
            .truncate(true)
            .open(path)
    };
    match open() {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            let permissions = path.metadata()?.permissions();
            make_writable(path)?;
            let file = open()?;
            std::fs::set_permissions(path, permissions)?;
            Ok(file)
        }
        other => other,
    }
}

#[cfg(unix)]
fn make_writable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn make_writable(_: &Path) -> io::Result<()> {
    Ok(())
}
