//! What is wrong in the CLI configuration: said, never fatal.

use std::path::PathBuf;

use super::installation_problem::InstallationProblem;
use crate::document::hcl1::Position;

/// A problem and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliConfigWarning {
    /// The file; the variable, if the environment has the setting.
    pub file: PathBuf,
    /// The place in it, where one is known.
    pub position: Option<Position>,
    /// What is wrong.
    pub problem: CliConfigProblem,
}

impl std::fmt::Display for CliConfigWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(position) = self.position {
            write!(f, ":{position}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CliConfigProblem {
    /// The user named a file that is not there.
    #[error("the CLI configuration file named by the environment does not exist")]
    Missing,
    /// A file or the directory cannot be read.
    #[error("the CLI configuration cannot be read: {reason}")]
    Unreadable {
        /// What the system says.
        reason: String,
    },
    /// A syntax error: the whole file is ignored.
    #[error("{message}; all settings of this file are ignored")]
    Syntax {
        /// What is wrong.
        message: String,
    },
    /// A value of a wrong type: the whole file is ignored.
    #[error("{message}; all settings of this file are ignored")]
    Type {
        /// What is wrong.
        message: String,
    },
    /// The label of a `host` or `credentials` block is no host name: the block is ignored.
    #[error("`{label}` is no valid host name ({reason}); this `{block}` block is ignored")]
    InvalidHostname {
        /// The block's name.
        block: &'static str,
        /// The label as written.
        label: String,
        /// Why it is none.
        reason: String,
    },
    /// `plugin_cache_dir` or its variable names a directory that is not there; the setting stays.
    #[error("the plugin cache directory `{path}` does not exist")]
    CacheDirectoryMissing {
        /// The directory, after expansion.
        path: String,
    },
    /// More than one credentials helper over all files.
    #[error("more than one `credentials_helper`; only one is allowed in all files together")]
    SeveralHelpers,
    /// More than one `provider_installation` block over all files; the first counts.
    #[error(
        "more than one `provider_installation` block; only one is allowed in all files together"
    )]
    SeveralProviderInstallations,
    /// Something is wrong in a `provider_installation` block.
    #[error(transparent)]
    Installation(#[from] InstallationProblem),
    /// A name at the top level that no tool knows, and that the tools ignore in silence.
    #[error("there is no setting `{name}`; it is ignored")]
    UnknownSetting {
        /// The name as written.
        name: String,
    },
}
