//! From what a source tells of a package to verified bytes on disk; every command's packages come
//! through here.

use std::path::Path;

use crate::disk::{self, DiskError, TempFile};
use crate::document::{PackageId, Verdict};
use crate::http::{Client, DownloadRequest, Progress, RetryPolicy};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache_use::{locked_entry, usable};
use crate::ops::{PackageFailure, Reporter};
use crate::package::{FetchedPackage, IntactArchive, VerifiedPackage, authenticate};
use crate::source::{PackageLocation, PackageMeta, SourceError};
use crate::store::PackageCache;

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
    /// Who is told.
    pub reporter: &'r dyn Reporter,
}

/// A verified package whose file is removed unless a store takes it.
pub(super) struct Fetched {
    pub(super) package: VerifiedPackage,
    pub(super) file: TempFile,
}

impl Fetcher<'_> {
    /// Gets the package of `meta` into a temporary file beside `target` and proves it: a copy of what
    /// the cache has, else a download, which the cache does not keep.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be fetched or are not what the source's proof says.
    pub(super) async fn fetch(
        &self,
        meta: &PackageMeta,
        target: &Path,
    ) -> Result<Fetched, PackageFailure> {
        let Some((archive, file)) = self.copy_of_cached(meta, target).await? else {
            return self
                .fetch_into(meta, TempFile::create_beside(target)?)
                .await;
        };
        let package = archive.authenticate(&meta.id, meta.expectation())?;
        self.require(&package)?;
        Ok(Fetched { package, file })
    }

    /// Downloads the package of `meta` into `file` and proves it.
    ///
    /// # Errors
    ///
    /// As [`Fetcher::fetch`].
    pub(super) async fn fetch_into(
        &self,
        meta: &PackageMeta,
        file: TempFile,
    ) -> Result<Fetched, PackageFailure> {
        self.reporter.started(&meta.id);
        let fetched = self.download(meta, &file).await?;
        let package = authenticate(fetched, meta.expectation())?;
        self.require(&package)?;
        Ok(Fetched { package, file })
    }

    /// Refuses a package whose verdict is not good enough.
    pub(super) fn require(&self, package: &VerifiedPackage) -> Result<(), PackageFailure> {
        if self.accepts(package.verdict()) {
            Ok(())
        } else {
            Err(PackageFailure::Unsigned)
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
        let Some(entry) = locked_entry(cache, digest, self.reporter).await? else {
            return Ok(None);
        };
        let target = target.to_owned();
        let copy = on_blocking_pool(move || {
            let Some(archive) = entry.archive()? else {
                return Ok(None);
            };
            let file = TempFile::create_beside(&target)?;
            Ok(Some((archive.copied_into(&file)?, file)))
        })
        .await;
        let copy = usable(copy, self.reporter)?.flatten();
        if copy.is_some() {
            log::info!("copied {} from the package cache", meta.id);
        }
        Ok(copy)
    }

    /// Whether a package with this verdict is good enough.
    pub(super) fn accepts(&self, verdict: &Verdict) -> bool {
        match self.signatures {
            SignaturePolicy::AsTheSourceRequires => true,
            SignaturePolicy::Required => matches!(verdict, Verdict::Signed { .. }),
        }
    }

    async fn download(
        &self,
        meta: &PackageMeta,
        file: &TempFile,
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
            id: &meta.id,
        };
        let request = DownloadRequest {
            url: url.clone(),
            expected_size: meta.size,
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
    id: &'r PackageId,
}

impl Progress for PackageProgress<'_> {
    fn announce(&self, bytes: u64) {
        self.reporter.sized(self.id, bytes);
    }

    fn add(&self, bytes: u64) {
        self.reporter.advanced(self.id, bytes);
    }

    fn restart(&self) {
        self.reporter.restarted(self.id);
    }
}
