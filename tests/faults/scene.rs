//! What every fault is set up in: one provider on a registry, short time-outs, few tries; and what is measured of a run.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::process::Running;
use crate::support::registry::{RegistryBuilder, paths};
use crate::support::{Outcome, ProviderSpec, TestContext, TestRegistry, archive, tree};

/// The host of the provider.
pub(super) const HOST: &str = "registry.example.test";

/// The provider on the registry.
pub(super) const ADDRESS: &str = "acme/net";

/// Its only version, and the platform that is asked for.
pub(super) const VERSION: &str = "1.0.0";
pub(super) const LINUX: &str = "linux_amd64";

/// The most memory that a run may need, in KiB.
const MEMORY: u64 = 100 << 10;

/// The longest that a run may take; far beyond the tries and waits of any case.
const TIME: Duration = Duration::from_secs(60);

/// What the registry is asked for, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Versions,
    Metadata,
    Sums,
    Signature,
    Archive,
}

impl Route {
    pub(super) fn path(self) -> String {
        match self {
            Self::Versions => paths::versions(ADDRESS),
            Self::Metadata => paths::download(ADDRESS, VERSION, LINUX),
            Self::Sums => paths::sums(ADDRESS, VERSION),
            Self::Signature => paths::signature(ADDRESS, VERSION),
            Self::Archive => paths::archive(ADDRESS, VERSION, LINUX),
        }
    }
}

/// A run, and what it took.
pub(super) struct Measured {
    pub(super) outcome: Outcome,
    pub(super) time: Duration,
    /// In KiB, where the system tells.
    pub(super) memory: u64,
}

/// A registry and a place to run in.
pub(super) struct Scene {
    pub(super) cx: TestContext,
    pub(super) registry: TestRegistry,
}

/// The provider with an archive of about 400 kB.
pub(super) fn net() -> ProviderSpec {
    ProviderSpec::new(ADDRESS)
        .version(VERSION)
        .payload_size(400_000)
}

impl Scene {
    pub(super) fn usual() -> Self {
        Self::of(net())
    }

    pub(super) fn of(provider: ProviderSpec) -> Self {
        Self::built(TestRegistry::builder().provider(provider))
    }

    pub(super) fn built(builder: RegistryBuilder) -> Self {
        let registry = builder.start();
        let mut cx = TestContext::new(env!("CARGO_BIN_EXE_provender"));
        cx.config(&registry.host_block(HOST));
        cx.env("TF_REGISTRY_DISCOVERY_RETRY", "1");
        cx.env("TF_PROVIDER_DOWNLOAD_RETRY", "2");
        cx.env("TF_REGISTRY_CLIENT_TIMEOUT", "4");
        cx.env("PROVENDER_STALL_TIMEOUT", "2");
        Self { cx, registry }
    }

    /// Runs `mirror` for the provider.
    pub(super) fn mirror(&self) -> Measured {
        self.measure(&mirror_arguments())
    }

    /// Runs the binary; it has to keep within its bounds.
    pub(super) fn measure(&self, arguments: &[String]) -> Measured {
        self.registry.clear_requests();
        let began = Instant::now();
        let mut running = self.cx.spawn(arguments);
        let memory = watch(&mut running, began);
        let outcome = running.wait();
        let time = began.elapsed();
        assert!(memory < MEMORY, "{memory} KiB of memory\n{outcome}");
        Measured {
            outcome,
            time,
            memory,
        }
    }

    /// How often a route was asked for since the last run began.
    pub(super) fn asked(&self, route: Route) -> usize {
        self.registry.requests_for(&route.path()).len()
    }

    /// All files of the mirror, temporary ones too, but not the one that is only there to be locked.
    pub(super) fn mirrored(&self) -> Vec<String> {
        let mut names = tree::names(&self.cx.work().join("mirror"));
        names.retain(|name| !name.ends_with('/') && name != ".provender.lock");
        names
    }

    /// Insists that the mirror holds the package, whole, with its documents.
    #[track_caller]
    pub(super) fn holds_the_package(&self) {
        let path = format!(
            "mirror/{HOST}/{ADDRESS}/{}",
            paths::filename(ADDRESS, VERSION, LINUX)
        );
        assert!(self.is_whole(&self.cx.work().join(path)));
        assert_eq!(self.mirrored().len(), 6, "{:?}", self.mirrored());
    }

    /// Whether the file is the archive, byte for byte.
    pub(super) fn is_whole(&self, path: &Path) -> bool {
        let zh = fs::read(path).map(|bytes| archive::zh(&bytes));
        zh.is_ok_and(|zh| zh == self.registry.zh(ADDRESS, VERSION, LINUX))
    }
}

/// Waits for the end of a run; returns the most memory that it held.
fn watch(running: &mut Running, began: Instant) -> u64 {
    let mut memory = 0;
    while !running.has_ended() {
        memory = memory.max(running.peak_memory().unwrap_or_default());
        assert!(began.elapsed() < TIME, "the program takes too long");
        thread::sleep(Duration::from_millis(3));
    }
    memory
}

/// Words as arguments.
pub(super) fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}

/// `mirror` of the provider into `mirror`.
pub(super) fn mirror_arguments() -> Vec<String> {
    let address = format!("{HOST}/{ADDRESS}");
    words(["mirror", "--to=mirror", "--platform=linux_amd64", &address])
}
