//! One package into an install directory: obtained, unpacked, compared with the lock file, placed.

use std::path::PathBuf;

use crate::disk::TempFile;
use crate::document::{PackageId, Published, Verdict};
use crate::hash::PackageHash;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache::packages::usable;
use crate::ops::cache::plugins;
use crate::ops::install::prior::Prior;
use crate::ops::packages::obtain::{Obtained, Obtainer};
use crate::ops::packages::pipeline::Slot;
use crate::ops::{PackageFailure, Stage};
use crate::package::{Scrutiny, UnpackedPackage, VerifiedPackage};
use crate::source::{PackageLocation, PackageMeta};
use crate::store::{CacheEntry, InstallStore, InstalledPackage, PluginCache, StoreError};

/// Installs packages into one directory.
pub(in crate::ops) struct Installer<'a> {
    pub(in crate::ops) obtainer: Obtainer<'a>,
    pub(in crate::ops) store: &'a InstallStore,
    /// Where the packages themselves go, if the user shares them between the tools' root modules.
    pub(in crate::ops) plugin_cache: Option<&'a PluginCache>,
}

/// A package in its place.
pub(in crate::ops) struct Placed {
    pub(in crate::ops) verdict: Verdict,
    /// The size of its archive, if it was one.
    pub(in crate::ops) size: Option<u64>,
    /// The hashes of its archive, as far as they are known.
    pub(in crate::ops) archive_hashes: Vec<PackageHash>,
    /// The hashes that were published with it.
    pub(in crate::ops) published: Published,
    pub(in crate::ops) h1: PackageHash,
}

/// What is known of a package that is to be installed.
pub(in crate::ops) struct Order {
    pub(in crate::ops) id: PackageId,
    /// What the source says of it; `None` if it was not asked, because the cache may know enough.
    pub(in crate::ops) meta: Option<PackageMeta>,
}

impl Installer<'_> {
    /// Asks for what has to be known to install package `id`: nothing, if the cache may have proved
    /// bytes of this package with a locked hash.
    ///
    /// # Errors
    ///
    /// If the source does not offer it.
    pub(in crate::ops) async fn prepare(
        &self,
        id: PackageId,
        prior: Prior<'_>,
    ) -> Result<Order, PackageFailure> {
        if !self.obtainer.candidates(&id, prior).await?.is_empty() {
            return Ok(Order { id, meta: None });
        }
        let meta = Some(self.obtainer.source.package_meta(&id).await?);
        Ok(Order { id, meta })
    }

    /// Installs a package, replacing what stands in its place. No request is made if the cache has
    /// proved bytes of this package with a locked hash.
    ///
    /// # Errors
    ///
    /// If it cannot be fetched, proved, unpacked or placed, or does not fit `prior`.
    pub(in crate::ops) async fn install(
        &self,
        order: Order,
        prior: Prior<'_>,
        slot: &Slot,
    ) -> Result<Placed, PackageFailure> {
        let recalled = match order.meta {
            Some(_) => None,
            None => self.obtainer.recalled(&order.id, prior).await?,
        };
        if let Some(obtained) = recalled {
            return self.place(obtained, prior).await;
        }
        let meta = match order.meta {
            Some(meta) => meta,
            None => self.obtainer.source.package_meta(&order.id).await?,
        };
        if let PackageLocation::Directory(dir) = meta.location.clone() {
            return self.place_unpacked(meta, dir, prior).await;
        }
        let target = self.store.dir(&meta.id);
        let obtained = self.obtainer.obtain(&meta, &target, slot).await?;
        self.place(obtained, prior).await
    }

    /// Installs package `id` without any request, if the cache has proved bytes of it with a locked
    /// hash.
    ///
    /// # Errors
    ///
    /// If it cannot be unpacked or placed.
    pub(in crate::ops) async fn install_recalled(
        &self,
        id: &PackageId,
        prior: Prior<'_>,
    ) -> Result<Option<Placed>, PackageFailure> {
        match self.obtainer.recalled(id, prior).await? {
            Some(obtained) => self.place(obtained, prior).await.map(Some),
            None => Ok(None),
        }
    }

    async fn place(&self, obtained: Obtained, prior: Prior<'_>) -> Result<Placed, PackageFailure> {
        let reporter = self.obtainer.fetcher.reporter;
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
        plugins::place(shared, self.store, id, staged, reporter).await?;
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
    // What stands in its place is not the package: its files may be the cache's own, changed without a trace.
    let scrutiny = if store.dir(obtained.package.id()).exists() {
        Scrutiny::Bytes
    } else {
        Scrutiny::Stamp
    };
    let staged = match &obtained.entry {
        None => store.stage(&obtained.package).map(|staged| (staged, None)),
        Some(entry) => {
            let (package, published) = (&obtained.package, &obtained.published);
            stage_by_cache(store, entry, package, published, &mut file, scrutiny)
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
    scrutiny: Scrutiny,
) -> Result<(InstalledPackage, Option<StoreError>), StoreError> {
    let had_file = file.is_some();
    match entry.put(package, published, file, scrutiny) {
        Ok(cached) => Ok((store.stage_cached(package, &cached)?, None)),
        Err(error) if error.is_about_disk() && had_file == file.is_some() => {
            Ok((store.stage(package)?, Some(error)))
        }
        Err(error) => Err(error),
    }
}
