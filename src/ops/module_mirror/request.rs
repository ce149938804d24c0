//! What is asked of a run.

use std::path::PathBuf;

use crate::address::Tool;
use crate::config::{ModuleRequest, RootModule};
use crate::ops::WishOptions;
use crate::store::PresentCheck;
use crate::version::Prereleases;

/// Which modules to mirror.
#[derive(Debug, Clone)]
pub struct MirrorModulesRequest {
    /// Modules by address.
    pub modules: Vec<ModuleRequest>,
    /// Root modules, whose calls are followed.
    pub roots: Vec<RootModule>,
    /// How many versions of each.
    pub options: WishOptions,
    /// Whether ranges match prereleases.
    pub prereleases: Prereleases,
    /// Whether what modules call and require comes along.
    pub dependencies: Dependencies,
    /// When a package that is there is good enough.
    pub present: PresentCheck,
    /// Packages in flight at once.
    pub jobs: usize,
    /// For which tool.
    pub tool: Tool,
    /// A directory for files that are only read.
    pub temporary: PathBuf,
    /// Whether anything is fetched at all.
    pub effect: MirrorEffect,
}

impl MirrorModulesRequest {
    /// A request for nothing, to work on what a mirror has, whose bytes are proved first.
    pub fn of_nothing(tool: Tool, jobs: usize, temporary: PathBuf) -> Self {
        Self {
            modules: Vec::new(),
            roots: Vec::new(),
            options: WishOptions::Default,
            prereleases: Prereleases::ExactOnly,
            dependencies: Dependencies::LeftOut,
            present: PresentCheck::Bytes,
            jobs,
            tool,
            temporary,
            effect: MirrorEffect::Fill,
        }
    }
}

/// What a run does to the mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MirrorEffect {
    /// It fills it.
    Fill,
    /// `--dry-run`: nothing is fetched or written; what unknown packages call stays unknown.
    Plan,
}

/// Whether what modules call and require comes along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dependencies {
    /// Yes.
    Followed,
    /// `--no-dependencies`.
    LeftOut,
}
