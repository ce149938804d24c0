//! The settings, as values of other modules' use.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use crate::document::hcl1::{Position, Value};
use crate::secret::Secret;

/// Where a setting stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// Line and column.
    pub position: Position,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.position.line)
    }
}

/// What a `host` block says of its host. It replaces discovery: a service left out is not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostServices {
    /// Service id (`providers.v1`, as written) to value; empty if the block names no services.
    pub services: BTreeMap<String, ServiceValue>,
    /// Where the block stands.
    pub place: Place,
}

/// The value of one service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceValue {
    /// A string: a URL, possibly relative to the host's discovery URL.
    Text(String),
    /// Anything else, such as the object of `login.v1`.
    Other(Value),
}

/// What a `credentials` block says of its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialsEntry {
    /// The token verbatim; none if the block has none that is a string.
    pub token: Option<Secret>,
    /// Where the block stands.
    pub place: Place,
}

/// A `credentials_helper` block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperSetting {
    /// The label: the program is `terraform-credentials-NAME`.
    pub name: String,
    /// Arguments before the verb.
    pub args: Vec<String>,
    /// Where the block stands.
    pub place: Place,
}

/// A setting that is there but which this version does not follow, so that a command can say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotHonoured {
    /// The setting's name.
    pub name: &'static str,
    /// Where it stands.
    pub place: Place,
}

impl fmt::Display for NotHonoured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({})", self.name, self.place)
    }
}
