//! Which version of each provider the root modules of a tree get. The versions of a provider are asked
//! for once, for all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream;

use crate::address::{ProviderAddr, Tool};
use crate::document::{PackageId, VersionsAnswer};
use crate::ops::root_run::RootRun;
use crate::ops::selection::no_matching_version;
use crate::ops::versions::tell_oddities;
use crate::ops::{OpError, Reporter};
use crate::source::SourceError;
use crate::version::{Version, VersionConstraints};

/// The package of each required provider, or why there is none, by the number of the root module and
/// address.
pub(super) type Selected<'r> = BTreeMap<(usize, &'r ProviderAddr), Result<PackageId, OpError>>;

/// A root module that wants to know the versions of a provider.
struct Asker<'r> {
    number: usize,
    run: &'r RootRun<'r>,
    constraints: &'r VersionConstraints,
}

/// The selections of all root modules; at most `jobs` questions at once.
pub(super) async fn select_versions<'r>(
    runs: &[&'r RootRun<'r>],
    jobs: usize,
    reporter: &dyn Reporter,
) -> Selected<'r> {
    let mut selected = Selected::new();
    let mut questions: BTreeMap<(Tool, &ProviderAddr), Vec<Asker<'_>>> = BTreeMap::new();
    for (number, &run) in runs.iter().enumerate() {
        for (addr, constraints) in run.requirements() {
            if let Some(locked) = run.locked_version(addr, constraints).transpose() {
                let package = locked.map(|version| run.package(addr, version));
                selected.insert((number, addr), package);
                continue;
            }
            let asker = Asker {
                number,
                run,
                constraints,
            };
            let askers = questions.entry((run.tool(), addr)).or_default();
            askers.push(asker);
        }
    }
    let answers = stream::iter(questions)
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
    askers: Vec<Asker<'r>>,
    reporter: &dyn Reporter,
) -> Selected<'r> {
    let Some(first) = askers.first() else {
        return Selected::new();
    };
    match first.run.source().available_versions(addr).await {
        Ok(answer) => {
            tell_oddities(addr, &answer, reporter);
            let choose = |asker: Asker<'r>| {
                let chosen = chosen(addr, asker.constraints, &answer);
                let package = chosen.map(|version| asker.run.package(addr, version));
                ((asker.number, addr), package)
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
