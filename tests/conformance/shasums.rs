//! `shasums.json`: what a SHA256SUMS document vouches for, and which hashes it yields.
//!
//! Where the tools crash (blank lines) the right outcome is ours: the lines are skipped.

use std::collections::BTreeSet;

use provender::document::Shasums;
use provender::hash::{PackageHash, Sha256Digest};
use serde_json::Value;

use super::support::{Report, cases, same, text, texts, vectors_dir};

#[test]
fn shasums_documents_vouch_for_what_the_tools_accept() {
    let mut report = Report::new("shasums.json");
    for case in cases("shasums.json") {
        report.case(text(&case, "name"), check(&case));
    }
    report.finish();
}

fn check(case: &Value) -> Result<(), String> {
    let shasums = Shasums::parse(&document(case));
    if case["filename"].is_string() {
        return check_package(&shasums, case);
    }
    let hashes = shasums.package_hashes().ok_or("got no hashes")?;
    same(
        &set(hashes.iter().map(ToString::to_string)),
        &set(texts(case, "accepted_hashes")),
    )
}

/// The document as text, or as the file that has it byte for byte.
fn document(case: &Value) -> Vec<u8> {
    match case["document_file"].as_str() {
        Some(file) => std::fs::read(vectors_dir().join(file)).unwrap(),
        None => text(case, "document").as_bytes().to_vec(),
    }
}

fn check_package(shasums: &Shasums, case: &Value) -> Result<(), String> {
    let digest: Sha256Digest = text(case, "shasum").parse().unwrap();
    let found = shasums.digest_of(text(case, "filename"));
    let vouches = found == Ok(digest);
    let is_crash_of_peers = case["match_ok"].is_null();
    same(&vouches, &case["match_ok"].as_bool().unwrap_or(true))?;
    if !vouches || (case["lock_zh"].is_null() && !is_crash_of_peers) {
        return Ok(());
    }
    let own = vec![PackageHash::zh(digest)];
    let locked = shasums.package_hashes().unwrap_or(own);
    let expected = if is_crash_of_peers {
        every_line(case)
    } else {
        set(texts(case, "lock_zh"))
    };
    same(&set(locked.iter().map(ToString::to_string)), &expected)
}

/// The hashes of every line that is not blank.
fn every_line(case: &Value) -> BTreeSet<String> {
    let lines = text(case, "document").lines();
    set(lines.filter_map(|line| Some(format!("zh:{}", line.split_whitespace().next()?))))
}

fn set(items: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    items.into_iter().collect()
}
