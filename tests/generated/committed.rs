//! Generated files in the package: compared, or written on demand.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Set to `1` to write instead of comparing.
const UPDATE: &str = "PROVENDER_UPDATE";

/// A directory all of whose files are generated.
pub(super) struct Directory {
    path: PathBuf,
    files: BTreeMap<String, String>,
}

impl Directory {
    /// The directory of this name in the package.
    pub(super) fn of(name: &str) -> Self {
        Self {
            path: Path::new(env!("CARGO_MANIFEST_DIR")).join(name),
            files: BTreeMap::new(),
        }
    }

    /// Adds a file as it should be.
    pub(super) fn add(&mut self, name: &str, text: String) {
        self.files.insert(name.to_owned(), text);
    }

    /// Fails if a file differs, is missing or is there without a reason; or mends that.
    pub(super) fn write_or_compare(&self) {
        if env::var_os(UPDATE).is_some_and(|value| value == "1") {
            self.write();
        }
        let stale = self.stale();
        assert!(
            stale.is_empty(),
            "not current in {}: {}; run `{UPDATE}=1 cargo test --test generated`",
            self.path.display(),
            stale.join(", ")
        );
    }

    fn write(&self) {
        fs::create_dir_all(&self.path).unwrap();
        for name in self.present().filter(|name| !self.files.contains_key(name)) {
            fs::remove_file(self.path.join(name)).unwrap();
        }
        for (name, text) in &self.files {
            fs::write(self.path.join(name), text).unwrap();
        }
    }

    fn stale(&self) -> Vec<String> {
        let differs = |(name, text): &(&String, &String)| {
            // A checkout on Windows may have changed the line ends.
            let found = fs::read_to_string(self.path.join(name)).unwrap_or_default();
            found.replace("\r\n", "\n") != **text
        };
        let mut stale: Vec<String> = self
            .files
            .iter()
            .filter(differs)
            .map(|(name, _)| name.clone())
            .collect();
        stale.extend(self.present().filter(|name| !self.files.contains_key(name)));
        stale
    }

    fn present(&self) -> impl Iterator<Item = String> {
        let entries = fs::read_dir(&self.path).into_iter().flatten();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap())
    }
}

#[test]
fn changed_missing_and_stray_files_are_stale() {
    let temporary = tempfile::tempdir().unwrap();
    let mut directory = Directory {
        path: temporary.path().to_owned(),
        files: BTreeMap::new(),
    };
    for name in ["good", "changed", "missing"] {
        directory.add(name, "text\n".to_owned());
    }
    for (name, text) in [("good", "text\r\n"), ("changed", "other\n"), ("stray", "")] {
        fs::write(temporary.path().join(name), text).unwrap();
    }
    assert_eq!(directory.stale(), ["changed", "missing", "stray"]);
    directory.write();
    assert_eq!(directory.stale(), Vec::<String>::new());
}
