//! One term of a constraint: operator and version number as written (facts/providers 11.4 to 11.8).

use std::cmp::Ordering;
use std::fmt;

use super::Version;
use super::number::write_suffix;

/// One term as written: operator and one to three numbers.
///
/// `Display` prints the canonical text of lock files.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The operator.
    pub op: ConstraintOp,
    /// The first number.
    pub major: u64,
    /// The second number, if written; zero if a prerelease or build part was written without it.
    pub minor: Option<u64>,
    /// The third number, if written; zero if a prerelease or build part was written without it.
    pub patch: Option<u64>,
    /// The prerelease, or empty.
    pub pre: String,
    /// The build metadata, or empty.
    pub meta: String,
}

/// The operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConstraintOp {
    /// `=`, or none.
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `~>` with one or two numbers.
    PessimisticMinor,
    /// `~>` with three numbers.
    PessimisticPatch,
}

/// Whether ranges may match prereleases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prereleases {
    /// Only an exact `=` term selects one (the tools' rule, facts 11.6).
    #[default]
    ExactOnly,
    /// Ranges match them by precedence: `--include-prereleases`.
    Included,
}

impl Constraint {
    /// The version of the term, missing numbers being zero (facts 11.4).
    pub fn boundary(&self) -> Version {
        let numbers = [self.major, self.minor.unwrap_or(0), self.patch.unwrap_or(0)];
        Version::of_parts(numbers, &self.pre, &self.meta)
    }

    /// Whether `version` satisfies this term by precedence alone; only `=` and `!=` look at build
    /// metadata (facts 11.7).
    ///
    /// With prereleases included, `~>` leaves out those of its upper bound: `~> 1.0` never means
    /// `2.0.0-beta1`. A written `< 2.0.0` does include them, as its precedence says.
    pub(super) fn holds(&self, version: &Version, prereleases: Prereleases) -> bool {
        let boundary = self.boundary();
        let order = version.cmp_precedence(&boundary);
        match self.op {
            ConstraintOp::Equal => *version == boundary,
            ConstraintOp::NotEqual => *version != boundary,
            ConstraintOp::Greater => order == Ordering::Greater,
            ConstraintOp::GreaterOrEqual => order != Ordering::Less,
            ConstraintOp::Less => order == Ordering::Less,
            ConstraintOp::LessOrEqual => order != Ordering::Greater,
            ConstraintOp::PessimisticMinor | ConstraintOp::PessimisticPatch => {
                order != Ordering::Less && self.is_below_upper(version, prereleases)
            }
        }
    }

    /// Whether `version` is below the upper bound of `~>` (facts 11.5); a bound beyond 64 bits is none.
    fn is_below_upper(&self, version: &Version, prereleases: Prereleases) -> bool {
        let Some(upper) = self.upper() else {
            return true;
        };
        match prereleases {
            Prereleases::ExactOnly => version.cmp_precedence(&upper) == Ordering::Less,
            Prereleases::Included => version.numbers() < upper.numbers(),
        }
    }

    fn upper(&self) -> Option<Version> {
        if self.op == ConstraintOp::PessimisticPatch {
            let minor = self.minor.unwrap_or(0).checked_add(1)?;
            return Some(Version::new(self.major, minor, 0));
        }
        Some(Version::new(self.major.checked_add(1)?, 0, 0))
    }

    /// Orders terms as lock files list them: boundary, metadata, operator (facts 11.8).
    pub(super) fn cmp_canonical(&self, other: &Self) -> Ordering {
        let (one, two) = (self.boundary(), other.boundary());
        one.cmp(&two)
            .then_with(|| self.op.rank().cmp(&other.op.rank()))
    }

    /// Whether both are the same term once their missing numbers are filled in.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.op == other.op && self.boundary() == other.boundary()
    }
}

impl ConstraintOp {
    /// The place of the operator among terms of the same boundary.
    fn rank(self) -> u8 {
        match self {
            Self::Greater => 0,
            Self::GreaterOrEqual => 1,
            Self::Equal => 2,
            Self::PessimisticPatch => 3,
            Self::PessimisticMinor => 4,
            Self::LessOrEqual => 5,
            Self::Less => 6,
            Self::NotEqual => 7,
        }
    }

    /// The operator and its space, as canonical text has them.
    fn canonical(self) -> &'static str {
        match self {
            Self::Equal => "",
            Self::NotEqual => "!= ",
            Self::Greater => "> ",
            Self::GreaterOrEqual => ">= ",
            Self::Less => "< ",
            Self::LessOrEqual => "<= ",
            Self::PessimisticMinor | Self::PessimisticPatch => "~> ",
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minor = self.minor.unwrap_or(0);
        write!(f, "{}{}.{minor}", self.op.canonical(), self.major)?;
        if self.op != ConstraintOp::PessimisticMinor {
            write!(f, ".{}", self.patch.unwrap_or(0))?;
        }
        write_suffix(f, &self.pre, &self.meta)
    }
}
