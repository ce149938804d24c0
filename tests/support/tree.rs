//! Looks at directories: what is there, as lines to compare.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::reply::hex;

/// Files with their sizes, links with their targets, empty directories with a final slash; sorted, paths from `root`.
pub fn tree(root: &Path) -> Vec<String> {
    listed(root, &|content| content.len().to_string())
}

/// As [`tree`], with the start of each file's SHA-256 in place of its size.
pub fn tree_with_digests(root: &Path) -> Vec<String> {
    listed(root, &|content| hex(&Sha256::digest(content)[..8]))
}

/// Only the paths of files and links.
pub fn names(root: &Path) -> Vec<String> {
    let first_word = |line: &String| line.split(" -> ").next().unwrap_or_default().to_owned();
    listed(root, &|_| String::new())
        .iter()
        .map(|line| first_word(line).trim_end().to_owned())
        .collect()
}

/// Copies a directory of files and directories.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the directory can be made");
    for entry in fs::read_dir(from).expect("the directory can be read") {
        let entry = entry.expect("the directory can be read");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("the file can be copied");
        }
    }
}

fn listed(root: &Path, describe: &dyn Fn(&[u8]) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    if root.is_dir() {
        walk(root, "", describe, &mut lines);
    }
    lines.sort();
    lines
}

fn walk(
    directory: &Path,
    prefix: &str,
    describe: &dyn Fn(&[u8]) -> String,
    lines: &mut Vec<String>,
) {
    for entry in fs::read_dir(directory).expect("a directory of the test can be read") {
        let entry = entry.expect("a directory of the test can be read");
        let (path, name) = (
            entry.path(),
            format!("{prefix}{}", entry.file_name().to_string_lossy()),
        );
        let kind = entry.file_type().expect("an entry has a type");
        if kind.is_symlink() {
            let target = fs::read_link(&path).expect("a link can be read");
            lines.push(format!("{name} -> {}", target.display()));
        } else if kind.is_file() {
            let content = fs::read(&path).expect("a file of the test can be read");
            lines.push(format!("{name} {}", describe(&content)));
        } else {
            let before = lines.len();
            walk(&path, &format!("{name}/"), describe, lines);
            if lines.len() == before {
                lines.push(format!("{name}/"));
            }
        }
    }
}
