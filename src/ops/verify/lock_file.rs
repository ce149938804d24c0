//! A lock file that is verified: what it locks, and what is wrong with its text.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::address::{Platform, Tool};
use crate::document::lock_file::{LockProblem, LockProblemKind};
use crate::document::{Locks, PackageId, ProviderLock};
use crate::hash::PackageHash;
use crate::ops::root_requirements::read_lock_file;
use crate::ops::{Finding, FindingKind, OpError, Reporter, Subject};

/// Where a lock file is, and by whose rules it is read.
#[derive(Debug, Clone)]
pub struct LockSite {
    /// What reports call it; `None` if there is no other.
    pub name: Option<String>,
    /// The file.
    pub path: PathBuf,
    /// The tool that it is for.
    pub tool: Tool,
}

/// A lock file and what is wrong with it.
pub(in crate::ops) struct LockUnderTest {
    pub(in crate::ops) site: LockSite,
    /// What it locks; `None` if it cannot be understood.
    pub(in crate::ops) locks: Option<Locks>,
    /// What is wrong with its text.
    pub(in crate::ops) findings: Vec<Finding>,
}

impl LockUnderTest {
    /// Reads a lock file. Blocks.
    ///
    /// # Errors
    ///
    /// If it is not there, or cannot be read.
    pub(in crate::ops) fn read(site: &LockSite, reporter: &dyn Reporter) -> Result<Self, OpError> {
        if !site.path.exists() {
            return Err(OpError::NoLockFile {
                path: site.path.clone(),
            });
        }
        let (locks, findings) = match read_lock_file(&site.path, site.tool, reporter) {
            Ok(locks) => {
                let findings = suspicions(&locks, &site.path);
                (Some(locks), findings)
            }
            Err(OpError::Lock { source, .. }) => {
                let problems = source.problems.iter();
                (None, problems.map(|it| refused(it, &site.path)).collect())
            }
            Err(other) => return Err(other),
        };
        let mut read = Self {
            site: site.clone(),
            locks,
            findings: Vec::new(),
        };
        read.findings = findings.into_iter().map(|it| read.named(it)).collect();
        Ok(read)
    }

    /// The packages that it locks, for these platforms.
    pub(in crate::ops) fn packages(
        &self,
        platforms: &BTreeSet<Platform>,
    ) -> Vec<(PackageId, &ProviderLock)> {
        let locks = self.locks.iter().flat_map(|locks| &locks.providers);
        let of_platforms = locks.flat_map(|(addr, lock)| {
            platforms.iter().map(move |platform| {
                let id = PackageId {
                    addr: addr.clone(),
                    version: lock.version.clone(),
                    platform: platform.clone(),
                };
                (id, lock)
            })
        });
        of_platforms.collect()
    }

    /// A problem with the name of this lock file.
    pub(in crate::ops) fn named(&self, finding: Finding) -> Finding {
        Finding {
            lock: self.site.name.clone(),
            ..finding
        }
    }
}

/// A problem for which the file is refused.
fn refused(problem: &LockProblem, path: &Path) -> Finding {
    let kind = match &problem.kind {
        LockProblemKind::MergeConflict => FindingKind::Conflict,
        LockProblemKind::Syntax(_)
        | LockProblemKind::UnknownBlock(_)
        | LockProblemKind::UnknownArgument(_)
        | LockProblemKind::Labels(_)
        | LockProblemKind::Address(_)
        | LockProblemKind::Duplicate(_)
        | LockProblemKind::MissingVersion
        | LockProblemKind::NotText { .. }
        | LockProblemKind::Version(_)
        | LockProblemKind::Constraints(_)
        | LockProblemKind::NotCanonical { .. }
        | LockProblemKind::HashesNotList(_)
        | LockProblemKind::NoHashes
        | LockProblemKind::Hash(_) => FindingKind::BadLock,
    };
    Finding::new(kind, Subject::default()).at(path).got(problem)
}

/// What no tool would have written, though it reads it.
fn suspicions(locks: &Locks, path: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (addr, lock) in &locks.providers {
        let subject = || Subject::version(addr, &lock.version);
        let impossible = lock.hashes.iter().filter(|hash| !hash.is_possible());
        findings.extend(impossible.map(|hash| {
            Finding::new(FindingKind::InventedHash, subject())
                .at(path)
                .got(hash)
                .because("no package can have this hash, so it fits none")
        }));
        let sorted = lock.sorted_hashes();
        if !lock.hashes.iter().eq(sorted.iter().copied()) {
            let explanation = "the tools write the list of hashes sorted, each once, so something else wrote this one";
            findings.push(
                Finding::new(FindingKind::HandEdited, subject())
                    .at(path)
                    .because(explanation),
            );
        }
    }
    findings
}

/// Hashes for a report.
pub(in crate::ops) fn listed(hashes: &[&PackageHash]) -> String {
    if hashes.is_empty() {
        return "none".to_owned();
    }
    let texts: Vec<&str> = hashes.iter().map(|hash| hash.as_str()).collect();
    texts.join(" ")
}

/// The hashes of a lock that can be compared with what is verified, sorted.
pub(in crate::ops) fn comparable(
    lock: &ProviderLock,
    is_comparable: impl Fn(&PackageHash) -> bool,
) -> Vec<&PackageHash> {
    let mut hashes = lock.sorted_hashes();
    hashes.retain(|hash| is_comparable(hash));
    hashes
}
