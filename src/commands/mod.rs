//! The command line: clap definitions, one file per verb, and the mapping of errors to exit codes.
mod cache;
mod cache_gc;
mod cache_info;
mod cache_verify;
mod cli;
mod context;
mod error;
mod explain;
mod global;
mod install;
mod interrupt;
pub mod manual;
mod mirror;
mod package_sources;
mod report;
mod run;
mod versions;

pub use cache::{CacheArgs, CacheCommand};
pub use cache_gc::CacheGcArgs;
pub use cli::{Cli, Command};
pub use explain::ExplainArgs;
pub use global::GlobalArgs;
pub use install::InstallArgs;
pub use mirror::MirrorArgs;
pub use run::run;
pub use versions::VersionsArgs;
