//! Lock files of public repositories, rewritten by both programs.
//!
//! They are not part of this repository. `PROVENDER_DATA` names the directory that has them in its `locks`, by default
//! `../shared/data` beside the package; without it the test says so and passes.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use provender::address::Tool;
use provender::document::Locks;
use provender::document::lock_file::tool_of_header;

use super::scene::Scene;

/// So many files are enough: each costs a run of `terraform`.
const ENOUGH: usize = 20;

fn data_dir() -> PathBuf {
    env::var_os("PROVENDER_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    )
}

/// The lock files of Terraform, evenly chosen from all.
fn chosen(directory: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(directory).expect("the directory is there");
    let mut files: Vec<(PathBuf, String)> = entries
        .map(|entry| entry.expect("the directory can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "hcl"))
        .filter_map(|path| Some((path.clone(), fs::read_to_string(path).ok()?)))
        .filter(|(_, text)| tool_of_header(text) != Some(Tool::Tofu))
        .collect();
    files.sort();
    let every = (files.len() / ENOUGH).max(1);
    files.into_iter().step_by(every).collect()
}

#[test]
fn real_lock_files_are_rewritten_alike() {
    let Some(scene) = Scene::alone() else {
        return;
    };
    let directory = data_dir().join("locks");
    if !directory.is_dir() {
        println!(
            "skipped: no directory {}; set PROVENDER_DATA",
            directory.display()
        );
        return;
    }
    scene.root("a", &[]);
    let mut accepted = 0;
    for (path, text) in chosen(&directory) {
        fs::write(scene.lock_path("a"), &text).expect("the directory is there");
        let outcome = scene.terraform("a", &["providers", "lock", "-no-color"]);
        let parsed = Locks::parse(&text, Tool::Terraform);
        assert_eq!(
            parsed.is_ok(),
            outcome.code == 0,
            "{}: {outcome}",
            path.display()
        );
        if let Ok(parsed) = parsed {
            accepted += 1;
            let rendered = parsed.locks.render(Tool::Terraform);
            assert_eq!(rendered, scene.lock("a"), "{}", path.display());
        }
    }
    assert!(accepted > 0, "no file was accepted");
    println!("{accepted} lock files are rewritten alike");
}
