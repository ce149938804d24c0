//! What can go wrong while asking a provider registry.

use crate::address::{Hostname, Platform, ProviderAddr};
use crate::document::{BadShasum, JsonError, PackageId};
use crate::failure::{ExitCode, Failure};
use crate::http::HttpError;
use crate::registry::DiscoveryError;
use crate::registry::discovery_error::token_hint;
use crate::registry::protocol_support::SUPPORTED;
use crate::secret::ShownUrl;
use crate::version::Version;

/// Why a registry's answer is not to be had or not usable.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The registry itself could not be found.
    #[error("cannot find the provider registry of `{addr}`")]
    Discovery {
        /// The provider asked for.
        addr: ProviderAddr,
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
    /// The registry does not know the provider.
    #[error("the registry of `{}` has no provider `{addr}` (404 from `{url}`)", addr.hostname())]
    NoSuchProvider {
        /// The provider.
        addr: ProviderAddr,
        /// The URL asked.
        url: ShownUrl,
    },
    /// The registry does not list the version.
    #[error("the registry does not offer version {} of `{}`", id.version, id.addr)]
    NoSuchVersion {
        /// The package asked for.
        id: Box<PackageId>,
        /// The newest version listed.
        newest: Option<Version>,
    },
    /// The version exists, but not for this platform.
    #[error("`{}` {} is not published for `{}`", id.addr, id.version, id.platform)]
    PlatformNotPublished {
        /// The package asked for.
        id: Box<PackageId>,
        /// Platforms that the registry lists for this version.
        published: Vec<Platform>,
        /// The newest version listed for this platform.
        newest: Option<Version>,
    },
    /// The package speaks plugin protocols that the tools do not.
    #[error("{id} speaks plugin protocol {}, the tools support {SUPPORTED}", protocols.join(", "))]
    ProtocolUnsupported {
        /// The package.
        id: Box<PackageId>,
        /// The protocol versions it lists.
        protocols: Vec<String>,
        /// The newest version with a supported protocol.
        newest: Option<Version>,
    },
    /// The registry wants credentials, or refused those that were sent.
    #[error("{}", unauthorized(host, url, *status, *token_sent))]
    Unauthorized {
        /// The provider's host.
        host: Hostname,
        /// The URL asked.
        url: ShownUrl,
        /// 401 or 403.
        status: u16,
        /// Whether a token went with the request.
        token_sent: bool,
    },
    /// A status that the protocol gives no meaning.
    #[error("the registry answered {status} for {what} (`{url}`), expected 200")]
    Status {
        /// What was asked for, in words.
        what: String,
        /// The final URL.
        url: ShownUrl,
        /// The HTTP status.
        status: u16,
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
    /// The answer is about another platform than the one asked for.
    #[error("asked the registry for {id}, but it answered for `{got}`")]
    WrongPlatform {
        /// The package asked for.
        id: Box<PackageId>,
        /// `OS_ARCH` of the answer.
        got: String,
    },
    /// A plugin protocol version that is none.
    #[error("the registry lists `{got}` as plugin protocol of {id}, which is no version")]
    BadProtocol {
        /// The package.
        id: Box<PackageId>,
        /// The text.
        got: String,
    },
    /// A URL in the answer cannot be used.
    #[error("the registry gives `{got}` as `{member}` of {id}: it must be an http or https URL")]
    BadUrl {
        /// The package.
        id: Box<PackageId>,
        /// `download_url`, `shasums_url` or `shasums_signature_url`.
        member: &'static str,
        /// The value, cut short if long.
        got: String,
    },
    /// The announced digest is none.
    #[error(transparent)]
    BadShasum(#[from] BadShasum),
}

pub(super) fn unauthorized(
    host: &Hostname,
    url: &ShownUrl,
    status: u16,
    token_sent: bool,
) -> String {
    if token_sent {
        format!("host `{host}` refused the credentials sent for it ({status} from `{url}`)")
    } else {
        format!(
            "host `{host}` asks for credentials ({status} from `{url}`), and none are configured"
        )
    }
}

impl Failure for RegistryError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Discovery { source, .. } => source.exit_code(),
            Self::Request { source, .. } => source.exit_code(),
            Self::NoSuchProvider { .. }
            | Self::NoSuchVersion { .. }
            | Self::PlatformNotPublished { .. }
            | Self::ProtocolUnsupported { .. } => ExitCode::NotFound,
            Self::Unauthorized { .. } => ExitCode::Authentication,
            Self::Status { .. }
            | Self::Malformed { .. }
            | Self::WrongPlatform { .. }
            | Self::BadProtocol { .. }
            | Self::BadUrl { .. }
            | Self::BadShasum(_) => ExitCode::Remote,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Discovery { source, .. } => source.hints(),
            Self::Request { source, .. } => source.hints(),
            Self::NoSuchProvider { addr, .. } => vec![format!(
                "check the address; a private registry may also hide `{addr}` from requests without a token"
            )],
            Self::NoSuchVersion { id, newest } => vec![newest.as_ref().map_or_else(
                || format!("the registry lists no version of `{}` at all", id.addr),
                |newest| format!("the newest version offered is {newest}; list all with `provender versions {}`", id.addr),
            )],
            Self::PlatformNotPublished { id, published, newest } => {
                platform_hints(id, published, newest.as_ref())
            }
            Self::ProtocolUnsupported { id, newest, .. } => vec![newest.as_ref().map_or_else(
                || format!("no version of `{}` lists a supported protocol", id.addr),
                |newest| format!("the newest version that the tools can run is {newest}"),
            )],
            Self::Unauthorized { host, token_sent: false, .. } => vec![token_hint(host)],
            Self::Unauthorized { host, token_sent: true, .. } => vec![format!(
                "the token for `{host}` may have expired or lack access to this provider; {}",
                token_hint(host)
            )],
            Self::Status { status: 429, .. } => {
                vec!["the registry limits requests: try again later, or with fewer `--jobs`".to_owned()]
            }
            Self::Status { status: 300..=499, .. } => {
                vec!["check the registry's URL and that the address exists there".to_owned()]
            }
            Self::Status { .. } => {
                vec!["the registry is in trouble, try again later".to_owned()]
            }
            Self::Malformed { .. }
            | Self::WrongPlatform { .. }
            | Self::BadProtocol { .. }
            | Self::BadUrl { .. }
            | Self::BadShasum(_) => {
                vec!["this is a fault of the registry; tell those who run it".to_owned()]
            }
        }
    }
}

fn platform_hints(id: &PackageId, published: &[Platform], newest: Option<&Version>) -> Vec<String> {
    let mut hints = Vec::new();
    if !published.is_empty() {
        let names: Vec<String> = published.iter().map(ToString::to_string).collect();
        hints.push(format!(
            "{} is published for: {}",
            id.version,
            names.join(", ")
        ));
    }
    if let Some(newest) = newest {
        hints.push(format!(
            "the newest version listed for `{}` is {newest}",
            id.platform
        ));
    }
    if hints.is_empty() {
        hints.push(format!(
            "list what there is with `provender versions {}`",
            id.addr
        ));
    }
    hints
}
