//! What versions of registries' modules the package cache has, for `--offline`.

use crate::address::{ModuleAddr, RegistryModule, Tool};
use crate::ops::ModuleInstallError;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::modules::origins::{joined, named_prerelease};
use crate::ops::modules::packages::{PackageOrigin, Subdir};
use crate::source::ModuleFetchError;
use crate::store::{ModuleRelease, ModuleReleases};
use crate::version::{ModuleConstraints, ModuleVersion};

/// Chooses among the versions whose packages are cached, as among those of a registry.
///
/// # Errors
///
/// If none of them will do.
pub(in crate::ops) async fn cached_release(
    module: &RegistryModule,
    constraints: Option<&ModuleConstraints>,
    locked: Option<&ModuleVersion>,
    tool: Tool,
    releases: Option<&ModuleReleases>,
) -> Result<(Option<ModuleVersion>, PackageOrigin, Subdir), ModuleInstallError> {
    let releases = releases.cloned().ok_or(ModuleFetchError::Offline)?;
    let addr = module.addr.clone();
    let known = on_blocking_pool(move || releases.of(&addr, tool)).await;
    let known = known.unwrap_or_else(|error| {
        log::warn!("the package cache cannot be read: {error}");
        Vec::new()
    });
    let (versions, found): (Vec<_>, Vec<_>) = known.into_iter().unzip();
    let constraints = constraints.cloned().unwrap_or_default();
    let newest = || constraints.select(&versions, named_prerelease(tool));
    let chosen = locked.or_else(newest);
    let number = chosen.and_then(|chosen| versions.iter().position(|it| it == chosen));
    let number = number.ok_or(ModuleFetchError::Offline)?;
    let release = &found[number];
    let origin = PackageOrigin::Cached {
        key: release.key,
        source: release.source.clone(),
    };
    let subdir = joined(&release.subdir, &module.subdir);
    let version = versions[number].clone();
    Ok((Some(version), origin, Subdir::Literal(subdir)))
}

/// Remembers what a registry said, for the day when it cannot be asked. It is no failure if that cannot be written.
pub(in crate::ops) async fn note_release(
    releases: &ModuleReleases,
    (addr, version): (&ModuleAddr, &ModuleVersion),
    tool: Tool,
    origin: &PackageOrigin,
    subdir: &str,
) {
    let release = ModuleRelease {
        key: origin.key(),
        source: origin.shown(),
        subdir: subdir.to_owned(),
    };
    let (releases, addr, version) = (releases.clone(), addr.clone(), version.clone());
    let noted = on_blocking_pool(move || releases.note(&addr, tool, &version, &release)).await;
    if let Err(error) = noted {
        log::info!("{error}");
    }
}
