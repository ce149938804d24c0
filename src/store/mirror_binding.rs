//! What a mirror says of a version binds whoever adds to it: a package, or a list of packages, that says otherwise is a
//! release that was made anew, or none of the publisher's.
//!
//! Attacks, and the answers:
//! - a release made anew under the same version, signed by the same key or by another: the digests that evidence and the
//!   kept, proved SHA256SUMS have are compared before anything is written, whatever key is accepted;
//! - a platform left out of the new document, so that nothing contradicts: a document that lists less than what is
//!   mirrored does not take the place of one that lists it;
//! - a kept document replaced by hand: it binds only if its signature holds.

use std::time::SystemTime;

use crate::address::Tool;
use crate::disk;
use crate::document::{Evidence, PackageId, Shasums, SigningKey};
use crate::hash::Sha256Digest;
use crate::package::verify_detached;
use crate::store::mirror_proof::DOCUMENT_CAP;
use crate::store::{MirrorLayout, MirrorRecord, StoreError};

/// What is to become of the SHA256SUMS document of a mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SumsUse {
    /// The new one takes its place.
    Replace,
    /// It stays, for it proves the new package, and more than the new one does.
    Keep,
}

/// A SHA256SUMS document of the mirror that is proved.
struct KeptSums {
    sums: Shasums,
    /// The fingerprint of the key that signed.
    signer: Option<String>,
}

/// Compares what is offered of a package with `evidence` and the kept document of its version. Blocks.
///
/// # Errors
///
/// If they contradict each other.
pub(super) fn compare(
    layout: &MirrorLayout,
    id: &PackageId,
    evidence: &Evidence,
    record: &MirrorRecord,
    digest: Option<Sha256Digest>,
) -> Result<SumsUse, StoreError> {
    let name = record.filename.as_str();
    let known = evidence.packages.get(&id.platform).map(|it| it.shasum);
    let kept = kept_sums(layout, id, evidence);
    let listed = kept.as_ref().and_then(|it| it.sums.digest_of(name).ok());
    for expected in known.into_iter().chain(listed) {
        agree(name, digest, expected)?;
    }
    let Some(sums) = &record.sums else {
        return Ok(SumsUse::Keep);
    };
    let offered = Shasums::parse(&sums.shasums);
    let offered = offered.digests();
    let of_kept = kept.as_ref().map(|it| it.sums.digests());
    for (name, expected) in of_kept.iter().flatten() {
        let got = offered.get(name).copied();
        agree(&String::from_utf8_lossy(name), got, *expected)?;
    }
    let is_enough = |kept: &KeptSums| listed.is_some() && kept.signer == sums.trusted_key;
    for (platform, package) in &evidence.packages {
        match offered.get(package.filename.as_bytes()) {
            Some(got) => agree(&package.filename, Some(*got), package.shasum)?,
            None if *platform == id.platform => {}
            None if kept.as_ref().is_some_and(is_enough) => return Ok(SumsUse::Keep),
            None => return Err(replaced(&package.filename, None, package.shasum)),
        }
    }
    Ok(SumsUse::Replace)
}

/// Fails if a digest is known and another one.
fn agree(
    filename: &str,
    got: Option<Sha256Digest>,
    expected: Sha256Digest,
) -> Result<(), StoreError> {
    match got {
        Some(other) if other != expected => Err(replaced(filename, got, expected)),
        Some(_) | None => Ok(()),
    }
}

fn replaced(filename: &str, got: Option<Sha256Digest>, expected: Sha256Digest) -> StoreError {
    StoreError::Replaced {
        filename: filename.to_owned(),
        got,
        expected,
    }
}

/// The document, if a key of the evidence has signed it; or if there are none, as only the registry of OpenTofu may have
/// it (facts/providers 3.9).
fn kept_sums(layout: &MirrorLayout, id: &PackageId, evidence: &Evidence) -> Option<KeptSums> {
    let path = layout.shasums(&id.addr, &id.version);
    let document = disk::read_capped(&path, DOCUMENT_CAP).ok()?;
    let keys: Vec<SigningKey> = evidence.signing_keys().cloned().collect();
    let signer = if keys.is_empty() {
        let is_of_tofu = id.addr.hostname().for_comparison() == Tool::Tofu.default_host();
        if !is_of_tofu {
            return None;
        }
        None
    } else {
        let path = layout.signature(&id.addr, &id.version);
        let signature = disk::read_capped(&path, DOCUMENT_CAP).ok()?;
        let signer = verify_detached(&document, &signature, &keys, SystemTime::now()).ok()?;
        Some(signer.fingerprint)
    };
    let sums = Shasums::parse(&document);
    Some(KeptSums { sums, signer })
}
