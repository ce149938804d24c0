//! What can be wrong with a module call in the tree, beyond what its own file shows.

use std::path::PathBuf;

use crate::address::ModuleSourceError;
use crate::config::ScanError;
use crate::failure::{ExitCode, Failure};
use crate::version::ModuleConstraintsError;

/// Where a module call stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallPlace {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

impl std::fmt::Display for CallPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// A call whose module is not part of the tree, and why.
#[derive(Debug, thiserror::Error)]
#[error("module `{key}` is left out ({place})")]
pub struct ModuleFailure {
    /// The key of the call.
    pub key: String,
    /// Where the call stands.
    pub place: CallPlace,
    /// What is wrong.
    #[source]
    pub problem: ModuleProblem,
}

/// What is wrong with a call.
#[derive(Debug, thiserror::Error)]
pub enum ModuleProblem {
    /// Source or version cannot be evaluated.
    #[error(
        "its source or version is dynamic: it depends on more than is known before anything runs"
    )]
    Dynamic,
    /// The source is none.
    #[error(transparent)]
    Source(#[from] ModuleSourceError),
    /// The constraint is none.
    #[error(transparent)]
    Constraints(#[from] ModuleConstraintsError),
    /// The module is one of those that lead to it.
    #[error("it calls itself: `{0}` is among the modules that lead to it")]
    Cycle(String),
    /// A fetched module calls what is not in its package.
    #[error("it is outside of the package that calls it: `{}`", dir.display())]
    OutsidePackage {
        /// Where it would be.
        dir: PathBuf,
    },
    /// Calls nest deeper than anybody nests them.
    #[error("it is called through more than {0} modules")]
    TooDeep(usize),
    /// There are more modules than anybody has.
    #[error("there are more than {0} modules")]
    TooMany(usize),
    /// The directory of a local module is not there.
    #[error("there is no directory `{}`", dir.display())]
    NoDirectory {
        /// The directory.
        dir: PathBuf,
    },
    /// The module's configuration cannot be read.
    #[error(transparent)]
    Scan(#[from] ScanError),
}

impl ModuleProblem {
    /// Whether nothing is wrong, but what the call leads to is only known to a tool that runs.
    pub fn is_dynamic(&self) -> bool {
        matches!(self, Self::Dynamic)
    }
}

impl Failure for ModuleProblem {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Source(source) => source.hints(),
            Self::Constraints(source) => source.hints(),
            Self::Scan(source) => source.hints(),
            Self::Dynamic
            | Self::Cycle(_)
            | Self::TooDeep(_)
            | Self::TooMany(_)
            | Self::NoDirectory { .. }
            | Self::OutsidePackage { .. } => Vec::new(),
        }
    }
}

impl Failure for ModuleFailure {
    fn exit_code(&self) -> ExitCode {
        self.problem.exit_code()
    }

    fn hints(&self) -> Vec<String> {
        self.problem.hints()
    }
}
