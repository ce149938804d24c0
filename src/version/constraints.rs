//! Version constraints: parsing, canonical text, matching and selection (facts/providers 11.3 to 11.9).

use std::fmt;
use std::str::FromStr;

use super::constraint::{Constraint, ConstraintOp, Prereleases};
use super::scan::{Scanned, scan};
use super::{ConstraintsError, TermProblem, Version};

/// The operators as written, longer ones before those that they begin with.
const OPERATORS: [(&str, ConstraintOp); 7] = [
    (">=", ConstraintOp::GreaterOrEqual),
    ("<=", ConstraintOp::LessOrEqual),
    ("!=", ConstraintOp::NotEqual),
    ("~>", ConstraintOp::PessimisticMinor),
    (">", ConstraintOp::Greater),
    ("<", ConstraintOp::Less),
    ("=", ConstraintOp::Equal),
];

/// A conjunction of terms; without terms, any version.
///
/// `Display` prints the canonical text of lock files, which parses back to terms that mean the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct VersionConstraints {
    terms: Vec<Constraint>,
}

impl VersionConstraints {
    /// The constraint that only `version` meets, build metadata included.
    pub fn exactly(version: &Version) -> Self {
        let [major, minor, patch] = version.numbers();
        let term = Constraint {
            op: ConstraintOp::Equal,
            major,
            minor: Some(minor),
            patch: Some(patch),
            pre: version.pre().to_owned(),
            meta: version.meta().to_owned(),
        };
        Self { terms: vec![term] }
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The terms in the order written.
    pub fn terms(&self) -> &[Constraint] {
        &self.terms
    }

    /// The terms of both, which only versions that meet all of them satisfy (facts 11.9).
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let terms = self.terms.iter().chain(&other.terms).cloned().collect();
        Self { terms }
    }

    /// Whether `version` is acceptable; 0.0.0 never is (facts 11.9).
    pub fn allows(&self, version: &Version, prereleases: Prereleases) -> bool {
        if version.is_unspecified() {
            return false;
        }
        let may_match = match prereleases {
            Prereleases::Included => true,
            Prereleases::ExactOnly => !version.is_prerelease() || self.names(version),
        };
        may_match
            && self
                .terms
                .iter()
                .all(|term| term.holds(version, prereleases))
    }

    /// Whether a `=` term names exactly this version.
    fn names(&self, version: &Version) -> bool {
        self.terms
            .iter()
            .any(|term| term.op == ConstraintOp::Equal && term.boundary() == *version)
    }

    /// The acceptable ones of `available`, ascending; those that differ in build metadata only are
    /// ordered by it, where the tools leave the order to chance (facts 11.7).
    pub fn allowed<'v>(
        &self,
        available: impl IntoIterator<Item = &'v Version>,
        prereleases: Prereleases,
    ) -> Vec<&'v Version> {
        let mut allowed: Vec<&Version> = available
            .into_iter()
            .filter(|version| self.allows(version, prereleases))
            .collect();
        allowed.sort();
        allowed
    }

    /// The newest acceptable one of `available` by the tools' rule for prereleases.
    pub fn select<'v>(
        &self,
        available: impl IntoIterator<Item = &'v Version>,
    ) -> Option<&'v Version> {
        self.allowed(available, Prereleases::ExactOnly).pop()
    }
}

impl FromStr for VersionConstraints {
    type Err = ConstraintsError;

    fn from_str(text: &str) -> Result<Self, ConstraintsError> {
        let refuse = |term: &str, problem| ConstraintsError {
            text: text.to_owned(),
            term: term.to_owned(),
            problem,
        };
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Ok(Self::default());
        }
        // A trailing comma is allowed, a leading or a doubled one is not (facts 11.3).
        let listed = trimmed.strip_suffix(',').unwrap_or(trimmed);
        let terms = listed
            .split(',')
            .map(|term| parse_term(term.trim()).map_err(|problem| refuse(term.trim(), problem)))
            .collect::<Result<_, _>>()?;
        Ok(Self { terms })
    }
}

/// Parses `[OPERATOR][one space]VERSION`.
fn parse_term(term: &str) -> Result<Constraint, TermProblem> {
    if term.is_empty() {
        return Err(TermProblem::Empty);
    }
    let (op, number) = OPERATORS
        .into_iter()
        .find_map(|(sign, op)| Some((op, term.strip_prefix(sign)?)))
        .map_or((ConstraintOp::Equal, term), |(op, rest)| {
            (op, rest.strip_prefix(' ').unwrap_or(rest))
        });
    let scanned = scan(number).map_err(|problem| TermProblem::of_scan(term, number, problem))?;
    Ok(build(op, &scanned))
}

/// Makes the term; how many numbers were written decides what `~>` means (facts 11.5).
fn build(op: ConstraintOp, scanned: &Scanned) -> Constraint {
    let is_patch = op == ConstraintOp::PessimisticMinor && scanned.numbers.len() == 3;
    let op = if is_patch {
        ConstraintOp::PessimisticPatch
    } else {
        op
    };
    // A prerelease or build part settles the missing numbers as zero.
    let is_full = !scanned.pre.is_empty() || !scanned.meta.is_empty();
    let filler = is_full.then_some(0);
    Constraint {
        op,
        major: scanned.number(0).unwrap_or(0),
        minor: scanned.number(1).or(filler),
        patch: scanned.number(2).or(filler),
        pre: scanned.pre.clone(),
        meta: scanned.meta.clone(),
    }
}

impl fmt::Display for VersionConstraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms: Vec<&Constraint> = self.terms.iter().collect();
        terms.sort_by(|one, other| one.cmp_canonical(other));
        terms.dedup_by(|one, other| one.is_same(other));
        for (index, term) in terms.into_iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{term}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraints(text: &str) -> VersionConstraints {
        text.parse().unwrap()
    }

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn canonical_text_is_a_fixed_point() {
        let cases = [
            ("", ""),
            (">=1,<2.0,", ">= 1.0.0, < 2.0.0"),
            ("~>1", "~> 1.0"),
            ("= 1.2", "1.2.0"),
            ("~> 1-beta", "~> 1.0-beta"),
            ("!=2, >1, >1.0", "> 1.0.0, != 2.0.0"),
        ];
        for (text, canonical) in cases {
            assert_eq!(constraints(text).to_string(), canonical);
            assert_eq!(constraints(canonical).to_string(), canonical);
        }
    }

    #[test]
    fn exact_constraint_names_one_version() {
        for text in ["1.2.3", "1.0.0-rc.1+b", "18446744073709551615.0.0"] {
            let exact = VersionConstraints::exactly(&version(text));
            assert_eq!(exact.to_string(), text);
            assert!(exact.allows(&version(text), Prereleases::ExactOnly));
        }
        let zero = VersionConstraints::exactly(&version("0.0.0"));
        assert!(!zero.allows(&version("0.0.0"), Prereleases::Included));
    }

    #[test]
    fn included_prereleases_follow_precedence_but_not_into_the_next_release() {
        let cases = [
            ("~> 1.0", "1.0.0-beta1", false),
            ("~> 1.0", "1.1.0-beta1", true),
            ("~> 1.0", "2.0.0-beta1", false),
            ("~> 1.0.0-a", "1.0.0-beta1", true),
            ("~> 1.0.0", "1.1.0-beta1", false),
            (">= 1.0.0", "2.0.0-beta1", true),
            ("< 2.0.0", "2.0.0-beta1", true),
            ("> 1.0.0-a", "1.0.0", true),
            ("1.0.0", "1.0.0-beta1", false),
            ("!= 1.0.0", "1.0.0-beta1", true),
            ("", "1.0.0-beta1", true),
        ];
        for (text, candidate, expected) in cases {
            let candidate = version(candidate);
            let allowed = constraints(text).allows(&candidate, Prereleases::Included);
            assert_eq!(allowed, expected, "{text} {candidate}");
        }
    }

    #[test]
    fn both_constraints_must_hold() {
        let both = constraints(">= 1.0").and(&constraints("< 2.0"));
        let available = ["0.9.0", "1.5.0", "2.0.0"].map(version);
        assert_eq!(both.select(&available), Some(&available[1]));
    }

    #[test]
    fn choice_among_build_metadata_does_not_depend_on_order() {
        let mut available = ["1.0.0+a", "1.0.0+c", "1.0.0+b"].map(version);
        for _ in 0..3 {
            available.rotate_left(1);
            let selected = VersionConstraints::default().select(&available);
            assert_eq!(selected.unwrap().meta(), "c");
        }
    }

    #[test]
    fn highest_number_has_no_upper_bound() {
        let highest = "18446744073709551615.1.0";
        assert!(
            constraints("~> 18446744073709551615.0")
                .allows(&version(highest), Prereleases::default())
        );
    }
}
