//! How much may still be written.

use std::path::Path;

use crate::disk::system;

/// The bytes that this user may still write to the file system that `path` is or will be on; `None`
/// where that is not known.
pub fn available_space(path: &Path) -> Option<u64> {
    let existing = path.ancestors().find(|path| path.exists())?;
    system::available_space(existing)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn path_that_is_not_there_yet_counts_as_its_directory() {
        let root = tempfile::tempdir().unwrap();
        let there = available_space(root.path());
        assert!(there.is_some_and(|bytes| bytes > 0));
        assert!(available_space(&root.path().join("a/b/c")).is_some());
    }
}
