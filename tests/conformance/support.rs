//! Reading vector files, and the report that each test ends with.

use std::fmt::Debug;
use std::path::PathBuf;

use serde_json::Value;

/// The outcome of one vector file. [`Report::finish`] prints and asserts it.
pub(super) struct Report {
    file: &'static str,
    run: usize,
    failed: Vec<String>,
    left_out: Vec<String>,
}

impl Report {
    /// Starts the report on `file`, such as `hostname.json`.
    pub(super) fn new(file: &'static str) -> Self {
        Self {
            file,
            run: 0,
            failed: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Records a case that was run; an error says what was got and what was expected.
    pub(super) fn case(&mut self, name: &str, outcome: Result<(), String>) {
        self.run += 1;
        if let Err(difference) = outcome {
            self.failed.push(format!("{name}: {difference}"));
        }
    }

    /// Records a case that was not run, and why.
    pub(super) fn leave_out(&mut self, name: &str, reason: &str) {
        self.left_out.push(format!("{name}: {reason}"));
    }

    /// Prints the counts and the cases left out, and fails if a case failed or none was run.
    pub(super) fn finish(self) {
        let (file, run) = (self.file, self.run);
        let (failed, left_out) = (self.failed.len(), self.left_out.len());
        println!("{file}: {run} run, {failed} failed, {left_out} left out");
        for line in &self.left_out {
            println!("  left out {line}");
        }
        assert!(run > 0, "{file}: no case was run");
        assert!(
            failed == 0,
            "{file}: {failed} failed\n  {}",
            self.failed.join("\n  ")
        );
    }
}

/// `Ok` if both are equal, else a text with both.
pub(super) fn same<T: PartialEq + Debug>(got: &T, expected: &T) -> Result<(), String> {
    if got == expected {
        return Ok(());
    }
    Err(format!("got {got:?}, expected {expected:?}"))
}

/// The directory of the vectors; file names inside cases are relative to it.
pub(super) fn vectors_dir() -> PathBuf {
    std::env::var_os("PROVENDER_VECTORS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"),
        PathBuf::from,
    )
}

/// The directory of real files of public repositories, which are not part of this one:
/// `PROVENDER_DATA`, by default `../shared/data` beside the package. Without it a test says so and
/// passes.
pub(super) fn data_dir() -> Option<PathBuf> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let directory = std::env::var_os("PROVENDER_DATA").map_or_else(default, PathBuf::from);
    if directory.is_dir() {
        return Some(directory);
    }
    println!(
        "skipped: no directory {}; set PROVENDER_DATA",
        directory.display()
    );
    None
}

/// Reads a whole vector file.
pub(super) fn document(file: &str) -> Value {
    let path = vectors_dir().join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The cases of a vector file, under its key `vectors`.
pub(super) fn cases(file: &str) -> Vec<Value> {
    let cases = document(file)["vectors"].take();
    serde_json::from_value(cases).unwrap_or_else(|error| panic!("{file}: `vectors`: {error}"))
}

/// The string at `key` of a case; the case is malformed without it.
pub(super) fn text<'c>(case: &'c Value, key: &str) -> &'c str {
    case[key]
        .as_str()
        .unwrap_or_else(|| panic!("no text `{key}` in {case}"))
}

/// The flag at `key` of a case; the case is malformed without it.
pub(super) fn flag(case: &Value, key: &str) -> bool {
    case[key]
        .as_bool()
        .unwrap_or_else(|| panic!("no flag `{key}` in {case}"))
}

/// The strings of the list at `key` of a case; the case is malformed without it.
pub(super) fn texts(case: &Value, key: &str) -> Vec<String> {
    case[key]
        .as_array()
        .unwrap_or_else(|| panic!("no list `{key}` in {case}"))
        .iter()
        .map(|item| item.as_str().expect("a list of texts").to_owned())
        .collect()
}
