//! Packages of modules on their way into `.terraform/modules`: each is fetched once in a run, further uses are
//! copies (facts/modules 3.3).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::address::{RemoteModule, leaves_package};
use crate::disk::{self, TempDir};
use crate::document::PackageIdentity;
use crate::ops::ModuleInstallError;
use crate::ops::blocking::on_blocking_pool;
use crate::registry::DirectArchive;
use crate::source::{GotModule, ModuleFetchError, ModuleGetter, find_subdir, literal_subdir};

/// Where a package comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PackageOrigin {
    /// A getter.
    Source(RemoteModule),
    /// An archive that a registry serves itself.
    Direct(DirectArchive),
}

impl PackageOrigin {
    /// By what uses of the same package are told: the exact text, nothing smarter (facts 1.6).
    pub(super) fn name(&self) -> String {
        match self {
            Self::Source(module) => module.package().to_owned(),
            Self::Direct(archive) => archive.url.to_string(),
        }
    }
}

/// How a directory in a package is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subdir {
    /// Registries' are taken literally.
    Literal(String),
    /// Others may be patterns.
    Pattern(String),
}

/// Fetches packages, and remembers where it has placed them.
#[derive(Debug)]
pub(super) struct ModulePackages<'g> {
    getter: &'g ModuleGetter,
    /// By name: the directory of the first use in this run, and what it is.
    placed: Mutex<BTreeMap<String, (PathBuf, PackageIdentity)>>,
}

impl<'g> ModulePackages<'g> {
    pub(super) fn new(getter: &'g ModuleGetter) -> Self {
        Self {
            getter,
            placed: Mutex::default(),
        }
    }

    /// Puts the package into the directory `target`, replacing what is there; what the package is.
    ///
    /// # Errors
    ///
    /// If it cannot be had or placed; what was at `target` is then as it was.
    pub(super) async fn place(
        &self,
        origin: &PackageOrigin,
        target: &Path,
    ) -> Result<PackageIdentity, ModuleInstallError> {
        let name = origin.name();
        if let Some((first, identity)) = self.first_use(&name) {
            copy(first, target.to_owned()).await?;
            return Ok(identity);
        }
        let identity = self.fetch(origin, target).await?;
        let mut placed = self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        placed.insert(name, (target.to_owned(), identity.clone()));
        Ok(identity)
    }

    fn first_use(&self, name: &str) -> Option<(PathBuf, PackageIdentity)> {
        let placed = self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        placed.get(name).cloned()
    }

    async fn fetch(
        &self,
        origin: &PackageOrigin,
        target: &Path,
    ) -> Result<PackageIdentity, ModuleInstallError> {
        let staged = {
            let target = target.to_owned();
            on_blocking_pool(move || TempDir::create_beside(&target)).await?
        };
        // Git and archives fill a directory in it, so that the mode of a temporary one does not stay.
        let content = staged.path().join("package");
        disk::create_dir_all(&content)?;
        let got = match origin {
            PackageOrigin::Source(module) => self.getter.get(module, &content).await?,
            PackageOrigin::Direct(archive) => {
                GotModule::Files(self.getter.get_direct(archive, &content).await?)
            }
        };
        let (target, identity) = (target.to_owned(), got.identity());
        on_blocking_pool(move || {
            // Dropped at the end: what was staged is removed.
            let staged = staged;
            match got {
                GotModule::Files(_) => disk::rename_dir(&staged.path().join("package"), &target),
                GotModule::Link(dir) => disk::link_dir(&dir, &target),
            }
        })
        .await?;
        Ok(identity)
    }
}

async fn copy(first: PathBuf, target: PathBuf) -> Result<(), ModuleInstallError> {
    on_blocking_pool(move || {
        let staged = TempDir::create_beside(&target)?;
        let content = staged.path().join("package");
        disk::create_dir_all(&content)?;
        disk::copy_visible_tree(&first, &content)?;
        disk::rename_dir(&content, &target)
    })
    .await?;
    Ok(())
}

/// Finds the module's directory in its package; its path from there with `/`, perhaps empty.
///
/// # Errors
///
/// If it is not there, or outside of the package.
pub(super) async fn module_dir(
    package: PathBuf,
    subdir: Subdir,
) -> Result<String, ModuleFetchError> {
    on_blocking_pool(move || match subdir {
        Subdir::Literal(subdir) | Subdir::Pattern(subdir) if leaves_package(&subdir) => {
            Err(ModuleFetchError::SubdirOutside { subdir })
        }
        Subdir::Literal(subdir) => literal_subdir(&package, &subdir).map(|()| subdir),
        Subdir::Pattern(subdir) => find_subdir(&package, &subdir),
    })
    .await
}
