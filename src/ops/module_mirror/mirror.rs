//! The run: all trees level by level, each package once.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::StreamExt;
use futures_util::stream;

use super::expected::Expected;
use super::packages::{Obtained, Packages};
use super::trip::{Start, Trip};
use super::{Dependencies, MirrorModulesRequest, MirroredModules, ModuleMirrorError};
use crate::address::{ModuleAddr, ModuleSource, RemoteModule};
use crate::config::OpenCall;
use crate::document::LockedModule;
use crate::ops::modules::origins::{joined, named_prerelease};
use crate::ops::modules::packages::{Subdir, module_dir};
use crate::ops::{
    Action, ModuleInstallError, ModuleOrigins, ModuleOutcome, OpError, Reporter, WishOptions,
};
use crate::source::ModuleFetchError;
use crate::store::MirrorStore;
use crate::version::{ModuleConstraints, ModuleVersion, Prereleases};

/// Takes modules, and all that they call, into the mirror.
pub async fn mirror_modules(
    origins: &ModuleOrigins,
    store: &MirrorStore,
    reporter: &dyn Reporter,
    request: &MirrorModulesRequest,
) -> MirroredModules {
    let packages = match Packages::new(origins, store, reporter, request) {
        Ok(packages) => packages,
        Err(error) => {
            return MirroredModules {
                outcomes: Vec::new(),
                failures: vec![error.into()],
                trips: Vec::new(),
            };
        }
    };
    let mut run = Run {
        packages,
        request,
        trips: Vec::new(),
        failures: Vec::new(),
        done: BTreeMap::new(),
        outcomes: Vec::new(),
        widened: BTreeSet::new(),
    };
    run.start(reporter).await;
    while run.advance().await {}
    run.outcomes
        .sort_by(|a, b| (&a.source, &a.version, &a.key).cmp(&(&b.source, &b.version, &b.key)));
    MirroredModules {
        outcomes: run.outcomes,
        failures: run.failures,
        trips: run.trips,
    }
}

/// By what packages are told from each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Package {
    Module(Box<ModuleAddr>, String),
    Remote(RemoteModule),
}

/// A call whose package is known.
struct Chosen {
    trip: usize,
    call: OpenCall,
    version: Option<ModuleVersion>,
    package: Package,
    subdir: Subdir,
}

/// What became of a package.
enum Fate {
    /// It is in the mirror.
    There(Obtained),
    /// It would be fetched.
    Planned,
    /// Why is told with the call that failed first.
    Failed,
}

struct Run<'r> {
    packages: Packages<'r>,
    request: &'r MirrorModulesRequest,
    trips: Vec<Trip>,
    failures: Vec<OpError>,
    /// What became of each package.
    done: BTreeMap<Package, Fate>,
    outcomes: Vec<ModuleOutcome>,
    /// Modules of which further versions were asked for.
    widened: BTreeSet<(ModuleAddr, String)>,
}

impl Run<'_> {
    async fn start(&mut self, reporter: &dyn Reporter) {
        for root in &self.request.roots {
            match Trip::of_root(root.clone(), self.request.options, reporter) {
                Ok(trip) => self.trips.push(trip),
                Err(error) => self.failures.push(error),
            }
        }
        for module in &self.request.modules {
            let constraints = module.constraints.clone().unwrap_or_default();
            match self.versions(&module.addr, &constraints).await {
                Ok(versions) => self.add_versions(&module.addr, versions),
                Err(source) => self.failures.push(OpError::ModuleVersions {
                    addr: Box::new(module.addr.clone()),
                    source: Box::new(source),
                }),
            }
        }
    }

    fn add_versions(&mut self, addr: &ModuleAddr, versions: Vec<ModuleVersion>) {
        for version in versions {
            let trip = Trip::of_version(addr, version, self.request.tool);
            self.trips.push(trip);
        }
    }

    /// The versions of a module that are wanted, newest first.
    async fn versions(
        &self,
        addr: &ModuleAddr,
        constraints: &ModuleConstraints,
    ) -> Result<Vec<ModuleVersion>, ModuleInstallError> {
        let count = match self.request.options {
            WishOptions::Default => 1,
            WishOptions::Latest(count) => count.get(),
            WishOptions::All => usize::MAX,
        };
        let origins = self.packages.origins;
        let registry = origins.registry.as_ref().ok_or(ModuleFetchError::Offline)?;
        let offered = registry.available_versions(addr).await?;
        let named = named_prerelease(self.request.tool);
        let is_wanted = |version: &&ModuleVersion| {
            let may_choose = self.request.prereleases == Prereleases::Included
                || constraints.may_choose(version, named);
            may_choose && constraints.admits(version)
        };
        let mut versions: Vec<_> = offered.versions.iter().filter(is_wanted).cloned().collect();
        versions.sort_by(|a, b| b.cmp_precedence(a));
        versions.dedup();
        versions.truncate(count);
        if versions.is_empty() {
            // The same words as for a call.
            let tool = self.request.tool;
            origins
                .select_version(addr, Some(constraints), tool)
                .await?;
        }
        Ok(versions)
    }

    /// Goes one level down; `false` at the end.
    async fn advance(&mut self) -> bool {
        let mut open = Vec::new();
        for (number, trip) in self.trips.iter_mut().enumerate() {
            open.extend(trip.walk.advance().into_iter().map(|call| (number, call)));
        }
        if open.is_empty() {
            return false;
        }
        let chosen: Vec<_> = stream::iter(open)
            .map(|(trip, call)| self.choose(trip, call))
            .buffered(self.request.jobs)
            .collect()
            .await;
        let mut resolved = Vec::new();
        for result in chosen {
            match result {
                Ok(chosen) => resolved.push(chosen),
                Err((trip, call, error)) => self.fail(trip, &call, None, error),
            }
        }
        self.widen(&resolved).await;
        let before: BTreeSet<Package> = self.done.keys().cloned().collect();
        self.obtain(&resolved).await;
        for chosen in resolved {
            if before.contains(&chosen.package)
                && let Err(error) = self.compare(&chosen).await
            {
                self.fail_chosen(&chosen, error);
                continue;
            }
            self.place(chosen).await;
        }
        true
    }

    /// Compares a package of a level above with what is locked for one more call.
    async fn compare(&self, chosen: &Chosen) -> Result<(), ModuleMirrorError> {
        let Some(Fate::There(obtained)) = self.done.get(&chosen.package) else {
            return Ok(());
        };
        let expected = Expected::of(self.locked(chosen).cloned());
        let named = self.named(chosen.trip, &chosen.call, chosen.version.as_ref());
        self.packages.compare(obtained, &expected, &named).await
    }

    fn locked(&self, chosen: &Chosen) -> Option<&LockedModule> {
        self.trips[chosen.trip].locked(&chosen.call, chosen.version.as_ref())
    }

    async fn choose(
        &self,
        trip: usize,
        call: OpenCall,
    ) -> Result<Chosen, (usize, OpenCall, ModuleMirrorError)> {
        let (version, package, subdir) = match &call.source {
            ModuleSource::Registry(module) => {
                let constraints = call.constraints.as_ref();
                let tool = self.request.tool;
                let version = if let Some(version) = self.trips[trip].fixed_version(&call) {
                    Ok(version)
                } else {
                    let origins = self.packages.origins;
                    origins
                        .select_version(&module.addr, constraints, tool)
                        .await
                };
                let version = match version {
                    Ok(version) => version,
                    Err(error) => return Err((trip, call, error.into())),
                };
                let package = Package::Module(Box::new(module.addr.clone()), version.to_string());
                (
                    Some(version),
                    package,
                    Subdir::Literal(module.subdir.clone()),
                )
            }
            ModuleSource::Remote(module) => (
                None,
                Package::Remote(module.with_subdir("")),
                Subdir::Pattern(module.subdir().to_owned()),
            ),
            ModuleSource::Local(path) => {
                let error = ModuleFetchError::NoLocal { path: path.into() };
                return Err((trip, call, error.into()));
            }
        };
        Ok(Chosen {
            trip,
            call,
            version,
            package,
            subdir,
        })
    }

    /// Further versions of what root modules call, if more than one is wanted of each.
    async fn widen(&mut self, resolved: &[Chosen]) {
        if self.request.options == WishOptions::Default {
            return;
        }
        for chosen in resolved {
            let (ModuleSource::Registry(module), Start::Root(_)) =
                (&chosen.call.source, &self.trips[chosen.trip].start)
            else {
                continue;
            };
            let constraints = chosen.call.constraints.clone().unwrap_or_default();
            let key = (module.addr.clone(), constraints.to_string());
            if self.widened.insert(key)
                && let Ok(mut versions) = self.versions(&module.addr, &constraints).await
            {
                versions.retain(|version| Some(version) != chosen.version.as_ref());
                self.add_versions(&module.addr, versions);
            }
        }
    }

    /// Takes the packages of a level into the mirror, those that are new.
    async fn obtain(&mut self, resolved: &[Chosen]) {
        let mut wanted: BTreeMap<&Package, Vec<&Chosen>> = BTreeMap::new();
        for chosen in resolved {
            if !self.done.contains_key(&chosen.package) {
                wanted.entry(&chosen.package).or_default().push(chosen);
            }
        }
        let obtained: Vec<_> = stream::iter(wanted)
            .map(|(package, calls)| {
                let run = &*self;
                async move {
                    let obtained = run.obtain_one(package, &calls).await;
                    (package.clone(), calls, obtained)
                }
            })
            .buffer_unordered(self.request.jobs)
            .collect()
            .await;
        for (package, calls, obtained) in obtained {
            let fate = match obtained {
                Ok(obtained) => {
                    self.outcomes.push(outcome(calls[0], obtained.action));
                    if obtained.action == Action::WouldFetch {
                        Fate::Planned
                    } else {
                        Fate::There(obtained)
                    }
                }
                Err(error) => {
                    self.fail_chosen(self.blamed(&calls, &error), error);
                    Fate::Failed
                }
            };
            self.done.insert(package, fate);
        }
    }

    /// The call that an error is told with: that whose lock refuses the package, or the first.
    fn blamed<'c>(&self, calls: &[&'c Chosen], error: &ModuleMirrorError) -> &'c Chosen {
        let refused = error.mismatch().map(|mismatch| &mismatch.locked);
        let is_refused = |chosen: &&&Chosen| refused.is_some() && self.locked(chosen) == refused;
        calls.iter().find(is_refused).unwrap_or(&calls[0])
    }

    async fn obtain_one(
        &self,
        package: &Package,
        calls: &[&Chosen],
    ) -> Result<Obtained, ModuleMirrorError> {
        let chosen = calls[0];
        let named = self.named(chosen.trip, &chosen.call, chosen.version.as_ref());
        let locked = calls.iter().filter_map(|chosen| self.locked(chosen));
        let expected = Expected::of(locked.cloned());
        let obtained = match (package, &chosen.version) {
            (Package::Module(addr, _), Some(version)) => {
                self.packages.module(addr, version, &expected).await
            }
            // What was fetched has no say in what of this machine is read or passed on.
            (Package::Remote(module), _)
                if module.is_on_disk() && self.packages.is_fetched(&chosen.call.place) =>
            {
                Err(ModuleMirrorError::OnDisk)
            }
            (Package::Remote(module), _) => {
                self.packages.remote(module, &expected, &named, 0).await
            }
            (Package::Module(addr, _), None) => {
                let path = addr.to_string().into();
                Err(ModuleFetchError::NoLocal { path }.into())
            }
        }?;
        if obtained.action == Action::Mirrored {
            self.packages.reporter.note(&format!("mirrored {named}"));
        }
        Ok(obtained)
    }

    /// Tells the tree where the module of a call is; or gives it up, as its package failed.
    async fn place(&mut self, chosen: Chosen) {
        let Chosen {
            trip,
            call,
            version,
            package,
            subdir,
        } = chosen;
        match self.done.get(&package) {
            Some(Fate::There(..)) if self.request.dependencies == Dependencies::LeftOut => {
                self.trips[trip].walk.give_up(&call.key);
            }
            Some(Fate::There(Obtained { dir, prefix, .. })) => {
                let subdir = match subdir {
                    Subdir::Literal(subdir) => Subdir::Literal(joined(prefix, &subdir)),
                    Subdir::Pattern(subdir) => Subdir::Pattern(subdir),
                };
                match module_dir(dir.clone(), subdir).await {
                    Ok(found) => {
                        let module = dir.join(found.trim_start_matches('/'));
                        let version = version.as_ref();
                        self.trips[trip].place(&call, dir, &module, version);
                    }
                    Err(error) => self.fail(trip, &call, version.as_ref(), error.into()),
                }
            }
            Some(Fate::Planned | Fate::Failed) | None => self.trips[trip].give_up(&call),
        }
    }

    /// How messages name a call.
    fn named(&self, trip: usize, call: &OpenCall, version: Option<&ModuleVersion>) -> String {
        let place = self.packages.shown_place(&call.place);
        self.trips[trip].named(call, version, &place)
    }

    fn fail_chosen(&mut self, chosen: &Chosen, source: ModuleMirrorError) {
        self.fail(chosen.trip, &chosen.call, chosen.version.as_ref(), source);
    }

    fn fail(
        &mut self,
        trip: usize,
        call: &OpenCall,
        version: Option<&ModuleVersion>,
        source: ModuleMirrorError,
    ) {
        let error = OpError::ModuleMirror {
            named: self.named(trip, call, version),
            source: Box::new(source),
        };
        self.trips[trip].give_up(call);
        self.outcomes.push(ModuleOutcome {
            key: call.key.clone(),
            source: call.source.shown(),
            version: version.map(ToString::to_string),
            action: Action::Failed,
            error: Some(error),
            root: None,
        });
    }
}

fn outcome(chosen: &Chosen, action: Action) -> ModuleOutcome {
    let source = match &chosen.package {
        Package::Module(addr, _) => addr.to_string(),
        Package::Remote(module) => module.shown(),
    };
    ModuleOutcome {
        key: chosen.call.key.clone(),
        source,
        version: chosen.version.as_ref().map(ToString::to_string),
        action,
        error: None,
        root: None,
    }
}
