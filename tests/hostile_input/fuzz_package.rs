//! The package in `fuzz` has each target; it is no part of a published package.

use std::fs;
use std::path::Path;

use super::targets::{TARGETS, Target};

#[test]
fn every_target_has_its_file_and_entry_in_the_fuzz_package() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let Ok(manifest) = fs::read_to_string(package.join("Cargo.toml")) else {
        return;
    };
    let entries = fs::read_dir(package.join("fuzz_targets")).expect("the targets are there");
    assert_eq!(entries.count(), TARGETS.len());
    for Target { name, .. } in TARGETS {
        let path = format!("fuzz_targets/{name}.rs");
        let text = fs::read_to_string(package.join(&path)).expect("every target has a file");
        assert!(text.contains(&format!("feed(\"{name}\", ")), "{text}");
        let entry = format!("name = \"{name}\"\npath = \"{path}\"\n");
        assert!(manifest.contains(&entry), "{entry}");
    }
}
