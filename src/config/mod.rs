//! What the user has configured: root module, CLI configuration, settings, environment.
pub mod cli_config;
pub mod environment;
mod implied_mirrors;
mod netrc;
mod request;
mod root_module;
mod root_modules;
mod root_modules_error;
pub mod scan;
mod settings;
pub mod state;
mod tool_detection;
mod user_dirs;

pub use cli_config::{CliConfig, HostServices, ServiceValue};
pub use environment::Environment;
pub use implied_mirrors::implied_mirror_dirs;
pub use netrc::{NetrcEntry, NetrcError, read_netrc};
pub use request::{ProviderRequest, RequestError};
pub use root_module::{RootModule, data_dir};
pub use root_modules::{FoundRootModule, FoundRootModules, RootModuleSearch, find_root_modules};
pub use root_modules_error::RootModulesError;
pub use scan::{CallSource, ModuleCall, ModuleKind, ModuleScan, ScanError, scan_module};
pub use settings::Patience;
pub use state::{StateError, StateProviders, providers_in_state};
pub use tool_detection::detect_tool;
pub use user_dirs::{default_cache_dir, home_dir, implied_mirror_dir, temp_dir, user_data_dir};
