//! Directories that only their owner may enter: for credentials.

use std::fs::DirBuilder;
use std::path::Path;

use crate::disk::DiskError;

/// Makes `path` and its parents if they are missing; the new ones are the owner's alone (mode 0700). Directories
/// that are there keep their mode.
///
/// # Errors
///
/// If a directory cannot be made.
pub fn create_private_dir_all(path: &Path) -> Result<(), DiskError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    owner_only(&mut builder);
    builder
        .create(path)
        .map_err(DiskError::on("create the directory", path))
}

#[cfg(unix)]
fn owner_only(builder: &mut DirBuilder) {
    std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
}

/// Elsewhere directories of a user's profile are theirs alone by inheritance.
#[cfg(not(unix))]
fn owner_only(_builder: &mut DirBuilder) {}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_new_directories_become_private() {
        let root = tempfile::tempdir().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let shared = root.path().join("shared");
        std::fs::create_dir(&shared).unwrap();
        let before = mode(&shared);
        create_private_dir_all(&shared.join("a/b")).unwrap();
        create_private_dir_all(&shared.join("a/b")).unwrap();
        assert_eq!(mode(&shared), before);
        assert_eq!(
            (mode(&shared.join("a")), mode(&shared.join("a/b"))),
            (0o700, 0o700)
        );
    }
}
