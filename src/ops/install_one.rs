//! One package into an install directory: from the cache or fetched, proved, compared with the lock
//! file, placed.

use std::sync::Arc;

use crate::disk::TempFile;
use crate::document::{PackageId, Published};
use crate::failure::ExitCode;
use crate::hash::{HashScheme, PackageHash, Sha256Digest};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache_use::{locked_entry, usable, warn};
use crate::ops::fetch::Fetched;
use crate::ops::pipeline::Slot;
use crate::ops::plugin_cache_use;
use crate::ops::{Fetcher, PackageFailure, Stage};
use crate::package::{LockMatch, VerifiedPackage};
use crate::source::{PackageMeta, Source};
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
    pub(super) package: VerifiedPackage,
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
        let obtained = match (recalled, order.meta) {
            (Some(obtained), _) => obtained,
            (None, Some(meta)) => self.obtain(&meta, slot).await?,
            (None, None) => {
                let meta = self.source.package_meta(&order.id).await?;
                self.obtain(&meta, slot).await?
            }
        };
        self.place(obtained, prior).await
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
        let entry = match self.fetcher.cache {
            Some(cache) => locked_entry(cache, meta.announced(), reporter).await?,
            None => None,
        };
        let (Some(cache), Some(entry)) = (self.fetcher.cache, entry) else {
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
            Some(None) => self.fetch_into_cache(meta, cache, entry, slot).await,
            None => self.fetch_beside(meta, slot).await,
        }
    }

    /// Fetches the package into the cache, or beside its place if the cache's disk is in trouble.
    async fn fetch_into_cache(
        &self,
        meta: &PackageMeta,
        cache: &PackageCache,
        entry: Arc<CacheEntry>,
        slot: &Slot,
    ) -> Result<Obtained, PackageFailure> {
        let reporter = self.fetcher.reporter;
        let Some(file) = usable(cache.new_archive(meta.announced()), reporter)? else {
            return self.fetch_beside(meta, slot).await;
        };
        match self.fetcher.fetch_into(meta, file, slot).await {
            Ok(fetched) => Ok(Obtained::fetched(meta, fetched, Some(entry))),
            Err(failure) if failure.is_about_disk() => {
                warn("package cache", &failure, reporter);
                reporter.restarted(&meta.id);
                self.fetch_beside(meta, slot).await
            }
            Err(failure) => Err(failure),
        }
    }

    /// Fetches the package beside its place.
    async fn fetch_beside(
        &self,
        meta: &PackageMeta,
        slot: &Slot,
    ) -> Result<Obtained, PackageFailure> {
        let file = TempFile::continue_beside(&self.store.dir(&meta.id), meta.announced())?;
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
        prior.check(&package, &staged)?;
        let h1 = staged.h1().clone();
        let (shared, id) = (self.plugin_cache, package.id());
        plugin_cache_use::place(shared, self.store, id, staged, reporter).await?;
        Ok(Placed {
            package,
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
        package: &VerifiedPackage,
        staged: &InstalledPackage,
    ) -> Result<(), PackageFailure> {
        let (locked, exit_code) = match self {
            Self::Free => return Ok(()),
            Self::Locked(locked) => (locked, ExitCode::Verification),
            Self::Required(locked) => (locked, ExitCode::Difference),
        };
        let got = match package.matches_any(locked)? {
            LockMatch::Fits => return Ok(()),
            LockMatch::NothingToCompare if matches!(self, Self::Locked(_)) => return Ok(()),
            LockMatch::NothingToCompare => package.hashes(),
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
