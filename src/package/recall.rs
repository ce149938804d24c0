//! Archives that were fetched before and are still on disk: how they become verified packages
//! without being fetched again.
//!
//! What a cache remembers is a claim. Attacks and accidents, and the answers:
//! - the bytes are no longer those of the digest (a damaged disk, a program that wrote to the file):
//!   the file's stamp must be the recorded one, else all of it is read and hashed;
//! - the verdict of one package passed off as that of another with the same bytes: the caller's
//!   verdict counts only for the package it names, and never alone. Either the source's word on that
//!   very package is checked again, as after a download, or the lock file must hold a hash of these
//!   bytes for it;
//! - an archive fit for one type of provider taken for another: what is known of its layout holds for
//!   that type alone.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::disk::{self, DiskError, FileStamp, TempFile};
use crate::document::{PackageId, Verdict};
use crate::hash::{PackageHash, Sha256Digest};

use super::authenticate::{Expectation, Mismatch, authenticate_known};
use super::unpack::PackageContents;
use super::verified::{FetchedPackage, VerifiedPackage};

/// What a cache says of an archive.
#[derive(Debug, Clone)]
pub struct ArchiveClaim {
    /// Where it is.
    pub path: PathBuf,
    /// The SHA-256 digest that it had.
    pub digest: Sha256Digest,
    /// Its stamp at that time, if it was recorded.
    pub stamp: Option<FileStamp>,
    /// Its `h1:` and those of its directory, for the type of provider that it was unpacked for.
    pub unpacked: Option<KnownContents>,
}

/// What was found out when an archive was unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownContents {
    /// The type of the provider.
    pub ty: String,
    /// The `h1:` hash of the archive.
    pub h1_zip: PackageHash,
    /// The `h1:` hash of the unpacked directory.
    pub h1_directory: PackageHash,
}

impl KnownContents {
    /// The hashes of contents that were found fit for a provider of type `ty`.
    pub fn new(ty: &str, contents: &PackageContents) -> Self {
        Self {
            ty: ty.to_owned(),
            h1_zip: contents.h1_zip.clone(),
            h1_directory: contents.h1_directory.clone(),
        }
    }
}

/// How closely to look at an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scrutiny {
    /// The recorded stamp suffices; without it the bytes are read.
    Stamp,
    /// The bytes are read in any case.
    Bytes,
}

/// An archive on disk that has the digest it is said to have. Of which package it is, it does not
/// tell.
#[derive(Debug, Clone)]
pub struct IntactArchive {
    path: PathBuf,
    digest: Sha256Digest,
    stamp: FileStamp,
    unpacked: Option<KnownContents>,
}

impl IntactArchive {
    /// Checks a claim; `None` if the file is gone or has another digest. Blocks; may read all of it.
    ///
    /// # Errors
    ///
    /// If the file is there and cannot be read.
    pub fn check(claim: ArchiveClaim, scrutiny: Scrutiny) -> Result<Option<Self>, DiskError> {
        if claim.path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let stamp = FileStamp::of(&claim.path)?;
        let is_known = scrutiny == Scrutiny::Stamp && claim.stamp == Some(stamp);
        if !is_known && disk::sha256(&claim.path)? != claim.digest {
            return Ok(None);
        }
        Ok(Some(Self {
            path: claim.path,
            digest: claim.digest,
            stamp,
            unpacked: claim.unpacked,
        }))
    }

    /// The stamp of the file when it was checked.
    pub fn stamp(&self) -> FileStamp {
        self.stamp
    }

    /// A copy in a new file, for a place that must not share the cache's file. Blocks.
    ///
    /// # Errors
    ///
    /// If it cannot be copied.
    pub fn copied_into(self, file: &TempFile) -> Result<Self, DiskError> {
        disk::copy_into(&self.path, file)?;
        Ok(Self {
            path: file.path().to_owned(),
            stamp: FileStamp::of(file.path())?,
            ..self
        })
    }

    /// Checks the archive against everything that the source of package `id` says about it, as after
    /// a download.
    ///
    /// # Errors
    /// [`Mismatch`] for the first thing that does not fit.
    pub fn authenticate(
        self,
        id: &PackageId,
        expectation: Expectation<'_>,
    ) -> Result<VerifiedPackage, Mismatch> {
        let (package, known) = self.into_package(id);
        let package = authenticate_known(package, expectation, h1_cell(known.as_ref()))?;
        Ok(package.with_known_contents(known))
    }

    /// Takes the archive for package `id` because one of the hashes that the lock file holds for it is
    /// the archive's; `verdict` is what was proved of this package and these bytes before. `None` if
    /// no hash fits.
    pub fn recall(
        self,
        id: &PackageId,
        verdict: Verdict,
        locked: &[PackageHash],
    ) -> Option<VerifiedPackage> {
        let (package, known) = self.into_package(id);
        let zh = PackageHash::zh(package.digest);
        let of_contents = known
            .iter()
            .flat_map(|known| [&known.h1_zip, &known.h1_directory]);
        let fits = std::iter::once(&zh)
            .chain(of_contents)
            .any(|hash| locked.contains(hash));
        let cell = h1_cell(known.as_ref());
        fits.then(|| VerifiedPackage::new(package, verdict, cell).with_known_contents(known))
    }

    /// The archive as package `id`, and what is known of its contents if the type is the same.
    fn into_package(self, id: &PackageId) -> (FetchedPackage, Option<KnownContents>) {
        let package = FetchedPackage {
            id: id.clone(),
            path: self.path,
            digest: self.digest,
            size: self.stamp.size,
        };
        let known = self.unpacked.filter(|known| known.ty == id.addr.ty());
        (package, known)
    }
}

fn h1_cell(known: Option<&KnownContents>) -> OnceLock<PackageHash> {
    known.map_or_else(OnceLock::new, |known| OnceLock::from(known.h1_zip.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::ProviderAddr;

    fn id(addr: &str) -> PackageId {
        PackageId {
            addr: ProviderAddr::parse_canonical(addr).unwrap(),
            version: "1.0.0".parse().unwrap(),
            platform: "linux_amd64".parse().unwrap(),
        }
    }

    fn hash(text: &str) -> PackageHash {
        text.parse().unwrap()
    }

    fn claim(root: &tempfile::TempDir, stamped: bool) -> ArchiveClaim {
        let path = root.path().join("archive");
        std::fs::write(&path, "bytes").unwrap();
        ArchiveClaim {
            digest: disk::sha256(&path).unwrap(),
            stamp: stamped.then(|| FileStamp::of(&path).unwrap()),
            unpacked: Some(KnownContents {
                ty: "net".to_owned(),
                h1_zip: hash("h1:zip"),
                h1_directory: hash("h1:directory"),
            }),
            path,
        }
    }

    #[test]
    fn changed_bytes_are_noticed() {
        let root = tempfile::tempdir().unwrap();
        let claim = claim(&root, true);
        let check = |scrutiny| IntactArchive::check(claim.clone(), scrutiny).unwrap();
        assert!(check(Scrutiny::Stamp).is_some() && check(Scrutiny::Bytes).is_some());
        std::fs::write(&claim.path, "other bytes").unwrap();
        assert!(check(Scrutiny::Stamp).is_none() && check(Scrutiny::Bytes).is_none());
        std::fs::write(&claim.path, "bytes").unwrap();
        assert!(check(Scrutiny::Stamp).is_some(), "the digest is right");
        std::fs::remove_file(&claim.path).unwrap();
        assert!(check(Scrutiny::Stamp).is_none());
    }

    #[test]
    fn remembered_verdict_needs_a_locked_hash() {
        let root = tempfile::tempdir().unwrap();
        let claim = claim(&root, true);
        let zh = PackageHash::zh(claim.digest);
        let recalled = |locked: &[PackageHash], addr: &str| {
            let archive = IntactArchive::check(claim.clone(), Scrutiny::Stamp).unwrap();
            let archive = archive.unwrap();
            archive
                .recall(&id(addr), Verdict::Checksum, locked)
                .is_some()
        };
        assert!(!recalled(&[], "example.com/acme/net"));
        assert!(!recalled(&[hash("h1:other")], "example.com/acme/net"));
        for fitting in [zh.clone(), hash("h1:zip"), hash("h1:directory")] {
            assert!(recalled(&[hash("h1:x"), fitting], "example.com/acme/net"));
        }
        // What unpacking for another type found out does not count.
        assert!(!recalled(&[hash("h1:directory")], "example.com/acme/dns"));
        assert!(recalled(&[zh], "example.com/acme/dns"));
    }
}
