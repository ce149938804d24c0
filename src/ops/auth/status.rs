//! `auth status` and `auth token`: which source wins for a host, and its token.

use std::collections::BTreeSet;

use crate::address::Hostname;
use crate::auth::{Credentials, CredentialsSource, HelperError, SessionFile, StorageError};
use crate::ops::LoginError;
use crate::secret::Secret;

/// What is known of a host's credentials; never the token.
#[derive(Debug)]
pub struct HostStatus {
    /// The host.
    pub host: Hostname,
    /// The source that wins, if any knows the host.
    pub source: Option<CredentialsSource>,
    /// Whether it has a usable token.
    pub has_token: bool,
    /// Why the helper could not be asked.
    pub failure: Option<HelperError>,
    /// When the token expires, in seconds since 1970, if this program knows.
    pub expires_at: Option<u64>,
}

/// The status of `hosts`; without any, of all hosts that variables and files name. Helpers cannot list theirs.
pub async fn auth_status(
    hosts: &[Hostname],
    credentials: &Credentials,
    sessions: Option<&SessionFile>,
) -> Vec<HostStatus> {
    let named: BTreeSet<Hostname> = if hosts.is_empty() {
        credentials.hosts().cloned().collect()
    } else {
        hosts.iter().cloned().collect()
    };
    let mut found = Vec::new();
    for host in named {
        found.push(of_host(host, credentials, sessions).await);
    }
    found
}

async fn of_host(
    host: Hostname,
    credentials: &Credentials,
    sessions: Option<&SessionFile>,
) -> HostStatus {
    let unusable = credentials.without_token(&host).cloned();
    let mut failure = None;
    let mut found = credentials.configured(&host);
    if found.is_none() && unusable.is_none() {
        match credentials.from_helper(&host).await {
            Ok(answer) => found = answer,
            Err(error) => failure = Some(error),
        }
    }
    let expires_at = found.as_ref().and_then(|found| {
        let session = sessions?.get(&host).ok()??;
        let is_same = session.token_digest == crate::document::token_digest(&found.token);
        session.expires_at.filter(|_| is_same)
    });
    HostStatus {
        has_token: found.is_some(),
        source: found.map(|found| found.source).or(unusable),
        failure,
        expires_at,
        host,
    }
}

/// The token for `host`, renewed if need be.
///
/// # Errors
///
/// If there is none.
pub async fn auth_token(host: &Hostname, credentials: &Credentials) -> Result<Secret, LoginError> {
    if let Some(found) = credentials.for_host(host).await {
        return Ok(found.token);
    }
    if let Some(source) = credentials.without_token(host) {
        return Err(LoginError::UnusableToken {
            source_of_token: source.to_string(),
        });
    }
    credentials
        .from_helper(host)
        .await
        .map_err(StorageError::from)?;
    Err(LoginError::NotLoggedIn { host: host.clone() })
}
