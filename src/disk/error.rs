//! The one error of this module: what was tried, on which path, and why it failed.

use std::io;
use std::path::{Path, PathBuf};

use crate::disk::system;
use crate::failure::{ExitCode, Failure};

/// A failed operation on a file or directory.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`", path.display())]
pub struct DiskError {
    /// What was tried, as a verb that the path can follow: `read`, `create the directory`.
    pub action: &'static str,
    /// The path that it was tried on.
    pub path: PathBuf,
    /// What the system answered.
    pub source: io::Error,
}

impl DiskError {
    /// Makes the closure that puts `action` and `path` around an I/O error.
    pub fn on(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

impl Failure for DiskError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        hint(&self.source).map(str::to_owned).into_iter().collect()
    }
}

/// What to do about an I/O error of a file or directory, where that can be told from the error alone.
pub fn hint(source: &io::Error) -> Option<&'static str> {
    let kind = source.kind();
    if kind == io::ErrorKind::PermissionDenied {
        return Some("check the owner and the permissions of the path");
    }
    if kind == io::ErrorKind::StorageFull || kind == io::ErrorKind::QuotaExceeded {
        return Some("free some space there, or choose a directory on another disk");
    }
    if kind == io::ErrorKind::ReadOnlyFilesystem {
        return Some("the file system is read-only: choose a directory on another one");
    }
    if kind == io::ErrorKind::NotADirectory || kind == io::ErrorKind::AlreadyExists {
        return Some("a file stands where a directory has to be: move it, or choose another place");
    }
    if system::is_out_of_handles(source) {
        return Some("raise the limit with `ulimit -n 4096`, or use fewer jobs with `--jobs`");
    }
    None
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    fn failed(source: io::Error) -> DiskError {
        DiskError::on("read", Path::new("some/file"))(source)
    }

    #[test]
    fn message_names_the_path_and_leaves_the_cause_to_the_source() {
        let error = failed(io::Error::from(io::ErrorKind::NotFound));
        assert_eq!(error.to_string(), "cannot read `some/file`");
        assert_eq!(error.source().unwrap().to_string(), "entity not found");
        assert_eq!(error.exit_code(), ExitCode::Local);
    }

    #[test]
    fn hints_fit_the_cause() {
        let cases = [
            (io::ErrorKind::PermissionDenied, Some("permissions")),
            (io::ErrorKind::StorageFull, Some("free some space")),
            (io::ErrorKind::ReadOnlyFilesystem, Some("read-only")),
            (io::ErrorKind::NotADirectory, Some("a file stands")),
            (io::ErrorKind::NotFound, None),
        ];
        for (kind, words) in cases {
            let hints = failed(io::Error::from(kind)).hints();
            assert_eq!(hints.len(), usize::from(words.is_some()), "{kind:?}");
            assert!(
                hints.iter().all(|hint| hint.contains(words.unwrap())),
                "{hints:?}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn too_many_open_files_has_a_hint() {
        const EMFILE: i32 = 24;
        let hints = failed(io::Error::from_raw_os_error(EMFILE)).hints();
        assert!(hints[0].contains("ulimit"), "{hints:?}");
    }
}
