//! What can go wrong while logging in or out.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::address::Hostname;
use crate::auth::login::{ListenError, RandomError};
use crate::auth::{ExchangeError, SessionError, StorageError, variable_for};
use crate::disk::DiskError;
use crate::document::LoginServiceError;
use crate::document::oauth::Refusal;
use crate::failure::{ExitCode, Failure};
use crate::http::HttpError;
use crate::registry::DiscoveryError;

/// Why nobody is logged in or out.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// The host's services are not known or not usable.
    #[error("cannot find out how to log in to `{host}`")]
    Discovery {
        /// The host.
        host: Hostname,
        /// Why.
        source: Box<DiscoveryError>,
    },
    /// The host has no service to log in by.
    #[error("host `{host}` offers no way to log in")]
    NoLoginService {
        /// The host.
        host: Hostname,
    },
    /// It has one that this program does not speak.
    #[error("host `{host}` offers a way to log in that this program does not know: `{}`", others.join("`, `"))]
    OtherVersion {
        /// The host.
        host: Hostname,
        /// The services.
        others: Vec<String>,
    },
    /// Its `login.v1` offers nothing that this program knows.
    #[error("cannot log in to `{host}`")]
    Service {
        /// The host.
        host: Hostname,
        /// Why.
        source: LoginServiceError,
    },
    /// No port for the callback.
    #[error("cannot wait for the browser")]
    Listen(#[from] ListenError),
    /// No randomness.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The authorization server, or the user there, refused.
    #[error("`{host}` does not allow the login: {refusal}")]
    Refused {
        /// The host.
        host: Hostname,
        /// Its words.
        refusal: Refusal,
    },
    /// Nobody came back from the browser.
    #[error("no answer came back from the browser within {}", seconds(*waited))]
    TimedOut {
        /// How long it was waited for.
        waited: Duration,
    },
    /// The sockets of the callback broke.
    #[error("the sockets that wait for the browser broke")]
    Deaf,
    /// The token endpoint gave no token.
    #[error("cannot get a token for `{host}`")]
    Exchange {
        /// The host.
        host: Hostname,
        /// Why.
        source: Box<ExchangeError>,
    },
    /// The token given is empty or holds control characters.
    #[error("what was given for `{host}` is no token")]
    NoToken {
        /// The host.
        host: Hostname,
    },
    /// The host does not accept the token given.
    #[error("`{host}` does not accept the token ({status})")]
    TokenRefused {
        /// The host.
        host: Hostname,
        /// The status.
        status: u16,
    },
    /// Whether the host accepts the token cannot be found out.
    #[error("cannot check the token with `{host}`")]
    Check {
        /// The host.
        host: Hostname,
        /// Why.
        source: Box<HttpError>,
    },
    /// The terminal or standard input cannot be read.
    #[error("cannot read the answer")]
    Input(#[source] io::Error),
    /// The user ended a question by Ctrl-C.
    #[error("interrupted")]
    Interrupted,
    /// There is no place for the token, or it cannot be kept or removed there.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The record of logins cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// `auth token` finds none.
    #[error("there is no token for `{host}`")]
    NotLoggedIn {
        /// The host.
        host: Hostname,
    },
    /// A source has something for the host that cannot be sent.
    #[error("{source_of_token} has no token that can be used")]
    UnusableToken {
        /// The source.
        source_of_token: String,
    },
    /// A login without network.
    #[error("a login needs the network, and `--offline` forbids it")]
    Offline,
    /// The helper's place holds something else.
    #[error("`{}` is there and is not this program", path.display())]
    HelperInTheWay {
        /// The place.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn seconds(waited: Duration) -> String {
    match waited.as_secs() {
        1 => "1 second".to_owned(),
        count => format!("{count} seconds"),
    }
}

impl Failure for LoginError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Discovery { source, .. } => source.exit_code(),
            Self::NoLoginService { .. } | Self::OtherVersion { .. } => ExitCode::NotFound,
            Self::Service { .. } => ExitCode::Remote,
            Self::Listen(error) => error.exit_code(),
            Self::Random(error) => error.exit_code(),
            Self::Refused { .. }
            | Self::TimedOut { .. }
            | Self::NoToken { .. }
            | Self::TokenRefused { .. }
            | Self::NotLoggedIn { .. }
            | Self::UnusableToken { .. } => ExitCode::Authentication,
            Self::Exchange { source, .. } => source.exit_code(),
            Self::Check { source, .. } => source.exit_code(),
            Self::Storage(error) => error.exit_code(),
            Self::Deaf
            | Self::Input(_)
            | Self::Session(_)
            | Self::HelperInTheWay { .. }
            | Self::Disk(_) => ExitCode::Local,
            Self::Offline => ExitCode::Usage,
            Self::Interrupted => ExitCode::Interrupted,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Discovery { source, .. } => source.hints(),
            Self::NoLoginService { host } | Self::OtherVersion { host, .. } => vec![by_hand(host)],
            Self::Service { host, .. } => vec![
                "if the host is yours, correct `login.v1` in its discovery document".to_owned(),
                by_hand(host),
            ],
            Self::Listen(error) => error.hints(),
            Self::Refused { .. } => {
                vec!["try again, and allow the login in the browser".to_owned()]
            }
            Self::TimedOut { .. } => vec![
                "allow more time with `--timeout SECONDS`".to_owned(),
                "where the browser is on another machine, use `--no-browser`".to_owned(),
            ],
            Self::Exchange { source, .. } => source.hints(),
            Self::NoToken { .. } => vec!["give the token alone, on one line".to_owned()],
            Self::TokenRefused { .. } => {
                vec!["make a new token on the host's settings page and try again".to_owned()]
            }
            Self::Check { source, .. } => source.hints(),
            Self::Storage(error) => error.hints(),
            Self::Session(error) => match error {
                SessionError::Malformed { path, .. } => {
                    vec![format!("move `{}` away", path.display())]
                }
                SessionError::Disk(error) => error.hints(),
            },
            Self::NotLoggedIn { host } => {
                vec![
                    format!("log in with `provender login {host}`"),
                    by_hand(host),
                ]
            }
            Self::UnusableToken { .. } => {
                vec!["correct it there: a token is text without control characters".to_owned()]
            }
            Self::HelperInTheWay { path } => vec![format!("move `{}` away", path.display())],
            Self::Disk(error) => error.hints(),
            Self::Random(_) | Self::Deaf | Self::Input(_) | Self::Offline | Self::Interrupted => {
                Vec::new()
            }
        }
    }
}

/// How to give a token without a login.
fn by_hand(host: &Hostname) -> String {
    let variable = variable_for(host);
    let variable = variable.map(|name| format!(", or set `{name}`"));
    format!(
        "with a token of your own, run `provender login {host} --token-stdin`{}",
        variable.unwrap_or_default()
    )
}
