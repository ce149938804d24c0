//! What the package cache knows of registries' modules: a locked package without asking anybody, and under `--offline` the
//! versions that there are.

use crate::address::{ModuleAddr, RegistryModule, Tool};
use crate::document::LockedModule;
use crate::ops::ModuleInstallError;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::modules::origins::{joined, named_prerelease};
use crate::ops::modules::packages::{PackageOrigin, RegistryRelease, Subdir};
use crate::source::ModuleFetchError;
use crate::store::{ModuleRelease, ModuleReleases};
use crate::version::{ModuleConstraints, ModuleVersion};

/// A version that was found: which, where its package is, and where in that the module is.
pub(in crate::ops) type FoundRelease = (Option<ModuleVersion>, PackageOrigin, Subdir);

/// The locked version, if the cache has the very package that is locked: then its registry has nothing to add.
pub(in crate::ops) async fn locked_release(
    module: &RegistryModule,
    locked: &LockedModule,
    tool: Tool,
    releases: &ModuleReleases,
) -> Option<FoundRelease> {
    let version = locked.version.clone()?;
    let (releases, addr) = (releases.clone(), module.addr.clone());
    let (wanted, identity) = (version.clone(), locked.identity.clone());
    let release = on_blocking_pool(move || {
        let release = releases.find(&addr, tool, &wanted)?;
        releases.holds(&release, &identity).then_some(release)
    });
    Some(found(module, version, &release.await?, tool))
}

fn found(
    module: &RegistryModule,
    version: ModuleVersion,
    release: &ModuleRelease,
    tool: Tool,
) -> FoundRelease {
    let origin = PackageOrigin::Cached {
        key: release.key,
        source: release.source.clone(),
        release: Box::new(RegistryRelease {
            addr: module.addr.clone(),
            version: version.clone(),
            tool,
        }),
    };
    let subdir = joined(&release.subdir, &module.subdir);
    (Some(version), origin, Subdir::Literal(subdir))
}

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
) -> Result<FoundRelease, ModuleInstallError> {
    let releases = releases.cloned().ok_or(ModuleFetchError::Offline)?;
    let addr = module.addr.clone();
    let known = on_blocking_pool(move || releases.of(&addr, tool)).await;
    let known = known.unwrap_or_else(|error| {
        log::warn!("the package cache cannot be read: {error}");
        Vec::new()
    });
    let (versions, known): (Vec<_>, Vec<_>) = known.into_iter().unzip();
    let constraints = constraints.cloned().unwrap_or_default();
    let newest = || constraints.select(&versions, named_prerelease(tool));
    let chosen = locked.or_else(newest);
    let number = chosen.and_then(|chosen| versions.iter().position(|it| it == chosen));
    let number = number.ok_or(ModuleFetchError::Offline)?;
    Ok(found(
        module,
        versions[number].clone(),
        &known[number],
        tool,
    ))
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
