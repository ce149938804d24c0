//! `install` with the address of a module: its files, in a directory of their own.

use std::path::{Path, PathBuf};

use crate::address::{RegistryModule, Tool, leaves_package};
use crate::disk::{self, DiskError, TempDir};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::modules::packages::{ModulePackages, module_dir};
use crate::ops::{
    Action, Fetcher, ModuleInstallError, ModuleOrigins, ModuleOutcome, OpError, Summary,
};
use crate::source::ModuleFetchError;
use crate::version::{ModuleConstraints, ModuleVersion};

/// What git keeps in a clone, and no file of the module.
const OF_GIT: &str = ".git";

/// What to install.
#[derive(Debug, Clone)]
pub struct InstallModuleRequest {
    /// The module, and its directory in the package.
    pub module: RegistryModule,
    /// Which versions; `None` means any.
    pub constraints: Option<ModuleConstraints>,
    /// The directory for its files, empty or absent.
    pub dir: PathBuf,
    /// For which tool.
    pub tool: Tool,
}

/// Puts the files of the newest matching version into the directory.
///
/// # Errors
///
/// If the directory has something in it, or the module cannot be had; the directory is then as it was.
pub async fn install_module(
    origins: &ModuleOrigins,
    fetcher: &Fetcher<'_>,
    request: &InstallModuleRequest,
) -> Result<Summary, OpError> {
    let dir = request.dir.clone();
    let is_free = on_blocking_pool(move || disk::is_free_for_dir(&dir)).await?;
    if !is_free {
        let dir = request.dir.clone();
        return Err(OpError::DirectoryInUse { dir });
    }
    let source = request.module.to_string();
    let installed = install(origins, fetcher, request).await;
    if let Err(ModuleInstallError::Fetch(ModuleFetchError::Disk(error))) = &installed
        && is_about_other_entries(error)
    {
        let dir = request.dir.clone();
        return Err(OpError::DirectoryInUse { dir });
    }
    let version = installed.map_err(|error| OpError::ModuleAddress {
        addr: source.clone(),
        source: Box::new(error),
    })?;
    let shown = version.as_ref().map(ToString::to_string);
    let (numbered, dir) = (shown.clone().unwrap_or_default(), request.dir.display());
    let note = format!("installed module `{source}` {numbered} into `{dir}`");
    fetcher.reporter.note(&note);
    let outcome = ModuleOutcome {
        key: String::new(),
        source,
        version: shown,
        action: Action::Installed,
        error: None,
        root: None,
    };
    Ok(Summary {
        modules: vec![outcome],
        ..Summary::default()
    })
}

async fn install(
    origins: &ModuleOrigins,
    fetcher: &Fetcher<'_>,
    request: &InstallModuleRequest,
) -> Result<Option<ModuleVersion>, ModuleInstallError> {
    let subdir = request.module.subdir.clone();
    if leaves_package(&subdir) {
        return Err(ModuleFetchError::SubdirOutside { subdir }.into());
    }
    let packages = ModulePackages::new(origins, fetcher.cache, fetcher.reporter);
    let (constraints, tool) = (request.constraints.as_ref(), request.tool);
    let found = origins.resolve_registry(
        &request.module,
        constraints,
        None,
        tool,
        packages.releases(),
    );
    let (version, origin, subdir) = found.await?;
    let staged = {
        let dir = request.dir.clone();
        on_blocking_pool(move || {
            disk::staging_for_dir(&dir).inspect(|staged| remove_leftovers(staged.path()))
        })
        .await?
    };
    let package = staged.path().join("package");
    packages.place(&origin, &package, None).await?;
    let subdir = module_dir(package.clone(), subdir).await?;
    let dir = request.dir.clone();
    on_blocking_pool(move || place(&staged, &package, &subdir, &dir)).await?;
    Ok(version)
}

/// Whether somebody else has filled the directory in the meantime.
fn is_about_other_entries(error: &DiskError) -> bool {
    use std::io::ErrorKind::{AlreadyExists, DirectoryNotEmpty};
    matches!(error.source.kind(), AlreadyExists | DirectoryNotEmpty)
}

/// Removes what killed runs left beside `staged`.
fn remove_leftovers(staged: &Path) {
    if let Some(Err(error)) = staged.parent().map(disk::remove_stale_temps) {
        log::info!("{error}: {}", error.source);
    }
}

/// Puts the module of a package into `dir`, without what only made sense in the package.
fn place(
    staged: &TempDir,
    package: &Path,
    subdir: &str,
    dir: &Path,
) -> Result<(), ModuleFetchError> {
    let module = package.join(subdir.trim_start_matches('/'));
    // The directory may be a link in the package.
    let module = module
        .canonicalize()
        .map_err(DiskError::on("read", &module))?;
    disk::detach(package, &module)?;
    disk::remove_dir_all(&module.join(OF_GIT))?;
    Ok(disk::fill_dir(staged, &module, dir)?)
}
