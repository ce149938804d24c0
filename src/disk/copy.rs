//! Copying one file.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::disk::{DiskError, TempFile};

/// Copies the file `from` to `to` with its permissions, replacing `to` in one step.
///
/// # Errors
///
/// Fails if `from` cannot be read, or as [`TempFile::persist`] does.
pub fn copy(from: &Path, to: &Path) -> Result<(), DiskError> {
    let mut source = File::open(from).map_err(DiskError::on("read", from))?;
    let permissions = source
        .metadata()
        .map_err(DiskError::on("read", from))?
        .permissions();
    let temp = TempFile::create_beside(to)?;
    // File to file, the library lets the kernel copy where it can.
    io::copy(&mut source, &mut temp.file()).map_err(DiskError::on("copy to", to))?;
    temp.file()
        .set_permissions(permissions)
        .map_err(DiskError::on("set the mode of", to))?;
    temp.persist(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_bytes_over_an_old_file() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        std::fs::write(&from, "bytes").unwrap();
        std::fs::write(&to, "an old and longer text").unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(std::fs::read(&to).unwrap(), b"bytes");
    }

    #[cfg(unix)]
    #[test]
    fn keeps_the_executable_bit() {
        use std::os::unix::fs::PermissionsExt;

        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        std::fs::write(&from, "").unwrap();
        std::fs::set_permissions(&from, std::fs::Permissions::from_mode(0o755)).unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(to.metadata().unwrap().permissions().mode() & 0o777, 0o755);
    }

    #[test]
    fn names_the_missing_source() {
        let root = tempfile::tempdir().unwrap();
        let error = copy(&root.path().join("none"), &root.path().join("to")).unwrap_err();
        assert_eq!(error.path, root.path().join("none"));
    }
}
