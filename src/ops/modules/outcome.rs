//! What became of each module of a root module.

use crate::ops::{Action, OpError};

/// The result for one module call that is not local, or for a package of a module.
#[derive(Debug)]
pub struct ModuleOutcome {
    /// The names of the calls from the root, joined with `.`; empty if there is no call.
    pub key: String,
    /// The source in its normal form, without secrets.
    pub source: String,
    /// The version, for modules of registries.
    pub version: Option<String>,
    /// What was done.
    pub action: Action,
    /// Why it failed.
    pub error: Option<OpError>,
    /// The root module, if there are several.
    pub root: Option<String>,
}
