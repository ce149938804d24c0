//! Clients for registries that a test serves on loopback: tiny waits, no proxies, the test authority trusted.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use provender::address::{Hostname, ProviderAddr, Tool};
use provender::auth::Credentials;
use provender::config::{CliConfig, Environment};
use provender::http::{Client, ClientOptions, Proxies, RetryPolicy};
use provender::registry::{DiscoveryClient, ProviderRegistryClient};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::support::TestServer;

/// The peers' number of further tries where `TF_REGISTRY_DISCOVERY_RETRY` does not say otherwise.
const USUAL_RETRIES: u32 = 1;

/// Clients that share one connection pool and one set of credentials.
pub(super) struct Clients {
    pub(super) http: Client,
    pub(super) retry: RetryPolicy,
    credentials: Arc<Credentials>,
}

impl Clients {
    /// Clients that trust `server` and know no tokens.
    pub(super) fn of(server: &TestServer) -> Self {
        Self::with_environment(server, &Environment::default())
    }

    /// Clients with the tokens that `environment` and the CLI configuration it names hold.
    pub(super) fn with_environment(server: &TestServer, environment: &Environment) -> Self {
        let config = CliConfig::load(Tool::Terraform, environment, None, Path::new("/"));
        assert_eq!(config.warnings, [], "the CLI configuration of the test");
        let http = Client::new(ClientOptions {
            ca_files: vec![server.ca_file().to_owned()],
            proxies: Proxies::None,
            ..ClientOptions::default()
        });
        Self {
            http: http.expect("the test authority can be trusted"),
            retry: impatient(USUAL_RETRIES),
            credentials: Arc::new(Credentials::new(environment, &config)),
        }
    }

    /// The same with the number of tries that the environment of a case asks for.
    pub(super) fn with_retries_of(self, case: &Value) -> Self {
        let asked = case["env"]["TF_REGISTRY_DISCOVERY_RETRY"].as_str();
        let asked = asked.and_then(|text| text.parse().ok());
        let retries = asked.filter(|&count| count > 0).unwrap_or(USUAL_RETRIES);
        Self {
            retry: impatient(retries),
            ..self
        }
    }

    /// A discovery client that has asked nobody yet.
    pub(super) fn discovery(&self) -> DiscoveryClient {
        let overrides = std::collections::BTreeMap::new();
        DiscoveryClient::new(
            self.http.clone(),
            Arc::clone(&self.credentials),
            overrides,
            Tool::Terraform,
            self.retry,
        )
    }

    /// A registry client that has asked nobody yet.
    pub(super) fn registry(&self) -> ProviderRegistryClient {
        let credentials = Arc::clone(&self.credentials);
        ProviderRegistryClient::new(self.http.clone(), self.discovery(), credentials, self.retry)
    }
}

/// So many further tries, with waits that nobody notices.
pub(super) fn impatient(retries: u32) -> RetryPolicy {
    RetryPolicy {
        retries,
        base: Duration::from_millis(1),
        cap: Duration::from_millis(1),
        patience: Duration::from_millis(10),
    }
}

/// The host name of a server, with its port.
pub(super) fn hostname(server: &TestServer) -> Hostname {
    server.host().parse().expect("loopback has a host name")
}

/// The provider that every case is about.
pub(super) fn provider(server: &TestServer) -> ProviderAddr {
    let text = format!("{}/acme/demo", server.host());
    ProviderAddr::parse_canonical(&text).expect("a valid address")
}

/// Runs `future` to its end on a runtime of its own.
pub(super) fn wait_for<F: Future>(future: F) -> F::Output {
    Runtime::new()
        .expect("a runtime can be made")
        .block_on(future)
}
