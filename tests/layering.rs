//! The rules of the house that the compiler does not know, checked on the text of `src`.
//!
//! - A module uses only modules of lower floors, never a neighbour; `failure` is open to all.
//! - A dependency that one module hides (reqwest, clap, ...) is named by that module alone.
//! - One file reads environment variables; only the user interface prints.
//! - Values and documents know no files, no clock and nothing asynchronous.
//! - Every file says first what it is for; a `mod.rs` holds docs, modules and re-exports.

#[cfg(test)]
mod layering {
    mod code;
    mod floors;
    mod planted;
    mod rules;
    mod words;

    use std::fs;
    use std::path::Path;

    use floors::FLOORS;
    use rules::{Source, violations};

    /// Every Rust file below `directory`, by its path relative to `root`.
    fn sources(root: &Path, directory: &Path) -> Vec<Source> {
        let Ok(entries) = fs::read_dir(directory) else {
            return Vec::new();
        };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let mut found = Vec::new();
        for path in paths {
            if path.is_dir() {
                found.extend(sources(root, &path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let relative = path.strip_prefix(root).unwrap();
                let parts: Vec<_> = relative.iter().map(|part| part.to_str().unwrap()).collect();
                found.push(Source {
                    path: parts.join("/"),
                    text: fs::read_to_string(&path).unwrap(),
                });
            }
        }
        found
    }

    fn below(directory: &str) -> Vec<Source> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        sources(root, &root.join(directory))
    }

    #[test]
    fn the_sources_keep_the_rules_of_the_house() {
        let found: Vec<String> = below("src")
            .iter()
            .flat_map(violations)
            .map(|found| found.to_string())
            .collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn every_module_has_a_floor_and_every_floor_its_modules() {
        let sources = below("src");
        let lib = sources
            .iter()
            .find(|source| source.path == "src/lib.rs")
            .unwrap();
        let mut declared = words::declared_modules(&lib.text);
        let mut housed: Vec<&str> = FLOORS
            .iter()
            .flat_map(|floor| floor.iter().copied())
            .collect();
        declared.sort_unstable();
        housed.sort_unstable();
        assert_eq!(declared, housed);
    }

    #[test]
    fn every_other_rust_file_says_what_it_is_for() {
        for source in ["tests", "examples", "benches"].into_iter().flat_map(below) {
            assert!(
                source.text.starts_with("//!"),
                "{} does not begin with `//!`",
                source.path
            );
        }
    }
}
