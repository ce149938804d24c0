//! The record that the package cache keeps of an archive (`v1/records/SHA256.json`).
//!
//! Its own format, one JSON object with `"format_version": "1.0"`. A record that cannot be read, or
//! is of another major format, counts as absent: everything in it can be found out again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::address::ProviderAddr;
use crate::disk::FileStamp;
use crate::document::{PackageId, Published, Verdict};
use crate::hash::{PackageHash, Sha256Digest};
use crate::package::KnownContents;

const FORMAT_VERSION: &str = "1.0";
const KNOWN_MAJOR: &str = "1.";

/// What is remembered of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CacheRecord {
    pub(super) digest: Sha256Digest,
    /// The stamp of the archive when its digest was known.
    pub(super) archive: FileStamp,
    /// What unpacking or inspecting it found out, and for which type of provider.
    pub(super) contents: KnownContents,
    /// The stamps of the unpacked files; `None` if the archive was never unpacked.
    pub(super) files: Option<BTreeMap<String, FileStamp>>,
    /// What was proved of each package that has these bytes.
    pub(super) proofs: BTreeMap<PackageId, RememberedProof>,
}

/// What was proved of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RememberedProof {
    pub(super) verdict: Verdict,
    pub(super) published: Published,
}

impl CacheRecord {
    /// Reads a record; `None` if it is none.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let document: Document = serde_json::from_slice(bytes).ok()?;
        if !document.format_version.starts_with(KNOWN_MAJOR) {
            return None;
        }
        let proofs = document.proofs.into_iter().map(Proof::read);
        Some(Self {
            digest: document.sha256.parse().ok()?,
            archive: document.archive,
            contents: KnownContents {
                ty: document.unpacked.r#type,
                h1_zip: document.h1_archive.parse().ok()?,
                h1_directory: document.h1_directory.parse().ok()?,
            },
            files: document.unpacked.files,
            proofs: proofs.collect::<Option<_>>()?,
        })
    }

    /// The text.
    pub(super) fn render(&self) -> String {
        let document = Document {
            format_version: FORMAT_VERSION.to_owned(),
            sha256: self.digest.to_string(),
            archive: self.archive,
            h1_archive: self.contents.h1_zip.to_string(),
            h1_directory: self.contents.h1_directory.to_string(),
            unpacked: Unpacked {
                r#type: self.contents.ty.clone(),
                files: self.files.clone(),
            },
            proofs: self.proofs.iter().map(Proof::of).collect(),
        };
        serde_json::to_string_pretty(&document).expect("texts and numbers make JSON")
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Document {
    format_version: String,
    sha256: String,
    archive: FileStamp,
    h1_archive: String,
    h1_directory: String,
    unpacked: Unpacked,
    proofs: Vec<Proof>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Unpacked {
    r#type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    files: Option<BTreeMap<String, FileStamp>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Proof {
    address: String,
    version: String,
    platform: String,
    verdict: RecordedVerdict,
    signed: Vec<String>,
    listed: Vec<String>,
    vouched: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum RecordedVerdict {
    Signed { key_id: String, expired: bool },
    Checksum,
    Unauthenticated,
}

impl Proof {
    fn of((id, proof): (&PackageId, &RememberedProof)) -> Self {
        Self {
            signed: texts(&proof.published.signed),
            listed: texts(&proof.published.listed),
            vouched: texts(&proof.published.vouched),
            address: id.addr.to_string(),
            version: id.version.to_string(),
            platform: id.platform.to_string(),
            verdict: match proof.verdict.clone() {
                Verdict::Signed { key_id, expired } => RecordedVerdict::Signed { key_id, expired },
                Verdict::Checksum => RecordedVerdict::Checksum,
                Verdict::Unauthenticated => RecordedVerdict::Unauthenticated,
            },
        }
    }

    fn read(self) -> Option<(PackageId, RememberedProof)> {
        let id = PackageId {
            addr: ProviderAddr::parse_canonical(&self.address).ok()?,
            version: self.version.parse().ok()?,
            platform: self.platform.parse().ok()?,
        };
        let verdict = match self.verdict {
            RecordedVerdict::Signed { key_id, expired } => Verdict::Signed { key_id, expired },
            RecordedVerdict::Checksum => Verdict::Checksum,
            RecordedVerdict::Unauthenticated => Verdict::Unauthenticated,
        };
        let published = Published {
            signed: hashes(&self.signed)?,
            listed: hashes(&self.listed)?,
            vouched: hashes(&self.vouched)?,
        };
        Some((id, RememberedProof { verdict, published }))
    }
}

fn texts(hashes: &[PackageHash]) -> Vec<String> {
    hashes.iter().map(ToString::to_string).collect()
}

fn hashes(texts: &[String]) -> Option<Vec<PackageHash>> {
    texts.iter().map(|text| text.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> CacheRecord {
        let stamp = |size| FileStamp {
            size,
            mtime_ns: 1,
            inode: 2,
            mode: 0o644,
        };
        let id = |addr: &str| PackageId {
            addr: ProviderAddr::parse_canonical(addr).unwrap(),
            version: "1.0.0-Beta1".parse().unwrap(),
            platform: "linux_amd64".parse().unwrap(),
        };
        let signed = Verdict::Signed {
            key_id: "0123456789ABCDEF".to_owned(),
            expired: true,
        };
        let proof = |verdict| RememberedProof {
            verdict,
            published: Published {
                signed: vec![PackageHash::zh(Sha256Digest([8; 32]))],
                listed: vec!["h1:c".parse().unwrap()],
                vouched: vec!["h1:d".parse().unwrap()],
            },
        };
        CacheRecord {
            digest: Sha256Digest([7; 32]),
            archive: stamp(3),
            contents: KnownContents {
                ty: "net".to_owned(),
                h1_zip: "h1:a".parse().unwrap(),
                h1_directory: "h1:b".parse().unwrap(),
            },
            files: Some([("d/file".to_owned(), stamp(4))].into()),
            proofs: [
                (id("bücher.example/acme/net"), proof(signed)),
                (id("example.com:8443/acme/net"), proof(Verdict::Checksum)),
                (id("example.com/acme/net"), proof(Verdict::Unauthenticated)),
            ]
            .into(),
        }
    }

    #[test]
    fn record_is_read_as_it_was_written() {
        let packed = CacheRecord {
            files: None,
            ..record()
        };
        for record in [record(), packed] {
            let text = record.render();
            assert_eq!(CacheRecord::parse(text.as_bytes()), Some(record));
        }
    }

    #[test]
    fn what_is_no_record_of_this_format_counts_as_absent() {
        let text = record().render();
        let later = text.replace("\"1.0\"", "\"2.0\"");
        let stronger = text.replace("checksum", "blessed");
        for other in ["", "{}", "null", &text[..text.len() / 2], &later, &stronger] {
            assert_eq!(CacheRecord::parse(other.as_bytes()), None, "{other}");
        }
        let minor = text.replace("\"1.0\"", "\"1.7\"");
        assert_eq!(CacheRecord::parse(minor.as_bytes()), Some(record()));
    }
}
