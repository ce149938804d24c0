//! Proof of provider packages: signatures, archives, hashes, and the types that tell what was
//! proved.
//!
//! A package enters as a [`FetchedPackage`] and leaves [`authenticate`] as a [`VerifiedPackage`];
//! stores take only the latter. What a cache kept enters as an [`ArchiveClaim`]. All functions are synchronous and read whole packages: call them on
//! the blocking pool. This module alone knows the `pgp`, `rawzip` and `tar` crates; none of their types
//! get out. Archives of modules, which nobody signs, are unpacked by [`unpack_module`].

mod archive;
mod archive_error;
#[cfg(test)]
mod archive_tests;
mod archive_walk;
mod authenticate;
mod certificate;
mod directory;
mod h1;
mod keyring;
mod layout;
mod module_archive;
mod module_archive_error;
#[cfg(test)]
mod module_archive_tests;
mod module_checksum;
mod module_format;
mod module_hash;
mod module_pack;
mod module_tar;
mod module_target;
mod module_zip;
mod openpgp;
#[cfg(test)]
mod openpgp_tests;
mod plugin_name;
mod recall;
mod shasums_seal;
mod signature_error;
mod signature_facts;
mod unpack;
mod verified;

pub use archive_error::{ArchiveError, NameProblem};
pub use authenticate::{Expectation, Mismatch, RegistryExpectation, Reported, authenticate};
pub use certificate::Unfit;
pub use directory::{UnpackedPackage, UnpackedPackageError};
pub use h1::{DirectoryHashError, h1_of_directory, h1_of_zip};
pub use keyring::KeyTextError;
pub use module_archive::{ModuleLimits, unpack_module};
pub use module_archive_error::ModuleArchiveError;
pub use module_checksum::{ChecksumSource, ChecksumTextError, ModuleChecksum};
pub use module_format::{FormatChoice, ModuleFormat};
pub use module_hash::{h1_of_module, has_links};
pub use module_pack::{ModulePackError, digest_of_packed, pack_module};
pub use openpgp::{Expired, Signer, fingerprints, verify_detached};
pub use plugin_name::is_plugin_name;
pub use recall::{ArchiveClaim, IntactArchive, KnownContents, Scrutiny};
pub use shasums_seal::{Enforcement, SealedShasums, SigningPolicy};
pub use signature_error::SignatureError;
pub use unpack::{PackageContents, inspect, unpack};
pub use verified::{FetchedPackage, LockMatch, VerifiedPackage};
