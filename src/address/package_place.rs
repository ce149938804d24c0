//! Where a mirror keeps the package of a URL: `HOST/PATH` (`cli.md`, `provender mirror`).
//!
//! URLs come from configurations, registries and servers. Attacks known, and the answer to each:
//! - *A path that climbs out of the mirror*, also in percent escapes: refused.
//! - *Names that hide, or that are our own temporary files*: parts that begin with a dot are refused.
//! - *A place within another repository*: a part before the last that ends with `.git` is refused.

use std::fmt;
use std::path::PathBuf;

use url::Url;

use super::go_url::unescape;

/// The ending of bare repositories.
const REPOSITORY_SUFFIX: &str = ".git";
/// What a mirror keeps beside archives, and in the place of pages.
const RESERVED: [&str; 2] = [".evidence.json", "index.html"];
/// Under which host packages of this machine's own disk are kept.
const OWN_HOST: &str = "localhost";

/// Host and path of a URL, decoded, as parts of a path. `Display` joins them with `/`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackagePlace {
    parts: Vec<String>,
}

/// The URL, as given, names no place that a mirror can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("its URL cannot be a path of a mirror: {0}")]
pub struct PackagePlaceError(pub &'static str);

impl PackagePlace {
    /// The place of an archive, or of a page that leads to one; query and user are no part of it.
    ///
    /// # Errors
    ///
    /// If the URL has no host or no path that can be a path on disk.
    pub fn of_archive(url: &str) -> Result<Self, PackagePlaceError> {
        Self::of(url)
    }

    /// The place of a git repository, which ends with `.git` whether its URL does or not.
    ///
    /// # Errors
    ///
    /// As for [`Self::of_archive`].
    pub fn of_repository(url: &str) -> Result<Self, PackagePlaceError> {
        let mut place = Self::of(url)?;
        if let Some(last) = place.parts.last_mut()
            && !last.ends_with(REPOSITORY_SUFFIX)
        {
            last.push_str(REPOSITORY_SUFFIX);
        }
        Ok(place)
    }

    /// The place that these parts below a mirror's directory name: what [`Self::path`] gave before.
    pub fn from_parts(parts: Vec<String>) -> Self {
        Self { parts }
    }

    fn of(url: &str) -> Result<Self, PackagePlaceError> {
        let url = Url::parse(url).map_err(|_| PackagePlaceError("it is no URL"))?;
        let host = match (url.host_str(), url.port()) {
            (Some(host), None) if !host.is_empty() => host.to_ascii_lowercase(),
            (Some(host), Some(port)) if !host.is_empty() => {
                format!("{}:{port}", host.to_ascii_lowercase())
            }
            _ if url.scheme() == "file" => OWN_HOST.to_owned(),
            _ => return Err(PackagePlaceError("it has no host")),
        };
        let mut parts = vec![host];
        for part in url.path().split('/').filter(|part| !part.is_empty()) {
            let decoded = unescape(part).and_then(|bytes| String::from_utf8(bytes).ok());
            parts.push(decoded.ok_or(PackagePlaceError("its path is no UTF-8"))?);
        }
        let [host, dirs @ .., _] = &parts[..] else {
            return Err(PackagePlaceError("it has no path"));
        };
        let ending = parts.last().map(String::as_str);
        if ending.is_some_and(|last| RESERVED.iter().any(|end| last.ends_with(end))) {
            return Err(PackagePlaceError("it is a name of the mirror's own files"));
        }
        let is_name = |part: &String| {
            !part.starts_with('.')
                && !part.contains(['/', '\\'])
                && !part.chars().any(char::is_control)
        };
        if host.starts_with('.') || !parts.iter().skip(1).all(is_name) {
            return Err(PackagePlaceError("a part of it is no plain name"));
        }
        if dirs.iter().any(|part| part.ends_with(REPOSITORY_SUFFIX)) {
            return Err(PackagePlaceError("it lies within a repository"));
        }
        Ok(Self { parts })
    }

    /// The host, with its port unless that is the scheme's own.
    pub fn host(&self) -> &str {
        self.parts.first().map_or("", String::as_str)
    }

    /// The place as a relative path.
    pub fn path(&self) -> PathBuf {
        self.parts.iter().collect()
    }

    /// The place as parts of a path.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }
}

impl fmt::Display for PackagePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.parts.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_host_and_path() {
        for (url, archive, repository) in [
            (
                "https://H.example/a/b.zip?x=1",
                "h.example/a/b.zip",
                "h.example/a/b.zip.git",
            ),
            (
                "https://u:p@h.example:8443/a%20b",
                "h.example:8443/a b",
                "h.example:8443/a b.git",
            ),
            (
                "https://h.example:443/a.git",
                "h.example/a.git",
                "h.example/a.git",
            ),
            (
                "ssh://git@h.example/acme/net.git",
                "h.example/acme/net.git",
                "h.example/acme/net.git",
            ),
            ("file:///srv/a", "localhost/srv/a", "localhost/srv/a.git"),
        ] {
            let place = PackagePlace::of_archive(url).unwrap();
            assert_eq!(place.to_string(), archive, "{url}");
            assert_eq!(PackagePlace::from_parts(place.parts().to_vec()), place);
            let place = PackagePlace::of_repository(url).unwrap();
            assert_eq!(place.to_string(), repository, "{url}");
        }
    }

    #[test]
    fn refuses_paths_that_climb_out_or_hide() {
        for url in [
            "https://h.example/a/%2e%2e%2f%2e%2e/b",
            "https://h.example/a%2fb",
            "https://h.example/.provender-x.tmp",
            "https://h.example/a%5cb",
            "https://h.example/a%0ab",
            "https://h.example/a%ff",
            "https://h.example/a.git/b",
            "https://h.example/a.zip.evidence.json",
            "https://h.example/a/index.html",
            "https://h.example/",
            "https:///a",
            "data:text",
            "a/b",
        ] {
            assert!(PackagePlace::of_archive(url).is_err(), "{url}");
        }
    }
}
