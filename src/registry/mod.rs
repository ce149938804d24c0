//! Clients of the registry protocols: service discovery and the provider registry.
mod discovery;
mod discovery_error;
mod json_setting;
mod media_type;
mod protocol_support;
mod provider_registry;
mod registry_error;
mod services;

pub use discovery::DiscoveryClient;
pub use discovery_error::DiscoveryError;
pub use provider_registry::{PackageOffer, ProviderRegistryClient};
pub use registry_error::RegistryError;
pub use services::{ServiceId, Services};
