//! `outdated`: which providers and modules are not locked, or modules without a lock not installed, at the newest version;
//! by metadata alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::StreamExt;
use futures_util::stream;

use crate::address::{ModuleAddr, ProviderAddr, Tool};
use crate::document::{LOCK_FILE_NAME, VersionsAnswer};
use crate::failure::{ExitCode, Failure};
use crate::ops::modules::binding::read_module_lock;
use crate::ops::outdated::modules::{Asker, ModuleQuestion};
use crate::ops::root_requirements::{
    CalledModule, adopted, read_lock_file, requirements_and_calls,
};
use crate::ops::versions::tell_oddities;
use crate::ops::{OpError, OutdatedModule, Reporter, SourcedRoot};
use crate::source::Source;
use crate::version::{Version, VersionConstraints};

/// What `outdated` found out.
#[derive(Debug, Default)]
pub struct OutdatedReport {
    /// One entry for each required provider of each root module, by address.
    pub rows: Vec<OutdatedRow>,
    /// One entry for each call of a module of a registry, as far as calls are known: of a module that is
    /// not installed nobody knows what it calls.
    pub modules: Vec<OutdatedModule>,
    /// Root modules that cannot be read, and providers and modules whose source does not answer.
    pub failures: Vec<OpError>,
}

/// A required provider and its versions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutdatedRow {
    /// The provider.
    pub addr: ProviderAddr,
    /// The root module, if there are several.
    pub root: Option<String>,
    /// The locked version.
    pub locked: Option<Version>,
    /// The newest version that the constraints allow.
    pub allowed: Option<Version>,
    /// The newest version that is no prerelease.
    pub newest: Option<Version>,
    /// The newest prerelease, if it is newer than that and than what is locked.
    pub newer_prerelease: Option<Version>,
    /// What the root module requires.
    pub constraints: String,
}

impl OutdatedRow {
    fn new(required: &Required, addr: &ProviderAddr, answer: &VersionsAnswer) -> Self {
        let offered = || answer.versions.iter().map(|offer| &offer.version);
        let newest = offered().rfind(|version| !version.is_prerelease());
        let prerelease = offered().rfind(|version| version.is_prerelease());
        let is_newer = |it: &&Version| Some(*it) > newest && Some(*it) > required.locked.as_ref();
        Self {
            addr: addr.clone(),
            root: required.root.clone(),
            locked: required.locked.clone(),
            allowed: required.constraints.select(offered()).cloned(),
            newest: newest.cloned(),
            newer_prerelease: prerelease.filter(is_newer).cloned(),
            constraints: required.constraints.to_string(),
        }
    }

    /// Whether another version than the locked one would be selected anew. Where nothing is offered, nothing would.
    pub fn is_behind(&self) -> bool {
        self.allowed.is_some() && self.locked != self.allowed
    }
}

impl OutdatedReport {
    /// How many providers are not locked at the newest version that is allowed.
    pub fn providers_behind(&self) -> usize {
        self.rows.iter().filter(|row| row.is_behind()).count()
    }

    /// How many modules are not locked, or without a lock not installed, at the newest version that is allowed.
    pub fn modules_behind(&self) -> usize {
        self.modules.iter().filter(|row| row.is_behind()).count()
    }

    /// How many of these are locked.
    pub fn locked_modules_behind(&self) -> usize {
        let behind = self.modules.iter().filter(|row| row.is_behind());
        behind.filter(|row| row.locked.is_some()).count()
    }

    /// The exit code of the gravest failure.
    pub fn exit_code(&self) -> Option<ExitCode> {
        ExitCode::gravest(self.failures.iter().map(Failure::exit_code))
    }
}

/// What one root module requires of a provider.
struct Required {
    root: Option<String>,
    constraints: VersionConstraints,
    locked: Option<Version>,
}

/// What one root module requires, of each provider.
type RequiredOf = Vec<(ProviderAddr, Required)>;

/// A provider of one tool's source.
struct Question<'s> {
    addr: ProviderAddr,
    source: &'s dyn Source,
    askers: Vec<Required>,
}

/// What is to be asked, each provider and module once for each tool.
#[derive(Default)]
struct Questions<'s> {
    providers: BTreeMap<(Tool, ProviderAddr), Question<'s>>,
    modules: BTreeMap<(Tool, ModuleAddr), ModuleQuestion<'s>>,
}

/// What one question has brought.
enum Answer {
    Provider(Vec<OutdatedRow>),
    Module(Vec<OutdatedModule>),
}

/// Compares what `roots` have locked and installed with what their sources offer; `jobs` questions at once, one for
/// each provider and module.
pub async fn outdated(
    roots: &[SourcedRoot<'_>],
    jobs: usize,
    reporter: &dyn Reporter,
) -> OutdatedReport {
    let mut report = OutdatedReport::default();
    let mut questions = Questions::default();
    for root in roots {
        if let Err(error) = questions.add(root, reporter) {
            let error = error.in_root("read", root.name.as_deref());
            report.failures.push(error);
        }
    }
    let Questions { providers, modules } = questions;
    let providers = providers.into_values().map(|question| {
        let answer = ask(question, reporter);
        answer.map(|rows| rows.map(Answer::Provider)).left_future()
    });
    let modules = modules.into_values().map(|question| {
        let answer = question.ask();
        answer.map(|rows| rows.map(Answer::Module)).right_future()
    });
    let answers = stream::iter(providers.chain(modules))
        .buffered(jobs)
        .collect::<Vec<_>>()
        .await;
    for answer in answers {
        match answer {
            Ok(Answer::Provider(rows)) => report.rows.extend(rows),
            Ok(Answer::Module(rows)) => report.modules.extend(rows),
            Err(error) => report.failures.push(error),
        }
    }
    report.rows.sort();
    report.modules.sort_by(|a, b| a.order().cmp(&b.order()));
    report
}

impl<'s> Questions<'s> {
    /// Adds what `root` makes it necessary to ask.
    fn add(&mut self, root: &SourcedRoot<'s>, reporter: &dyn Reporter) -> Result<(), OpError> {
        let (required, called) = required(root, reporter)?;
        let tool = root.module.tool;
        for (addr, required) in required {
            let question = self.providers.entry((tool, addr.clone()));
            let new = || Question {
                addr,
                source: root.source,
                askers: Vec::new(),
            };
            question.or_insert_with(new).askers.push(required);
        }
        let lock = read_module_lock(&root.module.dir)?.unwrap_or_default();
        let asker = |called| Asker::of(called, &lock, root.name.as_ref());
        for (addr, asker) in called.into_iter().filter_map(asker) {
            let question = self.modules.entry((tool, addr.clone()));
            let new = || ModuleQuestion::new(addr, tool, root.modules);
            question.or_insert_with(new).add(asker);
        }
        Ok(())
    }
}

async fn ask(question: Question<'_>, reporter: &dyn Reporter) -> Result<Vec<OutdatedRow>, OpError> {
    let addr = &question.addr;
    let answer: Arc<VersionsAnswer> = match question.source.available_versions(addr).await {
        Ok(answer) => answer,
        Err(source) => {
            let addr = addr.clone();
            return Err(OpError::Versions { addr, source });
        }
    };
    tell_oddities(addr, &answer, reporter);
    let row = |required: &Required| OutdatedRow::new(required, addr, &answer);
    Ok(question.askers.iter().map(row).collect())
}

/// What `root` requires and has locked, and which modules it calls.
fn required(
    root: &SourcedRoot<'_>,
    reporter: &dyn Reporter,
) -> Result<(RequiredOf, Vec<CalledModule>), OpError> {
    let module = &root.module;
    let (requirements, called) = requirements_and_calls(module, reporter)?;
    let path = module.dir.join(LOCK_FILE_NAME);
    let locks = read_lock_file(&path, module.tool, reporter)?;
    let locks = adopted(locks, module.tool, reporter);
    let required = requirements.into_iter().map(|(addr, constraints)| {
        let locked = locks.providers.get(&addr).map(|lock| lock.version.clone());
        let root = root.name.clone();
        (
            addr,
            Required {
                root,
                constraints,
                locked,
            },
        )
    });
    Ok((required.collect(), called))
}
