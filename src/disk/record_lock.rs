//! A lock between processes of the kind that programs in Go and C take by `fcntl`; on Unix those and
//! the locks of [`FileLock`](crate::disk::FileLock) do not see each other.
//!
//! Such a lock belongs to the process: it does not keep threads apart, and is lost as soon as the
//! process closes the file anywhere. So a list of the locked files is kept, and none of them is
//! opened a second time.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::disk::lock::{judged, open};
use crate::disk::temp::parent_of;
use crate::disk::{DiskError, system};

/// The files that this process has locked or is about to lock.
static CLAIMED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A held lock. Dropping it, or the end of the process in any way, releases it. The file stays.
#[derive(Debug)]
pub struct RecordLock {
    /// `None` where the file system has no locks; closed before the claim ends.
    _file: Option<File>,
    _claim: Claim,
}

impl RecordLock {
    /// Locks the file at `path`, creating it; `None` while somebody else has it. On file systems
    /// without locks a warning is logged and the lock counts as held.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be created, or locking fails.
    pub fn try_exclusive(path: &Path) -> Result<Option<Self>, DiskError> {
        let Some(claim) = Claim::of(path) else {
            return Ok(None);
        };
        let file = open(path)?;
        let locked = judged(system::try_record_lock(&file), path)?;
        Ok(locked.map(|done| Self {
            _file: done.then_some(file),
            _claim: claim,
        }))
    }
}

/// The right to open a lock file, which one owner in this process has at a time.
#[derive(Debug)]
struct Claim(PathBuf);

impl Claim {
    fn of(path: &Path) -> Option<Self> {
        // One name for the file, whichever way leads to it.
        let dir = fs::canonicalize(parent_of(path));
        let name = match (dir, path.file_name()) {
            (Ok(dir), Some(name)) => dir.join(name),
            _ => path.to_owned(),
        };
        let is_first = claimed().insert(name.clone());
        is_first.then(|| Self(name))
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        claimed().remove(&self.0);
    }
}

fn claimed() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    CLAIMED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_lock_is_refused_until_the_first_is_dropped() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("lock");
        let held = RecordLock::try_exclusive(&path).unwrap().unwrap();
        let detour = root.path().join(".").join("lock");
        assert!(RecordLock::try_exclusive(&detour).unwrap().is_none());
        drop(held);
        assert!(RecordLock::try_exclusive(&detour).unwrap().is_some());
        assert!(path.is_file());
    }

    #[test]
    fn file_that_cannot_be_opened_is_told_and_not_claimed() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("none/lock");
        for _ in 0..2 {
            assert_eq!(RecordLock::try_exclusive(&path).unwrap_err().path, path);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn lock_is_of_the_kind_that_other_programs_take() {
        use std::os::unix::fs::MetadataExt;

        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("lock");
        let inode = || path.metadata().unwrap().ino();
        let kinds = |inode: u64| -> Vec<String> {
            let locks = fs::read_to_string("/proc/locks").unwrap();
            let words = locks.lines().map(|line| line.split_whitespace());
            let of_file = words.filter(|words| {
                let place = words.clone().nth(5).unwrap_or_default();
                place.ends_with(&format!(":{inode}"))
            });
            let kind = of_file.map(|words| words.skip(1).take(3).collect::<Vec<_>>().join(" "));
            kind.collect()
        };
        let held = RecordLock::try_exclusive(&path).unwrap().unwrap();
        assert_eq!(kinds(inode()), ["POSIX ADVISORY WRITE"]);
        // A second try must not lose the first one's lock.
        assert!(RecordLock::try_exclusive(&path).unwrap().is_none());
        assert_eq!(kinds(inode()), ["POSIX ADVISORY WRITE"]);
        drop(held);
        assert_eq!(kinds(inode()), [""; 0]);
    }
}
