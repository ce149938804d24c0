//! The callback: what the browser brings back, or the user pastes (facts/login 2.5, 7.2).
//!
//! Hostile input: any page in any browser, and any user of this machine, can send requests to the listener.
//!
//! | attack | answer |
//! |---|---|
//! | a forged code, to log the user in to a stranger's account | the state must be ours, compared in constant time |
//! | a forged error, to end the login | errors need the right state as well |
//! | an error and a code together | the error counts |
//! | a pasted URL of another place | host, port and path must be those of the callback |

use std::borrow::Cow;

use subtle::ConstantTimeEq;
use url::{Host, Url, form_urlencoded};

use crate::document::oauth::{CALLBACK_PATH, Refusal, random_text};
use crate::secret::Secret;

/// The state of one login: 256 random bits that only its callback knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State(Secret);

impl State {
    /// The state of these random bytes.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(Secret::new(random_text(bytes)))
    }

    /// The text, for the authorization request.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    fn is(&self, other: &str) -> bool {
        self.expose().as_bytes().ct_eq(other.as_bytes()).into()
    }
}

/// What the authorization server decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callback {
    /// It gives a code.
    Code(Secret),
    /// It refuses.
    Refused(Refusal),
}

/// Why a request is no callback of this login.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CallbackError {
    /// The state is missing or another.
    #[error("its `state` is not the one of this login")]
    State,
    /// There is neither a code nor an error.
    #[error("it has neither a `code` nor an `error`")]
    Empty,
    /// A pasted text is no URL of the callback.
    #[error("it is no `http://localhost:PORT{CALLBACK_PATH}?...` URL with the port of this login")]
    Place,
}

impl Callback {
    /// Reads the query of a request for the callback's path. Of repeated parameters the first counts.
    ///
    /// # Errors
    ///
    /// If it is not for the login with `state`.
    pub fn parse(query: &str, state: &State) -> Result<Self, CallbackError> {
        let first = |name: &str| -> Option<Cow<'_, str>> {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            pairs.find(|(key, _)| key == name).map(|(_, value)| value)
        };
        if !first("state").is_some_and(|given| state.is(&given)) {
            return Err(CallbackError::State);
        }
        if let Some(error) = first("error") {
            let description = first("error_description");
            return Ok(Self::Refused(Refusal::new(&error, description.as_deref())));
        }
        match first("code") {
            Some(code) if !code.is_empty() => Ok(Self::Code(Secret::new(code))),
            Some(_) | None => Err(CallbackError::Empty),
        }
    }
}

/// Reads a URL that the user pasted from the address bar of a browser.
///
/// # Errors
///
/// If it is not the callback's URL with `port`, or not for the login with `state`.
pub fn pasted_callback(text: &str, port: u16, state: &State) -> Result<Callback, CallbackError> {
    let url = Url::parse(text.trim()).map_err(|_| CallbackError::Place)?;
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let port = url.port_or_known_default() == Some(port);
    if url.scheme() != "http" || !is_here || !port || url.path() != CALLBACK_PATH {
        return Err(CallbackError::Place);
    }
    Callback::parse(url.query().unwrap_or_default(), state)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State::from_random([7; 32])
    }

    #[test]
    fn stranger_without_the_state_neither_gives_a_code_nor_ends_the_login() {
        let right = state().expose().to_owned();
        for query in [
            String::new(),
            "code=c".to_owned(),
            "code=c&state=".to_owned(),
            format!("code=c&state={}", &right[1..]),
            format!("code=c&state={right}x"),
            format!("error=access_denied&state={}", right.to_ascii_lowercase()),
            format!("code=c&state=x&state={right}"),
        ] {
            assert_eq!(
                Callback::parse(&query, &state()),
                Err(CallbackError::State),
                "{query}"
            );
        }
    }

    #[test]
    fn right_state_brings_a_code_or_an_error() {
        let right = state().expose().to_owned();
        let parse = |rest: &str| Callback::parse(&format!("state={right}{rest}"), &state());
        assert_eq!(
            parse("&code=a%2Bb+c"),
            Ok(Callback::Code(Secret::new("a+b c")))
        );
        assert_eq!(parse("&code="), Err(CallbackError::Empty));
        let refused = Callback::Refused(Refusal::new("access_denied", Some("no")));
        assert_eq!(
            parse("&error=access_denied&error_description=no"),
            Ok(refused.clone())
        );
        assert_eq!(
            parse("&code=c&error=access_denied&error_description=no"),
            Ok(refused)
        );
    }

    #[test]
    fn pasted_url_must_be_the_callback() {
        let right = state().expose().to_owned();
        let paste = |place: &str| {
            pasted_callback(
                &format!(" {place}?code=c&state={right}\n"),
                10_001,
                &state(),
            )
        };
        assert!(paste("http://localhost:10001/login").is_ok());
        assert!(paste("http://127.0.0.1:10001/login").is_ok());
        for place in [
            "http://localhost:10002/login",
            "http://example.com:10001/login",
            "https://localhost:10001/login",
            "http://localhost:10001/other",
            "code",
        ] {
            assert_eq!(paste(place), Err(CallbackError::Place), "{place}");
        }
    }

    #[test]
    fn debug_output_shows_neither_state_nor_code() {
        let shown = format!("{:?} {:?}", state(), Callback::Code(Secret::new("hunter2")));
        assert!(
            !shown.contains(state().expose()) && !shown.contains("hunter2"),
            "{shown}"
        );
    }
}
