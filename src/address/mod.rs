//! Names of things: hosts, providers, platforms, the tool worked for.
//!
//! Floor 0. Each type is parsed once, at the edge, and cannot be wrong afterwards; all of them end up
//! in paths and URLs, so each parser refuses what could leave its directory.

mod hostname;
mod idn;
mod platform;
mod provider;
mod provider_error;
mod provider_part;
mod provider_pattern;
mod provider_source;
mod tool;

pub use hostname::{Hostname, HostnameError};
pub use platform::{Platform, PlatformError};
pub use provider::ProviderAddr;
pub use provider_error::ProviderAddrError;
pub use provider_pattern::{ProviderPattern, ProviderPatternError};
pub use provider_source::ProviderSource;
pub use tool::{Tool, ToolError};
