//! Tokens that expire: a new one before the old one is used too late.

use std::time::{SystemTime, UNIX_EPOCH};

use super::exchange::request_token;
use super::session_file::SessionFile;
use super::storage::Storage;
use crate::address::Hostname;
use crate::document::oauth::{TokenResponse, refresh_fields};
use crate::document::{LoginSession, Refresh, token_digest};
use crate::http::Client;
use crate::secret::Secret;

/// A token is renewed so many seconds before it expires: clocks differ, and a run lasts.
const SKEW: u64 = 120;

/// Renews the tokens of logins that this program made.
#[derive(Debug, Clone)]
pub struct Renewal {
    /// For the token endpoint.
    pub http: Client,
    /// The logins.
    pub sessions: SessionFile,
}

/// What became of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Renewed {
    /// It is good, as far as is known.
    Good,
    /// There is a new one.
    New(Secret),
    /// It has expired, or is about to, and nothing gets a new one.
    LogInAgain,
    /// A new one could not be had this time.
    Fault(String),
}

impl Renewal {
    /// The token to use for `host` instead of `token`, which is kept in `storage`. Trouble is told, and leaves the old
    /// token: the host will say what it thinks of it.
    pub async fn current(&self, host: &Hostname, token: Secret, storage: &Storage) -> Secret {
        match self.renew(host, &token, storage).await {
            Renewed::Good => token,
            Renewed::New(token) => token,
            Renewed::LogInAgain => {
                log::warn!(
                    "the token for `{host}` has expired or is about to; log in again with `provender login {host}`"
                );
                token
            }
            Renewed::Fault(reason) => {
                log::warn!("the token for `{host}` expires and cannot be renewed now: {reason}");
                token
            }
        }
    }

    async fn renew(&self, host: &Hostname, token: &Secret, storage: &Storage) -> Renewed {
        match self.due(host, token) {
            Ok(None) => return Renewed::Good,
            Ok(Some(session)) if session.refresh == Refresh::None => return Renewed::LogInAgain,
            Ok(Some(_)) => {}
            Err(reason) => return Renewed::Fault(reason),
        }
        let sessions = self.sessions.clone();
        let lock = tokio::task::spawn_blocking(move || sessions.lock()).await;
        let _lock = match lock {
            Ok(Ok(lock)) => lock,
            Ok(Err(error)) => return Renewed::Fault(error.to_string()),
            Err(error) => return Renewed::Fault(error.to_string()),
        };
        // Another process may have renewed it while this one waited.
        let session = match self.due(host, token) {
            Ok(Some(session)) => session,
            Ok(None) => return self.renewed_by_another(host, storage).await,
            Err(reason) => return Renewed::Fault(reason),
        };
        self.ask(host, session, storage).await
    }

    /// The login of this very token, if the token is about to expire.
    fn due(&self, host: &Hostname, token: &Secret) -> Result<Option<LoginSession>, String> {
        let session = self.sessions.get(host).map_err(|error| error.to_string())?;
        let is_due = |session: &LoginSession| {
            session.token_digest == token_digest(token)
                && session.expires_at.is_some_and(|at| at <= now() + SKEW)
        };
        Ok(session.filter(is_due))
    }

    async fn renewed_by_another(&self, host: &Hostname, storage: &Storage) -> Renewed {
        match storage.get(host).await {
            Ok(Some(token)) => Renewed::New(token),
            Ok(None) => Renewed::Good,
            Err(error) => Renewed::Fault(error.to_string()),
        }
    }

    async fn ask(&self, host: &Hostname, session: LoginSession, storage: &Storage) -> Renewed {
        let (of_host, looked_up) = (host.clone(), session.clone());
        let lookup = move || SessionFile::refresh_token(&of_host, &looked_up);
        let refresh_token = tokio::task::spawn_blocking(lookup).await.ok().flatten();
        let Some(refresh_token) = refresh_token else {
            return Renewed::LogInAgain;
        };
        let fields = refresh_fields(&session.client, refresh_token.expose());
        match request_token(&self.http, &session.token_endpoint, &fields).await {
            Ok(response) => {
                self.keep(host, &session, refresh_token, response, storage)
                    .await
            }
            Err(error) if error.is_refusal() => Renewed::LogInAgain,
            Err(error) => Renewed::Fault(error.to_string()),
        }
    }

    /// Servers may give another refresh token each time, and the old one is then worthless, so it is kept first.
    async fn keep(
        &self,
        host: &Hostname,
        session: &LoginSession,
        old: Secret,
        response: TokenResponse,
        storage: &Storage,
    ) -> Renewed {
        let token = response.access_token.clone();
        let response = TokenResponse {
            refresh_token: response.refresh_token.or(Some(old)),
            ..response
        };
        let renewed = new_session(&response, session.token_endpoint.clone(), &session.client);
        let (sessions, of_host) = (self.sessions.clone(), host.clone());
        let kept = move || sessions.put_locked(&of_host, &renewed);
        if let Ok(Err(error)) = tokio::task::spawn_blocking(kept).await {
            log::warn!("the renewed login at `{host}` is not remembered: {error}");
        }
        if let Err(error) = storage.store(host, &token).await {
            log::warn!("the renewed token for `{host}` is not kept: {error}");
        }
        log::info!("the token for `{host}` was renewed");
        Renewed::New(token)
    }
}

/// What to remember of an answer.
pub fn new_session(
    response: &TokenResponse,
    token_endpoint: url::Url,
    client: &str,
) -> LoginSession {
    let refresh = response.refresh_token.clone();
    LoginSession {
        token_digest: token_digest(&response.access_token),
        expires_at: response
            .expires_in
            .map(|seconds| now().saturating_add(seconds)),
        token_endpoint,
        client: client.to_owned(),
        refresh: refresh.map_or(Refresh::None, Refresh::Here),
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
