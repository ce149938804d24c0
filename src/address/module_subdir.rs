//! The `//SUBDIR` part of module sources, and the lexical path cleaning that sources go through
//! (facts/modules 1.2, 1.5).
//!
//! Sources come from configurations and from registries. The attack here is a subdirectory that leaves
//! its package. A text that climbs out is refused when the source is parsed; exactly `..`, which the tools
//! let pass, stays a source (manifests may hold it) and is told by [`leaves_package`], for those who
//! make a path of it.

/// A source split in two: the package with its query, and the subdirectory, cleaned and perhaps empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Split {
    /// What is fetched.
    pub(super) package: String,
    /// Where the module is in it.
    pub(super) subdir: String,
}

/// Splits at the first `//` behind the scheme and before the query (facts 1.5).
pub(super) fn split(source: &str) -> Split {
    let (address, query) = match source.find('?') {
        Some(at) => source.split_at(at),
        None => (source, ""),
    };
    let scheme_end = address.find("://").map_or(0, |at| at + 3);
    let Some(at) = address[scheme_end..].find("//") else {
        return Split {
            package: source.to_owned(),
            subdir: String::new(),
        };
    };
    let at = scheme_end + at;
    let subdir = &address[at + 2..];
    Split {
        package: format!("{}{query}", &address[..at]),
        subdir: if subdir.is_empty() {
            String::new()
        } else {
            clean_path(subdir)
        },
    }
}

/// Puts the subdirectory back where it was: before the query (facts 1.6).
pub(super) fn join(package: &str, subdir: &str) -> String {
    match package.split_once('?') {
        _ if subdir.is_empty() => package.to_owned(),
        Some((address, query)) => format!("{address}//{subdir}?{query}"),
        None => format!("{package}//{subdir}"),
    }
}

/// Whether `subdir` names a place outside its package.
pub fn leaves_package(subdir: &str) -> bool {
    subdir.split(['/', '\\']).any(|part| part == "..")
}

/// Folds doubled slashes, `.` and `..` of a path with `/`, without looking at the disk; the empty path
/// becomes `.`.
pub fn clean_path(path: &str) -> String {
    let is_rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            ".." if is_rooted => {}
            part => kept.push(part),
        }
    }
    let joined = kept.join("/");
    match (is_rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned_lexically() {
        for (path, clean) in [
            ("", "."),
            (".", "."),
            ("a//b/./c/", "a/b/c"),
            ("a/../..", ".."),
            ("../../a/../b", "../../b"),
            ("/../a", "/a"),
            ("/", "/"),
        ] {
            assert_eq!(clean_path(path), clean, "{path}");
        }
    }

    #[test]
    fn a_split_source_joins_to_its_normal_form() {
        for (source, package, subdir, joined) in [
            (
                "https://h/a.zip//b/../c?x=//y",
                "https://h/a.zip?x=//y",
                "c",
                "https://h/a.zip//c?x=//y",
            ),
            ("a/b/c//", "a/b/c", "", "a/b/c"),
            ("https://h//x", "https://h", "x", "https://h//x"),
            ("h?x=a//b", "h?x=a//b", "", "h?x=a//b"),
        ] {
            let split = split(source);
            assert_eq!(
                (split.package.as_str(), split.subdir.as_str()),
                (package, subdir),
                "{source}"
            );
            assert_eq!(join(&split.package, &split.subdir), joined, "{source}");
        }
    }

    #[test]
    fn a_subdirectory_outside_its_package_is_told() {
        for subdir in ["..", "../x", "a/../..", "..\\x"] {
            assert!(leaves_package(&clean_path(subdir)), "{subdir}");
        }
        for subdir in ["", ".", "a..b", "...", "a/b"] {
            assert!(!leaves_package(subdir), "{subdir}");
        }
    }
}
