//! What can be wrong with a lock file, each with its place.

use std::error::Error;
use std::fmt;

use crate::address::{ProviderAddr, ProviderAddrError};
use crate::failure::{ExitCode, Failure};
use crate::hash::PackageHashError;
use crate::version::{ConstraintsError, VersionError};

/// The file is unusable as a whole (facts 5.7): all of its problems, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockFileError {
    /// At least one.
    pub problems: Vec<LockProblem>,
}

/// One problem and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockProblem {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: LockProblemKind,
}

/// What is wrong at a place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockProblemKind {
    /// The text is not HCL; the parser's own words.
    #[error("the syntax is wrong: {0}")]
    Syntax(String),
    /// Markers that `git` leaves where it could not merge.
    #[error("a merge conflict is not resolved")]
    MergeConflict,
    /// A block that lock files do not have.
    #[error("a lock file has no `{0}` block here")]
    UnknownBlock(String),
    /// An argument that lock files do not have.
    #[error("a lock file has no argument `{0}` here")]
    UnknownArgument(String),
    /// A `provider` block has no label or several.
    #[error("a `provider` block has one label, the provider's address, not {0}")]
    Labels(usize),
    /// The label is no address that can be locked.
    #[error("{}", with_causes(.0))]
    Address(ProviderAddrError),
    /// A second block for the same provider.
    #[error("provider `{0}` is locked twice")]
    Duplicate(Box<ProviderAddr>),
    /// There is no `version`, or it is null.
    #[error("`version` is missing")]
    MissingVersion,
    /// An argument is no constant string.
    #[error("`{argument}` has {found} where a string is wanted")]
    NotText {
        /// The argument.
        argument: &'static str,
        /// What it has, in words.
        found: &'static str,
    },
    /// `version` is no version.
    #[error("{0}")]
    Version(VersionError),
    /// `constraints` are none.
    #[error("{0}")]
    Constraints(ConstraintsError),
    /// An argument is not written in its canonical form.
    #[error("`{argument}` has `{text}`, which is not in canonical form")]
    NotCanonical {
        /// The argument.
        argument: &'static str,
        /// Its text.
        text: String,
        /// How it must be written.
        canonical: String,
    },
    /// `hashes` is no literal list.
    #[error("`hashes` has {0} where a list is wanted")]
    HashesNotList(&'static str),
    /// `hashes` is an empty list.
    #[error("`hashes` is an empty list, which it may not be")]
    NoHashes,
    /// An element of `hashes` is no hash.
    #[error("{0}")]
    Hash(PackageHashError),
}

/// The message of an error followed by those of its causes; a list of problems has room for one line
/// each.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

impl fmt::Display for LockProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.kind
        )
    }
}

impl fmt::Display for LockFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problems[..] {
            [only] => write!(f, "{only}"),
            several => {
                write!(f, "it has {} problems:", several.len())?;
                several
                    .iter()
                    .try_for_each(|problem| write!(f, "\n  {problem}"))
            }
        }
    }
}

impl Error for LockFileError {}

impl Failure for LockFileError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    /// The advice of all problems, each once.
    fn hints(&self) -> Vec<String> {
        let mut hints: Vec<String> = Vec::new();
        for hint in self
            .problems
            .iter()
            .flat_map(|problem| problem.kind.hints())
        {
            if !hints.contains(&hint) {
                hints.push(hint);
            }
        }
        hints
    }
}

impl LockProblemKind {
    fn hints(&self) -> Vec<String> {
        match self {
            Self::MergeConflict => vec![
                "take one side, as with `git checkout --ours .terraform.lock.hcl`, then run `provender install` to complete it"
                    .to_owned(),
            ],
            Self::Address(error) => error.hints(),
            Self::Version(error) => error.hints(),
            Self::Constraints(error) => error.hints(),
            Self::Hash(error) => error.hints(),
            Self::NotCanonical { canonical, .. } => vec![format!("write it as `{canonical}`")],
            Self::NoHashes => vec!["leave `hashes` out if there is none".to_owned()],
            Self::Syntax(_)
            | Self::UnknownBlock(_)
            | Self::UnknownArgument(_)
            | Self::Labels(_)
            | Self::Duplicate(_)
            | Self::MissingVersion
            | Self::NotText { .. }
            | Self::HashesNotList(_) => Vec::new(),
        }
    }
}
