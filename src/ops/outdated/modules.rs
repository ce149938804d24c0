//! `outdated` for modules: the calls of modules of registries, and what their registries offer.
//!
//! A call is compared with the version that the module lock has for it, which `install` takes, else with the one that is
//! installed. A module that is neither locked nor installed is not behind: the next installation chooses the newest
//! version anyway.

use std::cmp::Ordering;

use crate::address::{ModuleAddr, ModuleSource, Tool};
use crate::document::{ModuleLock, ModuleVersionsAnswer};
use crate::ops::modules::origins::named_prerelease;
use crate::ops::root_requirements::CalledModule;
use crate::ops::{ModuleInstallError, ModuleOrigins, OpError};
use crate::source::ModuleFetchError;
use crate::version::{ModuleConstraints, ModuleVersion, NamedPrerelease};

/// A call of a module of a registry, and its versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutdatedModule {
    /// The module's address, with its directory in the package.
    pub source: String,
    /// The names of the calls from the root module, joined with `.`.
    pub key: String,
    /// The root module, if there are several.
    pub root: Option<String>,
    /// The version in the module lock, whether or not the call still allows it.
    pub locked: Option<ModuleVersion>,
    /// The installed version.
    pub installed: Option<ModuleVersion>,
    /// The newest version that the call allows.
    pub allowed: Option<ModuleVersion>,
    /// The newest version that is no prerelease.
    pub newest: Option<ModuleVersion>,
    /// The newest prerelease, if it is newer than that and than what is locked or installed.
    pub newer_prerelease: Option<ModuleVersion>,
    /// What the call requires, as written; may be empty.
    pub constraints: String,
}

impl OutdatedModule {
    fn new(asker: &Asker, answer: &ModuleVersionsAnswer, named: NamedPrerelease) -> Self {
        let offered = &answer.versions;
        let newest = ModuleConstraints::default().select(offered, named);
        let prereleases = offered.iter().filter(|version| version.is_prerelease());
        let prerelease = prereleases.max_by(|a, b| a.cmp_precedence(b));
        let is_above = |version: &ModuleVersion, other: Option<&ModuleVersion>| {
            other.is_none_or(|other| version.cmp_precedence(other) == Ordering::Greater)
        };
        let current = asker.locked.as_ref().or(asker.installed.as_ref());
        let is_newer = |it: &&ModuleVersion| is_above(it, newest) && is_above(it, current);
        Self {
            source: asker.source.clone(),
            key: asker.key.clone(),
            root: asker.root.clone(),
            locked: asker.locked.clone(),
            installed: asker.installed.clone(),
            allowed: asker.constraints.select(offered, named).cloned(),
            newest: newest.cloned(),
            newer_prerelease: prerelease.filter(is_newer).cloned(),
            constraints: asker.constraints.to_string(),
        }
    }

    /// What the next installation goes by: the locked version, else the installed one.
    pub fn current(&self) -> Option<&ModuleVersion> {
        self.locked.as_ref().or(self.installed.as_ref())
    }

    /// Whether another version than the current one would be chosen anew.
    pub fn is_behind(&self) -> bool {
        self.current().is_some_and(|current| {
            let is_same = |it: &ModuleVersion| it.cmp_precedence(current) == Ordering::Equal;
            !self.allowed.as_ref().is_some_and(is_same)
        })
    }

    /// In what order modules are told.
    pub(in crate::ops) fn order(&self) -> impl Ord + '_ {
        (&self.source, &self.root, &self.key)
    }
}

/// A module of one tool's registries, and the calls of it.
pub(in crate::ops) struct ModuleQuestion<'s> {
    addr: ModuleAddr,
    tool: Tool,
    origins: &'s ModuleOrigins,
    askers: Vec<Asker>,
}

/// A call of a module.
pub(in crate::ops) struct Asker {
    source: String,
    key: String,
    root: Option<String>,
    constraints: ModuleConstraints,
    locked: Option<ModuleVersion>,
    installed: Option<ModuleVersion>,
}

impl Asker {
    /// The call as one that asks a registry, and the module that it asks for; `None` if its module comes from
    /// elsewhere. `lock` is that of its root module.
    pub(in crate::ops) fn of(
        called: CalledModule,
        lock: &ModuleLock,
        root: Option<&String>,
    ) -> Option<(ModuleAddr, Self)> {
        let CalledModule { call, installed } = called;
        let locked = lock.calls.get(&call.key);
        let locked = locked.filter(|it| it.source == call.source.shown());
        let ModuleSource::Registry(module) = call.source else {
            return None;
        };
        let asker = Self {
            source: module.to_string(),
            key: call.key,
            root: root.cloned(),
            constraints: call.constraints.unwrap_or_default(),
            locked: locked.and_then(|it| it.version.clone()),
            installed,
        };
        Some((module.addr, asker))
    }
}

impl<'s> ModuleQuestion<'s> {
    pub(in crate::ops) fn new(addr: ModuleAddr, tool: Tool, origins: &'s ModuleOrigins) -> Self {
        let askers = Vec::new();
        Self {
            addr,
            tool,
            origins,
            askers,
        }
    }

    pub(in crate::ops) fn add(&mut self, asker: Asker) {
        self.askers.push(asker);
    }

    /// Asks the registry for the versions.
    pub(in crate::ops) async fn ask(self) -> Result<Vec<OutdatedModule>, OpError> {
        let answer = match &self.origins.registry {
            Some(registry) => registry.available_versions(&self.addr).await,
            None => return Err(self.failed(ModuleFetchError::Offline.into())),
        };
        let answer = answer.map_err(|source| self.failed(source.into()))?;
        let named = named_prerelease(self.tool);
        let row = |asker: &Asker| OutdatedModule::new(asker, &answer, named);
        Ok(self.askers.iter().map(row).collect())
    }

    fn failed(&self, source: ModuleInstallError) -> OpError {
        OpError::ModuleVersions {
            addr: Box::new(self.addr.clone()),
            source: Box::new(source),
        }
    }
}
