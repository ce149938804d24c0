//! `verify` of root modules, the part for modules: the module lock against the record of installed modules and the files of
//! their packages.
//!
//! All files that are not hidden are read. What is installed and called but not locked is told, too; what is recorded
//! and no longer called, which the tools leave lying (facts/modules 3.2), is not looked at.

use std::path::Path;

use futures_util::StreamExt;
use futures_util::stream;

use crate::address::{ModuleSource, shown_source};
use crate::config::RootModule;
use crate::document::{
    LockedModule, ModuleLock, ModuleLockProblem, ModuleLockProblemKind, ModuleRecord,
    ModulesManifest,
};
use crate::failure::{ExitCode, Failure};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::modules::binding::read_module_lock;
use crate::ops::modules::install::start_walk;
use crate::ops::modules::place::ModulesPlace;
use crate::ops::verify::finding::ModuleSubject;
use crate::ops::verify::verification::told;
use crate::ops::{Action, Finding, FindingKind, ModuleOutcome, OpError, Reporter, Subject};
use crate::package::h1_of_module;
use crate::version::ModuleVersion;

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
        self.findings
            .extend(unlocked(root, lock, &manifest, &place, reporter)?);
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
        let source = ModuleSource::parse(&self.locked.source, self.root.tool);
        let subdir = source.map_or_else(|_| String::new(), |it| it.subdir().to_owned());
        let package = self.place.package_of(self.key, &record.dir, &subdir);
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

/// The modules that are called and installed and that the lock does not have.
fn unlocked(
    root: &RootModule,
    lock: &ModuleLock,
    manifest: &ModulesManifest,
    place: &ModulesPlace,
    reporter: &dyn Reporter,
) -> Result<Vec<Finding>, OpError> {
    let mut findings = Vec::new();
    start_walk(root, reporter)?.run(|call| {
        let record = manifest.records.get(&call.key);
        let record = record.filter(|it| it.serves(&call.source, call.constraints.as_ref()));
        let record = record.filter(|it| place.is_dir(&it.dir))?;
        if !lock.calls.contains_key(&call.key) {
            let source = call.source.shown();
            let subject = subject(&call.key, &source, record.version.as_ref());
            let finding = Finding::new(FindingKind::Unlocked, subject).at(&place.dir_of(&call.key));
            findings.push(finding.because("the module lock does not have it"));
        }
        Some((record.dir.clone(), record.version.clone()))
    });
    Ok(findings)
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
