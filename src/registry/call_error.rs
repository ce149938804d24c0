//! What can go wrong while calling a registry, whatever it is asked for.

use crate::address::Hostname;
use crate::document::JsonError;
use crate::failure::{ExitCode, Failure};
use crate::http::HttpError;
use crate::registry::discovery_error::token_hint;
use crate::registry::{DiscoveryError, RegistryKind};
use crate::secret::ShownUrl;

/// Why a registry gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The registry itself could not be found.
    #[error("cannot find the {} registry of `{addr}`", kind.of_one())]
    Discovery {
        /// What the registry has.
        kind: RegistryKind,
        /// The provider or module asked for.
        addr: String,
        /// What happened.
        #[source]
        source: Box<DiscoveryError>,
    },
    /// A request did not succeed.
    #[error("cannot get {what}")]
    Request {
        /// What was asked for, in words.
        what: String,
        /// What happened.
        #[source]
        source: Box<HttpError>,
    },
    /// The registry wants credentials, or refused those that were sent.
    #[error("{}", unauthorized(host, url, *status, *token_sent))]
    Unauthorized {
        /// The host of the provider or module.
        host: Hostname,
        /// The URL asked.
        url: ShownUrl,
        /// 401 or 403.
        status: u16,
        /// Whether a token went with the request.
        token_sent: bool,
    },
    /// A status that the protocol gives no meaning.
    #[error(
        "the registry answered {status} for {what} (`{url}`), expected {}",
        either(expected)
    )]
    Status {
        /// What was asked for, in words.
        what: String,
        /// The final URL.
        url: ShownUrl,
        /// The HTTP status.
        status: u16,
        /// The statuses that have a meaning.
        expected: &'static [u16],
    },
    /// The answer is not the JSON it should be.
    #[error("the registry's answer for {what} (`{url}`) is malformed")]
    Malformed {
        /// What was asked for, in words.
        what: String,
        /// The final URL.
        url: ShownUrl,
        /// What is wrong.
        #[source]
        source: JsonError,
    },
}

fn unauthorized(host: &Hostname, url: &ShownUrl, status: u16, token_sent: bool) -> String {
    if token_sent {
        format!("host `{host}` refused the credentials sent for it ({status} from `{url}`)")
    } else {
        format!(
            "host `{host}` asks for credentials ({status} from `{url}`), and none are configured"
        )
    }
}

fn either(statuses: &[u16]) -> String {
    let statuses: Vec<String> = statuses.iter().map(ToString::to_string).collect();
    statuses.join(" or ")
}

/// What to do about a registry that breaks the protocol.
pub(super) fn fault_of_registry() -> Vec<String> {
    vec!["this is a fault of the registry; tell those who run it".to_owned()]
}

impl Failure for CallError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Discovery { source, .. } => source.exit_code(),
            Self::Request { source, .. } => source.exit_code(),
            Self::Unauthorized { .. } => ExitCode::Authentication,
            Self::Status { .. } | Self::Malformed { .. } => ExitCode::Remote,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Discovery { source, .. } => source.hints(),
            Self::Request { source, .. } => source.hints(),
            Self::Unauthorized {
                host,
                token_sent: false,
                ..
            } => vec![token_hint(host)],
            Self::Unauthorized {
                host,
                token_sent: true,
                ..
            } => vec![format!(
                "the token for `{host}` may have expired or lack access to this address; {}",
                token_hint(host)
            )],
            Self::Status { status: 429, .. } => vec![
                "the registry limits requests: try again later, or with fewer `--jobs`".to_owned(),
            ],
            Self::Status {
                status: 300..=499, ..
            } => vec!["check the registry's URL and that the address exists there".to_owned()],
            Self::Status { .. } => vec!["the registry is in trouble, try again later".to_owned()],
            Self::Malformed { .. } => fault_of_registry(),
        }
    }
}
