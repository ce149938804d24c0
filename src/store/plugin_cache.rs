//! The plugin cache of the tools, their `plugin_cache_dir`: packages in the unpacked layout, to which
//! install directories are linked (facts/providers 6.9, 9.7, 9.8).
//!
//! It is the user's, and `terraform` and `tofu` write into it as well, in place. Accidents and
//! attacks, and the answers:
//! - an entry that is damaged, half written, another package's, or planted: the caller believes it only
//!   if the hash of its files is one that a lock file holds, or the user said that any entry will do;
//! - a tool writes into the files of an entry: they are copies, so that neither the package cache nor
//!   another install directory changes with them;
//! - a provider runs from an entry that is to be replaced: the new files are put beside it and then in
//!   its place as a whole, and an entry that has the right files stays;
//! - several processes fill one entry: each puts a whole package in place, and beside `tofu` the lock
//!   that it takes is held meanwhile;
//! - a link in the place of an entry: replaced, never followed;
//! - an install directory that is the plugin cache itself under some name: never linked to itself.

use std::fs;
use std::path::{Path, PathBuf};

use crate::address::Tool;
use crate::disk::{self, RecordLock};
use crate::document::PackageId;
use crate::hash::PackageHash;
use crate::package::is_plugin_name;
use crate::store::{InstallStore, InstalledPackage, StoreError};

/// What to make of an entry where the lock file holds no hash that could tell whether it is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnlockedEntries {
    /// It is not used.
    Refused,
    /// It is used as it is (`plugin_cache_may_break_dependency_lock_file`).
    Accepted,
}

/// The directory that the tools share packages in. Dealing with it blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginCache {
    entries: InstallStore,
    tool: Tool,
    unlocked: UnlockedEntries,
}

/// The right to change an entry, among the processes that ask for it.
#[derive(Debug)]
pub struct EntryLock {
    /// `terraform` knows no lock.
    _lock: Option<RecordLock>,
}

impl PluginCache {
    /// The plugin cache of `tool` in the directory `dir`, an absolute path; it need not exist.
    pub fn new(dir: &Path, tool: Tool, unlocked: UnlockedEntries) -> Self {
        // Without what stands for nothing, because links will show the path.
        let dir: PathBuf = dir.components().collect();
        Self {
            entries: InstallStore::new(dir),
            tool,
            unlocked,
        }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.entries.root()
    }

    /// What to make of an entry that no locked hash can vouch for.
    pub fn unlocked_entries(&self) -> UnlockedEntries {
        self.unlocked
    }

    /// The `h1:` hash of the entry of package `id`; `None` if there is none or it cannot be read, which
    /// makes no difference to whoever wants to use it.
    pub fn hash(&self, id: &PackageId) -> Option<PackageHash> {
        self.entries.hash(id).unwrap_or_else(|error| {
            log::info!("passing over an entry of the plugin cache: {error}");
            None
        })
    }

    /// Whether the entry of package `id` holds a plugin, without which the tools do not use it.
    pub fn has_plugin(&self, id: &PackageId) -> bool {
        let dir = self.entries.dir(id);
        let names = disk::file_names(&dir).unwrap_or_default();
        let is_plugin = |name: &String| is_plugin_name(name, id.addr.ty());
        let mut plugins = names.iter().filter(|name| is_plugin(name));
        plugins.any(|name| dir.join(name).is_file())
    }

    /// Locks the entry of package `id`, which need not exist, as the tool does that uses the plugin
    /// cache; `None` while somebody else has it.
    ///
    /// # Errors
    ///
    /// If it cannot be locked.
    pub fn try_lock(&self, id: &PackageId) -> Result<Option<EntryLock>, StoreError> {
        if self.tool == Tool::Terraform {
            return Ok(Some(EntryLock { _lock: None }));
        }
        let path = self.lock_path(id);
        if let Some(dir) = path.parent() {
            disk::create_dir_all(dir)?;
        }
        let lock = RecordLock::try_exclusive(&path)?;
        Ok(lock.map(|lock| EntryLock { _lock: Some(lock) }))
    }

    /// Makes the entry of package `id` one with the files of `package`; one that has them stays as it
    /// is. Whoever calls this holds the lock of the entry.
    ///
    /// # Errors
    ///
    /// If something cannot be read or written; the entry is then as it was.
    pub fn fill(&self, id: &PackageId, package: &InstalledPackage) -> Result<(), StoreError> {
        if self.hash(id).as_ref() == Some(package.h1()) {
            return Ok(());
        }
        let staged = self.entries.staging(id)?;
        disk::copy_tree(package.staged_files(), staged.path())?;
        staged.persist(&self.entries.dir(id))?;
        log::info!("put {id} into the plugin cache");
        Ok(())
    }

    /// Makes the place of package `id` in `store` a link to its entry; a copy where there can be no
    /// links. What is there is replaced, unless it leads to the entry already.
    ///
    /// # Errors
    ///
    /// If something cannot be read or written.
    pub fn link(&self, id: &PackageId, store: &InstallStore) -> Result<(), StoreError> {
        let (entry, place) = (self.entries.dir(id), store.dir(id));
        if is_same(&entry, &place) {
            return Ok(());
        }
        if let Err(error) = disk::link_dir(&entry, &place) {
            let cause = &error.source;
            log::info!("{error} ({cause}): copying {id} instead");
            let staged = store.staging(id)?;
            disk::copy_tree(&entry, staged.path())?;
            staged.persist(&place)?;
        }
        Ok(())
    }

    /// The name that `tofu` gives the lock file of an entry (facts/providers 6.9).
    fn lock_path(&self, id: &PackageId) -> PathBuf {
        let name = format!("{}.lock", id.platform);
        self.entries.dir(id).with_file_name(name)
    }
}

/// Whether both paths lead to one directory.
fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
