//! Which version of each provider the root modules of a tree get. The versions of a provider are asked
//! for once, for all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream;

use crate::address::{ProviderAddr, Tool};
use crate::document::VersionsAnswer;
use crate::ops::packages::selection::no_matching_version;
use crate::ops::versions::tell_oddities;
use crate::ops::{OpError, Reporter};
use crate::source::{Source, SourceError};
use crate::version::{Prereleases, Version, VersionConstraints};

/// A provider that a root module requires, and which version of it is wanted.
pub(in crate::ops) struct Question<'r> {
    /// The number of the root module.
    pub(in crate::ops) number: usize,
    pub(in crate::ops) tool: Tool,
    /// The same for all root modules of one tool.
    pub(in crate::ops) source: &'r dyn Source,
    pub(in crate::ops) addr: &'r ProviderAddr,
    pub(in crate::ops) constraints: &'r VersionConstraints,
    /// The version that the lock file selects, `None` if the source has to be asked.
    pub(in crate::ops) locked: Result<Option<Version>, OpError>,
}

/// The version of each required provider, or why there is none, by the number of the root module and
/// address.
pub(in crate::ops) type Selected<'r> =
    BTreeMap<(usize, &'r ProviderAddr), Result<Version, OpError>>;

/// The version that a lock file selects, if it does.
///
/// # Errors
///
/// If the constraints no longer allow it.
pub(in crate::ops) fn locked_version(
    addr: &ProviderAddr,
    constraints: &VersionConstraints,
    locked: Option<&Version>,
) -> Result<Option<Version>, OpError> {
    match locked {
        None => Ok(None),
        Some(locked) if constraints.allows(locked, Prereleases::ExactOnly) => {
            Ok(Some(locked.clone()))
        }
        Some(locked) => Err(OpError::LockedVersion {
            addr: addr.clone(),
            locked: locked.clone(),
            constraints: constraints.clone(),
        }),
    }
}

/// Answers the questions of all root modules; at most `jobs` are asked at once.
pub(in crate::ops) async fn select_versions<'r>(
    questions: impl Iterator<Item = Question<'r>>,
    jobs: usize,
    reporter: &dyn Reporter,
) -> Selected<'r> {
    let mut selected = Selected::new();
    let mut open: BTreeMap<(Tool, &ProviderAddr), Vec<Question<'r>>> = BTreeMap::new();
    for mut question in questions {
        let locked = std::mem::replace(&mut question.locked, Ok(None));
        if let Some(locked) = locked.transpose() {
            selected.insert((question.number, question.addr), locked);
        } else {
            let key = (question.tool, question.addr);
            open.entry(key).or_default().push(question);
        }
    }
    let answers = stream::iter(open)
        .map(|((_, addr), askers)| ask(addr, askers, reporter))
        .buffered(jobs)
        .collect::<Vec<_>>()
        .await;
    selected.extend(answers.into_iter().flatten());
    selected
}

/// Asks once for all `askers`, whose source is the same.
async fn ask<'r>(
    addr: &'r ProviderAddr,
    askers: Vec<Question<'r>>,
    reporter: &dyn Reporter,
) -> Selected<'r> {
    let Some(first) = askers.first() else {
        return Selected::new();
    };
    match first.source.available_versions(addr).await {
        Ok(answer) => {
            tell_oddities(addr, &answer, reporter);
            let choose = |asker: Question<'r>| {
                let version = chosen(addr, asker.constraints, &answer);
                ((asker.number, addr), version)
            };
            askers.into_iter().map(choose).collect()
        }
        Err(source) => {
            let numbers = askers.iter().map(|asker| asker.number);
            let errors = errors(addr, source, askers.len());
            let failed = numbers.zip(errors);
            failed.map(|(it, error)| ((it, addr), Err(error))).collect()
        }
    }
}

fn chosen(
    addr: &ProviderAddr,
    constraints: &VersionConstraints,
    answer: &VersionsAnswer,
) -> Result<Version, OpError> {
    let offered = answer.versions.iter().map(|offer| &offer.version);
    let selected = constraints.select(offered).cloned();
    selected.ok_or_else(|| no_matching_version(addr, constraints, answer))
}

/// One error for each of `count` root modules.
fn errors(addr: &ProviderAddr, source: SourceError, count: usize) -> Vec<OpError> {
    let addr = addr.clone();
    let error = OpError::Versions { addr, source };
    if count == 1 {
        return vec![error];
    }
    let shared = Arc::new(error);
    let all = (0..count).map(|_| OpError::Shared(Arc::clone(&shared)));
    all.collect()
}
