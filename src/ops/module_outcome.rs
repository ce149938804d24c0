//! What became of each module of a root module.

use crate::ops::{Action, OpError};

/// The result for one module call that is not local.
#[derive(Debug)]
pub struct ModuleOutcome {
    /// The names of the calls from the root, joined with `.`.
    pub key: String,
    /// The source in its normal form, without secrets.
    pub source: String,
    /// The version, for modules of registries.
    pub version: Option<String>,
    /// [`Action::Installed`], [`Action::Kept`] or [`Action::Failed`].
    pub action: Action,
    /// Why it failed.
    pub error: Option<OpError>,
    /// The root module, if there are several.
    pub root: Option<String>,
}
