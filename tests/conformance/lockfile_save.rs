//! `lockfile-save.json`: locks to the exact text that the tools write.

use provender::address::Tool;
use provender::document::{Locks, ProviderLock};
use serde_json::Value;

use super::support::{Report, cases, same, text, texts};

#[test]
fn lock_files_are_written_byte_for_byte() {
    let mut report = Report::new("lockfile-save.json");
    for case in cases("lockfile-save.json") {
        report.case(text(&case, "name"), save(&case));
    }
    report.finish();
}

fn save(case: &Value) -> Result<(), String> {
    let tool = match text(case, "product") {
        "opentofu" => Tool::Tofu,
        _ => Tool::Terraform,
    };
    let mut locks = Locks::default();
    for lock in case["locks"].as_array().unwrap() {
        let hashes = texts(lock, "hashes");
        let provider = ProviderLock {
            version: text(lock, "version").parse().unwrap(),
            constraints: text(lock, "constraints").parse().unwrap(),
            hashes: hashes.iter().map(|hash| hash.parse().unwrap()).collect(),
        };
        locks
            .providers
            .insert(text(lock, "address").parse().unwrap(), provider);
    }
    let written = locks.render(tool);
    same(&written.as_str(), &text(case, "text"))?;
    let read = Locks::parse(&written, tool).map_err(|error| error.to_string())?;
    same(&read.locks.render(tool), &written)
}
