//! Packages of modules on their way into `.terraform/modules`: each is fetched once in a run, or taken from the package
//! cache; further uses are copies (facts/modules 3.3).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::address::{RemoteModule, leaves_package};
use crate::disk::{self, TempDir};
use crate::document::{LockedModule, PackageIdentity};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::modules::cache::CachedModules;
use crate::ops::modules::mismatch::{Received, check_package};
use crate::ops::{ModuleInstallError, Reporter};
use crate::registry::DirectArchive;
use crate::source::{GotModule, ModuleFetchError, ModuleGetter, find_subdir, literal_subdir};
use crate::store::{ModuleKey, PackageCache};

/// Where a package comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ops) enum PackageOrigin {
    /// A getter.
    Source(RemoteModule),
    /// An archive that a registry serves itself.
    Direct(DirectArchive),
    /// The package cache alone, under `--offline`; the source is as messages show it.
    Cached { key: ModuleKey, source: String },
}

impl PackageOrigin {
    /// By what uses of the same package are told: the exact text, nothing smarter (facts 1.6).
    pub(in crate::ops) fn name(&self) -> String {
        match self {
            Self::Source(module) => module.package().to_owned(),
            Self::Direct(archive) => archive.url.to_string(),
            Self::Cached { key, .. } => format!("cached {}", key.digest()),
        }
    }
}

/// How a directory in a package is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ops) enum Subdir {
    /// Registries' are taken literally.
    Literal(String),
    /// Others may be patterns.
    Pattern(String),
}

/// A package that was placed in this run.
#[derive(Debug, Clone)]
struct Use {
    dir: PathBuf,
    received: Received,
}

/// Fetches packages, and remembers where it has placed them.
pub(in crate::ops) struct ModulePackages<'g> {
    getter: &'g ModuleGetter,
    cached: CachedModules<'g>,
    /// By name: the first use in each directory of modules.
    placed: Mutex<BTreeMap<String, Vec<Use>>>,
}

impl<'g> ModulePackages<'g> {
    pub(in crate::ops) fn new(
        getter: &'g ModuleGetter,
        cache: Option<&PackageCache>,
        reporter: &'g dyn Reporter,
    ) -> Self {
        Self {
            getter,
            cached: CachedModules::new(cache, reporter),
            placed: Mutex::default(),
        }
    }

    /// Puts the package into the directory `target`, replacing what is there; what the package is.
    ///
    /// # Errors
    ///
    /// If it cannot be had or placed, or is not the `locked` one; what was at `target` is then as it was.
    pub(in crate::ops) async fn place(
        &self,
        origin: &PackageOrigin,
        target: &Path,
        locked: Option<&LockedModule>,
    ) -> Result<PackageIdentity, ModuleInstallError> {
        let name = origin.name();
        let received = match self.earlier_use(&name, target) {
            Some(earlier) => {
                check_package(earlier.dir.clone(), Some(&earlier.received), locked).await?;
                copy(earlier.dir, target.to_owned()).await?;
                earlier.received
            }
            None => Received {
                identity: self.get(origin, target, locked).await?,
                whole: target.to_owned(),
            },
        };
        let identity = received.identity.clone();
        self.note_use(name, target, received);
        Ok(identity)
    }

    /// A use of the package, best one beside `target`.
    fn earlier_use(&self, name: &str, target: &Path) -> Option<Use> {
        let placed = self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        let uses = || placed.get(name).into_iter().flatten();
        let beside = uses().find(|it| it.dir.parent() == target.parent());
        beside.or_else(|| uses().next()).cloned()
    }

    fn note_use(&self, name: String, target: &Path, received: Received) {
        let mut placed = self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        let uses = placed.entry(name).or_default();
        if uses.iter().all(|it| it.dir.parent() != target.parent()) {
            uses.push(Use {
                dir: target.to_owned(),
                received,
            });
        }
    }

    async fn get(
        &self,
        origin: &PackageOrigin,
        target: &Path,
        locked: Option<&LockedModule>,
    ) -> Result<PackageIdentity, ModuleInstallError> {
        let staged = {
            let target = target.to_owned();
            on_blocking_pool(move || TempDir::create_beside(&target)).await?
        };
        // Git and archives fill a directory in it, so that the mode of a temporary one does not stay.
        let content = staged.path().join("package");
        let expected = locked.map(|locked| &locked.identity);
        let mut cached = self
            .cached
            .take(origin, expected, self.getter, &content)
            .await;
        if let Some(locked) = locked.filter(|_| cached.is_none()) {
            cached = self.packing(origin, locked, &content).await?;
        }
        let got = match cached {
            Some(identity) => GotModule::Files(identity),
            None => self.fetch(origin, &content).await?,
        };
        let (target, identity) = (target.to_owned(), got.identity());
        let files = match &got {
            GotModule::Files(_) => content,
            GotModule::Link(dir) => dir.clone(),
        };
        let received = Received {
            identity: identity.clone(),
            whole: files.clone(),
        };
        check_package(files, Some(&received), locked).await?;
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

    /// Offline, behind a mirror: what the cache has is the mirror's packing of what is locked, under its own digest.
    async fn packing(
        &self,
        origin: &PackageOrigin,
        locked: &LockedModule,
        content: &Path,
    ) -> Result<Option<PackageIdentity>, ModuleInstallError> {
        if self.getter.http.is_some() || locked.version.is_none() {
            return Ok(None);
        }
        let latest = self.cached.take(origin, None, self.getter, content).await;
        let Some(identity) = latest else {
            return Ok(None);
        };
        let received = Received {
            identity,
            whole: content.to_owned(),
        };
        let checked = check_package(content.to_owned(), Some(&received), Some(locked)).await;
        if checked.is_err() {
            disk::remove_dir_all(content)?;
            return Ok(None);
        }
        Ok(Some(received.identity))
    }

    /// Fetches the package into the new directory `content`.
    async fn fetch(
        &self,
        origin: &PackageOrigin,
        content: &Path,
    ) -> Result<GotModule, ModuleInstallError> {
        disk::create_dir_all(content)?;
        let got = match origin {
            PackageOrigin::Source(module) => self.getter.get(module, content).await?,
            PackageOrigin::Direct(archive) => {
                GotModule::Files(self.getter.get_direct(archive, content).await?)
            }
            PackageOrigin::Cached { .. } => return Err(ModuleFetchError::Offline.into()),
        };
        let identity = got.identity();
        self.cached.keep(origin, &identity, content).await;
        Ok(got)
    }
}

/// Copies a package that is placed already. In one directory of modules, copies may share their files; from another one,
/// and from a directory that the user has linked to, they are files of their own.
async fn copy(from: PathBuf, target: PathBuf) -> Result<(), ModuleInstallError> {
    on_blocking_pool(move || {
        let staged = TempDir::create_beside(&target)?;
        let content = staged.path().join("package");
        disk::create_dir_all(&content)?;
        if from.parent() == target.parent() && !from.is_symlink() {
            let way = disk::share_visible_tree(&from, &content)?;
            log::debug!("`{}` is placed by {way}", target.display());
        } else {
            disk::copy_visible_tree(&from, &content)?;
        }
        // The record of modules, which lies beside it, is synced with the directory of both.
        disk::move_dir(&content, &target)
    })
    .await?;
    Ok(())
}

/// Finds the module's directory in its package; its path from there with `/`, perhaps empty.
///
/// # Errors
///
/// If it is not there, or outside of the package.
pub(in crate::ops) async fn module_dir(
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
