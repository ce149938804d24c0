//! Logins and credentials in words and for the JSON document; never a token.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::auth::CredentialsSource;
use crate::ops::{HostStatus, LoginOutcome, LogoutOutcome};
use crate::ui::Table;

/// An element of `credentials` in the JSON document.
#[derive(Debug, Serialize)]
pub struct CredentialsRow {
    host: String,
    /// `variable`, `file`, `helper`, or none.
    source: Option<&'static str>,
    /// The variable, the file with its line, or the helper.
    place: Option<String>,
    has_token: bool,
    /// Seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

impl CredentialsRow {
    /// The row of a status.
    pub fn of_status(status: &HostStatus) -> Self {
        Self {
            host: status.host.to_string(),
            source: status.source.as_ref().map(kind),
            place: status.source.as_ref().map(place),
            has_token: status.has_token,
            expires_at: status.expires_at,
            account: None,
            failure: status.failure.as_ref().map(ToString::to_string),
        }
    }

    /// The row of a login.
    pub fn of_login(outcome: &LoginOutcome) -> Self {
        let (source, place) = match &outcome.storage {
            crate::auth::Storage::File(path) => ("file", path.display().to_string()),
            crate::auth::Storage::Helper(helper) => ("helper", helper.name().to_owned()),
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| since.as_secs());
        Self {
            host: outcome.host.to_string(),
            source: Some(source),
            place: Some(place),
            has_token: true,
            expires_at: outcome
                .expires_in
                .map(|seconds| now.saturating_add(seconds)),
            account: outcome.account.clone(),
            failure: None,
        }
    }

    /// The row of a logout: what is left.
    pub fn of_logout(outcome: &LogoutOutcome) -> Self {
        Self {
            host: outcome.host.to_string(),
            source: outcome.remaining.as_ref().map(kind),
            place: outcome.remaining.as_ref().map(place),
            has_token: outcome.remaining.is_some(),
            expires_at: None,
            account: None,
            failure: None,
        }
    }
}

fn kind(source: &CredentialsSource) -> &'static str {
    match source {
        CredentialsSource::Variable(_) => "variable",
        CredentialsSource::File(_) => "file",
        CredentialsSource::Helper(_) => "helper",
    }
}

fn place(source: &CredentialsSource) -> String {
    match source {
        CredentialsSource::Variable(name) | CredentialsSource::Helper(name) => name.clone(),
        CredentialsSource::File(place) => place.to_string(),
    }
}

/// What `login` ends with.
pub fn login_lines(outcome: &LoginOutcome) -> String {
    let account = outcome.account.as_ref();
    let account = account.map_or_else(String::new, |name| format!(" as `{name}`"));
    let mut text = format!(
        "logged in to `{}`{account}; the token is kept in {}\n",
        outcome.host, outcome.storage
    );
    if let Some(seconds) = outcome.expires_in {
        let renewal = if outcome.is_renewable {
            "and is renewed when it is used with `provender`"
        } else {
            "and has to be replaced by another login then"
        };
        text = format!("{text}it expires in {}, {renewal}\n", span(seconds));
    }
    text
}

/// What `logout` ends with.
pub fn logout_lines(outcome: &LogoutOutcome) -> String {
    let host = &outcome.host;
    let mut text = match &outcome.removed_from {
        Some(storage) => {
            format!("removed the token for `{host}` from {storage}; at the host it stays good\n")
        }
        None => format!("no token for `{host}` was stored\n"),
    };
    if let Some(source) = &outcome.remaining {
        text = format!("{text}{source} still provides a token for it\n");
    }
    text
}

/// What `auth status` shows.
pub fn status_lines(statuses: &[HostStatus]) -> String {
    if statuses.is_empty() {
        return "no credentials are configured\n".to_owned();
    }
    let mut table = Table::new(&["host", "token", "source"]);
    for status in statuses {
        let source = match (&status.source, &status.failure) {
            (Some(source), _) => source.to_string(),
            (None, Some(failure)) => failure.to_string(),
            (None, None) => "-".to_owned(),
        };
        table.row(vec![status.host.to_string(), token_words(status), source]);
    }
    table.render()
}

fn token_words(status: &HostStatus) -> String {
    let word = match (status.has_token, status.source.is_some()) {
        (true, _) => "yes",
        (false, true) => "unusable",
        (false, false) => "none",
    };
    let Some(expires_at) = status.expires_at else {
        return word.to_owned();
    };
    let at = UNIX_EPOCH + Duration::from_secs(expires_at);
    match at.duration_since(SystemTime::now()) {
        Ok(left) => format!("yes, for {}", span(left.as_secs())),
        Err(_) => "expired".to_owned(),
    }
}

/// A time span in its largest unit, rounded down.
fn span(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..120 => (seconds, "second"),
        120..7200 => (seconds / 60, "minute"),
        7200..172_800 => (seconds / 3600, "hour"),
        172_800.. => (seconds / 86_400, "day"),
    };
    crate::ui::counted(usize::try_from(count).unwrap_or(usize::MAX), unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_told_in_bearable_units() {
        for (seconds, words) in [
            (1, "1 second"),
            (119, "119 seconds"),
            (3600, "60 minutes"),
            (7200, "2 hours"),
            (172_800, "2 days"),
        ] {
            assert_eq!(span(seconds), words);
        }
    }
}
