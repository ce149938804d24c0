//! A registry, a sealed home, and root modules in it that both programs work on.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use provender::address::Platform;

use crate::support::{Outcome, ProviderSpec, TestContext, TestRegistry, terraform};

/// The host name of the registry, without a port as network mirrors need it.
pub(super) const HOST: &str = "registry.example.test";

/// A host name that has another form in URLs.
pub(super) const IDN_HOST: &str = "bücher.example";

/// Platforms that no test runs on.
pub(super) const FOREIGN: [&str; 2] = ["freebsd_386", "solaris_amd64"];

/// The platform that the test runs on.
pub(super) fn current() -> String {
    Platform::current().to_string()
}

/// A provider that is published for this platform and the foreign ones.
pub(super) fn provider(address: &str) -> ProviderSpec {
    ProviderSpec::new(address).platforms([&current(), FOREIGN[0], FOREIGN[1]])
}

/// Both programs in one sealed home.
pub(super) struct Scene {
    pub(super) context: TestContext,
}

impl Scene {
    /// A scene whose programs find `registry` under its host names; `None` where there is no `terraform`.
    pub(super) fn beside(registry: &TestRegistry) -> Option<Self> {
        let mut scene = Self::alone()?;
        let hosts = [HOST, IDN_HOST].map(|host| registry.host_block(host));
        scene.context.config(&hosts.concat());
        Some(scene)
    }

    /// A scene without any registry.
    pub(super) fn alone() -> Option<Self> {
        terraform::find()?;
        let context = TestContext::new(env!("CARGO_BIN_EXE_provender"));
        Some(Self { context })
    }

    /// Leaves one method of installation and nothing else, as on the far side of an air gap.
    pub(super) fn only(&mut self, method: &str) {
        self.context
            .config(&format!("provider_installation {{\n{method}\n}}\n"));
    }

    /// Writes a root module that requires these providers, `(HOST/NAMESPACE/TYPE, CONSTRAINTS)`; without
    /// constraints where they are empty.
    pub(super) fn root(&self, dir: &str, requirements: &[(&str, &str)]) {
        self.context
            .write(&format!("{dir}/main.tf"), configuration(requirements));
    }

    /// Runs `terraform` in a root module.
    pub(super) fn terraform(&self, dir: &str, arguments: &[&str]) -> Outcome {
        let chdir = format!("-chdir={dir}");
        let arguments = [&[chdir.as_str()], arguments].concat();
        let outcome = self.context.terraform(arguments);
        outcome.expect("the scene made sure of it")
    }

    /// Runs `terraform init`, which must succeed.
    pub(super) fn init(&self, dir: &str) -> Outcome {
        self.terraform(dir, &["init", "-no-color", "-input=false"])
            .expect_code(0)
    }

    /// Runs `provender`, which must succeed.
    pub(super) fn provender(&self, arguments: &[&str]) -> Outcome {
        self.context.run(arguments).expect_code(0)
    }

    /// Runs `provender install` in a root module, which must succeed.
    pub(super) fn install(&self, dir: &str) -> Outcome {
        self.provender(&["-C", dir, "install"])
    }

    /// The lock file of a root module; empty if there is none.
    pub(super) fn lock(&self, dir: &str) -> String {
        std::fs::read_to_string(self.lock_path(dir)).unwrap_or_default()
    }

    /// Where the lock file of a root module is.
    pub(super) fn lock_path(&self, dir: &str) -> PathBuf {
        self.context.work().join(dir).join(".terraform.lock.hcl")
    }
}

/// Configuration that requires these providers.
pub(super) fn configuration(requirements: &[(&str, &str)]) -> String {
    let mut text = "terraform {\n  required_providers {\n".to_owned();
    for (number, (source, constraints)) in requirements.iter().enumerate() {
        let version = if constraints.is_empty() {
            String::new()
        } else {
            format!(", version = \"{constraints}\"")
        };
        writeln!(text, "    p{number} = {{ source = \"{source}\"{version} }}")
            .expect("text takes any text");
    }
    text + "  }\n}\n"
}

/// A lock file, written here by the rules of the format and not by the program.
pub(super) fn lock_text(
    address: &str,
    version: &str,
    constraints: &str,
    hashes: &[String],
) -> String {
    let lines = hash_lines(hashes);
    let version = if constraints.is_empty() {
        format!("  version = \"{version}\"\n")
    } else {
        format!("  version     = \"{version}\"\n  constraints = \"{constraints}\"\n")
    };
    format!(
        "# This file is maintained automatically by \"terraform init\".\n# Manual edits may be lost in future updates.\n\n\
         provider \"{address}\" {{\n{version}  hashes = [\n{lines}  ]\n}}\n"
    )
}

/// The lines of a list of hashes in a lock file.
pub(super) fn hash_lines(hashes: &[impl AsRef<str>]) -> String {
    hashes.iter().fold(String::new(), |lines, hash| {
        lines + "    \"" + hash.as_ref() + "\",\n"
    })
}

/// Whether a path or URL names an archive.
pub(super) fn is_archive(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "zip")
}

/// Requests of packages and what leads to them, out of `lines` as `METHOD TARGET`.
pub(super) fn package_requests(registry: &TestRegistry) -> Vec<String> {
    let of_package = |line: &String| line.contains("/download/") || line.contains("/archives/");
    registry
        .request_lines()
        .into_iter()
        .filter(of_package)
        .collect()
}
