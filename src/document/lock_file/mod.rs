//! The dependency lock file `.terraform.lock.hcl`, as text (facts/providers 5).
//!
//! Reading accepts what the tools accept and lists every problem with its place; writing gives the very
//! bytes that the tool would write. Files are not touched here.

mod constant;
mod locks;
mod migrate;
mod problem;
mod read;
mod render;

pub(in crate::document) use constant::{Constant, evaluate};
pub use locks::{LOCK_FILE_NAME, LockWarning, Locks, ParsedLocks, ProviderLock};
pub use migrate::AdoptedLock;
pub use problem::{LockFileError, LockProblem, LockProblemKind};
pub(in crate::document) use render::Quoted;
pub use render::tool_of_header;
