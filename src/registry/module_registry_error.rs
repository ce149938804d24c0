//! What can go wrong while asking a module registry.

use crate::address::{Hostname, ModuleAddr};
use crate::document::JsonError;
use crate::failure::{ExitCode, Failure};
use crate::http::HttpError;
use crate::registry::DiscoveryError;
use crate::registry::discovery_error::token_hint;
use crate::registry::registry_error::unauthorized;
use crate::secret::ShownUrl;
use crate::version::ModuleVersion;

/// Why a module registry's answer is not to be had or not usable.
#[derive(Debug, thiserror::Error)]
pub enum ModuleRegistryError {
    /// The registry itself could not be found.
    #[error("cannot find the module registry of `{addr}`")]
    Discovery {
        /// The module asked for.
        addr: Box<ModuleAddr>,
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
    /// The registry does not know the module.
    #[error("the registry of `{}` has no module `{addr}` (404 from `{url}`)", addr.hostname())]
    NoSuchModule {
        /// The module.
        addr: Box<ModuleAddr>,
        /// The URL asked.
        url: ShownUrl,
    },
    /// The registry answers with an empty list of modules.
    #[error("the registry's answer for module `{addr}` names no module")]
    NoModuleInAnswer {
        /// The module.
        addr: Box<ModuleAddr>,
    },
    /// The registry has no package for a version that it lists.
    #[error("the registry has no package of module `{addr}` {version}")]
    NoSuchVersion {
        /// The module.
        addr: Box<ModuleAddr>,
        /// The version.
        version: Box<ModuleVersion>,
    },
    /// The registry wants credentials, or refused those that were sent.
    #[error("{}", unauthorized(host, url, *status, *token_sent))]
    Unauthorized {
        /// The module's host.
        host: Hostname,
        /// The URL asked.
        url: ShownUrl,
        /// 401 or 403.
        status: u16,
        /// Whether a token went with the request.
        token_sent: bool,
    },
    /// A status that the protocol gives no meaning.
    #[error("the registry answered {status} for {what} (`{url}`)")]
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
    /// The location is none, or none that may be fetched.
    #[error(
        "the registry's location `{got}` of module `{addr}` {version} cannot be used: {reason}"
    )]
    Location {
        /// The module.
        addr: Box<ModuleAddr>,
        /// The version.
        version: Box<ModuleVersion>,
        /// The location, cut short if long.
        got: String,
        /// Why.
        reason: &'static str,
    },
}

impl Failure for ModuleRegistryError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Discovery { source, .. } => source.exit_code(),
            Self::Request { source, .. } => source.exit_code(),
            Self::NoSuchModule { .. } | Self::NoSuchVersion { .. } => ExitCode::NotFound,
            Self::Unauthorized { .. } => ExitCode::Authentication,
            Self::NoModuleInAnswer { .. }
            | Self::Status { .. }
            | Self::Malformed { .. }
            | Self::Location { .. } => ExitCode::Remote,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Discovery { source, .. } => source.hints(),
            Self::Request { source, .. } => source.hints(),
            Self::NoSuchModule { addr, .. } => vec![format!(
                "check the address; a private registry may also hide `{addr}` from requests without a token"
            )],
            Self::Unauthorized { host, .. } => vec![token_hint(host)],
            Self::Status { status: 429, .. } => {
                vec![
                    "the registry limits requests: try again later, or with fewer `--jobs`"
                        .to_owned(),
                ]
            }
            Self::Status { status: 500.., .. } => {
                vec!["the registry is in trouble, try again later".to_owned()]
            }
            Self::Status { .. }
            | Self::NoModuleInAnswer { .. }
            | Self::NoSuchVersion { .. }
            | Self::Malformed { .. }
            | Self::Location { .. } => {
                vec!["this is a fault of the registry; tell those who run it".to_owned()]
            }
        }
    }
}
