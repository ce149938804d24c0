//! The JSON documents of a network mirror on disk: each entry names an archive that is there, with
//! the hashes of that very archive (facts/providers 7.6, 7.7; the tools mix up versions here).

use std::collections::BTreeSet;

use crate::address::{Platform, ProviderAddr};
use crate::disk;
use crate::document::{ArchiveEntry, MirrorIndex, PackageId, VersionDocument};
use crate::hash::{HashScheme, PackageHash, Sha256Digest};
use crate::package::h1_of_zip;
use crate::store::mirror_store::read_document;
use crate::store::{MirrorLayout, PresentCheck, StoreError};
use crate::version::Version;

/// An archive and the hashes that its entry is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedArchive {
    pub(super) id: PackageId,
    /// `h1:` of the archive and `zh:`.
    pub(super) hashes: Vec<PackageHash>,
}

/// Names an archive in its version document, then the version in the index. What other programs
/// wrote into these documents stays.
pub(super) fn index_archive(
    layout: &MirrorLayout,
    archive: &IndexedArchive,
) -> Result<(), StoreError> {
    let id = &archive.id;
    let path = layout.version_document(&id.addr, &id.version);
    let mut document = read_document(&path, VersionDocument::parse)?.unwrap_or_default();
    let url = layout.archive_url(id);
    document
        .archives
        .entry(id.platform.clone())
        .or_insert_with(|| ArchiveEntry::new(&url, []))
        .update(&url, archive.hashes.iter().cloned());
    disk::write_atomically(&path, document.render().as_bytes())?;
    list_version(layout, id)
}

/// What the documents of a mirror say of the archives of one version, read once for all of them.
pub(super) struct IndexedVersion {
    document: VersionDocument,
    /// Whether the index has the version.
    is_listed: bool,
}

impl IndexedVersion {
    /// Reads the document of a version that is, or is not, among those that the index lists.
    pub(super) fn read(
        layout: &MirrorLayout,
        addr: &ProviderAddr,
        version: &Version,
        listed: &BTreeSet<Version>,
    ) -> Result<Self, StoreError> {
        let path = layout.version_document(addr, version);
        Ok(Self {
            document: read_document(&path, VersionDocument::parse)?.unwrap_or_default(),
            is_listed: listed.contains(version),
        })
    }

    /// All hashes of the entry for `platform` that has `own`; none if there is no such entry.
    pub(super) fn hashes_with(&self, platform: &Platform, own: &PackageHash) -> Vec<PackageHash> {
        let entry = self.document.archives.get(platform);
        let entry = entry.filter(|entry| entry.hashes.contains(own));
        entry.map_or_else(Vec::new, |entry| entry.hashes.clone())
    }

    /// The entry that the documents lack of an archive whose digest is known, `None` if they have it.
    /// Its `h1:` is computed only if they lack it, or if that is to be checked.
    pub(super) fn lacks(
        &self,
        layout: &MirrorLayout,
        id: PackageId,
        digest: Sha256Digest,
        check: PresentCheck,
    ) -> Result<Option<IndexedArchive>, StoreError> {
        let zh = PackageHash::zh(digest);
        let url = layout.archive_url(&id);
        let entry = self.document.archives.get(&id.platform);
        let entry = entry.filter(|entry| entry.hashes.contains(&zh) && entry.url == url);
        let known = entry.and_then(h1_of).filter(|_| self.is_listed);
        let is_bare = entry.is_some_and(has_one_of_each);
        if known.is_some() && check == PresentCheck::Size {
            return Ok(None);
        }
        let h1 = h1_of_zip(&layout.archive(&id))?;
        if known == Some(&h1) && is_bare {
            return Ok(None);
        }
        let hashes = vec![h1, zh];
        Ok(Some(IndexedArchive { id, hashes }))
    }
}

/// Whether an entry has no hash that another archive could have under a known scheme.
fn has_one_of_each(entry: &ArchiveEntry) -> bool {
    let count = |scheme| {
        entry
            .hashes
            .iter()
            .filter(|it| it.scheme() == scheme)
            .count()
    };
    count(HashScheme::H1) == 1 && count(HashScheme::Zh) == 1
}

fn h1_of(entry: &ArchiveEntry) -> Option<&PackageHash> {
    entry
        .hashes
        .iter()
        .find(|hash| hash.scheme() == HashScheme::H1)
}

/// Takes an archive out of the document of its version; a document that names nothing then is removed.
pub(super) fn forget_archive(layout: &MirrorLayout, id: &PackageId) -> Result<(), StoreError> {
    let path = layout.version_document(&id.addr, &id.version);
    let Some(mut document) = read_document(&path, VersionDocument::parse)? else {
        return Ok(());
    };
    if document.archives.remove(&id.platform).is_none() {
        return Ok(());
    }
    if document.archives.is_empty() {
        return Ok(disk::remove_dir_all(&path)?);
    }
    Ok(disk::write_atomically(&path, document.render().as_bytes())?)
}

/// Lists those of `versions` that have a document, and takes those off the index that have none.
pub(super) fn agree_on_versions(
    layout: &MirrorLayout,
    addr: &ProviderAddr,
    versions: &BTreeSet<Version>,
) -> Result<(), StoreError> {
    let path = layout.index(addr);
    let before = read_document(&path, MirrorIndex::parse)?;
    let mut index = before.clone().unwrap_or_default();
    for version in versions {
        let path = layout.version_document(addr, version);
        let document = read_document(&path, VersionDocument::parse)?;
        if document.is_some_and(|document| !document.archives.is_empty()) {
            index.insert(version);
        } else {
            index.remove(version);
        }
    }
    if index.versions() == before.unwrap_or_default().versions() {
        return Ok(());
    }
    Ok(disk::write_atomically(&path, index.render().as_bytes())?)
}

fn list_version(layout: &MirrorLayout, id: &PackageId) -> Result<(), StoreError> {
    let path = layout.index(&id.addr);
    let mut index = read_document(&path, MirrorIndex::parse)?.unwrap_or_default();
    if index.versions().contains(&id.version) {
        return Ok(());
    }
    index.insert(&id.version);
    Ok(disk::write_atomically(&path, index.render().as_bytes())?)
}
