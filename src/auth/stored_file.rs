//! The credentials file on disk: one edit at a time, from the old state to the new one (facts/login 4.4).
//!
//! A symbolic link at the file's place is read, since the tools read it, and replaced by a file, never written through.

use std::io;
use std::path::{Path, PathBuf};

use crate::address::Hostname;
use crate::auth::StorageError;
use crate::disk::{self, FileLock, TempFile};
use crate::document::CredentialsFile;
use crate::secret::Secret;

/// No honest credentials file is larger.
const FILE_CAP: u64 = 4 << 20;

/// What an edit is worth telling of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edited {
    /// Whether the file changed; it does not if there is nothing to forget.
    pub changed: bool,
    /// Why the tools cannot read the file, if they cannot.
    pub unreadable: Option<String>,
    /// Whether a symbolic link was replaced by the file.
    pub replaced_link: bool,
}

/// Reads the credentials file at `path`; one that is not there holds nothing.
///
/// # Errors
///
/// If it cannot be read or edited without losing something.
pub(super) fn read(path: &Path) -> Result<CredentialsFile, StorageError> {
    let bytes = match disk::read_capped(path, FILE_CAP) {
        Ok(bytes) => bytes,
        Err(error) if error.source.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    CredentialsFile::parse(&bytes).map_err(|source| StorageError::File {
        path: path.to_owned(),
        source,
    })
}

/// Makes sure, before a login begins, that its token can be kept: the directory is there (made with mode 0700) and
/// can be written, and the file can be edited.
pub(super) fn prepare(path: &Path) -> Result<(), StorageError> {
    disk::create_private_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    drop(TempFile::create_private_beside(path)?);
    read(path).map(drop)
}

/// Keeps `token` for `host` in the file at `path`, mode 0600.
pub(super) async fn store(
    path: &Path,
    host: &Hostname,
    token: &Secret,
) -> Result<Edited, StorageError> {
    prepare(path)?;
    let _lock = lock(path).await?;
    let mut file = read(path)?;
    file.store(host, token);
    write(path, &file)
}

/// Removes what is kept for `host` in the file at `path`; without an entry the file stays untouched.
pub(super) async fn forget(path: &Path, host: &Hostname) -> Result<Edited, StorageError> {
    if !read(path)?.holds(host) {
        return Ok(Edited::default());
    }
    let _lock = lock(path).await?;
    let mut file = read(path)?;
    if !file.forget(host) {
        return Ok(Edited::default());
    }
    write(path, &file)
}

fn write(path: &Path, file: &CredentialsFile) -> Result<Edited, StorageError> {
    let replaced_link = path.is_symlink();
    disk::write_atomically_private(path, file.render().as_bytes())?;
    Ok(Edited {
        changed: true,
        unreadable: file.unreadable_because(),
        replaced_link,
    })
}

/// Two logins at the same time would lose one of them. Who waits can be interrupted, and nothing is changed then.
async fn lock(path: &Path) -> Result<FileLock, StorageError> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".provender.lock");
    let file: PathBuf = path.with_file_name(name);
    let look = || {
        let file = file.clone();
        move || Ok(FileLock::try_exclusive(&file)?)
    };
    let tell = || {
        let path = path.display();
        log::warn!("waiting for another process that edits `{path}`");
    };
    disk::when_free(look, tell).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> Hostname {
        "example.test".parse().unwrap()
    }

    #[tokio::test]
    async fn store_and_forget_change_one_host() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("d/credentials.tfrc.json");
        assert!(!forget(&path, &host()).await.unwrap().changed);
        assert!(!path.exists());
        store(&path, &host(), &Secret::new("t")).await.unwrap();
        let other = "b.example".parse().unwrap();
        store(&path, &other, &Secret::new("u")).await.unwrap();
        assert!(forget(&path, &host()).await.unwrap().changed);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(
            text,
            "{\n  \"credentials\": {\n    \"b.example\": {\n      \"token\": \"u\"\n    }\n  }\n}"
        );
    }

    #[tokio::test]
    async fn odd_file_is_refused_and_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("credentials.tfrc.json");
        std::fs::write(&path, "{\"credentials\":").unwrap();
        for error in [
            prepare(&path).unwrap_err(),
            store(&path, &host(), &Secret::new("t")).await.unwrap_err(),
            forget(&path, &host()).await.unwrap_err(),
        ] {
            assert!(matches!(error, StorageError::File { .. }), "{error}");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"credentials\":");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn link_is_replaced_and_what_it_points_to_stays() {
        use std::os::unix::fs::PermissionsExt;

        let root = tempfile::tempdir().unwrap();
        let (path, theirs) = (
            root.path().join("credentials.tfrc.json"),
            root.path().join("x"),
        );
        let text = "{\"credentials\":{\"b.example\":{\"token\":\"u\"}}}";
        std::fs::write(&theirs, text).unwrap();
        std::os::unix::fs::symlink(&theirs, &path).unwrap();
        assert!(
            store(&path, &host(), &Secret::new("t"))
                .await
                .unwrap()
                .replaced_link
        );
        assert_eq!(std::fs::read_to_string(&theirs).unwrap(), text);
        let kept = read(&path).unwrap();
        assert!(kept.holds(&host()) && kept.holds(&"b.example".parse().unwrap()));
        let metadata = path.symlink_metadata().unwrap();
        assert_eq!(metadata.permissions().mode() & 0o7777, 0o600);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn logins_at_the_same_time_all_stay() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("credentials.tfrc.json");
        let host = |number| format!("h{number}.example").parse().unwrap();
        let log_in = |number| {
            let (path, host) = (path.clone(), host(number));
            tokio::spawn(async move { store(&path, &host, &Secret::new("t")).await })
        };
        let logins: Vec<_> = (0..8).map(log_in).collect();
        for login in logins {
            login.await.unwrap().unwrap();
        }
        let file = read(&path).unwrap();
        assert!((0..8).all(|number| file.holds(&host(number))));
    }
}
