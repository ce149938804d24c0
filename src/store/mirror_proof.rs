//! Whether a mirror's own evidence still proves a package: the signed document as it was received,
//! its signature, and the keys that were listed (`mirror --check`).

use std::path::Path;
use std::time::SystemTime;

use crate::disk;
use crate::document::{Evidence, PackageEvidence, PackageId, Shasums, SigningKey, Verdict};
use crate::package::verify_detached;
use crate::store::MirrorLayout;

/// A signed document and its signature are some KiB.
const DOCUMENT_CAP: u64 = 4 << 20;

/// Whether SHA256SUMS and its signature are there, which every proof needs.
pub(super) fn has_documents(layout: &MirrorLayout, id: &PackageId) -> bool {
    layout.shasums(&id.addr, &id.version).is_file()
        && layout.signature(&id.addr, &id.version).is_file()
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
    if Shasums::parse(&document).digest_of(&package.filename) != Ok(package.shasum) {
        return false;
    }
    match &package.verdict {
        Verdict::Checksum | Verdict::Unauthenticated => true,
        Verdict::Signed { key_id, .. } => {
            let signature = read(&layout.signature(&id.addr, &id.version));
            let keys: Vec<SigningKey> = evidence.signing_keys().cloned().collect();
            let signer = verify_detached(&document, &signature, &keys, SystemTime::now());
            signer.is_ok_and(|signer| signer.key_id == *key_id)
        }
    }
}
