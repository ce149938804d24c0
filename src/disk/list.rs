//! The names in a directory.

use std::fs;
use std::path::Path;

use crate::disk::DiskError;

/// The names of the entries of `dir`, in no order; names that are no Unicode text are left out.
///
/// # Errors
///
/// Fails if the directory cannot be read.
pub fn file_names(dir: &Path) -> Result<Vec<String>, DiskError> {
    let unreadable = || DiskError::on("read the directory", dir);
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable())? {
        let name = entry.map_err(unreadable())?.file_name();
        names.extend(name.into_string());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_names_and_tells_the_directory_that_is_missing() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a"), "").unwrap();
        assert_eq!(file_names(root.path()).unwrap(), ["a"]);
        let missing = root.path().join("none");
        assert_eq!(file_names(&missing).unwrap_err().path, missing);
    }
}
