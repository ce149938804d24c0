//! Sources answer what packages there are and how each is proved; they change nothing.
//!
//! Two kinds so far: the origin registry, and under `--offline` one that knows nothing. A network mirror
//! or a filesystem mirror is one more file that implements [`Source`].
mod contract;
mod offline;
mod origin;
mod shasums_proof;
mod source_error;

pub use contract::{PackageLocation, PackageMeta, Proof, Source};
pub use offline::OfflineSource;
pub use origin::OriginSource;
pub use shasums_proof::ShasumsProof;
pub use source_error::SourceError;
