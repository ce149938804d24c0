//! `lock`: the hashes of packages of all wanted platforms into lock files, as `providers lock` of the
//! tools writes them (facts/providers 5.13).
//!
//! Locked versions stay, what is locked is added to and never taken away, and what nothing requires any
//! more stays locked. Modules come first, for they require providers: see `modules`. Unlike with the tools, a package
//! that is not published for a platform is reported and the rest is written; after any other failure a lock file stays as
//! it is. All root modules share one bound of work, and each package is hashed once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::task::yield_now;

use crate::address::{Platform, ProviderAddr, Tool};
use crate::disk;
use crate::document::PackageId;
use crate::hash::PackageHash;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::install::tree_selection::select_versions;
use crate::ops::lock::hashes::{HashedPackage, Hasher, LookedUp};
use crate::ops::lock::modules::ModuleLocker;
use crate::ops::lock::site::LockSite;
use crate::ops::packages::obtain::Obtainer;
use crate::ops::packages::pipeline::{Prepared, Slot, heaviest_first};
use crate::ops::{
    Fetcher, Kinds, OpError, PackageFailure, RootOutcome, SourcedRoot, Summary, TreeSummary,
};
use crate::source::PackageMeta;

/// What fails, in errors.
pub(in crate::ops) const VERB: &str = "lock";

/// What to lock.
#[derive(Debug)]
pub struct LockTreeRequest<'s> {
    /// The root modules, in the order of reports.
    pub roots: Vec<SourcedRoot<'s>>,
    /// For which platforms.
    pub platforms: BTreeSet<Platform>,
    /// These providers alone; all that are required if it is empty.
    pub only: BTreeSet<ProviderAddr>,
    /// What of each root module.
    pub kinds: Kinds,
    /// Which versions.
    pub versions: LockedVersions,
    /// What to do with what comes out.
    pub effect: LockEffect,
    /// Packages in flight at once.
    pub jobs: usize,
    /// A directory for packages that no cache takes.
    pub temporary: PathBuf,
}

/// Which versions are locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockedVersions {
    /// Those that are locked stay.
    Stay,
    /// `--upgrade`: the newest that the constraints allow.
    Newest,
}

/// What becomes of a new lock file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockEffect {
    /// It is written.
    Write,
    /// `--check`: it is compared with the one on disk, and a difference is a failure.
    Compare,
}

/// The packages of each tool's source, and the numbers of the root modules that need them.
type Needs = BTreeMap<(Tool, PackageId), Vec<usize>>;

/// Locks the modules that the root modules call and the providers that they require.
pub async fn lock_tree(fetcher: &Fetcher<'_>, request: &LockTreeRequest<'_>) -> TreeSummary {
    remove_leftovers(request.temporary.clone()).await;
    let locker = ModuleLocker::new(request, fetcher);
    let mut sites = Vec::new();
    for root in &request.roots {
        let modules = locker.lock(root).await;
        let prepare = |modules| LockSite::prepare(root, request, modules, fetcher.reporter);
        sites.push(modules.and_then(prepare));
        // Reading blocks; in between, an interruption is noticed.
        yield_now().await;
    }
    refuse_unneeded(&mut sites, &request.only);
    let needs = select(&sites, fetcher, request).await;
    fetcher.reporter.planned(needs.values().map(Vec::len).sum());
    let work = Work {
        sites: &sites,
        fetcher,
        temporary: &request.temporary,
    };
    let prepare = |(need, sites)| work.prepare(need, sites);
    let hash = |asked, slot| work.hash(asked, slot);
    heaviest_first(needs, request.jobs, prepare, hash).await;
    for site in sites.iter().filter_map(|site| site.as_ref().ok()) {
        site.close().await;
    }
    let roots = request.roots.iter().zip(sites);
    TreeSummary {
        roots: roots.map(|(root, site)| outcome(root, site)).collect(),
    }
}

/// Removes what killed runs left.
async fn remove_leftovers(dir: PathBuf) {
    if let Err(error) = on_blocking_pool(move || disk::remove_stale_temps(&dir)).await {
        log::info!("{error}: {}", error.source);
    }
}

fn outcome(root: &SourcedRoot<'_>, site: Result<LockSite<'_>, OpError>) -> RootOutcome {
    RootOutcome {
        name: root.name.clone().unwrap_or_default(),
        tool: root.module.tool,
        summary: match site {
            Ok(site) => site.into_summary(),
            Err(error) => Summary {
                failures: vec![error.in_root(VERB, root.name.as_deref())],
                ..Summary::default()
            },
        },
    }
}

/// Fails for a named provider that no root module requires: it is likely misspelt.
fn refuse_unneeded(sites: &mut [Result<LockSite<'_>, OpError>], only: &BTreeSet<ProviderAddr>) {
    for addr in only {
        let mut readable = sites.iter().filter_map(|site| site.as_ref().ok());
        if !readable.any(|site| site.requires(addr))
            && let Some(site) = sites.first_mut()
            && site.is_ok()
        {
            *site = Err(OpError::NotRequired { addr: addr.clone() });
        }
    }
}

/// Selects the packages; a root module without a version for each of its providers needs none.
async fn select(
    sites: &[Result<LockSite<'_>, OpError>],
    fetcher: &Fetcher<'_>,
    request: &LockTreeRequest<'_>,
) -> Needs {
    let readable = || {
        let sites = sites.iter().enumerate();
        sites.filter_map(|(number, site)| Some((number, site.as_ref().ok()?)))
    };
    let questions = readable().flat_map(|(number, site)| site.questions(number));
    let selected = select_versions(questions, request.jobs, fetcher.reporter).await;
    let mut chosen = Vec::new();
    for ((number, addr), version) in selected {
        let Some(Ok(site)) = sites.get(number) else {
            continue;
        };
        match version {
            Ok(version) => chosen.push((number, site, addr, version)),
            Err(error) => site.fail(error),
        }
    }
    let mut needs = Needs::new();
    for (number, site, addr, version) in chosen {
        if site.has_failed() {
            continue;
        }
        for platform in &request.platforms {
            let id = PackageId {
                addr: addr.clone(),
                version: version.clone(),
                platform: platform.clone(),
            };
            needs.entry((site.tool(), id)).or_default().push(number);
        }
    }
    needs
}

/// What the work on all packages has in common.
struct Work<'a, 's> {
    sites: &'a [Result<LockSite<'s>, OpError>],
    fetcher: &'a Fetcher<'a>,
    temporary: &'a Path,
}

/// A package whose hashes are wanted, and by whom.
struct Wanted<'a, 's> {
    id: PackageId,
    sites: Vec<&'a LockSite<'s>>,
    hasher: Hasher<'a>,
    meta: PackageMeta,
}

impl<'a, 's> Work<'a, 's> {
    /// Finds out what can be known without the package.
    async fn prepare(
        &self,
        (tool, id): (Tool, PackageId),
        numbers: Vec<usize>,
    ) -> Prepared<Wanted<'a, 's>, ()> {
        let sites = numbers.into_iter();
        let sites = sites.filter_map(|number| self.sites.get(number)?.as_ref().ok());
        let sites: Vec<_> = sites.collect();
        let Some(hasher) = self.hasher(&sites) else {
            return Prepared::Done(());
        };
        let locked: Vec<PackageHash> = sites.iter().flat_map(|site| site.prior(&id)).collect();
        match hasher.look_up(tool, &id, &locked).await {
            Ok(LookedUp::Unknown(meta)) => Prepared::Work {
                weight: self.fetcher.weight(&meta),
                work: Wanted {
                    id,
                    sites,
                    hasher,
                    meta,
                },
            },
            Ok(LookedUp::Known(known)) => {
                self.enter(&sites, &id, Ok(known));
                Prepared::Done(())
            }
            Err(failure) => {
                self.enter(&sites, &id, Err(failure));
                Prepared::Done(())
            }
        }
    }

    /// Hashes a package.
    async fn hash(&self, wanted: Wanted<'a, 's>, slot: Slot) {
        let hashed = wanted.hasher.hash(wanted.meta, &slot).await;
        self.enter(&wanted.sites, &wanted.id, hashed);
    }

    /// Tells all `sites` what came out.
    fn enter(
        &self,
        sites: &[&LockSite<'_>],
        id: &PackageId,
        hashed: Result<HashedPackage, PackageFailure>,
    ) {
        let failed = |failure| Arc::new(OpError::of_package(VERB, id, failure));
        let hashed = hashed.map_err(failed);
        for site in sites {
            let outcome = match &hashed {
                Ok(hashed) => site.gain(id, hashed),
                Err(error) => site.go_without(id, OpError::Shared(Arc::clone(error))),
            };
            self.fetcher.reporter.finished(&outcome);
            site.enter(outcome);
        }
    }

    /// What hashes the packages of these root modules, whose source is the same.
    fn hasher(&self, sites: &[&'a LockSite<'s>]) -> Option<Hasher<'a>> {
        let first = sites.first()?;
        Some(Hasher {
            obtainer: Obtainer {
                source: first.source(),
                fetcher: self.fetcher,
            },
            temporary: self.temporary,
        })
    }
}
