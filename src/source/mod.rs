//! Sources answer what packages there are and how each is proved; they change nothing.
//!
//! One file a kind: the origin registry, a network mirror, a directory that is a filesystem mirror, and under
//! `--offline` one that knows nothing. A [`SourceChain`] asks several of them by the tools' rules.
mod chain;
mod contract;
mod filesystem_mirror;
mod filesystem_search;
mod network_mirror;
mod oci_mirror;
mod offline;
mod origin;
mod shasums_proof;
mod source_error;

pub use chain::{ChainLink, Service, ServingRule, SourceChain};
pub use contract::{HashTrust, PackageLocation, PackageMeta, Proof, Source};
pub use filesystem_mirror::{FilesystemMirrorSource, LayoutUse};
pub use network_mirror::NetworkMirrorSource;
pub use oci_mirror::OciMirrorSource;
pub use offline::OfflineSource;
pub use origin::OriginSource;
pub use shasums_proof::ShasumsProof;
pub use source_error::SourceError;
