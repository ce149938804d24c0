//! The package cache: archives by their SHA-256 and their unpacked files, shared by all processes of
//! a user.
//!
//! It belongs to the user as the lock file does, and is believed as much. Accidents and attacks, and
//! the answers:
//! - a tool writes to an installed file that is the cache's own file under another name: stamps of
//!   all unpacked files are compared at each use, and a directory that differs is made anew from the
//!   archive, beside the old one and then in its place, so that nobody's running program changes;
//! - a damaged archive: noticed by its stamp, proved by its digest, dropped and fetched anew;
//! - what was proved of one package passed off as proof of another with the same bytes: verdicts are
//!   kept for each address, version, platform and digest, and count as `package` lets them;
//! - two processes that fill, mend or delete one entry: each entry is locked, and only who holds the
//!   lock changes it;
//! - a process killed at any instant: archive, files, index and record come in this order, each in one
//!   step, and what has no record is proved by its digest or made anew;
//! - a record or directory that something else wrote: strict reading, links refused, names made of
//!   digests and validated values alone.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::disk::{self, DiskError, FileLock, TempDir};
use crate::document::{PackageId, Verdict};
use crate::hash::{PackageHash, Sha256Digest};
use crate::package::KnownContents;
use crate::store::cache_layout::{CacheLayout, digest_of};
use crate::store::cache_record::CacheRecord;
use crate::store::{CacheEntry, CachedModule, ModuleCache, ModuleReleases, StoreError};

/// Thousands of files make a record of some hundred kilobytes.
const RECORD_CAP: u64 = 64 << 20;

/// Backup programs leave out a directory with this file.
const TAG_NAME: &str = "CACHEDIR.TAG";
const TAG: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55\n";

/// The packages that were fetched on this machine.
#[derive(Debug, Clone)]
pub struct PackageCache {
    layout: CacheLayout,
    /// The directory, if it is to be deleted when the last user of the cache is gone.
    temporary: Option<Arc<TempDir>>,
}

/// Everything that a cache holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CacheContents {
    /// Archives of providers and their files, by digest.
    pub archives: Vec<CachedFacts>,
    /// Packages of modules, by source and identity.
    pub modules: Vec<CachedModule>,
}

/// What is known of an entry without looking at its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedFacts {
    /// The archive's digest.
    pub digest: Sha256Digest,
    /// The packages that it is, and what was proved of each; none if its record is missing.
    pub packages: Vec<(PackageId, Verdict)>,
    /// The size of the archive in bytes.
    pub archive_bytes: u64,
    /// The size of the unpacked files in bytes.
    pub unpacked_bytes: u64,
    /// When it was used last, where that is known.
    pub last_used: Option<SystemTime>,
}

impl CachedFacts {
    /// Archive and unpacked files together.
    pub fn bytes(&self) -> u64 {
        self.archive_bytes + self.unpacked_bytes
    }
}

impl PackageCache {
    /// The cache in `dir`, which is made if it is missing.
    ///
    /// # Errors
    ///
    /// If directories cannot be made there.
    pub fn open(dir: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let layout = CacheLayout::new(dir.into());
        for dir in [
            layout.archives(),
            layout.unpacked_dirs(),
            layout.records(),
            layout.locks(),
        ] {
            disk::create_dir_all(&dir)?;
        }
        let tag = layout.root().join(TAG_NAME);
        if !tag.exists() {
            disk::write_atomically(&tag, TAG)?;
        }
        Ok(Self {
            layout,
            temporary: None,
        })
    }

    /// A cache in a new hidden directory in `dir`, which is made if it is missing. It is deleted with
    /// the last handle to it or to one of its entries; what is left of a broken download stays in `dir`.
    /// Blocks.
    ///
    /// # Errors
    ///
    /// As [`PackageCache::open`].
    pub fn temporary_in(dir: &Path) -> Result<Self, StoreError> {
        let temporary = TempDir::create_beside(&dir.join("packages"))?;
        let cache = Self::open(temporary.path())?;
        Ok(Self {
            temporary: Some(Arc::new(temporary)),
            ..cache
        })
    }

    /// The cache in `dir`, if there is one.
    pub fn existing(dir: impl Into<PathBuf>) -> Option<Self> {
        let layout = CacheLayout::new(dir.into());
        let is_there = layout.root().is_dir();
        is_there.then_some(Self {
            layout,
            temporary: None,
        })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.layout.dir()
    }

    /// Whether there is an archive under this digest, in whatever state.
    pub fn has_archive(&self, digest: Sha256Digest) -> bool {
        self.layout.archive(digest).symlink_metadata().is_ok()
    }

    /// Where files for archives on their way into the cache are made: beside this path.
    pub fn new_archive(&self) -> PathBuf {
        match &self.temporary {
            Some(dir) => dir.path().to_owned(),
            None => self.layout.archives().join("new"),
        }
    }

    /// Locks the entry of `digest`, which may not exist yet; `None` while somebody else works on it.
    ///
    /// # Errors
    ///
    /// If it cannot be locked.
    pub fn try_entry(&self, digest: Sha256Digest) -> Result<Option<CacheEntry>, StoreError> {
        let lock = FileLock::try_exclusive(&self.layout.lock(digest));
        let lock = match lock {
            Err(error) if self.is_only_readable(&error, digest) => Some(None),
            other => other?.map(Some),
        };
        Ok(lock.map(|lock| CacheEntry::new(self.clone(), digest, lock)))
    }

    /// Locks the entry of `digest`, waiting for whoever works on it. Blocks.
    ///
    /// # Errors
    ///
    /// If it cannot be locked.
    pub fn entry(&self, digest: Sha256Digest) -> Result<CacheEntry, StoreError> {
        let waiting = || log::info!("waiting for another process that uses {digest}");
        let lock = match FileLock::exclusive(&self.layout.lock(digest), waiting) {
            Err(error) if self.is_only_readable(&error, digest) => None,
            other => Some(other?),
        };
        Ok(CacheEntry::new(self.clone(), digest, lock))
    }

    /// Whether an archive can be taken from a cache that is somebody else's, or on a disk that is not written.
    fn is_only_readable(&self, error: &DiskError, digest: Sha256Digest) -> bool {
        let kind = error.source.kind();
        let is_forbidden =
            kind == ErrorKind::PermissionDenied || kind == ErrorKind::ReadOnlyFilesystem;
        is_forbidden && self.has_archive(digest)
    }

    /// The archives that package `id` has had. Blocks.
    ///
    /// # Errors
    ///
    /// If the index cannot be read.
    pub fn candidates(&self, id: &PackageId) -> Result<Vec<Sha256Digest>, StoreError> {
        let names = names_in(&self.layout.index(id))?;
        Ok(names
            .iter()
            .filter_map(|name| digest_of(name, ""))
            .collect())
    }

    /// What unpacking the archives that package `id` has had found out, by their digests. Blocks.
    ///
    /// # Errors
    ///
    /// If the index cannot be read.
    pub fn known_contents(
        &self,
        id: &PackageId,
    ) -> Result<Vec<(Sha256Digest, KnownContents)>, StoreError> {
        let known = |digest| Some((digest, self.record(digest)?.contents));
        let candidates = self.candidates(id)?.into_iter();
        let is_for_type = |(_, known): &(_, KnownContents)| known.ty == id.addr.ty();
        Ok(candidates.filter_map(known).filter(is_for_type).collect())
    }

    /// The `h1:` of an installed directory of package `id` whose files are the cache's own files,
    /// unchanged; so that they need not be read. Blocks.
    pub fn h1_of_installed(&self, id: &PackageId, dir: &Path) -> Option<PackageHash> {
        let candidates = self.candidates(id).ok()?;
        if candidates.is_empty() || dir.is_symlink() {
            return None;
        }
        let files = disk::stamps_below(dir).ok()?;
        // Without the number of the file a stamp is not enough to say that it is the same one.
        if files.values().any(|stamp| stamp.inode == 0) {
            return None;
        }
        let records = candidates.into_iter().filter_map(|it| self.record(it));
        let mut same = records.filter(|record| record.files.as_ref() == Some(&files));
        same.next().map(|record| record.contents.h1_directory)
    }

    /// What is known of everything in it. Blocks.
    ///
    /// # Errors
    ///
    /// If the cache cannot be read.
    pub fn contents(&self) -> Result<CacheContents, StoreError> {
        Ok(CacheContents {
            archives: self.facts()?,
            modules: self.modules().facts()?,
        })
    }

    /// What is known of every entry, by digest. Blocks.
    ///
    /// # Errors
    ///
    /// If the cache cannot be read.
    pub fn facts(&self) -> Result<Vec<CachedFacts>, StoreError> {
        let mut digests = Vec::new();
        for (dir, suffix) in [
            (self.layout.records(), ".json"),
            (self.layout.archives(), ".zip"),
            (self.layout.unpacked_dirs(), ""),
        ] {
            let names = names_in(&dir)?;
            digests.extend(names.iter().filter_map(|name| digest_of(name, suffix)));
        }
        digests.sort();
        digests.dedup();
        Ok(digests
            .into_iter()
            .map(|digest| self.facts_of(digest))
            .collect())
    }

    /// Removes what killed processes left; tells how many. Blocks.
    ///
    /// # Errors
    ///
    /// If the cache cannot be read.
    pub fn remove_leftovers(&self) -> Result<usize, StoreError> {
        let dirs = [
            self.layout.archives(),
            self.layout.unpacked_dirs(),
            self.layout.records(),
        ];
        let mut removed = 0;
        for dir in dirs {
            removed += disk::remove_stale_temps(&dir)?;
        }
        removed += self.modules().remove_leftovers()?;
        Ok(removed)
    }

    /// The packages of modules in it.
    pub fn modules(&self) -> ModuleCache {
        ModuleCache::new(self.clone())
    }

    /// What it knows of registries' modules.
    pub fn module_releases(&self) -> ModuleReleases {
        ModuleReleases::new(self.clone())
    }

    pub(super) fn layout(&self) -> &CacheLayout {
        &self.layout
    }

    /// The record of an archive; one that is damaged or about another archive counts as absent.
    pub(super) fn record(&self, digest: Sha256Digest) -> Option<CacheRecord> {
        let bytes = disk::read_capped(&self.layout.record(digest), RECORD_CAP).ok()?;
        CacheRecord::parse(&bytes).filter(|record| record.digest == digest)
    }

    fn facts_of(&self, digest: Sha256Digest) -> CachedFacts {
        let size = |path: PathBuf| path.symlink_metadata().map_or(0, |found| found.len());
        let record = self.record(digest);
        let files = disk::stamps_below(&self.layout.unpacked(digest)).unwrap_or_default();
        let used = fs::metadata(self.layout.lock(digest)).and_then(|found| found.modified());
        CachedFacts {
            digest,
            packages: record.map_or_else(Vec::new, |record| {
                let proofs = record.proofs.into_iter();
                proofs.map(|(id, proof)| (id, proof.verdict)).collect()
            }),
            archive_bytes: size(self.layout.archive(digest)),
            unpacked_bytes: files.values().map(|stamp| stamp.size).sum(),
            last_used: used.ok(),
        }
    }
}

/// The names in a directory; none if there is no directory.
fn names_in(dir: &Path) -> Result<Vec<String>, DiskError> {
    if dir.is_dir() {
        disk::file_names(dir)
    } else {
        Ok(Vec::new())
    }
}
