//! From what a source tells of a package to verified bytes on disk; every command's packages come
//! through here.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;

use crate::address::ProviderAddr;
use crate::disk::{self, DiskError, TempFile};
use crate::document::{PackageId, Verdict};
use crate::http::{Client, DownloadRequest, Progress, RetryPolicy};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache::packages::{locked_entry, usable};
use crate::ops::packages::pipeline::Slot;
use crate::ops::{ExpiredKeys, PackageFailure, Reporter};
use crate::package::{FetchedPackage, IntactArchive, VerifiedPackage, authenticate};
use crate::source::{PackageLocation, PackageMeta, SourceError};
use crate::store::{PackageCache, StoreError};

/// No provider package comes near this; beyond it a server is lying.
const PACKAGE_CAP: u64 = 8 << 30;

/// As Go's default client, which the tools use for packages.
const MAX_REDIRECTS: usize = 10;

/// Whether checksums alone are good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignaturePolicy {
    /// What the source's rules let pass is taken.
    AsTheSourceRequires,
    /// `--require-signature`.
    Required,
}

/// Downloads and authenticates packages.
pub struct Fetcher<'r> {
    /// The HTTP client.
    pub http: &'r Client,
    /// How often a download is tried again.
    pub retry: RetryPolicy,
    /// Whether checksums alone are good enough.
    pub signatures: SignaturePolicy,
    /// What was fetched before, unless `--no-cache` is given.
    pub cache: Option<&'r PackageCache>,
    /// What to make of signatures by expired keys.
    pub expired_keys: ExpiredKeys,
    /// Who is told.
    pub reporter: &'r dyn Reporter,
    /// How large packages were.
    pub sizes: PackageSizes,
}

/// The sizes of packages that were seen in this run, since those of one provider are much alike. A clone
/// knows the same.
#[derive(Debug, Clone, Default)]
pub struct PackageSizes(Arc<Mutex<BTreeMap<ProviderAddr, u64>>>);

impl PackageSizes {
    fn note(&self, addr: &ProviderAddr, bytes: u64) {
        let mut sizes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sizes.insert(addr.clone(), bytes);
    }

    fn last(&self, addr: &ProviderAddr) -> Option<u64> {
        let sizes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sizes.get(addr).copied()
    }
}

/// A verified package whose file is removed unless a store takes it.
pub(in crate::ops) struct Fetched {
    pub(in crate::ops) package: VerifiedPackage,
    pub(in crate::ops) file: TempFile,
}

impl Fetcher<'_> {
    /// Gets the package of `meta` into a temporary file beside `target` and proves it: a copy of what
    /// the cache has, else a download, which the cache does not keep.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be fetched or are not what the source's proof says.
    pub(in crate::ops) async fn fetch(
        &self,
        meta: &PackageMeta,
        target: &Path,
        slot: &Slot,
    ) -> Result<Fetched, PackageFailure> {
        let Some((archive, file)) = self.copy_of_cached(meta, target).await? else {
            let file = new_file(meta, target)?;
            return self.fetch_into(meta, file, slot).await;
        };
        let package = archive.authenticate(&meta.id, meta.expectation())?;
        self.require(&package)?;
        Ok(Fetched { package, file })
    }

    /// Downloads the package of `meta` into `file` and proves it. After a failure that may pass, the
    /// file stays as far as a later run can go on with it.
    ///
    /// # Errors
    ///
    /// As [`Fetcher::fetch`].
    pub(in crate::ops) async fn fetch_into(
        &self,
        meta: &PackageMeta,
        file: TempFile,
        slot: &Slot,
    ) -> Result<Fetched, PackageFailure> {
        self.reporter.started(&meta.id);
        match self.download_proved(meta, &file, slot).await {
            Ok(package) => Ok(Fetched { package, file }),
            Err(failure) => {
                if !failure.may_pass() {
                    file.discard();
                }
                Err(failure)
            }
        }
    }

    async fn download_proved(
        &self,
        meta: &PackageMeta,
        file: &TempFile,
        slot: &Slot,
    ) -> Result<VerifiedPackage, PackageFailure> {
        let fetched = self.download(meta, file, slot).await?;
        let package = authenticate(fetched, meta.expectation())?;
        self.require(&package)?;
        Ok(package)
    }

    /// How much work the package of `meta` is: its size, or that of the last one of the same provider.
    pub(in crate::ops) fn weight(&self, meta: &PackageMeta) -> u64 {
        let known = || self.sizes.last(&meta.id.addr);
        meta.size.or_else(known).unwrap_or_default()
    }

    /// Refuses a package whose verdict is not good enough.
    pub(in crate::ops) fn require(&self, package: &VerifiedPackage) -> Result<(), PackageFailure> {
        self.require_verdict(package.id(), package.verdict())
    }

    /// Refuses a verdict of a package that is not good enough.
    pub(in crate::ops) fn require_verdict(
        &self,
        id: &PackageId,
        verdict: &Verdict,
    ) -> Result<(), PackageFailure> {
        self.judge(verdict)?;
        if let Verdict::Signed {
            key_id,
            expired: true,
        } = verdict
            && self.expired_keys == ExpiredKeys::Warn
        {
            let text = format!("{id} is signed by key `{key_id}`, which has expired");
            self.reporter.warning(&text);
        }
        Ok(())
    }

    fn judge(&self, verdict: &Verdict) -> Result<(), PackageFailure> {
        match verdict {
            Verdict::Signed {
                key_id,
                expired: true,
            } if self.expired_keys == ExpiredKeys::Reject => Err(PackageFailure::ExpiredKey {
                key_id: key_id.clone(),
            }),
            Verdict::Signed { .. } => Ok(()),
            Verdict::Checksum | Verdict::Unauthenticated => match self.signatures {
                SignaturePolicy::AsTheSourceRequires => Ok(()),
                SignaturePolicy::Required => Err(PackageFailure::Unsigned),
            },
        }
    }

    /// A copy beside `target` of the announced archive, if the cache has it.
    async fn copy_of_cached(
        &self,
        meta: &PackageMeta,
        target: &Path,
    ) -> Result<Option<(IntactArchive, TempFile)>, PackageFailure> {
        let (Some(cache), Some(digest)) = (self.cache, meta.announced()) else {
            return Ok(None);
        };
        if !cache.has_archive(digest) {
            return Ok(None);
        }
        let Some(entry) = locked_entry(cache, digest, &meta.id, self.reporter).await? else {
            return Ok(None);
        };
        let cached = on_blocking_pool({
            let entry = Arc::clone(&entry);
            move || entry.archive()
        });
        let Some(archive) = usable(cached.await, self.reporter)?.flatten() else {
            return Ok(None);
        };
        let file = TempFile::create_beside(target)?;
        // The entry stays locked while it is copied.
        let (copied, file, _entry) =
            on_blocking_pool(move || (archive.copied_into(&file), file, entry)).await;
        let copied = match copied {
            Err(error) if error.path == file.path() => return Err(error.into()),
            copied => usable(copied.map_err(StoreError::from), self.reporter)?,
        };
        Ok(copied.map(|archive| {
            log::info!("copied {} from the package cache", meta.id);
            (archive, file)
        }))
    }

    /// Whether a package with this verdict is good enough.
    pub(in crate::ops) fn accepts(&self, verdict: &Verdict) -> bool {
        self.judge(verdict).is_ok()
    }

    async fn download(
        &self,
        meta: &PackageMeta,
        file: &TempFile,
        slot: &Slot,
    ) -> Result<FetchedPackage, PackageFailure> {
        let url = match &meta.location {
            PackageLocation::Url(url) => url,
            PackageLocation::Archive(archive) => return copy_archive(meta, archive, file).await,
            PackageLocation::Directory(dir) => {
                return Err(PackageFailure::Source(SourceError::OnlyUnpacked {
                    id: Box::new(meta.id.clone()),
                    dir: dir.clone(),
                }));
            }
        };
        let progress = PackageProgress {
            reporter: self.reporter,
            sizes: &self.sizes,
            slot,
            id: &meta.id,
        };
        let request = DownloadRequest {
            url: url.clone(),
            digest: meta.announced(),
            expected_size: meta.size,
            bearer: None,
            cap: PACKAGE_CAP,
            max_redirects: MAX_REDIRECTS,
            retry: self.retry,
        };
        let path = file.path().to_owned();
        let downloaded = self.http.download(&request, file, &progress).await?;
        Ok(FetchedPackage {
            id: meta.id.clone(),
            path,
            digest: downloaded.digest,
            size: downloaded.size,
        })
    }
}

/// A file beside `target` for the bytes of a package; what an earlier run left of them, if they are known by
/// their digest.
pub(in crate::ops) fn new_file(meta: &PackageMeta, target: &Path) -> Result<TempFile, DiskError> {
    match (&meta.location, meta.announced()) {
        (PackageLocation::Url(_), Some(digest)) => TempFile::continue_beside(target, digest),
        _ => TempFile::create_beside(target),
    }
}

/// Copies an archive of this machine, and hashes what was copied.
async fn copy_archive(
    meta: &PackageMeta,
    archive: &Path,
    file: &TempFile,
) -> Result<FetchedPackage, PackageFailure> {
    let path = file.path().to_owned();
    let target = file.file().try_clone();
    let target = target.map_err(DiskError::on("write", &path))?;
    let archive = archive.to_owned();
    let copied = on_blocking_pool(move || disk::copy_hashed(&archive, &target)).await;
    let (digest, size) = copied?;
    Ok(FetchedPackage {
        id: meta.id.clone(),
        path,
        digest,
        size,
    })
}

struct PackageProgress<'r> {
    reporter: &'r dyn Reporter,
    sizes: &'r PackageSizes,
    slot: &'r Slot,
    id: &'r PackageId,
}

impl Progress for PackageProgress<'_> {
    fn announce(&self, bytes: u64) {
        self.sizes.note(&self.id.addr, bytes);
        self.reporter.sized(self.id, bytes);
    }

    fn add(&self, bytes: u64) {
        self.reporter.advanced(self.id, bytes);
    }

    fn restart(&self) {
        self.reporter.restarted(self.id);
    }

    fn rest<'a>(&'a self, wait: BoxFuture<'a, ()>) -> BoxFuture<'a, ()> {
        self.slot.rest(wait)
    }
}
