//! What a module lock says, as values.

use std::collections::BTreeMap;

use crate::document::PackageIdentity;
use crate::hash::PackageHash;
use crate::version::ModuleVersion;

/// The file's name; it lies in the root module's directory, beside the tools' lock file.
pub const MODULE_LOCK_NAME: &str = ".provender.lock.hcl";

/// The locked modules, in the order of the file: bytewise by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModuleLock {
    /// By key: call names from the root joined with `.`, as in the record of installed modules.
    pub calls: BTreeMap<String, LockedModule>,
}

/// What a call led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedModule {
    /// The source of the call in its normal form, without secrets: the file is shared.
    pub source: String,
    /// The version, for modules of registries.
    pub version: Option<ModuleVersion>,
    /// What the package was when it was fetched.
    pub identity: PackageIdentity,
    /// The `h1:` of the package's files that are not hidden.
    pub hash: PackageHash,
}

impl ModuleLock {
    /// The locked modules that the call `key` leads to, itself left out.
    pub fn below(&self, key: &str) -> impl Iterator<Item = (&String, &LockedModule)> {
        let prefix = format!("{key}.");
        let all = self.calls.iter();
        all.filter(move |(key, _)| key.starts_with(&prefix))
    }
}
