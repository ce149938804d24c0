//! Packages before and after the check: trust is a type.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::document::{PackageId, Verdict};
use crate::hash::{HashScheme, PackageHash, Sha256Digest};

use super::archive_error::ArchiveError;
use super::h1::h1_of_zip;
use super::recall::KnownContents;
use super::unpack::{PackageContents, inspect, unpack};

/// An archive on disk that nobody has checked. Its digest was computed while the bytes arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedPackage {
    /// The package that it is said to be.
    pub id: PackageId,
    /// Where the bytes are.
    pub path: PathBuf,
    /// The SHA-256 digest of the bytes.
    pub digest: Sha256Digest,
    /// How many bytes there are.
    pub size: u64,
}

/// An archive that passed every check that its source allows.
///
/// Only [`authenticate`](super::authenticate) makes one, and [`IntactArchive`](super::IntactArchive)
/// again of bytes that were authenticated before, so a store that takes this type cannot be handed
/// unchecked bytes.
#[derive(Debug, Clone)]
pub struct VerifiedPackage {
    package: FetchedPackage,
    verdict: Verdict,
    h1_zip: OnceLock<PackageHash>,
    known: Option<KnownContents>,
}

/// How a package stands to the hashes that a lock file holds for it (facts/providers 3.12).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockMatch {
    /// At least one hash fits.
    Fits,
    /// No hash of a scheme that can be computed: nothing to compare with.
    NothingToCompare,
    /// There are hashes of known schemes, and none fits; the hashes of the archive.
    Differs {
        /// `zh:` and `h1:` of the archive.
        got: Vec<PackageHash>,
    },
}

impl VerifiedPackage {
    /// For the check alone, which is in a neighbouring file.
    pub(super) fn new(
        package: FetchedPackage,
        verdict: Verdict,
        h1_zip: OnceLock<PackageHash>,
    ) -> Self {
        Self {
            package,
            verdict,
            h1_zip,
            known: None,
        }
    }

    /// Notes what an earlier run found out when it unpacked the same bytes for the same type.
    pub(super) fn with_known_contents(self, known: Option<KnownContents>) -> Self {
        Self { known, ..self }
    }

    /// What an earlier run found out about the contents.
    pub fn known_contents(&self) -> Option<&KnownContents> {
        self.known.as_ref()
    }

    /// The hashes of an archive that [`unpack`] would take: [`inspect`]s it, unless an earlier run did.
    ///
    /// # Errors
    /// [`ArchiveError`] as for [`inspect`].
    pub fn known_or_inspected(&self) -> Result<KnownContents, ArchiveError> {
        match &self.known {
            Some(known) => Ok(known.clone()),
            None => Ok(KnownContents::new(self.id().addr.ty(), &self.inspect()?)),
        }
    }

    /// The package.
    pub fn id(&self) -> &PackageId {
        &self.package.id
    }

    /// Where the archive is.
    pub fn path(&self) -> &Path {
        &self.package.path
    }

    /// The SHA-256 digest of the archive.
    pub fn digest(&self) -> Sha256Digest {
        self.package.digest
    }

    /// The size of the archive in bytes.
    pub fn size(&self) -> u64 {
        self.package.size
    }

    /// What was proved.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The hashes of the archive known so far: `zh:` always, `h1:` once something asked for it.
    pub fn hashes(&self) -> Vec<PackageHash> {
        let zh = PackageHash::zh(self.digest());
        std::iter::once(zh)
            .chain(self.h1_zip.get().cloned())
            .collect()
    }

    /// The `h1:` hash of the archive, computed at the first call.
    ///
    /// # Errors
    /// [`ArchiveError`] as for [`h1_of_zip`].
    pub fn h1_zip(&self) -> Result<&PackageHash, ArchiveError> {
        known_or_computed(&self.h1_zip, self.path())
    }

    /// [`inspect`]s the archive, and remembers its `h1:` hash.
    ///
    /// # Errors
    /// [`ArchiveError`] as for [`inspect`].
    pub fn inspect(&self) -> Result<PackageContents, ArchiveError> {
        inspect(self.path(), self.id().addr.ty()).inspect(|contents| self.remember(contents))
    }

    /// [`unpack`]s the archive into an empty or absent directory, and remembers its `h1:` hash.
    ///
    /// # Errors
    /// [`ArchiveError`] as for [`unpack`].
    pub fn unpack(&self, dest: &Path) -> Result<PackageContents, ArchiveError> {
        unpack(self.path(), dest, self.id().addr.ty()).inspect(|contents| self.remember(contents))
    }

    /// Compares the archive with the hashes that a lock file holds for this version.
    ///
    /// # Errors
    /// [`ArchiveError`] if the `h1:` hash is asked for and cannot be computed.
    pub fn matches_any(&self, locked: &[PackageHash]) -> Result<LockMatch, ArchiveError> {
        let zh = PackageHash::zh(self.digest());
        if locked.contains(&zh) {
            return Ok(LockMatch::Fits);
        }
        if locked.iter().all(|hash| hash.scheme() == HashScheme::Other) {
            return Ok(LockMatch::NothingToCompare);
        }
        let h1 = self.h1_zip()?;
        if locked.contains(h1) {
            return Ok(LockMatch::Fits);
        }
        Ok(LockMatch::Differs {
            got: vec![zh, h1.clone()],
        })
    }

    fn remember(&self, contents: &PackageContents) {
        self.h1_zip.get_or_init(|| contents.h1_zip.clone());
    }
}

/// The hash in a cell, put there if it is empty.
pub(super) fn known_or_computed<'c>(
    cell: &'c OnceLock<PackageHash>,
    path: &Path,
) -> Result<&'c PackageHash, ArchiveError> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let computed = h1_of_zip(path)?;
    Ok(cell.get_or_init(|| computed))
}
