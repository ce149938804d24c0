//! Short texts: versions, constraints, addresses, names.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use provender::address::{Hostname, Platform, ProviderAddr, ProviderSource, Tool};
use provender::auth::{Credentials, variable_for};
use provender::config::{CliConfig, Environment, ProviderRequest};
use provender::disk::SafePath;
use provender::failure::Failure;
use provender::hash::{PackageHash, Sha256Digest};
use provender::secret::ShownUrl;
use provender::version::{Prereleases, Version, VersionConstraints};
use url::Url;

use super::told::told;

pub(super) mod seeds {
    //! From the vectors.

    use super::super::corpus::{literal, texts_of};

    pub(in super::super) fn versions() -> Vec<Vec<u8>> {
        texts_of(&[
            "versions.json",
            "constraints-parse.json",
            "constraints-match.json",
        ])
    }

    pub(in super::super) fn addresses() -> Vec<Vec<u8>> {
        texts_of(&["hostname.json", "provider-address.json"])
    }

    pub(in super::super) fn names() -> Vec<Vec<u8>> {
        let mut seeds = texts_of(&["token-env-hostnames.json", "archive-url.json"]);
        seeds.extend(literal(&[
            "linux_amd64",
            "h1:2Q1Ro3MfmkdfZGQqdUJ9m3HKGGRLZ0hcJ8uZiVgIm5Y=",
            "zh:71b8d997a1e5253c03a5ded749434bac74dce505c5e58da43d56efc29d2dd9eb",
            "71b8d997a1e5253c03a5ded749434bac74dce505c5e58da43d56efc29d2dd9eb",
            "docs/./README.md",
            "../../etc/passwd",
            "C:\\x\\COM1.txt",
            "https://user:pw@example.com:8443/a.zip?X-Sig=abc&y#frag",
        ]));
        seeds
    }
}

fn text(input: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(input)
}

/// What parses prints a text that parses to the same.
fn same_again<T>(text: &str) -> Option<T>
where
    T: FromStr<Err: Failure> + Display + PartialEq + std::fmt::Debug,
{
    let value: T = told(text.parse())?;
    let again = value.to_string().parse().ok();
    assert_eq!(again.as_ref(), Some(&value), "printed as `{value}`");
    Some(value)
}

/// Lines, the first of which is the constraints.
pub(super) fn versions(input: &[u8]) {
    let text = text(input);
    let versions: Vec<Version> = text.lines().take(50).filter_map(same_again).collect();
    let first = text.lines().next().unwrap_or_default();
    let Some(constraints) = told(first.parse::<VersionConstraints>()) else {
        return;
    };
    let canonical = constraints.to_string();
    let again: VersionConstraints = canonical.parse().expect("canonical text parses");
    assert_eq!(again.to_string(), canonical);
    for prereleases in [Prereleases::ExactOnly, Prereleases::Included] {
        let allowed = constraints.allowed(&versions, prereleases);
        assert_eq!(
            again.allowed(&versions, prereleases),
            allowed,
            "{canonical}"
        );
    }
}

pub(super) fn addresses(input: &[u8]) {
    let text = text(input);
    let _ = Hostname::lenient_display(&text);
    let host = same_again::<Hostname>(&text);
    if let Some(variable) = host.as_ref().and_then(variable_for) {
        let token = (variable, "t".to_owned());
        let environment = Environment::from_iter([token]);
        let credentials = Credentials::new(&environment, &CliConfig::default());
        assert!(host.is_some_and(|host| credentials.configured(&host).is_some()));
    }
    let _ = same_again::<ProviderAddr>(&text);
    let _ = told(ProviderAddr::parse_canonical(&text));
    for tool in [Tool::Terraform, Tool::Tofu] {
        let _ = told(ProviderSource::parse(&text, tool));
        let _ = told(ProviderRequest::parse(&text, tool));
    }
}

pub(super) fn names(input: &[u8]) {
    let text = text(input);
    let _ = same_again::<Platform>(&text);
    let _ = same_again::<PackageHash>(&text);
    let _ = same_again::<Sha256Digest>(&text);
    if let Ok(path) = text.parse::<SafePath>() {
        let root = Path::new("root");
        let below = path.under(root);
        let below = below.strip_prefix(root).expect("it stays below its root");
        assert!(below.components().all(|part| part.as_os_str() != ".."));
    }
    if let Ok(url) = Url::parse(&text) {
        let shown = ShownUrl::of(&url).to_string();
        let password = url.password().filter(|password| password.len() > 8);
        assert!(!password.is_some_and(|password| shown.contains(password)));
    }
    let variable = (text.into_owned(), "t".to_owned());
    let _ = Credentials::new(&Environment::from_iter([variable]), &CliConfig::default());
}
