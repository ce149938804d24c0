//! The hashes of one package for lock files, with as few bytes as the rules allow.

use std::path::Path;

use crate::address::Tool;
use crate::disk::TempDir;
use crate::document::{PackageId, Published, Verdict};
use crate::hash::PackageHash;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache::packages::usable;
use crate::ops::install::prior::Prior;
use crate::ops::packages::obtain::{Obtained, Obtainer};
use crate::ops::packages::pipeline::Slot;
use crate::ops::{PackageFailure, Stage};
use crate::package::{Expectation, KnownContents, UnpackedPackage, VerifiedPackage};
use crate::source::{PackageLocation, PackageMeta};
use crate::store::StoreError;

/// Finds out the hashes of packages.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Hasher<'a> {
    pub(in crate::ops) obtainer: Obtainer<'a>,
    /// Where packages lie that no cache takes.
    pub(in crate::ops) temporary: &'a Path,
}

/// What a lock file may say of a package.
pub(in crate::ops) struct HashedPackage {
    pub(in crate::ops) verdict: Verdict,
    /// The size of its archive, if it was one and is known.
    pub(in crate::ops) size: Option<u64>,
    /// The `h1:` of its directory.
    pub(in crate::ops) h1: PackageHash,
    /// The hashes of its archive, as far as they are known.
    pub(in crate::ops) archive: Vec<PackageHash>,
    /// The hashes that were published with it.
    pub(in crate::ops) published: Published,
}

/// What can be known of a package before its bytes are here.
pub(in crate::ops) enum LookedUp {
    /// All that a lock file says.
    Known(HashedPackage),
    /// Where it is.
    Unknown(PackageMeta),
}

impl Hasher<'_> {
    /// Takes the hashes from the cache, if one of the `locked` ones proves what it has; else asks the source.
    ///
    /// # Errors
    ///
    /// If the source does not offer the package, or contradicts itself.
    pub(in crate::ops) async fn look_up(
        &self,
        tool: Tool,
        id: &PackageId,
        locked: &[PackageHash],
    ) -> Result<LookedUp, PackageFailure> {
        if let Some(obtained) = self.obtainer.recalled(id, Prior::Locked(locked)).await? {
            return Ok(LookedUp::Known(self.of_archive(obtained).await?));
        }
        let meta = self.obtainer.source.package_meta(id).await?;
        match self.vouched(tool, &meta)? {
            Some(hashed) => Ok(LookedUp::Known(hashed)),
            None => Ok(LookedUp::Unknown(meta)),
        }
    }

    /// Hashes a package: that of the cache, else a download.
    ///
    /// # Errors
    ///
    /// If it cannot be fetched, proved or unpacked.
    pub(in crate::ops) async fn hash(
        &self,
        meta: PackageMeta,
        slot: &Slot,
    ) -> Result<HashedPackage, PackageFailure> {
        if let PackageLocation::Directory(dir) = &meta.location {
            let (id, dir) = (meta.id.clone(), dir.clone());
            let package = on_blocking_pool(move || UnpackedPackage::examine(id, dir)).await?;
            return Ok(HashedPackage {
                verdict: Verdict::Unauthenticated,
                size: None,
                h1: package.h1().clone(),
                archive: Vec::new(),
                published: meta.published(),
            });
        }
        // Where no cache takes it: a place of its own, as others may write to directories for temporary files.
        let scratch = {
            let beside = self.temporary.join("package");
            on_blocking_pool(move || TempDir::create_beside(&beside)).await?
        };
        let target = scratch.path().join(meta.id.platform.to_string());
        self.of_archive(self.obtainer.obtain(&meta, &target, slot).await?)
            .await
    }

    /// What OpenTofu locks without comparing it, so that nothing has to be fetched to know it: what its own
    /// registry reports (facts/providers 3.11), if that agrees with the signed document.
    fn vouched(
        &self,
        tool: Tool,
        meta: &PackageMeta,
    ) -> Result<Option<HashedPackage>, PackageFailure> {
        let (Tool::Tofu, Some(h1), Expectation::Registry(registry)) =
            (tool, meta.vouched_h1(), meta.expectation())
        else {
            return Ok(None);
        };
        let verdict = registry.verdict()?;
        if !self.obtainer.fetcher.accepts(&verdict) {
            return Err(PackageFailure::Unsigned);
        }
        log::info!(
            "{} is not fetched: its registry vouches for its hashes",
            meta.id
        );
        Ok(Some(HashedPackage {
            verdict,
            size: meta.size,
            h1: h1.clone(),
            archive: vec![PackageHash::zh(registry.announced)],
            published: meta.published(),
        }))
    }

    async fn of_archive(&self, obtained: Obtained) -> Result<HashedPackage, PackageFailure> {
        let reporter = self.obtainer.fetcher.reporter;
        reporter.stage(obtained.package.id(), Stage::Proving);
        let published = obtained.published.clone();
        let (package, contents, trouble) = on_blocking_pool(move || contents(obtained)).await?;
        if let Some(trouble) = trouble {
            usable::<()>(Err(trouble), reporter)?;
        }
        Ok(HashedPackage {
            verdict: package.verdict().clone(),
            size: Some(package.size()),
            h1: contents.h1_directory,
            archive: package.hashes(),
            published,
        })
    }
}

/// The hashes of an archive's contents, which the cache remembers; if the cache's disk is in trouble, that trouble, too.
fn contents(
    obtained: Obtained,
) -> Result<(VerifiedPackage, KnownContents, Option<StoreError>), PackageFailure> {
    let Obtained {
        package,
        published,
        mut file,
        entry,
    } = obtained;
    let had_file = file.is_some();
    let kept = entry.map(|entry| entry.keep(&package, &published, &mut file));
    let (contents, trouble) = match kept {
        Some(Ok(contents)) => (contents, None),
        Some(Err(error)) if error.is_about_disk() && had_file == file.is_some() => {
            (package.known_or_inspected()?, Some(error))
        }
        Some(Err(error)) => return Err(error.into()),
        None => (package.known_or_inspected()?, None),
    };
    if let Some(file) = file {
        file.discard();
    }
    Ok((package, contents, trouble))
}
