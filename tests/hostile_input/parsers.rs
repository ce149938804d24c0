//! The parsers. Results do not matter here, only that there is one.

use std::fs;
use std::time::{Duration, SystemTime};

use provender::address::{Hostname, Platform, ProviderAddr, Tool};
use provender::config::{ModuleKind, ProviderRequest, providers_in_state, scan_module};
use provender::document::{
    Evidence, Locks, MirrorIndex, PackageAnswer, Shasums, SigningKey, VersionDocument,
    VersionsAnswer, hcl1,
};
use provender::hash::{PackageHash, Sha256Digest};
use provender::package::{h1_of_zip, inspect, unpack, verify_detached};
use provender::version::{Version, VersionConstraints};

use super::corpus::{of_files, of_vectors};
use super::mutation::search;

fn texts(names: &[&str]) -> Vec<Vec<u8>> {
    names.iter().flat_map(|name| of_vectors(name)).collect()
}

#[test]
fn short_texts() {
    let seeds = texts(&[
        "versions.json",
        "constraints-parse.json",
        "constraints-match.json",
        "hostname.json",
        "provider-address.json",
    ]);
    search(&seeds, |input| {
        let text = String::from_utf8_lossy(input);
        let _ = text.parse::<Version>().map(|version| version.to_string());
        let _ = text
            .parse::<VersionConstraints>()
            .map(|constraints| constraints.to_string());
        let _ = text
            .parse::<Hostname>()
            .map(|hostname| hostname.for_display().to_owned());
        let _ = text.parse::<ProviderAddr>().map(|addr| addr.to_string());
        let _ = ProviderAddr::parse_canonical(&text);
        let _ = ProviderRequest::parse(&text, Tool::Terraform);
        let _ = text.parse::<Platform>();
        let _ = text.parse::<PackageHash>();
        let _ = text.parse::<Sha256Digest>();
    });
}

#[test]
fn lock_files() {
    let seeds = texts(&["lockfile-load.json", "lockfile-save.json"]);
    search(&seeds, |input| {
        let text = String::from_utf8_lossy(input);
        for tool in [Tool::Terraform, Tool::Tofu] {
            if let Ok(parsed) = Locks::parse(&text, tool) {
                let _ = parsed.locks.render(tool);
            }
        }
    });
}

#[test]
fn configurations() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    search(&texts(&["config-scan.json"]), |input| {
        for name in ["main.tf", "more.tf.json"] {
            fs::write(directory.path().join(name), input).expect("it can be filled");
        }
        let _ = scan_module(directory.path(), Tool::Terraform, ModuleKind::Root);
        let state = directory.path().join("terraform.tfstate");
        fs::write(&state, input).expect("it can be filled");
        let _ = providers_in_state(&state, Tool::Terraform);
    });
}

#[test]
fn cli_configurations() {
    search(
        &texts(&["cli-config.json", "cli-config-include-exclude.json"]),
        |input| {
            let _ = hcl1::parse(input);
        },
    );
}

#[test]
fn sums() {
    search(&texts(&["shasums.json"]), |input| {
        let _ = Shasums::parse(input).digest_of("terraform-provider-net_1.0.0_linux_amd64.zip");
    });
}

#[test]
fn answers_and_mirror_documents() {
    let seeds = texts(&[
        "registry-responses.json",
        "network-mirror.json",
        "discovery.json",
    ]);
    search(&seeds, |input| {
        let _ = VersionsAnswer::parse(input);
        let _ = PackageAnswer::parse(input);
        let _ = MirrorIndex::parse(input).map(|document| document.render());
        let _ = VersionDocument::parse(input).map(|document| document.render());
        let _ = Evidence::parse(input).map(|document| document.render());
    });
}

#[test]
fn archives() {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let path = directory.path().join("package.zip");
    search(&of_files(".zip"), |input| {
        fs::write(&path, input).expect("it can be filled");
        let target = tempfile::tempdir_in(directory.path()).expect("another can be made");
        let _ = h1_of_zip(&path);
        let _ = inspect(&path, "demo");
        let _ = unpack(&path, target.path(), "demo");
    });
}

#[test]
fn keys() {
    let signatures = of_files(".bin");
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_000_000);
    search(&of_files(".asc"), |input| {
        let ascii_armor = String::from_utf8_lossy(input).into_owned();
        let keys = [SigningKey { ascii_armor }];
        for signature in signatures.iter().take(3) {
            let _ = verify_detached(b"document", signature, &keys, now);
        }
    });
}

#[test]
fn signatures() {
    let armor = |key: &Vec<u8>| String::from_utf8_lossy(key).into_owned();
    let keys: Vec<SigningKey> = of_files(".asc")
        .iter()
        .map(|key| SigningKey {
            ascii_armor: armor(key),
        })
        .collect();
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_000_000);
    search(&of_files(".bin"), |input| {
        let _ = verify_detached(b"document", input, &keys, now);
    });
}
