//! What is said of one package on its way through the floors: its identity, keys and verdict.

use std::fmt;

use crate::address::{Platform, ProviderAddr};
use crate::version::Version;

/// One provider package: address, version, platform.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackageId {
    /// The provider.
    pub addr: ProviderAddr,
    /// Its version.
    pub version: Version,
    /// The platform the package is for.
    pub platform: Platform,
}

impl fmt::Display for PackageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` {} for `{}`",
            self.addr, self.version, self.platform
        )
    }
}

/// An OpenPGP public key as a registry announces it; only the armor counts (facts/providers 2.10.7).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SigningKey {
    /// The ASCII-armored key block, as received.
    pub ascii_armor: String,
}

/// What was proved of a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The SHA256SUMS document is signed by the primary key with this id (16 upper-case hex digits).
    Signed {
        /// The id of the primary key.
        key_id: String,
        /// Whether the key or the signature had expired at the time of the check.
        expired: bool,
    },
    /// Only a checksum given by the source matched.
    Checksum,
    /// Nothing was there to check against.
    Unauthenticated,
}
