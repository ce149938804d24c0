//! What a module's package is, as its origin tells it: a commit of a repository, an archive, a directory.

use std::fmt;
use std::str::FromStr;

use crate::hash::Sha256Digest;

/// By what a fetched package is told from another one under the same name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PackageIdentity {
    /// A git repository at this commit.
    Commit(CommitId),
    /// An archive of this SHA-256.
    Archive(Sha256Digest),
    /// A directory of this machine, which has no history.
    Directory,
}

/// The name of a commit: 40 lower-case hex digits, or 64 in repositories of SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommitId(String);

/// The text, as given, is no name of a commit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no commit, which has 40 or 64 hexadecimal digits")]
pub struct CommitIdError(pub String);

/// As messages tell it.
impl fmt::Display for PackageIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commit(commit) => write!(f, "commit {commit}"),
            Self::Archive(digest) => write!(f, "the archive of SHA-256 {digest}"),
            Self::Directory => f.write_str("a directory of this machine"),
        }
    }
}

impl FromStr for CommitId {
    type Err = CommitIdError;

    fn from_str(text: &str) -> Result<Self, CommitIdError> {
        let is_hex = |digit: u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
        if matches!(text.len(), 40 | 64) && text.bytes().all(is_hex) {
            Ok(Self(text.to_owned()))
        } else {
            Err(CommitIdError(text.to_owned()))
        }
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_full_names() {
        for length in [40, 64] {
            let text = "0a".repeat(length / 2);
            assert_eq!(text.parse::<CommitId>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "0a1b2c3",
            &"0A".repeat(20),
            &"0g".repeat(20),
            &"0".repeat(41),
        ] {
            assert!(text.parse::<CommitId>().is_err(), "{text}");
        }
    }
}
