//! `verify --mirror` for the modules of a mirror: every file against its evidence, every list against what is there,
//! repositories by git's own hashes.

use std::fs;
use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use futures_util::stream;

use crate::address::{ModuleAddr, PackagePlace};
use crate::disk;
use crate::document::{KeptFile, ModuleEvidence};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::verify::verification::told;
use crate::ops::{Action, Finding, FindingKind, MirrorDepth, ModuleOutcome, OpError, Subject};
use crate::source::{GitProgram, RepositoryState};
use crate::store::{FLAT_LOCATION, ModuleInventory, ModuleMirror, StoreError, page_text};
use crate::version::ModuleVersion;

/// What was found of a mirror's modules.
#[derive(Debug, Default)]
pub struct VerifiedModules {
    /// One entry for each package, as verified or failed.
    pub outcomes: Vec<ModuleOutcome>,
    /// Every problem.
    pub findings: Vec<Finding>,
    /// What could not be looked at.
    pub failures: Vec<OpError>,
}

/// Compares the modules of the mirror in `root` with what is said of them, `jobs` files at once.
///
/// # Errors
///
/// If the directory cannot be looked through.
pub async fn verify_modules(
    root: &Path,
    depth: MirrorDepth,
    jobs: usize,
) -> Result<VerifiedModules, OpError> {
    let mirror = ModuleMirror::new(root);
    let store = mirror.clone();
    let inventory = on_blocking_pool(move || ModuleInventory::of(&store)).await?;
    let mut verified = VerifiedModules::default();
    let stray = inventory.stray.iter();
    verified
        .findings
        .extend(stray.map(|path| finding(FindingKind::Stray, path)));
    verified.findings.extend(listed(&mirror, &inventory));
    let checks = checks(&inventory);
    let checked: Vec<_> = stream::iter(checks)
        .map(|check| check.run(depth))
        .buffered(jobs)
        .collect()
        .await;
    for (name, version, result) in checked {
        match result {
            Ok(findings) => {
                let action = if findings.is_empty() {
                    Action::Verified
                } else {
                    Action::Failed
                };
                verified.outcomes.push(outcome(name, version, action));
                verified.findings.extend(findings);
            }
            Err(error) => verified.failures.push(error),
        }
    }
    Ok(verified)
}

/// What is looked at in one step.
enum Check {
    Module(ModuleAddr, ModuleVersion, PathBuf),
    Archive(PackagePlace, PathBuf),
    Page(PackagePlace, PathBuf),
    Repository(PackagePlace, PathBuf),
}

type Checked = (String, Option<String>, Result<Vec<Finding>, OpError>);

fn checks(inventory: &ModuleInventory) -> Vec<Check> {
    let modules = inventory.modules.iter().cloned();
    let modules = modules.map(|(addr, version, dir)| Check::Module(addr, version, dir));
    let archives = inventory.archives.iter().cloned();
    let archives = archives.map(|(place, path)| Check::Archive(place, path));
    let pages = inventory.pages.iter().cloned();
    let pages = pages.map(|(place, path)| Check::Page(place, path));
    let repositories = inventory.repositories.iter().cloned();
    let repositories = repositories.map(|(place, path)| Check::Repository(place, path));
    modules
        .chain(archives)
        .chain(pages)
        .chain(repositories)
        .collect()
}

impl Check {
    async fn run(self, depth: MirrorDepth) -> Checked {
        match self {
            Self::Module(addr, version, dir) => {
                let found = on_blocking_pool(move || of_module(&dir)).await;
                (addr.to_string(), Some(version.to_string()), Ok(found))
            }
            Self::Archive(place, path) => {
                let found = on_blocking_pool(move || of_archive(&path)).await;
                (format!("archives/{place}"), None, Ok(found))
            }
            Self::Page(place, path) => {
                let found = on_blocking_pool(move || of_page(&path)).await;
                (format!("archives/{place}"), None, Ok(found))
            }
            Self::Repository(place, path) => {
                let found = of_repository(&path, depth).await;
                (format!("git/{place}"), None, found)
            }
        }
    }
}

/// Lists of versions against the versions that are there.
fn listed(mirror: &ModuleMirror, inventory: &ModuleInventory) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (addr, path) in &inventory.lists {
        let listed = match mirror.listed(addr) {
            Ok(listed) => listed,
            Err(error) => {
                findings.push(unreadable(path, &error));
                continue;
            }
        };
        let of_addr = || inventory.modules.iter().filter(|(of, _, _)| of == addr);
        for (_, version, _) in of_addr().filter(|(_, version, _)| !listed.contains(version)) {
            findings.push(finding(FindingKind::StaleIndex, path).expected(version));
        }
        for version in &listed {
            if !of_addr().any(|(_, there, _)| there == version) {
                let dir = mirror.version_dir(addr, version);
                findings.push(finding(FindingKind::Missing, &dir));
            }
        }
    }
    findings
}

fn of_module(dir: &Path) -> Vec<Finding> {
    let evidence = match ModuleMirror::evidence_in(dir) {
        Ok(evidence) => evidence,
        Err(error) => return vec![unreadable(dir, &error)],
    };
    let archive = dir.join("module.zip");
    let mut findings = of_file(&archive, &evidence);
    let download = dir.join("download");
    let location = evidence.location.as_deref().unwrap_or(FLAT_LOCATION);
    let expected = serde_json::json!({ "location": location }).to_string();
    findings.extend(of_text(&download, &expected));
    findings
}

fn of_archive(path: &Path) -> Vec<Finding> {
    match ModuleMirror::evidence_of(path) {
        Ok(evidence) => of_file(path, &evidence),
        Err(error) => vec![unreadable(path, &error)],
    }
}

/// A page must send on to where its evidence says; where that hides a secret, it cannot be compared.
fn of_page(path: &Path) -> Vec<Finding> {
    let evidence = match ModuleMirror::evidence_of(path) {
        Ok(evidence) => evidence,
        Err(error) => return vec![unreadable(path, &error)],
    };
    match evidence.location {
        None => vec![without_evidence(path)],
        Some(location) if location.contains("***") => Vec::new(),
        Some(location) => of_text(path, &page_text(&location)).into_iter().collect(),
    }
}

/// A file against its size and digest.
fn of_file(path: &Path, evidence: &ModuleEvidence) -> Vec<Finding> {
    let Some(KeptFile { sha256, size }) = evidence.file else {
        return vec![without_evidence(path)];
    };
    let found = path.symlink_metadata().ok().filter(fs::Metadata::is_file);
    let Some(found) = found else {
        return vec![finding(FindingKind::Missing, path).expected(&sha256)];
    };
    if found.len() != size {
        let got = format!("{} bytes", found.len());
        let expected = format!("{size} bytes");
        return vec![
            finding(FindingKind::Mismatch, path)
                .got(&got)
                .expected(&expected),
        ];
    }
    match disk::sha256(path) {
        Ok(got) if got == sha256 => Vec::new(),
        Ok(got) => vec![
            finding(FindingKind::Mismatch, path)
                .got(&got)
                .expected(&sha256),
        ],
        Err(error) => vec![unreadable(path, &StoreError::from(error))],
    }
}

/// A small file that has to hold one text.
fn of_text(path: &Path, expected: &str) -> Option<Finding> {
    if !path.is_file() {
        return Some(finding(FindingKind::Missing, path));
    }
    let cap = expected.len() as u64 + 4096;
    let bytes = disk::read_capped(path, cap).unwrap_or_default();
    let got = String::from_utf8_lossy(&bytes);
    let problem = || {
        let found = finding(FindingKind::WrongUrl, path);
        found.got(&got.trim_end()).expected(expected.trim_end())
    };
    (got != expected).then(problem)
}

async fn of_repository(path: &Path, depth: MirrorDepth) -> Result<Vec<Finding>, OpError> {
    let state = GitProgram::default()
        .examine(path, depth == MirrorDepth::Contents)
        .await;
    let state = state.map_err(|source| OpError::ModuleMirror {
        named: format!("`{}`", path.display()),
        source: Box::new(source.into()),
    })?;
    Ok(match state {
        RepositoryState::Intact => Vec::new(),
        RepositoryState::Damaged(words) => {
            vec![finding(FindingKind::Damaged, path).because(words)]
        }
        RepositoryState::Unlisted => vec![
            finding(FindingKind::StaleIndex, &path.join("info/refs")).because(
                "a plain web server gives other branches and tags than the repository has",
            ),
        ],
    })
}

fn finding(kind: FindingKind, path: &Path) -> Finding {
    Finding::new(kind, Subject::default()).at(path)
}

fn without_evidence(path: &Path) -> Finding {
    finding(FindingKind::Incomparable, path).because("there is no evidence of it")
}

fn unreadable(path: &Path, error: &StoreError) -> Finding {
    finding(FindingKind::Unreadable, path).got(&told(error))
}

fn outcome(source: String, version: Option<String>, action: Action) -> ModuleOutcome {
    ModuleOutcome {
        key: String::new(),
        source,
        version,
        action,
        error: None,
        root: None,
    }
}
