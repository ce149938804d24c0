//! `verify` of lock files against a mirror: every locked package is there for each platform, and its bytes have a locked
//! hash.
//!
//! Of a directory the bytes that lie there are read, where the tools would take them from. Of a network mirror the
//! packages are fetched, since what it says of them proves nothing, and thrown away; nothing comes from the package
//! cache, which is not what the mirror serves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::disk::{self, TempDir};
use crate::document::{OfferedVersion, PackageId, ProviderLock, Verdict};
use crate::failure::{ExitCode, Failure};
use crate::hash::{HashScheme, PackageHash};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::packages::pipeline::{Prepared, Slot, heaviest_first};
use crate::ops::verify::lock_file::{LockUnderTest, comparable, listed};
use crate::ops::verify::locks_read::{LocksOf, ReadLocks};
use crate::ops::verify::verification::{Known, told};
use crate::ops::{
    Action, Fetcher, Finding, FindingKind, MirrorPlace, OpError, PackageFailure, PackageOutcome,
    Verification, VerifyLocksRequest,
};
use crate::package::{PackageContents, UnpackedPackage, inspect};
use crate::source::{PackageLocation, PackageMeta, Source, SourceError};

/// Compares lock files with what a mirror serves.
pub async fn verify_mirrored(
    source: &dyn Source,
    fetcher: &Fetcher<'_>,
    request: &VerifyLocksRequest,
    place: &MirrorPlace,
) -> Verification {
    let read = ReadLocks::of(request, fetcher);
    let run = Run {
        source,
        fetcher,
        place,
        account: Mutex::default(),
    };
    let wanted = read.wanted(&request.platforms);
    fetcher.reporter.planned(wanted.len());
    let prepare = |(id, locks)| run.prepare(id, locks);
    let work = |work, slot| run.examine(work, slot);
    heaviest_first(wanted, request.jobs, prepare, work).await;
    let account = run
        .account
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let invented = read.invented_hashes(place).await;
    let mut findings = read.findings;
    findings.extend(invented);
    findings.extend(account.findings);
    let mut failures = read.failures;
    failures.extend(account.failures);
    Verification::of(account.looked_at, findings, failures)
}

/// What has come out so far.
#[derive(Default)]
pub(in crate::ops) struct Account {
    pub(in crate::ops) looked_at: BTreeMap<PackageId, Known>,
    pub(in crate::ops) findings: Vec<Finding>,
    pub(in crate::ops) failures: Vec<OpError>,
}

struct Run<'a> {
    source: &'a dyn Source,
    fetcher: &'a Fetcher<'a>,
    place: &'a MirrorPlace,
    account: Mutex<Account>,
}

/// A package that is to be looked at.
struct Work<'l> {
    meta: Box<PackageMeta>,
    locks: LocksOf<'l>,
}

/// The hashes of what a mirror has as a package.
enum Hashes {
    Archive {
        zh: PackageHash,
        contents: PackageContents,
    },
    Directory(PackageHash),
}

/// What was found out of a package: its hashes, size and verdict, or why it can be no package.
enum Examined {
    Hashes(Hashes, Known),
    Wrong(FindingKind, String),
}

impl Run<'_> {
    async fn prepare<'l>(&self, id: PackageId, locks: LocksOf<'l>) -> Prepared<Work<'l>, ()> {
        if self.is_unlisted(&id).await {
            let text =
                "the mirror's index does not list the version, and the tools do not find it there";
            let missing = |lock: &LockUnderTest| {
                lock.named(Finding::new(FindingKind::Missing, &id).because(text))
            };
            let found = locks.iter().map(|(lock, _)| missing(lock)).collect();
            self.enter(id, Known::default(), found);
            return Prepared::Done(());
        }
        match self.source.package_meta(&id).await {
            Ok(meta) => Prepared::Work {
                weight: self.fetcher.weight(&meta).max(size_on_disk(&meta.location)),
                work: Work {
                    meta: Box::new(meta),
                    locks,
                },
            },
            Err(error) if is_absent(&error) => {
                let text = told(&error);
                let missing = |lock: &LockUnderTest| {
                    lock.named(Finding::new(FindingKind::Missing, &id).because(&text))
                };
                let found = locks.iter().map(|(lock, _)| missing(lock)).collect();
                self.enter(id, Known::default(), found);
                Prepared::Done(())
            }
            Err(error) => {
                self.fail(&id, PackageFailure::Source(error));
                Prepared::Done(())
            }
        }
    }

    /// Whether a network mirror has an index without the version; in a directory, packages are found without one.
    async fn is_unlisted(&self, id: &PackageId) -> bool {
        match self.place {
            MirrorPlace::Directory(_) => false,
            MirrorPlace::Network { .. } => {
                let offered = self.source.available_versions(&id.addr).await;
                let lists = |it: &OfferedVersion| it.version == id.version;
                offered.is_ok_and(|offered| !offered.versions.iter().any(lists))
            }
        }
    }

    async fn examine(&self, work: Work<'_>, slot: Slot) {
        let id = work.meta.id.clone();
        let place = work.meta.location.to_string();
        match self.examined(&work.meta, &slot).await {
            Err(failure) => self.fail(&id, failure),
            Ok(Examined::Wrong(kind, text)) => {
                let wrong = || Finding {
                    path: local(&work.meta.location),
                    ..Finding::new(kind, &id).got(&text)
                };
                let found = work.locks.iter().map(|(lock, _)| lock.named(wrong()));
                self.enter(id.clone(), Known::default(), found.collect());
            }
            Ok(Examined::Hashes(hashes, known)) => {
                let found = work.locks.iter().filter_map(|(lock, locked)| {
                    let found = compared(&id, &hashes, locked, &place)?;
                    let path = local(&work.meta.location);
                    Some(lock.named(Finding { path, ..found }))
                });
                self.enter(id.clone(), known, found.collect());
            }
        }
    }

    async fn examined(&self, meta: &PackageMeta, slot: &Slot) -> Result<Examined, PackageFailure> {
        let id = meta.id.clone();
        match &meta.location {
            PackageLocation::Url(_) => self.fetched(meta, slot).await,
            PackageLocation::Archive(path) => {
                let path = path.clone();
                on_blocking_pool(move || of_archive(&id, &path)).await
            }
            PackageLocation::Directory(path) => {
                let path = path.clone();
                on_blocking_pool(move || of_directory(id, path)).await
            }
        }
    }

    /// Fetches the package; the mirror's own word on it must fit, too.
    async fn fetched(&self, meta: &PackageMeta, slot: &Slot) -> Result<Examined, PackageFailure> {
        let (MirrorPlace::Network { scratch } | MirrorPlace::Directory(scratch)) = self.place;
        let dir = TempDir::create_beside(&scratch.join("package"))?;
        let target = dir.path().join("package.zip");
        let fetched = match self.fetcher.fetch(meta, &target, slot).await {
            Ok(fetched) => fetched,
            Err(failure) => return wrong_or_failed(failure),
        };
        let (ty, path) = (meta.id.addr.ty().to_owned(), fetched.file.path().to_owned());
        let known = Known {
            verdict: Some(fetched.package.verdict().clone()),
            size: Some(fetched.package.size()),
        };
        let zh = PackageHash::zh(fetched.package.digest());
        let contents = on_blocking_pool(move || {
            let contents = inspect(&path, &ty);
            drop((fetched, dir));
            contents
        });
        match contents.await {
            Ok(contents) => Ok(Examined::Hashes(Hashes::Archive { zh, contents }, known)),
            Err(error) => wrong_or_failed(error.into()),
        }
    }

    fn fail(&self, id: &PackageId, failure: PackageFailure) {
        let outcome = PackageOutcome::failed("verify", id.clone(), failure);
        self.fetcher.reporter.finished(&outcome);
        self.account().failures.extend(outcome.error);
    }

    fn enter(&self, id: PackageId, known: Known, findings: Vec<Finding>) {
        let action = if findings.is_empty() {
            Action::Verified
        } else {
            Action::Failed
        };
        let (verdict, size) = (known.verdict.clone(), known.size);
        let outcome = PackageOutcome::done(id.clone(), action, verdict, size);
        self.fetcher.reporter.finished(&outcome);
        let mut account = self.account();
        account.looked_at.insert(id, known);
        account.findings.extend(findings);
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the mirror itself says that it does not have the package.
fn is_absent(error: &SourceError) -> bool {
    error.is_absence() && !matches!(error, SourceError::Offline)
}

fn size_on_disk(location: &PackageLocation) -> u64 {
    match location {
        PackageLocation::Archive(path) => path.metadata().map_or(0, |found| found.len()),
        PackageLocation::Url(_) | PackageLocation::Directory(_) => 0,
    }
}

fn local(location: &PackageLocation) -> Option<PathBuf> {
    match location {
        PackageLocation::Archive(path) | PackageLocation::Directory(path) => Some(path.clone()),
        PackageLocation::Url(_) => None,
    }
}

/// Tells bytes that are wrong from bytes that could not be had.
fn wrong_or_failed(failure: PackageFailure) -> Result<Examined, PackageFailure> {
    if failure.exit_code() != ExitCode::Verification {
        return Err(failure);
    }
    Ok(Examined::Wrong(kind_of(&failure), told(&failure)))
}

/// What kind of problem it is that bytes or what is said of them are wrong.
pub(in crate::ops) fn kind_of(failure: &PackageFailure) -> FindingKind {
    match failure {
        PackageFailure::Archive(_)
        | PackageFailure::Unpacked(_)
        | PackageFailure::DirectoryHash(_) => FindingKind::Damaged,
        PackageFailure::Unsigned => FindingKind::Unsigned,
        PackageFailure::ExpiredKey { .. } => FindingKind::ExpiredKey,
        PackageFailure::ChangedKey { .. } => FindingKind::ChangedKey,
        PackageFailure::Source(_)
        | PackageFailure::Download(_)
        | PackageFailure::NotListed { .. }
        | PackageFailure::Authentication(_)
        | PackageFailure::LockMismatch { .. }
        | PackageFailure::Disk(_)
        | PackageFailure::Store(_) => FindingKind::Mismatch,
    }
}

fn of_archive(id: &PackageId, path: &Path) -> Result<Examined, PackageFailure> {
    let zh = PackageHash::zh(disk::sha256(path)?);
    let known = Known {
        verdict: Some(Verdict::Unauthenticated),
        size: path.metadata().ok().map(|found| found.len()),
    };
    match inspect(path, id.addr.ty()) {
        Ok(contents) => Ok(Examined::Hashes(Hashes::Archive { zh, contents }, known)),
        Err(error) => wrong_or_failed(error.into()),
    }
}

fn of_directory(id: PackageId, path: PathBuf) -> Result<Examined, PackageFailure> {
    match UnpackedPackage::examine(id, path) {
        Ok(package) => {
            let hashes = Hashes::Directory(package.h1().clone());
            Ok(Examined::Hashes(hashes, Known::default()))
        }
        Err(error) => wrong_or_failed(error.into()),
    }
}

/// What is wrong with a package of these hashes for a lock file (facts/providers 3.12, 4.6).
fn compared(id: &PackageId, hashes: &Hashes, lock: &ProviderLock, place: &str) -> Option<Finding> {
    let is_locked = |hash: &PackageHash| lock.hashes.contains(hash);
    let (got, scheme_fits): (Vec<&PackageHash>, fn(&PackageHash) -> bool) = match hashes {
        Hashes::Archive { zh, contents } => (vec![&contents.h1_zip, zh], |hash| {
            hash.scheme() != HashScheme::Other
        }),
        Hashes::Directory(h1) => (vec![h1], |hash| hash.scheme() == HashScheme::H1),
    };
    if got.iter().any(|hash| is_locked(hash)) {
        return None;
    }
    let finding = |kind| Finding::new(kind, id).got(&listed(&got));
    let known = comparable(lock, scheme_fits);
    Some(match hashes {
        Hashes::Archive { contents, .. } if is_locked(&contents.h1_directory) => {
            finding(FindingKind::OtherForm)
                .expected(&contents.h1_directory)
                .because(OTHER_FORM_OF_ARCHIVE)
        }
        Hashes::Archive { .. } | Hashes::Directory(_) if known.is_empty() => {
            finding(FindingKind::Incomparable).because(format!(
                "the lock file has no hash that `{place}` can be compared with"
            ))
        }
        Hashes::Archive { .. } | Hashes::Directory(_) => {
            finding(FindingKind::Mismatch).expected(&listed(&known))
        }
    })
}

const OTHER_FORM_OF_ARCHIVE: &str = "the archive unpacks to the locked directory, but of an archive the tools compare the `h1` hash over \
     its entries as they stand there, with those of directories, and that or the `zh` hash is not locked: they will refuse it";
