//! What a source published of a package beside its bytes: the hashes that a lock file may take over.

use crate::hash::PackageHash;

/// Hashes that were published with a package, as far as they were proved when its bytes were.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Published {
    /// The `zh:` of every platform in the signed document; empty if nobody signed it.
    pub signed: Vec<PackageHash>,
    /// What OpenTofu's `packages` report for all platforms (facts/providers 2.12).
    pub reported: Vec<PackageHash>,
}
