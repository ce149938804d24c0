//! Filling a directory of the user's choice, which is empty or absent, in one step where the system can.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::disk::temp::parent_of;
use crate::disk::{DiskError, TempDir, create_dir_all, system};

/// Whether `dir` is an empty directory or nothing at all.
///
/// # Errors
///
/// Fails if it cannot be looked at.
pub fn is_free_for_dir(dir: &Path) -> Result<bool, DiskError> {
    match fs::read_dir(dir) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(dir.symlink_metadata().is_err()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(DiskError::on("read the directory", dir)(error)),
    }
}

/// A temporary directory for what [`fill_dir`] puts into `dir`: in `dir` if that is there, which may be a mount point or the
/// place where the user stands, else beside it.
///
/// # Errors
///
/// Fails if it cannot be created.
pub fn staging_for_dir(dir: &Path) -> Result<TempDir, DiskError> {
    if dir.is_dir() {
        return TempDir::create_beside(&dir.join("staged"));
    }
    create_dir_all(parent_of(dir))?;
    TempDir::create_beside(dir)
}

/// Puts everything in `from`, a directory in `staged`, into `dir`: an absent one comes into being with all of it; into one
/// that is there, the entries are moved.
///
/// # Errors
///
/// Fails if something cannot be moved, or `dir` has got something else in the meantime.
pub fn fill_dir(staged: &TempDir, from: &Path, dir: &Path) -> Result<(), DiskError> {
    if !staged.path().starts_with(dir) {
        fs::rename(from, dir).map_err(DiskError::on("rename a directory to", dir))?;
        let parent = parent_of(dir);
        return system::sync_dir(parent).map_err(DiskError::on("sync the directory", parent));
    }
    let unreadable = || DiskError::on("read the directory", from);
    for entry in fs::read_dir(from).map_err(unreadable())? {
        let name = entry.map_err(unreadable())?.file_name();
        let target = dir.join(&name);
        if target.symlink_metadata().is_ok() {
            let error = std::io::Error::from(ErrorKind::AlreadyExists);
            return Err(DiskError::on("move to", &target)(error));
        }
        fs::rename(from.join(name), &target).map_err(DiskError::on("move to", &target))?;
    }
    system::sync_dir(dir).map_err(DiskError::on("sync the directory", dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_and_empty_directories_are_filled_and_nothing_else_is_left() {
        for name in ["absent/dir", "empty"] {
            let root = tempfile::tempdir().unwrap();
            fs::create_dir(root.path().join("empty")).unwrap();
            let dir = root.path().join(name);
            assert!(is_free_for_dir(&dir).unwrap());
            let staged = staging_for_dir(&dir).unwrap();
            let from = staged.path().join("from");
            fs::create_dir_all(from.join("d")).unwrap();
            fs::write(from.join("d/file"), "").unwrap();
            fill_dir(&staged, &from, &dir).unwrap();
            drop(staged);
            assert!(dir.join("d/file").is_file());
            assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
            assert!(!is_free_for_dir(&dir).unwrap());
        }
    }

    #[test]
    fn what_has_come_in_between_is_not_replaced() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("dir");
        for is_there in [false, true] {
            let staged = staging_for_dir(&dir).unwrap();
            let from = staged.path().join("from");
            fs::create_dir(&from).unwrap();
            fs::write(from.join("file"), "ours").unwrap();
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("file"), "theirs").unwrap();
            assert!(fill_dir(&staged, &from, &dir).is_err(), "{is_there}");
            assert_eq!(fs::read(dir.join("file")).unwrap(), b"theirs");
        }
    }

    #[test]
    fn files_and_broken_links_are_in_the_way() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(!is_free_for_dir(&file).unwrap());
        #[cfg(unix)]
        {
            let link = root.path().join("link");
            std::os::unix::fs::symlink("nowhere", &link).unwrap();
            assert!(!is_free_for_dir(&link).unwrap());
        }
    }
}
