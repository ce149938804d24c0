//! `logout`: forget a host's token and say what still provides one (facts/login 5). The token stays good at the
//! server, as with the tools.

use crate::address::Hostname;
use crate::auth::{
    Credentials, CredentialsHelper, CredentialsSource, HelperError, Storage, StorageError,
};
use crate::ops::auth::login::in_background;
use crate::ops::{LoginDialog, LoginError, LoginParts};

/// What a logout did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogoutOutcome {
    /// The host.
    pub host: Hostname,
    /// From where a token was removed; none if there was none.
    pub removed_from: Option<Storage>,
    /// What still provides a token for the host.
    pub remaining: Option<CredentialsSource>,
}

/// Forgets the token of `host`.
///
/// # Errors
///
/// If the host is configured by hand, or the token cannot be removed from where it is.
pub async fn log_out(
    host: &Hostname,
    parts: &LoginParts<'_>,
    helper: Option<Result<CredentialsHelper, HelperError>>,
    dialog: &dyn LoginDialog,
) -> Result<LogoutOutcome, LoginError> {
    let storage = Storage::of(host, parts.config, parts.file.as_deref(), helper)?;
    // A helper does not tell whether it knew the host, so it is asked before.
    let is_known = match &storage {
        Storage::File(_) => true,
        Storage::Helper(helper) => helper
            .get(host)
            .await
            .map_err(StorageError::from)?
            .is_some(),
    };
    let edited = if is_known {
        storage.forget(host).await?
    } else {
        crate::auth::Edited::default()
    };
    if let Some(sessions) = &parts.sessions {
        let forgotten = in_background(sessions, host, crate::auth::SessionFile::remove).await;
        if let Err(error) = forgotten {
            dialog.warning(&format!("the record of the login stays: {error}"));
        }
    }
    Ok(LogoutOutcome {
        host: host.clone(),
        removed_from: edited.changed.then_some(storage),
        remaining: remaining(host, parts),
    })
}

fn remaining(host: &Hostname, parts: &LoginParts<'_>) -> Option<CredentialsSource> {
    let found = Credentials::new(parts.environment, parts.config).configured(host)?;
    match found.source {
        // The entry that was just removed was read before.
        CredentialsSource::File(place) if Some(&place.file) == parts.file.as_ref() => None,
        source @ (CredentialsSource::Variable(_)
        | CredentialsSource::File(_)
        | CredentialsSource::Helper(_)) => Some(source),
    }
}
