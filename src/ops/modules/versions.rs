//! `versions` for modules: what a registry offers.

use crate::address::{ModuleAddr, Tool};
use crate::config::ModuleRequest;
use crate::ops::modules::origins::named_prerelease;
use crate::ops::{ModuleInstallError, ModuleOrigins, OpError};
use crate::source::ModuleFetchError;
use crate::version::{ModuleConstraints, ModuleVersion};

/// What a registry offers of one module, newest first.
#[derive(Debug)]
pub struct ListedModuleVersions {
    /// The module.
    pub addr: ModuleAddr,
    /// The versions that meet the constraints.
    pub versions: Vec<ModuleVersion>,
}

/// Lists the versions of the requested module that meet its constraints; without constraints all,
/// prereleases too.
///
/// # Errors
///
/// If the registry cannot answer, or nothing meets the constraints.
pub async fn list_module_versions(
    origins: &ModuleOrigins,
    request: &ModuleRequest,
    tool: Tool,
) -> Result<ListedModuleVersions, OpError> {
    let listed = list(origins, request, tool).await;
    listed.map_err(|source| OpError::ModuleVersions {
        addr: Box::new(request.addr.clone()),
        source: Box::new(source),
    })
}

async fn list(
    origins: &ModuleOrigins,
    request: &ModuleRequest,
    tool: Tool,
) -> Result<ListedModuleVersions, ModuleInstallError> {
    let registry = origins.registry.as_ref().ok_or(ModuleFetchError::Offline)?;
    let answer = registry.available_versions(&request.addr).await?;
    let named = named_prerelease(tool);
    let is_wanted = |version: &&ModuleVersion| match &request.constraints {
        None => true,
        Some(wanted) => wanted.may_choose(version, named) && wanted.admits(version),
    };
    let mut versions: Vec<_> = answer.versions.iter().filter(is_wanted).cloned().collect();
    let by_text = |a: &ModuleVersion, b: &ModuleVersion| a.to_string().cmp(&b.to_string());
    versions.sort_by(|a, b| b.cmp_precedence(a).then_with(|| by_text(a, b)));
    versions.dedup();
    if versions.is_empty() {
        let newest = ModuleConstraints::default()
            .select(&answer.versions, named)
            .cloned();
        return Err(ModuleInstallError::NoMatchingVersion {
            addr: Box::new(request.addr.clone()),
            constraints: request.constraints.clone().unwrap_or_default(),
            newest,
        });
    }
    Ok(ListedModuleVersions {
        addr: request.addr.clone(),
        versions,
    })
}
