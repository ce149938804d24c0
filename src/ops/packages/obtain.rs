//! The bytes of a package, proved: from the package cache, or fetched into it, or fetched to a place that
//! the caller names.

use std::path::Path;
use std::sync::Arc;

use crate::disk::{self, TempFile};
use crate::document::{PackageId, Published};
use crate::hash::Sha256Digest;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache::packages::{locked_entry, usable, warn};
use crate::ops::install::prior::Prior;
use crate::ops::packages::fetch::{Fetched, new_file};
use crate::ops::packages::pipeline::Slot;
use crate::ops::{Fetcher, PackageFailure};
use crate::package::VerifiedPackage;
use crate::source::{PackageLocation, PackageMeta, Source};
use crate::store::{CacheEntry, PackageCache, StoreError};

/// Obtains packages that a source offers.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Obtainer<'a> {
    pub(in crate::ops) source: &'a dyn Source,
    pub(in crate::ops) fetcher: &'a Fetcher<'a>,
}

/// A verified package, and where its bytes are.
pub(in crate::ops) struct Obtained {
    pub(in crate::ops) package: VerifiedPackage,
    pub(in crate::ops) published: Published,
    /// The file, if it is not the cache's; removed unless the cache takes it.
    pub(in crate::ops) file: Option<TempFile>,
    /// The cache's entry, if the cache is used.
    pub(in crate::ops) entry: Option<Arc<CacheEntry>>,
}

impl Obtained {
    fn fetched(meta: &PackageMeta, fetched: Fetched, entry: Option<Arc<CacheEntry>>) -> Self {
        Self {
            package: fetched.package,
            published: meta.published(),
            file: Some(fetched.file),
            entry,
        }
    }
}

impl Obtainer<'_> {
    /// The archives in the cache that may be the package and have a locked hash.
    pub(in crate::ops) async fn candidates(
        &self,
        id: &PackageId,
        prior: Prior<'_>,
    ) -> Result<Vec<Sha256Digest>, PackageFailure> {
        let (Some(cache), Some(_)) = (self.fetcher.cache, prior.locked()) else {
            return Ok(Vec::new());
        };
        let (ask, id) = (cache.clone(), id.clone());
        let candidates = on_blocking_pool(move || ask.candidates(&id)).await;
        Ok(usable(candidates, self.fetcher.reporter)?.unwrap_or_default())
    }

    /// The package as the cache has it, if the lock file's hashes prove it.
    pub(in crate::ops) async fn recalled(
        &self,
        id: &PackageId,
        prior: Prior<'_>,
    ) -> Result<Option<Obtained>, PackageFailure> {
        let (Some(cache), Some(locked)) = (self.fetcher.cache, prior.locked()) else {
            return Ok(None);
        };
        for digest in self.candidates(id, prior).await? {
            let entry = locked_entry(cache, digest, id, self.fetcher.reporter).await?;
            let Some(entry) = entry else { continue };
            let (id, locked, ask) = (id.clone(), locked.to_vec(), Arc::clone(&entry));
            let recalled = on_blocking_pool(move || ask.recall(&id, &locked)).await;
            let recalled = usable(recalled, self.fetcher.reporter)?.flatten();
            let may_be = |it: &(VerifiedPackage, _)| self.may_be_remembered(&it.0);
            if let Some((package, published)) = recalled.filter(may_be) {
                return Ok(Some(Obtained {
                    package,
                    published,
                    file: None,
                    entry: Some(entry),
                }));
            }
        }
        Ok(None)
    }

    fn may_be_remembered(&self, package: &VerifiedPackage) -> bool {
        let verdict = package.verdict();
        self.fetcher.accepts(verdict) && self.source.could_prove(package.id(), verdict)
    }

    /// The announced bytes, from the cache or fetched, proved by what the source says of them. Without a
    /// usable cache their file is a temporary one beside `target`.
    ///
    /// # Errors
    ///
    /// If they cannot be fetched or are not what the source says.
    pub(in crate::ops) async fn obtain(
        &self,
        meta: &PackageMeta,
        target: &Path,
        slot: &Slot,
    ) -> Result<Obtained, PackageFailure> {
        let reporter = self.fetcher.reporter;
        let Some(cache) = self.fetcher.cache else {
            return self.fetch_beside(meta, target, slot).await;
        };
        let Some(digest) = likely_digest(meta).await? else {
            return self.fetch_into_cache(meta, target, cache, None, slot).await;
        };
        let Some(entry) = locked_entry(cache, digest, &meta.id, reporter).await? else {
            return self.fetch_beside(meta, target, slot).await;
        };
        let ask = Arc::clone(&entry);
        let archive = on_blocking_pool(move || ask.archive()).await;
        match usable(archive, reporter)? {
            Some(Some(archive)) => {
                let package = archive.authenticate(&meta.id, meta.expectation())?;
                self.fetcher.require(&package)?;
                Ok(Obtained {
                    package,
                    published: meta.published(),
                    file: None,
                    entry: Some(entry),
                })
            }
            Some(None) => {
                self.fetch_into_cache(meta, target, cache, Some(entry), slot)
                    .await
            }
            None => self.fetch_beside(meta, target, slot).await,
        }
    }

    /// Fetches the package into the cache, or beside `target` if the cache's disk is in trouble.
    async fn fetch_into_cache(
        &self,
        meta: &PackageMeta,
        target: &Path,
        cache: &PackageCache,
        entry: Option<Arc<CacheEntry>>,
        slot: &Slot,
    ) -> Result<Obtained, PackageFailure> {
        let reporter = self.fetcher.reporter;
        let file = new_file(meta, &cache.new_archive()).map_err(StoreError::from);
        let Some(file) = usable(file, reporter)? else {
            return self.fetch_beside(meta, target, slot).await;
        };
        match self.fetcher.fetch_into(meta, file, slot).await {
            Ok(fetched) => {
                let entry = self.entry_of(cache, entry, &fetched.package).await?;
                Ok(Obtained::fetched(meta, fetched, entry))
            }
            Err(failure) if failure.is_about_disk() => {
                warn("package cache", &failure, reporter);
                reporter.restarted(&meta.id);
                self.fetch_beside(meta, target, slot).await
            }
            Err(failure) => Err(failure),
        }
    }

    /// The entry of what was fetched. Its digest may not have been known before, or be another than the
    /// likely one: a mirror may list a wrong `zh:` beside a right `h1:`.
    async fn entry_of(
        &self,
        cache: &PackageCache,
        likely: Option<Arc<CacheEntry>>,
        package: &VerifiedPackage,
    ) -> Result<Option<Arc<CacheEntry>>, PackageFailure> {
        let (digest, id) = (package.digest(), package.id());
        let likely = likely.filter(|entry| entry.digest() == digest);
        match likely {
            Some(entry) => Ok(Some(entry)),
            None => Ok(locked_entry(cache, digest, id, self.fetcher.reporter).await?),
        }
    }

    async fn fetch_beside(
        &self,
        meta: &PackageMeta,
        target: &Path,
        slot: &Slot,
    ) -> Result<Obtained, PackageFailure> {
        let file = new_file(meta, target)?;
        let fetched = self.fetcher.fetch_into(meta, file, slot).await?;
        Ok(Obtained::fetched(meta, fetched, None))
    }
}

/// The digest that the archive is likely to have, by which the cache may know it: the announced one, or that of a
/// file on this machine. It proves nothing.
async fn likely_digest(meta: &PackageMeta) -> Result<Option<Sha256Digest>, PackageFailure> {
    let PackageLocation::Archive(path) = meta.location.clone() else {
        return Ok(meta.announced());
    };
    Ok(Some(on_blocking_pool(move || disk::sha256(&path)).await?))
}
