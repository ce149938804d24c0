//! One root module of `lock`: what it requires, what is locked, what comes to that, and its lock file.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::address::{ProviderAddr, Tool};
use crate::disk::{self, DiskError};
use crate::document::{LOCK_FILE_NAME, Locks, PackageId, ProviderLock};
use crate::failure::{ExitCode, Failure};
use crate::hash::PackageHash;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::install::tree_selection::{Question, locked_version};
use crate::ops::lock::hashes::HashedPackage;
use crate::ops::lock::modules::LockedTree;
use crate::ops::lock::tree::{LockEffect, LockTreeRequest, LockedVersions, VERB};
use crate::ops::lock::update::hashes_after_install;
use crate::ops::root_requirements::{
    adopted, configuration_requirements, read_lock_file, requirements_of_calls,
};
use crate::ops::{
    Action, Kinds, ModuleOutcome, OpError, PackageOutcome, Reporter, SourcedRoot, Summary,
};
use crate::source::Source;
use crate::version::{Version, VersionConstraints};

/// A root module whose configuration and lock file were read.
pub(in crate::ops) struct LockSite<'s> {
    root: &'s SourcedRoot<'s>,
    versions: LockedVersions,
    effect: LockEffect,
    kinds: Kinds,
    /// The providers to lock.
    requirements: BTreeMap<ProviderAddr, VersionConstraints>,
    path: PathBuf,
    /// The locks to go by: those of the file, and those taken over from Terraform.
    old: Locks,
    account: RefCell<Account>,
}

/// What is known so far.
#[derive(Default)]
struct Account {
    summary: Summary,
    gained: BTreeMap<ProviderAddr, Gained>,
    /// Whether something failed that is more than a missing platform.
    is_spoilt: bool,
}

impl Account {
    /// Enters what became of modules. Their failures keep no provider from being locked.
    fn enter_modules(
        &mut self,
        outcomes: Vec<ModuleOutcome>,
        failure: Option<OpError>,
        root: Option<&str>,
    ) {
        let named = |outcome: ModuleOutcome| ModuleOutcome {
            error: outcome.error.map(|error| error.in_root(VERB, root)),
            root: root.map(str::to_owned),
            ..outcome
        };
        self.summary.modules.extend(outcomes.into_iter().map(named));
        let failure = failure.map(|error| error.in_root(VERB, root));
        self.summary.failures.extend(failure);
    }
}

/// What came to a provider.
struct Gained {
    version: Version,
    hashes: BTreeSet<PackageHash>,
}

impl<'s> LockSite<'s> {
    /// Reads what `root` requires and what is locked; `modules` is its tree, if its modules are locked, too.
    ///
    /// # Errors
    ///
    /// If configuration or lock file cannot be read.
    pub(in crate::ops) fn prepare(
        root: &'s SourcedRoot<'s>,
        request: &LockTreeRequest<'_>,
        modules: Option<LockedTree>,
        reporter: &dyn Reporter,
    ) -> Result<Self, OpError> {
        let module = &root.module;
        let mut account = Account::default();
        let mut requirements = match modules {
            None => configuration_requirements(module, reporter)?,
            Some(LockedTree {
                walk,
                completeness,
                outcomes,
                failure,
                lock_files,
            }) => {
                account.summary.lock_files += lock_files;
                account.enter_modules(outcomes, failure, root.name.as_deref());
                requirements_of_calls(walk, completeness, module, reporter)?.requirements
            }
        };
        if request.kinds == Kinds::Modules {
            requirements.clear();
        }
        let is_wanted =
            |addr: &ProviderAddr| request.only.is_empty() || request.only.contains(addr);
        requirements.retain(|addr, _| is_wanted(addr));
        let path = module.dir.join(LOCK_FILE_NAME);
        let on_disk = read_lock_file(&path, module.tool, reporter)?;
        Ok(Self {
            root,
            versions: request.versions,
            effect: request.effect,
            kinds: request.kinds,
            requirements,
            path,
            old: adopted(on_disk, module.tool, reporter),
            account: RefCell::new(account),
        })
    }

    pub(in crate::ops) fn tool(&self) -> Tool {
        self.root.module.tool
    }

    pub(in crate::ops) fn source(&self) -> &'s dyn Source {
        self.root.source
    }

    /// Whether this provider is to be locked here.
    pub(in crate::ops) fn requires(&self, addr: &ProviderAddr) -> bool {
        self.requirements.contains_key(addr)
    }

    /// The versions to find out; `number` is that of this root module.
    pub(in crate::ops) fn questions(&self, number: usize) -> impl Iterator<Item = Question<'_>> {
        self.requirements.iter().map(move |(addr, constraints)| {
            let locked = self.old.providers.get(addr);
            let locked = locked.filter(|_| self.versions == LockedVersions::Stay);
            Question {
                number,
                tool: self.tool(),
                source: self.root.source,
                addr,
                constraints,
                locked: locked_version(addr, constraints, locked.map(|lock| &lock.version)),
            }
        })
    }

    /// The hashes that are locked for the version of `id`.
    pub(in crate::ops) fn prior(&self, id: &PackageId) -> Vec<PackageHash> {
        self.prior_of(&id.addr, &id.version).to_vec()
    }

    fn prior_of(&self, addr: &ProviderAddr, version: &Version) -> &[PackageHash] {
        let lock = self.old.providers.get(addr);
        let lock = lock.filter(|lock| lock.version == *version);
        lock.map_or(&[], |lock| &lock.hashes)
    }

    /// Adds the hashes of a package, and tells whether any was new.
    pub(in crate::ops) fn gain(&self, id: &PackageId, hashed: &HashedPackage) -> PackageOutcome {
        let (h1, archive) = (hashed.h1.clone(), &hashed.archive);
        let new = hashes_after_install(self.tool(), &[], h1, &hashed.published, archive);
        let prior = self.prior(id);
        let is_tracked = new.iter().all(|hash| prior.contains(hash));
        let action = match (is_tracked, self.effect) {
            (true, _) => Action::Kept,
            (false, LockEffect::Write) => Action::Locked,
            (false, LockEffect::Compare) => Action::WouldLock,
        };
        let mut account = self.account.borrow_mut();
        let gained = account.gained.entry(id.addr.clone());
        let gained = gained.or_insert_with(|| Gained {
            version: id.version.clone(),
            hashes: BTreeSet::new(),
        });
        gained.hashes.extend(new);
        let verdict = Some(hashed.verdict.clone());
        self.named(PackageOutcome::done(
            id.clone(),
            action,
            verdict,
            hashed.size,
        ))
    }

    /// Notes that a package cannot be had. If it is only not published, the rest is written all the same.
    pub(in crate::ops) fn go_without(&self, id: &PackageId, error: OpError) -> PackageOutcome {
        let is_missing = error.exit_code() == ExitCode::NotFound;
        self.account.borrow_mut().is_spoilt |= !is_missing;
        self.named(PackageOutcome::failed_by(
            id.clone(),
            error.in_root(VERB, self.root.name.as_deref()),
        ))
    }

    fn named(&self, outcome: PackageOutcome) -> PackageOutcome {
        let root = self.root.name.clone();
        PackageOutcome { root, ..outcome }
    }

    /// Enters what became of a package.
    pub(in crate::ops) fn enter(&self, outcome: PackageOutcome) {
        self.account.borrow_mut().summary.packages.push(outcome);
    }

    /// Enters a failure that concerns no single package; the lock file stays as it is.
    pub(in crate::ops) fn fail(&self, error: OpError) {
        let mut account = self.account.borrow_mut();
        account.is_spoilt = true;
        let error = error.in_root(VERB, self.root.name.as_deref());
        account.summary.failures.push(error);
    }

    /// Whether the lock file stays as it is.
    pub(in crate::ops) fn has_failed(&self) -> bool {
        self.account.borrow().is_spoilt
    }

    /// Writes the lock file or compares it, unless something failed.
    pub(in crate::ops) async fn close(&self) {
        if self.has_failed() || self.kinds == Kinds::Modules {
            return;
        }
        let new = self.new_locks();
        // Where nothing is required, `init` writes no file.
        let is_needless = new.providers.is_empty() && !self.path.exists();
        if is_needless && self.effect == LockEffect::Compare {
            return;
        }
        let (path, text, effect) = (self.path.clone(), new.render(self.tool()), self.effect);
        let settled = on_blocking_pool(move || settle(&path, &text, effect)).await;
        match settled {
            Ok(Settled::Same) => {}
            Ok(Settled::Written) => self.tell_written(),
            Ok(Settled::Differs) => self.fail(OpError::LockOutdated {
                path: self.path.clone(),
                changes: self.changes(&new),
            }),
            Err(error) => self.fail(error.into()),
        }
    }

    /// Where no package was locked, nothing else tells that the file has changed.
    fn tell_written(&self) {
        let summary = &mut self.account.borrow_mut().summary;
        if summary.count(Action::Locked) == 0 {
            summary.lock_files += 1;
        }
    }

    /// What is locked from now on.
    fn new_locks(&self) -> Locks {
        let mut locks = self.old.clone();
        for (addr, gained) in &self.account.borrow().gained {
            let mut hashes = gained.hashes.clone();
            hashes.extend(self.prior_of(addr, &gained.version).iter().cloned());
            let lock = ProviderLock {
                version: gained.version.clone(),
                constraints: self.requirements.get(addr).cloned().unwrap_or_default(),
                hashes: hashes.into_iter().collect(),
            };
            locks.providers.insert(addr.clone(), lock);
        }
        locks
    }

    /// What differs between the lock file and the `new` locks, in words.
    fn changes(&self, new: &Locks) -> Vec<String> {
        let mut changes = Vec::new();
        if !self.path.exists() {
            changes.push("it is not there".to_owned());
        }
        for (addr, lock) in &new.providers {
            match self.old.providers.get(addr) {
                None => changes.push(format!("`{addr}` {} is not locked", lock.version)),
                Some(old) => changes.extend(changes_of(addr, old, lock)),
            }
        }
        if changes.is_empty() {
            changes.push("its text is not as the tool writes it".to_owned());
        }
        changes
    }

    /// What became of the root module.
    pub(in crate::ops) fn into_summary(self) -> Summary {
        let mut summary = self.account.into_inner().summary;
        summary.sort();
        summary
    }
}

fn changes_of(addr: &ProviderAddr, old: &ProviderLock, new: &ProviderLock) -> Vec<String> {
    let mut changes = Vec::new();
    if old.version != new.version {
        let (old, new) = (&old.version, &new.version);
        return vec![format!(
            "`{addr}` is locked at {old}, and {new} is the newest"
        )];
    }
    if old.constraints != new.constraints {
        let (old, new) = (&old.constraints, &new.constraints);
        changes.push(format!(
            "`{addr}` has the constraints `{old}`, and `{new}` is required"
        ));
    }
    let lacking = new.hashes.iter().filter(|hash| !old.hashes.contains(hash));
    changes.extend(lacking.map(|hash| format!("`{addr}` lacks `{hash}`")));
    changes
}

/// What became of a lock file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ops) enum Settled {
    Same,
    Written,
    Differs,
}

/// Writes `text`, or compares the file with it. Blocks.
///
/// # Errors
///
/// If the file cannot be written.
pub(in crate::ops) fn settle(
    path: &Path,
    text: &str,
    effect: LockEffect,
) -> Result<Settled, DiskError> {
    let on_disk = || disk::read_capped(path, text.len() as u64);
    let is_same = path.is_file() && on_disk().is_ok_and(|bytes| bytes == text.as_bytes());
    match (is_same, effect) {
        (true, _) => Ok(Settled::Same),
        (false, LockEffect::Compare) => Ok(Settled::Differs),
        (false, LockEffect::Write) => {
            disk::write_atomically(path, text.as_bytes())?;
            Ok(Settled::Written)
        }
    }
}
