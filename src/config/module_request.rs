//! A module that a user asks for on the command line: `[HOST/]NAMESPACE/NAME/SYSTEM[@CONSTRAINT]`.

use crate::address::{ModuleAddr, ModuleSourceError, Tool};
use crate::failure::{ExitCode, Failure};
use crate::version::{ModuleConstraints, ModuleConstraintsError};

/// A module and the versions wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleRequest {
    /// The module.
    pub addr: ModuleAddr,
    /// Which versions; `None` means any.
    pub constraints: Option<ModuleConstraints>,
}

/// Why an argument is no request for a module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModuleRequestError {
    /// The part before `@` is no module address.
    #[error("`{text}` is not a module address")]
    Address {
        /// The argument.
        text: String,
        /// What is wrong.
        #[source]
        source: ModuleSourceError,
    },
    /// The part after `@` is no constraint.
    #[error("`{text}` has no valid version constraint after the `@`")]
    Constraint {
        /// The argument.
        text: String,
        /// What is wrong.
        #[source]
        source: ModuleConstraintsError,
    },
}

impl ModuleRequest {
    /// Whether an argument is meant for a module: three parts whose first is no host name, or four parts
    /// (`cli.md`, "Addresses").
    pub fn is_meant(text: &str) -> bool {
        let address = text.split_once('@').map_or(text, |(address, _)| address);
        let parts: Vec<&str> = address.split('/').collect();
        match parts[..] {
            [first, _, _] => !(first.contains(['.', ':']) || first == "localhost"),
            [_, _, _, _] => true,
            _ => false,
        }
    }

    /// Parses `ADDRESS[@CONSTRAINT]` with the default host of `tool`.
    ///
    /// # Errors
    ///
    /// If the address is not one of a module in a registry, or the constraint does not parse.
    pub fn parse(text: &str, tool: Tool) -> Result<Self, ModuleRequestError> {
        let (address, constraints) = match text.split_once('@') {
            Some((address, constraints)) => (address, Some(constraints)),
            None => (text, None),
        };
        let addr = ModuleAddr::parse(address, tool);
        let addr = addr.map_err(|source| ModuleRequestError::Address {
            text: text.to_owned(),
            source,
        })?;
        let constraints = constraints.map(str::parse).transpose();
        let constraints = constraints.map_err(|source| ModuleRequestError::Constraint {
            text: text.to_owned(),
            source,
        })?;
        Ok(Self { addr, constraints })
    }
}

impl Failure for ModuleRequestError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Address { source, .. } => source.hints(),
            Self::Constraint { source, .. } => source.hints(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_modules_are_told_by_their_parts() {
        for (text, expected) in [
            ("a/b/c", true),
            ("a/b/c@~>1.0", true),
            ("example.com/a/b/c", true),
            ("example.com/a/b", false),
            ("localhost/a/b", false),
            ("a/b@1.0/2", false),
        ] {
            assert_eq!(ModuleRequest::is_meant(text), expected, "{text}");
        }
    }

    #[test]
    fn constraints_are_those_of_modules() {
        let parse = |text: &str| ModuleRequest::parse(text, Tool::Terraform);
        let request = parse("a/b/c@v1.0").unwrap();
        assert_eq!(request.constraints.unwrap().to_string(), "v1.0");
        assert!(matches!(
            parse("a/b/c@"),
            Err(ModuleRequestError::Constraint { .. })
        ));
        assert!(matches!(
            parse("a/b/C"),
            Err(ModuleRequestError::Address { .. })
        ));
    }
}
