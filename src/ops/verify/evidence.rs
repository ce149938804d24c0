//! Lock files against the evidence that a mirror directory keeps: hashes that the publisher's signed document does not
//! have, told without asking anybody.

use std::path::Path;

use crate::address::ProviderAddr;
use crate::disk;
use crate::document::{ProviderLock, Shasums};
use crate::hash::{HashScheme, PackageHash};
use crate::ops::verify::lock_file::comparable;
use crate::ops::verify::mirror_proof::{DOCUMENT_CAP, ProofPlace, prove};
use crate::ops::{Finding, FindingKind, Subject};
use crate::store::{MirrorLayout, MirrorStore};
use crate::version::Version;

/// What a lock file says of a provider, and the name of the file.
pub(in crate::ops) type NamedLock = (Option<String>, ProviderAddr, ProviderLock);

/// The `zh` hashes of locks that no signed document of the mirror in `dir` has for their versions, while it has others of
/// the same lock. Where nothing is proved, nothing is told. Blocks.
pub(in crate::ops) fn invented_hashes(dir: &Path, locks: &[NamedLock]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, addr, lock) in locks {
        let Some(published) = signed_hashes(dir, addr, &lock.version) else {
            continue;
        };
        let locked = comparable(lock, |hash| hash.scheme() == HashScheme::Zh);
        let is_published = |hash: &PackageHash| published.contains(hash);
        if !locked.iter().any(|hash| is_published(hash)) {
            continue;
        }
        let invented = locked
            .iter()
            .filter(|hash| hash.is_possible() && !is_published(hash));
        findings.extend(invented.map(|hash| {
            Finding {
                lock: name.clone(),
                ..Finding::new(
                    FindingKind::InventedHash,
                    Subject::version(addr, &lock.version),
                )
                .got(hash)
                .because(
                    "the publisher's signed SHA256SUMS document in the mirror does not have it",
                )
            }
        }));
    }
    findings
}

/// The hashes of a version's signed document, if its signature holds.
fn signed_hashes(dir: &Path, addr: &ProviderAddr, version: &Version) -> Option<Vec<PackageHash>> {
    let store = MirrorStore::new(dir);
    let evidence = store.evidence_of_versions(addr).ok()?.remove(version)?;
    let layout: &MirrorLayout = store.layout();
    let place = ProofPlace {
        sums: layout.shasums(addr, version),
        signature: layout.signature(addr, version),
    };
    let proof = prove(addr, version, &evidence, &place);
    proof.signer.filter(|_| proof.findings.is_empty())?;
    let document = disk::read_capped(&place.sums, DOCUMENT_CAP).ok()?;
    Shasums::parse(&document).package_hashes()
}
