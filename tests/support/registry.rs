//! The test registry: publishes providers on a [`TestServer`] by the provider registry protocol.
//!
//! ```ignore
//! let registry = TestRegistry::builder()
//!     .provider(ProviderSpec::new("acme/net").version("1.0.0").version("1.1.0"))
//!     .start();
//! registry.fault(&paths::archive("acme/net", "1.1.0", "linux_amd64"), Fault::Reset { after: 100 });
//! ```

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::archive;
use super::provider::{ProviderSpec, VersionSpec};
use super::release::{Release, split_platform};
use super::reply::Reply;
use super::server::{TestServer, Transport};

/// Whose registry it resembles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The published protocol.
    Terraform,
    /// The same with `packages`: hashes and sizes for all platforms.
    OpenTofu,
}

/// How the metadata names its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urls {
    /// `/archives/...`
    Relative,
    /// `https://localhost:PORT/archives/...`
    Absolute,
}

/// Where things lie on a registry. Addresses are `NAMESPACE/TYPE`.
pub mod paths {
    /// The discovery document.
    pub const DISCOVERY: &str = "/.well-known/terraform.json";

    /// Base of the provider registry.
    pub const PROVIDERS: &str = "/v1/providers/";

    /// The list of versions.
    pub fn versions(address: &str) -> String {
        format!("{PROVIDERS}{address}/versions")
    }

    /// The metadata of a package.
    pub fn download(address: &str, version: &str, platform: &str) -> String {
        format!(
            "{PROVIDERS}{address}/{version}/download/{}",
            platform.replacen('_', "/", 1)
        )
    }

    /// The name of an archive.
    pub fn filename(address: &str, version: &str, platform: &str) -> String {
        let ty = address.rsplit('/').next().unwrap_or_default();
        format!("terraform-provider-{ty}_{version}_{platform}.zip")
    }

    /// The archive.
    pub fn archive(address: &str, version: &str, platform: &str) -> String {
        format!(
            "/archives/{address}/{version}/{}",
            filename(address, version, platform)
        )
    }

    /// SHA256SUMS.
    pub fn sums(address: &str, version: &str) -> String {
        let ty = address.rsplit('/').next().unwrap_or_default();
        format!("/archives/{address}/{version}/terraform-provider-{ty}_{version}_SHA256SUMS")
    }

    /// Its signature.
    pub fn signature(address: &str, version: &str) -> String {
        sums(address, version) + ".sig"
    }
}

/// How a registry is to be made.
#[must_use]
pub struct RegistryBuilder {
    providers: Vec<ProviderSpec>,
    dialect: Dialect,
    urls: Urls,
    transport: Transport,
    names: Vec<String>,
    token: Option<String>,
    elsewhere: bool,
    services: Map<String, Value>,
}

impl RegistryBuilder {
    /// Publishes a provider.
    pub fn provider(mut self, provider: ProviderSpec) -> Self {
        self.providers.push(provider);
        self
    }

    /// Chooses the dialect; Terraform's if not called.
    pub fn dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    /// Chooses how files are named; relative if not called.
    pub fn urls(self, urls: Urls) -> Self {
        Self { urls, ..self }
    }

    /// Chooses the transport; TLS if not called.
    pub fn transport(self, transport: Transport) -> Self {
        Self { transport, ..self }
    }

    /// Adds a name to the certificate.
    pub fn name(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self
    }

    /// Answers the registry protocol only to requests with this bearer token.
    pub fn bearer_token(self, token: &str) -> Self {
        Self {
            token: Some(token.to_owned()),
            ..self
        }
    }

    /// Keeps archives, sums and signatures on a second server with another host name, `127.0.0.1`.
    pub fn downloads_elsewhere(self) -> Self {
        Self {
            elsewhere: true,
            ..self
        }
    }

    /// Announces another service, such as `modules.v1` with `/v1/modules/`.
    pub fn service(mut self, id: &str, url: &str) -> Self {
        self.services.insert(id.to_owned(), json!(url));
        self
    }

    /// Starts it.
    pub fn start(mut self) -> TestRegistry {
        self.services
            .insert("providers.v1".to_owned(), json!(paths::PROVIDERS));
        let start = |names: &[String]| {
            let builder = TestServer::builder().transport(self.transport);
            names
                .iter()
                .fold(builder, |builder, name| builder.name(name))
                .start()
        };
        let registry = TestRegistry {
            server: start(&self.names),
            downloads: self.elsewhere.then(|| start(&[])),
            dialect: self.dialect,
            urls: self.urls,
            services: self.services,
            archives: Mutex::default(),
        };
        registry.server.route(
            paths::DISCOVERY,
            Reply::json(&Value::Object(registry.services.clone())),
        );
        if let Some(token) = self.token {
            require_token(&registry.server, &token);
        }
        for provider in &self.providers {
            registry.publish(provider);
        }
        registry
    }
}

fn require_token(server: &TestServer, token: &str) {
    let expected = format!("Bearer {token}");
    server.guard(move |request| {
        let guarded = request.path().starts_with(paths::PROVIDERS);
        let refused = guarded && request.header("authorization") != Some(expected.as_str());
        refused.then(|| Reply::status(401))
    });
}

/// A running registry. It is also its server: routes, faults and the request log are reached through it.
pub struct TestRegistry {
    server: TestServer,
    downloads: Option<TestServer>,
    dialect: Dialect,
    urls: Urls,
    services: Map<String, Value>,
    archives: Mutex<BTreeMap<String, Bytes>>,
}

impl Deref for TestRegistry {
    type Target = TestServer;

    fn deref(&self) -> &TestServer {
        &self.server
    }
}

impl TestRegistry {
    /// A registry with choices to make.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder {
            providers: Vec::new(),
            dialect: Dialect::Terraform,
            urls: Urls::Relative,
            transport: Transport::Tls,
            names: Vec::new(),
            token: None,
            elsewhere: false,
            services: Map::new(),
        }
    }

    /// An ordinary registry of these providers.
    pub fn of<const N: usize>(providers: [ProviderSpec; N]) -> Self {
        providers
            .into_iter()
            .fold(Self::builder(), RegistryBuilder::provider)
            .start()
    }

    /// The server that has archives, sums and signatures.
    pub fn downloads(&self) -> &TestServer {
        self.downloads.as_ref().unwrap_or(&self.server)
    }

    /// Publishes a provider, in place of what was published under its address before.
    pub fn publish(&self, provider: &ProviderSpec) {
        self.server.route(
            &paths::versions(&provider.address()),
            Reply::json(&list(provider)),
        );
        for spec in &provider.versions {
            self.publish_version(provider, spec);
        }
    }

    fn publish_version(&self, provider: &ProviderSpec, spec: &VersionSpec) {
        let (address, version) = (provider.address(), &spec.version);
        let release = Release::new(provider, spec);
        let files = self.downloads();
        for (platform, archive) in &release.archives {
            let path = paths::archive(&address, version, platform);
            files.route(
                &path,
                Reply::file("application/zip", release.served(platform)),
            );
            self.archives
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(path, archive.clone());
            let metadata = release.metadata(platform, self.dialect, |path| self.announced(path));
            self.server.route(
                &paths::download(&address, version, platform),
                Reply::json(&metadata),
            );
        }
        files.route(
            &paths::sums(&address, version),
            Reply::file("text/plain", release.sums),
        );
        files.route(
            &paths::signature(&address, version),
            Reply::file("application/octet-stream", release.signature),
        );
    }

    /// What the metadata calls `path` of the file server.
    fn announced(&self, path: String) -> String {
        match (&self.downloads, self.urls) {
            (Some(server), _) => server.numeric_url() + &path,
            (None, Urls::Absolute) => self.server.url(&path),
            (None, Urls::Relative) => path,
        }
    }

    /// CLI configuration that maps `hostname` to this registry.
    pub fn host_block(&self, hostname: &str) -> String {
        let line = |(id, path): (&String, &Value)| {
            let url = path.as_str().expect("services are announced as text");
            let url = if url.starts_with('/') {
                self.server.url(url)
            } else {
                url.to_owned()
            };
            format!("    \"{id}\" = \"{url}\"\n")
        };
        let services: String = self.services.iter().map(line).collect();
        format!("host \"{hostname}\" {{\n  services = {{\n{services}  }}\n}}\n")
    }

    /// The archive as it was summed and signed. `address` is `NAMESPACE/TYPE`.
    pub fn archive_bytes(&self, address: &str, version: &str, platform: &str) -> Bytes {
        let path = paths::archive(address, version, platform);
        let archives = self.archives.lock().unwrap_or_else(PoisonError::into_inner);
        archives
            .get(&path)
            .cloned()
            .unwrap_or_else(|| panic!("{path} was never published"))
    }

    /// `zh:` of an archive.
    pub fn zh(&self, address: &str, version: &str, platform: &str) -> String {
        archive::zh(&self.archive_bytes(address, version, platform))
    }

    /// `h1:` of an archive.
    pub fn h1(&self, address: &str, version: &str, platform: &str) -> String {
        archive::h1(&self.archive_bytes(address, version, platform))
            .expect("the archive is a readable zip")
    }
}

/// The answer to `.../versions`.
fn list(provider: &ProviderSpec) -> Value {
    let platform = |platform: &String| {
        let (os, arch) = split_platform(platform);
        json!({ "os": os, "arch": arch })
    };
    let version = |spec: &VersionSpec| {
        json!({
            "version": spec.listed_as.as_ref().unwrap_or(&spec.version),
            "protocols": spec.protocols,
            "platforms": spec.platforms.iter().map(platform).collect::<Vec<_>>(),
        })
    };
    let bare = |text: &String| json!({ "version": text, "protocols": ["5.0"], "platforms": [] });
    let versions: Vec<Value> = provider
        .versions
        .iter()
        .map(version)
        .chain(provider.only_listed.iter().map(bare))
        .collect();
    let mut document = json!({ "id": provider.address(), "versions": versions });
    if !provider.warnings.is_empty() {
        document["warnings"] = json!(provider.warnings);
    }
    document
}
