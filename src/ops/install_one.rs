//! One package into an install directory: from the cache or fetched, proved, compared with the lock
//! file, placed.

use std::path::PathBuf;
use std::sync::Arc;

use crate::disk::{self, TempFile};
use crate::document::{PackageId, Verdict};
use crate::failure::ExitCode;
use crate::hash::{HashScheme, PackageHash, Sha256Digest};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache_use::{locked_entry, usable};
use crate::ops::{Fetcher, PackageFailure, Stage};
use crate::package::{LockMatch, UnpackedPackage, VerifiedPackage};
use crate::source::{PackageLocation, PackageMeta, Source};
use crate::store::{CacheEntry, InstallStore, InstalledPackage, PackageCache, StoreError};

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
}

/// A package in its place.
pub(super) struct Placed {
    /// What the source says of it; `None` if the lock file and the cache knew enough not to ask.
    pub(super) meta: Option<PackageMeta>,
    pub(super) verdict: Verdict,
    /// The size of its archive, if it was one.
    pub(super) size: Option<u64>,
    /// The hashes of its archive, as far as they are known.
    pub(super) archive_hashes: Vec<PackageHash>,
    pub(super) h1: PackageHash,
}

/// A verified package, and where its bytes are.
struct Obtained {
    package: VerifiedPackage,
    /// The file, if it is not the cache's; removed unless the cache takes it.
    file: Option<TempFile>,
    /// The cache's entry, if the cache is used.
    entry: Option<Arc<CacheEntry>>,
}

impl Installer<'_> {
    /// Installs package `id`, replacing what stands in its place. No request is made if the cache
    /// has proved bytes of this package with a locked hash.
    ///
    /// # Errors
    ///
    /// If it cannot be fetched, proved, unpacked or placed, or does not fit `prior`.
    pub(super) async fn install(
        &self,
        id: &PackageId,
        prior: Prior<'_>,
    ) -> Result<Placed, PackageFailure> {
        if let Some(obtained) = self.recalled(id, prior).await? {
            return self.place(None, obtained, prior).await;
        }
        let meta = self.source.package_meta(id).await?;
        if let PackageLocation::Directory(dir) = meta.location.clone() {
            return self.place_unpacked(meta, dir, prior).await;
        }
        let obtained = self.obtain(&meta).await?;
        self.place(Some(meta), obtained, prior).await
    }

    /// The package as the cache has it, if the lock file's hashes prove it.
    async fn recalled(
        &self,
        id: &PackageId,
        prior: Prior<'_>,
    ) -> Result<Option<Obtained>, PackageFailure> {
        let (Some(cache), Prior::Locked(locked) | Prior::Required(locked)) =
            (self.fetcher.cache, prior)
        else {
            return Ok(None);
        };
        let (ask, wanted) = (cache.clone(), id.clone());
        let candidates = on_blocking_pool(move || ask.candidates(&wanted)).await;
        let candidates = usable(candidates, self.fetcher.reporter)?.unwrap_or_default();
        for digest in candidates {
            let entry = locked_entry(cache, digest, self.fetcher.reporter).await?;
            let Some(entry) = entry else { continue };
            let (id, locked, ask) = (id.clone(), locked.to_vec(), Arc::clone(&entry));
            let package = on_blocking_pool(move || ask.recall(&id, &locked)).await;
            let package = usable(package, self.fetcher.reporter)?.flatten();
            if let Some(package) = package.filter(|package| self.may_be_remembered(package)) {
                return Ok(Some(Obtained {
                    package,
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
    async fn obtain(&self, meta: &PackageMeta) -> Result<Obtained, PackageFailure> {
        let reporter = self.fetcher.reporter;
        let Some(cache) = self.fetcher.cache else {
            return self.fetch(meta, None).await;
        };
        let Some(digest) = likely_digest(meta).await? else {
            return self.fetch(meta, Some((cache, None))).await;
        };
        let Some(entry) = locked_entry(cache, digest, reporter).await? else {
            return self.fetch(meta, None).await;
        };
        let ask = Arc::clone(&entry);
        let archive = on_blocking_pool(move || ask.archive()).await;
        match usable(archive, reporter)? {
            Some(Some(archive)) => {
                let package = archive.authenticate(&meta.id, meta.expectation())?;
                self.fetcher.require(&package)?;
                Ok(Obtained {
                    package,
                    file: None,
                    entry: Some(entry),
                })
            }
            Some(None) => self.fetch(meta, Some((cache, Some(entry)))).await,
            None => self.fetch(meta, None).await,
        }
    }

    /// Fetches the package into the cache, or beside its place if there is none.
    async fn fetch(
        &self,
        meta: &PackageMeta,
        cache: Option<(&PackageCache, Option<Arc<CacheEntry>>)>,
    ) -> Result<Obtained, PackageFailure> {
        let reporter = self.fetcher.reporter;
        let into_cache = match cache {
            Some((cache, entry)) => {
                usable(cache.new_archive(), reporter)?.map(|file| (file, Some((cache, entry))))
            }
            None => None,
        };
        let (file, cache) = match into_cache {
            Some(file_and_cache) => file_and_cache,
            None => (TempFile::create_beside(&self.store.dir(&meta.id))?, None),
        };
        let fetched = self.fetcher.fetch_into(meta, file).await?;
        let entry = match cache {
            None => None,
            Some((_, Some(entry))) if entry.digest() == fetched.package.digest() => Some(entry),
            // Its digest was not known before, or is another than the likely one: a mirror may list a wrong `zh:`
            // beside a right `h1:`.
            Some((cache, other)) => {
                drop(other);
                locked_entry(cache, fetched.package.digest(), reporter).await?
            }
        };
        Ok(Obtained {
            package: fetched.package,
            file: Some(fetched.file),
            entry,
        })
    }

    async fn place(
        &self,
        meta: Option<PackageMeta>,
        obtained: Obtained,
        prior: Prior<'_>,
    ) -> Result<Placed, PackageFailure> {
        let reporter = self.fetcher.reporter;
        reporter.stage(obtained.package.id(), Stage::Unpacking);
        let store = self.store.clone();
        let (package, staged, trouble) = on_blocking_pool(move || stage(&store, obtained)).await?;
        if let Some(trouble) = trouble {
            usable::<()>(Err(trouble), reporter)?;
        }
        prior.check(
            package.matches_any(prior.hashes())?,
            &package.hashes(),
            &staged,
        )?;
        let h1 = staged.h1().clone();
        on_blocking_pool(move || staged.place()).await?;
        Ok(Placed {
            meta,
            verdict: package.verdict().clone(),
            size: Some(package.size()),
            archive_hashes: package.hashes(),
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
        let (id, store) = (meta.id.clone(), self.store.clone());
        let package = on_blocking_pool(move || UnpackedPackage::examine(id, dir)).await?;
        let (package, staged) = on_blocking_pool(move || {
            let staged = store.stage_unpacked(&package);
            staged.map(|staged| (package, staged))
        })
        .await?;
        let h1 = package.h1().clone();
        let found = package.matches_any(prior.hashes());
        prior.check(found, std::slice::from_ref(&h1), &staged)?;
        on_blocking_pool(move || staged.place()).await?;
        Ok(Placed {
            meta: Some(meta),
            verdict: Verdict::Unauthenticated,
            size: None,
            archive_hashes: Vec::new(),
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
    let Obtained {
        package,
        mut file,
        entry,
    } = obtained;
    let Some(entry) = entry else {
        let staged = store.stage(&package)?;
        return Ok((package, staged, None));
    };
    let had_file = file.is_some();
    match entry.put(&package, &mut file) {
        Ok(cached) => {
            let staged = store.stage_cached(&package, &cached)?;
            Ok((package, staged, None))
        }
        Err(error) if error.is_about_disk() && had_file == file.is_some() => {
            let staged = store.stage(&package)?;
            Ok((package, staged, Some(error)))
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
    /// The hashes in the lock file.
    fn hashes(self) -> &'l [PackageHash] {
        match self {
            Self::Free => &[],
            Self::Locked(hashes) | Self::Required(hashes) => hashes,
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
