//! The walk over a whole tree of modules (facts/modules 3.1, 3.3, 5).
//!
//! The walk reads directories; who obtains modules from elsewhere stands above it: [`ModuleWalk::advance`] reads
//! what is there and returns the calls whose directories are not known yet, [`ModuleWalk::place`] tells one.
//! [`ModuleWalk::run`] does both with a callback. A call that cannot be followed is a failure of its own and
//! stops no other.
//!
//! Configurations of strangers are walked. Attacks known, and the answer to each:
//! - *Modules that call each other in a circle*, on which the tools recurse until names are too long: a module is
//!   compared with all that lead to it, by source and by directory.
//! - *Circles that change their source at each turn*, and trees that double at each level: refused beyond
//!   [`MAX_DEPTH`] levels and [`MAX_MODULES`] modules.
//! - *A fetched module that calls directories beside its package*, to have them read: refused, as by the tools, where
//!   the package is known ([`ModuleWalk::place_in`]).
//! - *Hostile configuration*: read by [`scan`](crate::config::scan), which has its own limits.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};

use crate::address::{ModuleSource, ProviderAddr, Tool, clean_path};
use crate::config::module_problem::{CallPlace, ModuleFailure, ModuleProblem};
use crate::config::scan::{
    CallSource, ModuleCall, ModuleKind, ModuleScan, ScanError, StaticInputs, StaticValue,
    scan_module_with,
};
use crate::disk;
use crate::document::spawn_deep;
use crate::version::{ModuleConstraints, ModuleVersion, VersionConstraints};

/// How many modules may lead to one.
pub const MAX_DEPTH: usize = 64;

/// How many modules a tree may have.
pub const MAX_MODULES: usize = 20_000;

/// A call whose module is not on disk as far as the walk knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCall {
    /// The names of the calls from the root, joined with `.`.
    pub key: String,
    /// The source, a registry's or a remote one.
    pub source: ModuleSource,
    /// The version constraint; `None` where the call has no `version`.
    pub constraints: Option<ModuleConstraints>,
    /// Where the call stands.
    pub place: CallPlace,
}

/// A module of the tree that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeModule {
    /// The source of its call; `None` for the root.
    pub source: Option<ModuleSource>,
    /// Its version, if a registry gave one.
    pub version: Option<ModuleVersion>,
    /// Its directory as the manifest has it: with `/`, relative to the root module's or absolute.
    pub dir: String,
    /// What its configuration says.
    pub scan: ModuleScan,
}

/// A tree of modules, growing.
#[derive(Debug)]
pub struct ModuleWalk {
    root_dir: PathBuf,
    tool: Tool,
    workspace: String,
    ready: Vec<Ready>,
    waiting: BTreeMap<String, Waiting>,
    /// What was read, by key.
    pub modules: BTreeMap<String, TreeModule>,
    /// The calls that could not be followed.
    pub failures: Vec<ModuleFailure>,
}

/// A module whose directory is known.
#[derive(Debug)]
struct Ready {
    key: String,
    source: Option<ModuleSource>,
    version: Option<ModuleVersion>,
    /// The package that it was fetched with, which local calls may not leave.
    package: Option<PathBuf>,
    dir: String,
    /// Source and constraint as written, unless it is local.
    call: Option<String>,
    place: CallPlace,
    arguments: BTreeMap<String, StaticValue>,
    above: Arc<Ancestor>,
}

/// A module that was read, as one that leads to others.
type Scanned = (Arc<Ancestor>, ModuleScan);

/// What a call leaves behind until its directory is known.
#[derive(Debug)]
struct Waiting {
    call: OpenCall,
    arguments: BTreeMap<String, StaticValue>,
    above: Arc<Ancestor>,
}

/// One of the modules that lead to another.
#[derive(Debug)]
struct Ancestor {
    /// Source and constraint of its call, unless it is local.
    call: Option<String>,
    package: Option<PathBuf>,
    dir: String,
    depth: usize,
    above: Option<Arc<Ancestor>>,
}

impl ModuleWalk {
    /// A walk from the root module in `root_dir`; `inputs` are the root's.
    ///
    /// # Errors
    ///
    /// If the root module itself cannot be read.
    pub fn start(
        root_dir: impl Into<PathBuf>,
        tool: Tool,
        inputs: &StaticInputs,
    ) -> Result<Self, ScanError> {
        let mut walk = Self {
            root_dir: root_dir.into(),
            tool,
            workspace: inputs.workspace.clone(),
            ready: Vec::new(),
            waiting: BTreeMap::new(),
            modules: BTreeMap::new(),
            failures: Vec::new(),
        };
        let scan = scan_module_with(&walk.root_dir, tool, ModuleKind::Root, inputs)?;
        let root = Arc::new(Ancestor::root());
        walk.follow_calls("", &scan, &root);
        let root = TreeModule {
            source: None,
            version: None,
            dir: ".".to_owned(),
            scan,
        };
        walk.modules.insert(String::new(), root);
        Ok(walk)
    }

    /// A walk without a root module, over the calls that [`Self::open`] adds.
    pub fn of_calls(tool: Tool) -> Self {
        Self {
            root_dir: PathBuf::new(),
            tool,
            workspace: StaticInputs::of_root().workspace,
            ready: Vec::new(),
            waiting: BTreeMap::new(),
            modules: BTreeMap::new(),
            failures: Vec::new(),
        }
    }

    /// Adds a call that stands in no module; its module is given no arguments.
    pub fn open(&mut self, call: OpenCall) {
        let waiting = Waiting {
            call,
            arguments: BTreeMap::new(),
            above: Arc::new(Ancestor::root()),
        };
        self.waiting.insert(waiting.call.key.clone(), waiting);
    }

    /// Reads every module whose directory is known, local ones below them too, and returns the calls that
    /// wait for theirs, in the order of their keys. Blocks.
    pub fn advance(&mut self) -> Vec<OpenCall> {
        while !self.ready.is_empty() {
            let mut ready = std::mem::take(&mut self.ready);
            let room = MAX_MODULES.saturating_sub(self.modules.len());
            for ready in ready.split_off(room.min(ready.len())) {
                let problem = ModuleProblem::TooMany(MAX_MODULES);
                self.fail(&ready.key, &ready.place, problem);
            }
            let scans = self.scan_all(&ready);
            for (ready, scan) in ready.into_iter().zip(scans) {
                match scan {
                    Ok((above, scan)) => self.enter(ready, &above, scan),
                    Err(problem) => self.fail(&ready.key, &ready.place, problem),
                }
            }
        }
        self.waiting.values().map(|it| it.call.clone()).collect()
    }

    /// Tells the directory of an open call, as the manifest has it, and its version.
    pub fn place(&mut self, key: &str, dir: impl Into<String>, version: Option<ModuleVersion>) {
        self.place_anywhere(key, None, dir.into(), version);
    }

    /// As [`Self::place`], of a package that was fetched into the directory `package`: local calls in it may not lead out
    /// of that, as the tools have it.
    pub fn place_in(
        &mut self,
        key: &str,
        package: impl Into<PathBuf>,
        dir: impl Into<String>,
        version: Option<ModuleVersion>,
    ) {
        self.place_anywhere(key, Some(package.into()), dir.into(), version);
    }

    fn place_anywhere(
        &mut self,
        key: &str,
        package: Option<PathBuf>,
        dir: String,
        version: Option<ModuleVersion>,
    ) {
        let Some(Waiting {
            call,
            arguments,
            above,
        }) = self.waiting.remove(key)
        else {
            return;
        };
        self.ready.push(Ready {
            call: Some(call.text()),
            key: call.key,
            source: Some(call.source),
            version,
            package,
            dir,
            place: call.place,
            arguments,
            above,
        });
    }

    /// Gives up an open call, whose module cannot be had; somebody else tells why.
    pub fn give_up(&mut self, key: &str) {
        self.waiting.remove(key);
    }

    /// Walks the whole tree; `obtain` gives directory and version of an open call, or `None` to leave it out.
    /// Blocks.
    pub fn run(
        &mut self,
        mut obtain: impl FnMut(&OpenCall) -> Option<(String, Option<ModuleVersion>)>,
    ) {
        loop {
            let open = self.advance();
            if open.is_empty() {
                return;
            }
            for call in open {
                match obtain(&call) {
                    Some((dir, version)) => self.place(&call.key, dir, version),
                    None => self.give_up(&call.key),
                }
            }
        }
    }

    /// Every provider that the modules read so far require, with the constraints of all of them.
    pub fn requirements(&self) -> BTreeMap<ProviderAddr, VersionConstraints> {
        let mut all: BTreeMap<ProviderAddr, VersionConstraints> = BTreeMap::new();
        let each = self
            .modules
            .values()
            .flat_map(|module| &module.scan.requirements);
        for (addr, constraints) in each {
            let entry = all.entry(addr.clone()).or_default();
            *entry = entry.and(constraints);
        }
        all
    }

    fn fail(&mut self, key: &str, place: &CallPlace, problem: ModuleProblem) {
        self.failures.push(ModuleFailure {
            key: key.to_owned(),
            place: place.clone(),
            problem,
        });
    }

    /// Reads modules that do not depend on each other, on all processors; the results are in their order.
    fn scan_all(&self, ready: &[Ready]) -> Vec<Result<Scanned, ModuleProblem>> {
        let workers = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let each = ready.len().div_ceil(workers).max(1);
        thread::scope(|scope| {
            let scan = |ready: &[Ready]| ready.iter().map(|it| self.scan(it)).collect::<Vec<_>>();
            let start = |part| (part, spawn_deep(scope, move || scan(part)).ok());
            let parts: Vec<_> = ready.chunks(each).map(start).collect();
            let mut scans = Vec::new();
            for (part, worker) in parts {
                scans.extend(match worker.map(ScopedJoinHandle::join) {
                    Some(Ok(scans)) => scans,
                    Some(Err(panic)) => std::panic::resume_unwind(panic),
                    // The system has no thread left.
                    None => scan(part),
                });
            }
            scans
        })
    }

    fn scan(&self, ready: &Ready) -> Result<Scanned, ModuleProblem> {
        let above = Arc::new(ready.ancestor()?);
        let inputs = StaticInputs {
            variables: ready.arguments.clone(),
            module_path: ready.dir.clone(),
            workspace: self.workspace.clone(),
        };
        let dir = self.root_dir.join(&ready.dir);
        let is_local = matches!(ready.source, Some(ModuleSource::Local(_)));
        match scan_module_with(&dir, self.tool, ModuleKind::Child, &inputs) {
            // The tools take a fetched module without configuration (facts 3.5).
            Err(ScanError::NoConfiguration { .. }) if !is_local => {
                Ok((above, ModuleScan::default()))
            }
            Err(error) => Err(error.into()),
            Ok(scan) => Ok((above, scan)),
        }
    }

    fn enter(&mut self, ready: Ready, above: &Arc<Ancestor>, scan: ModuleScan) {
        self.follow_calls(&ready.key, &scan, above);
        let module = TreeModule {
            source: ready.source,
            version: ready.version,
            dir: ready.dir,
            scan,
        };
        self.modules.insert(ready.key, module);
    }

    fn follow_calls(&mut self, key: &str, scan: &ModuleScan, above: &Arc<Ancestor>) {
        for call in &scan.module_calls {
            let separator = if key.is_empty() { "" } else { "." };
            let key = format!("{key}{separator}{}", call.key());
            let place = CallPlace {
                file: call.file.clone(),
                line: call.line,
            };
            if let Err(problem) = self.follow(&key, &place, call, above) {
                self.fail(&key, &place, problem);
            }
        }
    }

    fn follow(
        &mut self,
        key: &str,
        place: &CallPlace,
        call: &ModuleCall,
        above: &Arc<Ancestor>,
    ) -> Result<(), ModuleProblem> {
        let (source, constraints) = parse_call(call, self.tool)?;
        if let ModuleSource::Local(path) = &source {
            let dir = self.local_dir(above, path)?;
            self.ready.push(Ready {
                key: key.to_owned(),
                source: Some(source),
                version: None,
                package: above.package.clone(),
                dir,
                call: None,
                place: place.clone(),
                arguments: call.arguments.clone(),
                above: Arc::clone(above),
            });
            return Ok(());
        }
        let open = OpenCall {
            key: key.to_owned(),
            source,
            constraints,
            place: place.clone(),
        };
        above.refuse_cycle(Some(&open.text()), None)?;
        let waiting = Waiting {
            call: open,
            arguments: call.arguments.clone(),
            above: Arc::clone(above),
        };
        self.waiting.insert(key.to_owned(), waiting);
        Ok(())
    }

    /// The directory of a local module, links followed, as the tools record it.
    fn local_dir(&self, caller: &Ancestor, path: &str) -> Result<String, ModuleProblem> {
        let joined = clean_path(&format!("{}/{path}", caller.dir));
        let resolved = disk::resolve_links(&self.root_dir, &joined);
        let resolved = resolved.ok().filter(|dir| self.root_dir.join(dir).is_dir());
        let dir = || self.root_dir.join(&joined);
        let resolved = resolved.ok_or_else(|| ModuleProblem::NoDirectory { dir: dir() })?;
        if let Some(package) = &caller.package
            && !is_within(&self.root_dir.join(&resolved), &self.root_dir.join(package))
        {
            return Err(ModuleProblem::OutsidePackage { dir: dir() });
        }
        Ok(resolved)
    }
}

/// Whether a directory is another one or lies in it, links followed.
fn is_within(dir: &Path, package: &Path) -> bool {
    match (dir.canonicalize(), package.canonicalize()) {
        (Ok(dir), Ok(package)) => dir.starts_with(package),
        (Err(_), _) | (_, Err(_)) => false,
    }
}

impl OpenCall {
    /// By what calls of the same module are told: a module may call another version of itself.
    fn text(&self) -> String {
        match &self.constraints {
            Some(constraints) => format!("{} {constraints}", self.source.shown()),
            None => self.source.shown(),
        }
    }
}

impl Ready {
    /// This module as one that leads to others.
    fn ancestor(&self) -> Result<Ancestor, ModuleProblem> {
        let ancestor = Ancestor {
            call: self.call.clone(),
            package: self.package.clone(),
            dir: self.dir.clone(),
            depth: self.above.depth + 1,
            above: Some(Arc::clone(&self.above)),
        };
        if ancestor.depth > MAX_DEPTH {
            return Err(ModuleProblem::TooDeep(MAX_DEPTH));
        }
        self.above.refuse_cycle(None, Some(&self.dir))?;
        Ok(ancestor)
    }
}

impl Ancestor {
    /// What no module leads to.
    fn root() -> Self {
        Self {
            call: None,
            package: None,
            dir: ".".to_owned(),
            depth: 0,
            above: None,
        }
    }

    /// Refuses a module of this source or in this directory if it is this one or one that leads to it.
    fn refuse_cycle(&self, call: Option<&str>, dir: Option<&str>) -> Result<(), ModuleProblem> {
        let mut ancestor = Some(self);
        while let Some(it) = ancestor {
            if let (Some(call), Some(own)) = (call, &it.call)
                && call == own
            {
                return Err(ModuleProblem::Cycle(own.clone()));
            }
            if dir == Some(it.dir.as_str()) {
                return Err(ModuleProblem::Cycle(it.dir.clone()));
            }
            ancestor = it.above.as_deref();
        }
        Ok(())
    }
}

fn parse_call(
    call: &ModuleCall,
    tool: Tool,
) -> Result<(ModuleSource, Option<ModuleConstraints>), ModuleProblem> {
    let CallSource::Literal(text) = &call.source else {
        return Err(ModuleProblem::Dynamic);
    };
    match &call.version {
        Some(version) => Ok((
            ModuleSource::parse_versioned(text, tool)?,
            Some(version.parse::<ModuleConstraints>()?),
        )),
        None => Ok((ModuleSource::parse(text, tool)?, None)),
    }
}

#[cfg(test)]
mod tests;
