//! The hosts that are asked without a proxy, as `NO_PROXY` names them for the tools.
//!
//! The HTTP library reads the variable, too, but knows neither ports nor `*.example.com`.

use std::net::IpAddr;

use url::{Host, Url};

/// The value of `NO_PROXY`, which may be anything: what makes no sense names no host.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NoProxy(Vec<Exception>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Exception {
    host: Pattern,
    /// `None` for every port.
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    Every,
    /// `example.com`: the host and those below.
    Domain(String),
    /// `.example.com` and `*.example.com`: those below alone; kept with the dot.
    Below(String),
    /// An address, or with fewer bits than it has, a network.
    Network(IpAddr, u8),
}

impl NoProxy {
    /// Reads a list with commas between its entries.
    pub fn parse(text: &str) -> Self {
        let entries = text.split(',').map(str::trim);
        Self(entries.filter_map(exception).collect())
    }

    /// Whether the host of `url` is asked without a proxy.
    pub(super) fn names(&self, url: &Url) -> bool {
        let port = url.port_or_known_default();
        let fits = |it: &Exception| it.port.is_none() || it.port == port;
        let mut for_port = self.0.iter().filter(|it| fits(it));
        url.host()
            .is_some_and(|host| for_port.any(|it| it.host.is(&host)))
    }
}

fn exception(text: &str) -> Option<Exception> {
    if let Some(host) = address(text) {
        return Some(Exception { host, port: None });
    }
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) => (host, Some(port.parse().ok()?)),
        None => (text, None),
    };
    let host = match address(host) {
        Some(host) => host,
        None => name(host)?,
    };
    Some(Exception { host, port })
}

fn address(text: &str) -> Option<Pattern> {
    let (text, bits) = match text.split_once('/') {
        Some((text, bits)) => (text, Some(bits.parse::<u8>().ok()?)),
        None => (text, None),
    };
    let text = text
        .strip_prefix('[')
        .and_then(|it| it.strip_suffix(']'))
        .unwrap_or(text);
    let address: IpAddr = text.parse().ok()?;
    let all = if address.is_ipv4() { 32 } else { 128 };
    let bits = bits.unwrap_or(all);
    (bits <= all).then_some(Pattern::Network(address, bits))
}

fn name(text: &str) -> Option<Pattern> {
    let text = text.to_ascii_lowercase();
    match text.strip_prefix('*').unwrap_or(&text) {
        "" => text.starts_with('*').then_some(Pattern::Every),
        below if below.starts_with('.') => Some(Pattern::Below(below.to_owned())),
        _ if text.starts_with('*') => None,
        domain => Some(Pattern::Domain(domain.to_owned())),
    }
}

impl Pattern {
    fn is(&self, host: &Host<&str>) -> bool {
        match (self, host) {
            (Self::Every, _) => true,
            (Self::Domain(domain), Host::Domain(host)) => {
                let rest = host.strip_suffix(domain.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
            (Self::Below(domain), Host::Domain(host)) => host.ends_with(domain.as_str()),
            (Self::Network(network, bits), Host::Ipv4(host)) => {
                same_network(*network, IpAddr::V4(*host), *bits)
            }
            (Self::Network(network, bits), Host::Ipv6(host)) => {
                same_network(*network, IpAddr::V6(*host), *bits)
            }
            (Self::Domain(_) | Self::Below(_), Host::Ipv4(_) | Host::Ipv6(_))
            | (Self::Network(..), Host::Domain(_)) => false,
        }
    }
}

fn same_network(one: IpAddr, other: IpAddr, bits: u8) -> bool {
    let (one, other, all) = match (one, other) {
        (IpAddr::V4(one), IpAddr::V4(other)) => {
            (u128::from(one.to_bits()), u128::from(other.to_bits()), 32)
        }
        (IpAddr::V6(one), IpAddr::V6(other)) => (one.to_bits(), other.to_bits(), 128),
        (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => return false,
    };
    let differing = one ^ other;
    differing.checked_shr(all - u32::from(bits)).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_excepted_as_by_the_tools() {
        for (list, url, is_named) in [
            ("example.com", "https://example.com/", true),
            ("Example.com", "https://a.example.com/", true),
            ("example.com", "https://notexample.com/", false),
            (".example.com", "https://a.example.com/", true),
            (".example.com", "https://example.com/", false),
            ("*.example.com", "https://a.b.example.com/", true),
            ("*.example.com", "https://example.com/", false),
            ("a.example, *", "https://example.com/", true),
            ("*x.example", "https://xx.example/", false),
            ("example.com:8443", "https://example.com:8443/", true),
            ("example.com:8443", "https://example.com/", false),
            ("example.com:443", "https://example.com/", true),
            ("example.com:x", "https://example.com/", false),
            ("10.1.2.3", "http://10.1.2.3/", true),
            ("10.0.0.0/8", "http://10.1.2.3/", true),
            ("10.0.0.0/8", "http://11.1.2.3/", false),
            ("0.0.0.0/0", "http://11.1.2.3/", true),
            ("10.0.0.0/33", "http://10.1.2.3/", false),
            ("10.1.2.3:8080", "http://10.1.2.3:8080/", true),
            ("fd00::/8", "http://[fd12::1]/", true),
            ("[fd12::1]:80", "http://[fd12::1]/", true),
            ("", "https://example.com/", false),
            (" , ", "https://example.com/", false),
        ] {
            let names = NoProxy::parse(list).names(&url.parse().unwrap());
            assert_eq!(names, is_named, "`{list}` and `{url}`");
        }
    }
}
