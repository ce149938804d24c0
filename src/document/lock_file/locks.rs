//! What a lock file says, as values.

use std::collections::BTreeMap;
use std::fmt;

use crate::address::ProviderAddr;
use crate::hash::PackageHash;
use crate::version::{Version, VersionConstraints};

/// The lock file's name; it lies in the root module's directory, not in `TF_DATA_DIR` (facts 5.1).
pub const LOCK_FILE_NAME: &str = ".terraform.lock.hcl";

/// The selections of a lock file, in the order of the file (facts 5.8).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Locks {
    /// The lock of each provider.
    pub providers: BTreeMap<ProviderAddr, ProviderLock>,
}

/// What is locked of one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderLock {
    /// The selected version.
    pub version: Version,
    /// The constraints that it was selected by; informative, never checked against the version.
    pub constraints: VersionConstraints,
    /// The accepted hashes, in the order read and with duplicates: see
    /// [`ProviderLock::sorted_hashes`].
    pub hashes: Vec<PackageHash>,
}

impl ProviderLock {
    /// The hashes as they are written: sorted by bytes, each once.
    pub fn sorted_hashes(&self) -> Vec<&PackageHash> {
        let mut hashes: Vec<&PackageHash> = self.hashes.iter().collect();
        hashes.sort();
        hashes.dedup();
        hashes
    }
}

impl Locks {
    /// Whether the tools would write `next` over a file that says this (facts 5.9).
    ///
    /// That is the case if a provider, a version or a list of hashes differs. A list that was read
    /// unsorted or with duplicates differs from its sorted form; constraints alone do not count.
    pub fn is_outdated_by(&self, next: &Self) -> bool {
        self.providers.len() != next.providers.len()
            || self
                .providers
                .iter()
                .any(|(addr, lock)| match next.providers.get(addr) {
                    Some(other) => lock.is_outdated_by(other),
                    None => true,
                })
    }
}

impl ProviderLock {
    fn is_outdated_by(&self, next: &Self) -> bool {
        self.version != next.version || !self.hashes.iter().eq(next.sorted_hashes())
    }
}

/// What reading a lock file gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedLocks {
    /// The locks.
    pub locks: Locks,
    /// What the user should know, in the order of the file.
    pub warnings: Vec<LockWarning>,
}

/// Something in a lock file that is accepted but lost when the file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockWarning {
    /// There are `module` blocks, which no version of the tools has a meaning for; told once.
    ModuleBlocks,
}

impl fmt::Display for LockWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ModuleBlocks => f.write_str(
                "the lock file has `module` blocks, which have no meaning and are lost when it is written",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Tool;

    fn locks(version: &str, constraints: &str, hashes: &str) -> Locks {
        let text = format!(
            "provider \"a.b/c/d\" {{\n version = \"{version}\"\n constraints = \"{constraints}\"\n hashes = [{hashes}]\n}}\n"
        );
        Locks::parse(&text, Tool::Terraform).unwrap().locks
    }

    #[test]
    fn file_is_outdated_by_versions_and_hashes_but_not_by_constraints() {
        let before = locks("1.0.0", "~> 1.0", "\"h1:a\", \"h1:b\"");
        let cases = [
            (locks("1.0.0", "~> 1.0", "\"h1:a\", \"h1:b\""), false),
            (locks("1.0.0", ">= 1.0.0", "\"h1:b\", \"h1:a\""), false),
            (locks("1.0.1", "~> 1.0", "\"h1:a\", \"h1:b\""), true),
            (locks("1.0.0", "~> 1.0", "\"h1:a\""), true),
            (Locks::default(), true),
        ];
        for (next, outdated) in cases {
            assert_eq!(before.is_outdated_by(&next), outdated, "{next:?}");
        }
    }

    #[test]
    fn unsorted_or_repeated_hashes_outdate_the_file() {
        let sorted = locks("1.0.0", "", "\"h1:a\", \"h1:b\"");
        for hashes in ["\"h1:b\", \"h1:a\"", "\"h1:a\", \"h1:b\", \"h1:b\""] {
            let read = locks("1.0.0", "", hashes);
            assert!(read.is_outdated_by(&read), "{hashes}");
            assert!(read.is_outdated_by(&sorted), "{hashes}");
        }
        assert!(!sorted.is_outdated_by(&sorted));
    }
}
