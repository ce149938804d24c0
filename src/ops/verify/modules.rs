//! `verify` of root modules, the part for modules: the module lock against the record of installed modules and the files of
//! their packages.
//!
//! The record decides from which directory the tools take a module, local calls too, so that each is compared with where the
//! module has to be. All files that are not hidden are read. What is installed and called but not locked is told, too; what is recorded
//! and no longer called, which the tools leave lying (facts/modules 3.2), is not looked at.

use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use futures_util::stream;

use crate::address::{ModuleSource, shown_source};
use crate::config::{OpenCall, RootModule, TreeModule};
use crate::document::{
    LockedModule, ModuleLock, ModuleLockProblem, ModuleLockProblemKind, ModuleRecord,
    ModulesManifest,
};
use crate::failure::{ExitCode, Failure};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::modules::binding::{gap, read_module_lock};
use crate::ops::modules::install::start_walk;
use crate::ops::modules::place::ModulesPlace;
use crate::ops::verify::finding::ModuleSubject;
use crate::ops::verify::verification::told;
use crate::ops::{
    Action, Finding, FindingKind, ModuleLockGap, ModuleOutcome, OpError, Reporter, Subject,
};
use crate::package::h1_of_module;
use crate::version::ModuleVersion;

const OTHER_DIRECTORY: &str = "another directory is recorded for the tools";

/// What came out for the modules of one root module.
#[derive(Default)]
pub(in crate::ops) struct VerifiedModules {
    /// One entry for each locked call.
    pub(in crate::ops) outcomes: Vec<ModuleOutcome>,
    pub(in crate::ops) findings: Vec<Finding>,
    pub(in crate::ops) failures: Vec<OpError>,
}

/// Compares the module lock of `root`, which reports call `name`, with what is installed; nothing if there is no lock.
pub(in crate::ops) async fn verify_modules(
    root: &RootModule,
    name: Option<&str>,
    jobs: usize,
    reporter: &dyn Reporter,
) -> VerifiedModules {
    let mut verified = VerifiedModules::default();
    match read_module_lock(&root.dir) {
        Ok(None) => {}
        Ok(Some(lock)) => {
            if let Err(error) = verified.compare(root, &lock, jobs, reporter).await {
                verified.failures.push(error);
            }
        }
        Err(OpError::ModuleLock { path, source }) => {
            let problems = source.problems.iter();
            verified
                .findings
                .extend(problems.map(|problem| refused(problem, &path)));
        }
        Err(error) => verified.failures.push(error),
    }
    verified.named(name)
}

impl VerifiedModules {
    /// # Errors
    ///
    /// If the record of modules or the configuration cannot be read.
    async fn compare(
        &mut self,
        root: &RootModule,
        lock: &ModuleLock,
        jobs: usize,
        reporter: &dyn Reporter,
    ) -> Result<(), OpError> {
        let place = ModulesPlace::of(root);
        let manifest = place.read(root.tool)?;
        let checks = lock.calls.iter().map(|(key, locked)| Check {
            key,
            locked,
            record: manifest.records.get(key),
            place: &place,
            root,
        });
        let checks = stream::iter(checks).map(|check| async move { (check.find().await, check) });
        let checked: Vec<_> = checks.buffered(jobs).collect().await;
        for (found, check) in checked {
            let is_right = matches!(found, Ok(None));
            match found {
                Ok(found) => self.findings.extend(found),
                Err(error) => self.failures.push(error),
            }
            self.outcomes.push(check.outcome(is_right));
        }
        let installed = Installed {
            root,
            lock,
            manifest: &manifest,
            place: &place,
        };
        let (findings, failures) = installed.walk(reporter)?;
        // What is locked for another call than the one that is there cannot be installed.
        let is_unlocked = |it: &Finding| it.kind == FindingKind::Unlocked;
        let is_told = |it: &Finding| {
            findings
                .iter()
                .any(|other| is_unlocked(other) && key(other) == key(it))
        };
        self.findings.retain(|it| !is_told(it));
        self.findings.extend(findings);
        self.failures.extend(failures);
        Ok(())
    }

    fn named(self, name: Option<&str>) -> Self {
        let root = name.map(str::to_owned);
        let finding = |finding: Finding| Finding {
            lock: root.clone(),
            ..finding
        };
        let outcome = |outcome: ModuleOutcome| ModuleOutcome {
            root: root.clone(),
            ..outcome
        };
        let failure = |error: OpError| error.in_root("verify", name);
        Self {
            findings: self.findings.into_iter().map(finding).collect(),
            outcomes: self.outcomes.into_iter().map(outcome).collect(),
            failures: self.failures.into_iter().map(failure).collect(),
        }
    }
}

/// A locked call and what is recorded for it.
struct Check<'c> {
    key: &'c str,
    locked: &'c LockedModule,
    record: Option<&'c ModuleRecord>,
    place: &'c ModulesPlace,
    root: &'c RootModule,
}

impl Check<'_> {
    /// What is wrong, if anything is.
    ///
    /// # Errors
    ///
    /// If this process may not read the files.
    async fn find(&self) -> Result<Option<Finding>, OpError> {
        let own = self.place.dir_of(self.key);
        let Some(record) = self.record else {
            let finding = self.finding(FindingKind::Missing).at(&own);
            let explanation = "the module lock has it, and it is not installed";
            return Ok(Some(finding.because(explanation)));
        };
        if !self.place.is_dir(&record.dir) {
            let finding = self.finding(FindingKind::Missing).at(&own);
            let explanation = "it is recorded as installed, and its directory is not there";
            return Ok(Some(finding.because(explanation)));
        }
        let (source, locked) = (shown_source(&record.source), self.locked);
        if source != locked.source {
            let finding = self.finding(FindingKind::Mismatch).at(&own);
            let finding = finding.got(&source).expected(&locked.source);
            return Ok(Some(finding.because("another source is installed")));
        }
        if record.version != locked.version {
            let finding = self.finding(FindingKind::Mismatch).at(&own);
            let finding = finding.got(&text_of(record.version.as_ref()));
            let finding = finding.expected(&text_of(locked.version.as_ref()));
            return Ok(Some(finding.because("another version is installed")));
        }
        self.compare_files(record).await
    }

    async fn compare_files(&self, record: &ModuleRecord) -> Result<Option<Finding>, OpError> {
        let directory = directory_of(self.locked, record, self.root);
        let Some(package) = self.place.package_of(self.key, &record.dir, &directory) else {
            let finding = self.finding(FindingKind::Mismatch);
            let finding = finding.at(&self.place.dir_of(self.key)).got(&record.dir);
            let finding = finding.expected(&self.place.name_of(self.key, &directory));
            return Ok(Some(finding.because(OTHER_DIRECTORY)));
        };
        let files = package.clone();
        let hash = on_blocking_pool(move || h1_of_module(&files)).await;
        let finding = |kind| self.finding(kind).at(&package);
        match hash {
            Ok(hash) if hash == self.locked.hash => Ok(None),
            Ok(hash) => Ok(Some(
                finding(FindingKind::Mismatch)
                    .got(&hash)
                    .expected(&self.locked.hash),
            )),
            Err(error) if error.exit_code() == ExitCode::Verification => {
                Ok(Some(finding(FindingKind::Damaged).got(&told(&error))))
            }
            Err(error) => Err(OpError::Store(error.into())),
        }
    }

    fn finding(&self, kind: FindingKind) -> Finding {
        let version = self.locked.version.as_ref();
        Finding::new(kind, subject(self.key, &self.locked.source, version))
    }

    fn outcome(&self, is_right: bool) -> ModuleOutcome {
        ModuleOutcome {
            key: self.key.to_owned(),
            source: self.locked.source.clone(),
            version: self.locked.version.as_ref().map(ToString::to_string),
            action: if is_right {
                Action::Verified
            } else {
                Action::Failed
            },
            error: None,
            root: None,
        }
    }
}

/// Where a locked module has to be in its package.
fn directory_of(locked: &LockedModule, record: &ModuleRecord, root: &RootModule) -> String {
    let source = ModuleSource::parse(&record.source, root.tool);
    locked.directory_or(source.as_ref().map_or("", ModuleSource::subdir))
}

/// What is installed in a root module, and what is locked.
struct Installed<'i> {
    root: &'i RootModule,
    lock: &'i ModuleLock,
    manifest: &'i ModulesManifest,
    place: &'i ModulesPlace,
}

impl Installed<'_> {
    /// Follows the calls: what is installed and the lock does not have, what is recorded for local calls, and what no tool can
    /// follow.
    fn walk(&self, reporter: &dyn Reporter) -> Result<(Vec<Finding>, Vec<OpError>), OpError> {
        let mut findings = Vec::new();
        let mut walk = start_walk(self.root, reporter)?;
        loop {
            let open = walk.advance();
            if open.is_empty() {
                break;
            }
            for call in open {
                let record = self.manifest.records.get(&call.key);
                let record = record.filter(|it| it.serves(&call.source, call.constraints.as_ref()));
                let record = record.filter(|it| self.place.is_dir(&it.dir));
                findings.extend(self.unlocked(&call, record));
                let Some(record) = record else {
                    walk.give_up(&call.key);
                    continue;
                };
                let (dir, version) = (record.dir.clone(), record.version.clone());
                match self.package(&call.key, record) {
                    Package::At(package) => walk.place_in(&call.key, package, dir, version),
                    Package::Anywhere => walk.place(&call.key, dir, version),
                    Package::Wrong => walk.give_up(&call.key),
                }
            }
        }
        findings.extend(
            walk.modules
                .iter()
                .filter_map(|(key, it)| self.local(key, it)),
        );
        let wrong = walk
            .failures
            .into_iter()
            .filter(|it| !it.problem.is_dynamic());
        let failures = wrong.map(|failure| OpError::ModuleCall(Box::new(failure)));
        Ok((findings, failures.collect()))
    }

    /// What the lock does not have of a call that is installed, or has otherwise than it is called.
    fn unlocked(&self, call: &OpenCall, record: Option<&ModuleRecord>) -> Option<Finding> {
        let explanation = match gap(self.lock, call)? {
            ModuleLockGap::Absent if record.is_none() => return None,
            ModuleLockGap::Absent => "the module lock does not have it",
            ModuleLockGap::Other(_) => {
                "the module lock has another source or version than its call asks for"
            }
            ModuleLockGap::Incomplete => {
                "the module lock has it without the `commit` or `archive` that its package is"
            }
        };
        let (source, version) = (
            call.source.shown(),
            record.and_then(|it| it.version.as_ref()),
        );
        let subject = subject(&call.key, &source, version);
        let finding = Finding::new(FindingKind::Unlocked, subject);
        let finding = finding.at(&self.place.dir_of(&call.key));
        Some(finding.because(explanation))
    }

    /// Where the package of an installed module is.
    fn package(&self, key: &str, record: &ModuleRecord) -> Package {
        if let Some(locked) = self.lock.calls.get(key) {
            let directory = directory_of(locked, record, self.root);
            let package = self.place.package_of(key, &record.dir, &directory);
            return package.map_or(Package::Wrong, Package::At);
        }
        if self.place.is_own(key, &record.dir) {
            Package::At(self.place.dir_of(key))
        } else {
            Package::Anywhere
        }
    }

    /// What is wrong with the record of a local call: tools take the directory that it names, and do not look at the source.
    fn local(&self, key: &str, module: &TreeModule) -> Option<Finding> {
        let source = module.source.as_ref()?;
        let is_local = matches!(source, ModuleSource::Local(_));
        let record = self.manifest.records.get(key).filter(|_| is_local)?;
        let is_used = record.serves(source, None);
        if !is_used || self.place.is_same_dir(&record.dir, &module.dir) {
            return None;
        }
        let finding = Finding::new(FindingKind::Mismatch, subject(key, &source.shown(), None));
        let finding = finding.at(&self.root.dir.join(&module.dir));
        let finding = finding.got(&record.dir).expected(&module.dir);
        Some(finding.because(OTHER_DIRECTORY))
    }
}

/// Where the package of an installed module is.
enum Package {
    At(PathBuf),
    /// It is not locked, and something else has put it there.
    Anywhere,
    /// The record names another directory than the locked one, which is told elsewhere.
    Wrong,
}

fn key(finding: &Finding) -> Option<&str> {
    let module = finding.subject.module.as_ref();
    module.map(|module| module.key.as_str())
}

fn subject(key: &str, source: &str, version: Option<&ModuleVersion>) -> Subject {
    Subject {
        module: Some(ModuleSubject {
            key: key.to_owned(),
            source: source.to_owned(),
            version: version.map(ToString::to_string),
        }),
        ..Subject::default()
    }
}

fn text_of(version: Option<&ModuleVersion>) -> String {
    version.map_or_else(|| "none".to_owned(), ToString::to_string)
}

/// A problem for which the module lock is refused.
fn refused(problem: &ModuleLockProblem, path: &Path) -> Finding {
    let is_conflict = problem.kind == ModuleLockProblemKind::MergeConflict;
    let kind = if is_conflict {
        FindingKind::Conflict
    } else {
        FindingKind::BadLock
    };
    Finding::new(kind, Subject::default()).at(path).got(problem)
}
