//! Registry answers, SHA256SUMS documents and mirror documents of public repositories: each is read,
//! or refused for a reason that is named here.
//!
//! They are not part of this repository: see `support::data_dir`.

use std::path::{Path, PathBuf};

use provender::document::{MirrorIndex, PackageAnswer, Shasums, VersionDocument, VersionsAnswer};

use super::support::{Report, data_dir};

/// Files that are refused: the end of the path, and a part of the reason.
const REFUSED: &[(&str, &str)] = &[];

#[test]
fn real_registry_data_is_read_or_refused_for_a_named_reason() {
    let Some(directory) = data_dir() else { return };
    let mut report = Report::new("real registry data");
    for part in [
        "registry/providers",
        "shasums/responses",
        "shasums/network-mirror",
        "shasums/sums",
    ] {
        for path in files_below(&directory.join(part)) {
            let name = path
                .strip_prefix(&directory)
                .unwrap()
                .to_string_lossy()
                .into_owned();
            // Module answers, OCI blobs and the like are none of the documents read here.
            if let Some(outcome) = read(&name, &std::fs::read(&path).unwrap()) {
                report.case(&name, judged(&name, outcome));
            }
        }
    }
    report.finish();
}

/// Reads a file as what its name says it is; `None` for other kinds.
fn read(name: &str, bytes: &[u8]) -> Option<Result<(), String>> {
    let is_json = Path::new(name).extension().is_some_and(|end| end == "json");
    let is_versions = name.ends_with("/versions.json") || name.ends_with("/versions/index.json");
    if name.starts_with("registry/providers/") || is_versions && !name.contains("modules") {
        return Some(
            VersionsAnswer::parse(bytes)
                .map(|_| ())
                .map_err(|error| error.to_string()),
        );
    }
    if name.contains("/download/") && is_json && !name.contains("/vcr/") {
        return Some(
            PackageAnswer::parse(bytes)
                .map(|_| ())
                .map_err(|error| error.to_string()),
        );
    }
    if name.starts_with("shasums/network-mirror/") && is_json {
        let read = if name.ends_with("/index.json") {
            MirrorIndex::parse(bytes).map(|_| ())
        } else {
            VersionDocument::parse(bytes).map(|_| ())
        };
        return Some(read.map_err(|error| error.to_string()));
    }
    let is_sums =
        name.starts_with("shasums/sums/") && !name.contains(".sig") && !name.contains(".asc");
    is_sums.then(|| {
        let hashes = Shasums::parse(bytes).package_hashes();
        hashes
            .map(|_| ())
            .ok_or_else(|| "a line of it lists no digest".to_owned())
    })
}

fn judged(name: &str, outcome: Result<(), String>) -> Result<(), String> {
    let expected = REFUSED.iter().find(|(end, _)| name.ends_with(end));
    match (outcome, expected) {
        (Ok(()), None) => Ok(()),
        (Err(error), Some((_, reason))) if error.contains(reason) => Ok(()),
        (outcome, expected) => Err(format!("got {outcome:?}, expected {expected:?}")),
    }
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
