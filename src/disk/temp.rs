//! A temporary file beside its target, which becomes the target in one step or vanishes.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::disk::DiskError;
use crate::disk::directory::create_dir_all;
use crate::disk::partial::Leftover;
use crate::disk::system::{self, Readers};

/// How the names of all temporary files and directories begin; the tools ignore such names.
pub const TEMP_PREFIX: &str = ".provender-";

/// How they end, so that other hidden files of ours are not taken for leftovers.
pub(super) const TEMP_SUFFIX: &str = ".tmp";

/// A file being written. Dropping it removes it; [`TempFile::persist`] puts it in place.
///
/// The file is locked as long as the value lives, which is how
/// [`remove_stale_temps`](crate::disk::remove_stale_temps) of another process tells a file in
/// use from a leftover.
#[derive(Debug)]
pub struct TempFile {
    /// Says what becomes of a partial download. Dropped before the lock on the file is.
    leftover: Option<Leftover>,
    inner: NamedTempFile,
}

impl TempFile {
    /// Creates an empty file in the directory of `target`, readable by everybody (mode 0644); the
    /// directory is made if it is missing.
    ///
    /// # Errors
    ///
    /// Fails if directory or file cannot be created there.
    pub fn create_beside(target: &Path) -> Result<Self, DiskError> {
        create_dir_all(parent_of(target))?;
        Self::create(parent_of(target), Readers::All)
    }

    /// Creates an empty file in the directory of `target`, readable by its owner alone (mode 0600).
    ///
    /// # Errors
    ///
    /// Fails if the directory does not exist or the file cannot be created there.
    pub fn create_private_beside(target: &Path) -> Result<Self, DiskError> {
        Self::create(parent_of(target), Readers::Owner)
    }

    fn create(dir: &Path, readers: Readers) -> Result<Self, DiskError> {
        let mut builder = builder();
        system::set_mode(&mut builder, readers);
        let inner = builder
            .tempfile_in(dir)
            .map_err(DiskError::on("create a temporary file in", dir))?;
        mark_in_use(inner.as_file(), inner.path())?;
        Ok(Self::new(inner, None))
    }

    pub(super) fn new(inner: NamedTempFile, leftover: Option<Leftover>) -> Self {
        Self { leftover, inner }
    }

    /// Removes the file, even if it is one that a later run could go on with.
    pub fn discard(mut self) {
        if let Some(leftover) = &mut self.leftover {
            leftover.unwanted();
        }
    }

    /// Where the file is until it is put in place.
    pub fn path(&self) -> &Path {
        self.inner.path()
    }

    /// The open file, for reading and writing.
    pub fn file(&self) -> &File {
        self.inner.as_file()
    }

    /// Makes the bytes durable, then renames the file to `target`, replacing what is there.
    ///
    /// # Errors
    ///
    /// Fails if syncing or renaming fails; the temporary file is then removed and the old target
    /// is as it was.
    pub fn persist(self, target: &Path) -> Result<(), DiskError> {
        self.file()
            .sync_all()
            .map_err(DiskError::on("write", target))?;
        self.inner
            .persist(target)
            .map_err(|error| DiskError::on("put the new file in place of", target)(error.error))?;
        if let Some(leftover) = self.leftover {
            leftover.disarm();
        }
        let dir = parent_of(target);
        system::sync_dir(dir).map_err(DiskError::on("sync the directory", dir))
    }
}

impl Write for TempFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.as_file_mut().flush()
    }
}

/// The names of our temporary files and directories.
pub(super) fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder
        .prefix(TEMP_PREFIX)
        .suffix(TEMP_SUFFIX)
        .rand_bytes(10);
    builder
}

/// Locks a new temporary; on file systems without locks its age alone will tell.
///
/// A lock that is held means that a process cleaning up looked at the file right now. It will leave
/// the file alone because of its age, so the lock is only worth one try.
pub(super) fn mark_in_use(file: &File, path: &Path) -> Result<(), DiskError> {
    match file.try_lock() {
        Ok(()) | Err(std::fs::TryLockError::WouldBlock) => Ok(()),
        Err(std::fs::TryLockError::Error(error)) if system::has_no_locks(&error) => Ok(()),
        Err(std::fs::TryLockError::Error(error)) => Err(DiskError::on("lock", path)(error)),
    }
}

/// The directory that holds `path`.
pub(super) fn parent_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persist_replaces_the_target_and_leaves_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("target");
        std::fs::write(&target, "old").unwrap();
        let mut temp = TempFile::create_beside(&target).unwrap();
        let name = temp
            .path()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        assert!(
            name.starts_with(TEMP_PREFIX) && name.ends_with(TEMP_SUFFIX),
            "{name}"
        );
        temp.write_all(b"new").unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"old");
        temp.persist(&target).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn drop_removes_the_file() {
        let root = tempfile::tempdir().unwrap();
        drop(TempFile::create_beside(&root.path().join("target")).unwrap());
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn names_the_missing_directory() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("none/target");
        let error = TempFile::create_private_beside(&target).unwrap_err();
        assert_eq!(error.path, root.path().join("none"));
    }

    #[test]
    fn parent_of_a_bare_name_is_the_working_directory() {
        assert_eq!(parent_of(Path::new("file")), Path::new("."));
        assert_eq!(parent_of(Path::new("a/file")), Path::new("a"));
    }
}
