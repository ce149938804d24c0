//! What `outdated` tells in JSON.

use serde::Serialize;

/// A requirement of a root module, and its versions.
#[derive(Debug, Serialize)]
pub struct OutdatedJsonRow {
    /// What is required: `provider` or `module`.
    pub kind: &'static str,
    /// Its full address.
    pub address: String,
    /// Of a module: the names of its calls from the root module.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The root module, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The constraints; of a provider canonical, of a module as written. May be empty.
    pub constraints: String,
    /// The locked version; of a module that of the module lock.
    pub locked: Option<String>,
    /// Of a module: the installed version, or null.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed: Option<Option<String>>,
    /// The newest version that the constraints allow.
    pub allowed: Option<String>,
    /// The newest version that is no prerelease.
    pub newest: Option<String>,
    /// The newest prerelease, if it is newer than the others.
    pub newer_prerelease: Option<String>,
    /// Whether another version than the locked one, else the installed one of a module, would be selected anew.
    pub behind: bool,
}
