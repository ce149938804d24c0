//! The mirror directory: takes verified packages, and tells which are there.
//!
//! Order of writes for a package: the archive, SHA256SUMS and its signature, the evidence, the
//! version document, the index. So a kill at any instant leaves documents that name only what is
//! there, and the next run adds what they do not name yet. Documents are read, changed and replaced
//! under a lock, since several processes may fill one mirror.
//!
//! Hostile input: the directory may be shared. Names are built from validated values alone;
//! documents are capped, parsed strictly and never trusted for names; an archive counts as present
//! only if its size is the one that the evidence tells.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use url::Url;

use crate::address::ProviderAddr;
use crate::disk::{self, FileLock, TempDir, TempFile};
use crate::document::{
    Evidence, JsonDocumentError, MirrorIndex, Origin, PackageEvidence, PackageId,
};
use crate::document::{SigningKey, Verdict};
use crate::hash::{PackageHash, Sha256Digest};
use crate::package::{VerifiedPackage, h1_of_directory, inspect};
use crate::store::mirror_binding::{SumsUse, compare};
use crate::store::mirror_index::{
    IndexedArchive, IndexedVersion, agree_on_versions, forget_archive, index_archive,
};
use crate::store::mirror_layout::Form;
use crate::store::mirror_proof::{documents_deny, documents_prove, has_documents};
use crate::store::{MirrorLayout, StoreError};
use crate::version::Version;

/// Evidence of a version with many platforms and keys stays far below this.
const DOCUMENT_CAP: u64 = 64 << 20;

/// A directory that is a filesystem mirror, a network mirror and a place of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorStore {
    layout: MirrorLayout,
}

/// When a package that is there is good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresentCheck {
    /// The evidence names it and its size is right.
    Size,
    /// Its bytes have the digest of the evidence, and the documents beside it prove that, too
    /// (`--check`).
    Bytes,
}

/// The right to change documents of a mirror, held until it is dropped.
#[derive(Debug)]
pub struct MirrorLock {
    _lock: FileLock,
}

/// A package that is there and good enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptPackage {
    /// What was proved when it was fetched.
    pub verdict: Verdict,
    /// Its size in bytes.
    pub size: u64,
}

/// What the origin said of a package, to be kept as evidence.
#[derive(Debug, Clone)]
pub struct MirrorRecord {
    /// The registry's name for the archive.
    pub filename: String,
    /// Plugin protocol versions as the registry writes them.
    pub protocols: Vec<String>,
    /// Where the archive came from, if not from a directory.
    pub download_url: Option<Url>,
    /// What a registry signs; `None` if the package came from another mirror, which has no such thing.
    pub sums: Option<SumsRecord>,
}

/// The signed document of a version, and who may have signed it.
#[derive(Debug, Clone)]
pub struct SumsRecord {
    /// Where SHA256SUMS came from.
    pub shasums_url: Url,
    /// Where its signature came from.
    pub signature_url: Url,
    /// SHA256SUMS as received.
    pub shasums: Vec<u8>,
    /// Its signature as received.
    pub signature: Vec<u8>,
    /// The keys that the registry lists.
    pub signing_keys: Vec<SigningKey>,
    /// The fingerprint of the key that signed, once it is trusted.
    pub trusted_key: Option<String>,
}

impl MirrorStore {
    /// The mirror in directory `root`, which need not exist.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            layout: MirrorLayout::new(root),
        }
    }

    /// The names of its files.
    pub fn layout(&self) -> &MirrorLayout {
        &self.layout
    }

    /// The package, if it is there and good enough. Blocks; `PresentCheck::Bytes` reads all of it.
    ///
    /// # Errors
    ///
    /// If the evidence or the archive cannot be read.
    pub fn present(
        &self,
        id: &PackageId,
        check: PresentCheck,
    ) -> Result<Option<KeptPackage>, StoreError> {
        let Some(evidence) = self.evidence(&id.addr, &id.version)? else {
            return Ok(None);
        };
        let Some(package) = evidence.packages.get(&id.platform) else {
            return Ok(None);
        };
        let archive = self.layout.archive(id);
        let complete = has_size(&archive, package.size)
            && has_documents(&self.layout, id, &evidence)
            && (MirrorLayout::form(&id.version) == Form::Packed
                || self.layout.unpacked(id).is_dir());
        if !complete {
            return Ok(None);
        }
        let is_proved = || -> Result<bool, StoreError> {
            Ok(documents_prove(&self.layout, id, &evidence, package)
                && disk::sha256(&archive)? == package.shasum
                && self.is_unpacked_as_packed(id))
        };
        if check == PresentCheck::Bytes && !is_proved()? {
            log::info!("`{}` is damaged and fetched again", archive.display());
            return Ok(None);
        }
        Ok(Some(KeptPackage {
            verdict: package.verdict.clone(),
            size: package.size,
        }))
    }

    /// Whether the files that the tools take before the archive are those of the archive. What was added beside archives
    /// that need no such files is not ours to change.
    fn is_unpacked_as_packed(&self, id: &PackageId) -> bool {
        if MirrorLayout::form(&id.version) == Form::Packed {
            return true;
        }
        let packed = inspect(&self.layout.archive(id), id.addr.ty());
        let unpacked = h1_of_directory(&self.layout.unpacked(id));
        matches!((packed, unpacked), (Ok(packed), Ok(unpacked)) if packed.h1_directory == unpacked)
    }

    /// The hashes of a package that is there, as evidence and index tell them. Blocks.
    ///
    /// # Errors
    ///
    /// If they cannot be read or understood.
    pub fn known_hashes(&self, id: &PackageId) -> Result<Vec<PackageHash>, StoreError> {
        let evidence = self.evidence(&id.addr, &id.version)?;
        let package = evidence
            .as_ref()
            .and_then(|it| it.packages.get(&id.platform));
        let Some(package) = package else {
            return Ok(Vec::new());
        };
        let zh = PackageHash::zh(package.shasum);
        let indexed = IndexedVersion::read(&self.layout, &id.addr, &id.version, &BTreeSet::new())?;
        let mut hashes = indexed.hashes_with(&id.platform, &zh);
        hashes.push(zh);
        Ok(hashes)
    }

    /// Compares what the origin says of a package, and its digest if that is known, with what the mirror has of the
    /// version. Blocks.
    ///
    /// # Errors
    ///
    /// If they contradict each other, or evidence cannot be read or understood.
    pub fn compare(
        &self,
        id: &PackageId,
        record: &MirrorRecord,
        digest: Option<Sha256Digest>,
    ) -> Result<(), StoreError> {
        let evidence = self.evidence(&id.addr, &id.version)?.unwrap_or_default();
        compare(&self.layout, id, &evidence, record, digest)?;
        Ok(())
    }

    /// Takes a package, its file, the `h1:` of its archive, and what the origin said of it. Blocks.
    ///
    /// # Errors
    ///
    /// If the mirror has another package under the name, something cannot be written, or a document that is there cannot
    /// be understood; the mirror is then as good as before.
    pub fn put(
        &self,
        _lock: &MirrorLock,
        package: &VerifiedPackage,
        file: TempFile,
        h1_zip: &PackageHash,
        record: &MirrorRecord,
    ) -> Result<(), StoreError> {
        let id = package.id();
        // Another process may have come first, and this one's first look was before the digest was known.
        let evidence = self.evidence(&id.addr, &id.version)?.unwrap_or_default();
        let digest = Some(package.digest());
        let sums_use = compare(&self.layout, id, &evidence, record, digest)?;
        if MirrorLayout::form(&id.version) == Form::PackedAndUnpacked {
            let target = self.layout.unpacked(id);
            let staged = TempDir::create_beside(&target)?;
            package.unpack(staged.path())?;
            staged.persist(&target)?;
        }
        let archive = self.layout.archive(id);
        file.persist(&archive)?;
        if let (Some(sums), SumsUse::Replace) = (&record.sums, sums_use) {
            disk::write_atomically(&self.layout.shasums(&id.addr, &id.version), &sums.shasums)?;
            let path = self.layout.signature(&id.addr, &id.version);
            disk::write_atomically(&path, &sums.signature)?;
        }
        self.record(package, record, evidence)?;
        let zh = PackageHash::zh(package.digest());
        let archive = IndexedArchive {
            id: id.clone(),
            hashes: vec![h1_zip.clone(), zh],
        };
        index_archive(&self.layout, &archive)
    }

    /// The packages of `addr` that the evidence of `versions`, and of versions that the index does
    /// not list, names and the indexes do not: an earlier run may have been killed before it came
    /// to them, or somebody deleted them. Under [`PresentCheck::Bytes`] an index that names an
    /// archive with another `h1:` than its own counts as well. Blocks.
    ///
    /// # Errors
    ///
    /// If a document cannot be read or understood.
    pub fn unindexed(
        &self,
        addr: &ProviderAddr,
        versions: &BTreeSet<Version>,
        check: PresentCheck,
    ) -> Result<Vec<IndexedArchive>, StoreError> {
        let listed = self.listed_versions(addr)?;
        let mut versions = versions.clone();
        versions.extend(self.unlisted_versions(addr, &listed)?);
        let mut unindexed = Vec::new();
        for version in versions {
            let Some(evidence) = self.evidence(addr, &version)? else {
                continue;
            };
            let indexed = IndexedVersion::read(&self.layout, addr, &version, &listed)?;
            for (platform, package) in &evidence.packages {
                let id = PackageId {
                    addr: addr.clone(),
                    version: version.clone(),
                    platform: platform.clone(),
                };
                if !has_size(&self.layout.archive(&id), package.size) {
                    continue;
                }
                let lacking = indexed.lacks(&self.layout, id.clone(), package.shasum, check)?;
                if lacking.is_some() && !documents_deny(&self.layout, &id, package) {
                    unindexed.extend(lacking);
                }
            }
        }
        Ok(unindexed)
    }

    /// Names archives in the indexes. Blocks.
    ///
    /// # Errors
    ///
    /// If a document cannot be read, understood or written.
    pub fn index(&self, _lock: &MirrorLock, archives: &[IndexedArchive]) -> Result<(), StoreError> {
        archives
            .iter()
            .try_for_each(|archive| index_archive(&self.layout, archive))
    }

    /// Takes packages out of the indexes of `addr` that are `gone` and that no evidence names, and brings the index in
    /// agreement with the documents of `versions`. Blocks.
    ///
    /// # Errors
    ///
    /// If a document cannot be read, understood or written.
    pub fn forget_absent(
        &self,
        _lock: &MirrorLock,
        addr: &ProviderAddr,
        versions: &BTreeSet<Version>,
        gone: &[PackageId],
    ) -> Result<(), StoreError> {
        for id in gone {
            let evidence = self.evidence(&id.addr, &id.version)?;
            let is_named = evidence.is_some_and(|it| it.packages.contains_key(&id.platform));
            if !is_named && !self.layout.archive(id).exists() {
                forget_archive(&self.layout, id)?;
            }
        }
        agree_on_versions(&self.layout, addr, versions)
    }

    /// Removes what killed runs left of `addr`; what cannot be removed does no harm. Blocks.
    pub fn remove_leftovers(&self, addr: &ProviderAddr, versions: &BTreeSet<Version>) {
        let provider_dir = self.layout.provider_dir(addr);
        let version_dirs = versions
            .iter()
            .map(|version| provider_dir.join(version.to_string()));
        for dir in version_dirs
            .filter(|dir| dir.is_dir())
            .chain([provider_dir.clone()])
        {
            if let Err(error) = disk::remove_stale_temps(&dir) {
                log::info!("{error}");
            }
        }
    }

    fn listed_versions(&self, addr: &ProviderAddr) -> Result<BTreeSet<Version>, StoreError> {
        let index = read_document(&self.layout.index(addr), MirrorIndex::parse)?;
        Ok(index.map(|index| index.versions()).unwrap_or_default())
    }

    /// Versions with evidence that are not in the index.
    fn unlisted_versions(
        &self,
        addr: &ProviderAddr,
        listed: &BTreeSet<Version>,
    ) -> Result<BTreeSet<Version>, StoreError> {
        let mut versions = BTreeSet::new();
        for name in disk::file_names(&self.layout.provider_dir(addr))? {
            let version = MirrorLayout::version_of_evidence(addr, &name);
            versions.extend(version.filter(|version| !listed.contains(version)));
        }
        Ok(versions)
    }

    fn record(
        &self,
        package: &VerifiedPackage,
        record: &MirrorRecord,
        mut evidence: Evidence,
    ) -> Result<(), StoreError> {
        let id = package.id();
        if let Some(sums) = &record.sums {
            if evidence.origin.shasums_url.is_none() {
                let (sums_url, signature_url) = (&sums.shasums_url, &sums.signature_url);
                let host = id.addr.hostname();
                evidence.origin = Origin::new(host, Some(sums_url), Some(signature_url));
            }
            evidence.protocols.clone_from(&record.protocols);
            for key in &sums.signing_keys {
                evidence.add_signing_key(key.clone());
            }
            evidence.trusted_keys.extend(sums.trusted_key.clone());
        }
        let entry = PackageEvidence::new(
            &record.filename,
            package.digest(),
            package.size(),
            package.verdict().clone(),
            record.download_url.as_ref(),
        );
        evidence.packages.insert(id.platform.clone(), entry);
        let path = self.layout.evidence(&id.addr, &id.version);
        Ok(disk::write_atomically(&path, evidence.render().as_bytes())?)
    }

    /// What is known of each version of `addr`. Blocks.
    ///
    /// # Errors
    ///
    /// If evidence cannot be read or understood.
    pub fn evidence_of_versions(
        &self,
        addr: &ProviderAddr,
    ) -> Result<BTreeMap<Version, Evidence>, StoreError> {
        let dir = self.layout.provider_dir(addr);
        let mut found = BTreeMap::new();
        if !dir.is_dir() {
            return Ok(found);
        }
        for name in disk::file_names(&dir)? {
            if let Some(version) = MirrorLayout::version_of_evidence(addr, &name)
                && let Some(evidence) = self.evidence(addr, &version)?
            {
                found.insert(version, evidence);
            }
        }
        Ok(found)
    }

    fn evidence(
        &self,
        addr: &ProviderAddr,
        version: &Version,
    ) -> Result<Option<Evidence>, StoreError> {
        read_document(&self.layout.evidence(addr, version), Evidence::parse)
    }

    /// The right to change documents of this mirror, unless another process has it.
    ///
    /// # Errors
    ///
    /// If the lock file cannot be made.
    pub fn try_lock(&self) -> Result<Option<MirrorLock>, StoreError> {
        let lock = FileLock::try_exclusive(&self.layout.lock_file())?;
        Ok(lock.map(|lock| MirrorLock { _lock: lock }))
    }
}

/// Reads and parses a document of a mirror; `None` if there is none. Blocks.
///
/// # Errors
///
/// If it cannot be read or understood.
pub fn read_document<T>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, JsonDocumentError>,
) -> Result<Option<T>, StoreError> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = disk::read_capped(path, DOCUMENT_CAP)?;
    let document = parse(&bytes).map_err(|source| StoreError::Document {
        path: path.to_owned(),
        source,
    })?;
    Ok(Some(document))
}

fn has_size(path: &Path, size: u64) -> bool {
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.len() == size)
}
