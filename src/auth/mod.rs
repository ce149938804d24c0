//! Who the user is to a host: the chain of credentials sources (facts/login 4.5), where tokens are kept, and how a
//! login gets one (facts/login 2).
//!
//! Answers for one host at a time and only looks up; sending is the business of `http` and `registry`.
//! Tokens are [`Secret`](crate::secret::Secret)s and never appear in messages.
mod credentials;
mod exchange;
mod helper;
mod helper_search;
pub mod keyring;
pub mod login;
mod renewal;
mod session_file;
mod storage;
mod stored_file;
mod token_variable;

pub use credentials::{Credentials, CredentialsSource, HostCredentials, usable};
pub use exchange::{ExchangeError, request_token};
pub use helper::{CredentialsHelper, HelperError};
pub use renewal::{Renewal, new_session};
pub use session_file::{SessionError, SessionFile};
pub use storage::{Storage, StorageError};
pub use stored_file::Edited;
pub use token_variable::variable_for;
