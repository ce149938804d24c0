//! Packages of modules in the package cache: trees of files by source and identity.
//!
//! ```text
//! v1/modules/KEY/IDENTITY/        the tree as it was fetched; KEY is the digest of the source's text
//! v1/modules/KEY/IDENTITY.json    what it must be
//! v1/modules/KEY/latest           the identity that the source was last seen to lead to
//! v1/locks/KEY.lock               locked by who changes any of these
//! ```
//!
//! As the whole cache, it belongs to the user. Accidents and attacks, and the answers:
//! - *files that were changed, by accident or on purpose*: all bytes are hashed on their way out of the cache, and a tree
//!   that differs is not used and dropped;
//! - *a tree of another commit or archive under the same source*: who asks names the identity, which is part of the name,
//!   and stands in the record;
//! - *a process killed at any instant, or that reads while another one writes*: tree and record are put in place in one
//!   step each, the record last; half of one and half of the other do not fit each other, and count as absent;
//! - *passwords and keys in the text of a source*: only its digest is kept, and a text without them; trees in which git
//!   keeps a password are not taken in.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};

use crate::disk::{self, FileLock, TempDir, TreeContent};
use crate::document::PackageIdentity;
use crate::hash::Sha256Digest;
use crate::store::cache_layout::{CacheLayout, digest_of};
use crate::store::module_record::{ModuleCacheRecord, identity_of, name_of};
use crate::store::{CacheDamage, PackageCache, StoreError};

/// A record is one line of texts.
const RECORD_CAP: u64 = 1 << 20;
const LATEST: &str = "latest";
/// How much of a damaged note is told.
const SHOWN_CHARS: usize = 80;
const RECORD_SUFFIX: &str = ".json";

/// By what the packages of one source are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModuleKey(Sha256Digest);

impl ModuleKey {
    /// The key of a source's exact text, secrets included.
    pub fn of(source: &str) -> Self {
        Self(Sha256Digest(Sha256::digest(source).into()))
    }

    /// The key that [`Self::digest`] came from.
    pub fn from_digest(digest: Sha256Digest) -> Self {
        Self(digest)
    }

    /// The digest of the text.
    pub fn digest(self) -> Sha256Digest {
        self.0
    }
}

/// The part of the package cache for modules.
#[derive(Debug, Clone)]
pub struct ModuleCache {
    cache: PackageCache,
}

/// What is known of a cached package without reading its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedModule {
    /// The digest of the source's text.
    pub key: ModuleKey,
    /// What the package is.
    pub identity: PackageIdentity,
    /// The source as messages show it.
    pub source: String,
    /// The sizes of all files together.
    pub bytes: u64,
    /// When it was used last, where that is known.
    pub last_used: Option<SystemTime>,
}

impl ModuleCache {
    pub(super) fn new(cache: PackageCache) -> Self {
        Self { cache }
    }

    /// Whether any package of this source is there. Blocks.
    pub fn has(&self, key: ModuleKey) -> bool {
        self.latest(key).is_some()
    }

    /// What the source was last seen to lead to, if that package is there. Where no usable note tells, it is the only
    /// package of the source. Blocks.
    pub fn latest(&self, key: ModuleKey) -> Option<PackageIdentity> {
        let latest = self.noted(key).or_else(|| self.only(key))?;
        self.contains(key, &latest).then_some(latest)
    }

    /// Whether the package is recorded; its bytes are not looked at. Blocks.
    pub fn contains(&self, key: ModuleKey, identity: &PackageIdentity) -> bool {
        self.record(key, identity).is_some()
    }

    fn noted(&self, key: ModuleKey) -> Option<PackageIdentity> {
        let text = disk::read_capped(&self.dir(key).join(LATEST), RECORD_CAP).ok()?;
        identity_of(str::from_utf8(&text).ok()?)
    }

    fn only(&self, key: ModuleKey) -> Option<PackageIdentity> {
        let names = disk::file_names(&self.dir(key)).ok()?;
        let records = names
            .iter()
            .filter_map(|name| name.strip_suffix(RECORD_SUFFIX));
        let mut identities = records.filter_map(identity_of);
        let only = identities.next()?;
        identities.next().is_none().then_some(only)
    }

    /// Copies a package into the empty directory `dest` if it is there with all its bytes; tells whether it is. If not,
    /// there may be anything in `dest`, and a tree that differs is dropped. Blocks.
    ///
    /// # Errors
    ///
    /// If it cannot be copied or dropped.
    pub fn place(
        &self,
        key: ModuleKey,
        identity: &PackageIdentity,
        dest: &Path,
    ) -> Result<bool, StoreError> {
        let Some(record) = self.record(key, identity) else {
            return Ok(false);
        };
        let Some(tree) = self.tree(key, identity) else {
            return Ok(false);
        };
        let copied = disk::copy_whole_tree(&tree, dest);
        if copied
            .as_ref()
            .is_ok_and(|copied| *copied == record.content)
        {
            self.note_use(key, identity);
            return Ok(true);
        }
        // Another process may be about to replace or delete it; under the lock that is decided.
        let lock = self.lock(key)?;
        if self.damage(key, identity)?.is_none() {
            drop(lock);
            // The trouble is at the place that it was copied to, or it has been replaced just now.
            return copied.map(|_| false).map_err(StoreError::from);
        }
        log::info!(
            "a package of `{}` in the package cache is damaged and fetched anew",
            record.source
        );
        self.drop_locked(key, identity)?;
        Ok(false)
    }

    /// Takes the package in whose files are in `tree`; `source` is its text without secrets. Blocks.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written; a package that was there is then as it was.
    pub fn put(
        &self,
        key: ModuleKey,
        source: &str,
        identity: &PackageIdentity,
        tree: &Path,
    ) -> Result<(), StoreError> {
        let Some(place) = self.tree(key, identity) else {
            return Ok(());
        };
        // The same archive fetched again, say.
        if self.record(key, identity).is_some() && self.damage(key, identity)?.is_none() {
            self.note_use(key, identity);
            return self.note_latest(key, identity);
        }
        let staged = TempDir::create_beside(&place)?;
        let content = staged.path().join("tree");
        disk::create_dir_all(&content)?;
        let record = ModuleCacheRecord {
            source: source.to_owned(),
            identity: identity.clone(),
            content: disk::copy_whole_tree(tree, &content)?,
        };
        let _lock = self.lock(key)?;
        // The old record does not fit the new tree: whoever reads in between takes neither.
        disk::rename_dir(&content, &place)?;
        let path = self.record_path(key, identity);
        disk::write_atomically(&path, record.render().as_bytes())?;
        self.note_latest(key, identity)
    }

    /// Notes that the source leads to this package now. Blocks.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    pub fn note_latest(
        &self,
        key: ModuleKey,
        identity: &PackageIdentity,
    ) -> Result<(), StoreError> {
        let Some(name) = name_of(identity) else {
            return Ok(());
        };
        let path = self.dir(key).join(LATEST);
        let known = disk::read_capped(&path, RECORD_CAP);
        if known.is_ok_and(|known| known == name.as_bytes()) {
            return Ok(());
        }
        Ok(disk::write_atomically(&path, name.as_bytes())?)
    }

    /// Notes that the source leads to this package where no usable note says anything. Blocks.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    pub fn mend_latest(
        &self,
        key: ModuleKey,
        identity: &PackageIdentity,
    ) -> Result<(), StoreError> {
        match self.noted(key) {
            Some(_) => Ok(()),
            None => self.note_latest(key, identity),
        }
    }

    /// Drops the notes of what sources led to that cannot be understood; what each was. Blocks.
    ///
    /// # Errors
    ///
    /// If one cannot be dropped.
    pub fn drop_damaged_notes(&self) -> Result<Vec<CacheDamage>, StoreError> {
        let mut damages = Vec::new();
        for key in self.keys()? {
            let path = self.dir(key).join(LATEST);
            if !path.exists() || self.noted(key).is_some() {
                continue;
            }
            let bytes = disk::read_capped(&path, RECORD_CAP).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            let text: String = text.chars().take(SHOWN_CHARS).collect();
            let _lock = self.lock(key)?;
            disk::remove_dir_all(&path)?;
            damages.push(CacheDamage {
                path,
                got: Some(text.escape_debug().to_string()),
                expected: "the name of a package".to_owned(),
            });
        }
        Ok(damages)
    }

    /// What is known of every package, by key and identity. Blocks.
    ///
    /// # Errors
    ///
    /// If the cache cannot be read.
    pub fn facts(&self) -> Result<Vec<CachedModule>, StoreError> {
        let mut found = Vec::new();
        for key in self.keys()? {
            for name in disk::file_names(&self.dir(key))? {
                let identity = name.strip_suffix(RECORD_SUFFIX).and_then(identity_of);
                found.extend(identity.and_then(|identity| self.facts_of(key, &identity)));
            }
        }
        found.sort_by(|a, b| (a.key, &a.identity).cmp(&(b.key, &b.identity)));
        Ok(found)
    }

    /// Compares the bytes of a package with what is recorded, and changes nothing; `None` if nothing is wrong. Blocks.
    ///
    /// # Errors
    ///
    /// If something that is there cannot be read.
    pub fn damage(
        &self,
        key: ModuleKey,
        identity: &PackageIdentity,
    ) -> Result<Option<CacheDamage>, StoreError> {
        let (Some(record), Some(path)) = (self.record(key, identity), self.tree(key, identity))
        else {
            return Ok(None);
        };
        let got = path
            .is_dir()
            .then(|| disk::tree_content(&path))
            .transpose()?;
        let digest = |content: TreeContent| content.digest.to_string();
        let is_intact = got == Some(record.content);
        Ok((!is_intact).then(|| CacheDamage {
            path,
            got: got.map(digest),
            expected: digest(record.content),
        }))
    }

    /// Deletes a package. Blocks.
    ///
    /// # Errors
    ///
    /// If something cannot be deleted.
    pub fn remove(&self, key: ModuleKey, identity: &PackageIdentity) -> Result<(), StoreError> {
        let _lock = self.lock(key)?;
        self.drop_locked(key, identity)
    }

    /// Removes what killed processes left, and trees without a record; tells how many. Blocks.
    pub(super) fn remove_leftovers(&self) -> Result<usize, StoreError> {
        let mut removed = 0;
        for key in self.keys()? {
            let dir = self.dir(key);
            removed += disk::remove_stale_temps(&dir)?;
            let _lock = self.lock(key)?;
            for name in disk::file_names(&dir)? {
                let orphan = identity_of(&name).filter(|it| self.record(key, it).is_none());
                if let Some(identity) = orphan {
                    self.drop_locked(key, &identity)?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    fn layout(&self) -> &CacheLayout {
        self.cache.layout()
    }

    fn dir(&self, key: ModuleKey) -> PathBuf {
        self.layout().modules().join(key.0.to_string())
    }

    fn tree(&self, key: ModuleKey, identity: &PackageIdentity) -> Option<PathBuf> {
        name_of(identity).map(|name| self.dir(key).join(name))
    }

    fn record_path(&self, key: ModuleKey, identity: &PackageIdentity) -> PathBuf {
        let name = name_of(identity).unwrap_or_default();
        self.dir(key).join(format!("{name}{RECORD_SUFFIX}"))
    }

    fn record(&self, key: ModuleKey, identity: &PackageIdentity) -> Option<ModuleCacheRecord> {
        let bytes = disk::read_capped(&self.record_path(key, identity), RECORD_CAP).ok()?;
        ModuleCacheRecord::parse(&bytes).filter(|record| record.identity == *identity)
    }

    fn keys(&self) -> Result<Vec<ModuleKey>, StoreError> {
        let dir = self.layout().modules();
        if !dir.is_dir() {
            return Ok(Vec::new());
        }
        let names = disk::file_names(&dir)?;
        let digests = names.iter().filter_map(|name| digest_of(name, ""));
        Ok(digests.map(ModuleKey).collect())
    }

    fn facts_of(&self, key: ModuleKey, identity: &PackageIdentity) -> Option<CachedModule> {
        let record = self.record(key, identity)?;
        let used = self.record_path(key, identity).metadata();
        Some(CachedModule {
            key,
            identity: identity.clone(),
            source: record.source,
            bytes: record.content.bytes,
            last_used: used.and_then(|found| found.modified()).ok(),
        })
    }

    /// The time of the record tells the last use; where the cache can only be read, nobody deletes from it either.
    fn note_use(&self, key: ModuleKey, identity: &PackageIdentity) {
        if let Err(error) = disk::touch(&self.record_path(key, identity)) {
            log::debug!("{error}: {}", error.source);
        }
    }

    /// The record first, so that nothing is told of what is gone.
    fn drop_locked(&self, key: ModuleKey, identity: &PackageIdentity) -> Result<(), StoreError> {
        disk::remove_dir_all(&self.record_path(key, identity))?;
        if let Some(tree) = self.tree(key, identity) {
            disk::remove_dir_all(&tree)?;
        }
        Ok(())
    }

    fn lock(&self, key: ModuleKey) -> Result<FileLock, StoreError> {
        let waiting = || log::info!("waiting for another process that uses the package cache");
        let lock = FileLock::exclusive(&self.layout().lock(key.0), waiting);
        Ok(lock?)
    }
}
