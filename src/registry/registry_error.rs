//! What can go wrong while asking a provider registry.

use crate::address::{Platform, ProviderAddr};
use crate::document::{BadShasum, PackageId};
use crate::failure::{ExitCode, Failure};
use crate::registry::CallError;
use crate::registry::call_error::fault_of_registry;
use crate::registry::protocol_support::SUPPORTED;
use crate::secret::ShownUrl;
use crate::version::Version;

/// Why a registry's answer is not to be had or not usable.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// It gave no usable answer.
    #[error(transparent)]
    Call(#[from] CallError),
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

impl Failure for RegistryError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Call(source) => source.exit_code(),
            Self::NoSuchProvider { .. }
            | Self::NoSuchVersion { .. }
            | Self::PlatformNotPublished { .. }
            | Self::ProtocolUnsupported { .. } => ExitCode::NotFound,
            Self::WrongPlatform { .. }
            | Self::BadProtocol { .. }
            | Self::BadUrl { .. }
            | Self::BadShasum(_) => ExitCode::Remote,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Call(source) => source.hints(),
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
            Self::WrongPlatform { .. }
            | Self::BadProtocol { .. }
            | Self::BadUrl { .. }
            | Self::BadShasum(_) => fault_of_registry(),
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
