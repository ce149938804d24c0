//! OpenTofu's `packages` in `registry-responses.json`: what the registry reports of a platform
//! against the archive.

use std::path::PathBuf;
use std::time::SystemTime;

use provender::address::ProviderAddr;
use provender::document::PackageId;
use provender::hash::{PackageHash, Sha256Digest};
use provender::package::{
    Expectation, FetchedPackage, Mismatch, RegistryExpectation, Reported, SealedShasums,
    SigningPolicy, authenticate,
};
use serde_json::Value;

use super::support::{Report, cases, flag, same, text, texts};

#[test]
fn reported_packages_are_compared_as_by_the_tool() {
    let mut report = Report::new("registry-responses.json");
    for case in cases("registry-responses.json") {
        let name = case["name"].as_str().unwrap_or_default();
        if name.starts_with("opentofu_packages") {
            report.case(name, compare(&case));
        }
    }
    report.finish();
}

fn compare(case: &Value) -> Result<(), String> {
    let digest: Sha256Digest = text(case, "shasum").parse().unwrap();
    let platform = text(case, "platform");
    let package = FetchedPackage {
        id: PackageId {
            addr: ProviderAddr::parse_canonical("registry.example.com/acme/demo").unwrap(),
            version: "1.0.0".parse().unwrap(),
            platform: platform.parse().unwrap(),
        },
        path: PathBuf::new(),
        digest,
        size: case["received_archive_size"].as_u64().unwrap(),
    };
    let policy = SigningPolicy::OptionalWithoutKeys;
    let shasums =
        SealedShasums::verify(Vec::new(), b"", &[], policy, SystemTime::UNIX_EPOCH).unwrap();
    let entry = &case["packages"][platform];
    let hashes: Vec<PackageHash> = match entry {
        entry if entry.is_null() => Vec::new(),
        entry => texts(entry, "hashes")
            .iter()
            .map(|hash| hash.parse().unwrap())
            .collect(),
    };
    let reported = match case["packages"].as_object() {
        None => Reported::Nothing,
        Some(packages) if packages.is_empty() => Reported::Nothing,
        Some(_) if entry.is_null() => Reported::OtherPlatforms,
        Some(_) => Reported::Package {
            hashes: &hashes,
            size: entry["package_size"].as_i64().unwrap(),
        },
    };
    let registry = RegistryExpectation {
        shasums: &shasums,
        filename: "demo.zip",
        listed: Some(digest),
        announced: digest,
        reported,
    };
    let kind = match authenticate(package, Expectation::Registry(registry)) {
        Ok(_) => return same(&true, &flag(&case["expect"], "ok")),
        Err(Mismatch::PlatformNotReported) => "platform-missing-from-packages",
        Err(Mismatch::ReportedSize(_)) => "invalid-package-size",
        Err(Mismatch::Size { .. }) => "size-mismatch",
        Err(Mismatch::ReportedHash { .. }) => "zh-mismatch",
        Err(other) => return Err(format!("refused: {other}")),
    };
    same(
        &kind,
        &case["expect"]["error_kind"].as_str().unwrap_or("no error"),
    )
}
