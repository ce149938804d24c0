//! Partial downloads that a later run goes on with.
//!
//! Such a file is named after the digest that its bytes will have when they are all there, so that
//! whoever continues it knows what to prove. It is locked while somebody writes to it; who finds it
//! locked makes a temporary file of their own.
//!
//! In a directory that others may write to, somebody may have made the file beforehand to change its bytes after they were
//! proved: a file of another user, or one that others may write, is left alone.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::disk::DiskError;
use crate::disk::directory::create_dir_all;
use crate::disk::system;
use crate::disk::temp::{TEMP_PREFIX, TempFile, builder, parent_of};
use crate::hash::Sha256Digest;

/// How the names of partial downloads end.
pub(super) const PART_SUFFIX: &str = ".part";

/// Less than this is fetched again sooner than anybody has looked for it.
const WORTH_KEEPING: u64 = 1 << 20;

/// What becomes of a partial download that is dropped before it was put in place.
#[derive(Debug)]
pub(super) struct Leftover {
    path: PathBuf,
    is_wanted: bool,
}

impl Leftover {
    pub(super) fn unwanted(&mut self) {
        self.is_wanted = false;
    }

    /// The file has got another name: there is nothing to remove.
    pub(super) fn disarm(mut self) {
        self.path = PathBuf::new();
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        if self.path.as_os_str().is_empty() {
            return;
        }
        let size = self.path.symlink_metadata().map_or(0, |found| found.len());
        if self.is_wanted && size >= WORTH_KEEPING {
            log::info!("`{}` stays for the next run", self.path.display());
        } else if let Err(error) = std::fs::remove_file(&self.path) {
            log::info!("cannot remove `{}`: {error}", self.path.display());
        }
    }
}

impl TempFile {
    /// Opens what an earlier run has left of the file with this digest in the directory of `target`,
    /// or an empty file. Dropped before it was put in place, it stays for the next run, unless it is
    /// small or [`discard`](TempFile::discard) was called.
    ///
    /// While another process writes the same file, and where a file cannot be told from another by
    /// its number, this is an ordinary temporary file.
    ///
    /// # Errors
    ///
    /// Fails if directory or file cannot be created there.
    pub fn continue_beside(target: &Path, digest: Sha256Digest) -> Result<Self, DiskError> {
        let dir = parent_of(target);
        create_dir_all(dir)?;
        let path = dir.join(format!("{TEMP_PREFIX}{digest}{PART_SUFFIX}"));
        match claim(&path).map_err(DiskError::on("open", &path))? {
            Some(file) => Self::continuing(file, path),
            None => Self::create_beside(target),
        }
    }

    fn continuing(file: File, path: PathBuf) -> Result<Self, DiskError> {
        let temp_path = TempPath::try_from_path(&path).map_err(DiskError::on("open", &path))?;
        let mut inner = NamedTempFile::from_parts(file, temp_path);
        inner.disable_cleanup(true);
        let leftover = Leftover {
            path,
            is_wanted: true,
        };
        Ok(Self::new(inner, Some(leftover)))
    }
}

/// Opens and locks the file at `path`, if nobody else has, and nobody else may write it.
fn claim(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    system::readable_by_all(&mut options);
    let file = match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match reopen(path)? {
            Some(file) => file,
            None => return Ok(None),
        },
        result => result?,
    };
    // Between opening and locking, its writer may have put it in place under another name.
    let is_ours = file.try_lock().is_ok() && system::is_at(&file, path);
    Ok(is_ours.then_some(file))
}

/// Opens what is there already, if it is ours alone.
fn reopen(path: &Path) -> io::Result<Option<File>> {
    // Opening a pipe could block.
    if !path.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return Ok(None);
    }
    match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => {
            let made_here = builder().tempfile_in(parent_of(path))?;
            let is_ours = system::is_written_by_owner_of(&file, made_here.as_file());
            Ok(is_ours.then_some(file))
        }
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    const DIGEST: Sha256Digest = Sha256Digest([7; 32]);

    fn part(root: &tempfile::TempDir) -> TempFile {
        TempFile::continue_beside(&root.path().join("target"), DIGEST).unwrap()
    }

    fn names(root: &tempfile::TempDir) -> usize {
        fs::read_dir(root.path()).unwrap().count()
    }

    #[test]
    fn large_part_stays_and_is_continued() {
        let root = tempfile::tempdir().unwrap();
        let large = vec![1; 1 << 20];
        part(&root).write_all(&large).unwrap();
        assert_eq!(names(&root), 1);
        let again = part(&root);
        assert_eq!(fs::read(again.path()).unwrap(), large);
        again.persist(&root.path().join("target")).unwrap();
        assert_eq!(fs::read(root.path().join("target")).unwrap(), large);
        assert_eq!(names(&root), 1);
    }

    #[test]
    fn small_and_discarded_parts_vanish() {
        let root = tempfile::tempdir().unwrap();
        part(&root).write_all(b"small").unwrap();
        assert_eq!(names(&root), 0);
        let mut file = part(&root);
        file.write_all(&vec![1; 1 << 20]).unwrap();
        file.discard();
        assert_eq!(names(&root), 0);
    }

    #[test]
    fn part_in_use_is_not_shared() {
        let root = tempfile::tempdir().unwrap();
        let (first, second) = (part(&root), part(&root));
        assert_ne!(first.path(), second.path());
        drop((first, second));
        assert_eq!(names(&root), 0);
    }

    #[test]
    fn a_part_that_others_may_write_is_left_alone() {
        use std::os::unix::fs::PermissionsExt;

        let root = tempfile::tempdir().unwrap();
        part(&root).write_all(&vec![1; 1 << 20]).unwrap();
        let path = part(&root).path().to_owned();
        for (mode, is_taken) in [(0o666, false), (0o664, false), (0o644, true), (0o600, true)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(part(&root).path() == path, is_taken, "{mode:o}");
        }
    }

    #[test]
    fn link_with_the_name_of_a_part_is_not_written_through() {
        let root = tempfile::tempdir().unwrap();
        let path = part(&root).path().to_owned();
        let other = root.path().join("other");
        fs::write(&other, "precious").unwrap();
        std::os::unix::fs::symlink(&other, &path).unwrap();
        assert_ne!(part(&root).path(), path);
        assert_eq!(fs::read(&other).unwrap(), b"precious");
    }
}
