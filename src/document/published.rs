//! What a source published of a package beside its bytes: the hashes that a lock file may take over.

use crate::hash::PackageHash;

/// Hashes that were published with a package, by what they are worth once its bytes are proved
/// (facts/providers 3.11).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Published {
    /// The `zh:` of every platform in a signed document; empty if nobody signed one.
    pub signed: Vec<PackageHash>,
    /// Those of which OpenTofu locks the ones that are the package's own.
    pub listed: Vec<PackageHash>,
    /// Those that OpenTofu locks without comparing them: what its own registry reports for all
    /// platforms, and what a mirror lists that is trusted altogether.
    pub vouched: Vec<PackageHash>,
}
