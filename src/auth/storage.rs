//! Where the token of a login is kept: the table of facts/login 4.7.

use std::fmt;
use std::path::{Path, PathBuf};

use super::helper::{CredentialsHelper, HelperError};
use super::stored_file::{self, Edited};
use crate::address::Hostname;
use crate::config::CliConfig;
use crate::config::cli_config::Place;
use crate::disk::DiskError;
use crate::document::CredentialsFileError;
use crate::failure::{ExitCode, Failure};
use crate::secret::Secret;

/// The place for one host's token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// The credentials file.
    File(PathBuf),
    /// The configured helper.
    Helper(CredentialsHelper),
}

/// Why there is no place for a token, or it cannot be kept or removed there.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The user has written the token into a configuration file, which is the user's to edit.
    #[error("the credentials for `{host}` are configured by hand in `{place}`")]
    ByHand {
        /// The host.
        host: Box<Hostname>,
        /// Where.
        place: Place,
    },
    /// There is no home directory.
    #[error("cannot tell where the credentials file is without a home directory")]
    NoHome,
    /// The helper is of no use.
    #[error(transparent)]
    Helper(#[from] HelperError),
    /// The file cannot be edited without losing something.
    #[error("cannot edit the credentials file `{}`", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CredentialsFileError,
    },
    /// The file cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl Failure for StorageError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::ByHand { host, place } => vec![format!(
                "remove the `credentials \"{host}\"` block from `{}`, or put the new token there",
                place.file.display()
            )],
            Self::NoHome => vec!["set `HOME`".to_owned()],
            Self::Helper(error) => error.hints(),
            Self::File { path, .. } => vec![format!(
                "correct `{}` by hand, or move it away; nothing in it was changed",
                path.display()
            )],
            Self::Disk(error) => error.hints(),
        }
    }
}

impl Storage {
    /// The place for the token of `host`, as the tools choose it: the credentials file if the host is in it, else the
    /// helper if one is configured, else the file. A helper that is not installed is an error here, where the tools
    /// would quietly write the token to the plain file.
    ///
    /// # Errors
    ///
    /// If the host is configured by hand elsewhere, the helper is missing, or there is no home directory.
    pub fn of(
        host: &Hostname,
        config: &CliConfig,
        file: Option<&Path>,
        helper: Option<Result<CredentialsHelper, HelperError>>,
    ) -> Result<Self, StorageError> {
        let loaded = file.filter(|file| config.files.iter().any(|read| read == file));
        if let Some(file) = loaded
            && stored_file::read(file).is_ok_and(|content| content.holds(host))
        {
            return Ok(Self::File(file.to_owned()));
        }
        match config.credentials.get(host) {
            Some(entry) if Some(entry.place.file.as_path()) != file => {
                return Err(StorageError::ByHand {
                    host: Box::new(host.clone()),
                    place: entry.place.clone(),
                });
            }
            Some(_) | None => {}
        }
        if let Some(helper) = helper {
            return Ok(Self::Helper(helper?));
        }
        let file = file.ok_or(StorageError::NoHome)?;
        Ok(Self::File(file.to_owned()))
    }

    /// Makes sure, before a login begins, that its token for `host` can be kept. A helper that cannot be
    /// asked would lose it, and no tool could use it either.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub async fn prepare(&self, host: &Hostname) -> Result<(), StorageError> {
        match self {
            Self::File(path) => stored_file::prepare(path),
            Self::Helper(helper) => Ok(helper.get(host).await.map(drop)?),
        }
    }

    /// The token that is kept for `host`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the helper fails.
    pub async fn get(&self, host: &Hostname) -> Result<Option<Secret>, StorageError> {
        match self {
            Self::File(path) => Ok(stored_file::read(path)?.token(host)),
            Self::Helper(helper) => Ok(helper.get(host).await?),
        }
    }

    /// Keeps `token` for `host`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written or edited, or the helper fails.
    pub async fn store(&self, host: &Hostname, token: &Secret) -> Result<Edited, StorageError> {
        match self {
            Self::File(path) => stored_file::store(path, host, token).await,
            Self::Helper(helper) => {
                helper.store(host, token).await?;
                Ok(changed())
            }
        }
    }

    /// Removes what is kept for `host`. A helper does not tell whether there was anything.
    ///
    /// # Errors
    ///
    /// If the file cannot be written or edited, or the helper fails.
    pub async fn forget(&self, host: &Hostname) -> Result<Edited, StorageError> {
        match self {
            Self::File(path) => stored_file::forget(path, host).await,
            Self::Helper(helper) => {
                helper.forget(host).await?;
                Ok(changed())
            }
        }
    }
}

fn changed() -> Edited {
    Edited {
        changed: true,
        ..Edited::default()
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "`{}`", path.display()),
            Self::Helper(helper) => write!(f, "the credentials helper `{}`", helper.name()),
        }
    }
}
