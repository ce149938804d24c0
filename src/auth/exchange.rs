//! Asking a token endpoint: one form, no redirects, a capped answer (facts/login 2.6, 2.7).

use url::Url;

use crate::document::oauth::{TokenResponse, TokenResponseError};
use crate::failure::{ExitCode, Failure};
use crate::http::{Client, HttpError, PostRequest};
use crate::secret::ShownUrl;

/// The tools read no longer answer.
const ANSWER_CAP: u64 = 1 << 20;

/// Why a token endpoint gave no token.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// No complete answer came.
    #[error("cannot ask the token endpoint")]
    Request(#[source] HttpError),
    /// The answer is no token.
    #[error("no token from `{endpoint}`")]
    Answer {
        /// Who answered.
        endpoint: ShownUrl,
        /// What is wrong.
        source: TokenResponseError,
    },
}

impl ExchangeError {
    /// Whether the server said that this grant is not or no longer good, so that another try is of no use.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Answer {
                source: TokenResponseError::Refused(refusal),
                ..
            } => refusal.error() == "invalid_grant",
            Self::Answer { .. } | Self::Request(_) => false,
        }
    }
}

impl Failure for ExchangeError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Request(error) => error.exit_code(),
            Self::Answer { source, .. } => match source {
                TokenResponseError::Refused(_)
                | TokenResponseError::Redirected { refusal: Some(_) } => ExitCode::Authentication,
                TokenResponseError::Redirected { refusal: None }
                | TokenResponseError::Status { .. }
                | TokenResponseError::Malformed { .. }
                | TokenResponseError::NotAnObject
                | TokenResponseError::TooManyValues(_)
                | TokenResponseError::MissingToken
                | TokenResponseError::UnusableToken
                | TokenResponseError::Expiry => ExitCode::Remote,
            },
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Request(error) => error.hints(),
            Self::Answer { .. } => {
                vec!["try again; if it stays so, tell those who run the host".to_owned()]
            }
        }
    }
}

/// Sends `fields` to the endpoint and reads the token.
///
/// # Errors
///
/// If no answer comes, or it is no token.
pub async fn request_token(
    http: &Client,
    endpoint: &Url,
    fields: &[(&str, &str)],
) -> Result<TokenResponse, ExchangeError> {
    let request = PostRequest {
        url: endpoint.clone(),
        fields,
        cap: ANSWER_CAP,
    };
    let answer = http.post_form(&request).await;
    let answer = answer.map_err(ExchangeError::Request)?;
    let content_type = answer.content_type.as_deref();
    let location = answer.header("location");
    let parsed = TokenResponse::parse(answer.status, content_type, location, &answer.body);
    parsed.map_err(|source| ExchangeError::Answer {
        endpoint: ShownUrl::of(endpoint),
        source,
    })
}
