//! What a module lock says, as values.

use std::collections::BTreeMap;

use crate::address::clean_path;
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
    /// Where in the package the module is, with `/`, if that is not the directory that the source names: a registry may name
    /// another one, and a source may have a pattern.
    pub directory: Option<String>,
}

impl LockedModule {
    /// Where in the package the module is; `named` is the directory that the source names.
    pub fn directory_or(&self, named: &str) -> String {
        Self::directory_of(self.directory.as_deref().unwrap_or(named))
    }

    /// The normal form of a directory in a package; `.` is the package itself.
    pub fn directory_of(text: &str) -> String {
        clean_path(text.trim_start_matches('/'))
    }
}

impl ModuleLock {
    /// The locked modules that the call `key` leads to, itself left out.
    pub fn below(&self, key: &str) -> impl Iterator<Item = (&String, &LockedModule)> {
        let prefix = format!("{key}.");
        let all = self.calls.iter();
        all.filter(move |(key, _)| key.starts_with(&prefix))
    }
}
