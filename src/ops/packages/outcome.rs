//! What became of each package of a run, and of the run as a whole.

use crate::document::{PackageId, Verdict};
use crate::failure::{ExitCode, Failure};
use crate::ops::{ModuleOutcome, OpError, PackageFailure};
use crate::store::CacheContents;

/// What was done with a package, or would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Fetched, proved and placed in an install directory.
    Installed,
    /// Fetched, proved and placed in a mirror.
    Mirrored,
    /// Its hashes were added to a lock file.
    Locked,
    /// Its hashes would be added to a lock file (`--check`).
    WouldLock,
    /// There already and intact.
    Kept,
    /// Would be fetched (`--dry-run`).
    WouldFetch,
    /// Left out, because it is not published for the platform (`--missing-platform skip`).
    Skipped,
    /// Deleted from the package cache, or taken out of a module lock.
    Removed,
    /// Would be deleted from the package cache (`--dry-run`), or taken out of a module lock (`--check`).
    WouldRemove,
    /// Verified, and nothing was found wrong with it.
    Verified,
    /// Failed; the error, or what was found, tells why.
    Failed,
}

impl Action {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Installed => "installed",
            Self::Mirrored => "mirrored",
            Self::Locked => "locked",
            Self::WouldLock => "lock",
            Self::Kept => "kept",
            Self::WouldFetch => "fetch",
            Self::Skipped => "skipped",
            Self::Removed => "removed",
            Self::WouldRemove => "remove",
            Self::Verified => "verified",
            Self::Failed => "failed",
        }
    }
}

/// The result for one package.
#[derive(Debug)]
pub struct PackageOutcome {
    /// The package.
    pub id: PackageId,
    /// What was done.
    pub action: Action,
    /// What was proved, where that is known.
    pub verdict: Option<Verdict>,
    /// The archive's size in bytes, where known.
    pub size: Option<u64>,
    /// Why it failed.
    pub error: Option<OpError>,
    /// The root module, if there are several: its path below the directory where they were looked for.
    pub root: Option<String>,
}

impl PackageOutcome {
    /// A success.
    pub fn done(
        id: PackageId,
        action: Action,
        verdict: Option<Verdict>,
        size: Option<u64>,
    ) -> Self {
        Self {
            id,
            action,
            verdict,
            size,
            error: None,
            root: None,
        }
    }

    /// A failure of what `verb` says, such as `mirror`.
    pub fn failed(verb: &'static str, id: PackageId, failure: PackageFailure) -> Self {
        let error = OpError::of_package(verb, &id, failure);
        Self::failed_by(id, error)
    }

    /// A failure for this reason.
    pub(in crate::ops) fn failed_by(id: PackageId, error: OpError) -> Self {
        Self {
            error: Some(error),
            ..Self::done(id, Action::Failed, None, None)
        }
    }
}

/// The result of a run over packages.
#[derive(Debug, Default)]
pub struct Summary {
    /// One entry for each package, in order of address, version, platform.
    pub packages: Vec<PackageOutcome>,
    /// One entry for each module call that is not local, in order of keys.
    pub modules: Vec<ModuleOutcome>,
    /// Failures that concern no single package, such as an address without a matching version.
    pub failures: Vec<OpError>,
    /// How many lock files were written though nothing was locked or removed: their text alone has changed.
    pub lock_files: usize,
}

impl Summary {
    /// The packages of cache entries, of all of which the same became.
    pub fn of_cached(contents: &CacheContents, action: Action) -> Self {
        let packages = contents.archives.iter().flat_map(|facts| {
            let packages = facts.packages.iter().cloned();
            packages.map(move |(id, verdict)| {
                PackageOutcome::done(id, action, Some(verdict), Some(facts.archive_bytes))
            })
        });
        let modules = contents.modules.iter().map(|module| ModuleOutcome {
            key: String::new(),
            source: module.source.clone(),
            version: None,
            action,
            error: None,
            root: None,
        });
        let mut summary = Self {
            packages: packages.collect(),
            modules: modules.collect(),
            ..Self::default()
        };
        summary.sort();
        summary
    }

    /// Sorts the packages by address, version and platform.
    pub fn sort(&mut self) {
        self.packages.sort_by(|a, b| a.id.cmp(&b.id));
    }

    /// How many packages had this `action`.
    pub fn count(&self, action: Action) -> usize {
        self.packages
            .iter()
            .filter(|outcome| outcome.action == action)
            .count()
    }

    /// How many modules had this `action`.
    pub fn count_modules(&self, action: Action) -> usize {
        let modules = self.modules.iter();
        modules.filter(|outcome| outcome.action == action).count()
    }

    /// The known bytes of the packages with this `action`, and whether all sizes were known.
    pub fn bytes(&self, action: Action) -> (u64, bool) {
        let sizes = || {
            self.packages
                .iter()
                .filter(|o| o.action == action)
                .map(|o| o.size)
        };
        (sizes().flatten().sum(), sizes().all(|size| size.is_some()))
    }

    /// Every failure, those of packages first.
    pub fn errors(&self) -> impl Iterator<Item = &OpError> {
        self.packages
            .iter()
            .filter_map(|outcome| outcome.error.as_ref())
            .chain(
                self.modules
                    .iter()
                    .filter_map(|outcome| outcome.error.as_ref()),
            )
            .chain(&self.failures)
    }

    /// The exit code of the gravest failure, `None` if all went well.
    pub fn exit_code(&self) -> Option<ExitCode> {
        ExitCode::gravest(self.errors().map(Failure::exit_code))
    }
}
