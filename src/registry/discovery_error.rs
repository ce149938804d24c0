//! What can go wrong while asking a host for its services.

use crate::address::Hostname;
use crate::auth::variable_for;
use crate::document::JsonError;
use crate::failure::{ExitCode, Failure};
use crate::http::HttpError;
use crate::secret::ShownUrl;

/// Why the services of a host are not known or not usable.
#[derive(Debug, thiserror::Error)]
pub enum DiscoveryError {
    /// The request did not succeed.
    #[error("cannot ask `{host}` which services it offers")]
    Request {
        /// The host.
        host: Hostname,
        /// What happened.
        #[source]
        source: Box<HttpError>,
    },
    /// The host answered with a status that means nothing here.
    #[error(
        "`{host}` answered {status} to the service discovery request `{url}`, expected 200 or 404"
    )]
    Status {
        /// The host.
        host: Hostname,
        /// The final URL.
        url: ShownUrl,
        /// The HTTP status.
        status: u16,
    },
    /// The host asked for credentials, or refused those that were sent.
    #[error("`{host}` answered {status} to the service discovery request `{url}`")]
    Unauthorized {
        /// The host.
        host: Hostname,
        /// The final URL.
        url: ShownUrl,
        /// The HTTP status.
        status: u16,
    },
    /// The answer is not declared as JSON.
    #[error(
        "the service discovery document `{url}` must have content type `application/json`, got {got}"
    )]
    ContentType {
        /// The final URL.
        url: ShownUrl,
        /// The header's value in backticks, or words saying that there is none.
        got: String,
    },
    /// The answer is not the JSON object it should be.
    #[error("the service discovery document `{url}` is malformed")]
    Malformed {
        /// The final URL.
        url: ShownUrl,
        /// What is wrong.
        #[source]
        source: JsonError,
    },
    /// The host does not offer the service.
    #[error("{}", not_offered(host, service, others))]
    NotOffered {
        /// The host.
        host: Hostname,
        /// The service id, such as `providers.v1`.
        service: &'static str,
        /// Service ids of the same name that it does announce.
        others: Vec<String>,
    },
    /// The service's value cannot be used.
    #[error("`{host}` gives `{value}` as URL of `{service}`: {reason}")]
    ServiceUrl {
        /// The host.
        host: Hostname,
        /// The service id.
        service: &'static str,
        /// The value.
        value: String,
        /// What is wrong with it.
        reason: &'static str,
    },
}

fn not_offered(host: &Hostname, service: &str, others: &[String]) -> String {
    if others.is_empty() {
        format!("host `{host}` does not offer a registry of this kind (`{service}`)")
    } else {
        format!(
            "host `{host}` does not offer `{service}` in a usable form, but `{}`",
            others.join("`, `")
        )
    }
}

impl Failure for DiscoveryError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Request { source, .. } => source.exit_code(),
            Self::Unauthorized { .. } => ExitCode::Authentication,
            Self::NotOffered { .. } => ExitCode::NotFound,
            Self::Status { .. }
            | Self::ContentType { .. }
            | Self::Malformed { .. }
            | Self::ServiceUrl { .. } => ExitCode::Remote,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Request { source, .. } => source.hints(),
            Self::NotOffered { host, .. } => vec![format!(
                "check the host name in the address, or name the registry's URL in a `host \"{host}\"` block of the CLI configuration"
            )],
            Self::Unauthorized { host, .. } => vec![token_hint(host)],
            Self::Status { host, .. } | Self::ServiceUrl { host, .. } => vec![format!(
                "correct `https://{}/.well-known/terraform.json`, or the `host \"{host}\"` block of the CLI configuration if there is one",
                host.for_comparison()
            )],
            Self::ContentType { url, .. } | Self::Malformed { url, .. } => {
                vec![format!(
                    "if the registry is yours, correct what it serves at `{url}`"
                )]
            }
        }
    }
}

/// How to give a token for `host`.
pub(super) fn token_hint(host: &Hostname) -> String {
    let variable = variable_for(host)
        .map(|name| format!("`{name}` or in "))
        .unwrap_or_default();
    format!(
        "log in with `provender login {host}`, or set a token for it in {variable}a `credentials \"{host}\"` block of the CLI configuration"
    )
}
