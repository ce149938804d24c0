//! Writing whole files in one step.

use std::io::Write;
use std::path::Path;

use crate::disk::{DiskError, TempFile};

/// Replaces the file at `path` by one that holds `bytes`, mode 0644.
///
/// A temporary file beside the target is written, synced and renamed, so a reader and a crash see
/// the old bytes or the new ones. A symbolic link at `path` is replaced, not followed.
///
/// # Errors
///
/// Fails if the directory of `path` does not exist or writing fails; the old file is then untouched.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    finish(TempFile::create_beside(path)?, path, bytes)
}

/// Like [`write_atomically`], but only the owner may read the file (mode 0600): for credentials.
///
/// # Errors
///
/// As [`write_atomically`].
pub fn write_atomically_private(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    finish(TempFile::create_private_beside(path)?, path, bytes)
}

fn finish(mut temp: TempFile, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    temp.write_all(bytes)
        .map_err(DiskError::on("write", path))?;
    temp.persist(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_old_content() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("file");
        write_atomically(&path, b"a longer old text").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn modes_are_0644_and_0600() {
        use std::os::unix::fs::PermissionsExt;

        let root = tempfile::tempdir().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let (public, private) = (root.path().join("public"), root.path().join("private"));
        // The umask of the machine applies, so compare with a file that the library makes.
        std::fs::write(root.path().join("usual"), "").unwrap();
        write_atomically(&public, b"").unwrap();
        write_atomically_private(&private, b"").unwrap();
        assert_eq!(mode(&public), mode(&root.path().join("usual")) & 0o644);
        assert_eq!(mode(&private), 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn replaces_a_link_instead_of_following_it() {
        let root = tempfile::tempdir().unwrap();
        let (link, other) = (root.path().join("link"), root.path().join("other"));
        std::fs::write(&other, "theirs").unwrap();
        std::os::unix::fs::symlink(&other, &link).unwrap();
        write_atomically(&link, b"ours").unwrap();
        assert_eq!(std::fs::read(&other).unwrap(), b"theirs");
        assert_eq!(std::fs::read(&link).unwrap(), b"ours");
    }
}
