//! What to make of a signature by a key that has expired.

use crate::address::Tool;

/// What to do about packages that an expired key has signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpiredKeys {
    /// They are as good as others, as `terraform` has it.
    Accept,
    /// They are taken with a warning, as `tofu` has it.
    Warn,
    /// They are refused, as `tofu` does with `OPENTOFU_ENFORCE_GPG_EXPIRATION`.
    Reject,
}

impl ExpiredKeys {
    /// What a tool does (facts/providers 3.8); `is_enforced` is what its variable says.
    pub fn of(tool: Tool, is_enforced: bool) -> Self {
        match tool {
            Tool::Terraform => Self::Accept,
            Tool::Tofu if is_enforced => Self::Reject,
            Tool::Tofu => Self::Warn,
        }
    }
}
