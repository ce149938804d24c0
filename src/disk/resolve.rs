//! Paths with their links followed, in the words of the caller (facts/modules 3.2).
//!
//! The record of installed modules names directories relative to the root module, links resolved; the system's own
//! way to resolve links makes every path absolute.

use std::io;
use std::path::Path;

/// How many links one path may lead through.
const MOST_LINKS: usize = 255;

/// Follows the links of `path`, which has `/` and is relative to `base` or absolute. The result is relative as
/// long as no link on the way is absolute; the directory itself is `.`.
///
/// # Errors
///
/// If a part of it is not there, or links lead in a circle.
pub fn resolve_links(base: &Path, path: &str) -> io::Result<String> {
    let mut resolved = Resolved::new(path);
    let mut rest: Vec<String> = parts(path);
    let mut links = 0;
    while let Some(part) = rest.pop() {
        if part == ".." {
            resolved.leave();
            continue;
        }
        resolved.parts.push(part);
        let on_disk = base.join(resolved.text());
        if !on_disk.symlink_metadata()?.is_symlink() {
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(io::Error::other("links lead in a circle"));
        }
        let target = std::fs::read_link(&on_disk)?
            .to_string_lossy()
            .replace('\\', "/");
        resolved.parts.pop();
        if target.starts_with('/') {
            resolved = Resolved::new(&target);
        }
        rest.extend(parts(&target));
    }
    Ok(resolved.text())
}

/// The parts of a path, the first one last.
fn parts(path: &str) -> Vec<String> {
    let parts = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".");
    parts.rev().map(str::to_owned).collect()
}

struct Resolved {
    is_absolute: bool,
    parts: Vec<String>,
}

impl Resolved {
    fn new(path: &str) -> Self {
        Self {
            is_absolute: path.starts_with('/'),
            parts: Vec::new(),
        }
    }

    fn leave(&mut self) {
        let is_outside = self.parts.last().is_none_or(|last| last == "..");
        if !is_outside {
            self.parts.pop();
        } else if !self.is_absolute {
            self.parts.push("..".to_owned());
        }
    }

    fn text(&self) -> String {
        let joined = self.parts.join("/");
        match (self.is_absolute, joined.is_empty()) {
            (true, _) => format!("/{joined}"),
            (false, true) => ".".to_owned(),
            (false, false) => joined,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_and_relative_paths_stay_relative() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join("root");
        std::fs::create_dir_all(base.join("a/b")).unwrap();
        std::fs::create_dir(dir.path().join("far")).unwrap();
        symlink("a/b", base.join("near")).unwrap();
        symlink(dir.path().join("far"), base.join("out")).unwrap();
        symlink("loop", base.join("loop")).unwrap();
        let far = dir.path().join("far").to_string_lossy().into_owned();
        for (path, expected) in [
            ("a//b/", "a/b"),
            (".", "."),
            ("near/..", "a"),
            ("../root/a", "../root/a"),
            ("out", far.as_str()),
        ] {
            assert_eq!(resolve_links(&base, path).unwrap(), expected, "{path}");
        }
        assert!(resolve_links(&base, "loop").is_err());
        assert!(resolve_links(&base, "nope").is_err());
    }
}
