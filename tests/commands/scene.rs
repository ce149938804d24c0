//! What the tests of commands arrange: a registry that answers for `registry.example.test`, and a sealed place beside it.

use std::fs;
use std::path::PathBuf;

use crate::support::process::Running;
use crate::support::registry::{RegistryBuilder, paths};
use crate::support::signing::Signer;
use crate::support::{Outcome, ProviderSpec, TestContext, TestRegistry, tree};

/// The host of all providers.
pub(super) const HOST: &str = "registry.example.test";

/// The platform of all tests that do not need another: what this machine is must not matter.
pub(super) const LINUX: &str = "linux_amd64";

/// A registry and a place to run in.
pub(super) struct Scene {
    pub(super) cx: TestContext,
    pub(super) registry: TestRegistry,
}

impl Scene {
    /// An ordinary registry of these providers.
    pub(super) fn of<const N: usize>(providers: [ProviderSpec; N]) -> Self {
        Self::with(TestRegistry::of(providers))
    }

    /// `acme/net` in the versions 1.0.0, 1.1.0 and 2.0.0.
    pub(super) fn usual() -> Self {
        let net = ProviderSpec::new("acme/net");
        Self::of([net.version("1.0.0").version("1.1.0").version("2.0.0")])
    }

    /// A registry with choices made.
    pub(super) fn built(builder: RegistryBuilder) -> Self {
        Self::with(builder.start())
    }

    fn with(registry: TestRegistry) -> Self {
        let mut cx = TestContext::new(env!("CARGO_BIN_EXE_provender"));
        cx.config(&registry.host_block(HOST));
        cx.filter(Signer::publisher().key_id(), "[KEY]");
        cx.filter(Signer::stranger().key_id(), "[STRANGER]");
        // The waits between tries begin at a second: one is enough.
        cx.env("TF_REGISTRY_DISCOVERY_RETRY", "1");
        cx.env("TF_PROVIDER_DOWNLOAD_RETRY", "1");
        // A busy machine may take longer than the ten seconds of the tools.
        cx.env("TF_REGISTRY_CLIENT_TIMEOUT", "60");
        Self { cx, registry }
    }

    /// Writes a root module that requires `NAMESPACE/TYPE` with a constraint, each.
    pub(super) fn root<const N: usize>(&self, requirements: [(&str, &str); N]) {
        self.cx.write("main.tf", module(requirements));
    }

    /// Runs the binary.
    pub(super) fn run<const N: usize>(&self, arguments: [&str; N]) -> Outcome {
        self.cx.run(arguments)
    }

    /// Runs `install --platform linux_amd64` with further arguments.
    pub(super) fn install<const N: usize>(&self, arguments: [&str; N]) -> Outcome {
        let usual = ["install", "--platform", LINUX];
        self.cx.run(usual.into_iter().chain(arguments))
    }

    /// Writes the root module in a directory.
    pub(super) fn root_in<const N: usize>(&self, dir: &str, requirements: [(&str, &str); N]) {
        let path = format!("{dir}/main.tf");
        self.cx.write(&path, module(requirements));
    }

    /// Runs `install` for the root module in a directory, with further arguments.
    pub(super) fn install_in<const N: usize>(&self, dir: &str, arguments: [&str; N]) -> Outcome {
        self.cx.run(install_arguments(dir, arguments))
    }

    /// Starts what [`Self::install_in`] runs.
    pub(super) fn start_install_in(&self, dir: &str) -> Running {
        self.cx.spawn(install_arguments(dir, []))
    }

    /// Deletes what is installed in the root module in a directory; its lock file stays.
    pub(super) fn uninstall_in(&self, dir: &str) {
        let installed = self.cx.work().join(dir).join(".terraform");
        fs::remove_dir_all(installed).expect("something is installed");
    }

    /// A file of `acme/net` as installed in the root module in a directory.
    pub(super) fn installed_in(&self, dir: &str, version: &str, file: &str) -> PathBuf {
        let providers = self.cx.work().join(dir).join(".terraform/providers");
        providers.join(format!("{HOST}/acme/net/{version}/{LINUX}/{file}"))
    }

    /// How often the archive of `acme/TYPE` for Linux was asked for.
    pub(super) fn downloads(&self, address: &str, version: &str) -> usize {
        let archive = paths::archive(address, version, LINUX);
        self.registry.requests_for(&archive).len()
    }

    /// The archive of `acme/net` for Linux in the cache, and its unpacked directory.
    pub(super) fn cached(&self, version: &str) -> (PathBuf, PathBuf) {
        let zh = self.registry.zh("acme/net", version, LINUX);
        let digest = zh.strip_prefix("zh:").expect("it is a `zh:`");
        let root = self.cx.cache().join("v1");
        let archive = root.join(format!("archives/{digest}.zip"));
        (archive, root.join("unpacked").join(digest))
    }

    /// Runs `mirror --to mirror --platform linux_amd64` with further arguments.
    pub(super) fn mirror<const N: usize>(&self, arguments: [&str; N]) -> Outcome {
        self.cx.run(mirror_arguments(arguments))
    }

    /// Starts what [`Self::mirror`] runs.
    pub(super) fn start_mirror<const N: usize>(&self, arguments: [&str; N]) -> Running {
        self.cx.spawn(mirror_arguments(arguments))
    }

    /// The paths in a directory below the working directory; without the lock file of mirrors.
    pub(super) fn names(&self, directory: &str) -> Vec<String> {
        let mut names = tree::names(&self.cx.work().join(directory));
        names.retain(|name| name != ".provender.lock");
        names
    }

    /// The lock file, if there is one.
    pub(super) fn lock_file(&self) -> Option<String> {
        fs::read_to_string(self.cx.work().join(".terraform.lock.hcl")).ok()
    }

    /// The directory of `acme/TYPE` in the mirror.
    pub(super) fn mirrored(&self, ty: &str) -> PathBuf {
        self.cx.work().join(format!("mirror/{HOST}/acme/{ty}"))
    }

    /// A document of the mirror, read as JSON.
    pub(super) fn mirror_json(&self, name: &str) -> serde_json::Value {
        let text = self.cx.read(&format!("mirror/{HOST}/acme/net/{name}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
    }

    /// The block that terraform writes for a package on Linux whose registry has it for macOS, too.
    pub(super) fn lock_block(&self, address: &str, version: &str, constraints: &str) -> String {
        let mut hashes = [
            self.registry.h1(address, version, LINUX),
            self.registry.zh(address, version, LINUX),
            self.registry.zh(address, version, "darwin_arm64"),
        ];
        hashes.sort();
        let hashes = hashes.map(|hash| format!("    \"{hash}\",\n")).concat();
        let version = if constraints.is_empty() {
            format!("  version = \"{version}\"\n")
        } else {
            format!("  version     = \"{version}\"\n  constraints = \"{constraints}\"\n")
        };
        format!("\nprovider \"{HOST}/{address}\" {{\n{version}  hashes = [\n{hashes}  ]\n}}\n")
    }
}

fn install_arguments<'a, const N: usize>(dir: &'a str, arguments: [&'a str; N]) -> Vec<&'a str> {
    let usual = ["install", "--platform", LINUX, "--chdir", dir];
    usual.into_iter().chain(arguments).collect()
}

fn mirror_arguments<const N: usize>(arguments: [&str; N]) -> Vec<&str> {
    let usual = ["mirror", "--to", "mirror", "--platform", LINUX];
    usual.into_iter().chain(arguments).collect()
}

/// The header of a lock file of `terraform` or `tofu`.
pub(super) fn lock_header(tool: &str) -> String {
    format!(
        "# This file is maintained automatically by \"{tool} init\".\n# Manual edits may be lost in future updates.\n"
    )
}

/// Configuration that requires `NAMESPACE/TYPE` with a constraint, each.
pub(super) fn module<const N: usize>(requirements: [(&str, &str); N]) -> String {
    let requirement = |(address, constraint): (&str, &str)| {
        let name = address.rsplit('/').next().unwrap_or_default();
        let version = if constraint.is_empty() {
            String::new()
        } else {
            format!("      version = \"{constraint}\"\n")
        };
        format!("    {name} = {{\n      source  = \"{HOST}/{address}\"\n{version}    }}\n")
    };
    let requirements: String = requirements.into_iter().map(requirement).collect();
    format!("terraform {{\n  required_providers {{\n{requirements}  }}\n}}\n")
}

/// The outcome with each SHA-256 replaced by a word.
pub(super) fn without_digests(outcome: &Outcome) -> Outcome {
    let is_digest =
        |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let replaced = |text: &str| {
        let words = text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric());
        let replaced = words.map(|word| match word.split_at_checked(64) {
            Some((digest, rest)) if is_digest(digest) => format!("[DIGEST]{rest}"),
            _ => word.to_owned(),
        });
        replaced.collect::<String>()
    };
    Outcome {
        code: outcome.code,
        stdout: replaced(&outcome.stdout),
        stderr: replaced(&outcome.stderr),
    }
}

/// The outcome with the random part of the names of temporary files replaced.
pub(super) fn without_random_names(outcome: &Outcome) -> Outcome {
    let mut pieces = outcome.stderr.split(".provender-");
    let mut stderr = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(".tmp").expect("temporary files end so");
        stderr.push_str(".provender-[RANDOM]");
        stderr.push_str(&piece[end..]);
    }
    Outcome {
        stderr,
        ..outcome.clone()
    }
}

/// Compares exit code, stdout and stderr with `expected`. Packages are done in any order.
#[track_caller]
pub(super) fn shows(outcome: &Outcome, expected: &str) {
    let (got, expected) = (
        with_sorted_events(&outcome.to_string()),
        with_sorted_events(expected),
    );
    assert!(
        got == expected,
        "unexpected outcome\n=== got\n{got}\n=== expected\n{expected}"
    );
}

/// The text with each run of lines that tell of one finished package in order.
fn with_sorted_events(text: &str) -> String {
    let is_event = |line: &str| {
        let words = [
            "installed `",
            "locked `",
            "would lock `",
            "mirrored `",
            "kept `",
            "failed `",
            "skipped `",
        ];
        words.iter().any(|word| line.starts_with(word))
    };
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines
        .chunk_by_mut(|one, other| is_event(one) && is_event(other))
        .for_each(<[&str]>::sort_unstable);
    lines.concat()
}
