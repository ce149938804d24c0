//! Names of things: hosts, providers, modules, platforms, the tool worked for.
//!
//! Floor 0. Each type is parsed once, at the edge, and cannot be wrong afterwards; all of them end up
//! in paths and URLs, so each parser refuses what could leave its directory.

mod go_url;
mod hostname;
mod idn;
mod module_addr;
mod module_detect;
mod module_remote;
mod module_source;
mod module_source_error;
mod module_subdir;
mod package_place;
mod platform;
mod provider;
mod provider_error;
mod provider_part;
mod provider_pattern;
mod provider_source;
mod tool;

pub use go_url::{encode_pairs, query_pairs, sorted_query};
pub use hostname::{Hostname, HostnameError};
pub use module_addr::ModuleAddr;
pub use module_remote::{RemoteModule, shown_source};
pub use module_source::{ModuleSource, RegistryModule};
pub use module_source_error::ModuleSourceError;
pub use module_subdir::{clean_path, leaves_package};
pub use package_place::{PackagePlace, PackagePlaceError};
pub use platform::{Platform, PlatformError};
pub use provider::ProviderAddr;
pub use provider_error::ProviderAddrError;
pub use provider_pattern::{ProviderPattern, ProviderPatternError};
pub use provider_source::ProviderSource;
pub use tool::{Tool, ToolError};
