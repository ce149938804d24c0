//! The record that the package cache keeps of a module's package (`v1/modules/KEY/IDENTITY.json`).
//!
//! Its own format, one JSON object with `"format_version": "1.0"`. A record that cannot be read, or is of another major
//! format, counts as absent.

use serde::{Deserialize, Serialize};

use crate::disk::TreeContent;
use crate::document::PackageIdentity;

const FORMAT_VERSION: &str = "1.0";
const KNOWN_MAJOR: &str = "1.";

/// What is remembered of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModuleCacheRecord {
    /// Its source as messages show it, without secrets.
    pub(super) source: String,
    pub(super) identity: PackageIdentity,
    /// What the files were when they were taken in.
    pub(super) content: TreeContent,
}

#[derive(Debug, Serialize, Deserialize)]
struct Document {
    format_version: String,
    source: String,
    identity: String,
    tree_sha256: String,
    bytes: u64,
}

impl ModuleCacheRecord {
    /// Reads a record; `None` if it is none.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let document: Document = serde_json::from_slice(bytes).ok()?;
        if !document.format_version.starts_with(KNOWN_MAJOR) {
            return None;
        }
        Some(Self {
            source: document.source,
            identity: identity_of(&document.identity)?,
            content: TreeContent {
                digest: document.tree_sha256.parse().ok()?,
                bytes: document.bytes,
            },
        })
    }

    /// The text.
    pub(super) fn render(&self) -> String {
        let document = Document {
            format_version: FORMAT_VERSION.to_owned(),
            source: self.source.clone(),
            identity: name_of(&self.identity).unwrap_or_default(),
            tree_sha256: self.content.digest.to_string(),
            bytes: self.content.bytes,
        };
        serde_json::to_string_pretty(&document).expect("texts and numbers make JSON")
    }
}

/// The name of an identity, which file names use too; a directory of this machine has none, and is not cached.
pub(super) fn name_of(identity: &PackageIdentity) -> Option<String> {
    match identity {
        PackageIdentity::Commit(commit) => Some(format!("commit-{commit}")),
        PackageIdentity::Archive(digest) => Some(format!("sha256-{digest}")),
        PackageIdentity::Directory => None,
    }
}

/// The identity of a name.
pub(super) fn identity_of(name: &str) -> Option<PackageIdentity> {
    match name.split_once('-')? {
        ("commit", commit) => commit.parse().ok().map(PackageIdentity::Commit),
        ("sha256", digest) => digest.parse().ok().map(PackageIdentity::Archive),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::Sha256Digest;

    fn record() -> ModuleCacheRecord {
        ModuleCacheRecord {
            source: "git::https://example.com/a.git?ref=v1".to_owned(),
            identity: PackageIdentity::Commit("0a".repeat(20).parse().unwrap()),
            content: TreeContent {
                digest: Sha256Digest([7; 32]),
                bytes: 5,
            },
        }
    }

    #[test]
    fn record_is_read_as_it_was_written() {
        let archive = PackageIdentity::Archive(Sha256Digest([8; 32]));
        for identity in [record().identity, archive] {
            let record = ModuleCacheRecord {
                identity,
                ..record()
            };
            let text = record.render();
            assert_eq!(ModuleCacheRecord::parse(text.as_bytes()), Some(record));
        }
    }

    #[test]
    fn what_is_no_record_of_this_format_counts_as_absent() {
        let text = record().render();
        let later = text.replace("\"1.0\"", "\"2.0\"");
        let other = text.replace("commit-", "blob-");
        for other in ["", "{}", "null", &text[..text.len() / 2], &later, &other] {
            assert_eq!(ModuleCacheRecord::parse(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn names_are_those_of_identities_alone() {
        for name in [
            "",
            "commit-",
            "commit-../x",
            "sha256-0",
            "directory",
            "commit",
        ] {
            assert_eq!(identity_of(name), None, "{name}");
        }
        assert_eq!(name_of(&PackageIdentity::Directory), None);
    }
}
