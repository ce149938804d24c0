//! One module of a registry into the mirror: fetched, packed flat, placed, listed; or what is there, unpacked to be read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};

use tokio::sync::{Mutex, MutexGuard, OnceCell};

use super::expected::{Expected, FarSideFit};
use super::{MirrorEffect, MirrorModulesRequest, ModuleMirrorError};
use crate::address::{ModuleAddr, PackagePlace, Tool};
use crate::config::CallPlace;
use crate::disk::{self, DiskError, FileLock, TempDir, TempFile};
use crate::document::{KeptFile, ModuleEvidence, PackageIdentity};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::mirror::lock::{lock_file, lock_mirror};
use crate::ops::modules::packages::PackageOrigin;
use crate::ops::{Action, ModuleOrigins, Reporter};
use crate::package::{ModuleArchiveError, ModuleFormat, ModuleLimits, pack_module, unpack_module};
use crate::secret::ShownUrl;
use crate::source::{GotModule, ModuleFetchError, find_subdir, literal_subdir};
use crate::store::{
    FLAT_LOCATION, MirrorLock, MirrorStore, ModuleMirror, PresentCheck, StoreError,
};
use crate::version::ModuleVersion;

/// The file at the root of the mirror that processes lock while they change repositories.
const REPOSITORIES_LOCK: &str = ".provender.git.lock";

/// Takes packages into a mirror, and lays out their files to be read.
pub(super) struct Packages<'p> {
    pub(super) origins: &'p ModuleOrigins,
    pub(super) store: ModuleMirror,
    pub(super) reporter: &'p dyn Reporter,
    pub(super) tool: Tool,
    pub(super) present: PresentCheck,
    pub(super) effect: MirrorEffect,
    documents: &'p MirrorStore,
    /// Whose turn it is to change documents.
    turn: Mutex<()>,
    places: StdMutex<BTreeMap<PackagePlace, Arc<Mutex<()>>>>,
    /// The right to change repositories, which git does not share between processes; held to the end of the run.
    repositories: OnceCell<FileLock>,
    scratch: TempDir,
    scratch_count: AtomicUsize,
}

/// A package that is in the mirror.
pub(super) struct Obtained {
    /// Its files; of a package that is only planned there are none.
    pub(super) dir: PathBuf,
    /// Where in `dir` the registry says the module is, with `/`.
    pub(super) prefix: String,
    /// Whether it was there.
    pub(super) action: Action,
    /// What it is; `None` if it is only planned.
    pub(super) origin: Option<ObtainedOrigin>,
}

/// What a package is, to be compared with what is locked.
pub(super) enum ObtainedOrigin {
    /// Its files are as the origin has them.
    Identity(PackageIdentity),
    /// They are unpacked from the archive that the mirror has made of them.
    Packed(Box<ModuleEvidence>),
}

impl Obtained {
    /// What would be fetched.
    pub(super) fn planned() -> Self {
        Self {
            dir: PathBuf::new(),
            prefix: String::new(),
            action: Action::WouldFetch,
            origin: None,
        }
    }
}

impl<'p> Packages<'p> {
    pub(super) fn new(
        origins: &'p ModuleOrigins,
        documents: &'p MirrorStore,
        reporter: &'p dyn Reporter,
        request: &MirrorModulesRequest,
    ) -> Result<Self, StoreError> {
        disk::create_dir_all(&request.temporary)?;
        tell(disk::remove_stale_temps(&request.temporary).map(drop));
        if request.effect == MirrorEffect::Fill {
            tell(ModuleMirror::new(documents.layout().root()).remove_leftovers());
        }
        Ok(Self {
            origins,
            store: ModuleMirror::new(documents.layout().root()),
            reporter,
            tool: request.tool,
            present: request.present,
            effect: request.effect,
            documents,
            turn: Mutex::default(),
            places: StdMutex::default(),
            repositories: OnceCell::new(),
            scratch: TempDir::create_beside(&request.temporary.join("modules"))?,
            scratch_count: AtomicUsize::new(0),
        })
    }

    /// A new empty directory that lives as long as this value.
    pub(super) fn fresh_dir(&self) -> Result<PathBuf, StoreError> {
        let number = self.scratch_count.fetch_add(1, Ordering::Relaxed);
        let dir = self.scratch.path().join(number.to_string());
        disk::create_dir_all(&dir)?;
        Ok(dir)
    }

    /// Whether a call stands in a module that was fetched.
    pub(super) fn is_fetched(&self, place: &CallPlace) -> bool {
        place.file.starts_with(self.scratch.path())
    }

    /// Where a call stands, in words: files that are only here to be read are told by their names in the package.
    pub(super) fn shown_place(&self, place: &CallPlace) -> String {
        match place.file.strip_prefix(self.scratch.path()) {
            Ok(below) => {
                let file: PathBuf = below.components().skip(1).collect();
                let line = place.line;
                CallPlace { file, line }.to_string()
            }
            Err(_) => place.to_string(),
        }
    }

    /// The limits of what is unpacked.
    pub(super) fn limits(&self) -> ModuleLimits {
        self.origins.getter.limits
    }

    /// The right to change documents of the mirror: first among the tasks of this process, then among processes.
    pub(super) async fn lock(&self) -> Result<(MutexGuard<'_, ()>, MirrorLock), StoreError> {
        let turn = self.turn.lock().await;
        let lock = lock_mirror(self.documents, self.reporter).await?;
        Ok((turn, lock))
    }

    /// The turns of those who work on one archive or repository.
    pub(super) fn turn_of(&self, place: &PackagePlace) -> Arc<Mutex<()>> {
        let mut turns = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(turns.entry(place.clone()).or_default())
    }

    /// Waits until no other process changes repositories of the mirror.
    pub(super) async fn lock_repositories(&self) -> Result<(), StoreError> {
        let path = self.store.root().join(REPOSITORIES_LOCK);
        let root = self.store.root().display();
        let wait = || lock_file(&path, &root, self.reporter);
        self.repositories.get_or_try_init(wait).await?;
        Ok(())
    }

    /// Takes a version of a module into the mirror unless it is there, or is not the locked one.
    pub(super) async fn module(
        &self,
        addr: &ModuleAddr,
        version: &ModuleVersion,
        expected: &Expected,
    ) -> Result<Obtained, ModuleMirrorError> {
        let (store, check) = (self.store.clone(), self.present);
        let wanted = (addr.clone(), version.clone());
        let present = move || {
            let evidence = store.present_module(&wanted.0, &wanted.1, check)?;
            let is_listed = evidence.is_some() && store.is_listed(&wanted.0, &wanted.1)?;
            Ok::<_, StoreError>((evidence, is_listed))
        };
        match on_blocking_pool(present).await? {
            (Some(evidence), is_listed) => {
                let kept = self.kept_module(addr, version, evidence).await?;
                self.compare(&kept, expected, &named(addr, version)).await?;
                if self.present == PresentCheck::Bytes && self.effect == MirrorEffect::Fill {
                    let (_turn, lock) = self.lock().await?;
                    self.store
                        .restate(&lock, &self.store.version_dir(addr, version))?;
                }
                if !is_listed && self.effect == MirrorEffect::Fill {
                    let (_turn, lock) = self.lock().await?;
                    self.store.list_module(&lock, addr, version)?;
                }
                Ok(kept)
            }
            (None, _) if self.effect == MirrorEffect::Plan => Ok(Obtained::planned()),
            (None, _) => self.fetch_module(addr, version, expected).await,
        }
    }

    /// Compares what is in the mirror with what is locked; messages call it `named`.
    ///
    /// # Errors
    ///
    /// If another package is locked.
    pub(super) async fn compare(
        &self,
        obtained: &Obtained,
        expected: &Expected,
        named: &str,
    ) -> Result<(), ModuleMirrorError> {
        if obtained.origin.is_some() {
            expected.check_directory(&obtained.prefix, self.tool)?;
        }
        match &obtained.origin {
            None => Ok(()),
            Some(ObtainedOrigin::Identity(identity)) => {
                expected.check(&obtained.dir, identity).await
            }
            Some(ObtainedOrigin::Packed(evidence)) => {
                let fit = expected.check_kept(&obtained.dir, evidence).await?;
                self.tell_fit(fit, named);
                Ok(())
            }
        }
    }

    fn tell_fit(&self, fit: FarSideFit, named: &str) {
        if fit == FarSideFit::Refused {
            self.reporter.warning(&format!(
                "{named} has links, in place of which the mirror has files: its module lock refuses it on the far side"
            ));
        }
    }

    async fn kept_module(
        &self,
        addr: &ModuleAddr,
        version: &ModuleVersion,
        evidence: ModuleEvidence,
    ) -> Result<Obtained, ModuleMirrorError> {
        let archive = self.store.module_archive(addr, version);
        let (dir, limits) = (self.fresh_dir()?, self.limits());
        let target = dir.clone();
        let unpack = move || unpack_module(&archive, ModuleFormat::Zip, &target, limits);
        on_blocking_pool(unpack).await.map_err(unusable)?;
        let location = evidence.location.as_deref().unwrap_or_default();
        let prefix = location.strip_prefix(FLAT_LOCATION).unwrap_or_default();
        Ok(Obtained {
            dir,
            prefix: prefix.trim_start_matches('/').to_owned(),
            action: Action::Kept,
            origin: Some(ObtainedOrigin::Packed(Box::new(evidence))),
        })
    }

    async fn fetch_module(
        &self,
        addr: &ModuleAddr,
        version: &ModuleVersion,
        expected: &Expected,
    ) -> Result<Obtained, ModuleMirrorError> {
        let (origin, inner) = self.origins.locate(addr, version, self.tool).await?;
        expected.check_directory(&inner, self.tool)?;
        let (dir, identity, mut evidence) = self.fetch(&origin).await?;
        let fit = expected.check_unpacked(&dir, &identity).await?;
        self.tell_fit(fit, &named(addr, version));
        let (module, prefix) = flat_part(dir, inner).await?;
        evidence.location = Some(if prefix.is_empty() {
            FLAT_LOCATION.to_owned()
        } else {
            format!("{FLAT_LOCATION}//{prefix}")
        });
        let place = self.store.module_archive(addr, version);
        let (source, limits) = (module.clone(), self.limits());
        let pack = move || pack(&source, &place, limits);
        let (archive, file, left_out) = on_blocking_pool(pack).await?;
        for name in left_out {
            self.reporter.warning(&format!(
                "{}: the link `{name}` leads out of the module and is left out",
                named(addr, version)
            ));
        }
        evidence.file = Some(file);
        let version_dir = self.store.version_dir(addr, version);
        let known = ModuleMirror::evidence_in(&version_dir)?;
        expect_same(&known, file, &version_dir)?;
        let (_turn, lock) = self.lock().await?;
        let (store, addr, version) = (self.store.clone(), addr.clone(), version.clone());
        on_blocking_pool(move || store.put_module(&lock, &addr, &version, archive, &evidence))
            .await?;
        Ok(Obtained {
            dir: module,
            prefix,
            action: Action::Mirrored,
            origin: Some(ObtainedOrigin::Identity(identity)),
        })
    }

    /// Fetches a registry's package; its files, and what it is.
    async fn fetch(
        &self,
        origin: &PackageOrigin,
    ) -> Result<(PathBuf, PackageIdentity, ModuleEvidence), ModuleMirrorError> {
        let dir = self.fresh_dir()?;
        let (identity, source) = match origin {
            PackageOrigin::Source(module) => match self.origins.getter.get(module, &dir).await? {
                GotModule::Files(identity) => (identity, module.shown()),
                GotModule::Link(_) => return Err(ModuleMirrorError::OnDisk),
            },
            PackageOrigin::Direct(archive) => {
                let identity = self.origins.getter.get_direct(archive, &dir).await?;
                (identity, ShownUrl::of(&archive.url).to_string())
            }
            // A mirror proves what the registry says today.
            PackageOrigin::Cached { .. } => return Err(ModuleFetchError::Offline.into()),
        };
        let mut evidence = ModuleEvidence::of(source);
        evidence.identity = Some(identity.clone());
        Ok((dir, identity, evidence))
    }
}

fn named(addr: &ModuleAddr, version: &ModuleVersion) -> String {
    format!("module `{addr}` {version}")
}

/// What a killed run left is in nobody's way.
fn tell(removed: Result<(), DiskError>) {
    if let Err(error) = removed {
        log::info!("{error}: {}", error.source);
    }
}

/// What of a package is kept, and where in that the module is. A pattern, which only old registries send and the
/// tools no longer understand, names what is kept (facts 2.3, 6.4); a plain directory is kept with all around it,
/// since the module may call its neighbours.
async fn flat_part(dir: PathBuf, inner: String) -> Result<(PathBuf, String), ModuleMirrorError> {
    on_blocking_pool(move || {
        if inner.is_empty() {
            return Ok((dir, inner));
        }
        if inner.contains(['*', '?', '[']) {
            let found = find_subdir(&dir, &inner)?;
            return Ok((dir.join(found), String::new()));
        }
        literal_subdir(&dir, &inner)?;
        Ok((dir, inner))
    })
    .await
}

/// Packs a module into a file beside its place.
fn pack(
    module: &Path,
    place: &Path,
    limits: ModuleLimits,
) -> Result<(TempFile, KeptFile, Vec<String>), ModuleMirrorError> {
    let archive = TempFile::create_beside(place)?;
    let left_out = pack_module(module, archive.file(), limits)?;
    let file = kept_file(archive.path())?;
    Ok((archive, file, left_out))
}

/// Refuses another package than the mirror knew under the name: what is gone or damaged is not replaced by it.
pub(super) fn expect_same(
    known: &ModuleEvidence,
    got: KeptFile,
    place: &Path,
) -> Result<(), ModuleMirrorError> {
    match known.file {
        Some(expected) if expected.sha256 != got.sha256 => Err(ModuleMirrorError::Replaced {
            got: got.sha256,
            expected: expected.sha256,
            place: place.to_owned(),
        }),
        Some(_) | None => Ok(()),
    }
}

/// What evidence says of a file.
pub(super) fn kept_file(path: &Path) -> Result<KeptFile, StoreError> {
    let size = path.metadata().map_err(DiskError::on("read", path))?.len();
    let sha256 = disk::sha256(path)?;
    Ok(KeptFile { sha256, size })
}

fn unusable(error: ModuleArchiveError) -> ModuleMirrorError {
    ModuleFetchError::from(error).into()
}
