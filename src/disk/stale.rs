//! Removing temporaries that a killed process left behind.

use std::fs::{self, DirEntry, File, Metadata, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::disk::partial::PART_SUFFIX;
use crate::disk::temp::{TEMP_PREFIX, TEMP_SUFFIX};
use crate::disk::{DiskError, remove_dir_all};

/// Younger ones may belong to a process that has created them but not locked them yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A partial download that nobody went on with for so long is not waited for any more.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Where locks do not work, older ones are taken for left behind.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes the temporary files and directories in `dir` that no process uses; returns how many.
///
/// A temporary is in use while its owner holds the lock on it, and for a minute after its last
/// change in any case. Where it cannot be locked, it counts as in use for a day. A partial download
/// waits a week for somebody who goes on with it.
///
/// # Errors
///
/// Fails if `dir` cannot be read. A leftover that cannot be removed is only logged.
pub fn remove_stale_temps(dir: &Path) -> Result<usize, DiskError> {
    remove(dir, YOUNG)
}

/// As [`remove_stale_temps`] for a directory in which nobody else creates any now, so that no age protects them.
///
/// # Errors
///
/// As [`remove_stale_temps`].
pub fn remove_left_temps(dir: &Path) -> Result<usize, DiskError> {
    remove(dir, Duration::ZERO)
}

fn remove(dir: &Path, young: Duration) -> Result<usize, DiskError> {
    let mut removed = 0;
    for entry in fs::read_dir(dir).map_err(DiskError::on("read the directory", dir))? {
        let entry = entry.map_err(DiskError::on("read the directory", dir))?;
        let Some(age) = least_age(&entry, young) else {
            continue;
        };
        if !is_stale(&entry, age) {
            continue;
        }
        match remove_dir_all(&entry.path()) {
            Ok(()) => removed += 1,
            Err(error) => log::info!("{error}: {}", error.source),
        }
    }
    Ok(removed)
}

/// How old an entry with one of our names has to be to be left behind; `None` for other names.
fn least_age(entry: &DirEntry, young: Duration) -> Option<Duration> {
    let name = entry.file_name();
    let name = name.to_str()?.strip_prefix(TEMP_PREFIX)?;
    if name.ends_with(PART_SUFFIX) {
        return Some(FORGOTTEN);
    }
    name.ends_with(TEMP_SUFFIX).then_some(young)
}

/// Whether nobody uses the entry; when in doubt (it just vanished, say), somebody does.
fn is_stale(entry: &DirEntry, age: Duration) -> bool {
    let Ok(metadata) = entry.metadata() else {
        return false;
    };
    // Opening a pipe or device could block, and we make neither those nor links.
    if !(metadata.is_file() || metadata.is_dir()) || !is_older_than(&metadata, age) {
        return false;
    }
    match try_lock(&entry.path()) {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        Err(TryLockError::Error(_)) => is_older_than(&metadata, age.max(OLD)),
    }
}

fn try_lock(path: &Path) -> Result<(), TryLockError> {
    // The lock ends with the handle: nobody else can come to own a temporary that was left.
    File::open(path).map_err(TryLockError::Error)?.try_lock()
}

fn is_older_than(metadata: &Metadata, age: Duration) -> bool {
    let elapsed = || metadata.modified()?.elapsed().map_err(io::Error::other);
    elapsed().is_ok_and(|elapsed| elapsed >= age)
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::disk::{TempDir, TempFile};

    fn age(path: &Path) {
        age_by(path, 2 * YOUNG);
    }

    fn age_by(path: &Path, age: Duration) {
        let past = SystemTime::now() - age;
        File::open(path).unwrap().set_modified(past).unwrap();
    }

    #[test]
    fn partial_downloads_wait_for_a_week() {
        let root = tempfile::tempdir().unwrap();
        let paths = ["waiting", "forgotten"].map(|name| {
            let path = root
                .path()
                .join(format!("{TEMP_PREFIX}{name}{PART_SUFFIX}"));
            fs::write(&path, "").unwrap();
            path
        });
        age_by(&paths[0], FORGOTTEN / 2);
        age_by(&paths[1], 2 * FORGOTTEN);
        assert_eq!(remove_stale_temps(root.path()).unwrap(), 1);
        assert!(paths[0].exists() && !paths[1].exists());
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

    #[test]
    fn removes_young_ones_where_nobody_creates_any() {
        let root = tempfile::tempdir().unwrap();
        let left = root.path().join(".provender-left.tmp");
        fs::create_dir(&left).unwrap();
        let used = TempFile::create_beside(&root.path().join("file")).unwrap();
        assert_eq!(remove_stale_temps(root.path()).unwrap(), 0);
        assert_eq!(remove_left_temps(root.path()).unwrap(), 1);
        assert!(!left.exists() && used.path().exists());
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
