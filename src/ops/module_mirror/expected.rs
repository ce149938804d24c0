//! What the module locks of root modules say of a package on its way into the mirror: it is compared before anything of the
//! mirror names it, by the rule of `install`, since on the far side nobody can ask the publisher.

use std::path::{Path, PathBuf};

use super::ModuleMirrorError;
use crate::address::{ModuleSource, Tool};
use crate::document::{CommitId, KeptFile, LockedModule, ModuleEvidence, PackageIdentity};
use crate::hash::PackageHash;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::modules::mismatch::{Received, check_directory, check_received};
use crate::ops::modules::origins::joined;
use crate::ops::{ModuleInstallError, ModuleMismatch};
use crate::package::{h1_of_module, has_links};
use crate::source::{ModuleFetchError, find_subdir};

/// What is locked of a package.
#[derive(Debug, Clone, Default)]
pub(super) struct Expected {
    /// Nothing if no module lock has it.
    locked: Vec<LockedModule>,
    /// The directories that servers' answers named, the innermost package's first.
    parts: Vec<String>,
}

/// What the far side makes of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FarSideFit {
    /// It fits the module locks.
    Fits,
    /// Its links become files, which gives it another hash.
    Refused,
}

impl Expected {
    /// What calls of one package have locked.
    pub(super) fn of(locked: impl IntoIterator<Item = LockedModule>) -> Self {
        let mut all: Vec<LockedModule> = Vec::new();
        for module in locked {
            if !all.contains(&module) {
                all.push(module);
            }
        }
        Self {
            locked: all,
            parts: Vec::new(),
        }
    }

    /// The same of a package of which a server's answer names a directory: that alone is what is locked.
    pub(super) fn in_part(&self, subdir: &str) -> Self {
        let mut parts = self.parts.clone();
        if !subdir.is_empty() {
            parts.insert(0, subdir.to_owned());
        }
        let locked = self.locked.clone();
        Self { locked, parts }
    }

    /// The commit that is locked, if one is.
    pub(super) fn commit(&self) -> Option<&CommitId> {
        self.locked.iter().find_map(|it| commit_of(&it.identity))
    }

    /// Refuses a commit that is not the locked one, before anything of it is fetched.
    ///
    /// # Errors
    ///
    /// If another one is locked.
    pub(super) fn check_commit(&self, commit: &CommitId) -> Result<(), ModuleMirrorError> {
        let is_other = |it: &&LockedModule| commit_of(&it.identity).is_some_and(|it| it != commit);
        match self.locked.iter().find(is_other) {
            None => Ok(()),
            Some(locked) => Err(mismatch(
                locked,
                PackageIdentity::Commit(commit.clone()),
                None,
            )),
        }
    }

    /// Compares where in its package a registry says that the module is.
    ///
    /// # Errors
    ///
    /// If another directory is locked.
    pub(super) fn check_directory(
        &self,
        prefix: &str,
        tool: Tool,
    ) -> Result<(), ModuleMirrorError> {
        // Elsewhere the files tell what a pattern leads to.
        for locked in self.locked.iter().filter(|it| it.version.is_some()) {
            let source = ModuleSource::parse(&locked.source, tool);
            let named = source.as_ref().map_or("", ModuleSource::subdir);
            let checked = check_directory(locked, &joined(prefix, named), named);
            checked.map_err(ModuleInstallError::from)?;
        }
        Ok(())
    }

    /// Compares a package as its origin has it, whose files are in `dir`.
    ///
    /// # Errors
    ///
    /// If it is not the locked one, or cannot be hashed.
    pub(super) async fn check(
        &self,
        dir: &Path,
        identity: &PackageIdentity,
    ) -> Result<(), ModuleMirrorError> {
        if self.locked.is_empty() {
            return Ok(());
        }
        let (whole, hash) = self.hashed(dir).await?;
        let identity = identity.clone();
        let received = Received { identity, whole };
        for locked in &self.locked {
            check_received(&received, &hash, locked).await?;
        }
        Ok(())
    }

    /// Compares a registry's package as its origin has it; whether it still fits once it is packed.
    ///
    /// # Errors
    ///
    /// As [`Self::check`].
    pub(super) async fn check_unpacked(
        &self,
        dir: &Path,
        identity: &PackageIdentity,
    ) -> Result<FarSideFit, ModuleMirrorError> {
        self.check(dir, identity).await?;
        if self.locked.is_empty() {
            return Ok(FarSideFit::Fits);
        }
        let dir = dir.to_owned();
        let has_links = on_blocking_pool(move || has_links(&dir)).await;
        if has_links.map_err(ModuleInstallError::from)? {
            Ok(FarSideFit::Refused)
        } else {
            Ok(FarSideFit::Fits)
        }
    }

    /// Compares a registry's package that the mirror has, unpacked in `dir`: by what its evidence says that it was.
    ///
    /// # Errors
    ///
    /// As [`Self::check`].
    pub(super) async fn check_kept(
        &self,
        dir: &Path,
        evidence: &ModuleEvidence,
    ) -> Result<FarSideFit, ModuleMirrorError> {
        if self.locked.is_empty() {
            return Ok(FarSideFit::Fits);
        }
        let packed = evidence.file.map(as_archive);
        let Some(origin) = evidence.identity.as_ref().or(packed.as_ref()) else {
            return Ok(FarSideFit::Fits);
        };
        let (_, hash) = self.hashed(dir).await?;
        let mut fit = FarSideFit::Fits;
        for locked in &self.locked {
            let has_files = hash == locked.hash;
            // Evidence without an origin leaves the packing alone to go by, as for the far side.
            let is_packed =
                packed.as_ref() == Some(&locked.identity) || evidence.identity.is_none();
            if *origin == locked.identity {
                fit = if has_files { fit } else { FarSideFit::Refused };
            } else if !(is_packed && has_files) {
                return Err(mismatch(locked, origin.clone(), Some(hash)));
            }
        }
        Ok(fit)
    }

    async fn hashed(&self, dir: &Path) -> Result<(PathBuf, PackageHash), ModuleMirrorError> {
        let (mut dir, parts) = (dir.to_owned(), self.parts.clone());
        let hashed = on_blocking_pool(move || {
            for part in &parts {
                let found = find_subdir(&dir, part)?;
                dir.push(found);
            }
            let hash = h1_of_module(&dir);
            Ok::<_, ModuleFetchError>((dir, hash))
        });
        let (dir, hash) = hashed.await?;
        Ok((dir, hash.map_err(ModuleInstallError::from)?))
    }
}

fn as_archive(file: KeptFile) -> PackageIdentity {
    PackageIdentity::Archive(file.sha256)
}

fn commit_of(identity: &PackageIdentity) -> Option<&CommitId> {
    match identity {
        PackageIdentity::Commit(commit) => Some(commit),
        PackageIdentity::Archive(_) | PackageIdentity::Directory => None,
    }
}

fn mismatch(
    locked: &LockedModule,
    got: PackageIdentity,
    hash: Option<PackageHash>,
) -> ModuleMirrorError {
    let mismatch = ModuleMismatch {
        locked: locked.clone(),
        identity: Some(got),
        hash,
    };
    ModuleInstallError::LockMismatch(Box::new(mismatch)).into()
}
