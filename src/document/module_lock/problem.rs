//! What can be wrong with a module lock, each with its place.

use std::error::Error;
use std::fmt;

use crate::document::CommitIdError;
use crate::failure::{ExitCode, Failure};
use crate::version::ModuleVersionError;

/// The file is unusable as a whole: all of its problems, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleLockError {
    /// At least one.
    pub problems: Vec<ModuleLockProblem>,
}

/// One problem and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleLockProblem {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: ModuleLockProblemKind,
}

/// What is wrong at a place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModuleLockProblemKind {
    /// The text is not HCL; the parser's own words.
    #[error("the syntax is wrong: {0}")]
    Syntax(String),
    /// Markers that `git` leaves where it could not merge.
    #[error("a merge conflict is not resolved")]
    MergeConflict,
    /// A block that this version does not know.
    #[error("this version knows no `{}` block here", .0.escape_debug())]
    UnknownBlock(String),
    /// An argument that this version does not know.
    #[error("this version knows no argument `{}` here", .0.escape_debug())]
    UnknownArgument(String),
    /// A `module` block has no label or several.
    #[error("a `module` block has one label, the names of the calls joined with `.`, not {0}")]
    Labels(usize),
    /// The label is no key of a call.
    #[error("`{}` is no key of a module call", .0.escape_debug())]
    Key(String),
    /// A second block for the same call.
    #[error("module `{0}` is locked twice")]
    Duplicate(String),
    /// A required argument is not there.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// An argument is no constant string.
    #[error("`{argument}` has {found} where a string is wanted")]
    NotText {
        /// The argument.
        argument: &'static str,
        /// What it has, in words.
        found: &'static str,
    },
    /// `source` is empty.
    #[error("`source` is empty")]
    EmptySource,
    /// `version` is no version.
    #[error("{0}")]
    Version(ModuleVersionError),
    /// `version` is not written in its normal form.
    #[error("`version` has `{}`, which is not in normal form", .0.escape_debug())]
    NotNormal(String),
    /// `commit` is no name of a commit.
    #[error("{0}")]
    Commit(CommitIdError),
    /// `archive` is no digest.
    #[error("`archive` has `{}`, which is not `sha256:` and 64 lower-case hexadecimal digits", .0.escape_debug())]
    Archive(String),
    /// Both `commit` and `archive`.
    #[error("a package has a `commit` or an `archive`, not both")]
    CommitAndArchive,
    /// `hash` is none that a module can have.
    #[error("`hash` has `{}`, which is not `h1:` and the base64 of 32 bytes", .0.escape_debug())]
    Hash(String),
    /// `directory` is none in a package.
    #[error("`directory` has `{}`, which is no directory in a package", .0.escape_debug())]
    Directory(String),
}

impl fmt::Display for ModuleLockProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, kind } = self;
        write!(f, "line {line}, column {column}: {kind}")
    }
}

impl fmt::Display for ModuleLockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &self.problems[..] {
            return write!(f, "{only}");
        }
        write!(f, "it has {} problems:", self.problems.len())?;
        let mut problems = self.problems.iter();
        problems.try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl Error for ModuleLockError {}

impl Failure for ModuleLockError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        let kinds = || self.problems.iter().map(|problem| &problem.kind);
        let is_unknown = |kind: &ModuleLockProblemKind| {
            matches!(
                kind,
                ModuleLockProblemKind::UnknownBlock(_) | ModuleLockProblemKind::UnknownArgument(_)
            )
        };
        let is_conflict =
            |kind: &ModuleLockProblemKind| matches!(kind, ModuleLockProblemKind::MergeConflict);
        let mut hints = Vec::new();
        if kinds().any(is_conflict) {
            hints.push(
                "take one side, as with `git checkout --ours .provender.lock.hcl`, then run `provender lock` to complete it"
                    .to_owned(),
            );
        }
        if kinds().any(is_unknown) {
            hints.push("if a newer version of `provender` wrote the file, use that one".to_owned());
        }
        hints
    }
}
