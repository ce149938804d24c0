//! Options about signing keys that several commands have.

use clap::{Args, ValueEnum};

use crate::ops::{ExpiredKeys, Fetcher};

/// `--expired-keys`.
#[derive(Debug, Clone, Copy, Args)]
pub struct KeyArgs {
    /// What to make of signatures by expired keys [default: what the tool does]
    ///
    /// `terraform` accepts them, `tofu` warns of them, and rejects them with `OPENTOFU_ENFORCE_GPG_EXPIRATION=true`.
    #[arg(long, value_name = "WHAT")]
    pub expired_keys: Option<ExpiredKeysPolicy>,
}

/// What `--expired-keys` may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExpiredKeysPolicy {
    /// Take them as any other
    Accept,
    /// Take them with a warning
    Warn,
    /// Refuse them
    Reject,
}

impl KeyArgs {
    /// The choice, or else what the tool does.
    pub(super) fn or(self, of_tool: ExpiredKeys) -> ExpiredKeys {
        match self.expired_keys {
            None => of_tool,
            Some(ExpiredKeysPolicy::Accept) => ExpiredKeys::Accept,
            Some(ExpiredKeysPolicy::Warn) => ExpiredKeys::Warn,
            Some(ExpiredKeysPolicy::Reject) => ExpiredKeys::Reject,
        }
    }

    /// A fetcher that goes by the choice.
    pub(super) fn applied(self, fetcher: Fetcher<'_>) -> Fetcher<'_> {
        Fetcher {
            expired_keys: self.or(fetcher.expired_keys),
            ..fetcher
        }
    }
}
