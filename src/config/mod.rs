//! What the user has configured: root module, CLI configuration, settings, environment.
pub mod cli_config;
pub mod environment;
mod request;
mod root_module;
pub mod scan;
mod settings;
pub mod state;
mod tool_detection;
mod user_dirs;

pub use cli_config::{CliConfig, HostServices, ServiceValue};
pub use environment::Environment;
pub use request::{ProviderRequest, RequestError};
pub use root_module::RootModule;
pub use scan::{CallSource, ModuleCall, ModuleKind, ModuleScan, ScanError, scan_module};
pub use settings::Patience;
pub use state::{StateError, StateProviders, providers_in_state};
pub use tool_detection::detect_tool;
pub use user_dirs::{data_dir, default_cache_dir, home_dir, implied_mirror_dir};
