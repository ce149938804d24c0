//! What a mirror directory says of one provider: its documents, read, and what could not be read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::address::{Platform, ProviderAddr};
use crate::disk;
use crate::document::{
    ArchiveEntry, Evidence, JsonDocumentError, MirrorIndex, PackageEvidence, PackageId, Shasums,
    VersionDocument,
};
use crate::ops::verify::mirror_proof::{DOCUMENT_CAP, ProofPlace, prove};
use crate::ops::verify::verification::told;
use crate::ops::{Finding, FindingKind, Subject};
use crate::package::Signer;
use crate::store::{MirrorLayout, MirroredProvider, StoreError, read_document};
use crate::version::Version;

/// A provider of a mirror.
#[derive(Debug)]
pub(in crate::ops) struct ProviderState {
    pub(in crate::ops) addr: ProviderAddr,
    pub(in crate::ops) layout: MirrorLayout,
    pub(in crate::ops) there: MirroredProvider,
    /// The index; empty if it is missing or unreadable.
    pub(in crate::ops) index: MirrorIndex,
    /// Whether the index is there and makes sense.
    pub(in crate::ops) has_index: bool,
    pub(in crate::ops) documents: BTreeMap<Version, VersionDocument>,
    pub(in crate::ops) evidence: BTreeMap<Version, Evidence>,
    /// The SHA256SUMS documents that can be read, proved or not.
    pub(in crate::ops) sums: BTreeMap<Version, Shasums>,
    /// Who signed each version.
    pub(in crate::ops) signers: BTreeMap<Version, Signer>,
    /// Documents that make no sense, and proofs that prove nothing.
    pub(in crate::ops) findings: Vec<Finding>,
    /// Documents that cannot be read.
    pub(in crate::ops) failures: Vec<StoreError>,
    /// The versions that they are about.
    pub(in crate::ops) unread: BTreeSet<Version>,
}

impl ProviderState {
    /// Reads all documents of a provider; what they prove [`Self::proved`] finds out. One that cannot be read hinders no
    /// other. Blocks.
    pub(in crate::ops) fn read(
        addr: ProviderAddr,
        layout: MirrorLayout,
        there: MirroredProvider,
    ) -> Self {
        let mut state = Self {
            addr,
            layout,
            index: MirrorIndex::default(),
            has_index: false,
            documents: BTreeMap::new(),
            evidence: BTreeMap::new(),
            sums: BTreeMap::new(),
            signers: BTreeMap::new(),
            findings: Vec::new(),
            failures: Vec::new(),
            unread: BTreeSet::new(),
            there,
        };
        let provider = Subject::provider(&state.addr);
        if let Some(path) = state.there.index.clone() {
            let index = state.parsed(&path, provider, MirrorIndex::parse);
            state.has_index = index.is_some();
            state.index = index.unwrap_or_default();
        }
        for (version, path) in state.there.documents.clone() {
            let subject = Subject::version(&state.addr, &version);
            let document = state.parsed(&path, subject, VersionDocument::parse);
            state.documents.extend(document.map(|it| (version, it)));
        }
        for (version, path) in state.there.evidence.clone() {
            let subject = Subject::version(&state.addr, &version);
            let evidence = state.parsed(&path, subject, Evidence::parse);
            state.evidence.extend(evidence.map(|it| (version, it)));
        }
        for (version, path) in &state.there.sums {
            // What cannot be read is no proof, and told as that.
            if let Ok(document) = disk::read_capped(path, DOCUMENT_CAP) {
                let sums = Shasums::parse(&document);
                state.sums.insert(version.clone(), sums);
            }
        }
        state
    }

    /// The provider with its signatures verified. Blocks, for some milliseconds a version.
    pub(in crate::ops) fn proved(mut self) -> Self {
        self.prove_versions();
        self
    }

    fn parsed<T>(
        &mut self,
        path: &Path,
        subject: Subject,
        parse: impl FnOnce(&[u8]) -> Result<T, JsonDocumentError>,
    ) -> Option<T> {
        match read_document(path, parse) {
            Ok(document) => document,
            Err(StoreError::Document { source, .. }) => {
                let finding = Finding::new(FindingKind::Unreadable, subject);
                let finding = finding.at(path).got(&told(&source));
                self.findings.push(if finding.is_about_evidence() {
                    finding.because(UNREADABLE_EVIDENCE)
                } else {
                    finding
                });
                None
            }
            Err(other) => {
                self.failures.push(other);
                self.unread.extend(subject.version);
                None
            }
        }
    }

    fn prove_versions(&mut self) {
        for (version, evidence) in &self.evidence {
            let place = self.proof_place(version);
            let proof = prove(&self.addr, version, evidence, &place);
            self.findings.extend(proof.findings);
            self.signers
                .extend(proof.signer.map(|it| (version.clone(), it)));
        }
        for (version, path) in &self.there.sums {
            if !self.there.evidence.contains_key(version) {
                let evidence = self.layout.evidence(&self.addr, version);
                let subject = Subject::version(&self.addr, version);
                self.findings.push(
                    Finding::new(FindingKind::Missing, subject)
                        .at(&evidence)
                        .because(format!("without it `{}` proves nothing", path.display())),
                );
            }
        }
    }

    fn proof_place(&self, version: &Version) -> ProofPlace {
        let sums = self.there.sums.get(version).cloned();
        let signature = self.there.signatures.get(version).cloned();
        ProofPlace {
            sums: sums.unwrap_or_else(|| self.layout.shasums(&self.addr, version)),
            signature: signature.unwrap_or_else(|| self.layout.signature(&self.addr, version)),
        }
    }

    pub(in crate::ops) fn id(&self, (version, platform): &(Version, Platform)) -> PackageId {
        PackageId {
            addr: self.addr.clone(),
            version: version.clone(),
            platform: platform.clone(),
        }
    }

    /// The evidence of a package.
    pub(in crate::ops) fn package(
        &self,
        (version, platform): &(Version, Platform),
    ) -> Option<&PackageEvidence> {
        self.evidence.get(version)?.packages.get(platform)
    }

    /// The entry of a package in its version's document.
    pub(in crate::ops) fn entry(
        &self,
        (version, platform): &(Version, Platform),
    ) -> Option<&ArchiveEntry> {
        self.documents.get(version)?.archives.get(platform)
    }

    /// Where the document of a version is or should be.
    pub(in crate::ops) fn document_path(&self, version: &Version) -> PathBuf {
        let there = self.there.documents.get(version).cloned();
        there.unwrap_or_else(|| self.layout.version_document(&self.addr, version))
    }

    /// Where the index is or should be.
    pub(in crate::ops) fn index_path(&self) -> PathBuf {
        let there = self.there.index.clone();
        there.unwrap_or_else(|| self.layout.index(&self.addr))
    }

    /// Whether a package is there under a name that the tools take for this one.
    pub(in crate::ops) fn is_of_lower_cased(&self, version: &Version) -> bool {
        let text = version.to_string();
        let mut keys = self.there.archives.keys();
        keys.any(|key| {
            self.there.is_lower_cased(&self.addr, key) && key.0.to_string().to_lowercase() == text
        })
    }
}

const UNREADABLE_EVIDENCE: &str = "`--fix` leaves evidence: bring it back from a copy, or delete it, and `--fix` fetches the version anew if other versions \
     tell whose keys to trust";
