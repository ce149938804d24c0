//! The digest of a file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{DiskError, ReadBuffer};
use crate::hash::Sha256Digest;

/// The SHA-256 of the file at `path`, read in pieces.
///
/// # Errors
///
/// If it cannot be opened or read.
pub fn sha256(path: &Path) -> Result<Sha256Digest, DiskError> {
    let hash = || -> io::Result<Sha256Digest> {
        let mut file = File::open(path)?;
        let mut hasher = Sha256::new();
        let mut buffer = ReadBuffer::new(ReadBuffer::USUAL);
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(Sha256Digest(hasher.finalize().into())),
                count => hasher.update(&buffer[..count]),
            }
        }
    };
    hash().map_err(DiskError::on("read", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_that_of_the_whole_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        let bytes = vec![7; ReadBuffer::USUAL + 1];
        std::fs::write(&path, &bytes).unwrap();
        let expected = Sha256Digest(Sha256::digest(&bytes).into());
        assert_eq!(sha256(&path).unwrap(), expected);
        assert!(sha256(&dir.path().join("absent")).is_err());
    }
}
