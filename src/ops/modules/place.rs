//! `.terraform/modules` of a root module: where its packages and its record of modules are.

use std::path::PathBuf;

use crate::address::{ModuleSource, Tool, clean_path};
use crate::config::RootModule;
use crate::disk::{self, DirLock};
use crate::document::{MODULES_MANIFEST_NAME, ModulesManifest};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::{OpError, Reporter};

/// A record of some thousand modules has some hundred kilobytes.
const MANIFEST_CAP: u64 = 64 << 20;

/// The directory of installed modules of a root module.
pub(in crate::ops) struct ModulesPlace {
    root: PathBuf,
    /// Where it is.
    dir: PathBuf,
    /// What the manifest calls it: relative to the root module, or absolute.
    name: String,
}

impl ModulesPlace {
    pub(in crate::ops) fn of(root: &RootModule) -> Self {
        let dir = root.data_dir.join("modules");
        let name = dir.strip_prefix(&root.dir).unwrap_or(&dir);
        Self {
            name: clean_path(&name.to_string_lossy().replace('\\', "/")),
            root: root.dir.clone(),
            dir,
        }
    }

    /// Waits until no other process installs modules of this root module: one would copy what the other replaces.
    pub(in crate::ops) async fn lock(&self, reporter: &dyn Reporter) -> Option<DirLock> {
        let look = || {
            let root = self.root.clone();
            move || DirLock::try_exclusive(&root)
        };
        let tell = || reporter.note("waiting for another process that installs modules here");
        // Reading the root module comes next, and tells what is wrong.
        disk::when_free(look, tell).await.ok()
    }

    /// Removes what a killed run left; for the holder of the lock.
    pub(in crate::ops) fn remove_leftovers(&self) {
        if self.dir.is_dir()
            && let Err(error) = disk::remove_left_temps(&self.dir)
        {
            log::info!("{error}: {}", error.source);
        }
    }

    /// Where the package of a call lies.
    pub(in crate::ops) fn dir_of(&self, key: &str) -> PathBuf {
        self.dir.join(key)
    }

    /// What the manifest calls the directory `subdir` in the package of a call.
    pub(in crate::ops) fn name_of(&self, key: &str, subdir: &str) -> String {
        clean_path(&format!("{}/{key}/{subdir}", self.name))
    }

    /// The package that a directory of the manifest is in, if that is the directory `subdir` of a package: of its own, where
    /// packages lie, or of one that something else has put elsewhere.
    pub(in crate::ops) fn package_of(&self, key: &str, dir: &str, subdir: &str) -> Option<PathBuf> {
        if self.is_own(key, dir) {
            return (dir == self.name_of(key, subdir)).then(|| self.dir_of(key));
        }
        let package = match clean_path(subdir).as_str() {
            "." => dir,
            subdir => dir.strip_suffix(subdir)?.strip_suffix('/')?,
        };
        Some(self.root.join(package))
    }

    /// Whether a directory of the manifest can be what a call leads to of which nothing is locked: in its own package, a
    /// registry may have named any directory in which there is the `subdir` of the call.
    pub(in crate::ops) fn may_be(&self, key: &str, dir: &str, source: &ModuleSource) -> bool {
        let subdir = source.subdir();
        if !self.is_own(key, dir) || subdir.contains(['*', '?']) {
            return true;
        }
        let subdir = clean_path(subdir);
        match source {
            ModuleSource::Registry(_) => subdir == "." || dir.ends_with(&format!("/{subdir}")),
            ModuleSource::Remote(_) | ModuleSource::Local(_) => dir == self.name_of(key, &subdir),
        }
    }

    /// Whether a directory of the manifest is in the package that was placed for the call.
    pub(in crate::ops) fn is_own(&self, key: &str, dir: &str) -> bool {
        let below = dir.strip_prefix(&self.name_of(key, ""));
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether a directory of the manifest is there.
    pub(in crate::ops) fn is_dir(&self, dir: &str) -> bool {
        self.root.join(dir).is_dir()
    }

    /// Whether two directories of the manifest are one, links followed.
    pub(in crate::ops) fn is_same_dir(&self, one: &str, other: &str) -> bool {
        let real = |dir: &str| self.root.join(dir).canonicalize();
        one == other || matches!((real(one), real(other)), (Ok(one), Ok(other)) if one == other)
    }

    /// Whether something lies where the package of a call belongs.
    pub(in crate::ops) fn is_placed(&self, key: &str) -> bool {
        self.dir.join(key).exists()
    }

    fn path(&self) -> PathBuf {
        self.dir.join(MODULES_MANIFEST_NAME)
    }

    /// Reads the record of modules; an absent one is empty.
    pub(in crate::ops) fn read(&self, tool: Tool) -> Result<ModulesManifest, OpError> {
        let path = self.path();
        if !path.exists() {
            return Ok(ModulesManifest::default());
        }
        let bytes = disk::read_capped(&path, MANIFEST_CAP)?;
        ModulesManifest::parse(&bytes, tool)
            .map_err(|source| OpError::ModulesManifest { path, source })
    }

    /// Writes the record of modules if it has changed. A root module without calls gets none, as with `init`.
    pub(in crate::ops) async fn write(
        &self,
        before: &ModulesManifest,
        after: &ModulesManifest,
    ) -> Result<(), OpError> {
        let is_bare = before.records.is_empty() && after.records.len() <= 1;
        let (path, text) = (self.path(), after.render());
        if is_bare || (before == after && path.is_file()) {
            return Ok(());
        }
        on_blocking_pool(move || disk::write_atomically(&path, text.as_bytes())).await?;
        Ok(())
    }
}
