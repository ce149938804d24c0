//! One version of a provider (facts/providers 11.1, 11.2).

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::precedence::compare_prereleases;
use super::scan::{self, ScanProblem};
use crate::failure::{ExitCode, Failure};

/// A version of a provider.
///
/// Equality includes build metadata, precedence does not. The order is total: precedence first, then
/// the metadata as text. `Display` prints the canonical text, which always has three numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version {
    major: u64,
    minor: u64,
    patch: u64,
    pre: String,
    meta: String,
}

impl Version {
    /// Builds a release without prerelease and build metadata.
    pub fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self {
            major,
            minor,
            patch,
            pre: String::new(),
            meta: String::new(),
        }
    }

    /// Builds a version of parts that were scanned before.
    pub(super) fn of_parts(numbers: [u64; 3], pre: &str, meta: &str) -> Self {
        let [major, minor, patch] = numbers;
        Self {
            major,
            minor,
            patch,
            pre: pre.to_owned(),
            meta: meta.to_owned(),
        }
    }

    /// The first number.
    pub fn major(&self) -> u64 {
        self.major
    }

    /// The second number.
    pub fn minor(&self) -> u64 {
        self.minor
    }

    /// The third number.
    pub fn patch(&self) -> u64 {
        self.patch
    }

    /// The prerelease without its hyphen, or empty.
    pub fn pre(&self) -> &str {
        &self.pre
    }

    /// The build metadata without its plus sign, or empty.
    pub fn meta(&self) -> &str {
        &self.meta
    }

    /// Whether there is a prerelease part.
    pub fn is_prerelease(&self) -> bool {
        !self.pre.is_empty()
    }

    /// Whether this is plain 0.0.0, which the tools take for "no version" and never select
    /// (facts 11.9).
    pub fn is_unspecified(&self) -> bool {
        *self == Self::new(0, 0, 0)
    }

    /// Compares by precedence, which ignores build metadata (facts 11.2).
    pub fn cmp_precedence(&self, other: &Self) -> Ordering {
        self.numbers()
            .cmp(&other.numbers())
            .then_with(|| compare_prereleases(&self.pre, &other.pre))
    }

    /// The three numbers.
    pub(super) fn numbers(&self) -> [u64; 3] {
        [self.major, self.minor, self.patch]
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cmp_precedence(other)
            .then_with(|| self.meta.cmp(&other.meta))
    }
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let scanned = scan::scan(text).map_err(|problem| VersionError {
            text: text.to_owned(),
            problem,
        })?;
        let number = |index| scanned.number(index).unwrap_or(0);
        Ok(Self::of_parts(
            [number(0), number(1), number(2)],
            &scanned.pre,
            &scanned.meta,
        ))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        write_suffix(f, &self.pre, &self.meta)
    }
}

/// Writes `-PRE` and `+META`, each only if there is one.
pub(super) fn write_suffix(f: &mut fmt::Formatter<'_>, pre: &str, meta: &str) -> fmt::Result {
    if !pre.is_empty() {
        write!(f, "-{pre}")?;
    }
    if !meta.is_empty() {
        write!(f, "+{meta}")?;
    }
    Ok(())
}

/// Why a text is no version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no version: it {}", problem.phrase())]
pub struct VersionError {
    text: String,
    problem: ScanProblem,
}

impl VersionError {
    /// The text as given.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Failure for VersionError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn hints(&self) -> Vec<String> {
        match self.problem {
            ScanProblem::Prefix => vec![format!("leave out the `v`: `{}`", &self.text[1..])],
            ScanProblem::NotANumber if self.text.starts_with(['=', '~', '>', '<', '!']) => {
                vec!["give one exact version here, without an operator".to_owned()]
            }
            ScanProblem::Empty
            | ScanProblem::NotANumber
            | ScanProblem::TooLarge
            | ScanProblem::TooManyNumbers
            | ScanProblem::Suffix => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn canonical_text_parses_back() {
        let cases = [
            ("1", "1.0.0"),
            ("01.2", "1.2.0"),
            ("1.0.0.", "1.0.0"),
            ("1.0.0-", "1.0.0"),
            ("1-beta.1+b", "1.0.0-beta.1+b"),
        ];
        for (text, canonical) in cases {
            assert_eq!(version(text).to_string(), canonical);
            assert_eq!(version(canonical), version(text));
        }
    }

    #[test]
    fn order_agrees_with_equality_where_precedence_does_not() {
        let (plain, built) = (version("1.0.0"), version("1.0.0+a"));
        assert_eq!(plain.cmp_precedence(&built), Ordering::Equal);
        assert!(plain < built && plain != built);
    }

    #[test]
    fn only_plain_zero_is_unspecified() {
        assert!(version("0").is_unspecified());
        for text in ["0.0.1", "0.0.0-a", "0.0.0+a"] {
            assert!(!version(text).is_unspecified(), "{text}");
        }
    }

    #[test]
    fn message_and_advice_tell_the_mistake() {
        let error = "v1.2".parse::<Version>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`v1.2` is no version: it begins with a `v`"
        );
        assert_eq!(error.hints(), ["leave out the `v`: `1.2`"]);
    }
}
