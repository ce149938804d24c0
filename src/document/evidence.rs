//! The evidence that a mirror keeps of a version: what its origin said of the packages, so that they can
//! be proved again without it.
//!
//! The format is our own: one JSON object per version with `"format_version": "1.0"`. Evidence lies in a
//! directory that strangers may write to. It is a claim and never a proof: whoever verifies computes the
//! digests again and checks the signature with keys that it trusts. Names in it are not used as paths,
//! and the query values and passwords of URLs, which may be secrets, are never written.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use url::Url;

use super::json::{self, JsonDocumentError, Members, Object};
use super::{SigningKey, Verdict};
use crate::address::{Hostname, Platform};
use crate::hash::Sha256Digest;
use crate::secret::ShownUrl;

const FORMAT_VERSION: &str = "1.0";
const KNOWN_MAJOR: &str = "1";

/// What is known of the packages of one version. Members that this version of the program does not know
/// survive a rewrite, on every level.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// What is known of each platform's package.
    pub packages: BTreeMap<Platform, PackageEvidence>,
    /// The plugin protocols that the registry announced.
    pub protocols: Vec<String>,
    /// Where the packages came from.
    pub origin: Origin,
    /// Fingerprints of the primary keys, upper-case hex digits, whose signatures over this version were taken: at the
    /// first use of the provider's, because earlier versions have them, or because the user said so.
    pub trusted_keys: BTreeSet<String>,
    format_version: String,
    keys: Vec<Key>,
    rest: Members,
}

/// A signing key and what else its object has.
#[derive(Debug, Clone, PartialEq)]
struct Key {
    key: SigningKey,
    rest: Members,
}

/// What is known of one package.
#[derive(Debug, Clone, PartialEq)]
pub struct PackageEvidence {
    /// The registry's name for the archive, by which SHA256SUMS lists it.
    pub filename: String,
    /// The SHA-256 digest of the archive.
    pub shasum: Sha256Digest,
    /// The size of the archive in bytes.
    pub size: u64,
    /// What was proved of the package when it was fetched.
    pub verdict: Verdict,
    /// The URL it was fetched from, as [`ShownUrl`] shows it.
    pub download_url: Option<String>,
    rest: Members,
}

/// Where the packages of a version came from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Origin {
    /// The display form of the host that was asked: the registry's, or the mirror's.
    pub host: Option<String>,
    /// The URL of the SHA256SUMS document, as [`ShownUrl`] shows it.
    pub shasums_url: Option<String>,
    /// The URL of its signature, as [`ShownUrl`] shows it.
    pub signature_url: Option<String>,
    rest: Members,
}

impl PackageEvidence {
    /// Notes what is known of a package; the URL is masked.
    pub fn new(
        filename: impl Into<String>,
        shasum: Sha256Digest,
        size: u64,
        verdict: Verdict,
        download_url: Option<&Url>,
    ) -> Self {
        Self {
            filename: filename.into(),
            shasum,
            size,
            verdict,
            download_url: download_url.map(shown),
            rest: Members::new(),
        }
    }

    fn of(mut object: Object) -> Result<Self, JsonDocumentError> {
        let shasum = object.take_required_text("shasum")?;
        let verdict = object.take_object("verdict")?;
        Ok(Self {
            filename: object.take_required_text("filename")?,
            shasum: shasum
                .parse()
                .map_err(|error| object.invalid("shasum", error))?,
            size: object.take_required_number("size")?,
            verdict: read_verdict(verdict.ok_or_else(|| object.missing("verdict"))?)?,
            download_url: object.take_text("download_url")?,
            rest: object.rest(),
        })
    }

    fn as_value(&self) -> Value {
        let mut members = self.rest.clone();
        members.insert("filename".to_owned(), Value::from(self.filename.as_str()));
        members.insert("shasum".to_owned(), Value::from(self.shasum.to_string()));
        members.insert("size".to_owned(), Value::from(self.size));
        members.insert("verdict".to_owned(), verdict_value(&self.verdict));
        insert_text(&mut members, "download_url", self.download_url.as_deref());
        json::as_value(members)
    }
}

impl Origin {
    /// Notes an origin; the URLs are masked.
    pub fn new(host: &Hostname, shasums_url: Option<&Url>, signature_url: Option<&Url>) -> Self {
        Self {
            host: Some(host.to_string()),
            shasums_url: shasums_url.map(shown),
            signature_url: signature_url.map(shown),
            rest: Members::new(),
        }
    }

    fn of(mut object: Object) -> Result<Self, JsonDocumentError> {
        Ok(Self {
            host: object.take_text("host")?,
            shasums_url: object.take_text("shasums_url")?,
            signature_url: object.take_text("signature_url")?,
            rest: object.rest(),
        })
    }

    fn as_value(&self) -> Value {
        let mut members = self.rest.clone();
        insert_text(&mut members, "host", self.host.as_deref());
        insert_text(&mut members, "shasums_url", self.shasums_url.as_deref());
        insert_text(&mut members, "signature_url", self.signature_url.as_deref());
        json::as_value(members)
    }
}

impl Default for Evidence {
    fn default() -> Self {
        Self::new(Origin::default())
    }
}

impl Evidence {
    /// Starts the evidence of a version, without packages and keys.
    pub fn new(origin: Origin) -> Self {
        Self {
            packages: BTreeMap::new(),
            protocols: Vec::new(),
            origin,
            trusted_keys: BTreeSet::new(),
            format_version: FORMAT_VERSION.to_owned(),
            keys: Vec::new(),
            rest: Members::new(),
        }
    }

    /// The keys that the registry announced, in its order.
    pub fn signing_keys(&self) -> impl Iterator<Item = &SigningKey> {
        self.keys.iter().map(|key| &key.key)
    }

    /// Adds a key behind the others, unless it is there.
    pub fn add_signing_key(&mut self, key: SigningKey) {
        if !self.signing_keys().any(|known| *known == key) {
            let rest = Members::new();
            self.keys.push(Key { key, rest });
        }
    }

    /// Reads the document.
    ///
    /// # Errors
    ///
    /// Fails if it is of another major format, or a member is missing or of another kind; the error
    /// names the place.
    pub fn parse(document: &[u8]) -> Result<Self, JsonDocumentError> {
        let mut object = Object::parse(document)?;
        let format_version = read_format_version(&mut object)?;
        let origin = object.take_object("origin")?.map(Origin::of).transpose()?;
        Ok(Self {
            packages: read_packages(object.take_object("packages")?)?,
            protocols: object.take_texts("protocols")?,
            origin: origin.unwrap_or_default(),
            trusted_keys: object.take_texts("trusted_keys")?.into_iter().collect(),
            format_version,
            keys: read_keys(object.take_list("signing_keys")?)?,
            rest: object.rest(),
        })
    }

    /// The text, in the layout of mirror documents.
    pub fn render(&self) -> String {
        let packages = self.packages.iter();
        let packages =
            packages.map(|(platform, package)| (platform.to_string(), package.as_value()));
        let mut members = self.rest.clone();
        let format_version = Value::from(self.format_version.as_str());
        members.insert("format_version".to_owned(), format_version);
        members.insert("origin".to_owned(), self.origin.as_value());
        members.insert("packages".to_owned(), json::as_value(packages.collect()));
        members.insert("protocols".to_owned(), Value::from(self.protocols.clone()));
        if !self.trusted_keys.is_empty() {
            let trusted = self.trusted_keys.iter().map(String::as_str);
            members.insert("trusted_keys".to_owned(), trusted.collect());
        }
        members.insert(
            "signing_keys".to_owned(),
            self.keys.iter().map(Key::as_value).collect(),
        );
        json::render(members)
    }
}

impl Key {
    fn as_value(&self) -> Value {
        let mut members = self.rest.clone();
        let armor = Value::from(self.key.ascii_armor.as_str());
        members.insert("ascii_armor".to_owned(), armor);
        json::as_value(members)
    }
}

/// Accepts every minor version of the known major one, and keeps it as it is.
fn read_format_version(object: &mut Object) -> Result<String, JsonDocumentError> {
    let found = object.take_required_text("format_version")?;
    match found.split_once('.') {
        Some((KNOWN_MAJOR, _)) => Ok(found),
        _ => Err(JsonDocumentError::FormatVersion { found }),
    }
}

fn read_packages(
    packages: Option<Object>,
) -> Result<BTreeMap<Platform, PackageEvidence>, JsonDocumentError> {
    let Some(mut packages) = packages else {
        return Ok(BTreeMap::new());
    };
    let mut read = BTreeMap::new();
    for key in packages.keys() {
        let platform = key.parse().map_err(|error| packages.invalid(&key, error))?;
        let object = packages
            .take_object(&key)?
            .ok_or_else(|| packages.missing(&key))?;
        read.insert(platform, PackageEvidence::of(object)?);
    }
    Ok(read)
}

fn read_keys(keys: Vec<(String, Value)>) -> Result<Vec<Key>, JsonDocumentError> {
    let read = |(place, value)| {
        let mut object = Object::of(place, value)?;
        let ascii_armor = object.take_required_text("ascii_armor")?;
        let rest = object.rest();
        Ok(Key {
            key: SigningKey { ascii_armor },
            rest,
        })
    };
    keys.into_iter().map(read).collect()
}

fn read_verdict(mut object: Object) -> Result<Verdict, JsonDocumentError> {
    let kind = object.take_required_text("kind")?;
    match kind.as_str() {
        "signed" => Ok(Verdict::Signed {
            key_id: object.take_required_text("key_id")?,
            expired: object.take("expired") == Some(Value::Bool(true)),
        }),
        "checksum" => Ok(Verdict::Checksum),
        "unauthenticated" => Ok(Verdict::Unauthenticated),
        _ => Err(object.invalid("kind", UnknownVerdict(kind))),
    }
}

fn verdict_value(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Signed { key_id, expired } => {
            serde_json::json!({"kind": "signed", "key_id": key_id, "expired": expired})
        }
        Verdict::Checksum => serde_json::json!({"kind": "checksum"}),
        Verdict::Unauthenticated => serde_json::json!({"kind": "unauthenticated"}),
    }
}

/// A verdict that this version does not know; a stronger or weaker one must not be guessed.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is none of the verdicts that this program knows")]
struct UnknownVerdict(String);

fn shown(url: &Url) -> String {
    ShownUrl::of(url).to_string()
}

fn insert_text(members: &mut Members, key: &str, text: Option<&str>) {
    if let Some(text) = text {
        members.insert(key.to_owned(), Value::from(text));
    }
}

#[cfg(test)]
mod tests;
