//! `index.json` of a network mirror: the versions of a provider (facts/providers 7.7, 8.5).
//!
//! It is read from mirrors of strangers, and read, changed and written in our own. Members that another
//! program put there survive a rewrite; keys that are no versions are kept and never looked at.

use std::collections::BTreeSet;

use super::json::{self, JsonDocumentError, Members, Object};
use crate::version::Version;

/// `index.json`: the versions that a mirror has of a provider.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MirrorIndex {
    versions: Members,
    rest: Members,
}

impl MirrorIndex {
    /// Reads the document; text after its first value is ignored.
    ///
    /// # Errors
    ///
    /// Fails if it is no object, `versions` is none, or a version has another value than an object or
    /// null.
    pub fn parse(document: &[u8]) -> Result<Self, JsonDocumentError> {
        let mut object = Object::parse(document)?;
        let versions = match object.take_object("versions")? {
            None => Members::new(),
            Some(versions) => check_versions(versions)?,
        };
        Ok(Self {
            versions,
            rest: object.rest(),
        })
    }

    /// The versions listed; keys that are no versions are skipped (facts 8.5).
    pub fn versions(&self) -> BTreeSet<Version> {
        self.versions
            .keys()
            .filter_map(|key| version_of(key))
            .collect()
    }

    /// The keys that are no versions, for a warning.
    pub fn unreadable_versions(&self) -> impl Iterator<Item = &str> {
        let keys = self.versions.keys().map(String::as_str);
        keys.filter(|key| version_of(key).is_none())
    }

    /// Lists `version`, unless it is listed already in some spelling.
    pub fn insert(&mut self, version: &Version) {
        if !self.versions().contains(version) {
            let empty = json::as_value(Members::new());
            self.versions.insert(version.to_string(), empty);
        }
    }

    /// Takes `version` off the list, in every spelling.
    pub fn remove(&mut self, version: &Version) {
        self.versions
            .retain(|key, _| version_of(key).as_ref() != Some(version));
    }

    /// The text as the tools write it.
    pub fn render(&self) -> String {
        let mut members = self.rest.clone();
        members.insert("versions".to_owned(), json::as_value(self.versions.clone()));
        json::render(members)
    }
}

/// Checks the values, and makes a plain entry of a null.
fn check_versions(versions: Object) -> Result<Members, JsonDocumentError> {
    let place = versions.place_of("");
    let mut checked = Members::new();
    for (key, value) in versions.rest() {
        let members = if value.is_null() {
            Members::new()
        } else {
            Object::of(format!("{place}{key}"), value)?.rest()
        };
        checked.insert(key, json::as_value(members));
    }
    Ok(checked)
}

/// The version that a key stands for, if it is one.
fn version_of(key: &str) -> Option<Version> {
    key.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn documents_are_written_as_the_tools_write_them() {
        let mut index = MirrorIndex::default();
        index.insert(&version("1.10.0"));
        index.insert(&version("1.2.0"));
        let text = "{\n  \"versions\": {\n    \"1.10.0\": {},\n    \"1.2.0\": {}\n  }\n}";
        assert_eq!(index.render(), text);
    }

    #[test]
    fn unknown_members_survive_a_rewrite_on_every_level() {
        let text = r#"{"x":1,"versions":{"1.0.0":{"y":[2]},"zzz":{"z":3},"v2":{}}}"#;
        let mut index = MirrorIndex::parse(text.as_bytes()).unwrap();
        index.insert(&version("1.0.0"));
        let before: Value = serde_json::from_str(text).unwrap();
        assert_eq!(
            serde_json::from_str::<Value>(&index.render()).unwrap(),
            before
        );
        assert_eq!(
            index.unreadable_versions().collect::<Vec<_>>(),
            ["v2", "zzz"]
        );
    }

    #[test]
    fn versions_are_read_in_every_spelling() {
        let text = br#"{"versions":{"1.0":{},"2.0.0":null,"v3":{}}} trailing"#;
        let mut index = MirrorIndex::parse(text).unwrap();
        assert_eq!(
            index.versions(),
            BTreeSet::from([version("1.0.0"), version("2.0.0")])
        );
        index.insert(&version("1.0.0"));
        index.remove(&version("2.0.0"));
        assert_eq!(index.versions().len(), 1);
        index.remove(&version("1.0.0"));
        assert_eq!(index.versions().len(), 0);
        assert_eq!(MirrorIndex::parse(b"{}").unwrap(), MirrorIndex::default());
    }

    #[test]
    fn versions_of_another_kind_are_refused() {
        let refused = |text: &str| MirrorIndex::parse(text.as_bytes()).unwrap_err().to_string();
        let list = "`versions` is a list where an object is wanted";
        assert_eq!(refused(r#"{"versions":["1.0.0"]}"#), list);
        let value = "`versions.1.0.0` is a string where an object is wanted";
        assert_eq!(refused(r#"{"versions":{"1.0.0":"x"}}"#), value);
    }
}
