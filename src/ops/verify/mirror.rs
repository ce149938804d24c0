//! `verify --mirror`: a mirror directory against itself, offline, down to the signatures.
//!
//! Three rounds: what is there by name; the documents of each provider; its signatures and beside them the bytes of all
//! packages, the largest first, as many at once as there are processors. Mirrors of `terraform providers mirror`, which keeps no
//! evidence, can only be compared with their own index.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use futures_util::future::join;
use futures_util::stream;

use crate::address::ProviderAddr;
use crate::document::{PackageId, Verdict};
use crate::hash::HashScheme;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::module_mirror::{VerifiedModules, verify_modules};
use crate::ops::verify::mirror_checks::Checks;
use crate::ops::verify::mirror_facts::{Question, facts_of};
use crate::ops::verify::mirror_proof::judge_keys;
use crate::ops::verify::mirror_state::ProviderState;
use crate::ops::verify::verification::Known;
use crate::ops::{
    Action, Authority, ExpiredKeys, Finding, FindingKind, OpError, Reporter, SignaturePolicy,
    Subject, Verification,
};
use crate::store::{MirrorInventory, MirrorLayout, MirroredProvider};

/// A mirror to verify.
#[derive(Debug, Clone)]
pub struct VerifyMirrorRequest {
    /// Its directory.
    pub root: PathBuf,
    /// How closely to look at archives.
    pub depth: MirrorDepth,
    /// Whether checksums alone are good enough.
    pub signatures: SignaturePolicy,
    /// What to make of signatures by expired keys.
    pub expired_keys: ExpiredKeys,
    /// Files that are read at once.
    pub jobs: usize,
}

/// How closely to look at archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MirrorDepth {
    /// Their digest alone, and more only where nothing but an `h1` hash vouches for one, or unpacked files lie beside it
    /// (`--quick`).
    Digests,
    /// What they contain, too.
    Contents,
}

/// Compares everything in a mirror with everything that is said of it.
///
/// # Errors
///
/// If the directory cannot be looked through, or has nothing of a mirror.
pub async fn verify_mirror(
    request: &VerifyMirrorRequest,
    reporter: &dyn Reporter,
) -> Result<Verification, OpError> {
    let root = request.root.clone();
    let (inventory, unreadable) =
        on_blocking_pool(move || MirrorInventory::of_readable(&root)).await?;
    let modules = verify_modules(&request.root, request.depth, request.jobs).await;
    let has_modules = |it: &VerifiedModules| {
        !it.outcomes.is_empty() || !it.findings.is_empty() || !it.failures.is_empty()
    };
    let may_be_mirror = !unreadable.is_empty() || modules.as_ref().map_or(true, has_modules);
    if inventory.is_empty() && !may_be_mirror {
        return Err(no_mirror(&request.root, &inventory));
    }
    let mut failures: Vec<OpError> = unreadable.into_iter().map(OpError::from).collect();
    let states = read_all(inventory.providers, request).await;
    let questions = states
        .iter()
        .flat_map(|state| questions(state, request.depth))
        .collect();
    let proofs = prove_all(states, request.jobs);
    let (states, hashed) = join(proofs, facts_of(questions, request.jobs)).await;
    failures.extend(hashed.failures);
    let stray = |path: &PathBuf| Finding::new(FindingKind::Stray, Subject::default()).at(path);
    let mut findings: Vec<Finding> = inventory.stray.iter().map(stray).collect();
    let mut looked_at = BTreeMap::new();
    let mut unread = hashed.unread;
    for state in &states {
        unread.extend(unread_packages(state));
        findings.extend(state.findings.iter().cloned());
        findings.extend(judge_keys(
            &state.addr,
            &state.evidence,
            &state.signers,
            request.expired_keys,
        ));
        let checks = Checks::new(state, &hashed.facts);
        findings.extend(checks.findings());
        findings.extend(unsigned(&checks, request.signatures));
        looked_at.extend(known(&checks));
        tell_expired(state, request.expired_keys, reporter);
    }
    failures.extend(
        states
            .into_iter()
            .flat_map(|it| it.failures)
            .map(OpError::Store),
    );
    let modules = modules.unwrap_or_else(|error| {
        failures.push(error);
        VerifiedModules::default()
    });
    findings.extend(modules.findings);
    failures.extend(modules.failures);
    let mut verification = Verification {
        authority: Authority::Evidence,
        ..Verification::of(looked_at, findings, failures)
    };
    verification.summary.modules = modules.outcomes;
    let packages = &mut verification.summary.packages;
    for outcome in packages.iter_mut().filter(|it| unread.contains(&it.id)) {
        outcome.action = Action::Failed;
        outcome.verdict = None;
    }
    Ok(verification)
}

fn no_mirror(root: &Path, inventory: &MirrorInventory) -> OpError {
    OpError::NoMirror {
        dir: root.to_owned(),
        whole: inventory.whole(root),
    }
}

async fn read_all(
    providers: BTreeMap<ProviderAddr, MirroredProvider>,
    request: &VerifyMirrorRequest,
) -> Vec<ProviderState> {
    let layout = MirrorLayout::new(&request.root);
    stream::iter(providers)
        .map(|(addr, there)| {
            let layout = layout.clone();
            on_blocking_pool(move || ProviderState::read(addr, layout, there))
        })
        .buffered(request.jobs)
        .collect()
        .await
}

/// The packages of versions whose documents cannot be read.
fn unread_packages(state: &ProviderState) -> impl Iterator<Item = PackageId> + '_ {
    let keys = state.there.archives.keys();
    let unread = keys.filter(|(version, _)| state.unread.contains(version));
    unread.map(|key| state.id(key))
}

/// Verifies the signatures of all providers, so many at once, while their packages are read.
async fn prove_all(states: Vec<ProviderState>, jobs: usize) -> Vec<ProviderState> {
    stream::iter(states)
        .map(|state| on_blocking_pool(move || state.proved()))
        .buffered(jobs)
        .collect()
        .await
}

/// What has to be computed of a provider's packages.
fn questions(state: &ProviderState, depth: MirrorDepth) -> Vec<(PackageId, Question)> {
    let mut questions = Vec::new();
    for (key, path) in &state.there.archives {
        if state.there.is_lower_cased(&state.addr, key) {
            continue;
        }
        // An archive of another size needs not be read to know that it is another one.
        let evidence = state.package(key);
        let size = path.metadata().map_or(0, |found| found.len());
        if evidence.is_some_and(|evidence| evidence.size != size) {
            continue;
        }
        let has_zh = || {
            let hashes = state.entry(key).map_or(&[][..], |entry| &entry.hashes);
            hashes.iter().any(|hash| hash.scheme() == HashScheme::Zh)
        };
        // Unpacked files are compared with what the archive would unpack to.
        let is_digest_enough =
            || !state.there.unpacked.contains_key(key) && (evidence.is_some() || has_zh());
        let question = match depth {
            MirrorDepth::Digests if is_digest_enough() => Question::Digest(path.clone()),
            MirrorDepth::Digests | MirrorDepth::Contents => Question::Contents(path.clone()),
        };
        questions.push((state.id(key), question));
    }
    // They are rare, and the tools take them first.
    let unpacked = state.there.unpacked.iter();
    questions
        .extend(unpacked.map(|(key, path)| (state.id(key), Question::Directory(path.clone()))));
    questions
}

/// Packages that carry no proved signature, if one is required.
fn unsigned(checks: &Checks<'_>, signatures: SignaturePolicy) -> Vec<Finding> {
    if signatures == SignaturePolicy::AsTheSourceRequires {
        return Vec::new();
    }
    let is_signed = |key, path| matches!(checks.verdict(key, path), Verdict::Signed { .. });
    let archives = checks.state.there.archives.iter();
    let unsigned = archives.filter(|(key, path)| !is_signed(*key, path));
    let finding = |key| {
        Finding::new(FindingKind::Unsigned, &checks.state.id(key))
            .because("nothing signed proves it, and `--require-signature` asks for that")
    };
    unsigned.map(|(key, _)| finding(key)).collect()
}

/// What is known of each archive that was looked at.
fn known(checks: &Checks<'_>) -> Vec<(PackageId, Known)> {
    let known = |(key, path): (&(_, _), &PathBuf)| {
        let size = path.metadata().ok().map(|found| found.len());
        let known = Known {
            verdict: Some(checks.verdict(key, path)),
            size,
        };
        (checks.state.id(key), known)
    };
    checks.state.there.archives.iter().map(known).collect()
}

fn tell_expired(state: &ProviderState, policy: ExpiredKeys, reporter: &dyn Reporter) {
    let expired = state
        .signers
        .iter()
        .filter(|(_, signer)| signer.expired.is_some());
    if policy == ExpiredKeys::Warn {
        for (version, signer) in expired {
            let (addr, key) = (&state.addr, &signer.key_id);
            reporter.warning(&format!(
                "`{addr}` {version} is signed by key `{key}`, which has expired"
            ));
        }
    }
}
