//! Seeds: texts, JSON documents and files of the conformance vectors.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Longer seeds only slow the search down.
const LONGEST: usize = 20_000;

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// Every text and every object in a vector file.
pub(super) fn of_vectors(name: &str) -> Vec<Vec<u8>> {
    let text = fs::read(vectors().join(name)).expect("the vectors are there");
    let value = serde_json::from_slice(&text).expect("the vectors are JSON");
    let mut seeds = Vec::new();
    collect(&value, &mut seeds);
    seeds.retain(|seed| seed.len() < LONGEST);
    assert!(!seeds.is_empty(), "{name}");
    seeds
}

fn collect(value: &Value, seeds: &mut Vec<Vec<u8>>) {
    match value {
        Value::String(text) => seeds.push(text.clone().into_bytes()),
        Value::Array(elements) => elements.iter().for_each(|value| collect(value, seeds)),
        Value::Object(members) => {
            seeds.push(value.to_string().into_bytes());
            members.values().for_each(|value| collect(value, seeds));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The files of the vectors whose names end so.
pub(super) fn of_files(end: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(vectors().join("files")).expect("the vectors are there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.retain(|path| path.to_string_lossy().ends_with(end));
    paths.sort();
    let read = |path: &PathBuf| fs::read(path).expect("the vectors are readable");
    let seeds: Vec<_> = paths.iter().map(read).collect();
    assert!(!seeds.is_empty(), "{end}");
    seeds
}
