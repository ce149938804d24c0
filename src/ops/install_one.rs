//! One package into an install directory: from the cache or fetched, proved, compared with the lock
//! file, placed.

use std::path::PathBuf;
use std::sync::Arc;

use crate::disk::{self, TempFile};
use crate::document::{PackageId, Published, Verdict};
use crate::failure::ExitCode;
use crate::hash::{HashScheme, PackageHash, Sha256Digest};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache_use::{locked_entry, usable, warn};
use crate::ops::fetch::{Fetched, new_file};
use crate::ops::pipeline::Slot;
use crate::ops::plugin_cache_use;
use crate::ops::{Fetcher, PackageFailure, Stage};
use crate::package::{LockMatch, UnpackedPackage, VerifiedPackage};
use crate::source::{PackageLocation, PackageMeta, Source};
use crate::store::{
    CacheEntry, InstallStore, InstalledPackage, PackageCache, PluginCache, StoreError,
};

/// The lock file's say on a package.
#[derive(Debug, Clone, Copy)]
pub(super) enum Prior<'l> {
    /// Nothing is locked; any proved package will do.
    Free,
    /// One of these must fit, if any is of a known scheme (facts/providers 3.12).
    Locked(&'l [PackageHash]),
    /// One of these must fit (`--locked`).
    Required(&'l [PackageHash]),
}

/// Installs packages into one directory.
pub(super) struct Installer<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) fetcher: &'a Fetcher<'a>,
    pub(super) store: &'a InstallStore,
    /// Where the packages themselves go, if the user shares them between the tools' root modules.
    pub(super) plugin_cache: Option<&'a PluginCache>,
}

/// A package in its place.
pub(super) struct Placed {
    pub(super) verdict: Verdict,
    /// The size of its archive, if it was one.
    pub(super) size: Option<u64>,
    /// The hashes of its archive, as far as they are known.
    pub(super) archive_hashes: Vec<PackageHash>,
    /// The hashes that were published with it.
    pub(super) published: Published,
    pub(super) h1: PackageHash,
}

/// A verified package, and where its bytes are.
struct Obtained {
    package: VerifiedPackage,
    published: Published,
    /// The file, if it is not the cache's; removed unless the cache takes it.
    file: Option<TempFile>,
    /// The cache's entry, if the cache is used.
    entry: Option<Arc<CacheEntry>>,
}

/// What is known of a package that is to be installed.
pub(super) struct Order {
    pub(super) id: PackageId,
    /// What the source says of it; `None` if it was not asked, because the cache may know enough.
    pub(super) meta: Option<PackageMeta>,
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

impl Installer<'_> {
    /// Asks for what has to be known to install package `id`: nothing, if the cache may have proved
    /// bytes of this package with a locked hash.
    ///
    /// # Errors
    ///
    /// If the source does not offer it.
    pub(super) async fn prepare(
        &self,
        id: PackageId,
        prior: Prior<'_>,
    ) -> Result<Order, PackageFailure> {
        if !self.candidates(&id, prior).await?.is_empty() {
            return Ok(Order { id, meta: None });
        }
        let meta = Some(self.source.package_meta(&id).await?);
        Ok(Order { id, meta })
    }

    /// Installs a package, replacing what stands in its place. No request is made if the cache has
    /// proved bytes of this package with a locked hash.
    ///
    /// # Errors
    ///
    /// If it cannot be fetched, proved, unpacked or placed, or does not fit `prior`.
    pub(super) async fn install(
        &self,
        order: Order,
        prior: Prior<'_>,
        slot: &Slot,
    ) -> Result<Placed, PackageFailure> {
        let recalled = match order.meta {
            Some(_) => None,
            None => self.recalled(&order.id, prior).await?,
        };
        if let Some(obtained) = recalled {
            return self.place(obtained, prior).await;
        }
        let meta = match order.meta {
            Some(meta) => meta,
            None => self.source.package_meta(&order.id).await?,
        };
        if let PackageLocation::Directory(dir) = meta.location.clone() {
            return self.place_unpacked(meta, dir, prior).await;
        }
        let obtained = self.obtain(&meta, slot).await?;
        self.place(obtained, prior).await
    }

    /// Installs package `id` without any request, if the cache has proved bytes of it with a locked
    /// hash.
    ///
    /// # Errors
    ///
    /// If it cannot be unpacked or placed.
    pub(super) async fn install_recalled(
        &self,
        id: &PackageId,
        prior: Prior<'_>,
    ) -> Result<Option<Placed>, PackageFailure> {
        match self.recalled(id, prior).await? {
            Some(obtained) => self.place(obtained, prior).await.map(Some),
            None => Ok(None),
        }
    }

    /// The archives in the cache that may be the package and have a locked hash.
    async fn candidates(
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
    async fn recalled(
        &self,
        id: &PackageId,
        prior: Prior<'_>,
    ) -> Result<Option<Obtained>, PackageFailure> {
        let (Some(cache), Some(locked)) = (self.fetcher.cache, prior.locked()) else {
            return Ok(None);
        };
        for digest in self.candidates(id, prior).await? {
            let entry = locked_entry(cache, digest, self.fetcher.reporter).await?;
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

    /// The announced bytes, from the cache or fetched, proved by what the source says of them.
    async fn obtain(&self, meta: &PackageMeta, slot: &Slot) -> Result<Obtained, PackageFailure> {
        let reporter = self.fetcher.reporter;
        let Some(cache) = self.fetcher.cache else {
            return self.fetch_beside(meta, slot).await;
        };
        let Some(digest) = likely_digest(meta).await? else {
            return self.fetch_into_cache(meta, cache, None, slot).await;
        };
        let Some(entry) = locked_entry(cache, digest, reporter).await? else {
            return self.fetch_beside(meta, slot).await;
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
            Some(None) => self.fetch_into_cache(meta, cache, Some(entry), slot).await,
            None => self.fetch_beside(meta, slot).await,
        }
    }

    /// Fetches the package into the cache, or beside its place if the cache's disk is in trouble.
    async fn fetch_into_cache(
        &self,
        meta: &PackageMeta,
        cache: &PackageCache,
        entry: Option<Arc<CacheEntry>>,
        slot: &Slot,
    ) -> Result<Obtained, PackageFailure> {
        let reporter = self.fetcher.reporter;
        let file = new_file(meta, &cache.new_archive()).map_err(StoreError::from);
        let Some(file) = usable(file, reporter)? else {
            return self.fetch_beside(meta, slot).await;
        };
        match self.fetcher.fetch_into(meta, file, slot).await {
            Ok(fetched) => {
                let digest = fetched.package.digest();
                let entry = self.entry_of(cache, entry, digest).await?;
                Ok(Obtained::fetched(meta, fetched, entry))
            }
            Err(failure) if failure.is_about_disk() => {
                warn("package cache", &failure, reporter);
                reporter.restarted(&meta.id);
                self.fetch_beside(meta, slot).await
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
        digest: Sha256Digest,
    ) -> Result<Option<Arc<CacheEntry>>, PackageFailure> {
        let likely = likely.filter(|entry| entry.digest() == digest);
        match likely {
            Some(entry) => Ok(Some(entry)),
            None => Ok(locked_entry(cache, digest, self.fetcher.reporter).await?),
        }
    }

    /// Fetches the package beside its place.
    async fn fetch_beside(
        &self,
        meta: &PackageMeta,
        slot: &Slot,
    ) -> Result<Obtained, PackageFailure> {
        let file = new_file(meta, &self.store.dir(&meta.id))?;
        let fetched = self.fetcher.fetch_into(meta, file, slot).await?;
        Ok(Obtained::fetched(meta, fetched, None))
    }

    async fn place(&self, obtained: Obtained, prior: Prior<'_>) -> Result<Placed, PackageFailure> {
        let reporter = self.fetcher.reporter;
        reporter.stage(obtained.package.id(), Stage::Unpacking);
        let store = self.store.clone();
        let published = obtained.published.clone();
        let (package, staged, trouble) = on_blocking_pool(move || stage(&store, obtained)).await?;
        if let Some(trouble) = trouble {
            usable::<()>(Err(trouble), reporter)?;
        }
        prior.check(
            package.matches_any(prior.locked().unwrap_or_default())?,
            &package.hashes(),
            &staged,
        )?;
        let h1 = staged.h1().clone();
        let (shared, id) = (self.plugin_cache, package.id());
        plugin_cache_use::place(shared, self.store, id, staged, reporter).await?;
        Ok(Placed {
            verdict: package.verdict().clone(),
            size: Some(package.size()),
            archive_hashes: package.hashes(),
            published,
            h1,
        })
    }

    /// Places what a filesystem mirror has unpacked already.
    async fn place_unpacked(
        &self,
        meta: PackageMeta,
        dir: PathBuf,
        prior: Prior<'_>,
    ) -> Result<Placed, PackageFailure> {
        let published = meta.published();
        let (id, store) = (meta.id, self.store.clone());
        let package = on_blocking_pool(move || UnpackedPackage::examine(id, dir)).await?;
        let (package, staged) = on_blocking_pool(move || {
            let staged = store.stage_unpacked(&package);
            staged.map(|staged| (package, staged))
        })
        .await?;
        let h1 = package.h1().clone();
        let found = package.matches_any(prior.locked().unwrap_or_default());
        prior.check(found, std::slice::from_ref(&h1), &staged)?;
        on_blocking_pool(move || staged.place()).await?;
        Ok(Placed {
            verdict: Verdict::Unauthenticated,
            size: None,
            archive_hashes: Vec::new(),
            published,
            h1,
        })
    }
}

/// Takes the package into the cache, if there is one, and stages it from there; if the cache's disk
/// is in trouble, from the archive. Tells that trouble, too.
fn stage(
    store: &InstallStore,
    obtained: Obtained,
) -> Result<(VerifiedPackage, InstalledPackage, Option<StoreError>), StoreError> {
    let mut file = obtained.file;
    let staged = match &obtained.entry {
        None => store.stage(&obtained.package).map(|staged| (staged, None)),
        Some(entry) => {
            let (package, published) = (&obtained.package, &obtained.published);
            stage_by_cache(store, entry, package, published, &mut file)
        }
    };
    // Whether that went well or not: what the cache did not take is of no more use.
    if let Some(file) = file {
        file.discard();
    }
    let (staged, trouble) = staged?;
    Ok((obtained.package, staged, trouble))
}

fn stage_by_cache(
    store: &InstallStore,
    entry: &CacheEntry,
    package: &VerifiedPackage,
    published: &Published,
    file: &mut Option<TempFile>,
) -> Result<(InstalledPackage, Option<StoreError>), StoreError> {
    let had_file = file.is_some();
    match entry.put(package, published, file) {
        Ok(cached) => Ok((store.stage_cached(package, &cached)?, None)),
        Err(error) if error.is_about_disk() && had_file == file.is_some() => {
            Ok((store.stage(package)?, Some(error)))
        }
        Err(error) => Err(error),
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

impl<'l> Prior<'l> {
    /// The hashes that are locked, if anything is.
    fn locked(self) -> Option<&'l [PackageHash]> {
        match self {
            Self::Free => None,
            Self::Locked(locked) | Self::Required(locked) => Some(locked),
        }
    }

    fn check(
        self,
        found: LockMatch,
        hashes: &[PackageHash],
        staged: &InstalledPackage,
    ) -> Result<(), PackageFailure> {
        let (locked, exit_code) = match self {
            Self::Free => return Ok(()),
            Self::Locked(locked) => (locked, ExitCode::Verification),
            Self::Required(locked) => (locked, ExitCode::Difference),
        };
        let got = match found {
            LockMatch::Fits => return Ok(()),
            LockMatch::NothingToCompare if matches!(self, Self::Locked(_)) => return Ok(()),
            LockMatch::NothingToCompare => hashes.to_vec(),
            LockMatch::Differs { got } => got,
        };
        if locked.contains(staged.h1()) {
            return Ok(());
        }
        let known = |hash: &&PackageHash| hash.scheme() != HashScheme::Other;
        let locked = locked.iter().filter(known).cloned().collect();
        Err(PackageFailure::LockMismatch {
            got,
            locked,
            exit_code,
        })
    }
}
