//! The packages of a tree of root modules: each is obtained once, then placed wherever it is needed.
//!
//! Who needs the same package gets it one after another, so that nobody waits for another's download
//! with a hand that could work on a different package. The first to need it fetches it into the package
//! cache, from where the others have it; without a cache, one that is gone when the run ends.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::join_all;
use tokio::sync::{OnceCell, Semaphore};

use crate::address::Tool;
use crate::document::PackageId;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::install::one::Order;
use crate::ops::install::root_run::{Done, RootRun};
use crate::ops::install::tree_site::Site;
use crate::ops::packages::pipeline::{Prepared, Slot, heaviest_first};
use crate::ops::{Fetcher, OpError, PackageFailure};
use crate::store::PackageCache;

/// What fails, in errors.
const VERB: &str = "install";

/// The packages and who needs each, in the order of root modules.
pub(in crate::ops) type Needs<'a> = BTreeMap<PackageId, Vec<&'a Site<'a>>>;

/// Installs all packages in the root modules `sites`, `jobs` at once.
pub(in crate::ops) async fn install_packages<'a>(
    sites: &[&'a Site<'a>],
    needs: Needs<'a>,
    fetcher: &Fetcher<'_>,
    jobs: usize,
) {
    fetcher.reporter.planned(needs.values().map(Vec::len).sum());
    let with_packages = sites.iter().filter(|site| site.expects_packages());
    let data_dirs = with_packages.map(|site| site.run.root().module.data_dir.clone());
    let work = Work {
        fetcher,
        checks: Semaphore::new(jobs),
        own_cache: OnceCell::new(),
        own_cache_dirs: data_dirs.collect(),
    };
    let prepare = |(id, sites)| work.prepare(id, sites);
    let install = |needed, slot| work.install(needed, slot);
    heaviest_first(needs, jobs, prepare, install).await;
}

/// A package that is missing in root modules.
struct Needed<'a> {
    id: PackageId,
    missing: Vec<&'a Site<'a>>,
    /// What is known of it for the first of them.
    order: Result<Order, PackageFailure>,
}

/// Why a package could not be obtained; for a root module of another tool it may go well.
#[derive(Default)]
struct Failures(BTreeMap<Tool, Arc<OpError>>);

impl Failures {
    /// The error for a failure, which is noted if others would meet it, too.
    fn note(&mut self, tool: Tool, id: &PackageId, failure: PackageFailure) -> OpError {
        let is_about_package = failure.is_about_package();
        let error = OpError::of_package(VERB, id, failure);
        if !is_about_package {
            return error;
        }
        let shared = Arc::new(error);
        self.0.insert(tool, Arc::clone(&shared));
        OpError::Shared(shared)
    }
}

/// What the work on all packages has in common.
struct Work<'a> {
    fetcher: &'a Fetcher<'a>,
    /// Bounds how many installed packages are looked at.
    checks: Semaphore,
    /// A cache for this run alone.
    own_cache: OnceCell<Option<PackageCache>>,
    /// Where it may be.
    own_cache_dirs: Vec<PathBuf>,
}

impl Work<'_> {
    /// Looks where the package is in place, and asks for it if it is not everywhere.
    async fn prepare<'s>(
        &self,
        id: PackageId,
        sites: Vec<&'s Site<'s>>,
    ) -> Prepared<Needed<'s>, ()> {
        let checks = sites.into_iter().map(|site| self.at_hand(site, &id));
        let mut missing = Vec::new();
        for (site, found) in join_all(checks).await {
            match found.map_err(|failure| OpError::of_package(VERB, &id, failure)) {
                Ok(None) => missing.push(site),
                Ok(Some(done)) => site.enter(&id, Ok(done), self.fetcher).await,
                Err(error) => site.enter(&id, Err(error), self.fetcher).await,
            }
        }
        let Some(first) = missing.first() else {
            return Prepared::Done(());
        };
        let order = first.run.order(self.fetcher, &id).await;
        let meta = order.as_ref().ok().and_then(|order| order.meta.as_ref());
        Prepared::Work {
            weight: meta.map_or(0, |meta| self.fetcher.weight(meta)),
            work: Needed { id, missing, order },
        }
    }

    /// The root module, and the package if it is in place there or at hand.
    async fn at_hand<'s>(
        &self,
        site: &'s Site<'s>,
        id: &PackageId,
    ) -> (&'s Site<'s>, Result<Option<Done>, PackageFailure>) {
        let _permit = self.checks.acquire().await;
        (site, site.run.at_hand(id, self.fetcher).await)
    }

    /// Obtains the package and places it wherever it is missing.
    async fn install(&self, needed: Needed<'_>, slot: Slot) {
        let fetcher = Fetcher {
            cache: self.cache_for(needed.missing.len()).await,
            sizes: self.fetcher.sizes.clone(),
            ..*self.fetcher
        };
        let id = needed.id;
        let mut order = Some(needed.order);
        let mut failures = Failures::default();
        for site in needed.missing {
            let run = &site.run;
            let result = if let Some(earlier) = failures.0.get(&run.tool()) {
                recall(run, &fetcher, &id, earlier).await
            } else {
                let installed = install(run, &fetcher, &id, order.take(), &slot).await;
                installed.map_err(|failure| failures.note(run.tool(), &id, failure))
            };
            site.enter(&id, result, &fetcher).await;
        }
    }

    /// The cache for a package that is missing in so many places.
    async fn cache_for(&self, places: usize) -> Option<&PackageCache> {
        if self.fetcher.cache.is_some() || places < 2 {
            return self.fetcher.cache;
        }
        let dirs = self.own_cache_dirs.clone();
        let make = || on_blocking_pool(move || cache_in_one_of(&dirs));
        self.own_cache.get_or_init(make).await.as_ref()
    }
}

/// A cache in the first of these directories that takes one. There, files can be linked to their
/// places; and the next run looks for broken downloads in the same order.
fn cache_in_one_of(dirs: &[PathBuf]) -> Option<PackageCache> {
    dirs.iter().find_map(|dir| {
        let made = PackageCache::temporary_in(dir);
        made.inspect_err(|error| log::info!("no place for packages of this run: {error}"))
            .ok()
    })
}

async fn install(
    run: &RootRun<'_>,
    fetcher: &Fetcher<'_>,
    id: &PackageId,
    order: Option<Result<Order, PackageFailure>>,
    slot: &Slot,
) -> Result<Done, PackageFailure> {
    let order = match order {
        Some(order) => order?,
        None => run.order(fetcher, id).await?,
    };
    run.install(fetcher, order, slot).await
}

/// What lock file and cache prove without asking again for what could not be had earlier.
async fn recall(
    run: &RootRun<'_>,
    fetcher: &Fetcher<'_>,
    id: &PackageId,
    earlier: &Arc<OpError>,
) -> Result<Done, OpError> {
    let recalled = run.install_recalled(fetcher, id).await;
    let recalled = recalled.map_err(|failure| OpError::of_package(VERB, id, failure))?;
    recalled.ok_or_else(|| OpError::Shared(Arc::clone(earlier)))
}
