//! Who the user is to a host: the chain of credentials sources (facts/login 4.5).
//!
//! Answers for one host at a time and only looks up; sending is the business of `http` and `registry`.
//! Tokens are [`Secret`](crate::secret::Secret)s and never appear in messages.
mod credentials;
mod token_variable;

pub use credentials::{Credentials, CredentialsSource, HostCredentials};
pub use token_variable::variable_for;
