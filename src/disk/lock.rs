//! A lock between processes, on a file that exists for nothing else.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::disk::DiskError;
use crate::disk::system;

/// A held lock. Dropping it, or the end of the process in any way, releases it.
///
/// The file stays: removing it would let two processes lock two files of one name.
#[derive(Debug)]
pub struct FileLock {
    /// `None` where the file system has no locks; writes are atomic in any case.
    _file: Option<File>,
}

impl FileLock {
    /// Locks the file at `path`, creating it, and waits for other processes if need be.
    ///
    /// `on_wait` is called once before waiting. The wait cannot be interrupted by dropping a
    /// future, so async callers run this on the blocking pool. On file systems without locks a
    /// warning is logged and the lock counts as held.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be created, or locking fails.
    pub fn exclusive(path: &Path, on_wait: impl FnOnce()) -> Result<Self, DiskError> {
        let file = open(path)?;
        if let Some(done) = attempt(&file, path)? {
            return Ok(Self {
                _file: done.then_some(file),
            });
        }
        on_wait();
        file.lock().map_err(DiskError::on("lock", path))?;
        Ok(Self { _file: Some(file) })
    }

    /// Like [`FileLock::exclusive`], but answers `None` instead of waiting.
    ///
    /// # Errors
    ///
    /// As [`FileLock::exclusive`].
    pub fn try_exclusive(path: &Path) -> Result<Option<Self>, DiskError> {
        let file = open(path)?;
        Ok(attempt(&file, path)?.map(|done| Self {
            _file: done.then_some(file),
        }))
    }
}

/// Opens a lock file, creating it.
pub(super) fn open(path: &Path) -> Result<File, DiskError> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(DiskError::on("open the lock file", path))
}

/// `Some(true)` if locked, `Some(false)` if there are no locks here, `None` if another holds it.
fn attempt(file: &File, path: &Path) -> Result<Option<bool>, DiskError> {
    judged(file.try_lock(), path)
}

/// What the answer to a try to lock means, as [`attempt`] tells it.
pub(super) fn judged(
    answer: Result<(), TryLockError>,
    path: &Path,
) -> Result<Option<bool>, DiskError> {
    match answer {
        Ok(()) => Ok(Some(true)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if system::has_no_locks(&error) => {
            log::warn!(
                "the file system of `{}` has no locks, going on without",
                path.display()
            );
            Ok(Some(false))
        }
        Err(TryLockError::Error(error)) => Err(DiskError::on("lock", path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn second_lock_is_refused_until_the_first_is_dropped() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("lock");
        let held = FileLock::exclusive(&path, || panic!("nobody else holds it")).unwrap();
        assert!(FileLock::try_exclusive(&path).unwrap().is_none());
        drop(held);
        assert!(FileLock::try_exclusive(&path).unwrap().is_some());
    }

    #[test]
    fn waiting_is_announced_and_ends_with_the_other_lock() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("lock");
        let held = FileLock::exclusive(&path, || ()).unwrap();
        let (waits, announced) = mpsc::channel();
        std::thread::scope(|scope| {
            let waiter =
                scope.spawn(|| FileLock::exclusive(&path, move || waits.send(()).unwrap()));
            announced.recv().unwrap();
            drop(held);
            waiter.join().unwrap().unwrap();
        });
    }
}
