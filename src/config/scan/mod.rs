//! What one module directory says: required providers and module calls (facts/modules 5).
//!
//! One directory, not the tree below it: the caller follows module calls. Constants are evaluated, and what is
//! known before anything runs (see `static_scope`); a source that needs more is told as dynamic, not guessed.
//!
//! Modules of strangers are read as well. Attacks known, and the answer to each:
//! - *A configuration file too large to hold*: more than [`MAX_FILE_BYTES`] are refused.
//! - *Nesting deep enough to exhaust the stack*: the HCL reader has a limit of its own, and runs on a
//!   stack that suffices for it; JSON is opened level by level, only as far as the known blocks go, and
//!   values at most [`MAX_VALUE_DEPTH`] levels.
//! - *A pipe or device under a configuration's name*: only regular files (also behind links) are opened.
//! - *Control characters in names*, to forge lines of output: escaped in messages.
mod constant;
mod declaration;
mod file_set;
mod json;
mod local_calls;
mod loose_constraints;
mod module;
mod module_call;
mod native;
mod problem;
mod required_providers;
mod requirements;
mod scanner;
mod schema;
mod source_file;
mod static_function;
mod static_scope;
mod static_value;
mod syntax;
mod test_file;

pub use local_calls::local_calls;
pub use module_call::{CallSource, ModuleCall};
pub use problem::{Location, Problem, ProblemKind, ScanError};
pub use requirements::RequiredVersion;
pub use scanner::{ModuleKind, ModuleScan, scan_module, scan_module_with};
pub use source_file::MAX_FILE_BYTES;
pub use static_value::{StaticInputs, StaticValue, values_of_json, values_of_native};
pub use syntax::MAX_VALUE_DEPTH;
