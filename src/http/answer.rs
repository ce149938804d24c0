//! A whole answer in memory.

use reqwest::header::HeaderMap;
use url::Url;

use crate::secret::ShownUrl;

/// What a server answered: any status, redirects followed, body complete within its cap.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Who answered, after redirects: the base for relative URLs in the body.
    pub final_url: Url,
    /// Every URL on the way, redirects included, that one last.
    pub hops: Vec<ShownUrl>,
    /// The `Content-Type`, as sent.
    pub content_type: Option<String>,
    /// The announced length of the body.
    pub content_length: Option<u64>,
    /// All headers whose values are text: lower-case names, in the order of the answer.
    pub headers: Vec<(String, String)>,
    /// The body. For statuses other than 2xx it may be cut short.
    pub body: Vec<u8>,
    /// Whether the server that answered was sent the token.
    pub token_sent: bool,
    /// How many tries were made.
    pub tries: u32,
}

impl Answer {
    /// The first value of the header `name`, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..=299).contains(&self.status)
    }
}

/// The headers as text; what is no text is left out.
pub(super) fn texts(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
        .collect()
}

/// The value of one header, if it is text.
pub(super) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
