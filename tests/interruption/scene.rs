//! Providers of all kinds, served slowly enough that every phase of a run takes time, and a place to run in.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant as Clock};

use super::chance::Instant;
use crate::support::registry::paths;
use crate::support::{Fault, Outcome, ProviderSpec, TestContext, TestRegistry};

/// The host of all providers.
pub(super) const HOST: &str = "registry.example.test";

/// What is released: address, version. A version with capitals is also kept unpacked by mirrors.
pub(super) const RELEASES: [(&str, &str); 4] = [
    ("acme/net", "1.0.0"),
    ("acme/net", "1.1.0"),
    ("acme/dns", "2.0.0"),
    ("acme/odd", "1.0.0-RC1"),
];

/// The platforms of every release.
pub(super) const PLATFORMS: [&str; 2] = ["linux_amd64", "darwin_arm64"];

/// Longer than any run here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A registry and a place.
pub(super) struct Scene {
    pub(super) cx: TestContext,
    pub(super) registry: TestRegistry,
}

impl Scene {
    pub(super) fn new() -> Self {
        let provider = |address: &str| ProviderSpec::new(address).payload_size(150_000);
        let registry = TestRegistry::of([
            provider("acme/net").version("1.0.0").version("1.1.0"),
            provider("acme/dns").version("2.0.0"),
            provider("acme/odd").version("1.0.0-RC1"),
        ]);
        slow_down(&registry);
        let cx = sealed(&registry);
        Self { cx, registry }
    }

    /// An empty place before the same registry.
    pub(super) fn renew(&mut self) {
        self.cx = sealed(&self.registry);
    }

    /// A path below the working directory.
    pub(super) fn path(&self, relative: &str) -> PathBuf {
        self.cx.work().join(relative)
    }

    /// Runs to the end; says how long it took.
    pub(super) fn run(&self, arguments: &[String]) -> (Outcome, Duration) {
        self.registry.clear_requests();
        let began = Clock::now();
        let outcome = self.cx.run(arguments);
        (outcome, began.elapsed())
    }

    /// Starts the binary and kills it at `instant`; a run that ends sooner is left in peace.
    pub(super) fn kill_at(&self, arguments: &[String], instant: Instant) {
        self.registry.clear_requests();
        let began = Clock::now();
        let mut running = self.cx.spawn(arguments);
        let delay = match instant {
            Instant::After(time) => time.saturating_sub(began.elapsed()),
            Instant::Request { count, delay } => {
                while self.registry.requests().len() < count && !running.has_ended() {
                    assert!(began.elapsed() < PATIENCE, "the program hangs");
                    thread::sleep(Duration::from_millis(1));
                }
                delay
            }
        };
        thread::sleep(delay);
        running.kill();
    }

    /// The archives asked for since the last run began, each time.
    pub(super) fn fetched(&self) -> Vec<String> {
        let requests = self.registry.requests().into_iter();
        let paths = requests.map(|request| request.path().to_owned());
        paths
            .filter(|path| path.starts_with("/archives/") && !path.contains("_SHA256SUMS"))
            .collect()
    }
}

/// Every answer takes a few milliseconds, archives some more.
fn slow_down(registry: &TestRegistry) {
    let pieces = |chunk, pause| Fault::Slow {
        chunk,
        pause: Duration::from_millis(pause),
    };
    for (address, version) in RELEASES {
        for platform in PLATFORMS {
            let archive = paths::archive(address, version, platform);
            registry.fault(&archive, pieces(20_000, 5));
            registry.fault(
                &paths::download(address, version, platform),
                pieces(1 << 20, 3),
            );
        }
        registry.fault(&paths::sums(address, version), pieces(1 << 20, 3));
        registry.fault(&paths::signature(address, version), pieces(1 << 20, 3));
        registry.fault(&paths::versions(address), pieces(1 << 20, 5));
    }
}

fn sealed(registry: &TestRegistry) -> TestContext {
    let mut cx = TestContext::new(env!("CARGO_BIN_EXE_provender"));
    cx.config(&registry.host_block(HOST));
    cx
}
