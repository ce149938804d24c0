//! Package hashes `h1:` and `zh:`, and SHA-256 digests, as values (facts/providers 4.1 to 4.3).
//!
//! Floor 0. Nothing is computed from files here.

mod digest;
mod package_hash;

pub use digest::{DigestError, Sha256Digest};
pub use package_hash::{HashScheme, PackageHash, PackageHashError};
