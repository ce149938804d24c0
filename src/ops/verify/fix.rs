//! `verify --fix`: what a fetch or another index mends. A lock file is never touched, evidence never thrown away.
//!
//! What is fetched goes the way of `mirror`, with all its checks, so that it is what evidence names; indexes are written from archives whose evidence holds. A
//! leftover of `terraform providers mirror` is deleted, as it is no package of anybody. What became of a problem is
//! not told here: the mirror is verified again.

use std::collections::{BTreeMap, BTreeSet};

use crate::address::{Platform, ProviderAddr, Tool};
use crate::disk;
use crate::document::{Evidence, PackageId};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::mirror::lock::lock_mirror;
use crate::ops::{
    Choice, Fetcher, Finding, FindingKind, MirrorRequest, MissingPlatformPolicy, NewKeys, OpError,
    PlatformChoice, Verification, Wish, mirror,
};
use crate::source::Source;
use crate::store::{MirrorStore, PresentCheck, StoreError};
use crate::version::{Prereleases, Version, VersionConstraints};

/// A mirror to mend.
#[derive(Debug, Clone)]
pub struct FixMirrorRequest {
    /// Its directory.
    pub store: MirrorStore,
    /// Which missing packages are fetched.
    pub missing: MissingPackages,
    /// The tool that it is for.
    pub tool: Tool,
    /// Packages in flight at once.
    pub jobs: usize,
}

/// Which missing packages are fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingPackages {
    /// Those that evidence names: what an index alone names may never have been.
    OfEvidence,
    /// Every one, as a lock file names it.
    All,
}

/// Mends what was found wrong with a mirror, and tells what went wrong with that.
pub async fn fix_mirror(
    source: &dyn Source,
    fetcher: &Fetcher<'_>,
    request: &FixMirrorRequest,
    found: &Verification,
) -> Vec<OpError> {
    let mut failures = Vec::new();
    failures.extend(
        clear(fetcher, request, found)
            .await
            .err()
            .map(OpError::Store),
    );
    for (platforms, wishes) in to_fetch(request, found, &mut failures) {
        let order = match request.order(platforms, wishes, found) {
            Ok(order) => order,
            Err(error) => {
                failures.push(OpError::Store(error));
                continue;
            }
        };
        let summary = mirror(source, fetcher, &request.store, &order).await;
        let failed = summary.packages.into_iter().filter_map(|it| it.error);
        failures.extend(failed.chain(summary.failures));
    }
    failures.extend(
        index(fetcher, request, found)
            .await
            .err()
            .map(OpError::Store),
    );
    failures
}

impl FixMirrorRequest {
    /// Whether the package that a problem is about is to be fetched.
    fn is_fetchable(&self, finding: &Finding) -> bool {
        let is_named = |id: PackageId| {
            let evidence = self
                .store
                .evidence_of_versions(&id.addr)
                .ok()?
                .remove(&id.version)?;
            Some(evidence.packages.contains_key(&id.platform))
        };
        finding.kind != FindingKind::Missing
            || self.missing == MissingPackages::All
            || finding.package().and_then(is_named) == Some(true)
    }

    /// What to fetch: `mirror` sees to it that it is what evidence names.
    fn order(
        &self,
        platforms: BTreeSet<Platform>,
        wishes: Vec<Wish>,
        found: &Verification,
    ) -> Result<MirrorRequest, StoreError> {
        let mut unproved = BTreeSet::new();
        for wish in &wishes {
            if has_keys(&self.store.evidence_of_versions(&wish.addr)?) {
                unproved.extend(unproved_versions(found, &wish.addr));
            }
        }
        Ok(MirrorRequest {
            wishes,
            unproved,
            platforms: PlatformChoice::Listed(platforms),
            prereleases: Prereleases::ExactOnly,
            missing_platform: MissingPlatformPolicy::Error,
            present: PresentCheck::Bytes,
            jobs: self.jobs,
            new_keys: NewKeys::Refuse,
            tool: self.tool,
        })
    }

    /// Whether the mirror knows keys of a provider; to trust one for the first time is not for `--fix` to decide.
    fn knows_keys(&self, addr: &ProviderAddr) -> Result<bool, StoreError> {
        let evidence = self.store.evidence_of_versions(addr)?;
        Ok(!evidence.is_empty())
    }
}

/// Whether keys are known by which a provider is signed.
fn has_keys(evidence: &BTreeMap<Version, Evidence>) -> bool {
    let mut all = evidence.values();
    all.any(|it| !it.trusted_keys.is_empty() || it.signing_keys().next().is_some())
}

/// The versions of a provider that nothing signed proves, and something should.
fn unproved_versions<'v>(
    found: &'v Verification,
    addr: &'v ProviderAddr,
) -> impl Iterator<Item = (ProviderAddr, Version)> + 'v {
    let unsigned = found.findings.iter().filter(|finding| {
        finding.kind == FindingKind::Unsigned && finding.subject.addr.as_ref() == Some(addr)
    });
    let versions = unsigned.filter_map(|finding| finding.subject.version.clone());
    versions.map(|version| (addr.clone(), version))
}

/// Deletes leftovers, and indexes that nobody can read, which are made anew.
async fn clear(
    fetcher: &Fetcher<'_>,
    request: &FixMirrorRequest,
    found: &Verification,
) -> Result<(), StoreError> {
    let is_doomed = |finding: &&Finding| {
        let is_unreadable = finding.kind == FindingKind::Unreadable;
        finding.kind == FindingKind::Leftover || (is_unreadable && !finding.is_about_evidence())
    };
    let doomed = found.findings.iter().filter(is_doomed);
    let doomed: Vec<_> = doomed.filter_map(|finding| finding.path.clone()).collect();
    if doomed.is_empty() {
        return Ok(());
    }
    let _lock = lock_mirror(&request.store, fetcher.reporter).await?;
    on_blocking_pool(move || {
        doomed
            .iter()
            .try_for_each(|path| disk::remove_dir_all(path))
    })
    .await?;
    Ok(())
}

type Fetches = BTreeMap<BTreeSet<Platform>, Vec<Wish>>;

/// The packages whose bytes or proofs are wrong or missing, by the platforms that each version lacks.
fn to_fetch(
    request: &FixMirrorRequest,
    found: &Verification,
    failures: &mut Vec<OpError>,
) -> Fetches {
    let mut wanted: BTreeMap<(ProviderAddr, Version), BTreeSet<Platform>> = BTreeMap::new();
    for finding in found.findings.iter().filter(|it| needs_fetch(it.kind)) {
        let (Some(addr), Some(version)) = (&finding.subject.addr, &finding.subject.version) else {
            continue;
        };
        if finding.kind == FindingKind::Missing && finding.subject.platform.is_none() {
            match request.knows_keys(addr) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    failures.push(OpError::Store(error));
                    continue;
                }
            }
        }
        let platforms = match &finding.subject.platform {
            Some(_) if !request.is_fetchable(finding) => continue,
            Some(platform) => BTreeSet::from([platform.clone()]),
            None => platforms_of(&request.store, found, addr, version).unwrap_or_else(|error| {
                failures.push(OpError::Store(error));
                BTreeSet::new()
            }),
        };
        let key = (addr.clone(), version.clone());
        wanted.entry(key).or_default().extend(platforms);
    }
    let mut fetches = Fetches::new();
    for ((addr, version), platforms) in wanted {
        fetches.entry(platforms).or_default().push(Wish {
            addr,
            constraints: VersionConstraints::default(),
            choice: Choice::Exactly(version),
            locked: Vec::new(),
        });
    }
    fetches
}

fn needs_fetch(kind: FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::Mismatch
            | FindingKind::Damaged
            | FindingKind::BadSignature
            | FindingKind::Unsigned
            | FindingKind::Missing
    )
}

/// The platforms of a version that the mirror has or had.
fn platforms_of(
    store: &MirrorStore,
    found: &Verification,
    addr: &ProviderAddr,
    version: &Version,
) -> Result<BTreeSet<Platform>, StoreError> {
    let there = found.summary.packages.iter().map(|outcome| &outcome.id);
    let there = there.filter(|id| id.addr == *addr && id.version == *version);
    let mut platforms: BTreeSet<Platform> = there.map(|id| id.platform.clone()).collect();
    let evidence = store.evidence_of_versions(addr)?.remove(version);
    platforms.extend(evidence.into_iter().flat_map(|it| it.packages.into_keys()));
    Ok(platforms)
}

/// Writes the indexes of all providers with a problem from what is there and proved.
async fn index(
    fetcher: &Fetcher<'_>,
    request: &FixMirrorRequest,
    found: &Verification,
) -> Result<(), StoreError> {
    let mut versions: BTreeMap<ProviderAddr, BTreeSet<Version>> = BTreeMap::new();
    for finding in &found.findings {
        if let Some(addr) = &finding.subject.addr {
            let of_addr = versions.entry(addr.clone()).or_default();
            of_addr.extend(finding.subject.version.clone());
        }
    }
    let gone: Vec<PackageId> = found
        .findings
        .iter()
        .filter(|finding| finding.kind == FindingKind::Missing)
        .filter_map(Finding::package)
        .collect();
    for (addr, versions) in versions {
        let store = request.store.clone();
        let (asked, of_addr) = (addr.clone(), versions.clone());
        let unindexed =
            on_blocking_pool(move || store.unindexed(&asked, &of_addr, PresentCheck::Bytes))
                .await?;
        let lock = lock_mirror(&request.store, fetcher.reporter).await?;
        let store = request.store.clone();
        let gone: Vec<PackageId> = gone.iter().filter(|id| id.addr == addr).cloned().collect();
        on_blocking_pool(move || {
            store.index(&lock, &unindexed)?;
            store.forget_absent(&lock, &addr, &versions, &gone)
        })
        .await?;
    }
    Ok(())
}
