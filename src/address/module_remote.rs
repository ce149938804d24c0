//! Remote module sources: what is fetched, with which getter (facts/modules 1.4, 1.6).
//!
//! Almost any text with something like a URL scheme is one; that a getter exists for it shows only when it
//! is fetched. The text may hold a password or a key: messages show it by [`RemoteModule::shown`].

use std::fmt;

use url::Url;

use super::module_subdir::{self, Split};
use super::{ModuleSourceError, Tool, go_url, module_detect};

/// Query keys whose values are no secrets.
const SHOWN_KEYS: [&str; 12] = [
    "ref",
    "depth",
    "rev",
    "archive",
    "checksum",
    "filename",
    "version",
    "region",
    "tag",
    "digest",
    "terraform-get",
    "path",
];

/// A remote source in its normal form. `Display` prints it, secrets included.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RemoteModule {
    package: String,
    subdir: String,
}

impl RemoteModule {
    /// Parses a source that is neither local nor of a registry.
    pub(super) fn parse(text: &str, tool: Tool) -> Result<Self, ModuleSourceError> {
        let given = module_subdir::split(text);
        if given.subdir.starts_with("../") {
            return Err(ModuleSourceError::SubdirOutside(text.to_owned()));
        }
        let detected = full_form(&given.package, tool)?;
        let Split { package, subdir } = module_subdir::split(&detected);
        let subdir = match (subdir.as_str(), given.subdir.as_str()) {
            (found, "") => found.to_owned(),
            ("", given) => given.to_owned(),
            (found, given) => module_subdir::clean_path(&format!("{found}/{given}")),
        };
        if subdir.starts_with("../") {
            return Err(ModuleSourceError::SubdirOutside(text.to_owned()));
        }
        Ok(Self { package, subdir })
    }

    /// What is fetched: `[GETTER::]URL`, without the subdirectory. Two sources with the same text here are
    /// the same package.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// The module's directory in the package, with `/`; empty for the package itself.
    pub fn subdir(&self) -> &str {
        &self.subdir
    }

    /// The same package with another directory in it.
    #[must_use]
    pub fn with_subdir(&self, subdir: impl Into<String>) -> Self {
        Self {
            package: self.package.clone(),
            subdir: subdir.into(),
        }
    }

    /// The getter: the prefix before `::`, else the URL's scheme in lower case.
    pub fn getter(&self) -> String {
        match split_forced(&self.package) {
            (Some(getter), _) => getter.to_owned(),
            (None, url) => go_url::scheme(url).unwrap_or_default(),
        }
    }

    /// Whether `tool` knows the getter (facts 1.4); for others it fails when it fetches.
    pub fn has_getter(&self, tool: Tool) -> bool {
        let getter = self.getter();
        ["http", "https", "gcs", "s3", "git", "hg", "file"].contains(&getter.as_str())
            || (tool == Tool::Tofu && getter == "oci")
    }

    /// Parses an address that has its scheme already: no shorthand is tried, and nothing is a path of
    /// this machine by its form alone.
    ///
    /// # Errors
    ///
    /// If it has no scheme, or a subdirectory outside its package.
    pub fn parse_full(text: &str, tool: Tool) -> Result<Self, ModuleSourceError> {
        let Split { package, .. } = module_subdir::split(text);
        if go_url::scheme(split_forced(&package).1).is_none() {
            return Err(ModuleSourceError::Unrecognised(text.to_owned()));
        }
        Self::parse(text, tool)
    }

    /// Whether the package is on the disk of this machine, whatever getter copies it.
    pub fn is_on_disk(&self) -> bool {
        self.getter().eq_ignore_ascii_case("file")
            || go_url::scheme(self.url()).is_some_and(|scheme| scheme == "file")
    }

    /// The URL for the getter, without its prefix.
    pub fn url(&self) -> &str {
        split_forced(&self.package).1
    }

    /// The source as messages show it: without passwords, and without the values of query keys that
    /// may be secrets.
    pub fn shown(&self) -> String {
        shown_source(&self.to_string())
    }
}

impl fmt::Display for RemoteModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&module_subdir::join(&self.package, &self.subdir))
    }
}

/// Splits `GETTER::REST`; the prefix is compared with case later (facts 1.4).
fn split_forced(text: &str) -> (Option<&str>, &str) {
    match text.split_once("::") {
        Some((getter, rest))
            if !getter.is_empty()
                && !rest.is_empty()
                && getter.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            (Some(getter), rest)
        }
        _ => (None, text),
    }
}

/// The package with a scheme: as written if it has one, else what its shorthand stands for.
fn full_form(package: &str, tool: Tool) -> Result<String, ModuleSourceError> {
    let (forced, rest) = split_forced(package);
    if go_url::scheme(rest).is_some() {
        return Ok(package.to_owned());
    }
    let Some(detected) = module_detect::detect(rest, tool)? else {
        return Err(ModuleSourceError::Unrecognised(package.to_owned()));
    };
    Ok(match forced.or(detected.getter) {
        Some(getter) => format!("{getter}::{}", detected.url),
        None => detected.url,
    })
}

/// Masks what may be secret in the text of a remote source, for messages.
pub fn shown_source(text: &str) -> String {
    let (forced, rest) = split_forced(text);
    let prefix = forced
        .map(|getter| format!("{getter}::"))
        .unwrap_or_default();
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut shown = prefix + &without_password(address);
    let mut separator = '?';
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        shown.push(separator);
        separator = '&';
        match pair.split_once('=') {
            Some((key, _)) if !SHOWN_KEYS.contains(&key) => {
                shown.push_str(key);
                shown.push_str("=***");
            }
            _ => shown += pair,
        }
    }
    shown
}

fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let authority_end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(authority_end);
    match authority.rsplit_once('@') {
        Some((user, host))
            if Url::parse(address).is_ok() && !user.contains(':') && scheme.ends_with("ssh") =>
        {
            format!("{scheme}://{user}@{host}{path}")
        }
        Some((_, host)) => format!("{scheme}://***@{host}{path}"),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        for (text, expected) in [
            (
                "https://u:p@h/a.zip?archive=zip&token=x",
                "https://***@h/a.zip?archive=zip&token=***",
            ),
            (
                "git::ssh://git@h/a.git?ref=v1&sshkey=AAA",
                "git::ssh://git@h/a.git?ref=v1&sshkey=***",
            ),
            ("git::ssh://git:pw@h/a.git", "git::ssh://***@h/a.git"),
            ("https://token@h/a//b", "https://***@h/a//b"),
        ] {
            let module = RemoteModule::parse(text, Tool::Terraform).unwrap();
            assert_eq!(module.shown(), expected);
            assert_eq!(module.to_string(), text);
        }
    }
}
