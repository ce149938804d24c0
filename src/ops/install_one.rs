//! One package into an install directory: fetch, prove, unpack, compare with the lock file, place.

use std::sync::Arc;

use crate::document::PackageId;
use crate::failure::ExitCode;
use crate::hash::{HashScheme, PackageHash};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::{Fetcher, PackageFailure, Stage};
use crate::package::{LockMatch, VerifiedPackage};
use crate::source::{PackageMeta, Source};
use crate::store::{InstallStore, InstalledPackage};

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
    pub(super) meta: PackageMeta,
    pub(super) package: VerifiedPackage,
    pub(super) h1: PackageHash,
}

impl Installer<'_> {
    /// Installs package `id`, replacing what stands in its place.
    ///
    /// # Errors
    ///
    /// If it cannot be fetched, proved, unpacked or placed, or does not fit `prior`.
    pub(super) async fn install(
        &self,
        id: &PackageId,
        prior: Prior<'_>,
    ) -> Result<Placed, PackageFailure> {
        let meta = self.source.package_meta(id).await?;
        let fetched = self.fetcher.fetch(&meta, &self.store.dir(id)).await?;
        self.fetcher.reporter.stage(id, Stage::Unpacking);
        let store = self.store.clone();
        let package = Arc::new(fetched.package);
        let staged = {
            let package = Arc::clone(&package);
            let file = fetched.file;
            on_blocking_pool(move || {
                let staged = store.stage(&package);
                drop(file);
                staged
            })
            .await?
        };
        prior.check(&package, &staged)?;
        let h1 = staged.h1().clone();
        on_blocking_pool(move || staged.place()).await?;
        let package = Arc::into_inner(package).expect("the pool has let go of it");
        Ok(Placed { meta, package, h1 })
    }
}

impl Prior<'_> {
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
