//! Seeds: texts, JSON documents and files of the conformance vectors.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Longer seeds only slow the search down.
const LONGEST: usize = 20_000;

/// The vectors lie in the package of `provender`; the package in `fuzz` is one directory below.
fn vectors() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places = package.ancestors().take(2);
    let vectors = places.find_map(|place| {
        let vectors = place.join("tests/vectors");
        vectors.is_dir().then_some(vectors)
    });
    vectors.expect("the vectors are there")
}

/// These texts.
pub(super) fn literal(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Every text and every object in these vector files.
pub(super) fn texts_of(names: &[&str]) -> Vec<Vec<u8>> {
    names.iter().flat_map(|name| of_vectors(name)).collect()
}

fn of_vectors(name: &str) -> Vec<Vec<u8>> {
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
pub(super) fn files_ending(end: &str) -> Vec<Vec<u8>> {
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
