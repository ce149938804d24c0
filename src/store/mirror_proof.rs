//! Whether a mirror's own evidence still proves a package: the signed document as it was received,
//! its signature, and the keys that were listed (`mirror --check`).

use std::path::Path;
use std::time::SystemTime;

use crate::address::Tool;
use crate::disk;
use crate::document::{Evidence, PackageEvidence, PackageId, Shasums, SigningKey, Verdict};
use crate::package::verify_detached;
use crate::store::MirrorLayout;

/// A signed document and its signature are some KiB.
pub(super) const DOCUMENT_CAP: u64 = 4 << 20;

/// Whether SHA256SUMS and its signature are there, which every proof needs but that of packages from another
/// mirror.
pub(super) fn has_documents(layout: &MirrorLayout, id: &PackageId, evidence: &Evidence) -> bool {
    let (sums, signature) = (
        layout.shasums(&id.addr, &id.version),
        layout.signature(&id.addr, &id.version),
    );
    is_from_mirror(evidence) || (sums.is_file() && signature.is_file())
}

/// Evidence of registries always names a document.
fn is_from_mirror(evidence: &Evidence) -> bool {
    evidence.origin.shasums_url.is_none()
}

/// Whether SHA256SUMS lists another digest than the evidence of a package, of which nobody knows then which is right.
pub(super) fn documents_deny(
    layout: &MirrorLayout,
    id: &PackageId,
    package: &PackageEvidence,
) -> bool {
    let path = layout.shasums(&id.addr, &id.version);
    let document = disk::read_capped(&path, DOCUMENT_CAP).unwrap_or_default();
    let listed = Shasums::parse(&document).digest_of(&package.filename);
    listed.is_ok_and(|digest| digest != package.shasum)
}

/// Whether they prove what the evidence says of a package: SHA256SUMS lists its digest, and is signed
/// by the key of the verdict if that says so.
pub(super) fn documents_prove(
    layout: &MirrorLayout,
    id: &PackageId,
    evidence: &Evidence,
    package: &PackageEvidence,
) -> bool {
    let read = |path: &Path| disk::read_capped(path, DOCUMENT_CAP).unwrap_or_default();
    let document = read(&layout.shasums(&id.addr, &id.version));
    let listed = Shasums::parse(&document).digest_of(&package.filename);
    match listed {
        Ok(digest) if digest != package.shasum => return false,
        Ok(_) => {}
        Err(_) if is_from_mirror(evidence) => {}
        Err(_) => return false,
    }
    let signer = || {
        let signature = read(&layout.signature(&id.addr, &id.version));
        let keys: Vec<SigningKey> = evidence.signing_keys().cloned().collect();
        verify_detached(&document, &signature, &keys, SystemTime::now()).ok()
    };
    match &package.verdict {
        Verdict::Signed { key_id, .. } => signer().is_some_and(|signer| signer.key_id == *key_id),
        // Only the registry of OpenTofu may do without signatures (facts/providers 3.9).
        Verdict::Checksum | Verdict::Unauthenticated => {
            let is_of_tofu = id.addr.hostname().for_comparison() == Tool::Tofu.default_host();
            is_of_tofu || is_from_mirror(evidence) || signer().is_some()
        }
    }
}
