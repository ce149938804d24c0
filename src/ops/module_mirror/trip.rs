//! One tree of modules on its way into the mirror: that of a root module, or of one version of a module.

use std::path::Path;

use crate::address::{ModuleAddr, ModuleSource, RegistryModule, Tool};
use crate::config::{CallPlace, ModuleWalk, OpenCall, RootModule};
use crate::disk;
use crate::document::{LockedModule, ModuleLock};
use crate::ops::modules::binding::{locked_for, read_module_lock};
use crate::ops::modules::install::start_walk;
use crate::ops::root_requirements::Completeness;
use crate::ops::{OpError, Reporter, WishOptions};
use crate::version::ModuleVersion;

/// Where packages of registries keep the modules that callers may name in them.
const SUBMODULES: &str = "modules";

/// A tree of modules.
pub(super) struct Trip {
    pub(super) walk: ModuleWalk,
    pub(super) start: Start,
    pub(super) completeness: Completeness,
    /// The module lock of a root module.
    lock: Option<ModuleLock>,
    options: WishOptions,
}

/// What the tree begins with.
pub(super) enum Start {
    /// The calls of a root module.
    Root(Box<RootModule>),
    /// A version of a module, and the modules in it that callers may name.
    Version(Box<ModuleAddr>, ModuleVersion),
}

impl Trip {
    /// The tree of a root module, at the locked versions where no option asks for more.
    pub(super) fn of_root(
        root: RootModule,
        options: WishOptions,
        reporter: &dyn Reporter,
    ) -> Result<Self, OpError> {
        let lock = read_module_lock(&root.dir)?;
        Ok(Self {
            lock,
            options,
            walk: start_walk(&root, reporter)?,
            start: Start::Root(Box::new(root)),
            completeness: Completeness::Whole,
        })
    }

    /// The tree of a version of a module.
    pub(super) fn of_version(addr: &ModuleAddr, version: ModuleVersion, tool: Tool) -> Self {
        let mut walk = ModuleWalk::of_calls(tool);
        walk.open(seed(addr, ""));
        Self {
            walk,
            start: Start::Version(Box::new(addr.clone()), version),
            completeness: Completeness::Whole,
            lock: None,
            options: WishOptions::Default,
        }
    }

    /// The version of a call that is not to be chosen: that which the tree begins with, or the locked one.
    pub(super) fn fixed_version(&self, call: &OpenCall) -> Option<ModuleVersion> {
        match &self.start {
            Start::Version(addr, version) if call.key == addr.to_string() => Some(version.clone()),
            Start::Root(_) if self.options == WishOptions::Default => {
                locked_for(self.lock.as_ref()?, call)?.version.clone()
            }
            Start::Version(..) | Start::Root(_) => None,
        }
    }

    /// What is locked for a call, if that is of the version that was chosen.
    pub(super) fn locked(
        &self,
        call: &OpenCall,
        version: Option<&ModuleVersion>,
    ) -> Option<&LockedModule> {
        let locked = locked_for(self.lock.as_ref()?, call)?;
        (locked.version.as_ref() == version).then_some(locked)
    }

    /// How messages name a call of which `version` was chosen, and which stands at `place`.
    pub(super) fn named(
        &self,
        call: &OpenCall,
        version: Option<&ModuleVersion>,
        place: &str,
    ) -> String {
        if let Start::Version(addr, version) = &self.start
            && call.key == addr.to_string()
        {
            return format!("module `{addr}` {version}");
        }
        let shown = |version: &ModuleVersion| format!(" {version}");
        let (source, version) = (call.source.shown(), version.map(shown).unwrap_or_default());
        match call.key.rsplit_once('.') {
            // A place in a package is none that the user has.
            Some((caller, name)) if self.is_fetched(caller) => {
                let (key, of) = match &self.start {
                    Start::Root(_) => (&*call.key, String::new()),
                    Start::Version(addr, version) if caller == addr.to_string() => {
                        (name, shown(version))
                    }
                    Start::Version(..) => (name, String::new()),
                };
                format!(
                    "module `{key}` from `{source}`{version} ({place} in module `{caller}`{of})"
                )
            }
            Some(_) | None => format!("module `{}` from `{source}`{version} ({place})", call.key),
        }
    }

    /// Whether a module, or one that leads to it, is from elsewhere.
    fn is_fetched(&self, key: &str) -> bool {
        let is_prefix = |other: &str| {
            let rest = key.strip_prefix(other);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let mut above = self.walk.modules.iter().filter(|(key, _)| is_prefix(key));
        above.any(|(_, module)| {
            let source = module.source.as_ref();
            source.is_some_and(|source| !matches!(source, ModuleSource::Local(_)))
        })
    }

    /// Tells that the module of a call is in `dir` of `package`; `version` if a registry has it. Blocks.
    pub(super) fn place(
        &mut self,
        call: &OpenCall,
        package: &Path,
        dir: &Path,
        version: Option<&ModuleVersion>,
    ) {
        let text = dir.to_string_lossy();
        self.walk
            .place_in(&call.key, package, text, version.cloned());
        if let Start::Version(addr, _) = &self.start
            && call.key == addr.to_string()
        {
            let addr = addr.clone();
            self.place_submodules(&addr, package, dir, version);
        }
    }

    fn place_submodules(
        &mut self,
        addr: &ModuleAddr,
        package: &Path,
        dir: &Path,
        version: Option<&ModuleVersion>,
    ) {
        let mut names = disk::file_names(&dir.join(SUBMODULES)).unwrap_or_default();
        names.sort_unstable();
        for name in names.iter().filter(|name| !name.starts_with('.')) {
            let dir = dir.join(SUBMODULES).join(name);
            if dir.is_dir() {
                let call = seed(addr, &format!("{SUBMODULES}/{name}"));
                let key = call.key.clone();
                self.walk.open(call);
                let text = dir.to_string_lossy();
                self.walk.place_in(&key, package, text, version.cloned());
            }
        }
    }

    /// Gives a call up; why is told elsewhere.
    pub(super) fn give_up(&mut self, call: &OpenCall) {
        self.walk.give_up(&call.key);
        self.completeness = Completeness::ModulesMissing;
    }
}

/// A call of a module that nobody wrote.
fn seed(addr: &ModuleAddr, subdir: &str) -> OpenCall {
    let module = RegistryModule {
        addr: addr.clone(),
        subdir: subdir.to_owned(),
    };
    OpenCall {
        key: module.to_string(),
        source: ModuleSource::Registry(module),
        constraints: None,
        place: CallPlace {
            file: "command line".into(),
            line: 1,
        },
    }
}
