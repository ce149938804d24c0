//! What every error of this program can tell besides its message: an exit code and advice.
//!
//! Floor 0. An error enum describes the state of the world; advice is data of its own, so that the
//! renderer can print message, causes and then the hints. `cli.md` lists the codes.

use std::error::Error;

/// The exit codes of the program, as scripts see them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExitCode {
    /// 1: local failure: I/O, unreadable configuration or lock file, a bug.
    Local,
    /// 2: usage.
    Usage,
    /// 4: authentication required or refused.
    Authentication,
    /// 10: verification failed: digest, signature, hostile archive; nothing bad was written.
    Verification,
    /// 11: a check found differences other than those of 10.
    Difference,
    /// 12: not found or unsatisfiable.
    NotFound,
    /// 13: remote unavailable after retries, or answering against the protocol.
    Remote,
    /// 130: interrupted.
    Interrupted,
}

impl ExitCode {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Local,
        Self::Usage,
        Self::Authentication,
        Self::Verification,
        Self::Difference,
        Self::NotFound,
        Self::Remote,
        Self::Interrupted,
    ];

    /// What the code tells, as manual and README say it.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Local => "local failure: I/O, unreadable configuration or lock file, a bug",
            Self::Usage => "usage",
            Self::Authentication => "authentication required or refused",
            Self::Verification => {
                "verification failed: digest, signature, hostile archive; nothing bad was written"
            }
            Self::Difference => "a check found differences other than those of 10",
            Self::NotFound => {
                "not found or unsatisfiable: no such provider, no version meets the constraint, \
                 platform not published, not there under `--offline`"
            }
            Self::Remote => "remote unavailable after retries, or answering against the protocol",
            Self::Interrupted => "interrupted",
        }
    }

    /// The number that the process ends with.
    pub fn number(self) -> u8 {
        match self {
            Self::Local => 1,
            Self::Usage => 2,
            Self::Authentication => 4,
            Self::Verification => 10,
            Self::Difference => 11,
            Self::NotFound => 12,
            Self::Remote => 13,
            Self::Interrupted => 130,
        }
    }

    /// The word for this kind of failure in JSON reports.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Usage => "usage",
            Self::Authentication => "authentication",
            Self::Verification => "verification",
            Self::Difference => "difference",
            Self::NotFound => "not_found",
            Self::Remote => "remote",
            Self::Interrupted => "interrupted",
        }
    }

    /// Chooses the code of a run in which several things failed: 10, 4, 12, 13, 11, 1, in that order;
    /// an interruption outranks all.
    pub fn gravest(codes: impl IntoIterator<Item = Self>) -> Option<Self> {
        const ORDER: [ExitCode; 8] = [
            ExitCode::Interrupted,
            ExitCode::Verification,
            ExitCode::Authentication,
            ExitCode::NotFound,
            ExitCode::Remote,
            ExitCode::Difference,
            ExitCode::Usage,
            ExitCode::Local,
        ];
        let seen: Vec<Self> = codes.into_iter().collect();
        ORDER.into_iter().find(|code| seen.contains(code))
    }
}

/// An error that knows its exit code and what the user can do about it.
pub trait Failure: Error {
    /// The exit code that this failure alone leads to.
    fn exit_code(&self) -> ExitCode;

    /// Zero or more pieces of advice, each an action, literals in backticks, no final period.
    fn hints(&self) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_codes_are_listed_once_in_order() {
        let numbers = ExitCode::ALL.map(ExitCode::number);
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        // A code that is missing from the list would be missing from the manual.
        assert_eq!(
            ExitCode::gravest(ExitCode::ALL),
            Some(ExitCode::Interrupted)
        );
    }

    #[test]
    fn gravest_follows_the_documented_order() {
        use ExitCode::{Authentication, Difference, Local, NotFound, Remote, Verification};
        assert_eq!(ExitCode::gravest([]), None);
        assert_eq!(ExitCode::gravest([Local, Difference, Remote]), Some(Remote));
        assert_eq!(ExitCode::gravest([Remote, NotFound]), Some(NotFound));
        assert_eq!(
            ExitCode::gravest([NotFound, Authentication]),
            Some(Authentication)
        );
        assert_eq!(
            ExitCode::gravest([Authentication, Verification]),
            Some(Verification)
        );
    }
}
