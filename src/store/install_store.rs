//! A directory of unpacked packages: `.terraform/providers` of a root module, or a filesystem
//! mirror in the unpacked layout (facts/providers 6.1, 6.9).

use std::path::{Path, PathBuf};

use crate::disk::{self, TempDir};
use crate::document::PackageId;
use crate::hash::PackageHash;
use crate::package::{UnpackedPackage, VerifiedPackage, h1_of_directory};
use crate::store::{CachedPackage, StoreError};

/// A noted hash has some 50 bytes.
const NOTE_CAP: u64 = 1024;

/// Keeps packages as `HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallStore {
    root: PathBuf,
    notes: Notes,
}

/// Whether the `h1:` of each package is noted beside its directory; the tools look only at
/// directories there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notes {
    /// A lock file vouches for what is installed.
    None,
    /// Nothing else does.
    Kept,
}

/// A package unpacked beside its place, which it takes by a rename; dropped, it leaves nothing.
#[derive(Debug)]
pub struct InstalledPackage {
    staged: TempDir,
    /// What is renamed: the temporary directory, or a link in it.
    content: Content,
    target: PathBuf,
    note: Option<PathBuf>,
    h1: PackageHash,
}

/// What takes the place of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// The temporary directory itself.
    Directory,
    /// The link of this name in the temporary directory.
    Link(&'static str),
}

/// The name of a link until it is placed.
const LINK: &str = "link";

impl InstallStore {
    /// A store below `root`, which need not exist, for a lock file to vouch for.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            notes: Notes::None,
        }
    }

    /// A store below `root` without a lock file: what was placed is noted beside it.
    pub fn with_notes(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            notes: Notes::Kept,
        }
    }

    /// Where the packages lie.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of package `id`.
    pub fn dir(&self, id: &PackageId) -> PathBuf {
        let addr = &id.addr;
        let provider = self
            .root
            .join(addr.hostname().for_display())
            .join(addr.namespace())
            .join(addr.ty());
        provider
            .join(id.version.to_string())
            .join(id.platform.to_string())
    }

    /// Whether something stands where `id` belongs.
    pub fn holds(&self, id: &PackageId) -> bool {
        self.dir(id).is_dir()
    }

    /// The `h1:` of the installed directory, `None` if there is none.
    ///
    /// # Errors
    ///
    /// If its files cannot be read.
    pub fn hash(&self, id: &PackageId) -> Result<Option<PackageHash>, StoreError> {
        if !self.holds(id) {
            return Ok(None);
        }
        Ok(Some(h1_of_directory(&self.dir(id))?))
    }

    /// Whether the directory of `id` still has the `h1:` that was noted; a link does not count, as
    /// it leads to files that others change. Blocks.
    pub fn is_as_noted(&self, id: &PackageId) -> bool {
        let noted = disk::read_capped(&self.note_path(id), NOTE_CAP).unwrap_or_default();
        let is_link = self.dir(id).is_symlink();
        let hash = self.hash(id).ok().flatten();
        !is_link && hash.is_some_and(|hash| hash.as_str().as_bytes() == noted)
    }

    fn note_path(&self, id: &PackageId) -> PathBuf {
        self.dir(id).with_file_name(format!(".{}.h1", id.platform))
    }

    /// Unpacks a verified package beside its place. Blocks; for the blocking pool.
    ///
    /// # Errors
    ///
    /// If the archive is hostile or damaged, or files cannot be written.
    pub fn stage(&self, package: &VerifiedPackage) -> Result<InstalledPackage, StoreError> {
        let staged = self.staging(package.id())?;
        let h1 = package.unpack(staged.path())?.h1_directory;
        Ok(self.staged(package.id(), staged, h1))
    }

    /// Prepares a package that a filesystem mirror has unpacked: where a lock file vouches for what is
    /// installed, a link to its directory, as the tools make it (facts/providers 6.6); a copy elsewhere, and where
    /// links cannot be made. Blocks.
    ///
    /// # Errors
    ///
    /// If it cannot be copied.
    pub fn stage_unpacked(
        &self,
        package: &UnpackedPackage,
    ) -> Result<InstalledPackage, StoreError> {
        let staged = self.staging(package.id())?;
        let h1 = package.h1().clone();
        let is_linked = self.notes == Notes::None
            && disk::link_to_dir(package.path(), &staged.path().join(LINK)).is_ok();
        if !is_linked {
            disk::copy_tree(package.path(), staged.path())?;
        }
        let content = if is_linked {
            Content::Link(LINK)
        } else {
            Content::Directory
        };
        Ok(InstalledPackage {
            content,
            ..self.staged(package.id(), staged, h1)
        })
    }

    /// Places the files that the cache has of a package beside its place; unpacks the package if there
    /// are none for it. Blocks; the cache's entry must stay locked meanwhile.
    ///
    /// # Errors
    ///
    /// As [`InstallStore::stage`].
    pub fn stage_cached(
        &self,
        package: &VerifiedPackage,
        cached: &CachedPackage,
    ) -> Result<InstalledPackage, StoreError> {
        let Some(unpacked) = &cached.unpacked else {
            return self.stage(package);
        };
        let staged = self.staging(package.id())?;
        let placement = disk::place_tree(unpacked, staged.path())?;
        log::info!(
            "placed {} from the package cache by {placement}",
            package.id()
        );
        Ok(self.staged(package.id(), staged, cached.h1_directory.clone()))
    }

    fn staged(&self, id: &PackageId, staged: TempDir, h1: PackageHash) -> InstalledPackage {
        InstalledPackage {
            staged,
            content: Content::Directory,
            target: self.dir(id),
            note: (self.notes == Notes::Kept).then(|| self.note_path(id)),
            h1,
        }
    }

    /// An empty directory beside the place of package `id`.
    pub(super) fn staging(&self, id: &PackageId) -> Result<TempDir, StoreError> {
        let target = self.dir(id);
        let staged = TempDir::create_beside(&target)?;
        if let Some(versions) = target.parent() {
            // A run that was killed leaves its temporaries here.
            disk::remove_stale_temps(versions)?;
        }
        Ok(staged)
    }
}

impl InstalledPackage {
    /// Where its files are before it has its place.
    pub(super) fn staged_files(&self) -> &Path {
        self.staged.path()
    }

    /// The `h1:` of the unpacked directory.
    pub fn h1(&self) -> &PackageHash {
        &self.h1
    }

    /// Gives the package its place, replacing what is there. A link is replaced, never followed:
    /// it may lead into a cache that other root modules use.
    ///
    /// # Errors
    ///
    /// If it cannot be renamed.
    pub fn place(self) -> Result<(), StoreError> {
        // The note comes first, so that a kill in between leaves no package without one; a note
        // that does not fit what is there only has the package installed again.
        if let Some(note) = &self.note {
            disk::write_atomically(note, self.h1().as_str().as_bytes())?;
        }
        if self.target.is_symlink() {
            disk::remove_dir_all(&self.target)?;
        }
        match self.content {
            Content::Directory => Ok(self.staged.persist(&self.target)?),
            Content::Link(name) => {
                let link = self.staged.path().join(name);
                Ok(disk::rename_dir(&link, &self.target)?)
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn unpacked_packages_are_linked_to_for_a_lock_file_and_copied_elsewhere() {
        let root = tempfile::tempdir().unwrap();
        let mirror = root.path().join("mirror");
        std::fs::create_dir(&mirror).unwrap();
        std::fs::write(mirror.join("terraform-provider-net"), "bytes").unwrap();
        let id = PackageId {
            addr: "example.com/acme/net".parse().unwrap(),
            version: "1.0.0".parse().unwrap(),
            platform: "linux_amd64".parse().unwrap(),
        };
        let package = UnpackedPackage::examine(id.clone(), mirror.clone()).unwrap();
        let locked = InstallStore::new(root.path().join("a"));
        let noted = InstallStore::with_notes(root.path().join("b"));
        for store in [&locked, &noted] {
            // Over nothing, over a directory or link, and over itself.
            for _ in 0..2 {
                store.stage_unpacked(&package).unwrap().place().unwrap();
                let hash = store.hash(&id).unwrap();
                assert_eq!(hash.as_ref(), Some(package.h1()));
            }
            let parent = store.dir(&id).parent().unwrap().to_owned();
            let names = disk::file_names(&parent).unwrap();
            assert!(!names.iter().any(|name| name.contains("tmp")), "{names:?}");
        }
        assert_eq!(std::fs::read_link(locked.dir(&id)).unwrap(), mirror);
        assert!(!noted.dir(&id).is_symlink() && noted.is_as_noted(&id));
        std::fs::remove_file(locked.dir(&id)).unwrap();
        std::fs::create_dir(locked.dir(&id)).unwrap();
        locked.stage_unpacked(&package).unwrap().place().unwrap();
        assert_eq!(std::fs::read_link(locked.dir(&id)).unwrap(), mirror);
        assert!(mirror.join("terraform-provider-net").is_file());
    }
}
