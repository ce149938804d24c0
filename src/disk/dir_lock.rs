//! A lock between processes on a directory that is there anyway, so that no file has to be left for it.

use std::fs::File;
use std::path::Path;

use crate::disk::DiskError;
use crate::disk::lock::judged;

/// A held lock. Dropping it, or the end of the process in any way, releases it.
#[derive(Debug)]
pub struct DirLock {
    /// `None` where directories cannot be locked; writes are atomic in any case.
    _dir: Option<File>,
}

impl DirLock {
    /// Locks the directory `dir`; `None` while another process holds it. Where directories, or these, cannot be locked,
    /// the lock counts as held.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be opened.
    pub fn try_exclusive(dir: &Path) -> Result<Option<Self>, DiskError> {
        if !cfg!(unix) {
            return Ok(Some(Self { _dir: None }));
        }
        let file = File::open(dir).map_err(DiskError::on("open", dir))?;
        match judged(file.try_lock(), dir) {
            Ok(None) => Ok(None),
            Ok(Some(held)) => Ok(Some(Self {
                _dir: held.then_some(file),
            })),
            // Some file systems lock only what is open for writing, and directories never are.
            Err(error) => {
                log::debug!("{error}: {}", error.source);
                Ok(Some(Self { _dir: None }))
            }
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_a_directory_until_it_lets_go() {
        let root = tempfile::tempdir().unwrap();
        let held = DirLock::try_exclusive(root.path()).unwrap().unwrap();
        assert!(DirLock::try_exclusive(root.path()).unwrap().is_none());
        drop(held);
        assert!(DirLock::try_exclusive(root.path()).unwrap().is_some());
        assert!(DirLock::try_exclusive(&root.path().join("none")).is_err());
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    }
}
