//! The module lock, `.provender.lock.hcl`, as text: what each module call that is not local led to when it was locked.
//!
//! The format is our own; it lies beside the tools' lock file, which has no place for modules, and belongs into
//! version control as that does. Files are not touched here.
//!
//! What newer versions may add is refused and not skipped, blocks and arguments alike: a reader that passes over what
//! it does not know would compare less than the writer meant, and would drop it when it writes. So no older version loses
//! what a newer one has written; it says that it is too old.

mod locked;
mod problem;
mod read;
mod render;

pub use locked::{LockedModule, MODULE_LOCK_NAME, ModuleLock};
pub use problem::{ModuleLockError, ModuleLockProblem, ModuleLockProblemKind};
