//! What can go wrong while asking a network mirror.

use crate::address::{Hostname, Platform, ProviderAddr};
use crate::document::{JsonDocumentError, PackageId};
use crate::failure::{ExitCode, Failure};
use crate::http::HttpError;
use crate::registry::discovery_error::token_hint;
use crate::secret::ShownUrl;

/// Why a mirror's answer is not to be had or not usable.
#[derive(Debug, thiserror::Error)]
pub enum NetworkMirrorError {
    /// A request did not succeed.
    #[error("cannot get {what} from the network mirror")]
    Request {
        /// What was asked for, in words.
        what: String,
        /// What happened.
        #[source]
        source: Box<HttpError>,
    },
    /// The mirror does not have the provider.
    #[error("the network mirror does not have `{addr}` (404 from `{url}`)")]
    ProviderNotHere {
        /// The provider.
        addr: ProviderAddr,
        /// The URL asked.
        url: ShownUrl,
    },
    /// The mirror does not have the version.
    #[error("the network mirror does not have `{}` {} (404 from `{url}`)", id.addr, id.version)]
    VersionNotHere {
        /// The package.
        id: Box<PackageId>,
        /// The URL asked.
        url: ShownUrl,
    },
    /// The mirror lists the version and does not have it.
    #[error("the network mirror lists `{}` {} and answers 404 for it (`{url}`)", id.addr, id.version)]
    VersionGone {
        /// The package.
        id: Box<PackageId>,
        /// The URL asked.
        url: ShownUrl,
    },
    /// The mirror has the version, but not for the platform.
    #[error("the network mirror `{mirror}` does not have `{}` {} for `{}`", id.addr, id.version, id.platform)]
    PlatformNotHere {
        /// The package.
        id: Box<PackageId>,
        /// The mirror.
        mirror: ShownUrl,
        /// The platforms that it has.
        here: Vec<Platform>,
    },
    /// The mirror wants credentials, or refused those that were sent.
    #[error("the network mirror {} ({status} from `{url}`)", if *token_sent { "refused the credentials sent" } else { "asks for credentials, and none are configured" })]
    Unauthorized {
        /// The mirror's host, if it has a name that a token can be kept for.
        host: Option<Hostname>,
        /// The URL asked.
        url: ShownUrl,
        /// 401 or 403.
        status: u16,
        /// Whether a token went with the request.
        token_sent: bool,
    },
    /// A status that the protocol gives no meaning.
    #[error("the network mirror answered {status} for {what} (`{url}`), expected 200")]
    Status {
        /// What was asked for, in words.
        what: String,
        /// The final URL.
        url: ShownUrl,
        /// The HTTP status.
        status: u16,
    },
    /// The answer is not declared as JSON.
    #[error(
        "the answer of the network mirror from `{url}` must have content type `application/json`, got {got}"
    )]
    ContentType {
        /// The final URL.
        url: ShownUrl,
        /// The header's value in backticks, or words saying that there is none.
        got: String,
    },
    /// The answer is not the JSON it should be.
    #[error("the network mirror's answer for {what} (`{url}`) is malformed")]
    Malformed {
        /// What was asked for, in words.
        what: String,
        /// The final URL.
        url: ShownUrl,
        /// What is wrong.
        #[source]
        source: JsonDocumentError,
    },
    /// An archive's URL cannot be used.
    #[error("the network mirror gives `{got}` as `url` of {id}: it must be an http or https URL")]
    BadUrl {
        /// The package.
        id: Box<PackageId>,
        /// The value, cut short if long.
        got: String,
    },
    /// The protocol has no URLs for host names with a port.
    #[error("`{addr}` has a port in its host name, and no network mirror can serve it")]
    HostWithPort {
        /// The provider.
        addr: ProviderAddr,
    },
}

impl NetworkMirrorError {
    /// Whether the mirror says that it does not have what was asked for, so that somebody else may be asked.
    pub fn is_absence(&self) -> bool {
        match self {
            Self::ProviderNotHere { .. }
            | Self::VersionNotHere { .. }
            | Self::PlatformNotHere { .. } => true,
            Self::Request { .. }
            | Self::VersionGone { .. }
            | Self::Unauthorized { .. }
            | Self::Status { .. }
            | Self::ContentType { .. }
            | Self::Malformed { .. }
            | Self::BadUrl { .. }
            | Self::HostWithPort { .. } => false,
        }
    }
}

impl Failure for NetworkMirrorError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Request { source, .. } => source.exit_code(),
            Self::ProviderNotHere { .. }
            | Self::VersionNotHere { .. }
            | Self::PlatformNotHere { .. }
            | Self::HostWithPort { .. } => ExitCode::NotFound,
            Self::Unauthorized { .. } => ExitCode::Authentication,
            Self::VersionGone { .. }
            | Self::Status { .. }
            | Self::ContentType { .. }
            | Self::Malformed { .. }
            | Self::BadUrl { .. } => ExitCode::Remote,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Request { source, .. } => source.hints(),
            Self::ProviderNotHere { .. } | Self::VersionNotHere { .. } => vec![
                "check the mirror's URL, which needs its final `/`, and what the mirror holds".to_owned(),
            ],
            Self::PlatformNotHere { here, .. } => {
                let names: Vec<String> = here.iter().map(ToString::to_string).collect();
                vec![format!("it is there for: {}", names.join(", "))]
            }
            Self::Unauthorized { host, .. } => host.iter().map(token_hint).collect(),
            Self::HostWithPort { addr } => vec![format!(
                "leave it to another method with `exclude = [\"{}/*/*\"]` in `network_mirror`, or use the mirror's directory as `filesystem_mirror`",
                addr.hostname()
            )],
            Self::Status { status: 429, .. } => {
                vec!["the mirror limits requests: try again later, or with fewer `--jobs`".to_owned()]
            }
            Self::Status { status: 300..=499, .. } => vec!["check the mirror's URL".to_owned()],
            Self::Status { .. } => vec!["the mirror is in trouble, try again later".to_owned()],
            Self::ContentType { .. } => vec![
                "the mirror's web server must send `Content-Type: application/json` for its `.json` files".to_owned(),
            ],
            Self::VersionGone { .. } | Self::Malformed { .. } | Self::BadUrl { .. } => {
                vec!["this is a fault of the mirror; tell those who run it".to_owned()]
            }
        }
    }
}
