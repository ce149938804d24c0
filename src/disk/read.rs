//! Reading whole files that may be larger than they should be.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::disk::DiskError;

/// Where the system keeps its devices, and what the shell calls pipes of its own (`<(COMMAND)`).
const OF_THE_SYSTEM: [&str; 2] = ["/dev", "/proc"];

/// Reads the file at `path`, which may hold at most `cap` bytes.
///
/// # Errors
///
/// Fails if the file cannot be read, holds more than `cap` bytes, or is a pipe or device that somebody has put in place of
/// a file, which could be waited for without end; never more than `cap` + 1 bytes are read.
pub fn read_capped(path: &Path, cap: u64) -> Result<Vec<u8>, DiskError> {
    read(path, cap).map_err(DiskError::on("read", path))
}

fn read(path: &Path, cap: u64) -> io::Result<Vec<u8>> {
    let is_of_the_system = || OF_THE_SYSTEM.iter().any(|dir| path.starts_with(dir));
    let found = path.metadata()?;
    if !(found.is_file() || found.is_dir() || is_of_the_system()) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is a pipe or device, and no file",
        ));
    }
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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_in_place_of_a_file_is_not_opened() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};

        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("pipe");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let error = read_capped(&path, 4).unwrap_err();
        assert_eq!(
            error.source.to_string(),
            "it is a pipe or device, and no file"
        );
        assert_eq!(read_capped(Path::new("/dev/null"), 4).unwrap(), b"");
    }

    #[test]
    fn names_the_missing_file() {
        let root = tempfile::tempdir().unwrap();
        let error = read_capped(&root.path().join("none"), 1).unwrap_err();
        assert_eq!(error.path, root.path().join("none"));
        assert_eq!(error.source.kind(), io::ErrorKind::NotFound);
    }
}
