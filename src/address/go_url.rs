//! What the tools' URL library makes of text: its scheme, its escaping (facts/modules 1.4).
//!
//! Whether a module source "is a URL" is decided by that library, which takes much for one that no
//! other does (`c:/foo` has the scheme `c`), so its rules are followed here instead of those of a
//! parser for the web.

/// The scheme of `text`, in lower case, if the tools take it for a URL with one.
pub(super) fn scheme(text: &str) -> Option<String> {
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return None;
    }
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let rest = rest.split_once('?').map_or(rest, |(before, _)| before);
    (is_scheme && is_escaped_well(fragment) && is_well_formed(rest))
        .then(|| scheme.to_ascii_lowercase())
}

/// Whether what follows the scheme is opaque or a path, with an authority that has no bad port.
fn is_well_formed(rest: &str) -> bool {
    if !rest.starts_with('/') {
        return true;
    }
    let Some(behind) = rest.strip_prefix("//") else {
        return is_escaped_well(rest);
    };
    let (authority, path) = behind
        .find('/')
        .map_or((behind, ""), |at| behind.split_at(at));
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    is_escaped_well(path) && is_escaped_well(user) && is_host(host)
}

fn is_host(host: &str) -> bool {
    let port = if host.starts_with('[') {
        match host.rsplit_once(']') {
            Some((_, port)) => port.strip_prefix(':').unwrap_or(port),
            None => return false,
        }
    } else {
        host.rsplit_once(':').map_or("", |(_, port)| port)
    };
    let forbidden = [' ', '#', '/', '?', '@', '\\', '^', '`', '{', '|', '}'];
    port.bytes().all(|byte| byte.is_ascii_digit()) && !host.contains(forbidden)
}

fn is_escaped_well(text: &str) -> bool {
    unescape(text).is_some()
}

/// Decodes percent escapes; `None` where one is broken.
pub(super) fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let mut digit = || char::from(bytes.next()?).to_digit(16);
        let value = digit()? * 16 + digit()?;
        decoded.push(u8::try_from(value).ok()?);
    }
    Some(decoded)
}

/// Encodes a path that was decoded before.
pub(super) fn escape_path(path: &[u8]) -> String {
    escape(path, b"-_.~$&+,/:;=@")
}

/// Decodes and encodes a path again, as a URL that was changed is written.
pub(super) fn normal_path(path: &str) -> Option<String> {
    Some(escape_path(&unescape(path)?))
}

/// Sorts a query by its keys, keeping the order of equal ones, and encodes it again; `None` where it
/// is malformed.
pub fn sorted_query(query: &str) -> Option<String> {
    let mut pairs = query_pairs(query)?;
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    Some(encode_pairs(&pairs))
}

/// The decoded pairs of a query in their order.
pub fn query_pairs(query: &str) -> Option<Vec<(String, String)>> {
    let decode = |text: &str| {
        let bytes = unescape(&text.replace('+', " "))?;
        String::from_utf8(bytes).ok()
    };
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (!key.contains(';') && !value.contains(';')).then_some(())?;
            Some((decode(key)?, decode(value)?))
        })
        .collect()
}

/// Writes pairs as a query.
pub fn encode_pairs(pairs: &[(String, String)]) -> String {
    let encode = |text: &str| escape(text.as_bytes(), b"-_.~ ").replace(' ', "+");
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(key, value)| format!("{}={}", encode(key), encode(value)))
        .collect();
    pairs.join("&")
}

fn escape(bytes: &[u8], kept: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push('%');
            text.extend(format!("{byte:02X}").chars());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_those_of_the_tools() {
        for (text, expected) in [
            ("https://example.com/a", Some("https")),
            ("HTTP://example.com", Some("http")),
            ("c:/foo", Some("c")),
            ("C:\\foo", Some("c")),
            ("localhost:8080/a", Some("localhost")),
            ("boop.com:/x", Some("boop.com")),
            ("127.0.0.1:80/a", None),
            ("a/b:c", None),
            ("https://example.com:x/a", None),
            ("https://example.com/%zz", None),
            ("https://exa mple.com/", None),
            ("a:b\n", None),
            ("https://[::1]:80/a", Some("https")),
        ] {
            assert_eq!(scheme(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn queries_are_sorted_and_encoded_anew() {
        for (query, expected) in [
            ("b=1&a=x/y", Some("a=x%2Fy&b=1")),
            ("a=2&a=1&", Some("a=2&a=1")),
            ("ref", Some("ref=")),
            ("a=b+c%20d~", Some("a=b+c+d~")),
            ("a=%z", None),
            ("a;b=1", None),
        ] {
            assert_eq!(sorted_query(query).as_deref(), expected, "{query}");
        }
    }
}
