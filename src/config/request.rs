//! What a user asks for on the command line: `ADDRESS[@CONSTRAINT]` (`cli.md`, "Addresses").

use crate::address::{ProviderAddr, ProviderAddrError, ProviderSource, Tool};
use crate::config::ModuleRequest;
use crate::failure::{ExitCode, Failure};
use crate::version::{ConstraintsError, VersionConstraints};

/// A provider and the versions wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderRequest {
    /// The provider.
    pub addr: ProviderAddr,
    /// Which versions; empty means any.
    pub constraints: VersionConstraints,
}

/// Why an argument is no request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The part before `@` is no provider address.
    #[error("`{text}` is not a provider address")]
    Address {
        /// The argument.
        text: String,
        /// What is wrong.
        #[source]
        source: ProviderAddrError,
    },
    /// The part after `@` is no constraint.
    #[error("`{text}` has no valid version constraint after the `@`")]
    Constraint {
        /// The argument.
        text: String,
        /// What is wrong.
        #[source]
        source: ConstraintsError,
    },
    /// There is nothing after `@`.
    #[error("`{text}` has nothing after the `@`")]
    NoConstraint {
        /// The argument.
        text: String,
    },
    /// The address is a module's.
    #[error("`{text}` is a module address, and this command takes providers only")]
    Module {
        /// The argument.
        text: String,
    },
    /// The provider is part of the tool.
    #[error("`{text}` is built into the tool and has no package")]
    BuiltIn {
        /// The argument.
        text: String,
    },
    /// The address has the namespace `-` of before version 0.13.
    #[error("`{text}` is a legacy address without a namespace")]
    Legacy {
        /// The argument.
        text: String,
    },
}

impl ProviderRequest {
    /// Parses `ADDRESS[@CONSTRAINT]` with the default host of `tool`.
    ///
    /// # Errors
    ///
    /// If the address is not one of an installable provider, or the constraint does not parse.
    pub fn parse(text: &str, tool: Tool) -> Result<Self, RequestError> {
        let (address, constraint) = text
            .split_once('@')
            .map_or((text, None), |(a, c)| (a, Some(c)));
        let owned = || text.to_owned();
        if ModuleRequest::is_meant(address) {
            return Err(RequestError::Module { text: owned() });
        }
        let addr = match ProviderSource::parse(address, tool) {
            Ok(ProviderSource::Installable(addr)) => addr,
            Ok(ProviderSource::BuiltIn(_)) => return Err(RequestError::BuiltIn { text: owned() }),
            Ok(ProviderSource::Legacy(_)) => return Err(RequestError::Legacy { text: owned() }),
            Err(source) => {
                return Err(RequestError::Address {
                    text: owned(),
                    source,
                });
            }
        };
        if constraint.is_some_and(|text| text.trim().is_empty()) {
            return Err(RequestError::NoConstraint { text: owned() });
        }
        let constraints =
            constraint
                .unwrap_or_default()
                .parse()
                .map_err(|source| RequestError::Constraint {
                    text: owned(),
                    source,
                })?;
        Ok(Self { addr, constraints })
    }
}

impl Failure for RequestError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Address { source, .. } => source.hints(),
            Self::Constraint { source, .. } => source.hints(),
            Self::NoConstraint { .. } => vec![
                "leave out the `@` for any version, or write a constraint such as `@~>5.0`".to_owned(),
            ],
            Self::Module { .. } => vec![
                "a provider address with a host name has three parts whose first contains a dot: `example.com/acme/net`".to_owned(),
            ],
            Self::BuiltIn { .. } => vec!["leave it out: it needs no installation".to_owned()],
            Self::Legacy { .. } => {
                vec!["write the namespace, such as `hashicorp/aws` instead of `-/aws`".to_owned()]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(String, String), RequestError> {
        ProviderRequest::parse(text, Tool::Terraform)
            .map(|request| (request.addr.to_string(), request.constraints.to_string()))
    }

    #[test]
    fn addresses_follow_the_contract() {
        for (text, addr, constraints) in [
            ("random", "registry.terraform.io/hashicorp/random", ""),
            (
                "hashicorp/random@~>5.0",
                "registry.terraform.io/hashicorp/random",
                "~> 5.0",
            ),
            (
                "example.com/acme/net@1.2.3",
                "example.com/acme/net",
                "1.2.3",
            ),
            ("localhost:8443/acme/net", "localhost:8443/acme/net", ""),
            (
                "localhost/acme/net@>= 1, != 2.0.0",
                "localhost/acme/net",
                ">= 1.0.0, != 2.0.0",
            ),
        ] {
            assert_eq!(
                parse(text),
                Ok((addr.to_owned(), constraints.to_owned())),
                "{text}"
            );
        }
    }

    #[test]
    fn other_arguments_are_refused_by_kind() {
        assert!(matches!(
            parse("terraform-aws-modules/vpc/aws"),
            Err(RequestError::Module { .. })
        ));
        assert!(matches!(
            parse("example.com/acme/vpc/aws"),
            Err(RequestError::Module { .. })
        ));
        assert!(matches!(
            parse("hashicorp/aws@x"),
            Err(RequestError::Constraint { .. })
        ));
        assert!(matches!(
            parse("hashicorp/aws@ "),
            Err(RequestError::NoConstraint { .. })
        ));
        assert!(matches!(
            parse("terraform.io/builtin/terraform"),
            Err(RequestError::BuiltIn { .. })
        ));
        assert!(matches!(parse("-/aws"), Err(RequestError::Legacy { .. })));
        assert!(matches!(parse(""), Err(RequestError::Address { .. })));
    }
}
