//! The messages of a login by OAuth 2.0 as values: requests, callback and answers, without I/O
//! (facts/login 2).
mod authorization;
mod callback;
mod pkce;
mod server_text;
mod token_request;
mod token_response;

pub use authorization::{AuthorizationRequest, CALLBACK_PATH, redirect_uri};
pub use callback::{Callback, CallbackError, State, pasted_callback};
pub use pkce::{Verifier, VerifierError, random_text};
pub use server_text::{Refusal, clean};
pub use token_request::{code_fields, password_fields, refresh_fields};
pub use token_response::{TokenResponse, TokenResponseError};
