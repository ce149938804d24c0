//! The answer of a token endpoint (facts/login 2.6, 2.7).
//!
//! Hostile input: the endpoint may be anybody's.
//!
//! | attack | answer |
//! |---|---|
//! | a redirect, to have the code and verifier sent elsewhere | none is followed; the error in its query is told |
//! | a page instead of a token, an endless body | it must be one JSON object or a form; whoever reads it caps it |
//! | a flood of small values | weighed before it is parsed |
//! | a token that breaks every later request, or smuggles a header | tokens with control characters are refused |
//! | words that forge lines on the terminal | [`clean`](super::clean) |
//!
//! The body itself is never shown: it may hold a token.

use serde_json::Value;
use url::{Url, form_urlencoded};

use crate::document::json_weight::{TooManyValues, weigh};
use crate::document::oauth::Refusal;
use crate::secret::Secret;

/// What a successful answer gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenResponse {
    /// The token for the host: not empty, and fit for a header.
    pub access_token: Secret,
    /// The token that gets a new one.
    pub refresh_token: Option<Secret>,
    /// For how many seconds the token is good, if the server says so.
    pub expires_in: Option<u64>,
}

/// Why an answer gives no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenResponseError {
    /// The server says no.
    #[error("the server refuses: {0}")]
    Refused(Refusal),
    /// The server redirects, which must not be followed.
    #[error("the token endpoint redirects instead of answering{}", told(refusal.as_ref()))]
    Redirected {
        /// The error that the target's query tells.
        refusal: Option<Refusal>,
    },
    /// Another status without a reason.
    #[error("the token endpoint answers with status {status}")]
    Status {
        /// The status.
        status: u16,
    },
    /// The body is no token response.
    #[error("the token endpoint answers something else than a token response{}", of_type(content_type.as_deref()))]
    Malformed {
        /// The declared type of the body.
        content_type: Option<String>,
        /// The parser's error, which shows nothing of the body.
        source: serde_json::Error,
    },
    /// The body is JSON, and no object.
    #[error("the token endpoint answers something else than a JSON object")]
    NotAnObject,
    /// The body holds too many values.
    #[error(transparent)]
    TooManyValues(#[from] TooManyValues),
    /// There is no token.
    #[error("the token endpoint's answer has no `access_token`")]
    MissingToken,
    /// The token cannot be sent in a header.
    #[error("the token endpoint gives an `access_token` with control characters")]
    UnusableToken,
    /// The time of expiry is no number.
    #[error("the token endpoint gives an `expires_in` that is no number")]
    Expiry,
}

fn told(refusal: Option<&Refusal>) -> String {
    refusal.map_or_else(String::new, |refusal| format!(", with the error {refusal}"))
}

fn of_type(content_type: Option<&str>) -> String {
    content_type.map_or_else(String::new, |text| {
        format!(" (content type `{}`)", super::clean(text))
    })
}

impl TokenResponse {
    /// Reads an answer; `location` is its `Location` header.
    ///
    /// # Errors
    ///
    /// If it is no success, or gives no usable token.
    pub fn parse(
        status: u16,
        content_type: Option<&str>,
        location: Option<&str>,
        body: &[u8],
    ) -> Result<Self, TokenResponseError> {
        if (300..400).contains(&status) {
            let refusal = location.and_then(refusal_in_query);
            return Err(TokenResponseError::Redirected { refusal });
        }
        let fields = fields(content_type, body);
        if !(200..300).contains(&status) {
            let refusal = fields.ok().and_then(|fields| fields.refusal());
            return Err(match refusal {
                Some(refusal) => TokenResponseError::Refused(refusal),
                None => TokenResponseError::Status { status },
            });
        }
        fields?.token_response()
    }
}

/// OTF reports errors by a redirect to the callback (facts/login 2.6).
fn refusal_in_query(location: &str) -> Option<Refusal> {
    let base = Url::parse("http://localhost/").ok()?;
    let target = base.join(location).ok()?;
    Form::of(target.query().unwrap_or_default().as_bytes()).refusal()
}

fn fields(content_type: Option<&str>, body: &[u8]) -> Result<Form, TokenResponseError> {
    let media_type = content_type.and_then(|value| value.split(';').next());
    let media_type = media_type.unwrap_or_default().trim().to_ascii_lowercase();
    match media_type.as_str() {
        "application/x-www-form-urlencoded" | "text/plain" => Ok(Form::of(body)),
        _ => {
            weigh(body)?;
            let value = serde_json::from_slice(body).map_err(|source| {
                let content_type = content_type.map(str::to_owned);
                TokenResponseError::Malformed {
                    content_type,
                    source,
                }
            })?;
            match value {
                Value::Object(members) => Ok(Form(members.into_iter().collect())),
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Array(_) => Err(TokenResponseError::NotAnObject),
            }
        }
    }
}

/// The members of the answer, whichever way they were written; the first of one name counts.
struct Form(Vec<(String, Value)>);

impl Form {
    fn of(body: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(body).into_owned();
        Self(
            pairs
                .map(|(name, text)| (name, Value::String(text)))
                .collect(),
        )
    }

    fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value)
    }

    fn text(&self, name: &str) -> Option<&str> {
        let text = self.get(name).and_then(Value::as_str);
        text.filter(|text| !text.is_empty())
    }

    fn refusal(&self) -> Option<Refusal> {
        let error = self.text("error")?;
        Some(Refusal::new(error, self.text("error_description")))
    }

    /// An error counts even beside a token.
    fn token_response(&self) -> Result<TokenResponse, TokenResponseError> {
        if let Some(refusal) = self.refusal() {
            return Err(TokenResponseError::Refused(refusal));
        }
        let token = self.text("access_token");
        let token = token.ok_or(TokenResponseError::MissingToken)?;
        if token.contains(char::is_control) {
            return Err(TokenResponseError::UnusableToken);
        }
        let refresh_token = self.text("refresh_token").map(Secret::new);
        Ok(TokenResponse {
            access_token: Secret::new(token),
            refresh_token,
            expires_in: self.expires_in()?,
        })
    }

    /// Zero and negative numbers tell nothing.
    fn expires_in(&self) -> Result<Option<u64>, TokenResponseError> {
        let text = match self.get("expires_in") {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => {
                return Err(TokenResponseError::Expiry);
            }
        };
        let seconds: f64 = text.parse().map_err(|_| TokenResponseError::Expiry)?;
        if !seconds.is_finite() {
            return Err(TokenResponseError::Expiry);
        }
        let whole = format!("{:.0}", seconds.trunc()).parse();
        Ok(whole.ok().filter(|&seconds: &u64| seconds > 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(body: &str) -> Result<TokenResponse, TokenResponseError> {
        TokenResponse::parse(200, Some("application/json"), None, body.as_bytes())
    }

    #[test]
    fn expiry_and_refresh_token_are_kept() {
        for (expires_in, seconds) in [
            ("3600", Some(3600)),
            ("\"3600\"", Some(3600)),
            ("59.9", Some(59)),
            ("0", None),
            ("-5", None),
            ("1e99", None),
            ("null", None),
        ] {
            let body =
                format!(r#"{{"access_token":"a","refresh_token":"r","expires_in":{expires_in}}}"#);
            let response = json(&body).unwrap();
            assert_eq!(response.expires_in, seconds, "{expires_in}");
            assert_eq!(response.refresh_token, Some(Secret::new("r")));
        }
    }

    #[test]
    fn refuses_token_that_breaks_headers_and_page_instead_of_answer() {
        assert!(matches!(
            json(r#"{"access_token":"a\nb"}"#),
            Err(TokenResponseError::UnusableToken)
        ));
        let page = TokenResponse::parse(200, Some("text/html"), None, b"<html>hunter2");
        let text = page.unwrap_err().to_string();
        assert!(
            text.contains("text/html") && !text.contains("hunter2"),
            "{text}"
        );
        assert!(matches!(json("[]"), Err(TokenResponseError::NotAnObject)));
    }

    #[test]
    fn redirect_is_not_followed_but_its_error_told() {
        let location = "http://localhost:1/login?error=invalid_grant&error_description=used";
        let error = TokenResponse::parse(302, None, Some(location), b"").unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("`invalid_grant` (in its own words: used)"),
            "{text}"
        );
        let error = TokenResponse::parse(307, None, Some("https://evil.example/"), b"");
        assert!(matches!(
            error,
            Err(TokenResponseError::Redirected { refusal: None })
        ));
    }
}
