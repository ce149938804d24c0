//! What can be wrong with a module's configuration: all of it, each with its place.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::address::ProviderAddrError;
use crate::failure::{ExitCode, Failure};
use crate::version::ConstraintsError;

/// A place in a configuration file. Line and column count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The file, below the scanned directory's path as given.
    pub file: Arc<Path>,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// One problem and its place.
#[derive(Debug)]
pub struct Problem {
    /// Where.
    pub at: Location,
    /// What.
    pub kind: ProblemKind,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.kind)?;
        let mut cause = std::error::Error::source(&self.kind);
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

/// What a problem is.
#[derive(Debug, thiserror::Error)]
pub enum ProblemKind {
    /// The file cannot be read.
    #[error("the file cannot be read")]
    Unreadable(#[source] io::Error),
    /// The file is not UTF-8.
    #[error("the file is not UTF-8 text")]
    NotText,
    /// The file is neither HCL nor JSON.
    #[error("syntax error: {0}")]
    Syntax(String),
    /// JSON of another shape than blocks and labels need.
    #[error("`{0}` must be an object or a list of objects")]
    JsonShape(String),
    /// A block that is not part of the language.
    #[error("a block or argument `{0}` is not expected here")]
    UnknownName(String),
    /// A block with too few or too many labels.
    #[error("a `{block}` block has {expected} labels, not {got}")]
    LabelCount {
        /// The block's name.
        block: &'static str,
        /// How many labels it has by definition.
        expected: usize,
        /// How many it has.
        got: usize,
    },
    /// `required_providers` outside of a `terraform` block.
    #[error("`required_providers` belongs in a `terraform` block")]
    RequiredProvidersOutsideTerraform,
    /// A second `required_providers` block in one module.
    #[error("a module has only one `required_providers` block; the first is at {first}")]
    SecondRequiredProviders {
        /// Where the first one is.
        first: Location,
    },
    /// The same entry or argument twice in JSON.
    #[error("`{0}` is there twice")]
    Duplicate(String),
    /// A key in an entry of `required_providers` that is not known.
    #[error("`{key}` is no part of a provider requirement")]
    UnknownRequirementKey {
        /// The key.
        key: String,
    },
    /// An entry of `required_providers` that is neither a string nor an object of constants.
    #[error("the requirement of `{0}` must be a constant string or object")]
    RequirementShape(String),
    /// A configuration alias that does not repeat the entry's name.
    #[error("a configuration alias of `{0}` must be written `{0}.ALIAS`")]
    ConfigurationAlias(String),
    /// `source` of a requirement that is not a constant string.
    #[error("the provider source of `{0}` must be a constant string")]
    SourceNotText(String),
    /// `source` of a requirement that is no provider address.
    #[error("the provider source of `{name}` is invalid")]
    ProviderSource {
        /// The local name.
        name: String,
        /// Why.
        source: ProviderAddrError,
    },
    /// `source` of a requirement in the legacy namespace.
    #[error(
        "the provider source of `{name}` is the legacy address `{address}`, which cannot be installed"
    )]
    LegacyProvider {
        /// The local name.
        name: String,
        /// The address.
        address: String,
    },
    /// A provider's local name with characters that are not allowed, or in upper case.
    #[error("`{0}` is no valid provider name: lower-case letters, digits and dashes only")]
    ProviderName(String),
    /// A `provider` argument that is no reference.
    #[error("`provider` must be a provider's name, with an alias if needed")]
    ProviderReference,
    /// A version constraint that is no constant string.
    #[error("a version constraint must be a constant string")]
    ConstraintNotText,
    /// A version constraint that is invalid in every place.
    #[error("`{0}` is no version constraint")]
    Constraint(String),
    /// A version constraint that is valid for modules, but not for providers.
    #[error("`{text}` is no version constraint for a provider")]
    ProviderConstraint {
        /// The constraint.
        text: String,
        /// Why.
        source: ConstraintsError,
    },
    /// A prerelease in `required_version`.
    #[error("`required_version` may not name a prerelease")]
    PrereleaseOfTool,
    /// A version constraint on a provider that is part of the tool.
    #[error("`{0}` is part of the tool and takes no version constraint")]
    BuiltInWithVersion(String),
    /// An argument that the tool keeps for later.
    #[error("`{0}` is reserved and cannot be used in a `provider` block")]
    ReservedArgument(String),
    /// Language experiments, which releases of the tool refuse.
    #[error("released versions of the tool refuse language experiments")]
    Experiments,
    /// A module call whose name is no identifier.
    #[error("`{0}` is no valid module name")]
    ModuleName(String),
    /// A module call without `source`.
    #[error("the module call `{0}` has no `source`")]
    MissingSource(String),
    /// A module call whose `source` is no string.
    #[error("the `source` of the module call `{0}` must be a string")]
    CallSourceNotText(String),
    /// `version` where the source is no registry address.
    #[error("the module call `{0}` has a `version`, but its source is no registry address")]
    VersionNeedsRegistry(String),
    /// A module in a test that is neither local nor from a registry.
    #[error("the module of the run `{0}` must be a local or a registry source")]
    TestModuleSource(String),
    /// The same resource or module call twice.
    #[error("`{name}` is declared twice; the first is at {first}")]
    DeclaredTwice {
        /// What.
        name: String,
        /// Where the first one is.
        first: Location,
    },
    /// Something in an override file that overrides nothing.
    #[error("`{0}` overrides nothing")]
    OverridesNothing(String),
}

/// Why a module could not be scanned.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// The directory cannot be listed.
    #[error("cannot read the module directory `{}`", directory.display())]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The directory of a child module holds no configuration.
    #[error("the module directory `{}` has no configuration files", directory.display())]
    NoConfiguration {
        /// The directory.
        directory: PathBuf,
    },
    /// The configuration is wrong in at least one place.
    #[error("the configuration in `{}` is invalid{}", directory.display(), listed(problems))]
    Invalid {
        /// The directory.
        directory: PathBuf,
        /// Every problem found, in the order of files and places.
        problems: Vec<Problem>,
    },
}

/// One line for each problem.
fn listed(problems: &[Problem]) -> String {
    let mut lines = String::new();
    for problem in problems {
        lines.push_str("\n  ");
        lines.push_str(&problem.to_string());
    }
    lines
}

impl ScanError {
    /// Every problem found; none if the directory itself is the problem.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Directory { .. } | Self::NoConfiguration { .. } => &[],
            Self::Invalid { problems, .. } => problems,
        }
    }
}

impl Failure for ScanError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Directory { .. } | Self::NoConfiguration { .. } => {
                vec!["choose the root module's directory with `--chdir DIR`".to_owned()]
            }
            Self::Invalid { .. } => Vec::new(),
        }
    }
}

/// Text of a configuration as messages show it: control characters escaped.
pub(super) fn shown(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            if c.is_control() {
                c.escape_default().collect()
            } else {
                vec![c]
            }
        })
        .collect()
}
