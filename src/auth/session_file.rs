//! The logins that are remembered, on disk and in the keyring.

use std::io;
use std::path::{Path, PathBuf};

use super::keyring;
use crate::address::Hostname;
use crate::disk::{self, DiskError, FileLock};
use crate::document::{LoginSession, LoginSessions, LoginSessionsError, Refresh};
use crate::secret::Secret;

/// No honest file of logins is larger.
const FILE_CAP: u64 = 4 << 20;

/// `oauth.json` in this program's data directory.
#[derive(Debug, Clone)]
pub struct SessionFile {
    path: PathBuf,
}

/// Why logins cannot be read or remembered.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The file is another's.
    #[error("cannot use `{}`", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LoginSessionsError,
    },
    /// The file cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl SessionFile {
    /// The file in the data directory `dir`.
    pub fn in_dir(dir: &Path) -> Self {
        Self {
            path: dir.join("oauth.json"),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The login at `host`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn get(&self, host: &Hostname) -> Result<Option<LoginSession>, SessionError> {
        Ok(self.read()?.get(host))
    }

    /// Remembers the login at `host`; its refresh token goes to the keyring if there is one.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn put(&self, host: &Hostname, session: &LoginSession) -> Result<(), SessionError> {
        let _lock = self.lock()?;
        self.put_locked(host, session)
    }

    /// As [`SessionFile::put`], for who holds the lock.
    pub(super) fn put_locked(
        &self,
        host: &Hostname,
        session: &LoginSession,
    ) -> Result<(), SessionError> {
        let refresh = match &session.refresh {
            Refresh::Here(token) => in_keyring(host, token),
            Refresh::None | Refresh::Keyring => session.refresh.clone(),
        };
        let session = LoginSession {
            refresh,
            ..session.clone()
        };
        let mut sessions = self.read()?;
        sessions.put(host, &session);
        Ok(disk::write_atomically_private(
            &self.path,
            sessions.render().as_bytes(),
        )?)
    }

    /// Forgets the login at `host`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn remove(&self, host: &Hostname) -> Result<(), SessionError> {
        let Some(known) = self.get(host)? else {
            return Ok(());
        };
        if known.refresh == Refresh::Keyring
            && let Err(error) = keyring::forget_refresh_token(host)
        {
            log::warn!("the refresh token for `{host}` stays in the keyring: {error}");
        }
        let _lock = self.lock()?;
        let mut sessions = self.read()?;
        if sessions.remove(host) {
            disk::write_atomically_private(&self.path, sessions.render().as_bytes())?;
        }
        Ok(())
    }

    /// The refresh token of a login.
    pub(super) fn refresh_token(host: &Hostname, session: &LoginSession) -> Option<Secret> {
        match &session.refresh {
            Refresh::None => None,
            Refresh::Here(token) => Some(token.clone()),
            Refresh::Keyring => keyring::refresh_token(host).unwrap_or_else(|error| {
                log::warn!("the refresh token for `{host}` is out of reach: {error}");
                None
            }),
        }
    }

    /// Keeps other processes from the file, so that a refresh token is used once.
    pub(super) fn lock(&self) -> Result<FileLock, SessionError> {
        let dir = self.path.parent().unwrap_or(Path::new("."));
        disk::create_private_dir_all(dir)?;
        let waiting = || log::info!("waiting for another process that renews a login");
        Ok(FileLock::exclusive(&dir.join("oauth.lock"), waiting)?)
    }

    fn read(&self) -> Result<LoginSessions, SessionError> {
        let bytes = match disk::read_capped(&self.path, FILE_CAP) {
            Ok(bytes) => bytes,
            Err(error) if error.source.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        LoginSessions::parse(&bytes).map_err(|source| SessionError::Malformed {
            path: self.path.clone(),
            source,
        })
    }
}

/// Puts the token into the keyring; where there is none, into the file.
fn in_keyring(host: &Hostname, token: &Secret) -> Refresh {
    match keyring::store_refresh_token(host, token) {
        Ok(()) => Refresh::Keyring,
        Err(error) => {
            log::info!("the refresh token for `{host}` is kept in a file: {error}");
            Refresh::Here(token.clone())
        }
    }
}
