//! What a mirror's own documents prove of a version without its registry: SHA256SUMS as it was received, its signature,
//! and the keys that the evidence holds.
//!
//! The evidence lies beside what it is about, and whoever can write there can write it too. Attacks, and the answers:
//! - a verdict changed to one that needs no signature: a registry that listed keys has signed, so a signature is
//!   demanded wherever there are keys, of every registry that has to sign, and of every provider of which another version
//!   is signed;
//! - other keys put in, and everything signed with them: the verdict names the key that was, and other versions know the
//!   provider's keys;
//! - a signed document of another version put in place: it does not list the files of this one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::address::{ProviderAddr, Tool};
use crate::disk;
use crate::document::{
    Evidence, PackageEvidence, PackageId, Shasums, ShasumsError, SigningKey, Verdict,
};
use crate::hash::PackageHash;
use crate::ops::mirror::key_trust::listed_keys;
use crate::ops::verify::verification::told;
use crate::ops::{ExpiredKeys, Finding, FindingKind, Subject};
use crate::package::{Signer, verify_detached};
use crate::version::Version;

/// A signed document and its signature are some KiB.
pub(in crate::ops) const DOCUMENT_CAP: u64 = 4 << 20;

/// The files of a version's proof, where they are or should be.
#[derive(Debug, Clone)]
pub(in crate::ops) struct ProofPlace {
    pub(in crate::ops) sums: PathBuf,
    pub(in crate::ops) signature: PathBuf,
}

/// What is proved of a version.
#[derive(Debug, Default)]
pub(in crate::ops) struct VersionProof {
    /// Who signed the document.
    pub(in crate::ops) signer: Option<Signer>,
    /// What is wrong with the proof.
    pub(in crate::ops) findings: Vec<Finding>,
}

/// Proves what the evidence of a version says. Blocks.
pub(in crate::ops) fn prove(
    addr: &ProviderAddr,
    version: &Version,
    evidence: &Evidence,
    place: &ProofPlace,
) -> VersionProof {
    let is_from_registry = evidence.origin.shasums_url.is_some();
    let signed = |package: &PackageEvidence| matches!(package.verdict, Verdict::Signed { .. });
    let is_signed = evidence.packages.values().any(signed)
        || (is_from_registry && !may_lack_signature(addr, evidence));
    let mut proof = VersionProof::default();
    if !is_from_registry && !is_signed {
        return proof;
    }
    let absent = |path: &Path| {
        Finding::new(FindingKind::Unsigned, Subject::version(addr, version))
            .at(path)
            .because("it is not there, and without it nothing is proved of the version's packages")
    };
    let Ok(document) = disk::read_capped(&place.sums, DOCUMENT_CAP) else {
        proof.findings.push(absent(&place.sums));
        return proof;
    };
    if is_signed {
        match disk::read_capped(&place.signature, DOCUMENT_CAP) {
            Ok(signature) => {
                verify(
                    &mut proof,
                    addr,
                    version,
                    evidence,
                    place,
                    (&document, &signature),
                );
            }
            Err(_) => proof.findings.push(absent(&place.signature)),
        }
    }
    let listing = Listing {
        sums: &Shasums::parse(&document),
        path: &place.sums,
    };
    for (platform, package) in &evidence.packages {
        let id = PackageId {
            addr: addr.clone(),
            version: version.clone(),
            platform: platform.clone(),
        };
        proof.findings.extend(listing.disagreement(&id, package));
    }
    proof
}

/// Only the registry of OpenTofu may do without signatures (facts/providers 3.9).
fn may_lack_signature(addr: &ProviderAddr, evidence: &Evidence) -> bool {
    let is_of_tofu = addr.hostname().for_comparison() == Tool::Tofu.default_host();
    is_of_tofu && evidence.signing_keys().next().is_none()
}

/// Verifies the signature of a document with the keys of the evidence.
fn verify(
    proof: &mut VersionProof,
    addr: &ProviderAddr,
    version: &Version,
    evidence: &Evidence,
    place: &ProofPlace,
    (document, signature): (&[u8], &[u8]),
) {
    let subject = || Subject::version(addr, version);
    let keys: Vec<SigningKey> = evidence.signing_keys().cloned().collect();
    let signer = match verify_detached(document, signature, &keys, SystemTime::now()) {
        Ok(signer) => signer,
        Err(error) => {
            let finding = Finding::new(FindingKind::BadSignature, subject());
            proof
                .findings
                .push(finding.at(&place.signature).got(&told(&error)));
            return;
        }
    };
    let other = evidence
        .packages
        .values()
        .find_map(|package| match &package.verdict {
            Verdict::Signed { key_id, .. } if *key_id != signer.key_id => Some(key_id),
            Verdict::Signed { .. } | Verdict::Checksum | Verdict::Unauthenticated => None,
        });
    proof.findings.extend(other.map(|expected| {
        Finding::new(FindingKind::ChangedKey, subject())
            .at(&place.signature)
            .got(&signer.key_id)
            .expected(expected)
            .because("another key signed when the packages were fetched")
    }));
    proof.signer = Some(signer);
}

/// A SHA256SUMS document and where it is.
struct Listing<'d> {
    sums: &'d Shasums,
    path: &'d Path,
}

impl Listing<'_> {
    /// What the document says against the evidence of a package.
    fn disagreement(&self, id: &PackageId, package: &PackageEvidence) -> Option<Finding> {
        match self.sums.digest_of(&package.filename) {
            Ok(digest) if digest == package.shasum => None,
            Ok(digest) => Some(
                Finding::new(FindingKind::Mismatch, id)
                    .at(self.path)
                    .got(&PackageHash::zh(digest))
                    .expected(&PackageHash::zh(package.shasum)),
            ),
            Err(error @ (ShasumsError::NotListed { .. } | ShasumsError::NoDigest { .. })) => Some(
                Finding::new(FindingKind::BadSignature, id)
                    .at(self.path)
                    .got(&error),
            ),
        }
    }
}

/// Tells expired and changed keys among the signers of a provider's versions.
pub(in crate::ops) fn judge_keys(
    addr: &ProviderAddr,
    evidence: &BTreeMap<Version, Evidence>,
    signers: &BTreeMap<Version, Signer>,
    expired_keys: ExpiredKeys,
) -> Vec<Finding> {
    let mut findings = unsigned_among_signed(addr, evidence, signers);
    for (version, signer) in signers {
        let subject = || Subject::version(addr, version);
        if signer.expired.is_some() && expired_keys == ExpiredKeys::Reject {
            findings.push(Finding::new(FindingKind::ExpiredKey, subject()).got(&signer.key_id));
        }
        let own = evidence.get(version).map(|it| &it.trusted_keys);
        if own.is_some_and(|own| own.contains(&signer.fingerprint)) {
            continue;
        }
        let known = known_besides(evidence, version);
        if !known.is_empty() && !known.contains(&signer.fingerprint) {
            let known: Vec<String> = known.into_iter().collect();
            findings.push(
                Finding::new(FindingKind::ChangedKey, subject())
                    .got(&signer.fingerprint)
                    .expected(&known.join(" "))
                    .because("neither earlier versions nor whoever filled the mirror have vouched for the key"),
            );
        }
    }
    findings
}

/// Versions that nothing signed proves, of a provider whose other versions are signed.
fn unsigned_among_signed(
    addr: &ProviderAddr,
    evidence: &BTreeMap<Version, Evidence>,
    signers: &BTreeMap<Version, Signer>,
) -> Vec<Finding> {
    let is_signed = |evidence: &Evidence| {
        let mut packages = evidence.packages.values();
        packages.any(|it| matches!(it.verdict, Verdict::Signed { .. }))
    };
    // Of the others a signature was demanded already.
    let needs_none = |evidence: &Evidence| {
        let is_from_registry = evidence.origin.shasums_url.is_some();
        !is_signed(evidence) && (!is_from_registry || may_lack_signature(addr, evidence))
    };
    let suspicious = evidence
        .iter()
        .filter(|(version, it)| !signers.contains_key(*version) && needs_none(it));
    let finding = |(version, _): (&Version, &Evidence)| {
        Finding::new(FindingKind::Unsigned, Subject::version(addr, version)).because(
            "other versions of the provider are signed, and nothing signed proves this one",
        )
    };
    if signers.is_empty() {
        return Vec::new();
    }
    suspicious.map(finding).collect()
}

/// The keys that a provider is known by without the evidence of `version`, unless that says itself whom it trusts: those
/// that were trusted for any version, and those that were listed for earlier ones.
fn known_besides(evidence: &BTreeMap<Version, Evidence>, version: &Version) -> BTreeSet<String> {
    let trusted = evidence
        .values()
        .flat_map(|it| it.trusted_keys.iter().cloned());
    let mut known: BTreeSet<String> = trusted.collect();
    known.extend(listed_keys(evidence.range(..version).map(|(_, it)| it)));
    known
}
