//! Packages that a filesystem mirror has unpacked: a directory instead of an archive (facts/providers 6.6).
//!
//! Nobody vouches for one but a lock file: only its `h1:` can be computed (facts 3.12, 4.2).
//!
//! Attacks and answers:
//! - a directory that does not hold the plugin, or something else than files: refused;
//! - files that change after they were hashed: not this module's to prevent; the tools, which are given the
//!   same directory, compare the lock file's hashes at each run.

use std::path::{Path, PathBuf};

use crate::disk::{self, DiskError};
use crate::document::PackageId;
use crate::failure::{ExitCode, Failure};
use crate::hash::{HashScheme, PackageHash};

use super::h1::{DirectoryHashError, h1_of_directory};
use super::plugin_name::is_plugin_name;
use super::verified::LockMatch;

/// An unpacked package that holds its plugin and whose hash is known. Only [`UnpackedPackage::examine`]
/// makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackedPackage {
    id: PackageId,
    path: PathBuf,
    h1: PackageHash,
}

/// Why a directory is no package.
#[derive(Debug, thiserror::Error)]
pub enum UnpackedPackageError {
    /// The plugin is not there.
    #[error("`{}` holds no executable named `terraform-provider-{ty}`", path.display())]
    NoExecutable {
        /// The directory.
        path: PathBuf,
        /// The provider's type.
        ty: String,
    },
    /// The directory cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It holds what cannot be hashed.
    #[error(transparent)]
    Hash(#[from] DirectoryHashError),
}

impl Failure for UnpackedPackageError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::NoExecutable { .. } => ExitCode::Verification,
            Self::Disk(source) => source.exit_code(),
            Self::Hash(source) => source.exit_code(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::NoExecutable { path, .. } => vec![format!(
                "put the package's files directly into `{}`, or remove that directory",
                path.display()
            )],
            Self::Disk(source) => source.hints(),
            Self::Hash(source) => source.hints(),
        }
    }
}

impl UnpackedPackage {
    /// Takes the directory `path` for package `id` if it holds the plugin. Blocks, and reads all files.
    ///
    /// # Errors
    ///
    /// If it holds no plugin, or something that cannot be read or hashed.
    pub fn examine(id: PackageId, path: PathBuf) -> Result<Self, UnpackedPackageError> {
        let names = disk::file_names(&path)?;
        let is_plugin =
            |name: &String| is_plugin_name(name, id.addr.ty()) && path.join(name).is_file();
        if !names.iter().any(is_plugin) {
            let ty = id.addr.ty().to_owned();
            return Err(UnpackedPackageError::NoExecutable { path, ty });
        }
        let h1 = h1_of_directory(&path)?;
        Ok(Self { id, path, h1 })
    }

    /// The package.
    pub fn id(&self) -> &PackageId {
        &self.id
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The `h1:` hash of the directory.
    pub fn h1(&self) -> &PackageHash {
        &self.h1
    }

    /// Compares the directory with the hashes that a lock file holds for this version. `zh:` hashes are
    /// those of archives and tell nothing about it.
    pub fn matches_any(&self, locked: &[PackageHash]) -> LockMatch {
        if locked.contains(&self.h1) {
            return LockMatch::Fits;
        }
        if locked.iter().any(|hash| hash.scheme() == HashScheme::H1) {
            return LockMatch::Differs {
                got: vec![self.h1.clone()],
            };
        }
        LockMatch::NothingToCompare
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> PackageId {
        PackageId {
            addr: "example.com/acme/net".parse().unwrap(),
            version: "1.0.0".parse().unwrap(),
            platform: "linux_amd64".parse().unwrap(),
        }
    }

    #[test]
    fn directory_without_plugin_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let examine = || UnpackedPackage::examine(id(), root.path().to_owned());
        for name in [
            "README",
            "terraform-provider-network",
            "x_terraform-provider-net",
        ] {
            std::fs::write(root.path().join(name), "").unwrap();
        }
        std::fs::create_dir(root.path().join("terraform-provider-net")).unwrap();
        let refused = examine().unwrap_err();
        assert!(matches!(refused, UnpackedPackageError::NoExecutable { .. }));
        std::fs::write(root.path().join("terraform-provider-net_v1.0.0"), "").unwrap();
        assert!(examine().is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn link_to_a_directory_inside_is_refused() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("terraform-provider-net"), "").unwrap();
        std::os::unix::fs::symlink("/", root.path().join("link")).unwrap();
        let refused = UnpackedPackage::examine(id(), root.path().to_owned());
        assert!(matches!(refused, Err(UnpackedPackageError::Hash(_))));
    }

    #[test]
    fn only_h1_hashes_tell_about_a_directory() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("terraform-provider-net"), "").unwrap();
        let package = UnpackedPackage::examine(id(), root.path().to_owned()).unwrap();
        let hash = |text: &str| text.parse::<PackageHash>().unwrap();
        let own = package.h1().clone();
        let differs = LockMatch::Differs {
            got: vec![own.clone()],
        };
        for (locked, expected) in [
            (vec![], LockMatch::NothingToCompare),
            (
                vec![hash("zh:00"), hash("h7:x")],
                LockMatch::NothingToCompare,
            ),
            (vec![hash("h1:x"), hash("zh:00")], differs),
            (vec![hash("h1:x"), own], LockMatch::Fits),
        ] {
            assert_eq!(package.matches_any(&locked), expected, "{locked:?}");
        }
    }
}
