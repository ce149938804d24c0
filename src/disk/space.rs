//! How much may still be written.

use std::io;
use std::path::Path;

use crate::disk::{DiskError, system};

/// Fails if the file system that `path` is or will be on has less than `bytes` left for this user. Where
/// that is not known, writing will tell.
///
/// # Errors
///
/// Fails as a write would that finds the disk full.
pub fn require_space(path: &Path, bytes: u64) -> Result<(), DiskError> {
    let existing = path.ancestors().find(|path| path.exists());
    match existing.and_then(system::available_space) {
        Some(left) if left < bytes => {
            let text = format!("{bytes} bytes are needed, and the file system has {left} left");
            let full = io::Error::new(io::ErrorKind::StorageFull, text);
            Err(DiskError::on("write", path)(full))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_is_refused_before_it_is_written() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a/b/c");
        assert!(require_space(&path, 1).is_ok());
        let error = require_space(&path, u64::MAX).unwrap_err();
        assert_eq!(error.path, path);
        assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
    }
}
