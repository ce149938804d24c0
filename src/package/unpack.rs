//! Inspecting a package without writing it, and unpacking it into a new directory; both in one pass
//! over the content.
//!
//! Attacks and answers are those of `archive` and `layout`. Beyond them: nothing is written unless
//! every name of the archive was found fit before; files are created new, never opened, so that
//! nothing that stands there already is followed or overwritten.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::require_space;
use crate::hash::{PackageHash, Sha256Digest};

use super::archive::Archive;
use super::archive_error::ArchiveError;
use super::archive_walk::{Nowhere, Place};
use super::h1::h1_of_entries;
use super::layout::{Item, Kind, Layout};

/// What one pass over a package finds out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageContents {
    /// The `h1:` hash of the archive, for mirror indexes (facts/providers 4.5).
    pub h1_zip: PackageHash,
    /// The `h1:` hash of the unpacked directory, for lock files (facts 4.4).
    pub h1_directory: PackageHash,
    /// The bytes of all files together.
    pub unpacked_size: u64,
    /// How many files there are.
    pub file_count: usize,
    /// The path of the plugin below the package's root.
    pub executable: String,
}

/// Finds out what [`unpack`] would, and refuses what it would refuse, without writing anything.
///
/// # Errors
/// [`ArchiveError`] if the archive cannot be read, is not sound, is hostile, or is no package of a
/// provider of type `ty`.
pub fn inspect(path: &Path, ty: &str) -> Result<PackageContents, ArchiveError> {
    let archive = Archive::open(path)?;
    let layout = Layout::of(&archive, ty)?;
    let digests = archive.walk(&mut Nowhere)?;
    Ok(contents(&archive, &layout, &digests))
}

/// Unpacks the archive of a provider of type `ty` into `dest`, which must be empty or absent.
///
/// Files get mode 0755 if the archive has them executable, else 0644; the plugin is executable in
/// any case. After an error `dest` may hold a part of the package: unpack into a temporary
/// directory and rename it.
///
/// # Errors
/// [`ArchiveError`] as for [`inspect`], if `dest` is not empty, or if something cannot be written.
pub fn unpack(path: &Path, dest: &Path, ty: &str) -> Result<PackageContents, ArchiveError> {
    let archive = Archive::open(path)?;
    let layout = Layout::of(&archive, ty)?;
    prepare(dest)?;
    make_room(dest, archive.size())?;
    for item in &layout.items {
        make_directories(dest, item)?;
    }
    let mut target = Target {
        dest,
        items: &layout.items,
    };
    let digests = archive.walk(&mut target)?;
    Ok(contents(&archive, &layout, &digests))
}

fn contents(archive: &Archive, layout: &Layout, digests: &[Sha256Digest]) -> PackageContents {
    PackageContents {
        h1_zip: h1_of_entries(archive.entries(), digests),
        h1_directory: layout.h1(digests),
        unpacked_size: archive.size(),
        file_count: layout.file_count(),
        executable: layout.executable.clone(),
    }
}

/// Makes sure that there is an empty directory.
fn prepare(dest: &Path) -> Result<(), ArchiveError> {
    let write = |source| ArchiveError::Write {
        path: dest.to_owned(),
        source,
    };
    fs::create_dir_all(dest).map_err(write)?;
    match fs::read_dir(dest).map_err(write)?.next() {
        None => Ok(()),
        Some(_) => Err(ArchiveError::DestinationNotEmpty {
            path: dest.to_owned(),
        }),
    }
}

/// Makes sure that the disk has room for `bytes`, before it is filled with a part of them.
fn make_room(dest: &Path, bytes: u64) -> Result<(), ArchiveError> {
    require_space(dest, bytes).map_err(|error| ArchiveError::Write {
        path: error.path,
        source: error.source,
    })
}

/// Makes the directory that an item is, or the one that it lies in.
fn make_directories(dest: &Path, item: &Item) -> Result<(), ArchiveError> {
    let path = dest.join(&item.path);
    let directory = match item.kind {
        Kind::Directory => path.as_path(),
        Kind::File { .. } => path.parent().unwrap_or(dest),
    };
    fs::create_dir_all(directory).map_err(|source| ArchiveError::Write {
        path: directory.to_owned(),
        source,
    })
}

/// The new directory that contents are written to.
struct Target<'a> {
    dest: &'a Path,
    items: &'a [Item],
}

impl Place for Target<'_> {
    type Writer = File;

    fn open(&mut self, index: usize) -> Result<File, ArchiveError> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        set_mode(&mut options, self.items[index].kind);
        options
            .open(self.path(index))
            .map_err(|source| self.failed(index, source))
    }

    fn failed(&self, index: usize, source: io::Error) -> ArchiveError {
        ArchiveError::Write {
            path: self.path(index),
            source,
        }
    }
}

impl Target<'_> {
    fn path(&self, index: usize) -> PathBuf {
        self.dest.join(&self.items[index].path)
    }
}

#[cfg(unix)]
fn set_mode(options: &mut OpenOptions, kind: Kind) {
    if let Kind::File { mode } = kind {
        std::os::unix::fs::OpenOptionsExt::mode(options, mode);
    }
}

#[cfg(not(unix))]
fn set_mode(_: &mut OpenOptions, _: Kind) {}
