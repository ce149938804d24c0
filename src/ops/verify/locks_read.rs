//! Lock files that are compared with a mirror or with registries: which, for which platforms, and what each package is locked
//! to by all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::address::Platform;
use crate::document::{PackageId, ProviderLock};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::verify::evidence::{NamedLock, invented_hashes};
use crate::ops::verify::lock_file::LockUnderTest;
use crate::ops::{Fetcher, Finding, LockSite, OpError};

/// Lock files to verify, and for which platforms.
#[derive(Debug, Clone)]
pub struct VerifyLocksRequest {
    /// The lock files.
    pub locks: Vec<LockSite>,
    /// The platforms that each locked provider has to be there for.
    pub platforms: BTreeSet<Platform>,
    /// Packages that are worked on at once.
    pub jobs: usize,
}

/// Where a mirror is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MirrorPlace {
    /// This directory.
    Directory(PathBuf),
    /// The network; its packages go through files in this directory.
    Network {
        /// Where temporary files may be.
        scratch: PathBuf,
    },
}

/// Lock files that were read.
pub(in crate::ops) struct ReadLocks {
    pub(in crate::ops) locks: Vec<LockUnderTest>,
    pub(in crate::ops) findings: Vec<Finding>,
    pub(in crate::ops) failures: Vec<OpError>,
}

/// What lock files say of a package: the name of each, and its lock.
pub(in crate::ops) type LocksOf<'l> = Vec<(&'l LockUnderTest, &'l ProviderLock)>;

impl ReadLocks {
    pub(in crate::ops) fn of(request: &VerifyLocksRequest, fetcher: &Fetcher<'_>) -> Self {
        let (mut locks, mut findings, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for site in &request.locks {
            match LockUnderTest::read(site, fetcher.reporter) {
                Ok(lock) => {
                    findings.extend(lock.findings.clone());
                    locks.push(lock);
                }
                Err(error) => failures.push(error),
            }
        }
        Self {
            locks,
            findings,
            failures,
        }
    }

    /// Hashes that the evidence of a mirror directory disproves.
    pub(in crate::ops) async fn invented_hashes(&self, place: &MirrorPlace) -> Vec<Finding> {
        let MirrorPlace::Directory(dir) = place else {
            return Vec::new();
        };
        let named = |lock: &LockUnderTest| {
            let providers = lock.locks.iter().flat_map(|locks| &locks.providers);
            let name = lock.site.name.clone();
            let named = providers.map(|(addr, lock)| (name.clone(), addr.clone(), lock.clone()));
            named.collect::<Vec<NamedLock>>()
        };
        let locks: Vec<NamedLock> = self.locks.iter().flat_map(named).collect();
        let dir = dir.clone();
        on_blocking_pool(move || invented_hashes(&dir, &locks)).await
    }

    /// Every locked package, and who locks it.
    pub(in crate::ops) fn wanted(
        &self,
        platforms: &BTreeSet<Platform>,
    ) -> BTreeMap<PackageId, LocksOf<'_>> {
        let mut wanted: BTreeMap<PackageId, LocksOf<'_>> = BTreeMap::new();
        for lock in &self.locks {
            for (id, locked) in lock.packages(platforms) {
                wanted.entry(id).or_default().push((lock, locked));
            }
        }
        wanted
    }
}
