//! Copying the bytes of a file, and all files of a directory.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::disk::{DiskError, ReadBuffer};
use crate::hash::Sha256Digest;

/// Copies the bytes of the file `from` into the open file `to`, and hashes them on the way; tells how many there
/// are.
///
/// # Errors
///
/// Fails if either cannot be read or written; the path is that of `from`.
pub fn copy_hashed(from: &Path, mut to: &File) -> Result<(Sha256Digest, u64), DiskError> {
    let mut copy = || -> io::Result<(Sha256Digest, u64)> {
        let mut source = File::open(from)?;
        let mut hasher = Sha256::new();
        let mut buffer = ReadBuffer::new(ReadBuffer::USUAL);
        let mut size = 0;
        loop {
            let count = source.read(&mut buffer)?;
            if count == 0 {
                return Ok((Sha256Digest(hasher.finalize().into()), size));
            }
            hasher.update(&buffer[..count]);
            to.write_all(&buffer[..count])?;
            size += count as u64;
        }
    };
    copy().map_err(DiskError::on("copy", from))
}

/// Copies all files below `from` into the empty directory `to`; a link to a file becomes a file with its content.
///
/// # Errors
///
/// Fails if something cannot be read or written, or a link leads to a directory.
pub fn copy_tree(from: &Path, to: &Path) -> Result<(), DiskError> {
    let unreadable = || DiskError::on("read the directory", from);
    for entry in fs::read_dir(from).map_err(unreadable())? {
        let entry = entry.map_err(unreadable())?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().map_err(unreadable())?.is_dir() {
            fs::create_dir(&target).map_err(DiskError::on("create the directory", &target))?;
            copy_tree(&source, &target)?;
        } else {
            // Of a pipe or device there is no copy, and opening one may wait for ever.
            let is_file = source.metadata().is_ok_and(|found| found.is_file());
            if !is_file {
                let error = io::Error::new(io::ErrorKind::InvalidData, "it is no regular file");
                return Err(DiskError::on("copy", &source)(error));
            }
            fs::copy(&source, &target).map_err(DiskError::on("copy to", &target))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::TempFile;

    #[test]
    fn copied_bytes_have_the_digest_of_the_file() {
        let root = tempfile::tempdir().unwrap();
        let from = root.path().join("from");
        std::fs::write(&from, vec![7; ReadBuffer::USUAL + 1]).unwrap();
        let temp = TempFile::create_beside(&root.path().join("to")).unwrap();
        let (digest, size) = copy_hashed(&from, temp.file()).unwrap();
        assert_eq!(size, ReadBuffer::USUAL as u64 + 1);
        assert_eq!(digest, crate::disk::sha256(&from).unwrap());
        assert_eq!(digest, crate::disk::sha256(temp.path()).unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn trees_are_copied_with_what_links_to_files_mean() {
        use std::os::unix::fs::symlink;

        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        std::fs::create_dir_all(from.join("d")).unwrap();
        std::fs::write(from.join("d/file"), "bytes").unwrap();
        symlink("d/file", from.join("link")).unwrap();
        std::fs::create_dir(&to).unwrap();
        copy_tree(&from, &to).unwrap();
        assert_eq!(std::fs::read(to.join("d/file")).unwrap(), b"bytes");
        assert!(!to.join("link").is_symlink() && to.join("link").is_file());
        symlink("d", from.join("directory")).unwrap();
        let again = root.path().join("again");
        std::fs::create_dir(&again).unwrap();
        assert!(copy_tree(&from, &again).is_err());
    }

    #[test]
    fn names_the_missing_source() {
        let root = tempfile::tempdir().unwrap();
        let temp = TempFile::create_beside(&root.path().join("to")).unwrap();
        let error = copy_hashed(&root.path().join("none"), temp.file()).unwrap_err();
        assert_eq!(error.path, root.path().join("none"));
    }

    #[cfg(unix)]
    #[test]
    fn copies_are_files_of_their_own_with_the_same_modes() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};

        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        fs::create_dir_all(from.join("d")).unwrap();
        fs::write(from.join("d/file"), "bytes").unwrap();
        fs::set_permissions(from.join("d/file"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(&to).unwrap();
        copy_tree(&from, &to).unwrap();
        let copy = to.join("d/file").metadata().unwrap();
        assert_eq!(fs::read(to.join("d/file")).unwrap(), b"bytes");
        assert_eq!((copy.nlink(), copy.mode() & 0o777), (1, 0o755));
    }
}
