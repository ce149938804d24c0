//! Clients of the registry protocols: service discovery, registries of providers and modules, network mirrors.
mod call;
mod call_error;
mod discovery;
mod discovery_error;
mod json_setting;
mod media_type;
mod module_registry;
mod module_registry_error;
mod network_mirror;
mod network_mirror_error;
mod protocol_support;
mod provider_registry;
mod registry_error;
mod services;

pub use call_error::CallError;
pub use discovery::DiscoveryClient;
pub use discovery_error::DiscoveryError;
pub use module_registry::{DirectArchive, ModuleLocation, ModuleRegistryClient};
pub use module_registry_error::ModuleRegistryError;
pub use network_mirror::{MirroredPackage, NetworkMirrorClient, mirror_host};
pub use network_mirror_error::NetworkMirrorError;
pub use provider_registry::{PackageOffer, ProviderRegistryClient};
pub use registry_error::RegistryError;
pub use services::{RegistryKind, ServiceId, Services};
