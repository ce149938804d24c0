//! `oauth.json`: what is remembered of logins besides their tokens: expiry, and how to get a new one.
//!
//! Our own file, in our own data directory: the tools' credentials file cannot hold more than tokens (facts/login
//! 4.3). Members that this version does not know survive a rewrite.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use crate::address::Hostname;
use crate::secret::Secret;

/// All logins that are remembered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoginSessions {
    members: Map<String, Value>,
}

/// One login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginSession {
    /// Tells whether the token in use is still the one of this login.
    pub token_digest: String,
    /// When the token expires, in seconds since 1970.
    pub expires_at: Option<u64>,
    /// Where to get a new one.
    pub token_endpoint: Url,
    /// The client id.
    pub client: String,
    /// What gets a new one.
    pub refresh: Refresh,
}

/// Where the refresh token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refresh {
    /// There is none.
    None,
    /// In the keyring.
    Keyring,
    /// In this file.
    Here(Secret),
}

/// The file is not what this program writes.
#[derive(Debug, thiserror::Error)]
#[error("the file is no record of logins")]
pub struct LoginSessionsError;

const SESSIONS: &str = "logins";

/// A digest that tells tokens apart and gives none away.
pub fn token_digest(token: &Secret) -> String {
    let digest = Sha256::digest(token.expose());
    URL_SAFE_NO_PAD.encode(digest)
}

impl LoginSessions {
    /// Reads the file; an empty one remembers nothing.
    ///
    /// # Errors
    ///
    /// If it is anything else than a JSON object with objects for its hosts.
    pub fn parse(bytes: &[u8]) -> Result<Self, LoginSessionsError> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let members: Map<String, Value> =
            serde_json::from_slice(bytes).map_err(|_| LoginSessionsError)?;
        match members.get(SESSIONS) {
            None | Some(Value::Object(_)) => Ok(Self { members }),
            Some(_) => Err(LoginSessionsError),
        }
    }

    /// The login at `host`; none that this version cannot make sense of.
    pub fn get(&self, host: &Hostname) -> Option<LoginSession> {
        let entry = self.members.get(SESSIONS)?.get(host.for_comparison())?;
        let text = |name: &str| entry[name].as_str().map(str::to_owned);
        let refresh = match (text("refresh_token"), entry["refresh_token_in"].as_str()) {
            (Some(token), _) => Refresh::Here(Secret::new(token)),
            (None, Some("keyring")) => Refresh::Keyring,
            (None, Some(_) | None) => Refresh::None,
        };
        Some(LoginSession {
            token_digest: text("token_sha256")?,
            expires_at: entry["expires_at"].as_u64(),
            token_endpoint: text("token_endpoint")?.parse().ok()?,
            client: text("client")?,
            refresh,
        })
    }

    /// Remembers the login at `host`.
    pub fn put(&mut self, host: &Hostname, session: &LoginSession) {
        let mut entry = json!({
            "token_sha256": session.token_digest,
            "token_endpoint": session.token_endpoint.as_str(),
            "client": session.client,
        });
        if let Some(expires_at) = session.expires_at {
            entry["expires_at"] = expires_at.into();
        }
        match &session.refresh {
            Refresh::None => {}
            Refresh::Keyring => entry["refresh_token_in"] = "keyring".into(),
            Refresh::Here(token) => entry["refresh_token"] = token.expose().into(),
        }
        let sessions = self.members.entry(SESSIONS).or_insert_with(|| json!({}));
        sessions[host.for_comparison()] = entry;
    }

    /// Forgets the login at `host`; tells whether there was one.
    pub fn remove(&mut self, host: &Hostname) -> bool {
        let sessions = self.members.get_mut(SESSIONS);
        let sessions = sessions.and_then(Value::as_object_mut);
        sessions.is_some_and(|sessions| sessions.remove(host.for_comparison()).is_some())
    }

    /// The file's new text.
    pub fn render(&self) -> String {
        format!("{:#}\n", Value::Object(self.members.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_are_read_back_and_unknown_members_survive() {
        let (host, other) = (
            "example.com".parse().unwrap(),
            "b.example:8443".parse().unwrap(),
        );
        let text = r#"{"x": 1, "logins": {"c.example": {"y": 2}}}"#;
        let mut sessions = LoginSessions::parse(text.as_bytes()).unwrap();
        let session = |refresh, expires_at| LoginSession {
            token_digest: token_digest(&Secret::new("t")),
            expires_at,
            token_endpoint: "https://example.com/token".parse().unwrap(),
            client: "c".to_owned(),
            refresh,
        };
        let (one, two) = (
            session(Refresh::Here(Secret::new("r")), Some(17)),
            session(Refresh::Keyring, None),
        );
        sessions.put(&host, &one);
        sessions.put(&other, &two);
        let again = LoginSessions::parse(sessions.render().as_bytes()).unwrap();
        assert_eq!(
            (again.get(&host), again.get(&other)),
            (Some(one), Some(two))
        );
        assert_eq!(again.get(&"c.example".parse().unwrap()), None);
        sessions.remove(&host);
        assert!(sessions.render().contains("\"y\": 2") && sessions.render().contains("\"x\": 1"));
    }

    #[test]
    fn other_files_are_refused() {
        for text in ["[]", "{", "{\"logins\":[]}", "x"] {
            assert!(LoginSessions::parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_that_mean_nothing_here_survive_rewrites() {
        let text = r#"{"credentials":{},"x":12345678901234567890123401234567890,"y":0.1}"#;
        let once = LoginSessions::parse(text.as_bytes()).unwrap().render();
        let twice = LoginSessions::parse(once.as_bytes()).unwrap().render();
        assert_eq!(once, twice);
    }
}
