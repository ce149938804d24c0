//! Version constraints of module calls and the choice by them, which differ from those of providers
//! (facts/modules 3.4): `~> 1` has no upper bound, prereleases need the whole text to name them, `v` and any
//! count of numbers are allowed, a trailing comma is not.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::ModuleVersion;
use crate::failure::{ExitCode, Failure};

const OPERATORS: [(&str, Operator); 7] = [
    (">=", Operator::GreaterOrEqual),
    ("<=", Operator::LessOrEqual),
    ("!=", Operator::NotEqual),
    ("~>", Operator::Pessimistic),
    (">", Operator::Greater),
    ("<", Operator::Less),
    ("=", Operator::Equal),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Pessimistic,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Term {
    operator: Operator,
    version: ModuleVersion,
}

/// How a constraint may name the prerelease that it wants, in which the tools differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedPrerelease {
    /// `[=]VERSION`: Terraform.
    Bare,
    /// `[=][v]VERSION`: OpenTofu.
    WithV,
}

/// A conjunction of terms; the default has none and admits any release. `Display` prints the text as given.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ModuleConstraints {
    text: String,
    terms: Vec<Term>,
}

impl ModuleConstraints {
    /// Whether a recorded version meets every term, as decides whether a record is used again
    /// (facts 3.3).
    pub fn admits(&self, version: &ModuleVersion) -> bool {
        self.terms.iter().all(|term| term.holds(version))
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The newest of `available` that meets the terms; among equals the earliest. Prereleases count
    /// only if the text as a whole names one.
    pub fn select<'v>(
        &self,
        available: impl IntoIterator<Item = &'v ModuleVersion>,
        named: NamedPrerelease,
    ) -> Option<&'v ModuleVersion> {
        let mut best: Option<&ModuleVersion> = None;
        for version in available {
            let is_newer =
                best.is_none_or(|best| version.cmp_precedence(best) == Ordering::Greater);
            if is_newer && self.may_choose(version, named) && self.admits(version) {
                best = Some(version);
            }
        }
        best
    }

    /// Whether `version` is a release, or the prerelease that the text names.
    pub fn may_choose(&self, version: &ModuleVersion, named: NamedPrerelease) -> bool {
        !version.is_prerelease() || self.names(version, named)
    }

    /// Whether the whole text is `[=]VERSION` with this prerelease, without a space behind the sign.
    fn names(&self, version: &ModuleVersion, named: NamedPrerelease) -> bool {
        let text = self.text.trim();
        let text = text.strip_prefix('=').unwrap_or(text);
        let text = match named {
            NamedPrerelease::Bare => text,
            NamedPrerelease::WithV => text.strip_prefix('v').unwrap_or(text),
        };
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.parse::<ModuleVersion>().is_ok_and(|named| {
                named.written() == 3 && text == named.to_string() && named == *version
            })
    }
}

impl Term {
    fn holds(&self, version: &ModuleVersion) -> bool {
        let order = version.cmp_precedence(&self.version);
        let may_compare = self.is_comparable(version);
        match self.operator {
            Operator::Equal => order == Ordering::Equal,
            Operator::NotEqual => order != Ordering::Equal,
            Operator::Greater => may_compare && order == Ordering::Greater,
            Operator::GreaterOrEqual => may_compare && order != Ordering::Less,
            Operator::Less => may_compare && order == Ordering::Less,
            Operator::LessOrEqual => may_compare && order != Ordering::Greater,
            Operator::Pessimistic => {
                may_compare && order != Ordering::Less && self.is_within_pessimistic(version)
            }
        }
    }

    /// Prereleases compare only with prereleases of the same numbers.
    fn is_comparable(&self, version: &ModuleVersion) -> bool {
        !version.is_prerelease()
            || (self.version.is_prerelease() && self.version.numbers() == version.numbers())
    }

    /// All numbers but the last one written are fixed; with one number none is. A prerelease in the
    /// term admits no release.
    fn is_within_pessimistic(&self, version: &ModuleVersion) -> bool {
        let (bound, numbers) = (self.version.numbers(), version.numbers());
        let fixed = self.version.written() - 1;
        let last = bound.len() - 1;
        (self.version.is_prerelease() == version.is_prerelease() || !self.version.is_prerelease())
            && bound.len() <= numbers.len()
            && bound[..fixed] == numbers[..fixed]
            && bound[last] <= numbers[last]
    }
}

impl FromStr for ModuleConstraints {
    type Err = ModuleConstraintsError;

    fn from_str(text: &str) -> Result<Self, ModuleConstraintsError> {
        let refused = |term: &str| ModuleConstraintsError {
            text: text.to_owned(),
            term: term.trim().to_owned(),
        };
        let terms = text
            .split(',')
            .map(|term| parse_term(term).ok_or_else(|| refused(term)))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            text: text.to_owned(),
            terms,
        })
    }
}

fn parse_term(text: &str) -> Option<Term> {
    let text = text.trim();
    let (operator, number) = OPERATORS
        .iter()
        .find_map(|(sign, operator)| Some((*operator, text.strip_prefix(sign)?)))
        .unwrap_or((Operator::Equal, text));
    let version = number.trim_start().parse().ok()?;
    Some(Term { operator, version })
}

impl fmt::Display for ModuleConstraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The text is no version constraint of a module call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no version constraint of a module: `{term}` is no term of it")]
pub struct ModuleConstraintsError {
    /// The whole text.
    pub text: String,
    /// The term at fault, without the blanks around it.
    pub term: String,
}

impl Failure for ModuleConstraintsError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn hints(&self) -> Vec<String> {
        let instead = if self.text.trim().is_empty() {
            "leave the `version` out to allow any"
        } else {
            "a term is an operator of `= != > >= < <= ~>` or none, and a version; commas separate terms"
        };
        vec![instead.to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(constraints: &str, available: &[&str], named: NamedPrerelease) -> Option<String> {
        let available: Vec<ModuleVersion> =
            available.iter().map(|it| it.parse().unwrap()).collect();
        let constraints: ModuleConstraints = constraints.parse().unwrap();
        constraints
            .select(&available, named)
            .map(ToString::to_string)
    }

    #[test]
    fn one_number_after_the_pessimistic_operator_has_no_upper_bound() {
        let available = ["1.0.0", "1.5.0", "2.0.0", "3.1.0"];
        assert_eq!(
            selected("~> 1", &available, NamedPrerelease::Bare).as_deref(),
            Some("3.1.0")
        );
        assert_eq!(
            selected("~> 1.0", &available, NamedPrerelease::Bare).as_deref(),
            Some("1.5.0")
        );
    }

    #[test]
    fn prereleases_need_the_whole_text_to_name_them() {
        let available = ["1.2.0-beta1"];
        for (text, for_terraform, for_tofu) in [
            ("1.2.0-beta1", true, true),
            ("=1.2.0-beta1", true, true),
            ("= 1.2.0-beta1", false, false),
            ("v1.2.0-beta1", false, true),
            ("1.2.0-beta1, >= 1.0", false, false),
            (">= 1.2.0-beta1", false, false),
        ] {
            for (named, expected) in [
                (NamedPrerelease::Bare, for_terraform),
                (NamedPrerelease::WithV, for_tofu),
            ] {
                assert_eq!(
                    selected(text, &available, named).is_some(),
                    expected,
                    "{text} {named:?}"
                );
            }
        }
    }

    #[test]
    fn texts_of_other_languages_are_refused() {
        for text in [
            "",
            "*",
            "^1.0",
            "~1.0",
            "1.x",
            ">=1.0 <1.1",
            ">= 1 || < 3",
            ",1.0.0",
            "1.0,",
            "=> 1",
            "== 1",
        ] {
            assert!(text.parse::<ModuleConstraints>().is_err(), "{text:?}");
        }
    }
}
