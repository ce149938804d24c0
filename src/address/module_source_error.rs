//! Why a text is no module source, and what to write instead.

use super::{Hostname, HostnameError};
use crate::failure::{ExitCode, Failure};

/// Why a text is no module source. Each variant holds the text as given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModuleSourceError {
    /// No text.
    #[error("the module source is empty")]
    Empty,
    /// Neither local nor of a registry nor of a form that a remote source has.
    #[error("`{0}` is no module source: neither a local path, nor a registry address, nor a URL")]
    Unrecognised(String),
    /// The subdirectory climbs out.
    #[error("module source `{0}` has a subdirectory outside its package")]
    SubdirOutside(String),
    /// A shorthand without the parts that it needs.
    #[error("module source `{text}` is no {form}")]
    Shorthand {
        /// The whole text.
        text: String,
        /// What the shorthand must look like.
        form: &'static str,
    },
    /// Not three or four parts.
    #[error("`{0}` is no module address: that is `[HOST/]NAMESPACE/NAME/SYSTEM`")]
    Components(String),
    /// A local path where only a registry address is allowed.
    #[error("`{0}` is a local path, not an address in a module registry")]
    LocalPath(String),
    /// The first of four parts is no host name.
    #[error("module address `{text}` does not begin with a host name")]
    Host {
        /// The whole text.
        text: String,
        /// What is wrong with the host.
        source: HostnameError,
    },
    /// The first of four parts is a host name in its encoded form, or looks like one.
    #[error("module address `{text}` does not begin with a plain host name")]
    EncodedHost {
        /// The whole text.
        text: String,
        /// What is wrong with the host.
        source: HostnameError,
    },
    /// A host name of one label.
    #[error("module address `{text}` begins with `{host}`, which has no dot")]
    HostWithoutDot {
        /// The whole text.
        text: String,
        /// The first part.
        host: String,
    },
    /// A host that stands for version control.
    #[error("module address `{text}` names `{host}`, which is no module registry")]
    ReservedHost {
        /// The whole text.
        text: String,
        /// The host.
        host: Hostname,
    },
    /// A host and two more parts.
    #[error("module address `{0}` has fewer than three parts after its host name")]
    TooFewAfterHost(String),
    /// The namespace has characters that it may not have.
    #[error("module address `{text}` has the invalid namespace `{namespace}`")]
    Namespace {
        /// The whole text.
        text: String,
        /// The namespace as given.
        namespace: String,
    },
    /// The name has characters that it may not have.
    #[error("module address `{text}` has the invalid name `{name}`")]
    Name {
        /// The whole text.
        text: String,
        /// The name as given.
        name: String,
    },
    /// The target system has characters that it may not have.
    #[error("module address `{text}` has the invalid target system `{system}`")]
    TargetSystem {
        /// The whole text.
        text: String,
        /// The target system as given.
        system: String,
    },
    /// A query, which only remote sources have.
    #[error("module address `{0}` has a query, which addresses in registries have not")]
    Query(String),
}

impl Failure for ModuleSourceError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Unrecognised(text) => vec![unrecognised_hint(text)],
            Self::Host { source, .. } | Self::EncodedHost { source, .. } => source.hints(),
            Self::TargetSystem { .. } => {
                vec!["a target system has lower-case letters and digits only".to_owned()]
            }
            Self::Namespace { .. } | Self::Name { .. } => vec![
                "a namespace or name has letters, digits, `-` and `_`, the last two not at its ends"
                    .to_owned(),
            ],
            Self::LocalPath(_) | Self::Query(_) => {
                vec!["leave out the `version` of sources that are not in a registry".to_owned()]
            }
            Self::Empty
            | Self::SubdirOutside(_)
            | Self::Shorthand { .. }
            | Self::Components(_)
            | Self::HostWithoutDot { .. }
            | Self::ReservedHost { .. }
            | Self::TooFewAfterHost(_) => Vec::new(),
        }
    }
}

fn unrecognised_hint(text: &str) -> String {
    if text.starts_with("gitlab.com/") {
        return format!("write it as `git::https://{text}.git`");
    }
    format!("for a directory beside the calling module write `./{text}`")
}
