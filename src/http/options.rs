//! What a client is built from.

use std::path::PathBuf;
use std::time::Duration;

use crate::http::NoProxy;
use crate::secret::Secret;

/// Whether the proxies of the system and environment are used; for loopback they never are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Proxies {
    /// `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, else the settings of the system.
    #[default]
    System,
    /// Every connection goes straight to its host.
    None,
}

/// A certificate of the user and its private key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientIdentity {
    /// The PEM file with the certificate, and with those between it and the authority.
    pub certificate: PathBuf,
    /// The PEM file with the private key, not encrypted.
    pub key: PathBuf,
}

/// A user name and password for one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// `HOST` or `HOST:PORT` as URLs have it; `None` for every place.
    pub place: Option<String>,
    /// The user name.
    pub name: String,
    /// The password.
    pub password: Secret,
}

/// The settings of a [`Client`](crate::http::Client).
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// PEM files with certificates to trust besides those of the system (`--ca-file`).
    pub ca_files: Vec<PathBuf>,
    /// Who this client is to servers that ask for a certificate (`--client-cert`, `--client-key`).
    pub client_identity: Option<ClientIdentity>,
    /// User names and passwords for downloads of packages, and for nothing else; the first that fits counts, one
    /// without a place only if no other does.
    pub logins: Vec<Login>,
    /// How long connecting may take, TLS included.
    pub connect_timeout: Duration,
    /// How long a server may send nothing.
    pub stall_timeout: Duration,
    /// How long one try for a document may take from connecting to the last byte; packages have
    /// no such limit. `TF_REGISTRY_CLIENT_TIMEOUT` sets it.
    pub request_timeout: Option<Duration>,
    /// Appended to `provender/VERSION` in `User-Agent`, after a space.
    pub user_agent_suffix: Option<String>,
    /// Whether proxies are used.
    pub proxies: Proxies,
    /// The hosts that are asked without (`NO_PROXY`).
    pub no_proxy: NoProxy,
}

impl Default for ClientOptions {
    /// The time-outs of the tools where they have one (facts 1.19, 1.20).
    fn default() -> Self {
        Self {
            ca_files: Vec::new(),
            client_identity: None,
            logins: Vec::new(),
            connect_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(30),
            request_timeout: Some(Duration::from_secs(10)),
            user_agent_suffix: None,
            proxies: Proxies::System,
            no_proxy: NoProxy::default(),
        }
    }
}

impl ClientOptions {
    pub(super) fn user_agent(&self) -> String {
        let name = concat!("provender/", env!("CARGO_PKG_VERSION"));
        match self.user_agent_suffix.as_deref().map(str::trim) {
            Some(suffix) if !suffix.is_empty() => format!("{name} {suffix}"),
            _ => name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_agent_suffix_follows_one_space() {
        let name = concat!("provender/", env!("CARGO_PKG_VERSION"));
        for (suffix, expected) in [
            (None, name.to_owned()),
            (Some("  "), name.to_owned()),
            (Some(" ci/1 "), format!("{name} ci/1")),
        ] {
            let user_agent_suffix = suffix.map(str::to_owned);
            let options = ClientOptions {
                user_agent_suffix,
                ..ClientOptions::default()
            };
            assert_eq!(options.user_agent(), expected);
        }
    }
}
