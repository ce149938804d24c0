//! Telling without reading whether a file is still the one that was written.

use std::collections::BTreeMap;
use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::disk::{DiskError, system};

/// How far files are dated back, so that no later change can fall into the same tick of a coarse
/// clock.
const BACK: Duration = Duration::from_secs(10);

/// What the file system tells of a regular file. A file with the same stamp has the same content, as
/// long as nobody sets times on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Which file it is; 0 where the system does not tell.
    pub inode: u64,
    /// Who may do what, since a change of it goes through hard links, too; 0 where there is no such
    /// number.
    pub mode: u32,
}

impl FileStamp {
    /// The stamp of the file at `path`; a link is not followed.
    ///
    /// # Errors
    ///
    /// Fails if there is no regular file.
    pub fn of(path: &Path) -> Result<Self, DiskError> {
        let read = || Self::of_metadata(&fs::symlink_metadata(path)?);
        read().map_err(DiskError::on("look at", path))
    }

    fn of_metadata(metadata: &Metadata) -> io::Result<Self> {
        if !metadata.is_file() {
            return Err(not_regular());
        }
        let age = metadata.modified()?.duration_since(UNIX_EPOCH);
        let nanos = age.map_or(0, |age| age.as_nanos());
        let (inode, mode) = system::inode_and_mode(metadata);
        Ok(Self {
            size: metadata.len(),
            mtime_ns: i64::try_from(nanos).unwrap_or(i64::MAX),
            inode,
            mode,
        })
    }
}

/// The stamps of all files below `dir`, by their paths with `/`.
///
/// # Errors
///
/// Fails if something cannot be read, is neither a regular file nor a directory, or has a name that
/// is no Unicode text.
pub fn stamps_below(dir: &Path) -> Result<BTreeMap<String, FileStamp>, DiskError> {
    let mut stamps = BTreeMap::new();
    collect(dir, "", &mut stamps)?;
    Ok(stamps)
}

/// Dates all files below `dir` back by some seconds and takes their stamps: whatever is written to
/// them from now on gives them another.
///
/// # Errors
///
/// As [`stamps_below`], and if times cannot be set.
pub fn seal_below(dir: &Path) -> Result<BTreeMap<String, FileStamp>, DiskError> {
    let time = SystemTime::now() - BACK;
    for name in stamps_below(dir)?.keys() {
        set_modified(&dir.join(name), time)?;
    }
    stamps_below(dir)
}

/// Makes now the time of the last change of the file at `path`, creating it if it is missing.
///
/// # Errors
///
/// Fails if it cannot be opened for writing.
pub fn touch(path: &Path) -> Result<(), DiskError> {
    set_modified(path, SystemTime::now())
}

fn set_modified(path: &Path, time: SystemTime) -> Result<(), DiskError> {
    let set = || {
        let mut options = OpenOptions::new();
        let file = options
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        file.set_modified(time)
    };
    set().map_err(DiskError::on("set the time of", path))
}

fn collect(
    dir: &Path,
    prefix: &str,
    stamps: &mut BTreeMap<String, FileStamp>,
) -> Result<(), DiskError> {
    let unreadable = || DiskError::on("read the directory", dir);
    for entry in fs::read_dir(dir).map_err(unreadable())? {
        let entry = entry.map_err(unreadable())?;
        let path = entry.path();
        let metadata = entry.metadata().map_err(DiskError::on("look at", &path))?;
        let Ok(name) = entry.file_name().into_string() else {
            return Err(DiskError::on("look at", &path)(not_regular()));
        };
        let name = format!("{prefix}{name}");
        if metadata.is_dir() {
            collect(&path, &format!("{name}/"), stamps)?;
        } else {
            let stamp = FileStamp::of_metadata(&metadata);
            stamps.insert(name, stamp.map_err(DiskError::on("look at", &path))?);
        }
    }
    Ok(())
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is no regular file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change_shows() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("d/file");
        fs::create_dir(root.path().join("d")).unwrap();
        fs::write(&path, "old").unwrap();
        let sealed = seal_below(root.path()).unwrap();
        assert_eq!(sealed.keys().collect::<Vec<_>>(), ["d/file"]);
        assert_eq!(stamps_below(root.path()).unwrap(), sealed);
        fs::write(&path, "new").unwrap();
        assert_ne!(stamps_below(root.path()).unwrap(), sealed);
        let sealed = seal_below(root.path()).unwrap();
        fs::write(root.path().join("more"), "").unwrap();
        assert_ne!(stamps_below(root.path()).unwrap(), sealed);
    }

    #[cfg(unix)]
    #[test]
    fn change_through_a_hard_link_and_of_the_mode_shows() {
        use std::os::unix::fs::PermissionsExt;

        let root = tempfile::tempdir().unwrap();
        let (path, link) = (root.path().join("file"), root.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::hard_link(&path, &link).unwrap();
        let sealed = seal_below(root.path()).unwrap();
        fs::write(&link, "new").unwrap();
        assert_ne!(FileStamp::of(&path).unwrap(), sealed["file"]);
        let sealed = seal_below(root.path()).unwrap();
        fs::set_permissions(&link, fs::Permissions::from_mode(0o755)).unwrap();
        assert_ne!(FileStamp::of(&path).unwrap(), sealed["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_have_no_stamp() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("file"), "").unwrap();
        let link = root.path().join("link");
        std::os::unix::fs::symlink("file", &link).unwrap();
        assert!(FileStamp::of(&link).is_err());
        assert!(stamps_below(root.path()).is_err());
    }
}
