//! Which hosts a token may go to, and which redirects are followed.

use url::{Host, Url};

use crate::http::HttpError;
use crate::secret::ShownUrl;

/// Whether both URLs have the same scheme, host and port, compared exactly.
pub fn is_same(one: &Url, other: &Url) -> bool {
    one.origin() == other.origin()
}

/// Whether a token may travel to `url` at all: over TLS, or without leaving this machine.
pub(super) fn may_carry_token(url: &Url) -> bool {
    url.scheme() == "https" || is_loopback(url)
}

/// Whether `url` names this machine itself, by address or as `localhost`.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Checks that `url` is one that this client speaks to.
///
/// # Errors
///
/// Fails for schemes other than http and https.
pub(super) fn check_scheme(url: &Url) -> Result<(), HttpError> {
    match url.scheme() {
        "http" | "https" => Ok(()),
        _ => Err(HttpError::UnsupportedScheme {
            url: ShownUrl::of(url),
        }),
    }
}

/// Resolves the `Location` of an answer from `base`.
///
/// # Errors
///
/// Fails if it is no URL, leads to another scheme than http and https, or from https to http.
pub(super) fn redirect_target(base: &Url, location: &[u8]) -> Result<Url, HttpError> {
    let target = std::str::from_utf8(location)
        .ok()
        .and_then(|text| base.join(text).ok());
    let Some(target) = target else {
        return Err(HttpError::BadRedirect {
            from: ShownUrl::of(base),
        });
    };
    if target.scheme() == "https" || (target.scheme() == "http" && base.scheme() == "http") {
        return Ok(target);
    }
    Err(HttpError::InsecureRedirect {
        from: ShownUrl::of(base),
        to: ShownUrl::of(&target),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn realms_differ_by_scheme_host_and_port() {
        let base = url("https://example.com/a");
        for (other, same) in [
            ("https://example.com:443/b?c", true),
            ("https://EXAMPLE.com", true),
            ("https://example.com:8443", false),
            ("http://example.com", false),
            ("https://sub.example.com", false),
            ("https://example.com.evil.test", false),
        ] {
            assert_eq!(is_same(&base, &url(other)), same, "{other}");
        }
    }

    #[test]
    fn token_travels_over_tls_or_loopback_only() {
        for (text, may) in [
            ("https://example.com", true),
            ("http://example.com", false),
            ("http://localhost:1", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:80", true),
            ("http://localhost.example.com", false),
            ("http://10.0.0.1", false),
        ] {
            assert_eq!(may_carry_token(&url(text)), may, "{text}");
        }
    }

    #[test]
    fn relative_redirects_resolve_against_the_current_url() {
        let base = url("https://example.com/a/b?q");
        let target = |location: &str| redirect_target(&base, location.as_bytes()).unwrap();
        assert_eq!(target("c"), url("https://example.com/a/c"));
        assert_eq!(target("/c"), url("https://example.com/c"));
        assert_eq!(target("//other.test/c"), url("https://other.test/c"));
    }

    #[test]
    fn refuses_redirect_from_https_to_http_even_on_loopback() {
        for location in ["http://example.com/", "http://127.0.0.1/"] {
            let error = redirect_target(&url("https://example.com/"), location.as_bytes());
            assert!(
                matches!(error, Err(HttpError::InsecureRedirect { .. })),
                "{location}"
            );
        }
    }

    #[test]
    fn refuses_redirect_to_other_schemes() {
        for location in ["file:///etc/passwd", "ftp://example.com/", "data:,x"] {
            for base in ["https://example.com/", "http://example.com/"] {
                let error = redirect_target(&url(base), location.as_bytes());
                assert!(
                    matches!(error, Err(HttpError::InsecureRedirect { .. })),
                    "{location}"
                );
            }
        }
    }

    #[test]
    fn refuses_redirect_that_is_no_url() {
        for location in [&b"https://"[..], b"http://[", b"\xff"] {
            let error = redirect_target(&url("http://example.com/"), location);
            assert!(
                matches!(error, Err(HttpError::BadRedirect { .. })),
                "{location:?}"
            );
        }
    }
}
