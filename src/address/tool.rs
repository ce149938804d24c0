//! The tool that the user works with, which decides default host and file formats.

use std::fmt;
use std::str::FromStr;

use crate::failure::{ExitCode, Failure};

/// Terraform or OpenTofu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Tool {
    /// Terraform, `registry.terraform.io`.
    #[default]
    Terraform,
    /// OpenTofu, `registry.opentofu.org`.
    Tofu,
}

impl Tool {
    /// The registry host of addresses that name none.
    pub fn default_host(self) -> &'static str {
        match self {
            Self::Terraform => "registry.terraform.io",
            Self::Tofu => "registry.opentofu.org",
        }
    }

    /// The program's name, as in `--tool` and in the lock file's header.
    pub fn name(self) -> &'static str {
        match self {
            Self::Terraform => "terraform",
            Self::Tofu => "tofu",
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Tool {
    type Err = ToolError;

    fn from_str(text: &str) -> Result<Self, ToolError> {
        [Self::Terraform, Self::Tofu]
            .into_iter()
            .find(|tool| tool.name() == text)
            .ok_or_else(|| ToolError(text.to_owned()))
    }
}

/// Neither of the two names; holds the text as given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither `terraform` nor `tofu`")]
pub struct ToolError(pub String);

impl Failure for ToolError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for tool in [Tool::Terraform, Tool::Tofu] {
            assert_eq!(tool.to_string().parse(), Ok(tool));
        }
        assert!("opentofu".parse::<Tool>().is_err());
    }
}
