//! The right to execute a file, which only Unix keeps with it.

use std::path::Path;

use crate::disk::{DiskError, system};

/// Whether anybody may execute the file at `path`, links followed; where files carry no such right, always.
///
/// # Errors
///
/// Fails if the file cannot be looked at.
pub fn is_executable(path: &Path) -> Result<bool, DiskError> {
    system::is_executable(path).map_err(DiskError::on("look at", path))
}

/// Lets everybody execute the file at `path` who may read it.
///
/// # Errors
///
/// Fails if its rights cannot be changed.
pub fn make_executable(path: &Path) -> Result<(), DiskError> {
    system::make_executable(path).map_err(DiskError::on("make executable", path))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn who_may_read_may_execute() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("plugin");
        fs::write(&file, "").unwrap();
        for (before, after) in [(0o644, 0o755), (0o600, 0o700), (0o640, 0o750)] {
            fs::set_permissions(&file, Permissions::from_mode(before)).unwrap();
            assert!(!is_executable(&file).unwrap());
            make_executable(&file).unwrap();
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, after);
            assert!(is_executable(&file).unwrap());
        }
        is_executable(&root.path().join("none")).unwrap_err();
    }
}
