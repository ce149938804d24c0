//! The two answers of the provider registry protocol: `versions` and `download` (facts/providers 2).
//!
//! Hostile input: sizes are capped by the reader, types are checked by [`super::go_json`]; here
//! - a version that does not parse is skipped and told, so that one bad entry hides no good one;
//! - a null key, which makes the tools crash, is an error;
//! - names (`filename`) are only ever looked up in SHA256SUMS, never used as a path.

use std::collections::BTreeMap;

use crate::address::Platform;
use crate::document::go_json::{JsonError, Node};
use crate::document::{PackageId, SigningKey};
use crate::hash::{PackageHash, Sha256Digest};
use crate::version::Version;

/// How many warnings, and texts to warn of, are kept: a registry that has more to say is heard
/// elsewhere.
const KEPT_WORDS: usize = 5;

/// One version that a registry offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedVersion {
    /// The version.
    pub version: Version,
    /// Plugin protocol versions as written, such as `5.0`; empty if not told.
    pub protocols: Vec<String>,
    /// Platforms as listed; empty if not told. Informative: the tools do not read them.
    pub platforms: Vec<Platform>,
}

/// The answer to `NAMESPACE/TYPE/versions`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionsAnswer {
    /// Versions in ascending order, duplicates collapsed.
    pub versions: Vec<OfferedVersion>,
    /// The first few version texts that do not parse, as received.
    pub unparsable: Vec<String>,
    /// How many there are in all.
    pub unparsable_count: usize,
    /// The first few of the registry's own words to the user.
    pub warnings: Vec<String>,
    /// How many there are in all.
    pub warning_count: usize,
}

impl VersionsAnswer {
    /// Reads the answer's body.
    ///
    /// # Errors
    ///
    /// If it is not JSON of the documented types.
    pub fn parse(body: &[u8]) -> Result<Self, JsonError> {
        let root = Node::first(body)?;
        let mut answer = Self::default();
        for warning in root.elements("warnings")? {
            answer.warn(&warning)?;
        }
        for entry in root.elements("versions")? {
            let text = entry.text("version")?;
            let protocols = texts(&entry, "protocols")?;
            let platforms = platforms(&entry)?;
            match text.parse::<Version>() {
                Ok(version) => answer.versions.push(OfferedVersion {
                    version,
                    protocols,
                    platforms,
                }),
                Err(_) => answer.skip(text),
            }
        }
        // The sort is stable, so of equal versions the first listed stays.
        answer.versions.sort_by(|a, b| a.version.cmp(&b.version));
        answer.versions.dedup_by(|a, b| a.version == b.version);
        Ok(answer)
    }

    fn warn(&mut self, warning: &Node<'_>) -> Result<(), JsonError> {
        self.warning_count += 1;
        if self.warnings.len() < KEPT_WORDS {
            self.warnings.push(warning.as_text()?);
        }
        Ok(())
    }

    fn skip(&mut self, text: String) {
        self.unparsable_count += 1;
        if self.unparsable.len() < KEPT_WORDS {
            self.unparsable.push(text);
        }
    }
}

/// What OpenTofu's registry tells of one platform's package (facts/providers 2.12).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedPackage {
    /// Hashes of that platform's archive.
    pub hashes: Vec<PackageHash>,
    /// The archive's size in bytes as reported; the check refuses one below 1.
    pub size: i64,
}

/// The answer to `NAMESPACE/TYPE/VERSION/download/OS/ARCH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageAnswer {
    /// Plugin protocol versions as written; empty means unchecked.
    pub protocols: Vec<String>,
    /// Operating system the registry says the package is for.
    pub os: String,
    /// Architecture the registry says the package is for.
    pub arch: String,
    /// The name to look up in SHA256SUMS.
    pub filename: String,
    /// Where the archive is, possibly relative.
    pub download_url: String,
    /// Where SHA256SUMS is, possibly relative.
    pub shasums_url: String,
    /// Where the detached signature is, possibly relative.
    pub shasums_signature_url: String,
    /// The archive's SHA-256 as written (checked later, in the order of facts/providers 2.10).
    pub shasum: String,
    /// Keys that may have signed SHA256SUMS, in order.
    pub signing_keys: Vec<SigningKey>,
    /// OpenTofu's hashes and sizes for all platforms; empty if not told.
    pub packages: BTreeMap<Platform, ReportedPackage>,
}

impl PackageAnswer {
    /// Reads the answer's body.
    ///
    /// # Errors
    ///
    /// If it is not JSON of the documented types, or lists a null key.
    pub fn parse(body: &[u8]) -> Result<Self, JsonError> {
        let root = Node::first(body)?;
        Ok(Self {
            protocols: texts(&root, "protocols")?,
            os: root.text("os")?,
            arch: root.text("arch")?,
            filename: root.text("filename")?,
            download_url: root.text("download_url")?,
            shasums_url: root.text("shasums_url")?,
            shasums_signature_url: root.text("shasums_signature_url")?,
            shasum: root.text("shasum")?,
            signing_keys: signing_keys(&root)?,
            packages: reported_packages(&root)?,
        })
    }

    /// The announced digest of the archive.
    ///
    /// # Errors
    ///
    /// If `shasum` is not 64 hexadecimal digits (facts/providers 2.10.5).
    pub fn digest(&self, id: &PackageId) -> Result<Sha256Digest, BadShasum> {
        self.shasum.parse().map_err(|_| BadShasum {
            id: Box::new(id.clone()),
            got: self.shasum.clone(),
        })
    }
}

/// The registry's `shasum` is no SHA-256 digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the registry's `shasum` for {id} must be 64 hexadecimal digits, got `{got}`")]
pub struct BadShasum {
    /// The package.
    pub id: Box<PackageId>,
    /// What was there.
    pub got: String,
}

fn texts(node: &Node<'_>, name: &str) -> Result<Vec<String>, JsonError> {
    node.elements(name)?
        .map(|element| element.as_text())
        .collect()
}

/// Listed platforms; entries that cannot be a platform are left out, since nothing depends on them.
fn platforms(entry: &Node<'_>) -> Result<Vec<Platform>, JsonError> {
    let mut platforms = Vec::new();
    for element in entry.elements("platforms")? {
        let text = format!("{}_{}", element.text("os")?, element.text("arch")?);
        platforms.extend(text.parse::<Platform>());
    }
    platforms.sort();
    platforms.dedup();
    Ok(platforms)
}

fn signing_keys(root: &Node<'_>) -> Result<Vec<SigningKey>, JsonError> {
    let Some(keys) = root.member("signing_keys")? else {
        return Ok(Vec::new());
    };
    let mut signing_keys = Vec::new();
    for key in keys.elements("gpg_public_keys")? {
        if key.is_null() {
            return Err(key.wrong("an object"));
        }
        signing_keys.push(SigningKey {
            ascii_armor: key.text("ascii_armor")?,
        });
    }
    Ok(signing_keys)
}

fn reported_packages(root: &Node<'_>) -> Result<BTreeMap<Platform, ReportedPackage>, JsonError> {
    let mut packages = BTreeMap::new();
    let Some(map) = root.member("packages")? else {
        return Ok(packages);
    };
    for (key, entry) in map.members()? {
        let platform = key
            .parse()
            .map_err(|_| entry.wrong("keyed by a platform `OS_ARCH`"))?;
        let mut hashes = Vec::new();
        for hash in entry.elements("hashes")? {
            let parsed = hash.as_text()?.parse();
            hashes.push(parsed.map_err(|_| hash.wrong("a hash with a scheme"))?);
        }
        let size = match entry.member("package_size")? {
            Some(size) => size.as_integer()?,
            None => 0,
        };
        packages.insert(platform, ReportedPackage { hashes, size });
    }
    Ok(packages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_sorted_and_unparsable_ones_told() {
        let answer = VersionsAnswer::parse(
            br#"{"warnings": ["moved"], "versions": [
                {"version": "2.0", "platforms": [{"os": "linux", "arch": "amd64"}, {"os": "", "arch": "x"}]},
                {"version": "v1.0.0"}, {"version": "1.0.0", "protocols": ["5.0"]}, {"version": "2.0.0"}]}"#,
        )
        .unwrap();
        let versions: Vec<String> = answer
            .versions
            .iter()
            .map(|v| v.version.to_string())
            .collect();
        assert_eq!(versions, ["1.0.0", "2.0.0"]);
        assert_eq!(answer.unparsable, ["v1.0.0"]);
        assert_eq!(answer.warnings, ["moved"]);
        assert_eq!(answer.versions[0].protocols, ["5.0"]);
    }

    #[test]
    fn a_null_key_is_an_error_not_a_crash() {
        let body = br#"{"signing_keys": {"gpg_public_keys": [null]}}"#;
        let error = PackageAnswer::parse(body).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`signing_keys.gpg_public_keys[0]` must be an object, got null"
        );
    }

    #[test]
    fn packages_need_platform_keys_and_hash_schemes() {
        let good = PackageAnswer::parse(
            br#"{"packages": {"linux_amd64": {"hashes": ["zh:aa"], "package_size": 7}}}"#,
        )
        .unwrap();
        let platform: Platform = "linux_amd64".parse().unwrap();
        assert_eq!(good.packages[&platform].size, 7);
        assert!(PackageAnswer::parse(br#"{"packages": {"linux": {}}}"#).is_err());
        assert!(PackageAnswer::parse(br#"{"packages": {"a_b": {"hashes": ["x"]}}}"#).is_err());
    }
}
