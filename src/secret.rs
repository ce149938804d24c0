//! Text that must not be shown: tokens, and URLs that may carry passwords or signed queries.
//!
//! Floor 0. The types print a mask, so that a log line or an error cannot leak by accident.

use std::fmt;

use url::Url;

/// A token or password. Prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps `text`, kept verbatim.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// The most characters of a URL in a message.
const LONGEST_URL: usize = 300;

/// A URL as messages show it: user information and query values masked, fragment left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownUrl(String);

impl ShownUrl {
    /// Masks `url` for display.
    pub fn of(url: &Url) -> Self {
        let text = masked(url);
        match text.char_indices().nth(LONGEST_URL) {
            Some((end, _)) => Self(format!("{}…", &text[..end])),
            None => Self(text),
        }
    }
}

fn masked(url: &Url) -> String {
    let mut shown = url.clone();
    shown.set_fragment(None);
    if !url.username().is_empty() || url.password().is_some() {
        // Both fail only for URLs without a host, which have no user information either.
        let _ = shown.set_username("***");
        let _ = shown.set_password(None);
    }
    if url.query().is_none() {
        return shown.to_string();
    }
    let names: Vec<String> = url
        .query_pairs()
        .map(|(name, _)| format!("{name}=***"))
        .collect();
    shown.set_query(None);
    format!("{shown}?{}", names.join("&"))
}

impl fmt::Display for ShownUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_print_as_a_mask() {
        let secret = Secret::new("hunter2");
        assert_eq!(format!("{secret} {secret:?}"), "*** ***");
        assert_eq!(secret.expose(), "hunter2");
    }

    #[test]
    fn shown_urls_are_cut_at_a_bearable_length() {
        let url: Url = format!("https://example.com/{}", "a".repeat(9999))
            .parse()
            .unwrap();
        assert_eq!(
            ShownUrl::of(&url).to_string().chars().count(),
            LONGEST_URL + 1
        );
    }

    #[test]
    fn shown_urls_mask_passwords_and_query_values() {
        let url: Url = "https://user:pw@example.com/a.zip?X-Sig=abc&y=1#frag"
            .parse()
            .unwrap();
        assert_eq!(
            ShownUrl::of(&url).to_string(),
            "https://***@example.com/a.zip?X-Sig=***&y=***"
        );
    }
}
