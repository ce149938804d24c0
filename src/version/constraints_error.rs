//! Why a text is no constraint, and how Terraform writes what was meant.

use super::scan::ScanProblem;
use crate::failure::{ExitCode, Failure};

/// Why a text is no constraint: the term at fault and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no version constraint: {}", problem.phrase(term))]
pub struct ConstraintsError {
    /// The whole text as given.
    pub text: String,
    /// The term, without the blanks around it.
    pub term: String,
    /// What is wrong with the term.
    pub problem: TermProblem,
}

/// What is wrong with one term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermProblem {
    /// Nothing between two commas, or before the first.
    Empty,
    /// An operator that other tools have; the one that Terraform has for it, if it has one.
    ForeignOperator(Option<&'static str>),
    /// Several terms without a comma between them, or alternatives.
    SeveralTerms,
    /// `*` or `x` for a number.
    Wildcard,
    /// Tabs or more than one space after the operator.
    Blanks,
    /// A `v` before the number.
    Prefix,
    /// The version number is wrong in another way; the phrase says how.
    Number(&'static str),
}

impl TermProblem {
    /// Finds what the author of `term` had in mind, where only `number` is left after the operator.
    pub(super) fn of_scan(term: &str, number: &str, problem: ScanProblem) -> Self {
        const FOREIGN: [(&str, Option<&str>); 7] = [
            ("==", Some("=")),
            ("=>", Some(">=")),
            ("=<", Some("<=")),
            ("^", Some("~>")),
            ("~", Some("~>")),
            ("≥", Some(">=")),
            ("≤", Some("<=")),
        ];
        let foreign = FOREIGN.iter().find(|(sign, _)| term.starts_with(sign));
        if let Some((_, instead)) = foreign
            && !term.starts_with("~>")
        {
            return Self::ForeignOperator(*instead);
        }
        if number.starts_with(char::is_whitespace) {
            return Self::Blanks;
        }
        if number.contains(char::is_whitespace) || number.contains('|') {
            return Self::SeveralTerms;
        }
        if problem == ScanProblem::Prefix {
            return Self::Prefix;
        }
        let is_wildcard = |part: &str| matches!(part, "*" | "x" | "X");
        if number.split('.').any(is_wildcard) {
            return Self::Wildcard;
        }
        Self::Number(problem.phrase())
    }

    fn phrase(self, term: &str) -> String {
        match self {
            Self::Empty => "a comma has no term before it".to_owned(),
            Self::ForeignOperator(_) => format!("`{term}` begins with no operator of Terraform"),
            Self::SeveralTerms => format!("`{term}` is more than one term"),
            Self::Wildcard => format!("`{term}` has a placeholder for a number"),
            Self::Blanks => format!("`{term}` has more than one space after its operator"),
            Self::Prefix => format!("`{term}` has a `v` before its number"),
            Self::Number(phrase) => format!("`{term}` {phrase}"),
        }
    }
}

impl Failure for ConstraintsError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn hints(&self) -> Vec<String> {
        let hint = match self.problem {
            TermProblem::ForeignOperator(Some(instead)) => {
                format!("Terraform's operator for this is `{instead}`")
            }
            TermProblem::SeveralTerms if self.term.contains('|') => {
                "Terraform has no alternatives; a range such as `>= 1.0, < 3.0` may do".to_owned()
            }
            TermProblem::SeveralTerms => {
                "put a comma between terms, as in `>= 1.0, < 2.0`".to_owned()
            }
            TermProblem::Wildcard => {
                "write `~> 1.2.0` for `1.2.*` and `~> 1.0` for `1.*`; leave the constraint out for `*`"
                    .to_owned()
            }
            TermProblem::Prefix => "leave out the `v`".to_owned(),
            TermProblem::Empty
            | TermProblem::ForeignOperator(None)
            | TermProblem::Blanks
            | TermProblem::Number(_) => return Vec::new(),
        };
        vec![hint]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::version::VersionConstraints;

    #[test]
    fn habits_of_other_tools_are_recognised() {
        let cases = [
            ("^1.2", TermProblem::ForeignOperator(Some("~>"))),
            ("~1.2", TermProblem::ForeignOperator(Some("~>"))),
            ("==1.2", TermProblem::ForeignOperator(Some("="))),
            ("=> 1.2", TermProblem::ForeignOperator(Some(">="))),
            (">= 1.0 < 2.0", TermProblem::SeveralTerms),
            ("1.0 || 2.0", TermProblem::SeveralTerms),
            ("1.*", TermProblem::Wildcard),
            ("1.x", TermProblem::Wildcard),
            ("~> v1.0", TermProblem::Prefix),
            (">=  1.0", TermProblem::Blanks),
            (", 1.0", TermProblem::Empty),
            (
                "1.0.0.0",
                TermProblem::Number("has more than three numbers"),
            ),
        ];
        for (text, problem) in cases {
            let error = text.parse::<VersionConstraints>().unwrap_err();
            assert_eq!(error.problem, problem, "{text}");
        }
    }

    #[test]
    fn message_names_the_term() {
        let error = ">= 1.0, ^2".parse::<VersionConstraints>().unwrap_err();
        let message =
            "`>= 1.0, ^2` is no version constraint: `^2` begins with no operator of Terraform";
        assert_eq!(error.to_string(), message);
        assert_eq!(error.hints(), ["Terraform's operator for this is `~>`"]);
    }
}
