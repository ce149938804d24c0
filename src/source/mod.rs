//! Sources answer what packages there are and how each is proved; they change nothing.
//!
//! One file a kind: the origin registry, a network mirror, a directory that is a filesystem mirror, and under
//! `--offline` one that knows nothing. A [`SourceChain`] asks several of them by the tools' rules.
//! Packages of modules, which other protocols serve, come through a [`ModuleGetter`].
mod chain;
mod contract;
mod filesystem_mirror;
mod filesystem_search;
mod git_mirror;
mod git_refs;
mod git_secrets;
mod module_fetch_error;
mod module_file;
mod module_getter;
mod module_git;
mod module_http;
mod module_meta;
mod module_subdir;
mod network_mirror;
mod oci_mirror;
mod offline;
mod origin;
mod shasums_proof;
mod source_error;

pub use chain::{ChainLink, Service, ServingRule, SourceChain};
pub use contract::{HashTrust, PackageLocation, PackageMeta, Proof, Source};
pub use filesystem_mirror::{FilesystemMirrorSource, LayoutUse};
pub use git_mirror::{GitSource, RepositoryChange, RepositoryState, RepositoryUpdate};
pub use git_secrets::keeps_secrets;
pub use module_fetch_error::ModuleFetchError;
pub use module_getter::{GotModule, ModuleGetter, is_archive, refusal};
pub use module_git::GitProgram;
pub use module_subdir::{find_subdir, literal_subdir};
pub use network_mirror::NetworkMirrorSource;
pub use oci_mirror::OciMirrorSource;
pub use offline::OfflineSource;
pub use origin::OriginSource;
pub use shasums_proof::ShasumsProof;
pub use source_error::SourceError;
