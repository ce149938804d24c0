//! One entry of the package cache, locked: what it holds, taking a package in, mending, deleting.
//!
//! The threats and answers are those of `package_cache`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::disk::{self, FileLock, FileStamp, TempDir, TempFile};
use crate::document::{PackageId, Published};
use crate::hash::{PackageHash, Sha256Digest};
use crate::package::{
    ArchiveClaim, IntactArchive, KnownContents, Scrutiny, VerifiedPackage, h1_of_directory,
};
use crate::store::cache_layout::CacheLayout;
use crate::store::cache_record::{CacheRecord, RememberedProof};
use crate::store::{PackageCache, StoreError};

/// The entry of one archive, which nobody else changes while this value lives.
#[derive(Debug)]
pub struct CacheEntry {
    cache: PackageCache,
    digest: Sha256Digest,
    /// `None` where the cache can be read and not written: then nothing is ever changed in it.
    lock: Option<FileLock>,
}

/// A package that the cache holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedPackage {
    /// Its unpacked files; `None` if they were unpacked for another type of provider.
    pub(super) unpacked: Option<PathBuf>,
    /// The `h1:` hash of its directory.
    pub(super) h1_directory: PackageHash,
}

/// What is wrong with a file or directory of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheDamage {
    /// What it is about.
    pub path: PathBuf,
    /// The hash that it has; `None` if it is missing or has none.
    pub got: Option<String>,
    /// The hash that it should have.
    pub expected: String,
}

impl CacheEntry {
    pub(super) fn new(cache: PackageCache, digest: Sha256Digest, lock: Option<FileLock>) -> Self {
        Self {
            cache,
            digest,
            lock,
        }
    }

    fn is_read_only(&self) -> bool {
        self.lock.is_none()
    }

    /// The digest of the archive.
    pub fn digest(&self) -> Sha256Digest {
        self.digest
    }

    /// The archive, if it is there and has its digest; one that has another is dropped with all that
    /// came from it. Blocks, and reads the archive if there is reason to doubt it.
    ///
    /// # Errors
    ///
    /// If it cannot be read or dropped.
    pub fn archive(&self) -> Result<Option<IntactArchive>, StoreError> {
        let record = self.record();
        let is_sound = |record: &CacheRecord| record.files.is_none() || self.has_unpacked(record);
        let scrutiny = match &record {
            Some(record) if is_sound(record) => Scrutiny::Stamp,
            // The files are to be made anew from the archive, so its bytes have to be right.
            Some(_) | None => Scrutiny::Bytes,
        };
        let path = self.layout().archive(self.digest);
        let is_there = path.symlink_metadata().is_ok();
        let claim = ArchiveClaim {
            path,
            digest: self.digest,
            stamp: record.as_ref().map(|record| record.archive),
            unpacked: record.as_ref().map(|record| record.contents.clone()),
        };
        let Some(archive) = IntactArchive::check(claim, scrutiny)? else {
            if is_there {
                log::info!(
                    "{} in the package cache is damaged and fetched anew",
                    self.digest
                );
            }
            self.remove()?;
            return Ok(None);
        };
        if self.is_read_only() {
            return Ok(Some(archive));
        }
        disk::touch(&self.layout().lock(self.digest))?;
        if let Some(mut record) = record
            && record.archive != archive.stamp()
        {
            // Copied or restored with all its bytes: the next use need not read it again.
            record.archive = archive.stamp();
            self.write(&record)?;
        }
        Ok(Some(archive))
    }

    /// The package `id` and what was published with it, if it was proved before and the lock file's
    /// hashes `locked` fit its bytes. Blocks.
    ///
    /// # Errors
    ///
    /// As [`CacheEntry::archive`].
    pub fn recall(
        &self,
        id: &PackageId,
        locked: &[PackageHash],
    ) -> Result<Option<(VerifiedPackage, Published)>, StoreError> {
        let proof = self
            .record()
            .and_then(|mut record| record.proofs.remove(id));
        let (Some(proof), Some(archive)) = (proof, self.archive()?) else {
            return Ok(None);
        };
        let package = archive.recall(id, proof.verdict, locked);
        Ok(package.map(|package| (package, proof.published)))
    }

    /// Takes a package in, with its file if it comes from elsewhere, and remembers what was proved of
    /// it and published with it. Its files are unpacked if they are not there as they were. If that fails before the file
    /// was taken, it is left in `file`. Blocks.
    ///
    /// # Errors
    ///
    /// If the archive is hostile or damaged, or something cannot be written; the entry is then as
    /// good as before.
    pub fn put(
        &self,
        package: &VerifiedPackage,
        published: &Published,
        file: &mut Option<TempFile>,
        scrutiny: Scrutiny,
    ) -> Result<CachedPackage, StoreError> {
        let old = self.record();
        let mut record = match &old {
            Some(record) if file.is_none() && self.has_intact_unpacked(record, scrutiny) => {
                record.clone()
            }
            Some(_) | None => self.unpack(package, file)?,
        };
        self.note(&mut record, old.as_ref(), package, published)?;
        let is_for_type = record.contents.ty == package.id().addr.ty();
        Ok(CachedPackage {
            unpacked: is_for_type.then(|| self.layout().unpacked(self.digest)),
            h1_directory: record.contents.h1_directory,
        })
    }

    /// Takes the archive without unpacking it, for who wants its hashes alone, and remembers the proof. As with
    /// [`CacheEntry::put`], `file` is taken once the archive is in place. Blocks.
    ///
    /// # Errors
    ///
    /// If the archive could not be unpacked, or the cache cannot be written.
    pub fn keep(
        &self,
        package: &VerifiedPackage,
        published: &Published,
        file: &mut Option<TempFile>,
    ) -> Result<KnownContents, StoreError> {
        let contents = package.known_or_inspected()?;
        let old = self.record();
        let mut record = match &old {
            Some(record) if file.is_none() => record.clone(),
            Some(_) | None => CacheRecord {
                digest: self.digest,
                archive: self.take(file)?,
                contents: contents.clone(),
                files: None,
                proofs: BTreeMap::new(),
            },
        };
        self.note(&mut record, old.as_ref(), package, published)?;
        Ok(contents)
    }

    /// Compares the bytes of archive and files with what is recorded, and changes nothing. Blocks.
    ///
    /// # Errors
    ///
    /// If something that is there cannot be read.
    pub fn damages(&self) -> Result<Vec<CacheDamage>, StoreError> {
        let mut damages = Vec::new();
        let archive = self.layout().archive(self.digest);
        let got = match archive.symlink_metadata() {
            Ok(_) => Some(disk::sha256(&archive)?.to_string()),
            Err(_) => None,
        };
        let expected = self.digest.to_string();
        if got.as_ref() != Some(&expected) {
            damages.push(CacheDamage {
                path: archive,
                got,
                expected,
            });
        }
        damages.extend(
            self.record()
                .and_then(|record| self.damage_of_files(&record)),
        );
        Ok(damages)
    }

    /// Drops what has these `damages`: bytes that changed under the same stamp would not be noticed
    /// otherwise. Files that the archive still has are made anew from it when they are needed next. Blocks.
    ///
    /// # Errors
    ///
    /// If the cache cannot be written.
    pub fn drop_damaged(&self, damages: &[CacheDamage]) -> Result<(), StoreError> {
        let archive = self.layout().archive(self.digest);
        if damages.iter().any(|damage| damage.path == archive) {
            return self.remove();
        }
        let record = self.record().filter(|_| !damages.is_empty());
        let Some(record) = record.filter(|_| !self.is_read_only()) else {
            return Ok(());
        };
        self.write(&CacheRecord {
            files: None,
            ..record
        })?;
        disk::remove_dir_all(&self.layout().unpacked(self.digest))?;
        Ok(())
    }

    /// Deletes the entry; the record first, so that nothing is told of what is gone. Blocks.
    ///
    /// # Errors
    ///
    /// If something cannot be deleted.
    pub fn remove(&self) -> Result<(), StoreError> {
        if self.is_read_only() {
            return Ok(());
        }
        let layout = self.layout();
        let record = self.record();
        disk::remove_dir_all(&layout.record(self.digest))?;
        disk::remove_dir_all(&layout.unpacked(self.digest))?;
        disk::remove_dir_all(&layout.archive(self.digest))?;
        for id in record.iter().flat_map(|record| record.proofs.keys()) {
            disk::remove_dir_all(&layout.index_entry(id, self.digest))?;
        }
        Ok(())
    }

    fn layout(&self) -> &CacheLayout {
        self.cache.layout()
    }

    fn record(&self) -> Option<CacheRecord> {
        self.cache.record(self.digest)
    }

    fn write(&self, record: &CacheRecord) -> Result<(), StoreError> {
        let path = self.layout().record(self.digest);
        Ok(disk::write_atomically(&path, record.render().as_bytes())?)
    }

    /// Whether the unpacked files are the ones that were recorded, unchanged.
    fn has_unpacked(&self, record: &CacheRecord) -> bool {
        let dir = self.layout().unpacked(self.digest);
        let is_real = !dir.is_symlink();
        is_real && disk::stamps_below(&dir).is_ok_and(|files| record.files.as_ref() == Some(&files))
    }

    /// Unpacks the archive beside its place, then puts both in place. The old files stay whole for
    /// who has them under other names.
    fn has_intact_unpacked(&self, record: &CacheRecord, scrutiny: Scrutiny) -> bool {
        let has_bytes = || self.damage_of_files(record).is_none();
        self.has_unpacked(record) && (scrutiny == Scrutiny::Stamp || has_bytes())
    }

    fn unpack(
        &self,
        package: &VerifiedPackage,
        file: &mut Option<TempFile>,
    ) -> Result<CacheRecord, StoreError> {
        let unpacked = self.layout().unpacked(self.digest);
        disk::remove_stale_temps(&self.layout().unpacked_dirs())?;
        let staged = TempDir::create_beside(&unpacked)?;
        let contents = package.unpack(staged.path())?;
        let files = disk::seal_below(staged.path())?;
        let archive = self.take(file)?;
        staged.persist(&unpacked)?;
        Ok(CacheRecord {
            digest: self.digest,
            archive,
            contents: KnownContents::new(package.id().addr.ty(), &contents),
            files: Some(files),
            proofs: BTreeMap::new(),
        })
    }

    /// Takes `file` as the archive, if there is one; the stamp of the archive.
    fn take(&self, file: &mut Option<TempFile>) -> Result<FileStamp, StoreError> {
        let archive = self.layout().archive(self.digest);
        if let Some(file) = file.take() {
            disk::remove_stale_temps(&self.layout().archives())?;
            file.persist(&archive)?;
        }
        Ok(FileStamp::of(&archive)?)
    }

    /// Writes `record` with the proofs of the `old` one and that of `package`.
    fn note(
        &self,
        record: &mut CacheRecord,
        old: Option<&CacheRecord>,
        package: &VerifiedPackage,
        published: &Published,
    ) -> Result<(), StoreError> {
        if self.is_read_only() {
            return Ok(());
        }
        let id = package.id();
        record.proofs = old.map(|old| old.proofs.clone()).unwrap_or_default();
        let proof = RememberedProof {
            verdict: package.verdict().clone(),
            published: published.clone(),
        };
        record.proofs.insert(id.clone(), proof);
        let pointer = self.layout().index_entry(id, self.digest);
        if !pointer.exists() {
            disk::write_atomically(&pointer, b"")?;
        }
        if old != Some(&*record) {
            self.write(record)?;
        }
        disk::touch(&self.layout().lock(self.digest))?;
        Ok(())
    }

    fn damage_of_files(&self, record: &CacheRecord) -> Option<CacheDamage> {
        record.files.as_ref()?;
        let path = self.layout().unpacked(self.digest);
        let got = hash_of(&path);
        let expected = record.contents.h1_directory.to_string();
        (got.as_ref() != Some(&expected)).then_some(CacheDamage {
            path,
            got,
            expected,
        })
    }
}

impl CachedPackage {
    /// The `h1:` hash of the directory.
    pub fn h1_directory(&self) -> &PackageHash {
        &self.h1_directory
    }
}

fn hash_of(dir: &Path) -> Option<String> {
    h1_of_directory(dir).ok().map(|hash| hash.to_string())
}
