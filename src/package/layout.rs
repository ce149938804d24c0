//! From the entries of an archive to the files of a package: which names may become paths.
//!
//! What `mirror` refuses and what `install` refuses must be the same, so both ask here.
//!
//! Stricter than the tools (facts/providers 3.14), which unpack absolute names under the target,
//! write links as files that hold their target, and let later duplicates overwrite earlier ones.
//! `./x` and `a//b` are taken as `x` and `a/b`, like there.
//!
//! Attacks and answers:
//! - `..`, absolute names, drive letters, backslashes: refused, on every platform;
//! - line feeds, escape sequences, NUL, names that are not UTF-8: refused;
//! - links, devices, sockets: refused;
//! - two names that are one file on a case-insensitive or normalising file system, a file where
//!   another entry needs a directory: refused;
//! - names nested so deep that keeping them costs more than the archive: depth is capped;
//! - on Windows, alternate streams, device names and trailing dots: refused there;
//! - set-user-id and world-writable modes: modes become 0755 or 0644;
//! - a package without its plugin: refused.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use unicode_normalization::UnicodeNormalization as _;

use crate::hash::{PackageHash, Sha256Digest};

use super::archive::{Archive, Entry, display_name};
use super::archive_error::{ArchiveError, NameProblem};
use super::h1::h1_of_lines;
use super::plugin_name::is_plugin_name;

const MAX_DEPTH: usize = 32;

const TYPE_MASK: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const DIRECTORY: u32 = 0o040_000;
const ANY_EXECUTE: u32 = 0o111;

/// What stands at a path of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Directory,
    /// A file, with the mode it gets.
    File {
        mode: u32,
    },
}

/// An entry as part of a package.
#[derive(Debug)]
pub(super) struct Item {
    /// The path below the package's root, with `/`; empty for the root itself.
    pub(super) path: String,
    pub(super) kind: Kind,
}

/// The files and directories of a package, one item per entry of the archive.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) items: Vec<Item>,
    /// The path of the plugin.
    pub(super) executable: String,
}

impl Layout {
    /// Finds out what an archive would unpack to.
    pub(super) fn of(archive: &Archive, ty: &str) -> Result<Self, ArchiveError> {
        if archive.entries().is_empty() {
            return Err(ArchiveError::Empty);
        }
        let mut items = archive
            .entries()
            .iter()
            .map(item)
            .collect::<Result<Vec<_>, _>>()?;
        check_collisions(&items)?;
        let executable = executable_of(&mut items, ty)
            .ok_or_else(|| ArchiveError::NoExecutable { ty: ty.to_owned() })?;
        Ok(Self { items, executable })
    }

    /// The `h1:` hash of the unpacked directory (facts 4.4), from the digests of the contents.
    pub(super) fn h1(&self, digests: &[Sha256Digest]) -> PackageHash {
        let files = self
            .items
            .iter()
            .zip(digests)
            .filter(|(item, _)| item.kind != Kind::Directory);
        h1_of_lines(
            files
                .map(|(item, digest)| (item.path.as_bytes(), *digest))
                .collect(),
        )
    }

    /// How many files there are.
    pub(super) fn file_count(&self) -> usize {
        self.items
            .iter()
            .filter(|item| item.kind != Kind::Directory)
            .count()
    }
}

fn item(entry: &Entry) -> Result<Item, ArchiveError> {
    let hostile = |problem| ArchiveError::HostileName {
        entry: entry.display(),
        problem,
    };
    let path = safe_path(&entry.name).map_err(hostile)?;
    let kind = match entry.mode & TYPE_MASK {
        DIRECTORY if entry.is_directory() => Kind::Directory,
        // The reader adds the directory bit to the bits that stand in the archive.
        _ if entry.is_directory() && entry.mode & TYPE_MASK == REGULAR | DIRECTORY => {
            Kind::Directory
        }
        REGULAR | 0 if !entry.is_directory() => Kind::File {
            mode: file_mode(entry.mode),
        },
        _ => {
            return Err(ArchiveError::SpecialEntry {
                entry: entry.display(),
            });
        }
    };
    if path.is_empty() && kind != Kind::Directory {
        return Err(hostile(NameProblem::Empty));
    }
    Ok(Item { path, kind })
}

fn file_mode(mode: u32) -> u32 {
    if mode & ANY_EXECUTE == 0 {
        0o644
    } else {
        0o755
    }
}

/// Turns the name of an entry into a path below the root.
fn safe_path(name: &[u8]) -> Result<String, NameProblem> {
    let name = std::str::from_utf8(name).map_err(|_| NameProblem::NotUtf8)?;
    if name.is_empty() {
        return Err(NameProblem::Empty);
    }
    // A `..` between backslashes is the graver of two problems with such a name.
    if name.split(['/', '\\']).any(|component| component == "..") {
        return Err(NameProblem::Traversal);
    }
    if name.contains('\\') {
        return Err(NameProblem::Backslash);
    }
    if name.chars().any(char::is_control) {
        return Err(NameProblem::ControlCharacter);
    }
    if name.starts_with('/') || has_drive(name) {
        return Err(NameProblem::Absolute);
    }
    let components: Vec<&str> = name
        .split('/')
        .filter(|component| !matches!(*component, "" | "."))
        .collect();
    if components.len() > MAX_DEPTH {
        return Err(NameProblem::TooLong);
    }
    if cfg!(windows)
        && components
            .iter()
            .any(|component| is_impossible_on_windows(component))
    {
        return Err(NameProblem::NotHere);
    }
    Ok(components.join("/"))
}

/// Whether a name begins like `C:`.
fn has_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Streams, wildcards, devices, and what Windows strips from the end of a name.
fn is_impossible_on_windows(component: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = component
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_ascii_lowercase();
    let numbered = stem
        .strip_prefix("com")
        .or_else(|| stem.strip_prefix("lpt"));
    component.contains([':', '*', '?', '"', '<', '>', '|'])
        || component.ends_with(['.', ' '])
        || DEVICES.contains(&stem.as_str())
        || numbered.is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
}

/// Refuses items that cannot stand beside each other on every file system.
fn check_collisions(items: &[Item]) -> Result<(), ArchiveError> {
    let mut taken: HashMap<String, (&str, bool)> = HashMap::new();
    for item in items {
        for (path, is_directory) in steps(item) {
            match taken.entry(folded(path)) {
                Slot::Vacant(slot) => _ = slot.insert((path, is_directory)),
                // The same directory, mentioned again by what lies in it.
                Slot::Occupied(slot) if *slot.get() == (path, true) && is_directory => {}
                Slot::Occupied(slot) => {
                    let other = display_name(slot.get().0.as_bytes());
                    return Err(ArchiveError::Collision {
                        entry: display_name(path.as_bytes()),
                        other,
                    });
                }
            }
        }
    }
    Ok(())
}

/// The directories on the way to an item, and the item; with whether each is a directory.
fn steps(item: &Item) -> impl Iterator<Item = (&str, bool)> {
    let parents = item
        .path
        .match_indices('/')
        .map(|(end, _)| (&item.path[..end], true));
    let own = (!item.path.is_empty()).then_some((item.path.as_str(), item.kind == Kind::Directory));
    parents.chain(own)
}

/// One spelling for all names that file systems may take for the same.
fn folded(path: &str) -> String {
    path.nfd()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfc()
        .collect()
}

/// Finds the plugin (facts 3.13: the first file in byte order with a fitting name) and makes it
/// executable.
fn executable_of(items: &mut [Item], ty: &str) -> Option<String> {
    let fits = |item: &&mut Item| {
        let is_in_root = !item.path.contains('/');
        item.kind != Kind::Directory && is_in_root && is_plugin_name(&item.path, ty)
    };
    let plugin = items
        .iter_mut()
        .filter(fits)
        .min_by(|one, other| one.path.cmp(&other.path))?;
    plugin.kind = Kind::File { mode: 0o755 };
    Some(plugin.path.clone())
}
