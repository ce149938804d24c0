//! The root modules below a directory: where there is a lock file, or configuration that no local call
//! of another configuration there reaches.
//!
//! The tree may be a stranger's. Attacks known, and the answer to each:
//! - *A link that leads out of the tree, or in a circle*: links to directories are not followed.
//! - *So deep a tree that paths or stacks overflow*: refused beyond `MAX_DEPTH` levels; the walk keeps
//!   its own stack.
//! - *So wide a tree that the walk never ends*: refused beyond `MAX_DIRECTORIES` directories.
//! - *Hostile configuration*: read by [`scan`](crate::config::scan), which has its own limits.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::address::Tool;
use crate::config::scan::local_calls;
use crate::config::{RootModulesError, detect_tool};
use crate::disk::DiskError;
use crate::document::LOCK_FILE_NAME;

/// How many levels of directories there may be.
const MAX_DEPTH: usize = 128;

/// How many directories there may be.
const MAX_DIRECTORIES: usize = 1 << 20;

/// Where to look for root modules.
#[derive(Debug, Clone)]
pub struct RootModuleSearch {
    /// The directory, which may be one itself.
    pub top: PathBuf,
    /// The tool of all of them; `None` to detect that of each.
    pub tool: Option<Tool>,
    /// The data directory of each, relative to it, or one for all. What lies there is not looked at.
    pub data_dir: PathBuf,
}

/// What was found; at least one root module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRootModules {
    /// The root modules, in the order of their paths.
    pub roots: Vec<FoundRootModule>,
    /// What could not be looked at.
    pub warnings: Vec<String>,
}

/// A root module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRootModule {
    /// Its path from the top, with `/` on every system; `.` is the top itself.
    pub name: String,
    /// Its directory, below the top as given.
    pub dir: PathBuf,
    /// The tool that it is written for.
    pub tool: Tool,
}

/// Finds the root modules at and below the top. Hidden directories (their names begin with a dot) and
/// links to directories are skipped; one that cannot be read is left out and told. Blocks.
///
/// # Errors
///
/// If there is none, the top cannot be read, or the tree is too large.
pub fn find_root_modules(search: &RootModuleSearch) -> Result<FoundRootModules, RootModulesError> {
    find_among(search, MAX_DIRECTORIES)
}

fn find_among(
    search: &RootModuleSearch,
    limit: usize,
) -> Result<FoundRootModules, RootModulesError> {
    let mut walk = Walk::new(search, limit);
    while let Some(relative) = walk.to_visit.pop() {
        walk.visit(&relative)?;
    }
    let found = walk.found();
    if found.roots.is_empty() {
        let top = search.top.clone();
        return Err(RootModulesError::None { top });
    }
    Ok(found)
}

/// A directory that is a root module if it has a lock file or nobody calls it.
struct Candidate {
    root: FoundRootModule,
    real_path: PathBuf,
    has_lock_file: bool,
}

struct Walk<'s> {
    search: &'s RootModuleSearch,
    /// Relative to the top.
    to_visit: Vec<PathBuf>,
    visited: usize,
    /// How many may be visited.
    limit: usize,
    /// Data directories that are not hidden, and so would be visited.
    data_dirs: BTreeSet<PathBuf>,
    /// By paths relative to the top.
    candidates: BTreeMap<PathBuf, Candidate>,
    /// The real paths of the directories that others call.
    called: BTreeSet<PathBuf>,
    warnings: Vec<String>,
}

impl<'s> Walk<'s> {
    fn new(search: &'s RootModuleSearch, limit: usize) -> Self {
        Self {
            search,
            to_visit: vec![PathBuf::new()],
            visited: 0,
            limit,
            data_dirs: BTreeSet::new(),
            candidates: BTreeMap::new(),
            called: BTreeSet::new(),
            warnings: Vec::new(),
        }
    }

    fn visit(&mut self, relative: &Path) -> Result<(), RootModulesError> {
        let top = &self.search.top;
        // Joining an empty path would end the result with a separator.
        let is_top = relative.as_os_str().is_empty();
        let dir = if is_top {
            top.clone()
        } else {
            top.join(relative)
        };
        self.visited += 1;
        if self.visited > self.limit {
            let (top, limit) = (top.clone(), self.limit);
            return Err(RootModulesError::TooMany { top, limit });
        }
        if relative.components().count() > MAX_DEPTH {
            let limit = MAX_DEPTH;
            return Err(RootModulesError::TooDeep { dir, limit });
        }
        match list(&dir) {
            Ok(names) => self.take(relative, dir, names),
            Err(error) if is_top => return Err(error.into()),
            Err(error) => self.warnings.push(format!(
                "root modules there are left out: {error}: {}",
                error.source
            )),
        }
        Ok(())
    }

    fn take(&mut self, relative: &Path, dir: PathBuf, mut names: Names) {
        self.data_dirs.extend(self.visible_data_dir(&dir));
        names
            .dirs
            .retain(|name| !self.data_dirs.contains(&dir.join(name)));
        // The last is visited first.
        names.dirs.sort_by(|a, b| b.cmp(a));
        let below = names.dirs.iter().map(|name| relative.join(name));
        self.to_visit.extend(below);
        if names.has_lock_file || names.may_be_configuration {
            self.consider(relative, dir, names.has_lock_file);
        }
    }

    fn consider(&mut self, relative: &Path, dir: PathBuf, has_lock_file: bool) {
        let tool = self.search.tool.unwrap_or_else(|| detect_tool(&dir));
        // What is wrong with a root module is told where it is installed.
        let calls = local_calls(&dir, tool).unwrap_or_else(|_| Some(BTreeSet::new()));
        if calls.is_none() && !has_lock_file {
            return;
        }
        let real_path = dir.canonicalize().unwrap_or_else(|_| dir.clone());
        let called = calls.into_iter().flatten();
        let called = called.filter_map(|source| dir.join(source).canonicalize().ok());
        self.called
            .extend(called.filter(|called| *called != real_path));
        let candidate = Candidate {
            root: FoundRootModule {
                name: name(relative),
                dir,
                tool,
            },
            real_path,
            has_lock_file,
        };
        self.candidates.insert(relative.to_owned(), candidate);
    }

    /// The data directory of a root module in `dir`, if it would be visited.
    fn visible_data_dir(&self, dir: &Path) -> Option<PathBuf> {
        let data_dir = &self.search.data_dir;
        let is_hidden_part = |part: Component<'_>| match part {
            Component::Normal(name) => is_hidden(name),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => false,
        };
        let is_visible = !data_dir.components().any(is_hidden_part);
        is_visible.then(|| dir.join(data_dir))
    }

    fn found(self) -> FoundRootModules {
        let called = self.called;
        let is_root = |it: &Candidate| it.has_lock_file || !called.contains(&it.real_path);
        let candidates = self.candidates.into_values();
        FoundRootModules {
            roots: candidates.filter(is_root).map(|it| it.root).collect(),
            warnings: self.warnings,
        }
    }
}

/// What the names in a directory tell.
#[derive(Default)]
struct Names {
    /// The directories that are neither hidden nor links.
    dirs: Vec<OsString>,
    has_lock_file: bool,
    may_be_configuration: bool,
}

fn list(dir: &Path) -> Result<Names, DiskError> {
    let unreadable = || DiskError::on("read the directory", dir);
    let mut names = Names::default();
    for entry in fs::read_dir(dir).map_err(unreadable())? {
        let entry = entry.map_err(unreadable())?;
        let name = entry.file_name();
        let kind = entry.file_type().map_err(unreadable())?;
        if name == LOCK_FILE_NAME {
            names.has_lock_file |= entry.path().is_file();
        }
        if is_hidden(&name) {
            continue;
        }
        if kind.is_dir() {
            names.dirs.push(name);
        } else {
            let name = name.to_string_lossy();
            let suffixes = [".tf", ".tf.json", ".tofu", ".tofu.json"];
            names.may_be_configuration |= suffixes.iter().any(|suffix| name.ends_with(suffix));
        }
    }
    Ok(names)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// A path below the top as reports show it.
fn name(relative: &Path) -> String {
    let parts: Vec<_> = relative.iter().map(OsStr::to_string_lossy).collect();
    if parts.is_empty() {
        ".".to_owned()
    } else {
        parts.join("/")
    }
}

#[cfg(test)]
mod tests;
