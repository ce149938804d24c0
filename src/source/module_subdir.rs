//! The directory of a module in its package, by name or by a pattern (facts/modules 2.3, 2.5).
//!
//! A package is a stranger's. A directory that leads out of it, by `..` or by a link, is refused.

use std::fs;
use std::path::Path;

use crate::address::leaves_package;
use crate::source::ModuleFetchError;

/// Finds the directory `subdir` of the package in `root`; a pattern of `*` and `?` must match exactly one. Returns
/// its path from `root` with `/`.
///
/// # Errors
///
/// If there is none or more than one, or it is outside of the package.
pub fn find_subdir(root: &Path, subdir: &str) -> Result<String, ModuleFetchError> {
    let mut found = vec![String::new()];
    for part in subdir
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
    {
        let mut next = Vec::new();
        for dir in &found {
            next.extend(matching(root, dir, part));
        }
        found = next;
    }
    match &found[..] {
        [one] => check_inside(root, one).map(|()| one.clone()),
        [] => Err(ModuleFetchError::NoSubdir {
            subdir: subdir.to_owned(),
        }),
        many => Err(ModuleFetchError::SeveralSubdirs {
            subdir: subdir.to_owned(),
            count: many.len(),
        }),
    }
}

/// The directory `subdir`, taken literally, as registries' locations are (facts 2.3).
///
/// # Errors
///
/// If it is not there, or outside of the package.
pub fn literal_subdir(root: &Path, subdir: &str) -> Result<(), ModuleFetchError> {
    if !root.join(subdir.trim_start_matches('/')).is_dir() {
        return Err(ModuleFetchError::NoSubdir {
            subdir: subdir.to_owned(),
        });
    }
    check_inside(root, subdir.trim_start_matches('/'))
}

fn matching(root: &Path, dir: &str, part: &str) -> Vec<String> {
    let joined = |name: &str| {
        if dir.is_empty() {
            name.to_owned()
        } else {
            format!("{dir}/{name}")
        }
    };
    if !part.contains(['*', '?']) {
        let path = joined(part);
        return root
            .join(&path)
            .exists()
            .then_some(path)
            .into_iter()
            .collect();
    }
    let Ok(entries) = fs::read_dir(root.join(dir)) else {
        return Vec::new();
    };
    let names = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    names
        .filter(|name| is_match(part, name))
        .map(|name| joined(&name))
        .collect()
}

/// Whether `name` is of the pattern, in which `*` is any text and `?` any character.
fn is_match(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            // The last star takes one character more.
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    p = at + 1;
                    n = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

fn check_inside(root: &Path, subdir: &str) -> Result<(), ModuleFetchError> {
    let outside = || ModuleFetchError::SubdirOutside {
        subdir: subdir.to_owned(),
    };
    if leaves_package(subdir) {
        return Err(outside());
    }
    let (root, dir) = (root.canonicalize(), root.join(subdir).canonicalize());
    match (root, dir) {
        (Ok(root), Ok(dir)) if dir.starts_with(&root) => Ok(()),
        _ => Err(outside()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_must_match_exactly_one() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["top-1.0/sub", "other"] {
            fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        let find = |subdir: &str| find_subdir(dir.path(), subdir).ok();
        assert_eq!(find("top-*").as_deref(), Some("top-1.0"));
        assert_eq!(find("*/sub").as_deref(), Some("top-1.0/sub"));
        assert_eq!(find("o?her").as_deref(), Some("other"));
        assert_eq!(find("*"), None);
        assert_eq!(find("nope"), None);
    }

    #[cfg(unix)]
    #[test]
    fn refuses_directories_that_lead_out_of_the_package() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        fs::create_dir_all(root.join("in")).unwrap();
        std::os::unix::fs::symlink("..", root.join("up")).unwrap();
        std::os::unix::fs::symlink("in", root.join("near")).unwrap();
        for subdir in ["..", "up", "u*", "in/../.."] {
            let found = find_subdir(&root, subdir);
            assert!(
                matches!(found, Err(ModuleFetchError::SubdirOutside { .. })),
                "{subdir}: {found:?}"
            );
        }
        assert!(literal_subdir(&root, "up").is_err());
        assert_eq!(find_subdir(&root, "near").unwrap(), "near");
        assert!(literal_subdir(&root, "near").is_ok());
    }
}
