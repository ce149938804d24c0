//! `verify` of lock files against what registries publish today, from metadata alone: releases that were made anew,
//! versions that were withdrawn, platforms that are missing.

use std::collections::BTreeSet;

use futures_util::StreamExt;
use futures_util::stream;

use crate::document::{PackageId, ProviderLock, Published};
use crate::failure::{ExitCode, Failure};
use crate::hash::{HashScheme, PackageHash};
use crate::ops::verify::lock_file::{LockUnderTest, comparable, listed};
use crate::ops::verify::locks_read::{LocksOf, ReadLocks};
use crate::ops::verify::mirrored::{Account, kind_of};
use crate::ops::verify::verification::{Known, told};
use crate::ops::{
    Fetcher, Finding, FindingKind, PackageFailure, PackageOutcome, Subject, Verification,
    VerifyLocksRequest,
};
use crate::package::Expectation;
use crate::source::{PackageMeta, Source, SourceError};

/// Compares the hashes of lock files with those that the source publishes.
pub async fn verify_published(
    source: &dyn Source,
    fetcher: &Fetcher<'_>,
    request: &VerifyLocksRequest,
) -> Verification {
    let read = ReadLocks::of(request, fetcher);
    let wanted = read.wanted(&request.platforms);
    let asked = stream::iter(wanted)
        .map(|(id, locks)| async move { (ask(source, &id).await, id, locks) })
        .buffer_unordered(request.jobs)
        .collect::<Vec<_>>()
        .await;
    let mut account = Account::default();
    for (answer, id, locks) in asked {
        match answer {
            Ok(Some(meta)) => enter(&mut account, &meta, &locks, fetcher),
            Ok(None) => enter_unlisted(&mut account, &id, &locks),
            Err(error) => enter_absent(&mut account, id, &locks, error),
        }
    }
    let mut findings = read.findings;
    findings.extend(account.findings);
    let mut failures = read.failures;
    failures.extend(account.failures);
    Verification::of(account.looked_at, findings, failures)
}

/// What is published of a package; `None` if its version is not listed. Some registries keep the documents of a version that
/// they no longer list, and the tools refuse it.
async fn ask(source: &dyn Source, id: &PackageId) -> Result<Option<PackageMeta>, SourceError> {
    let offered = source.available_versions(&id.addr).await?;
    if offered.versions.iter().any(|it| it.version == id.version) {
        source.package_meta(id).await.map(Some)
    } else {
        Ok(None)
    }
}

/// Whether what the registry says of a package fits together, and its signature is good enough.
fn proved(meta: &PackageMeta, fetcher: &Fetcher<'_>) -> Result<(), PackageFailure> {
    let Expectation::Registry(registry) = meta.expectation() else {
        return Ok(());
    };
    fetcher.require_verdict(&meta.id, &registry.verdict()?)
}

fn enter(account: &mut Account, meta: &PackageMeta, locks: &LocksOf<'_>, fetcher: &Fetcher<'_>) {
    let published = meta.published();
    let proved = proved(meta, fetcher);
    for (lock, locked) in locks {
        let found = match &proved {
            Ok(()) => compared(&meta.id, &published, locked),
            Err(failure) => {
                let finding = Finding::new(kind_of(failure), &meta.id);
                vec![finding.because(told(failure))]
            }
        };
        account
            .findings
            .extend(found.into_iter().map(|it| lock.named(it)));
    }
    let known = Known {
        verdict: None,
        size: meta.size,
    };
    account.looked_at.insert(meta.id.clone(), known);
}

fn enter_unlisted(account: &mut Account, id: &PackageId, locks: &LocksOf<'_>) {
    let found = |lock: &LockUnderTest| {
        let subject = Subject::version(&id.addr, &id.version);
        let finding = Finding::new(FindingKind::Withdrawn, subject);
        lock.named(finding.because("the registry no longer lists it"))
    };
    account
        .findings
        .extend(locks.iter().map(|(lock, _)| found(lock)));
    account.looked_at.insert(id.clone(), Known::default());
}

fn enter_absent(account: &mut Account, id: PackageId, locks: &LocksOf<'_>, error: SourceError) {
    let kind = if error.is_missing_platform() {
        FindingKind::NotPublished
    } else if error.is_absence() && !matches!(error, SourceError::Offline) {
        FindingKind::Withdrawn
    } else if matches!(error, SourceError::Signature { .. })
        && error.exit_code() == ExitCode::Verification
    {
        FindingKind::BadSignature
    } else {
        let outcome = PackageOutcome::failed("verify", id, PackageFailure::Source(error));
        account.failures.extend(outcome.error);
        return;
    };
    // A version that is gone is gone for all platforms.
    let subject = if kind == FindingKind::Withdrawn {
        Subject::version(&id.addr, &id.version)
    } else {
        Subject::from(&id)
    };
    let text = told(&error);
    let found =
        |lock: &LockUnderTest| lock.named(Finding::new(kind, subject.clone()).because(&text));
    account
        .findings
        .extend(locks.iter().map(|(lock, _)| found(lock)));
    account.looked_at.insert(id, Known::default());
}

/// What is wrong with what is locked of a package whose registry publishes these hashes.
fn compared(id: &PackageId, published: &Published, lock: &ProviderLock) -> Vec<Finding> {
    let all: BTreeSet<&PackageHash> = published
        .signed
        .iter()
        .chain(&published.listed)
        .chain(&published.vouched)
        .collect();
    let own: Vec<&PackageHash> = published.listed.iter().collect();
    let locked_zh = comparable(lock, |hash| hash.scheme() == HashScheme::Zh);
    let is_published = |hash: &PackageHash| all.contains(hash);
    let fits = |hash: &&PackageHash| lock.hashes.contains(hash);
    let of_version = |kind| Finding::new(kind, Subject::version(&id.addr, &id.version));
    if locked_zh.is_empty() {
        let fits_otherwise = published
            .vouched
            .iter()
            .any(|hash| lock.hashes.contains(hash));
        return if fits_otherwise {
            Vec::new()
        } else {
            vec![Finding::new(FindingKind::Incomparable, id).got(&listed(&own)).because(
                "the lock file has no `zh` hash of it, and the registry publishes no other; `h1` hashes show \
                 when the package is fetched",
            )]
        };
    }
    if !locked_zh.iter().any(|hash| is_published(hash)) {
        return vec![
            of_version(FindingKind::Recut)
                .got(&listed(&all.iter().copied().collect::<Vec<_>>()))
                .expected(&listed(&locked_zh))
                .because("none of the locked `zh` hashes is published any more"),
        ];
    }
    let is_gone = |hash: &&&PackageHash| hash.is_possible() && !is_published(hash);
    let gone: Vec<&PackageHash> = locked_zh.iter().filter(is_gone).copied().collect();
    if !own.iter().any(fits) && !gone.is_empty() {
        return vec![
            Finding::new(FindingKind::Recut, id)
                .got(&listed(&own))
                .expected(&listed(&gone))
                .because("what is locked of it is no longer published"),
        ];
    }
    let mut findings = Vec::new();
    if !own.iter().any(fits) {
        findings.push(
            Finding::new(FindingKind::Unlocked, id)
                .got(&listed(&own))
                .expected(&listed(&locked_zh))
                .because(
                    "what is published for this platform is not locked, while that of others is",
                ),
        );
    }
    // Without a signed list of all platforms nobody can tell which hashes belong to others.
    if published.signed.len() > 1 {
        let invented = locked_zh
            .iter()
            .filter(|hash| hash.is_possible() && !is_published(hash));
        findings.extend(invented.map(|hash| {
            of_version(FindingKind::InventedHash)
                .got(hash)
                .because("the publisher's signed SHA256SUMS document does not have it")
        }));
    }
    findings
}
