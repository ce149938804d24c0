//! Packages of modules on their way into `.terraform/modules`: each is fetched once in a run, or taken from the package
//! cache; further uses are copies (facts/modules 3.3).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::address::{ModuleAddr, RemoteModule, Tool, leaves_package};
use crate::disk::{self, TempDir};
use crate::document::{LockedModule, PackageIdentity};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::modules::cache::CachedModules;
use crate::ops::modules::mismatch::{Received, check_package};
use crate::ops::modules::releases::note_release;
use crate::ops::{ModuleInstallError, ModuleOrigins, Reporter};
use crate::registry::DirectArchive;
use crate::source::{GotModule, ModuleFetchError, find_subdir, literal_subdir};
use crate::store::{ModuleKey, ModuleReleases, PackageCache};
use crate::version::ModuleVersion;

/// Where a package comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ops) enum PackageOrigin {
    /// A getter.
    Source(RemoteModule),
    /// An archive that a registry serves itself.
    Direct(DirectArchive),
    /// The package cache, which had it when it was asked: a locked package, or any under `--offline`. The source is as
    /// messages show it.
    Cached {
        key: ModuleKey,
        source: String,
        /// What to ask a registry for if the cache has lost it.
        release: Box<RegistryRelease>,
    },
}

/// A version of a registry's module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ops) struct RegistryRelease {
    pub(in crate::ops) addr: ModuleAddr,
    pub(in crate::ops) version: ModuleVersion,
    pub(in crate::ops) tool: Tool,
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
pub(in crate::ops) struct Use {
    pub(in crate::ops) dir: PathBuf,
    pub(in crate::ops) received: Received,
    /// Whether its source leads to it now, as far as anybody was asked.
    is_current: bool,
}

/// Who compares a package with what is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// This, before it is placed.
    Here,
    /// The caller, who may want it for several calls.
    Later,
}

/// Where a package was found.
enum Found {
    /// At an earlier use.
    Earlier(Use),
    /// It was put in its place.
    Placed(Use),
}

/// The one way to packages of modules, whatever they are wanted for. The locked package comes from an earlier use in this
/// run or from the cache, and nobody is asked for it; else its source is asked what it leads to, and that comes from an
/// earlier use, from the cache, or is fetched, into the cache as well.
pub(in crate::ops) struct ModulePackages<'g> {
    origins: &'g ModuleOrigins,
    releases: Option<ModuleReleases>,
    cached: CachedModules<'g>,
    /// By name: the first use in each directory of modules.
    placed: Mutex<BTreeMap<String, Vec<Use>>>,
}

impl<'g> ModulePackages<'g> {
    pub(in crate::ops) fn new(
        origins: &'g ModuleOrigins,
        cache: Option<&PackageCache>,
        reporter: &'g dyn Reporter,
    ) -> Self {
        Self {
            origins,
            releases: cache.map(PackageCache::module_releases),
            cached: CachedModules::new(cache, reporter),
            placed: Mutex::default(),
        }
    }

    /// Where the packages come from.
    pub(in crate::ops) fn origins(&self) -> &'g ModuleOrigins {
        self.origins
    }

    /// What the cache knows of registries, if there is one.
    pub(in crate::ops) fn releases(&self) -> Option<&ModuleReleases> {
        self.releases.as_ref()
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
        let found = self.find(origin, target, locked, Comparison::Here);
        let placed = match found.await? {
            Found::Placed(placed) => placed,
            Found::Earlier(earlier) => {
                check_package(earlier.dir.clone(), Some(&earlier.received), locked).await?;
                copy(earlier.dir.clone(), target.to_owned()).await?;
                Use {
                    dir: target.to_owned(),
                    ..earlier
                }
            }
        };
        let identity = placed.received.identity.clone();
        self.note_use(origin.name(), placed);
        Ok(identity)
    }

    /// The package, wherever it lies in this run, else put into the directory `target`: the `locked` one, or what there is
    /// in its place, which is the caller's to compare.
    ///
    /// # Errors
    ///
    /// If it cannot be had or placed.
    pub(in crate::ops) async fn obtain(
        &self,
        origin: &PackageOrigin,
        target: &Path,
        locked: Option<&LockedModule>,
    ) -> Result<Use, ModuleInstallError> {
        let found = self.find(origin, target, locked, Comparison::Later);
        match found.await? {
            Found::Earlier(earlier) => Ok(earlier),
            Found::Placed(placed) => {
                self.note_use(origin.name(), placed.clone());
                Ok(placed)
            }
        }
    }

    /// A use of the package, best one beside `target`: of the `expected` one, or of what its source leads to now.
    fn earlier_use(
        &self,
        name: &str,
        target: &Path,
        expected: Option<&PackageIdentity>,
    ) -> Option<Use> {
        let placed = self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = |it: &&Use| match expected {
            Some(expected) => it.received.identity == *expected,
            None => it.is_current,
        };
        let uses = || placed.get(name).into_iter().flatten().filter(is_wanted);
        let beside = uses().find(|it| it.dir.parent() == target.parent());
        beside.or_else(|| uses().next()).cloned()
    }

    fn note_use(&self, name: String, new: Use) {
        let mut placed = self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        let uses = placed.entry(name).or_default();
        let what = |it: &Use| (it.received.identity.clone(), it.is_current);
        let is_alike = |it: &Use| it.dir.parent() == new.dir.parent() && what(it) == what(&new);
        if !uses.iter().any(is_alike) {
            uses.push(new);
        }
    }

    /// Finds the package, or puts it into `target`.
    async fn find(
        &self,
        origin: &PackageOrigin,
        target: &Path,
        locked: Option<&LockedModule>,
        comparison: Comparison,
    ) -> Result<Found, ModuleInstallError> {
        let expected = locked.map(|locked| &locked.identity);
        let name = origin.name();
        if let Some(earlier) = self.earlier_use(&name, target, expected) {
            return Ok(Found::Earlier(earlier));
        }
        let staged = {
            let target = target.to_owned();
            on_blocking_pool(move || TempDir::create_beside(&target)).await?
        };
        // Git and archives fill a directory in it, so that the mode of a temporary one does not stay.
        let content = staged.path().join("package");
        let recalled = match expected {
            Some(expected) => self.cached.recall(origin, expected, &content).await,
            None => None,
        };
        let is_current = recalled.is_none();
        let got = if let Some(identity) = recalled {
            GotModule::Files(identity)
        } else {
            if let Some(current) = self.earlier_use(&name, target, None) {
                return Ok(Found::Earlier(current));
            }
            self.current(origin, locked, &content).await?
        };
        let received = Received {
            identity: got.identity(),
            whole: target.to_owned(),
        };
        let compared = locked.filter(|_| comparison == Comparison::Here);
        put(got, staged, target, compared).await?;
        Ok(Found::Placed(Use {
            dir: target.to_owned(),
            received,
            is_current,
        }))
    }

    /// Gets what the source leads to now into the new directory `content`.
    async fn current(
        &self,
        origin: &PackageOrigin,
        locked: Option<&LockedModule>,
        content: &Path,
    ) -> Result<GotModule, ModuleInstallError> {
        let cached = if let Some(locked) = locked {
            // The cache does not have it, and no other package there is of use.
            self.packing(origin, locked, content).await?
        } else {
            let getter = &self.origins.getter;
            self.cached.take(origin, getter, content).await
        };
        match cached {
            Some(identity) => Ok(GotModule::Files(identity)),
            None => self.fetch(origin, content).await,
        }
    }

    /// Offline, behind a mirror: what the cache has is the mirror's packing of what is locked, under its own digest.
    async fn packing(
        &self,
        origin: &PackageOrigin,
        locked: &LockedModule,
        content: &Path,
    ) -> Result<Option<PackageIdentity>, ModuleInstallError> {
        let getter = &self.origins.getter;
        if getter.http.is_some() || locked.version.is_none() {
            return Ok(None);
        }
        let Some(identity) = self.cached.take(origin, getter, content).await else {
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
        let located = match origin {
            PackageOrigin::Cached { release, .. } => Some(self.locate(release).await?),
            PackageOrigin::Source(_) | PackageOrigin::Direct(_) => None,
        };
        let origin = located.as_ref().unwrap_or(origin);
        disk::create_dir_all(content)?;
        let getter = &self.origins.getter;
        let got = match origin {
            PackageOrigin::Source(module) => getter.get(module, content).await?,
            PackageOrigin::Direct(archive) => {
                GotModule::Files(getter.get_direct(archive, content).await?)
            }
            PackageOrigin::Cached { .. } => return Err(ModuleFetchError::Offline.into()),
        };
        let identity = got.identity();
        self.cached.keep(origin, &identity, content).await;
        Ok(got)
    }

    /// Asks the registry for what the cache has lost.
    async fn locate(&self, release: &RegistryRelease) -> Result<PackageOrigin, ModuleInstallError> {
        let RegistryRelease {
            addr,
            version,
            tool,
        } = release;
        let (origin, inner) = self.origins.locate(addr, version, *tool).await?;
        if let Some(releases) = &self.releases {
            note_release(releases, (addr, version), *tool, &origin, &inner).await;
        }
        Ok(origin)
    }
}

/// Puts what was got in its place, if it is the `locked` package.
async fn put(
    got: GotModule,
    staged: TempDir,
    target: &Path,
    locked: Option<&LockedModule>,
) -> Result<(), ModuleInstallError> {
    let (target, identity) = (target.to_owned(), got.identity());
    let content = staged.path().join("package");
    let files = match &got {
        GotModule::Files(_) => content.clone(),
        GotModule::Link(dir) => dir.clone(),
    };
    let received = Received {
        identity,
        whole: files.clone(),
    };
    check_package(files, Some(&received), locked).await?;
    on_blocking_pool(move || {
        // Dropped at the end: what was staged is removed.
        let _staged = staged;
        match got {
            GotModule::Files(_) => disk::rename_dir(&content, &target),
            GotModule::Link(dir) => disk::link_dir(&dir, &target),
        }
    })
    .await?;
    Ok(())
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
