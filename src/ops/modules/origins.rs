//! Where modules come from: the version of a call, and the place of its package (facts/modules 2.3, 3.4).

use crate::address::{ModuleAddr, ModuleSource, RegistryModule, Tool, clean_path};
use crate::config::OpenCall;
use crate::document::LockedModule;
use crate::http::RetryPolicy;
use crate::ops::ModuleInstallError;
use crate::ops::modules::packages::{PackageOrigin, Subdir};
use crate::ops::modules::releases::{FoundRelease, cached_release, locked_release, note_release};
use crate::package::ModuleLimits;
use crate::registry::{ModuleLocation, ModuleRegistryClient};
use crate::source::{GitProgram, ModuleFetchError, ModuleGetter};
use crate::store::ModuleReleases;
use crate::version::{ModuleConstraints, ModuleVersion, NamedPrerelease};

/// What modules are installed with.
#[derive(Debug)]
pub struct ModuleOrigins {
    /// The client of registries; `None` under `--offline`.
    pub registry: Option<ModuleRegistryClient>,
    /// The getters.
    pub getter: ModuleGetter,
}

/// A call whose package is known.
pub(in crate::ops) struct Resolved {
    pub(in crate::ops) call: OpenCall,
    pub(in crate::ops) version: Option<ModuleVersion>,
    pub(in crate::ops) origin: PackageOrigin,
    pub(in crate::ops) subdir: Subdir,
}

impl ModuleOrigins {
    /// Origins that make no request: local directories and archives alone.
    pub fn offline(tool: Tool) -> Self {
        Self {
            registry: None,
            getter: ModuleGetter {
                http: None,
                retry: RetryPolicy::none(),
                tool,
                limits: ModuleLimits::default(),
                git: GitProgram::default(),
            },
        }
    }

    /// Chooses the version, unless one is `locked`, and asks where the package is, unless the cache has the locked one.
    pub(in crate::ops) async fn resolve(
        &self,
        call: OpenCall,
        locked: Option<&LockedModule>,
        tool: Tool,
        releases: Option<&ModuleReleases>,
    ) -> Result<Resolved, (OpenCall, ModuleInstallError)> {
        let result = match &call.source {
            ModuleSource::Registry(module) => {
                let constraints = call.constraints.as_ref();
                self.resolve_registry(module, constraints, locked, tool, releases)
                    .await
            }
            ModuleSource::Remote(module) => Ok((
                None,
                PackageOrigin::Source(module.with_subdir("")),
                Subdir::Pattern(module.subdir().to_owned()),
            )),
            ModuleSource::Local(path) => {
                Err(ModuleFetchError::NoLocal { path: path.into() }.into())
            }
        };
        match result {
            Ok((version, origin, subdir)) => Ok(Resolved {
                call,
                version,
                origin,
                subdir,
            }),
            Err(error) => Err((call, error)),
        }
    }

    pub(in crate::ops) async fn resolve_registry(
        &self,
        module: &RegistryModule,
        constraints: Option<&ModuleConstraints>,
        locked: Option<&LockedModule>,
        tool: Tool,
        releases: Option<&ModuleReleases>,
    ) -> Result<FoundRelease, ModuleInstallError> {
        if let (Some(locked), Some(releases)) = (locked, releases)
            && let Some(found) = locked_release(module, locked, tool, releases).await
        {
            return Ok(found);
        }
        let locked = locked.and_then(|locked| locked.version.as_ref());
        if self.registry.is_none() {
            return cached_release(module, constraints, locked, tool, releases).await;
        }
        let addr = &module.addr;
        let version = match locked {
            Some(locked) => locked.clone(),
            None => self.select_version(addr, constraints, tool).await?,
        };
        let (origin, inner) = self.locate(addr, &version, tool).await?;
        if let Some(releases) = releases {
            note_release(releases, (addr, &version), tool, &origin, &inner).await;
        }
        // The location's directory first, then the call's (facts 2.3).
        let subdir = joined(&inner, &module.subdir);
        Ok((Some(version), origin, Subdir::Literal(subdir)))
    }

    /// The version that the constraints choose of those that the registry offers.
    ///
    /// # Errors
    ///
    /// If the registry cannot answer, or offers none that will do.
    pub(in crate::ops) async fn select_version(
        &self,
        addr: &ModuleAddr,
        constraints: Option<&ModuleConstraints>,
        tool: Tool,
    ) -> Result<ModuleVersion, ModuleInstallError> {
        let registry = self.registry.as_ref().ok_or(ModuleFetchError::Offline)?;
        let offered = registry.available_versions(addr).await?;
        let constraints = constraints.cloned().unwrap_or_default();
        let named = named_prerelease(tool);
        if let Some(version) = constraints.select(&offered.versions, named) {
            return Ok(version.clone());
        }
        let newest = ModuleConstraints::default()
            .select(&offered.versions, named)
            .cloned();
        let addr = Box::new(addr.clone());
        Err(ModuleInstallError::NoMatchingVersion {
            addr,
            constraints,
            newest,
        })
    }

    /// Where the package of a version is, and the directory in it that is the module.
    ///
    /// # Errors
    ///
    /// If the registry cannot answer, or names what it may not.
    pub(in crate::ops) async fn locate(
        &self,
        addr: &ModuleAddr,
        version: &ModuleVersion,
        tool: Tool,
    ) -> Result<(PackageOrigin, String), ModuleInstallError> {
        let registry = self.registry.as_ref().ok_or(ModuleFetchError::Offline)?;
        let location = registry.location(addr, version, tool).await?;
        Ok(match &*location {
            ModuleLocation::Source(remote) => (
                PackageOrigin::Source(remote.with_subdir("")),
                remote.subdir().to_owned(),
            ),
            ModuleLocation::Direct(archive) => {
                (PackageOrigin::Direct(archive.clone()), String::new())
            }
        })
    }
}

/// How constraints name prereleases for `tool`.
pub(in crate::ops) fn named_prerelease(tool: Tool) -> NamedPrerelease {
    match tool {
        Tool::Terraform => NamedPrerelease::Bare,
        Tool::Tofu => NamedPrerelease::WithV,
    }
}

pub(in crate::ops) fn joined(first: &str, second: &str) -> String {
    match (first, second) {
        (first, "") => first.to_owned(),
        ("", second) => second.to_owned(),
        (first, second) => clean_path(&format!("{first}/{second}")),
    }
}
