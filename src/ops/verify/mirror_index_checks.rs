//! What the indexes of a mirror name against what is there, by names alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::address::Platform;
use crate::ops::verify::mirror_state::ProviderState;
use crate::ops::{Finding, FindingKind, Subject};
use crate::version::Version;

/// Packages that are named and not there.
pub(in crate::ops) fn absent_archives(state: &ProviderState) -> Vec<Finding> {
    let mut named: BTreeMap<(Version, Platform), &'static str> = BTreeMap::new();
    for (version, document) in &state.documents {
        if state.is_of_lower_cased(version) {
            continue;
        }
        for platform in document.archives.keys() {
            named.insert((version.clone(), platform.clone()), "the index names it");
        }
    }
    for (version, evidence) in &state.evidence {
        for platform in evidence.packages.keys() {
            named.insert((version.clone(), platform.clone()), "evidence names it");
        }
    }
    named.retain(|key, _| !state.there.archives.contains_key(key));
    let finding = |(key, why): ((Version, Platform), &'static str)| {
        let id = state.id(&key);
        let path = state.layout.archive(&id);
        Finding::new(FindingKind::Missing, &id)
            .at(&path)
            .because(why)
    };
    named.into_iter().map(finding).collect()
}

/// The documents that there should be, and what the index lists.
pub(in crate::ops) fn index_findings(state: &ProviderState) -> Vec<Finding> {
    let path = state.index_path();
    let packed = packed_versions(state);
    let listed = state.index.versions();
    let is_listed = |version: &Version| listed.contains(version);
    let is_unread = |version: &Version| !state.there.documents.contains_key(version);
    let is_empty = |version: &Version| {
        let document = state.documents.get(version);
        document.is_some_and(|document| document.archives.is_empty())
    };
    let missing =
        |subject: Subject, path: &Path| Finding::new(FindingKind::Missing, subject).at(path);
    let outdated = |version: &Version, why: &str| {
        let subject = Subject::version(&state.addr, version);
        Finding::new(FindingKind::StaleIndex, subject)
            .at(&path)
            .because(why)
    };
    let without_document = packed.iter().filter(|version| {
        is_unread(version) && (is_listed(version) || state.evidence.contains_key(version))
    });
    let mut findings: Vec<Finding> = without_document
        .map(|version| {
            let subject = Subject::version(&state.addr, version);
            missing(subject, &state.document_path(version))
        })
        .collect();
    let empty = state
        .there
        .documents
        .iter()
        .filter(|(version, _)| is_empty(version));
    findings.extend(empty.map(|(version, path)| {
        let subject = Subject::version(&state.addr, version);
        let finding = Finding::new(FindingKind::Stray, subject).at(path);
        finding.because("it names no archive")
    }));
    if state.there.index.is_none() {
        let has_documents = !(packed.is_empty() && state.documents.is_empty());
        findings.extend(has_documents.then(|| missing(Subject::provider(&state.addr), &path)));
        return findings;
    }
    if !state.has_index {
        return findings;
    }
    let vanished = listed.iter().filter(|version| {
        (is_unread(version) || is_empty(version))
            && !packed.contains(version)
            && !state.is_of_lower_cased(version)
    });
    findings
        .extend(vanished.map(|version| outdated(version, "it lists a version that is not there")));
    let unlisted = state
        .there
        .documents
        .keys()
        .filter(|version| !is_listed(version) && !is_empty(version));
    findings.extend(unlisted.map(|version| outdated(version, "it does not list the version")));
    findings
}

/// The versions that an index is to list.
fn packed_versions(state: &ProviderState) -> BTreeSet<&Version> {
    let there = &state.there;
    let is_found = |key: &&(Version, Platform)| !there.is_lower_cased(&state.addr, key);
    let keys = there.archives.keys().filter(is_found);
    keys.map(|(version, _)| version).collect()
}
