//! Reading whole files that may be larger than they should be.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::disk::DiskError;

/// Reads the file at `path`, which may hold at most `cap` bytes.
///
/// # Errors
///
/// Fails if the file cannot be read or holds more than `cap` bytes; never more than `cap` + 1 bytes
/// are read.
pub fn read_capped(path: &Path, cap: u64) -> Result<Vec<u8>, DiskError> {
    read(path, cap).map_err(DiskError::on("read", path))
}

fn read(path: &Path, cap: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(cap.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > cap {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("the file is larger than {cap} bytes"),
        ));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_file_larger_than_the_cap() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("file");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_capped(&path, 5).unwrap(), b"12345");
        let error = read_capped(&path, 4).unwrap_err();
        assert_eq!(error.source.to_string(), "the file is larger than 4 bytes");
    }

    #[test]
    fn names_the_missing_file() {
        let root = tempfile::tempdir().unwrap();
        let error = read_capped(&root.path().join("none"), 1).unwrap_err();
        assert_eq!(error.path, root.path().join("none"));
        assert_eq!(error.source.kind(), io::ErrorKind::NotFound);
    }
}
