//! Sources answer what packages there are and how each is proved; they change nothing.
//!
//! One kind so far: the origin registry. A network mirror or a filesystem mirror is one more file
//! that implements [`Source`].
mod contract;
mod origin;
mod shasums_proof;
mod source_error;

pub use contract::{PackageLocation, PackageMeta, Proof, Source};
pub use origin::OriginSource;
pub use shasums_proof::ShasumsProof;
pub use source_error::SourceError;
