//! `VERSION.json` of a network mirror: the archives of a version (facts/providers 7.7, 8.5, 8.7).
//!
//! It is read from mirrors of strangers, and read, changed and written in our own. Known attacks, and the
//! answers:
//!
//! - A null where an archive is described, which crashes the tools: an error that names the platform.
//! - A platform that leaves its directory: only keys that are platforms are archives to us; others are
//!   kept in the document and never looked at.
//! - A `url` that leads elsewhere: it is kept as text and never a path; who fetches it decides.
//! - Members that another program put there: they survive a rewrite, on every level.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::json::{self, JsonDocumentError, Members, Object};
use crate::address::Platform;
use crate::hash::PackageHash;

/// `VERSION.json`: the archives that a mirror has of a version.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VersionDocument {
    /// The archive of each platform; no entry means that the platform is not there.
    pub archives: BTreeMap<Platform, ArchiveEntry>,
    /// Entries whose keys are no platforms.
    others: Members,
    rest: Members,
}

/// What a mirror says of one archive.
#[derive(Debug, Clone, PartialEq)]
pub struct ArchiveEntry {
    /// Where the archive is, relative to the document; may be absolute, on any host.
    pub url: String,
    /// Its hashes; with none, nothing is claimed. Only `h1:` and `zh:` count, and any one match
    /// suffices (facts 8.7).
    pub hashes: Vec<PackageHash>,
    rest: Members,
}

impl ArchiveEntry {
    /// Describes an archive; hashes are sorted, each once.
    pub fn new(url: impl Into<String>, hashes: impl IntoIterator<Item = PackageHash>) -> Self {
        let hashes: BTreeSet<PackageHash> = hashes.into_iter().collect();
        Self {
            url: url.into(),
            hashes: hashes.into_iter().collect(),
            rest: Members::new(),
        }
    }

    /// Replaces location and hashes, and keeps the members that this version does not know.
    pub fn update(
        &mut self,
        url: impl Into<String>,
        hashes: impl IntoIterator<Item = PackageHash>,
    ) {
        let rest = std::mem::take(&mut self.rest);
        *self = Self {
            rest,
            ..Self::new(url, hashes)
        };
    }

    fn of(mut object: Object) -> Result<Self, JsonDocumentError> {
        let url = object.take_required_text("url")?;
        let hashes = object
            .take_texts("hashes")?
            .iter()
            .map(|text| {
                text.parse()
                    .map_err(|error| object.invalid("hashes", error))
            })
            .collect::<Result<_, _>>()?;
        let rest = object.rest();
        Ok(Self { url, hashes, rest })
    }

    fn as_value(&self) -> Value {
        let mut members = self.rest.clone();
        members.insert("url".to_owned(), Value::from(self.url.as_str()));
        if !self.hashes.is_empty() {
            let hashes: Value = self.hashes.iter().map(PackageHash::as_str).collect();
            members.insert("hashes".to_owned(), hashes);
        }
        json::as_value(members)
    }
}

impl VersionDocument {
    /// Reads the document; text after its first value is ignored.
    ///
    /// # Errors
    ///
    /// Fails if it is no object, `archives` is none, or an archive is null, has no `url`, or has hashes
    /// without scheme. The tools take a missing `url` for the document itself, which cannot be unpacked.
    pub fn parse(document: &[u8]) -> Result<Self, JsonDocumentError> {
        let mut object = Object::parse(document)?;
        let mut parsed = Self::default();
        if let Some(archives) = object.take_object("archives")? {
            parsed.read_archives(archives)?;
        }
        parsed.rest = object.rest();
        Ok(parsed)
    }

    fn read_archives(&mut self, archives: Object) -> Result<(), JsonDocumentError> {
        let place = archives.place_of("");
        for (key, value) in archives.rest() {
            let Ok(platform) = key.parse::<Platform>() else {
                self.others.insert(key, value);
                continue;
            };
            let entry = ArchiveEntry::of(Object::of(format!("{place}{key}"), value)?)?;
            self.archives.insert(platform, entry);
        }
        Ok(())
    }

    /// The text as the tools write it.
    pub fn render(&self) -> String {
        let mut archives = self.others.clone();
        for (platform, entry) in &self.archives {
            archives.insert(platform.to_string(), entry.as_value());
        }
        let mut members = self.rest.clone();
        members.insert("archives".to_owned(), json::as_value(archives));
        json::render(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(document: &str) -> String {
        VersionDocument::parse(document.as_bytes())
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn documents_are_written_as_the_tools_write_them() {
        let mut document = VersionDocument::default();
        let hashes = ["zh:b", "h1:a", "zh:b"].map(|hash| hash.parse().unwrap());
        let platform: Platform = "linux_amd64".parse().unwrap();
        document
            .archives
            .insert(platform, ArchiveEntry::new("x.zip", hashes));
        let text = "{\n  \"archives\": {\n    \"linux_amd64\": {\n      \"hashes\": [\n        \"h1:a\",\n        \"zh:b\"\n      ],\n      \"url\": \"x.zip\"\n    }\n  }\n}";
        assert_eq!(document.render(), text);
    }

    #[test]
    fn unknown_members_survive_a_rewrite_on_every_level() {
        let text =
            r#"{"x":1,"archives":{"linux_amd64":{"url":"a","hashes":["h9:x"],"y":2},"..":null}}"#;
        let document = VersionDocument::parse(text.as_bytes()).unwrap();
        let before: Value = serde_json::from_str(text).unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(&document.render()).unwrap(),
            before
        );
    }

    #[test]
    fn updated_archive_keeps_unknown_members() {
        let text = br#"{"archives":{"linux_amd64":{"url":"a","y":2}}}"#;
        let mut document = VersionDocument::parse(text).unwrap();
        let entry = document.archives.values_mut().next().unwrap();
        entry.update("b", ["h1:x".parse().unwrap()]);
        assert_eq!(
            entry.as_value(),
            serde_json::json!({"url": "b", "hashes": ["h1:x"], "y": 2})
        );
    }

    #[test]
    fn null_archive_is_refused_with_its_platform() {
        let message = "`archives.linux_amd64` is null where an object is wanted";
        assert_eq!(refused(r#"{"archives":{"linux_amd64":null}}"#), message);
    }

    #[test]
    fn archives_without_url_or_with_bare_hashes_are_refused() {
        let message = "`archives.linux_amd64.url` is missing";
        assert_eq!(
            refused(r#"{"archives":{"linux_amd64":{"hashes":[]}}}"#),
            message
        );
        let message = "`archives.linux_amd64.hashes` is invalid";
        assert_eq!(
            refused(r#"{"archives":{"linux_amd64":{"url":"a","hashes":["x"]}}}"#),
            message
        );
        let message = "`archives.linux_amd64.hashes[0]` is a number where a string is wanted";
        assert_eq!(
            refused(r#"{"archives":{"linux_amd64":{"url":"a","hashes":[1]}}}"#),
            message
        );
    }

    #[test]
    fn platforms_that_leave_their_directory_are_no_archives() {
        let text = br#"{"archives":{"../x_amd64":{"url":"a"},"linux_amd64/..":{"url":"a"}}}"#;
        assert!(VersionDocument::parse(text).unwrap().archives.is_empty());
    }
}
