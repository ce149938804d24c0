//! Finding `terraform-credentials-NAME` where the tools would (facts/login 4.8).

use std::path::{Path, PathBuf};

use crate::version::Version;

const PREFIX: &str = "terraform-credentials-";

/// The program for the helper `name`: of all directories the highest version, of one version the earlier directory.
/// Without a version in its name a program has version 0.0.0.
pub(super) fn find(name: &str, dirs: &[PathBuf]) -> Option<PathBuf> {
    let mut best: Option<(Version, PathBuf)> = None;
    for dir in dirs {
        for (version, path) in programs(name, dir) {
            if best.as_ref().is_none_or(|(known, _)| version > *known) {
                best = Some((version, path));
            }
        }
    }
    best.map(|(_, path)| path)
}

/// A directory that is not there or cannot be read holds no program.
fn programs(name: &str, dir: &Path) -> Vec<(Version, PathBuf)> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut found: Vec<(Version, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let version = version_of(path.file_name()?.to_str()?, name)?;
            path.is_file().then_some((version, path))
        })
        .collect();
    found.sort_by(|one, other| one.1.cmp(&other.1));
    found
}

/// The version that a file name gives the helper `name`; none if it is another's. The tools compare the lower-cased
/// file name with the label as written.
fn version_of(file: &str, name: &str) -> Option<Version> {
    let file = file.to_ascii_lowercase();
    let file = file.strip_suffix(".exe").unwrap_or(&file);
    let rest = file.strip_prefix(PREFIX)?.strip_prefix(name)?;
    let text = if rest.is_empty() {
        "0.0.0"
    } else {
        // A suffix `_xN` told the protocol once.
        let version = rest.strip_prefix("_v")?;
        version.split_once("_x").map_or(version, |(it, _)| it)
    };
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(dir: &Path, names: &[&str]) {
        std::fs::create_dir_all(dir).unwrap();
        for name in names {
            std::fs::write(dir.join(name), "").unwrap();
        }
    }

    #[test]
    fn file_names_are_matched_as_the_tools_do() {
        for (file, label, found) in [
            ("terraform-credentials-foo", "foo", true),
            ("terraform-credentials-foo_v1.2.3", "foo", true),
            ("terraform-credentials-foo.exe", "foo", true),
            ("Terraform-Credentials-Foo", "foo", true),
            ("terraform-credentials-foo.sh", "foo", false),
            ("terraform-credentials-bar", "foo", false),
            ("terraform-credentials-foo_vX", "foo", false),
            ("terraform-credentials-Foo", "Foo", false),
            ("terraform-credentials-foobar", "foo", false),
        ] {
            assert_eq!(version_of(file, label).is_some(), found, "{file} {label}");
        }
    }

    #[test]
    fn the_highest_version_wins_then_the_earlier_directory() {
        let root = tempfile::tempdir().unwrap();
        let dirs = [root.path().join("a"), root.path().join("b")];
        put(
            &dirs[0],
            &[
                "terraform-credentials-foo",
                "terraform-credentials-bar_v1.0.0",
            ],
        );
        put(
            &dirs[1],
            &[
                "terraform-credentials-foo",
                "terraform-credentials-bar_v1.10.0",
            ],
        );
        assert_eq!(
            find("foo", &dirs),
            Some(dirs[0].join("terraform-credentials-foo"))
        );
        assert_eq!(
            find("bar", &dirs),
            Some(dirs[1].join("terraform-credentials-bar_v1.10.0"))
        );
        assert_eq!(find("none", &dirs), None);
    }
}
