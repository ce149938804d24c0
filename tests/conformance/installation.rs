//! A root module that requires one provider, installed from a source without a command around it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use provender::address::{ProviderAddr, Tool};
use provender::config::{Environment, RootModule};
use provender::document::Locks;
use provender::http::{Client, ClientOptions, Proxies, RetryPolicy};
use provender::ops::{
    ExpiredKeys, Fetcher, InstallRootRequest, Kinds, LockMode, ModuleOrigins, OpError,
    PackageSizes, SignaturePolicy, SilentReporter, Summary, install_root,
};
use provender::source::Source;

use super::registry_client::wait_for;
use super::support::same;
use crate::support::TestServer;

/// What is to be installed.
pub(super) struct Wanted<'w> {
    pub(super) provider: &'w ProviderAddr,
    pub(super) constraint: Option<&'w str>,
    /// The lock file before.
    pub(super) prior_lock: Option<&'w str>,
}

/// What came of it.
pub(super) struct Installed {
    root: tempfile::TempDir,
    provider: ProviderAddr,
    pub(super) result: Result<Summary, OpError>,
}

/// A client that trusts `server`, if there is one.
pub(super) fn client(server: Option<&TestServer>) -> Client {
    let client = Client::new(ClientOptions {
        ca_files: server
            .map(|server| server.ca_file().to_owned())
            .into_iter()
            .collect(),
        proxies: Proxies::None,
        ..ClientOptions::default()
    });
    client.expect("the test authority can be trusted")
}

/// One further try, with a wait that nobody notices.
pub(super) fn impatient() -> RetryPolicy {
    RetryPolicy {
        retries: 1,
        base: Duration::from_millis(1),
        cap: Duration::from_millis(1),
        patience: Duration::from_millis(10),
    }
}

/// Installs for `linux_amd64`.
pub(super) fn install(source: &dyn Source, http: &Client, wanted: &Wanted<'_>) -> Installed {
    let root = tempfile::tempdir().expect("a temporary directory can be made");
    let version = wanted
        .constraint
        .map(|constraint| format!("\n      version = \"{constraint}\""));
    let module = format!(
        "terraform {{\n  required_providers {{\n    demo = {{\n      source = \"{}\"{}\n    }}\n  }}\n}}\n",
        wanted.provider,
        version.unwrap_or_default()
    );
    let write = |name: &str, text: &str| {
        fs::write(root.path().join(name), text).expect("the temporary directory can be filled");
    };
    write("main.tf", &module);
    if let Some(lock) = wanted.prior_lock {
        write(".terraform.lock.hcl", lock);
    }
    let fetcher = Fetcher {
        http,
        retry: impatient(),
        signatures: SignaturePolicy::AsTheSourceRequires,
        expired_keys: ExpiredKeys::Accept,
        cache: None,
        reporter: &SilentReporter,
        sizes: PackageSizes::default(),
    };
    let request = InstallRootRequest {
        root: RootModule::new(root.path(), &Environment::default(), Tool::Terraform),
        platform: "linux_amd64".parse().expect("a platform"),
        lock_mode: LockMode::Keep,
        jobs: 1,
        kinds: Kinds::Providers,
        overridden: BTreeMap::new(),
        plugin_cache: None,
    };
    let result = wait_for(install_root(
        source,
        &ModuleOrigins::offline(Tool::Terraform),
        &fetcher,
        &request,
    ));
    Installed {
        root,
        provider: wanted.provider.clone(),
        result,
    }
}

impl Installed {
    /// Whether everything went well.
    pub(super) fn is_ok(&self) -> bool {
        self.result
            .as_ref()
            .is_ok_and(|summary| summary.exit_code().is_none())
    }

    /// Fails unless it went as expected; with the error, if it did not go well.
    pub(super) fn went(&self, well: bool) -> Result<(), String> {
        same(&self.is_ok(), &well).map_err(|difference| {
            let error = match &self.result {
                Err(error) => format!("{error:?}"),
                Ok(summary) => format!("{:?}", summary.errors().next().map(ToString::to_string)),
            };
            format!("{difference}: {error}")
        })
    }

    /// The locked version and hashes.
    pub(super) fn lock(&self) -> (String, Vec<String>) {
        let text = fs::read_to_string(self.root.path().join(".terraform.lock.hcl"));
        let text = text.expect("a lock file was written");
        let parsed = Locks::parse(&text, Tool::Terraform).expect("it can be read");
        let lock = &parsed.locks.providers[&self.provider];
        let hashes = lock.hashes.iter().map(ToString::to_string).collect();
        (lock.version.to_string(), hashes)
    }

    /// Where the installed version lies.
    pub(super) fn place(&self) -> PathBuf {
        let (version, _) = self.lock();
        let providers = self.root.path().join(".terraform/providers");
        providers
            .join(self.provider.to_string())
            .join(version)
            .join("linux_amd64")
    }

    /// Where the installed version links to; `None` if it is no link.
    pub(super) fn link(&self) -> Option<PathBuf> {
        let place = self.place();
        assert!(Path::new(&place).is_dir(), "it is installed");
        fs::read_link(place).ok()
    }
}
