//! The `h1:` hash of a module's package: by what an installed copy is told from another one.
//!
//! The same sum as for packages of providers (facts/providers 4.3), over the files whose names, and those of
//! the directories above them, do not begin with a dot. The tools leave those out when they copy a package for a second
//! use (facts/modules 3.3), and a checkout keeps git's own below `.git`: so all copies of a package have one hash.
//! What hidden files hold is vouched for by the package's commit or digest alone, when it is fetched.
//!
//! Attacks and answers:
//! - *a file name with a line feed*, which would forge lines of the hashed text: refused;
//! - *a link in place of a file of the same content*, to be turned elsewhere later: a link counts as a link, with the text
//!   of its target, in a line that no file has;
//! - *a link to a huge or secret file, to a directory above*: links are not followed, but for the package itself, which the
//!   tools link to where the source is a directory of this machine (facts/modules 4.4);
//! - *a pipe or device that never ends*: refused;
//! - *directories nested without end*: the walk keeps its own list, and no stack grows.

use std::fmt;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::disk::ReadBuffer;
use crate::hash::{PackageHash, Sha256Digest};

use super::h1::{DirectoryHashError, component_bytes, digest_of_file, h1_of_lines, name_below};

/// What a line says of a file or link.
enum Content {
    File(Sha256Digest),
    /// The digest of the text that the link holds.
    Link(Sha256Digest),
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(digest) => digest.fmt(f),
            // No line of a file begins with this word.
            Self::Link(digest) => write!(f, "link {digest}"),
        }
    }
}

/// Computes the `h1:` hash of the module package in the directory `path`, which may be a link to it. Blocks, and
/// reads all files that count.
///
/// # Errors
///
/// [`DirectoryHashError`] if something in it cannot be read, or is neither file nor directory nor link.
pub fn h1_of_module(path: &Path) -> Result<PackageHash, DirectoryHashError> {
    let root = fs::canonicalize(path).map_err(unreadable(path))?;
    let mut buffer = ReadBuffer::new(ReadBuffer::USUAL);
    let mut lines = Vec::new();
    for (path, kind) in visible_below(&root)? {
        let name = name_below(&root, &path)
            .ok_or_else(|| DirectoryHashError::Name { path: path.clone() })?;
        let content = if kind.is_symlink() {
            Content::Link(digest_of_link(&path)?)
        } else {
            Content::File(digest_of_file(&path, &mut buffer)?)
        };
        lines.push((name, content));
    }
    Ok(h1_of_lines(lines))
}

/// Whether any of the files that count is a link: packed as a file, it gives the package another hash. Blocks.
///
/// # Errors
///
/// [`DirectoryHashError`] if a directory cannot be read.
pub fn has_links(path: &Path) -> Result<bool, DirectoryHashError> {
    let found = visible_below(path)?;
    Ok(found.iter().any(|(_, kind)| kind.is_symlink()))
}

/// Everything below a directory that is no directory and not hidden; links are not followed.
fn visible_below(root: &Path) -> Result<Vec<(PathBuf, FileType)>, DirectoryHashError> {
    let mut found = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        let entries = fs::read_dir(&directory).map_err(unreadable(&directory))?;
        for entry in entries {
            let entry = entry.map_err(unreadable(&directory))?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let kind = entry.file_type().map_err(unreadable(&directory))?;
            if kind.is_dir() {
                directories.push(entry.path());
            } else {
                found.push((entry.path(), kind));
            }
        }
    }
    Ok(found)
}

fn digest_of_link(path: &Path) -> Result<Sha256Digest, DirectoryHashError> {
    let target = fs::read_link(path).map_err(unreadable(path))?;
    let text = component_bytes(target.as_os_str());
    let text = text.ok_or_else(|| DirectoryHashError::Name {
        path: path.to_owned(),
    })?;
    Ok(Sha256Digest(Sha256::digest(text).into()))
}

fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> DirectoryHashError {
    move |source| DirectoryHashError::Read {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::disk::copy_visible_tree;
    use crate::package::h1_of_directory;
    use std::os::unix::fs::symlink;

    /// A package of these files.
    fn package(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        root
    }

    fn hash(root: &tempfile::TempDir) -> PackageHash {
        h1_of_module(root.path()).unwrap()
    }

    #[test]
    fn hash_of_plain_files_is_the_usual_one() {
        let root = package(&[("main.tf", "a"), ("sub/x.tf", "b"), ("sub.tf", "")]);
        assert_eq!(hash(&root), h1_of_directory(root.path()).unwrap());
        assert_ne!(hash(&root), hash(&package(&[("main.tf", "a")])));
    }

    #[test]
    fn hidden_files_do_not_count_at_any_level() {
        let plain = package(&[("main.tf", "a"), ("sub/x.tf", "b")]);
        let checkout = package(&[
            ("main.tf", "a"),
            ("sub/x.tf", "b"),
            (".git/HEAD", "ref"),
            ("sub/.terraform-docs.yml", ""),
        ]);
        assert_eq!(hash(&plain), hash(&checkout));
    }

    #[test]
    fn a_copy_for_a_second_use_has_the_hash_of_the_first() {
        let first = package(&[("main.tf", "a"), (".git/HEAD", "ref"), ("d/x.sh", "")]);
        symlink("d/x.sh", first.path().join("l")).unwrap();
        symlink("/nowhere", first.path().join("broken")).unwrap();
        let second = tempfile::tempdir().unwrap();
        copy_visible_tree(first.path(), second.path()).unwrap();
        assert_eq!(hash(&first), hash(&second));
    }

    #[test]
    fn a_package_that_is_a_link_is_hashed_as_what_it_leads_to() {
        let root = package(&[("there/main.tf", "a")]);
        symlink(root.path().join("there"), root.path().join("link")).unwrap();
        let [there, link] =
            ["there", "link"].map(|name| h1_of_module(&root.path().join(name)).unwrap());
        assert_eq!(there, link);
    }

    #[test]
    fn a_link_is_told_from_a_file_and_from_a_link_elsewhere() {
        let with_link = |target: &str| {
            let root = package(&[("a", "content"), ("c", "content")]);
            symlink(target, root.path().join("b")).unwrap();
            hash(&root)
        };
        let file = hash(&package(&[
            ("a", "content"),
            ("b", "content"),
            ("c", "content"),
        ]));
        let text = hash(&package(&[("a", "content"), ("b", "a"), ("c", "content")]));
        let plain = package(&[("a", "content")]);
        assert!(!has_links(plain.path()).unwrap());
        symlink("a", plain.path().join("b")).unwrap();
        assert!(has_links(plain.path()).unwrap());
        let hashes = [with_link("a"), with_link("c"), file, text];
        for (index, one) in hashes.iter().enumerate() {
            assert!(!hashes[index + 1..].contains(one), "{index}");
        }
    }

    #[test]
    fn links_are_not_followed() {
        let root = package(&[("main.tf", "")]);
        symlink("..", root.path().join("above")).unwrap();
        symlink("/dev/zero", root.path().join("endless")).unwrap();
        h1_of_module(root.path()).unwrap();
    }

    #[test]
    fn refuses_a_name_with_a_line_feed_and_what_is_no_file() {
        let root = package(&[("a\nb", "")]);
        let refused = h1_of_module(root.path());
        assert!(matches!(refused, Err(DirectoryHashError::Name { .. })));
        let root = package(&[("main.tf", "")]);
        let _listener = std::os::unix::net::UnixListener::bind(root.path().join("pipe")).unwrap();
        let refused = h1_of_module(root.path());
        assert!(matches!(refused, Err(DirectoryHashError::NoFile { .. })));
    }

    #[test]
    fn nesting_without_end_does_not_exhaust_the_stack() {
        let root = package(&[(&format!("{}main.tf", "d/".repeat(1000)), "")]);
        h1_of_module(root.path()).unwrap();
    }
}
