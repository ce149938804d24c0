//! Host names of registries and mirrors, with an optional port (facts/providers 1.3, 1.4).
//!
//! A [`Hostname`] is not a URL and has no scheme. It names a place for service discovery, a directory
//! of a mirror and a part of a provider address. Two attacks matter: a name that turns into `..` after
//! mapping (empty labels are refused before and after), and a name that compares unlike it looks
//! (punycode typed by hand is refused, comparison is by the ASCII form).

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use super::idn::{self, Idn};
use crate::failure::{ExitCode, Failure};

const HTTPS_PORT: i64 = 443;
const HIGHEST_PORT: i64 = 65_535;

/// A valid host name with optional port, in both of its forms.
///
/// Equality, order and hash go by the comparison form; `Display` prints the display form, which
/// parses back to the same name.
#[derive(Debug, Clone)]
pub struct Hostname {
    comparison: String,
    display: String,
    port: Option<i64>,
}

impl Hostname {
    /// The ASCII form, lower case, with `:PORT` unless 443: for URLs, order, equality and the paths of
    /// network mirrors.
    pub fn for_comparison(&self) -> &str {
        &self.comparison
    }

    /// The Unicode form with the same port: for lock files, messages and paths on disk.
    pub fn for_display(&self) -> &str {
        &self.display
    }

    /// The port, where one is given that is not 443. Zero and negative numbers slip through the
    /// grammar (facts 1.3) and fail when a URL is made of them.
    pub fn port(&self) -> Option<i64> {
        self.port
    }

    /// The best that can be shown for any text, valid or not: mapped where that works, else as given.
    pub fn lenient_display(text: &str) -> String {
        let (name, port) = split_port(text);
        let port_text = match port.map(parse_port) {
            None | Some(Some(HTTPS_PORT)) => String::new(),
            Some(Some(number)) => format!(":{number}"),
            Some(None) => format!(":{}", port.unwrap_or_default()),
        };
        idn::lenient(name) + &port_text
    }
}

impl FromStr for Hostname {
    type Err = HostnameError;

    fn from_str(text: &str) -> Result<Self, HostnameError> {
        let (name, port) = split_port(text);
        let port = match port {
            None => None,
            Some(digits) => Some(parse_port(digits).ok_or_else(|| bad_port(text, name, digits))?),
        };
        check_labels(text, name)?;
        if let Some(label) = name.split('.').find(|label| label.starts_with("xn--")) {
            return Err(HostnameError::Punycode {
                text: text.to_owned(),
                label: label.to_owned(),
            });
        }
        let mapped = Idn::map(name).ok_or_else(|| HostnameError::Characters(text.to_owned()))?;
        check_labels(text, &mapped.unicode)?;
        let port = port.filter(|number| *number != HTTPS_PORT);
        let suffix = port.map_or_else(String::new, |number| format!(":{number}"));
        Ok(Self {
            comparison: mapped.ascii + &suffix,
            display: mapped.unicode + &suffix,
            port,
        })
    }
}

/// Splits at the first colon; IPv6 literals cannot be expressed (facts 1.3).
fn split_port(text: &str) -> (&str, Option<&str>) {
    match text.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (text, None),
    }
}

/// Reads a decimal integer with optional sign and leading zeros, up to the highest port.
fn parse_port(digits: &str) -> Option<i64> {
    digits
        .parse::<i64>()
        .ok()
        .filter(|number| *number <= HIGHEST_PORT)
}

fn bad_port(text: &str, name: &str, digits: &str) -> HostnameError {
    if matches!(name.to_ascii_lowercase().as_str(), "http" | "https") {
        return HostnameError::Url(text.to_owned());
    }
    HostnameError::Port {
        text: text.to_owned(),
        port: digits.to_owned(),
    }
}

/// Refuses an empty name and empty labels; one trailing dot is allowed and kept (facts 1.3).
fn check_labels(text: &str, name: &str) -> Result<(), HostnameError> {
    if name.is_empty() {
        return Err(HostnameError::Empty(text.to_owned()));
    }
    let rooted = name.strip_suffix('.').unwrap_or(name);
    if rooted.split('.').any(str::is_empty) {
        return Err(HostnameError::EmptyLabel(text.to_owned()));
    }
    Ok(())
}

impl fmt::Display for Hostname {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display)
    }
}

impl PartialEq for Hostname {
    fn eq(&self, other: &Self) -> bool {
        self.comparison == other.comparison
    }
}

impl Eq for Hostname {}

impl PartialOrd for Hostname {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Hostname {
    fn cmp(&self, other: &Self) -> Ordering {
        self.comparison.cmp(&other.comparison)
    }
}

impl Hash for Hostname {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.comparison.hash(state);
    }
}

/// Why a text is no host name. Each variant holds the text as given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostnameError {
    /// Nothing before the port, or nothing at all.
    #[error("host name `{0}` is empty")]
    Empty(String),
    /// Two dots in a row, or one at the start.
    #[error("host name `{0}` has an empty part between its dots")]
    EmptyLabel(String),
    /// A label typed in its encoded form.
    #[error("host name `{text}` holds the encoded part `{label}`")]
    Punycode {
        /// The whole text.
        text: String,
        /// The label that begins with `xn--`.
        label: String,
    },
    /// What follows the first colon is no port.
    #[error("host name `{text}` has `{port}` for a port, which is no number up to 65535")]
    Port {
        /// The whole text.
        text: String,
        /// What stands for the port.
        port: String,
    },
    /// A URL where a host name is wanted.
    #[error("`{0}` is a URL, not a host name")]
    Url(String),
    /// Characters or an arrangement of them that host names may not have.
    #[error("host name `{0}` has characters that a host name may not have")]
    Characters(String),
}

impl Failure for HostnameError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Url(text) => url_hint(text).into_iter().collect(),
            Self::Punycode { label, .. } => plain_label_hint(label).into_iter().collect(),
            Self::Characters(text) if text.contains('/') => {
                vec!["give the host name alone, without a path".to_owned()]
            }
            Self::Characters(text) if text.contains('@') => {
                vec!["give the host name alone, without a user name".to_owned()]
            }
            Self::Empty(_) | Self::EmptyLabel(_) | Self::Port { .. } | Self::Characters(_) => {
                Vec::new()
            }
        }
    }
}

/// Shows what an encoded label stands for, if it decodes.
fn plain_label_hint(label: &str) -> Option<String> {
    let plain = idn::lenient(label);
    (plain != label).then(|| format!("write the part as `{plain}`"))
}

/// Shows the host name in a URL, if there is one that would have been accepted.
fn url_hint(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    host.parse::<Hostname>().ok()?;
    Some(format!("give the host name alone: `{host}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_form_parses_back_to_the_same_name() {
        for text in [
            "example.com",
            "Example.COM:8443",
            "Испытание.com",
            "faß.de:08",
            "example.com.",
        ] {
            let host: Hostname = text.parse().unwrap();
            let again: Hostname = host.to_string().parse().unwrap();
            assert_eq!(again, host, "{text}");
            assert_eq!(again.for_display(), host.for_display(), "{text}");
        }
    }

    #[test]
    fn port_443_is_no_port() {
        let ports = [
            ("a:443", None),
            ("a:0443", None),
            ("a:8443", Some(8443)),
            ("a", None),
        ];
        for (text, port) in ports {
            assert_eq!(text.parse::<Hostname>().unwrap().port(), port, "{text}");
        }
    }

    #[test]
    fn refuses_look_alike_dots_that_make_a_parent_directory() {
        for text in ["..", "。。", "‥", ".", "。", "a‥b", "example。。com", "．."] {
            assert!(text.parse::<Hostname>().is_err(), "{text}");
        }
    }

    #[test]
    fn refuses_names_that_would_leave_their_directory() {
        for text in ["a/b", "a\\b", "../x", "a／b", "a\0b", "c:\\x", "~", "a:b/c"] {
            assert!(text.parse::<Hostname>().is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_ordered_by_the_encoded_form() {
        let encoded: Hostname = "münchen.de".parse().unwrap();
        let ascii: Hostname = "zebra.de".parse().unwrap();
        assert!(encoded < ascii);
    }

    #[test]
    fn a_url_is_answered_with_its_host() {
        let error = "https://user@Example.com:8443/x"
            .parse::<Hostname>()
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "`https://user@Example.com:8443/x` is a URL, not a host name"
        );
        assert_eq!(
            error.hints(),
            ["give the host name alone: `Example.com:8443`"]
        );
    }

    #[test]
    fn an_encoded_label_is_answered_with_the_plain_one() {
        let error = "xn--mnchen-3ya.de".parse::<Hostname>().unwrap_err();
        assert_eq!(error.hints(), ["write the part as `münchen`"]);
    }
}
