//! What the far side of an air gap needs to use a mirror: settings of the tools, of git and of a web server, and how to
//! use them (facts/modules 6).
//!
//! Hosts, paths and URLs come from configurations of strangers and end up in settings. Attacks known, and the
//! answer to each:
//! - *Text that ends a string and begins a setting of its own*: quotes, backslashes and `$` are escaped, or replaced where
//!   the language cannot; line ends and other control characters are left out.

mod cli_config;
mod facts;
mod git_config;
mod nginx;
mod quoted;
mod readme;

pub use facts::{ArchiveServer, FarSide, FarSideSettings, MirroredRepository, OtherLocation};
