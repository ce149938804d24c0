//! Directories: made, removed and put in place as a whole, never through a symbolic link.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::disk::DiskError;
use crate::disk::system;
use crate::disk::temp::{builder, mark_in_use, parent_of};

/// Creates `path` and its missing parents.
///
/// # Errors
///
/// Fails if a part cannot be created or is no directory.
pub fn create_dir_all(path: &Path) -> Result<(), DiskError> {
    fs::create_dir_all(path).map_err(DiskError::on("create the directory", path))
}

/// Removes what is at `path`: a directory with all it holds, a file, or a link (not its target).
///
/// A missing path is fine.
///
/// # Errors
///
/// Fails if something cannot be removed.
pub fn remove_dir_all(path: &Path) -> Result<(), DiskError> {
    match remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(DiskError::on("remove", path)(error))
        }
        _ => Ok(()),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(path)?.file_type();
    // A link to a directory is a directory entry of its own on Windows; the library removes both
    // sorts without following them.
    if kind.is_dir() || (cfg!(windows) && kind.is_symlink() && path.is_dir()) {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

/// A directory being filled. Dropping it removes it; [`TempDir::persist`] puts it in place.
#[derive(Debug)]
pub struct TempDir {
    inner: tempfile::TempDir,
    /// Held, so that no other process takes the directory for a leftover; absent where directories
    /// cannot be locked.
    _lock: Option<File>,
}

impl TempDir {
    /// Creates an empty directory in the directory of `target`, which is made if it is missing.
    ///
    /// # Errors
    ///
    /// Fails if either cannot be created.
    pub fn create_beside(target: &Path) -> Result<Self, DiskError> {
        let dir = parent_of(target);
        create_dir_all(dir)?;
        let inner = builder()
            .tempdir_in(dir)
            .map_err(DiskError::on("create a temporary directory in", dir))?;
        let lock = lock_dir(inner.path())?;
        Ok(Self { inner, _lock: lock })
    }

    /// Where the directory is until it is put in place.
    pub fn path(&self) -> &Path {
        self.inner.path()
    }

    /// Renames the directory to `target`, replacing what is there, as [`rename_dir`] does.
    ///
    /// # Errors
    ///
    /// As [`rename_dir`]; the temporary directory is then removed.
    pub fn persist(self, target: &Path) -> Result<(), DiskError> {
        rename_dir(self.inner.path(), target)?;
        // The name is gone, so there is nothing left to remove.
        let _ = self.inner.keep();
        Ok(())
    }
}

/// Locks a directory where the system can open one.
fn lock_dir(path: &Path) -> Result<Option<File>, DiskError> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let dir = File::open(path).map_err(DiskError::on("open", path))?;
    mark_in_use(&dir, path)?;
    Ok(Some(dir))
}

/// Puts the directory `from` in the place of `to`, which may be absent, a directory, a file or a link.
///
/// Both must be on one file system. Where the system can swap two names, there is no instant
/// without `to`; elsewhere the old directory is moved aside first, and back if that fails. What was at
/// `to` is removed, a link without its target. The files inside are not synced.
///
/// # Errors
///
/// Fails if renaming or removing the old directory fails.
pub fn rename_dir(from: &Path, to: &Path) -> Result<(), DiskError> {
    move_dir(from, to)?;
    let dir = parent_of(to);
    system::sync_dir(dir).map_err(DiskError::on("sync the directory", dir))
}

/// As [`rename_dir`], for who puts many directories into one and syncs that at the end: the rename alone is not durable.
///
/// # Errors
///
/// As [`rename_dir`].
pub fn move_dir(from: &Path, to: &Path) -> Result<(), DiskError> {
    if takes_a_free_place(from, to)? {
        return Ok(());
    }
    replace(from, to)
}

fn replace(from: &Path, to: &Path) -> Result<(), DiskError> {
    if system::swap(from, to).map_err(DiskError::on("replace", to))? {
        remove_dir_all(from)
    } else {
        rename_in_two_steps(from, to)
    }
}

/// Renames if nothing is at `to`; `false` if something is, perhaps since an instant ago.
fn takes_a_free_place(from: &Path, to: &Path) -> Result<bool, DiskError> {
    let is_free = || to.symlink_metadata().is_err();
    if !is_free() {
        return Ok(false);
    }
    match fs::rename(from, to) {
        Ok(()) => Ok(true),
        // Another process was faster.
        Err(_) if !is_free() => Ok(false),
        Err(error) => Err(DiskError::on("rename a directory to", to)(error)),
    }
}

fn rename_in_two_steps(from: &Path, to: &Path) -> Result<(), DiskError> {
    let aside = TempDir::create_beside(to)?;
    let old = aside.path().join("old");
    fs::rename(to, &old).map_err(DiskError::on("move aside", to))?;
    if let Err(error) = fs::rename(from, to) {
        // Back to the old state; if even that fails, the first error is the one to tell.
        if fs::rename(&old, to).is_err() {
            log::warn!(
                "the previous content of `{}` is in `{}`",
                to.display(),
                old.display()
            );
            let _ = aside.inner.keep();
        }
        return Err(DiskError::on("replace", to)(error));
    }
    remove_dir_all(aside.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dir_with(path: &Path, file: &str) {
        fs::create_dir_all(path).unwrap();
        fs::write(path.join(file), "").unwrap();
    }

    #[test]
    fn puts_a_directory_where_nothing_was() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("target");
        let temp = TempDir::create_beside(&target).unwrap();
        fs::write(temp.path().join("new"), "").unwrap();
        temp.persist(&target).unwrap();
        assert!(target.join("new").is_file());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn replaces_a_directory_whole() {
        type Replace = fn(&Path, &Path) -> Result<(), DiskError>;
        for replace in [rename_dir as Replace, rename_in_two_steps] {
            let root = tempfile::tempdir().unwrap();
            let (from, target) = (root.path().join("from"), root.path().join("target"));
            dir_with(&target, "old");
            dir_with(&from, "new");
            replace(&from, &target).unwrap();
            assert!(target.join("new").is_file() && !target.join("old").exists());
            assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
        }
    }

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    #[test]
    fn all_of_many_that_are_put_in_one_new_place_at_once_succeed() {
        let root = tempfile::tempdir().unwrap();
        let together = std::sync::Barrier::new(4);
        let rename_many = &|thread: usize| {
            let rename = |round: usize| {
                let from = root.path().join(format!("from-{thread}"));
                dir_with(&from, "new");
                together.wait();
                rename_dir(&from, &root.path().join(format!("to-{round}"))).err()
            };
            (0..200).filter_map(rename).collect::<Vec<_>>()
        };
        let failed: Vec<_> = std::thread::scope(|scope| {
            let threads = [0, 1, 2, 3].map(|thread| scope.spawn(move || rename_many(thread)));
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(failed.is_empty(), "{failed:?}");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 200);
    }

    #[test]
    fn failed_replacement_leaves_the_old_directory() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("target");
        dir_with(&target, "old");
        rename_in_two_steps(&root.path().join("none"), &target).unwrap_err();
        assert!(target.join("old").is_file());
        rename_dir(&root.path().join("none"), &target).unwrap_err();
        assert!(target.join("old").is_file());
    }

    #[test]
    fn removing_what_is_missing_is_fine() {
        let root = tempfile::tempdir().unwrap();
        remove_dir_all(&root.path().join("none")).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn removes_a_link_and_not_what_it_points_to() {
        let root = tempfile::tempdir().unwrap();
        let (link, outside) = (root.path().join("link"), root.path().join("outside"));
        dir_with(&outside, "theirs");
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        remove_dir_all(&link).unwrap();
        assert!(link.symlink_metadata().is_err());
        assert!(outside.join("theirs").is_file());
    }

    #[cfg(unix)]
    #[test]
    fn replaces_a_link_and_not_what_it_points_to() {
        type Replace = fn(&Path, &Path) -> Result<(), DiskError>;
        for replace in [rename_dir as Replace, rename_in_two_steps] {
            let root = tempfile::tempdir().unwrap();
            let (link, outside) = (root.path().join("link"), root.path().join("outside"));
            dir_with(&outside, "theirs");
            dir_with(&root.path().join("from"), "new");
            std::os::unix::fs::symlink(&outside, &link).unwrap();
            replace(&root.path().join("from"), &link).unwrap();
            assert!(link.symlink_metadata().unwrap().is_dir() && link.join("new").is_file());
            assert!(outside.join("theirs").is_file());
        }
    }
}
