//! The operating system's keyring: Secret Service, Keychain, Credential Manager. Blocks, and may wait for the user to
//! unlock it, so async callers use the blocking pool.
//!
//! Tokens of hosts are kept as `terraform-credentials-keychain` keeps them, so that each finds what the other stored:
//! service `terraform`, the host as account, the JSON object of the helper protocol as secret (facts/login 4.8).

use keyring::Entry;
use serde_json::{Value, json};

use crate::address::Hostname;
use crate::failure::{ExitCode, Failure};
use crate::secret::Secret;

/// The service of hosts' tokens.
const TOKENS: &str = "terraform";

/// The service of what gets new tokens.
const REFRESH_TOKENS: &str = "provender refresh token";

/// Why the keyring did not answer.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// There is none, or it cannot be reached or unlocked.
    #[error("there is no keyring that can be used")]
    Unavailable(#[source] keyring::Error),
    /// It refuses to keep the secret, which may be too long for it.
    #[error("the keyring does not keep the secret")]
    NotKept(#[source] keyring::Error),
    /// What it holds for the host is no object of the helper protocol.
    #[error("what the keyring holds for `{host}` is no JSON object with a `token`")]
    Malformed {
        /// The host.
        host: Hostname,
    },
}

impl Failure for KeyringError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Unavailable(_) => vec![
                "unlock the keyring of your desktop session, or on Linux start a Secret Service such as `gnome-keyring-daemon`".to_owned(),
                "or remove the `credentials_helper` block, so that tokens are kept in `credentials.tfrc.json`".to_owned(),
            ],
            Self::NotKept(_) => Vec::new(),
            Self::Malformed { host } => vec![format!("log in again with `provender login {host}`")],
        }
    }
}

/// The token for `host`.
///
/// # Errors
///
/// If there is no keyring, or it holds something else for the host.
pub fn token(host: &Hostname) -> Result<Option<Secret>, KeyringError> {
    let Some(text) = get(TOKENS, host)? else {
        return Ok(None);
    };
    let object: Option<Value> = serde_json::from_str(text.expose()).ok();
    let token = object.as_ref().and_then(|object| object["token"].as_str());
    let malformed = || KeyringError::Malformed { host: host.clone() };
    token.map(Secret::new).map(Some).ok_or_else(malformed)
}

/// Keeps the token for `host`.
///
/// # Errors
///
/// If there is no keyring, or it refuses.
pub fn store_token(host: &Hostname, token: &Secret) -> Result<(), KeyringError> {
    let object = json!({ "token": token.expose() }).to_string();
    put(TOKENS, host, &object)
}

/// Forgets the token for `host`; tells whether there was one.
///
/// # Errors
///
/// If there is no keyring, or it refuses.
pub fn forget_token(host: &Hostname) -> Result<bool, KeyringError> {
    delete(TOKENS, host)
}

/// What gets a new token for `host`.
pub(super) fn refresh_token(host: &Hostname) -> Result<Option<Secret>, KeyringError> {
    get(REFRESH_TOKENS, host)
}

/// Keeps what gets a new token for `host`.
pub(super) fn store_refresh_token(host: &Hostname, token: &Secret) -> Result<(), KeyringError> {
    put(REFRESH_TOKENS, host, token.expose())
}

/// Forgets what gets a new token for `host`.
pub(super) fn forget_refresh_token(host: &Hostname) -> Result<bool, KeyringError> {
    delete(REFRESH_TOKENS, host)
}

fn entry(service: &str, host: &Hostname) -> Result<Entry, KeyringError> {
    Entry::new(service, host.for_comparison()).map_err(KeyringError::Unavailable)
}

fn get(service: &str, host: &Hostname) -> Result<Option<Secret>, KeyringError> {
    match entry(service, host)?.get_password() {
        Ok(text) => Ok(Some(Secret::new(text))),
        Err(keyring::Error::NoEntry) => Ok(None),
        Err(error) => Err(KeyringError::Unavailable(error)),
    }
}

fn put(service: &str, host: &Hostname, secret: &str) -> Result<(), KeyringError> {
    let entry = entry(service, host)?;
    entry.set_password(secret).map_err(|error| {
        // A token that stayed behind would be sent as if it were the new one.
        let _ = entry.delete_credential();
        KeyringError::NotKept(error)
    })
}

fn delete(service: &str, host: &Hostname) -> Result<bool, KeyringError> {
    match entry(service, host)?.delete_credential() {
        Ok(()) => Ok(true),
        Err(keyring::Error::NoEntry) => Ok(false),
        Err(error) => Err(KeyringError::Unavailable(error)),
    }
}
