//! Links to directories, put in place in one step.

use std::path::Path;

use crate::disk::{DiskError, TempDir, rename_dir, system};

/// Makes `link` a symbolic link to the directory `target`, replacing what is there as [`rename_dir`]
/// does. The directory of `link` is made if it is missing.
///
/// # Errors
///
/// Fails if the system, the file system or the user's rights allow no links, or as [`rename_dir`].
pub fn link_dir(target: &Path, link: &Path) -> Result<(), DiskError> {
    // Inside a directory of ours a link that a killed process leaves is found and removed.
    let staging = TempDir::create_beside(link)?;
    let staged = staging.path().join("link");
    system::symlink_dir(target, &staged).map_err(DiskError::on("make a link at", link))?;
    rename_dir(&staged, link)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn replaces_whatever_is_there_and_leaves_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let [old, new, link] = ["old", "new", "in/link"].map(|name| root.path().join(name));
        for dir in [&old, &new, &link] {
            fs::create_dir_all(dir).unwrap();
            fs::write(dir.join("file"), "theirs").unwrap();
        }
        for target in [&old, &new] {
            link_dir(target, &link).unwrap();
            assert_eq!(fs::read_link(&link).unwrap(), *target);
            assert_eq!(fs::read_dir(root.path().join("in")).unwrap().count(), 1);
        }
        assert!(old.join("file").is_file() && new.join("file").is_file());
    }

    #[test]
    fn failure_leaves_what_is_there() {
        let root = tempfile::tempdir().unwrap();
        let link = root.path().join("link");
        fs::create_dir(&link).unwrap();
        // No system takes a NUL byte in a path.
        link_dir(Path::new("a\0b"), &link).unwrap_err();
        assert!(link.is_dir());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
