//! `TF_TOKEN_*`: from a variable's name to a host and back (facts/login 4.6).

use crate::address::Hostname;
use crate::config::environment::TF_TOKEN_PREFIX;

/// The host that a variable of this name is for; none if it is no token variable or names no host.
///
/// `__` is a hyphen and any other `_` a dot. The name then passes the tolerant display mapping, so that
/// punycode, which a POSIX shell can set, means its Unicode host.
pub(super) fn host_of(variable: &str) -> Option<Hostname> {
    let encoded = variable.strip_prefix(TF_TOKEN_PREFIX)?;
    let name = encoded.replace("__", "-").replace('_', ".");
    // The tools ignore names that are no hosts without a word; so do we, they may be someone else's.
    Hostname::lenient_display(&name).parse().ok()
}

/// The variable that a POSIX shell can set for `host`; none for a host with a port, which has no such
/// spelling.
pub fn variable_for(host: &Hostname) -> Option<String> {
    let name = host.for_comparison();
    let speakable = |byte: u8| matches!(byte, b'.' | b'-') || byte.is_ascii_alphanumeric();
    if !name.bytes().all(speakable) {
        return None;
    }
    Some(format!(
        "{TF_TOKEN_PREFIX}{}",
        name.replace('-', "__").replace('.', "_")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_prefix_counts() {
        for name in [
            "tf_token_example_com",
            "TF_TOKENexample_com",
            "TF_TOKEN_",
            "PATH",
        ] {
            assert_eq!(host_of(name), None, "{name}");
        }
    }

    #[test]
    fn a_suggested_variable_leads_back_to_its_host() {
        for name in [
            "example.com",
            "my-reg.example.com",
            "café.fr",
            "straße.de",
            "a--b.example",
        ] {
            let host: Hostname = name.parse().unwrap();
            let variable = variable_for(&host).unwrap();
            assert_eq!(host_of(&variable), Some(host), "{variable}");
        }
        assert_eq!(variable_for(&"localhost:8443".parse().unwrap()), None);
    }
}
