//! A root module of a tree while its packages come, until its lock file is written.

use std::cell::RefCell;

use crate::document::{Locks, PackageId, ProviderLock};
use crate::ops::install::root_run::{Done, RootRun};
use crate::ops::{Fetcher, ModuleOutcome, OpError, PackageOutcome, Summary};

/// A root module whose packages are to be installed, and its account.
pub(in crate::ops) struct Site<'a> {
    pub(in crate::ops) run: RootRun<'a>,
    account: RefCell<Account>,
}

impl<'a> Site<'a> {
    pub(in crate::ops) fn new(run: RootRun<'a>) -> Self {
        let account = Account {
            locks: run.retained_locks(),
            ..Account::default()
        };
        Self {
            run,
            account: RefCell::new(account),
        }
    }

    /// Enters a failure that concerns no single package.
    pub(in crate::ops) fn fail(&self, error: OpError) {
        let error = self.run.root().told(error);
        self.account.borrow_mut().summary.failures.push(error);
    }

    /// Expects one more package, unless something has failed: a root module gets all of its packages or
    /// none.
    pub(in crate::ops) fn expect_package(&self) -> bool {
        self.account.borrow_mut().expect_package()
    }

    /// Whether packages are still to come.
    pub(in crate::ops) fn expects_packages(&self) -> bool {
        self.account.borrow().open > 0
    }

    /// Enters what became of an expected package, and writes the lock file after the last one.
    pub(in crate::ops) async fn enter(
        &self,
        id: &PackageId,
        result: Result<Done, OpError>,
        fetcher: &Fetcher<'_>,
    ) {
        let root = self.run.root();
        let (outcome, lock) = match result {
            Ok((outcome, lock)) => (outcome, Some(lock)),
            Err(error) => {
                let error = root.told(error);
                (PackageOutcome::failed_by(id.clone(), error), None)
            }
        };
        let outcome = PackageOutcome {
            root: root.name.clone(),
            ..outcome
        };
        fetcher.reporter.finished(&outcome);
        self.account.borrow_mut().enter(outcome, lock);
        self.close_if_complete().await;
    }

    /// Writes the lock file if all packages are in place.
    pub(in crate::ops) async fn close_if_complete(&self) {
        let locks = self.account.borrow_mut().take_complete_locks();
        if let Some(locks) = locks
            && let Err(error) = self.run.write(&locks).await
        {
            self.fail(error);
        }
    }

    /// What became of the root module.
    pub(in crate::ops) fn into_summary(mut self) -> Summary {
        let mut summary = self.account.into_inner().summary;
        let root = self.run.root();
        // Their failures keep no provider from being installed and locked.
        for module in self.run.take_modules() {
            summary.modules.push(ModuleOutcome {
                error: module.error.map(|error| root.told(error)),
                root: root.name.clone(),
                ..module
            });
        }
        summary.sort();
        summary
    }
}

/// What is known so far.
#[derive(Default)]
struct Account {
    summary: Summary,
    locks: Locks,
    /// Packages still to come.
    open: usize,
}

impl Account {
    fn expect_package(&mut self) -> bool {
        let is_wanted = self.summary.failures.is_empty();
        self.open += usize::from(is_wanted);
        is_wanted
    }

    fn enter(&mut self, outcome: PackageOutcome, lock: Option<ProviderLock>) {
        if let Some(lock) = lock {
            self.locks.providers.insert(outcome.id.addr.clone(), lock);
        }
        self.summary.packages.push(outcome);
        self.open -= 1;
    }

    /// The locks to write, once all packages have come and if nothing failed.
    fn take_complete_locks(&mut self) -> Option<Locks> {
        let is_complete = self.open == 0 && self.summary.exit_code().is_none();
        is_complete.then(|| std::mem::take(&mut self.locks))
    }
}
