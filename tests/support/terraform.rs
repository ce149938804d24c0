//! The real `terraform`, where the machine has one.

use std::env;
use std::path::PathBuf;

/// Set to `1` where the absence of `terraform` is a failure, as in CI.
const REQUIRE: &str = "PROVENDER_REQUIRE_TERRAFORM";

/// Where `terraform` is on `PATH`. If it is nowhere, says that a test is skipped.
pub fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path)
        .map(|directory| directory.join(program()))
        .find(|file| file.is_file());
    if found.is_none() {
        assert!(
            env::var_os(REQUIRE).is_none_or(|value| value != "1"),
            "{REQUIRE} is set, but `terraform` is not on PATH"
        );
        say_skipped();
    }
    found
}

fn program() -> String {
    format!("terraform{}", env::consts::EXE_SUFFIX)
}

#[expect(
    clippy::print_stderr,
    reason = "the test harness shows it beside the name of the test"
)]
fn say_skipped() {
    eprintln!("skipped: `terraform` is not on PATH");
}
