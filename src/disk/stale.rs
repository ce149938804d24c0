//! Removing temporaries that a killed process left behind.

use std::fs::{self, DirEntry, File, Metadata, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::disk::temp::{TEMP_PREFIX, TEMP_SUFFIX};
use crate::disk::{DiskError, remove_dir_all};

/// Younger ones may belong to a process that has created them but not locked them yet.
const YOUNG: Duration = Duration::from_secs(60);

/// Where locks do not work, older ones are taken for left behind.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes the temporary files and directories in `dir` that no process uses; returns how many.
///
/// A temporary is in use while its owner holds the lock on it, and for a minute after its last
/// change in any case. Where it cannot be locked, it counts as in use for a day.
///
/// # Errors
///
/// Fails if `dir` cannot be read. A leftover that cannot be removed is only logged.
pub fn remove_stale_temps(dir: &Path) -> Result<usize, DiskError> {
    let mut removed = 0;
    for entry in fs::read_dir(dir).map_err(DiskError::on("read the directory", dir))? {
        let entry = entry.map_err(DiskError::on("read the directory", dir))?;
        if !is_temp_name(&entry) || !is_stale(&entry) {
            continue;
        }
        match remove_dir_all(&entry.path()) {
            Ok(()) => removed += 1,
            Err(error) => log::info!("{error}: {}", error.source),
        }
    }
    Ok(removed)
}

fn is_temp_name(entry: &DirEntry) -> bool {
    entry
        .file_name()
        .to_str()
        .is_some_and(|name| name.starts_with(TEMP_PREFIX) && name.ends_with(TEMP_SUFFIX))
}

/// Whether nobody uses the entry; when in doubt (it just vanished, say), somebody does.
fn is_stale(entry: &DirEntry) -> bool {
    let Ok(metadata) = entry.metadata() else {
        return false;
    };
    // Opening a pipe or device could block, and we make neither those nor links.
    if !(metadata.is_file() || metadata.is_dir()) || !is_older_than(&metadata, YOUNG) {
        return false;
    }
    match try_lock(&entry.path()) {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => is_older_than(&metadata, OLD),
    }
}

fn try_lock(path: &Path) -> Result<(), TryLockError> {
    // The lock ends with the handle: nobody else can come to own a temporary that was left.
    File::open(path).map_err(TryLockError::Error)?.try_lock()
}

fn is_older_than(metadata: &Metadata, age: Duration) -> bool {
    let elapsed = || metadata.modified()?.elapsed().map_err(io::Error::other);
    elapsed().is_ok_and(|elapsed| elapsed > age)
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::disk::{TempDir, TempFile};

    fn age(path: &Path) {
        let past = SystemTime::now() - 2 * YOUNG;
        File::open(path).unwrap().set_modified(past).unwrap();
    }

    #[test]
    fn removes_only_old_unlocked_temporaries() {
        let root = tempfile::tempdir().unwrap();
        let old = root.path().join(".provender-left.tmp");
        let old_dir = root.path().join(".provender-dir.tmp");
        let young = root.path().join(".provender-young.tmp");
        let others =
            [".provender-lock", "provender.tmp", "file"].map(|name| root.path().join(name));
        fs::create_dir_all(old_dir.join("inner")).unwrap();
        for path in others.iter().chain([&old, &young]) {
            fs::write(path, "").unwrap();
        }
        for path in others.iter().chain([&old, &old_dir]) {
            age(path);
        }
        assert_eq!(remove_stale_temps(root.path()).unwrap(), 2);
        assert!(!old.exists() && !old_dir.exists());
        assert!(young.exists() && others.iter().all(|path| path.exists()));
    }

    #[cfg(unix)]
    #[test]
    fn leaves_temporaries_that_are_in_use() {
        let root = tempfile::tempdir().unwrap();
        let file = TempFile::create_beside(&root.path().join("file")).unwrap();
        let dir = TempDir::create_beside(&root.path().join("dir")).unwrap();
        age(file.path());
        age(dir.path());
        assert_eq!(remove_stale_temps(root.path()).unwrap(), 0);
        assert!(file.path().exists() && dir.path().exists());
    }

    #[cfg(unix)]
    #[test]
    fn leaves_a_link_with_the_name_of_a_temporary() {
        let root = tempfile::tempdir().unwrap();
        let link = root.path().join(".provender-link.tmp");
        std::os::unix::fs::symlink(root.path().join("none"), &link).unwrap();
        assert_eq!(remove_stale_temps(root.path()).unwrap(), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn leaves_a_pipe_with_the_name_of_a_temporary_without_opening_it() {
        use rustix::fs::{CWD, FileType, Mode, Timespec, Timestamps, mknodat, utimensat};

        let root = tempfile::tempdir().unwrap();
        let pipe = root.path().join(".provender-pipe.tmp");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let past = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let times = Timestamps {
            last_access: past,
            last_modification: past,
        };
        utimensat(CWD, &pipe, &times, rustix::fs::AtFlags::empty()).unwrap();
        assert_eq!(remove_stale_temps(root.path()).unwrap(), 0);
    }
}
