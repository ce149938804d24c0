//! `outdated`: which providers are not locked at the newest version; by metadata alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream;

use crate::address::{ProviderAddr, Tool};
use crate::document::{LOCK_FILE_NAME, VersionsAnswer};
use crate::failure::{ExitCode, Failure};
use crate::ops::root_requirements::{adopted, configuration_requirements, read_lock_file};
use crate::ops::versions::tell_oddities;
use crate::ops::{OpError, Reporter, SourcedRoot};
use crate::source::Source;
use crate::version::{Version, VersionConstraints};

/// What `outdated` found out.
#[derive(Debug, Default)]
pub struct OutdatedReport {
    /// One entry for each required provider of each root module, by address.
    pub rows: Vec<OutdatedRow>,
    /// Root modules that cannot be read, and providers whose source does not answer.
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

    /// Whether another version than the locked one would be selected anew.
    pub fn is_behind(&self) -> bool {
        self.locked != self.allowed
    }
}

impl OutdatedReport {
    /// The providers that are not locked at the newest version that is allowed.
    pub fn behind(&self) -> impl Iterator<Item = &OutdatedRow> {
        self.rows.iter().filter(|row| row.is_behind())
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

/// A provider of one tool's source.
struct Question<'s> {
    addr: ProviderAddr,
    source: &'s dyn Source,
    askers: Vec<Required>,
}

/// Compares what `roots` have locked with what their sources offer; `jobs` questions at once, one for
/// each provider.
pub async fn outdated(
    roots: &[SourcedRoot<'_>],
    jobs: usize,
    reporter: &dyn Reporter,
) -> OutdatedReport {
    let mut report = OutdatedReport::default();
    let mut questions: BTreeMap<(Tool, ProviderAddr), Question<'_>> = BTreeMap::new();
    for root in roots {
        match required(root, reporter) {
            Ok(required) => {
                for (addr, required) in required {
                    let key = (root.module.tool, addr.clone());
                    let question = questions.entry(key).or_insert_with(|| Question {
                        addr,
                        source: root.source,
                        askers: Vec::new(),
                    });
                    question.askers.push(required);
                }
            }
            Err(error) => report
                .failures
                .push(error.in_root("read", root.name.as_deref())),
        }
    }
    let answers = stream::iter(questions.into_values())
        .map(|question| ask(question, reporter))
        .buffered(jobs)
        .collect::<Vec<_>>()
        .await;
    for answer in answers {
        match answer {
            Ok(rows) => report.rows.extend(rows),
            Err(error) => report.failures.push(error),
        }
    }
    report.rows.sort();
    report
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

/// What `root` requires and has locked.
fn required(
    root: &SourcedRoot<'_>,
    reporter: &dyn Reporter,
) -> Result<Vec<(ProviderAddr, Required)>, OpError> {
    let module = &root.module;
    let requirements = configuration_requirements(module, reporter)?;
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
    Ok(required.collect())
}
