//! Placing files that exist already: sharing their blocks where the file system can, else their
//! inode, else copying them. Never by a symbolic link.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::disk::{DiskError, TempFile, system};

/// How files came to their place; a later one costs or binds more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Placement {
    /// They share blocks until one of both is written to.
    Reflink,
    /// They are the same file under two names.
    HardLink,
    /// They are files of their own.
    Copy,
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reflink => "reflink",
            Self::HardLink => "hard link",
            Self::Copy => "copy",
        })
    }
}

/// Places all files and directories below `from` into the empty directory `to`; tells the costliest
/// way that was needed. What cannot be done for one file is not tried for the next.
///
/// # Errors
///
/// Fails if something cannot be read or written, or is neither a file nor a directory.
pub fn place_tree(from: &Path, to: &Path) -> Result<Placement, DiskError> {
    let mut placement = Placement::Reflink;
    place_into(from, to, &mut |from, to| {
        place_file(from, to, &mut placement)
    })?;
    Ok(placement)
}

/// Fills the new file `to` with the content of `from`, sharing blocks where the file system can.
///
/// # Errors
///
/// Fails if either cannot be read or written.
pub fn copy_into(from: &Path, to: &TempFile) -> Result<(), DiskError> {
    let mut source = File::open(from).map_err(DiskError::on("read", from))?;
    if system::share_blocks(&source, to.file()) {
        return Ok(());
    }
    let copied = io::copy(&mut source, &mut to.file());
    copied.map_err(DiskError::on("copy to", to.path()))?;
    Ok(())
}

fn place_into(
    from: &Path,
    to: &Path,
    place_file: &mut dyn FnMut(&Path, &Path) -> Result<(), DiskError>,
) -> Result<(), DiskError> {
    let unreadable = || DiskError::on("read the directory", from);
    for entry in fs::read_dir(from).map_err(unreadable())? {
        let entry = entry.map_err(unreadable())?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(unreadable())?;
        if kind.is_dir() {
            fs::create_dir(&target).map_err(DiskError::on("create the directory", &target))?;
            place_into(&source, &target, place_file)?;
        } else if kind.is_file() {
            place_file(&source, &target)?;
        } else {
            let error = io::Error::new(io::ErrorKind::InvalidData, "it is no regular file");
            return Err(DiskError::on("place", &source)(error));
        }
    }
    Ok(())
}

/// Places one file in the cheapest way from `placement` on that works, and keeps that.
pub(super) fn place_file(
    from: &Path,
    to: &Path,
    placement: &mut Placement,
) -> Result<(), DiskError> {
    if *placement == Placement::Reflink {
        if system::reflink(from, to).map_err(DiskError::on("place", to))? {
            return Ok(());
        }
        *placement = Placement::HardLink;
    }
    // Another file system, too many links, links forbidden: whatever it is, a copy will do.
    if *placement == Placement::HardLink && fs::hard_link(from, to).is_err() {
        *placement = Placement::Copy;
    }
    if *placement == Placement::Copy {
        fs::copy(from, to).map_err(DiskError::on("copy to", to))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_places_the_whole_tree() {
        for start in [Placement::Reflink, Placement::HardLink, Placement::Copy] {
            let root = tempfile::tempdir().unwrap();
            let (from, to) = (root.path().join("from"), root.path().join("to"));
            fs::create_dir_all(from.join("d/empty")).unwrap();
            fs::write(from.join("d/file"), "bytes").unwrap();
            fs::create_dir(&to).unwrap();
            let mut placement = start;
            place_into(&from, &to, &mut |from, to| {
                place_file(from, to, &mut placement)
            })
            .unwrap();
            assert!(placement >= start);
            assert_eq!(fs::read(to.join("d/file")).unwrap(), b"bytes", "{start}");
            assert!(to.join("d/empty").is_dir());
        }
    }

    #[cfg(unix)]
    #[test]
    fn executables_stay_executable_and_links_are_refused() {
        use std::os::unix::fs::PermissionsExt;

        let root = tempfile::tempdir().unwrap();
        let from = root.path().join("from");
        fs::create_dir(&from).unwrap();
        fs::write(from.join("file"), "").unwrap();
        fs::set_permissions(from.join("file"), fs::Permissions::from_mode(0o755)).unwrap();
        for way in [Placement::Reflink, Placement::HardLink, Placement::Copy] {
            let to = root.path().join(way.to_string());
            place_file(&from.join("file"), &to, &mut { way }).unwrap();
            assert_eq!(to.metadata().unwrap().permissions().mode() & 0o777, 0o755);
        }
        std::os::unix::fs::symlink("file", from.join("link")).unwrap();
        let to = root.path().join("to");
        fs::create_dir(&to).unwrap();
        assert!(place_tree(&from, &to).is_err());
    }

    #[test]
    fn temporary_gets_the_content() {
        let root = tempfile::tempdir().unwrap();
        let from = root.path().join("from");
        fs::write(&from, "bytes").unwrap();
        let temp = TempFile::create_beside(&root.path().join("to")).unwrap();
        copy_into(&from, &temp).unwrap();
        assert_eq!(fs::read(temp.path()).unwrap(), b"bytes");
    }
}
