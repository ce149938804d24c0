//! `verify` of root modules: the lock file against what is unpacked in `.terraform/providers`; modules: see
//! `modules`.
//!
//! A directory has an `h1` hash alone (facts/providers 3.12, 4.2). All files are read; where several root modules have the
//! very same files, under a link or under further names, they are read once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use futures_util::stream;

use crate::address::Platform;
use crate::config::RootModule;
use crate::disk::{self, FileStamp};
use crate::document::{MODULE_LOCK_NAME, PackageId, ProviderLock};
use crate::failure::{ExitCode, Failure};
use crate::hash::{HashScheme, PackageHash};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::verify::lock_file::{LockUnderTest, comparable, listed};
use crate::ops::verify::modules::verify_modules;
use crate::ops::verify::verification::{Known, LookedAt, told};
use crate::ops::{Finding, FindingKind, LockSite, OpError, Reporter, Verification};
use crate::package::{DirectoryHashError, KnownContents, h1_of_directory, is_plugin_name};
use crate::store::{InstallStore, MirrorInventory, PackageCache};

/// Root modules to verify.
#[derive(Debug, Clone)]
pub struct VerifyInstalledRequest {
    /// The root modules.
    pub roots: Vec<InstalledRoot>,
    /// The platforms that have to be there; what is there of others is verified, too.
    pub platforms: BTreeSet<Platform>,
    /// Directories that are read at once.
    pub jobs: usize,
}

/// A root module.
#[derive(Debug, Clone)]
pub struct InstalledRoot {
    /// The root module.
    pub module: RootModule,
    /// Its lock file.
    pub lock: LockSite,
    /// Where its providers are.
    pub providers_dir: PathBuf,
}

/// Compares the lock files of each root module, of providers and of modules, with what is installed there.
pub async fn verify_installed(
    request: &VerifyInstalledRequest,
    cache: Option<&PackageCache>,
    reporter: &dyn Reporter,
) -> Verification {
    let (mut findings, mut failures) = (Vec::new(), Vec::new());
    let (mut checks, mut modules) = (Vec::new(), Vec::new());
    for root in &request.roots {
        let name = root.lock.name.as_deref();
        let verified = verify_modules(&root.module, name, request.jobs, reporter).await;
        findings.extend(verified.findings);
        failures.extend(verified.failures);
        modules.extend(verified.outcomes);
        if !root.lock.path.exists() && root.module.dir.join(MODULE_LOCK_NAME).exists() {
            // A root module may call modules and require no provider.
            continue;
        }
        match list(root, request, reporter).await {
            Ok(listed) => {
                findings.extend(listed.findings);
                checks.extend(listed.checks);
            }
            Err(error) => failures.push(error.in_root("verify", root.lock.name.as_deref())),
        }
    }
    let looked_at: Vec<_> = checks.iter().map(Check::looked_at).collect();
    let cache = cache.cloned();
    let groups = grouped(checks).into_values();
    let checked = stream::iter(groups)
        .map(|group| {
            let cache = cache.clone();
            on_blocking_pool(move || examined(&group, cache.as_ref()))
        })
        .buffer_unordered(request.jobs)
        .collect::<Vec<_>>()
        .await;
    for (found, failed) in checked {
        findings.extend(found);
        failures.extend(failed);
    }
    let mut verification = Verification::of_roots(looked_at, findings, failures);
    verification.summary.modules = modules;
    verification
}

/// What a root module has, before its files are read.
struct Listed {
    checks: Vec<Check>,
    findings: Vec<Finding>,
}

/// A directory to read, and what is locked of it.
struct Check {
    id: PackageId,
    dir: PathBuf,
    lock: ProviderLock,
    root: Option<String>,
}

async fn list(
    root: &InstalledRoot,
    request: &VerifyInstalledRequest,
    reporter: &dyn Reporter,
) -> Result<Listed, OpError> {
    let lock = LockUnderTest::read(&root.lock, reporter)?;
    let dir = root.providers_dir.clone();
    let there = dir.clone();
    let inventory = on_blocking_pool(move || {
        if there.is_dir() {
            MirrorInventory::of(&there)
        } else {
            Ok(MirrorInventory::default())
        }
    });
    Ok(compare_names(
        &lock,
        &InstallStore::new(dir),
        &inventory.await?,
        &request.platforms,
    ))
}

/// Compares what is locked with the directories that there are.
fn compare_names(
    lock: &LockUnderTest,
    store: &InstallStore,
    inventory: &MirrorInventory,
    platforms: &BTreeSet<Platform>,
) -> Listed {
    let mut checks = BTreeMap::new();
    let mut findings = lock.findings.clone();
    for (id, locked) in lock.packages(platforms) {
        let dir = store.dir(&id);
        if dir.is_dir() {
            checks.insert(id, (dir, locked));
        } else {
            findings.push(lock.named(missing(&id, &dir)));
        }
    }
    for (addr, there) in &inventory.providers {
        let locked = lock.locks.as_ref().map(|locks| locks.providers.get(addr));
        for ((version, platform), dir) in &there.unpacked {
            let id = PackageId {
                addr: addr.clone(),
                version: version.clone(),
                platform: platform.clone(),
            };
            match locked {
                // Nothing can be said where the lock file cannot be understood.
                None => {}
                Some(Some(lock)) if lock.version == *version => {
                    checks.entry(id).or_insert((dir.clone(), lock));
                }
                // The tools leave other versions lying after an upgrade, and never look at them.
                Some(Some(_)) => log::info!("{id} lies there and is not locked"),
                Some(None) => findings.push(lock.named(unlocked(&id, dir))),
            }
        }
    }
    let check = |(id, (dir, lock_of)): (PackageId, (PathBuf, &ProviderLock))| Check {
        id,
        dir,
        lock: lock_of.clone(),
        root: lock.site.name.clone(),
    };
    Listed {
        checks: checks.into_iter().map(check).collect(),
        findings,
    }
}

fn missing(id: &PackageId, dir: &Path) -> Finding {
    let finding = Finding::new(FindingKind::Missing, id).at(dir);
    if dir.is_symlink() {
        finding.because("it is a link that leads to no directory")
    } else {
        finding.because("the lock file selects it, and it is not installed")
    }
}

fn unlocked(id: &PackageId, dir: &Path) -> Finding {
    let finding = Finding::new(FindingKind::Unlocked, id).at(dir);
    finding.because("the lock file does not have the provider")
}

/// Checks of one directory, which may be that of several root modules.
fn grouped(checks: Vec<Check>) -> BTreeMap<PathBuf, Vec<Check>> {
    let mut groups: BTreeMap<PathBuf, Vec<Check>> = BTreeMap::new();
    let mut seen: Vec<(BTreeMap<String, FileStamp>, PathBuf)> = Vec::new();
    for check in checks {
        let real = check
            .dir
            .canonicalize()
            .unwrap_or_else(|_| check.dir.clone());
        let key = if groups.contains_key(&real) {
            real
        } else {
            same_files(&mut seen, real)
        };
        groups.entry(key).or_default().push(check);
    }
    groups
}

/// The directory seen before whose files are the very files of `dir` under further names, else `dir`.
fn same_files(seen: &mut Vec<(BTreeMap<String, FileStamp>, PathBuf)>, dir: PathBuf) -> PathBuf {
    let stamps = disk::stamps_below(&dir).unwrap_or_default();
    // Without the number of the file a stamp does not say that it is the same one.
    if stamps.is_empty() || stamps.values().any(|stamp| stamp.inode == 0) {
        return dir;
    }
    if let Some((_, known)) = seen.iter().find(|(known, _)| *known == stamps) {
        return known.clone();
    }
    seen.push((stamps, dir.clone()));
    dir
}

type Examined = (Vec<Finding>, Vec<OpError>);

/// Hashes the directory of a group and compares it with what each root module locks.
fn examined(group: &[Check], cache: Option<&PackageCache>) -> Examined {
    let Some(first) = group.first() else {
        return Examined::default();
    };
    let (mut findings, mut failures) = (Vec::new(), Vec::new());
    match h1_of_directory(&first.dir) {
        Ok(h1) => {
            let found =
                |check: &Check| compared(check, &h1, cache).or_else(|| not_executable(check));
            findings.extend(group.iter().filter_map(found));
        }
        Err(error) if is_wrong(&error) => {
            let text = told(&error);
            findings.extend(group.iter().map(|check| {
                let finding = Finding::new(FindingKind::Damaged, &check.id).at(&check.dir);
                check.named(finding.got(&text))
            }));
        }
        Err(error) => failures.push(OpError::Store(error.into())),
    }
    (findings, failures)
}

/// Whether the directory is at fault, and not this process that may not read it: a link in it leads nowhere, say.
fn is_wrong(error: &DirectoryHashError) -> bool {
    match error {
        DirectoryHashError::Read { path, .. } => path.is_symlink(),
        DirectoryHashError::NoFile { .. } | DirectoryHashError::Name { .. } => {
            error.exit_code() == ExitCode::Verification
        }
    }
}

impl Check {
    fn looked_at(&self) -> LookedAt {
        LookedAt {
            id: self.id.clone(),
            root: self.root.clone(),
            known: Known::default(),
        }
    }

    fn named(&self, finding: Finding) -> Finding {
        Finding {
            lock: self.root.clone(),
            ..finding
        }
    }
}

/// The plugin of a package whose files are right, if nobody may execute it: a hash tells nothing of that. Who packed it
/// for Windows may have left the right out.
fn not_executable(check: &Check) -> Option<Finding> {
    if check.id.platform.os() == "windows" {
        return None;
    }
    let names = disk::file_names(&check.dir).ok()?.into_iter();
    let is_plugin =
        |name: &String| is_plugin_name(name, check.id.addr.ty()) && check.dir.join(name).is_file();
    // Of several the tools take the first (facts/providers 3.13).
    let plugin = check.dir.join(names.filter(is_plugin).min()?);
    let finding = Finding::new(FindingKind::NotExecutable, &check.id).at(&plugin);
    let finding = finding.because("the files are right, but the tools cannot start the plugin");
    (disk::is_executable(&plugin).ok() == Some(false)).then(|| check.named(finding))
}

/// What is wrong with a directory that has this hash.
fn compared(check: &Check, h1: &PackageHash, cache: Option<&PackageCache>) -> Option<Finding> {
    if check.lock.hashes.contains(h1) {
        return None;
    }
    let known = cache.and_then(|cache| cache.known_contents(&check.id).ok());
    let of_this = known.into_iter().flatten();
    let of_this = of_this.filter(|(_, contents)| contents.h1_directory == *h1);
    let archives: Vec<(PackageHash, KnownContents)> = of_this
        .map(|(digest, contents)| (PackageHash::zh(digest), contents))
        .collect();
    let is_locked = |hash: &PackageHash| check.lock.hashes.contains(hash);
    let finding = |kind| Finding::new(kind, &check.id).at(&check.dir).got(h1);
    let locked = comparable(&check.lock, |hash| hash.scheme() == HashScheme::H1);
    let found = if archives.iter().any(|(zh, _)| is_locked(zh)) {
        finding(FindingKind::OtherForm)
            .expected(&listed(&locked))
            .because(NOT_AS_A_DIRECTORY)
    } else if archives
        .iter()
        .any(|(_, contents)| is_locked(&contents.h1_zip))
    {
        finding(FindingKind::OtherForm)
            .expected(&listed(&locked))
            .because(OTHER_FORM_OF_DIRECTORY)
    } else if locked.is_empty() {
        finding(FindingKind::Incomparable).because(
            "the lock file has no `h1` hash of it, and `zh` hashes are those of archives, which a directory does not tell",
        )
    } else if locked.len() == check.lock.sorted_hashes().len() {
        finding(FindingKind::Mismatch).expected(&listed(&locked))
    } else {
        finding(FindingKind::Mismatch).expected(&listed(&locked)).because(
            "of the `zh` hashes in the lock file a directory tells nothing, and the package cache does not know these files",
        )
    };
    Some(check.named(found))
}

const NOT_AS_A_DIRECTORY: &str = "the files are those of the locked archive, but the lock file has only its `zh` hash, and the tools \
     compare nothing but `h1` hashes with what is unpacked: they refuse to start it";

const OTHER_FORM_OF_DIRECTORY: &str = "the files are those of the locked archive, but the lock file has the `h1` hash of the archive, which counts directory entries \
     and names as they stand there, and not that of the unpacked directory";
