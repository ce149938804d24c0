//! `install --recursive`: a tree of root modules as one run; a single root module is a tree of one.
//!
//! All packages of all root modules share one bound of work. Each root module's lock file is kept by
//! its own rules and written as soon as its own packages are in place, whatever becomes of the others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tokio::task::yield_now;

use crate::address::{Platform, ProviderAddr, Tool};
use crate::config::{
    Environment, FoundRootModules, RootModule, RootModuleSearch, data_dir, find_root_modules,
};
use crate::disk;
use crate::failure::{ExitCode, Failure};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::install::root_run::RootRun;
use crate::ops::install::tree_packages::{Needs, install_packages};
use crate::ops::install::tree_selection::select_versions;
use crate::ops::install::tree_site::Site;
use crate::ops::modules::install::ModuleInstaller;
use crate::ops::{Fetcher, LockMode, ModuleOrigins, OpError, Summary};
use crate::source::Source;
use crate::store::PluginCache;

/// What to install.
#[derive(Debug)]
pub struct InstallTreeRequest<'s> {
    /// The root modules, in the order of reports.
    pub roots: Vec<TreeRoot<'s>>,
    /// For which platform.
    pub platform: Platform,
    /// How each lock file binds.
    pub lock_mode: LockMode,
    /// Packages in flight at once.
    pub jobs: usize,
    /// What to install of each.
    pub kinds: Kinds,
}

/// What is installed of a root module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kinds {
    /// Modules and providers.
    #[default]
    All,
    /// `--providers-only`.
    Providers,
    /// `--modules-only`.
    Modules,
}

impl Kinds {
    /// What two flags ask for that exclude each other.
    pub fn of_flags(is_providers_only: bool, is_modules_only: bool) -> Self {
        match (is_providers_only, is_modules_only) {
            (true, _) => Self::Providers,
            (false, true) => Self::Modules,
            (false, false) => Self::All,
        }
    }
}

/// A root module of a tree.
#[derive(Debug)]
pub struct TreeRoot<'s> {
    /// What reports call it; `None` if there is no other.
    pub name: Option<String>,
    /// The root module; its tool decides how the lock file is written.
    pub module: RootModule,
    /// Where its packages come from; the same for all root modules of one tool.
    pub source: &'s dyn Source,
    /// Where its modules come from.
    pub modules: &'s ModuleOrigins,
    /// Providers under development and their directories (`dev_overrides`): they are not installed, and what is locked
    /// for them stays.
    pub overridden: &'s BTreeMap<ProviderAddr, PathBuf>,
    /// The tools' plugin cache, if the user has one.
    pub plugin_cache: Option<&'s PluginCache>,
}

impl TreeRoot<'_> {
    /// An error as reports tell it.
    pub(in crate::ops) fn told(&self, error: OpError) -> OpError {
        error.in_root("install", self.name.as_deref())
    }
}

/// What became of the root modules of a tree, in the order of the request.
#[derive(Debug, Default)]
pub struct TreeSummary {
    /// One entry for each.
    pub roots: Vec<RootOutcome>,
}

/// What became of one root module.
#[derive(Debug)]
pub struct RootOutcome {
    /// What reports call it.
    pub name: String,
    /// The tool that it was installed for.
    pub tool: Tool,
    /// Its packages and failures.
    pub summary: Summary,
}

impl TreeSummary {
    /// The summaries of all root modules.
    pub fn summaries(&self) -> impl Iterator<Item = &Summary> {
        self.roots.iter().map(|root| &root.summary)
    }

    /// The exit code of the gravest failure, `None` if all went well.
    pub fn exit_code(&self) -> Option<ExitCode> {
        let errors = self.summaries().flat_map(Summary::errors);
        ExitCode::gravest(errors.map(Failure::exit_code))
    }
}

/// Finds the root modules in `top` and below, written for `tool` or for the one that is detected.
///
/// # Errors
///
/// If there is none, or `top` cannot be looked through.
pub async fn root_modules_below(
    top: &Path,
    tool: Option<Tool>,
    environment: &Environment,
) -> Result<FoundRootModules, OpError> {
    let search = RootModuleSearch {
        top: top.to_owned(),
        tool,
        data_dir: data_dir(environment).to_owned(),
    };
    Ok(on_blocking_pool(move || find_root_modules(&search)).await?)
}

/// Installs every provider that the root modules require and writes their lock files; that of a root
/// module with a failure stays as it is (facts/providers 5.9), the others do not suffer from it.
pub async fn install_tree(fetcher: &Fetcher<'_>, request: &InstallTreeRequest<'_>) -> TreeSummary {
    let dirs = request
        .roots
        .iter()
        .map(|root| root.module.data_dir.clone());
    let dirs: Vec<PathBuf> = dirs.collect();
    on_blocking_pool(move || remove_leftovers(&dirs)).await;
    let results = install_roots(fetcher, request).await;
    let outcome = |(root, result): (&TreeRoot<'_>, Result<Summary, OpError>)| RootOutcome {
        name: root.name.clone().unwrap_or_default(),
        tool: root.module.tool,
        summary: result.unwrap_or_else(|error| Summary {
            failures: vec![root.told(error)],
            ..Summary::default()
        }),
    };
    let roots = request.roots.iter().zip(results);
    TreeSummary {
        roots: roots.map(outcome).collect(),
    }
}

/// Removes what a killed run without a cache left in data directories.
fn remove_leftovers(data_dirs: &[PathBuf]) {
    for dir in data_dirs.iter().filter(|dir| dir.is_dir()) {
        if let Err(error) = disk::remove_stale_temps(dir) {
            log::info!("{error}: {}", error.source);
        }
    }
}

/// Installs the root modules; each comes to its own result.
pub(in crate::ops) async fn install_roots(
    fetcher: &Fetcher<'_>,
    request: &InstallTreeRequest<'_>,
) -> Vec<Result<Summary, OpError>> {
    let sites = prepare(fetcher, request).await;
    let readable: Vec<_> = sites.iter().filter_map(|site| site.as_ref().ok()).collect();
    let needs = select(&readable, fetcher, request).await;
    for site in &readable {
        // Where nothing is required, the lock file may have to say so.
        site.close_if_complete().await;
    }
    install_packages(&readable, needs, fetcher, request.jobs).await;
    let sites = sites.into_iter();
    sites.map(|site| site.map(Site::into_summary)).collect()
}

/// Reads all root modules.
async fn prepare<'a>(
    fetcher: &Fetcher<'_>,
    request: &'a InstallTreeRequest<'_>,
) -> Vec<Result<Site<'a>, OpError>> {
    let mut sites = Vec::new();
    let mut installers = Vec::new();
    for root in &request.roots {
        let modules = match request.kinds {
            Kinds::Providers => Ok(None),
            Kinds::All | Kinds::Modules => {
                let installer = installer_for(root, &mut installers, fetcher, request.jobs);
                installer
                    .install(&root.module, request.lock_mode)
                    .await
                    .map(Some)
            }
        };
        let run =
            modules.and_then(|modules| RootRun::prepare(root, request, modules, fetcher.reporter));
        sites.push(run.map(Site::new));
        // Reading blocks; in between, an interruption is noticed.
        yield_now().await;
    }
    sites
}

/// The installer of modules for the origins of `root`: root modules with the same ones share it, so that each package
/// is fetched once for all of them.
fn installer_for<'i, 'a: 'i>(
    root: &'i TreeRoot<'a>,
    installers: &'i mut Vec<ModuleInstaller<'a>>,
    fetcher: &'a Fetcher<'_>,
    jobs: usize,
) -> &'i ModuleInstaller<'a> {
    let known = installers
        .iter()
        .position(|it| std::ptr::eq(it.origins(), root.modules));
    let number = known.unwrap_or_else(|| {
        installers.push(ModuleInstaller::new(root.modules, jobs, fetcher));
        installers.len() - 1
    });
    &installers[number]
}

/// Selects the packages; a root module that cannot have all of its packages gets none.
async fn select<'a>(
    sites: &[&'a Site<'a>],
    fetcher: &Fetcher<'_>,
    request: &InstallTreeRequest<'_>,
) -> Needs<'a> {
    let runs = sites.iter().enumerate();
    let questions = runs.flat_map(|(number, site)| site.run.questions(number));
    let mut selected = Vec::new();
    for ((number, addr), version) in
        select_versions(questions, request.jobs, fetcher.reporter).await
    {
        let site = sites[number];
        match version {
            Ok(version) => selected.push((site, site.run.package(addr, version))),
            Err(error) => site.fail(error),
        }
    }
    let mut needs = Needs::new();
    for (site, id) in selected {
        if site.expect_package() {
            needs.entry(id).or_default().push(site);
        }
    }
    needs
}
