//! `discovery.json` and `registry-responses.json` end to end: each case with routes is served over TLS, and a root module
//! that requires its provider is installed from it.
//!
//! Compared are success, version, signing key and the hashes in the lock file; a failure must have the exit code of its
//! kind and leave nothing behind. The recorded requests are informative (the peers ask twice); who gets a token is in
//! `registry_requests`.

use std::fs;
use std::path::Path;

use provender::address::Tool;
use provender::config::{Environment, RootModule};
use provender::document::{Locks, Verdict};
use provender::failure::{ExitCode, Failure};
use provender::ops::{
    ExpiredKeys, Fetcher, InstallRootRequest, Kinds, LockMode, ModuleOrigins, OpError,
    PackageSizes, SignaturePolicy, SilentReporter, Summary, install_root,
};
use provender::package::Enforcement;
use provender::source::OriginSource;
use serde_json::Value;

use super::registry_client::{Clients, provider, wait_for};
use super::support::{Report, cases, flag, same, text, texts};
use crate::support::{TestServer, tree, vectors};

/// Cases that end otherwise here, on purpose: name, version that is selected, reason.
const DEVIATIONS: [(&str, &str, &str); 2] = [
    (
        "v_invalid_strings",
        "2.0.0",
        "version texts that do not parse are skipped with a warning, as terraform's main branch does (facts 2.2)",
    ),
    (
        "keys_trust_garbage",
        "1.0.0",
        "`trust_signature` is ignored, as OpenTofu does (facts 3.10)",
    ),
];

/// The exit code of each failing case, by its name or the beginning of its name; the longest that fits counts.
const CODES: [(&str, u8); 33] = [
    ("base_", 12),
    ("base_ftp", 13),
    ("base_http", 13),
    ("base_user", 13),
    ("disc_", 13),
    ("disc_404", 12),
    ("disc_redir3", 12),
    ("v_", 12),
    ("ver_", 13),
    ("ver_401", 4),
    ("ver_403", 4),
    ("ver_404", 12),
    ("ver_noprop", 12),
    ("dl_404", 12),
    ("dl_401", 4),
    ("dl_410", 13),
    ("proto_4", 12),
    ("proto_7", 12),
    ("proto_5pre", 12),
    ("proto_bad", 13),
    ("proto_str", 13),
    ("os_", 13),
    ("fn_missing", 10),
    ("url_", 13),
    ("sha_", 13),
    ("sums_404", 13),
    ("sums_missing", 13),
    ("sig_404", 13),
    ("sig_missing", 13),
    ("keys_", 10),
    ("sig_", 10),
    ("zip_tamper", 10),
    ("g_", 10),
];

/// What an installation led to.
struct Installed {
    summary: Result<Summary, OpError>,
    lock_file: Option<String>,
    /// What is in `.terraform/providers`; directories without files end in a slash.
    providers: Vec<String>,
}

#[test]
fn discovery_cases_install_or_fail_as_with_terraform() {
    run_all("discovery.json", |name| {
        if name.starts_with("service_url") || name.starts_with("discover:") {
            "is run in `discovery`"
        } else {
            panic!("{name} has no routes")
        }
    });
}

#[test]
fn registry_cases_install_or_fail_as_with_terraform() {
    run_all("registry-responses.json", |name| {
        if name.starts_with("opentofu_packages:") {
            "is run in `reported_packages`"
        } else {
            "is run in `registry_requests`"
        }
    });
}

fn run_all(file: &'static str, elsewhere: impl Fn(&str) -> &'static str) {
    let mut report = Report::new(file);
    for case in cases(file) {
        let name = text(&case, "name").to_owned();
        match vectors::serve(&case) {
            Some(server) => {
                let installed = install(&case, &server);
                report.case(&name, judge(&name, &case, &server, &installed));
            }
            None => report.leave_out(&name, elsewhere(&name)),
        }
    }
    report.finish();
}

fn install(case: &Value, server: &TestServer) -> Installed {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let dir = directory.path();
    fs::write(dir.join("main.tf"), root_module(case, server)).expect("it can be written to");
    let summary = wait_for(run(case, server, dir));
    Installed {
        summary,
        lock_file: fs::read_to_string(dir.join(".terraform.lock.hcl")).ok(),
        providers: tree::names(&dir.join(".terraform/providers")),
    }
}

async fn run(case: &Value, server: &TestServer, dir: &Path) -> Result<Summary, OpError> {
    let clients = Clients::of(server).with_retries_of(case);
    let source = OriginSource::new(clients.registry(), Tool::Terraform, Enforcement::Usual);
    let fetcher = Fetcher {
        http: &clients.http,
        retry: clients.retry,
        signatures: SignaturePolicy::AsTheSourceRequires,
        expired_keys: ExpiredKeys::Accept,
        cache: None,
        reporter: &SilentReporter,
        sizes: PackageSizes::default(),
    };
    let request = InstallRootRequest {
        root: RootModule::new(dir, &Environment::default(), Tool::Terraform),
        platform: text(case, "platform").parse().expect("a platform"),
        lock_mode: LockMode::Keep,
        jobs: 1,
        kinds: Kinds::Providers,
        overridden: std::collections::BTreeMap::new(),
        plugin_cache: None,
    };
    install_root(
        &source,
        &ModuleOrigins::offline(Tool::Terraform),
        &fetcher,
        &request,
    )
    .await
}

fn root_module(case: &Value, server: &TestServer) -> String {
    let version = case["constraint"]
        .as_str()
        .map(|constraint| format!("\n      version = \"{constraint}\""))
        .unwrap_or_default();
    format!(
        "terraform {{\n  required_providers {{\n    demo = {{\n      source = \"{}\"{version}\n    }}\n  }}\n}}\n",
        provider(server)
    )
}

fn judge(
    name: &str,
    case: &Value,
    server: &TestServer,
    installed: &Installed,
) -> Result<(), String> {
    if let Some((_, version, _)) = DEVIATIONS.iter().find(|(deviating, ..)| *deviating == name) {
        // `v_invalid_strings` serves no package, so that its selection is all there is to see.
        let summary = installed.summary.as_ref().map_err(|error| chain(error))?;
        return same(
            &summary.packages[0].id.version.to_string().as_str(),
            version,
        );
    }
    let expect = &case["expect"];
    if flag(expect, "ok") {
        succeeded(expect, server, installed)
    } else {
        failed(name, installed)
    }
}

fn version_of(installed: &Installed) -> Result<String, String> {
    let summary = installed.summary.as_ref().map_err(|error| chain(error))?;
    if let Some(error) = summary.errors().next() {
        return Err(format!("failed: {}", chain(error)));
    }
    Ok(summary.packages[0].id.version.to_string())
}

fn succeeded(expect: &Value, server: &TestServer, installed: &Installed) -> Result<(), String> {
    same(&version_of(installed)?.as_str(), &text(expect, "version"))?;
    let summary = installed.summary.as_ref().expect("it has a version");
    let signed = Verdict::Signed {
        key_id: text(expect, "key_id").to_owned(),
        expired: false,
    };
    let verdict = summary.packages[0].verdict.clone();
    let verdict = verdict.map(|verdict| match verdict {
        // Terraform installs what an expired key signed without a word; here the verdict tells.
        Verdict::Signed { key_id, .. } => Verdict::Signed {
            key_id,
            expired: false,
        },
        other @ (Verdict::Checksum | Verdict::Unauthenticated) => other,
    });
    same(&verdict, &Some(signed))?;
    let lock_file = installed.lock_file.as_deref().ok_or("no lock file")?;
    let parsed = Locks::parse(lock_file, Tool::Terraform).map_err(|error| error.to_string())?;
    let lock = &parsed.locks.providers[&provider(server)];
    same(&lock.version.to_string().as_str(), &text(expect, "version"))?;
    let hashes: Vec<String> = lock.hashes.iter().map(ToString::to_string).collect();
    same(&hashes, &texts(expect, "lock_hashes"))?;
    let place = format!("{}/{}/linux_amd64/", provider(server), lock.version);
    same(
        &installed
            .providers
            .iter()
            .all(|path| path.starts_with(&place)),
        &true,
    )
}

fn failed(name: &str, installed: &Installed) -> Result<(), String> {
    let (code, message) = match &installed.summary {
        Err(error) => (Some(error.exit_code()), chain(error)),
        Ok(summary) => {
            let message = summary.errors().next().map(|error| chain(error));
            (summary.exit_code(), message.unwrap_or_default())
        }
    };
    let got = code.map(ExitCode::number);
    same(&got, &Some(code_of(name))).map_err(|difference| format!("{difference}: {message}"))?;
    same(&installed.lock_file, &None)?;
    let files = installed
        .providers
        .iter()
        .filter(|path| !path.ends_with('/'));
    same(&files.collect::<Vec<_>>(), &Vec::new())
}

fn code_of(name: &str) -> u8 {
    let fitting = CODES.iter().filter(|(prefix, _)| name.starts_with(prefix));
    let longest = fitting.max_by_key(|(prefix, _)| prefix.len());
    longest.map_or(0, |&(_, code)| code)
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
