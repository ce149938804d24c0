//! Relative paths from outside that cannot lead out of the directory they are joined to.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::disk::DiskError;
use crate::disk::system;

/// A relative path, as given (for messages), that stays below any root it is joined to.
///
/// Empty parts and `.` are allowed and mean nothing; `a/b/` is the same place as `a/b`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SafePath(String);

/// Why a text is no safe relative path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SafePathError {
    /// Nothing that names a file: empty, or only `.` and `/`.
    #[error("`{0}` names no file")]
    Empty(String),
    /// It starts at a root, a drive or a server.
    #[error("`{0}` is an absolute path")]
    Absolute(String),
    /// One part is `..`.
    #[error("`{0}` leads out of its directory with `..`")]
    Climbs(String),
    /// It holds a NUL byte.
    #[error("`{}` holds a NUL byte", .0.escape_debug())]
    Nul(String),
    /// One part names a device or the like on this system.
    #[error("`{0}` has a special meaning on this system")]
    Special(String),
}

impl SafePath {
    /// The path as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The meaningful parts, first to last; at least one.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        parts(&self.0).filter(|part| !part.is_empty() && *part != ".")
    }

    /// Joins the path to `root`, without looking at the disk.
    pub fn under(&self, root: &Path) -> PathBuf {
        let mut path = root.to_owned();
        path.extend(self.parts());
        path
    }

    /// Joins the path to `root` for writing: makes the missing directories in between.
    ///
    /// `root` itself may be or contain links; nothing below it may.
    ///
    /// # Errors
    ///
    /// Fails if a directory cannot be made, or a part below `root`, the last one included, is a
    /// symbolic link.
    pub fn prepare_under(&self, root: &Path) -> Result<PathBuf, DiskError> {
        let path = self.under(root);
        let mut below = root.to_owned();
        let mut parts = self.parts().peekable();
        while let Some(part) = parts.next() {
            below.push(part);
            let exists = refuse_link(&below).map_err(DiskError::on("write below", &below))?;
            if !exists && parts.peek().is_some() {
                make_dir(&below).map_err(DiskError::on("create the directory", &below))?;
            }
        }
        Ok(path)
    }
}

/// Whether something is at `path`, which must not be a link.
fn refuse_link(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => Err(io::Error::other(
            "it is a symbolic link, which could lead elsewhere",
        )),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn make_dir(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        // Another task may have made it for a neighbour.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => refuse_link(path).map(|_| ()),
        other => other,
    }
}

/// All parts between separators: a backslash separates only where the system says so.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| c == '/' || (cfg!(windows) && c == '\\'))
}

impl FromStr for SafePath {
    type Err = SafePathError;

    fn from_str(text: &str) -> Result<Self, SafePathError> {
        let refuse = |variant: fn(String) -> SafePathError| Err(variant(text.to_owned()));
        if text.contains('\0') {
            return refuse(SafePathError::Nul);
        }
        if text.starts_with(['/', '\\']) || has_drive(text) {
            return refuse(SafePathError::Absolute);
        }
        // Whoever unpacks the same name on Windows would climb with backslashes too.
        if text.split(['/', '\\']).any(|part| part == "..") {
            return refuse(SafePathError::Climbs);
        }
        let path = Self(text.to_owned());
        if path.parts().next().is_none() {
            return refuse(SafePathError::Empty);
        }
        if path.parts().any(system::is_special_name) {
            return refuse(SafePathError::Special);
        }
        Ok(path)
    }
}

/// Whether the text begins with a drive letter, as in `C:\x`, `c:x` or `C:`.
fn has_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

impl fmt::Display for SafePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> SafePathError {
        text.parse::<SafePath>().unwrap_err()
    }

    #[test]
    fn accepts_relative_paths_and_prints_them_back() {
        let root = Path::new("root");
        for (text, joined) in [
            ("a", "root/a"),
            ("a/b.zip", "root/a/b.zip"),
            ("./a//b/", "root/a/b"),
            ("..a/b..", "root/..a/b.."),
            ("host.example:8443/x", "root/host.example:8443/x"),
            ("ключ/ü", "root/ключ/ü"),
        ] {
            let path: SafePath = text.parse().unwrap();
            assert_eq!(path.to_string(), text);
            assert_eq!(path.under(root), Path::new(joined), "{text}");
        }
    }

    #[test]
    fn refuses_path_that_climbs_out() {
        for text in ["..", "../a", "a/../../b", "a/..", "a\\..\\..\\b", "./../a"] {
            assert_eq!(error(text), SafePathError::Climbs(text.to_owned()));
        }
    }

    #[test]
    fn refuses_absolute_path() {
        for text in [
            "/",
            "/etc/passwd",
            "//server/share",
            "\\\\server\\share",
            "\\a",
        ] {
            assert_eq!(error(text), SafePathError::Absolute(text.to_owned()));
        }
    }

    #[test]
    fn refuses_drive_letter() {
        for text in ["C:", "c:a", "C:\\a", "z:/a"] {
            assert_eq!(error(text), SafePathError::Absolute(text.to_owned()));
        }
    }

    #[test]
    fn refuses_nul_byte() {
        assert_eq!(error("a\0b"), SafePathError::Nul("a\0b".to_owned()));
        assert_eq!(error("a\0b").to_string(), "`a\\0b` holds a NUL byte");
    }

    #[test]
    fn refuses_path_that_names_the_root_itself() {
        for text in ["", ".", "./", "././."] {
            assert_eq!(error(text), SafePathError::Empty(text.to_owned()));
        }
    }

    #[test]
    fn prepare_makes_directories_but_not_the_file() {
        let root = tempfile::tempdir().unwrap();
        let path: SafePath = "a/b/file".parse().unwrap();
        let prepared = path.prepare_under(root.path()).unwrap();
        assert_eq!(prepared, root.path().join("a/b/file"));
        assert!(root.path().join("a/b").is_dir() && !prepared.exists());
        fs::write(&prepared, "").unwrap();
        assert_eq!(path.prepare_under(root.path()).unwrap(), prepared);
    }

    #[cfg(unix)]
    #[test]
    fn refuses_to_write_through_a_planted_link() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(outside.path(), root.path().join("link")).unwrap();
        for text in ["link/file", "link/sub/file", "link"] {
            let path: SafePath = text.parse().unwrap();
            let error = path.prepare_under(root.path()).unwrap_err();
            assert!(error.source.to_string().contains("symbolic link"), "{text}");
        }
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
