//! `credentials.tfrc.json`: an edit that gives the bytes that terraform would write (facts/login 4.3, 4.4).
//!
//! The file is shared with the tools and other programs, and holds every login of the user, so losing one is the
//! attack that counts here.
//!
//! | trouble | answer |
//! |---|---|
//! | unknown keys, other hosts, strange numbers | kept, digit by digit |
//! | a file that is cut, has text after the object, or several `credentials` | refused, never rewritten |
//! | a result that the tools cannot read | written, since it was so before, and told |

use std::collections::BTreeMap;

use crate::address::Hostname;
use crate::document::go_json::pairs_of_slice;
use crate::document::hcl1;
use crate::document::json_tree::{Tree, TreeError};
use crate::secret::Secret;

/// The content of a credentials file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialsFile {
    members: BTreeMap<String, Tree>,
}

/// Why a file cannot be edited without losing something.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsFileError {
    /// It is not one JSON value.
    #[error("the file is not valid JSON")]
    Syntax(#[source] serde_json::Error),
    /// It nests too deep, or is too large.
    #[error("the file nests deeper or holds more than any honest one")]
    TooMuch,
    /// It is JSON and no object.
    #[error("the file holds something else than a JSON object")]
    NotAnObject,
    /// `credentials` is there more than once, and only one would survive.
    #[error("the file has `credentials` more than once")]
    SeveralCredentials,
    /// `credentials` is no object.
    #[error("`credentials` in the file is no JSON object")]
    CredentialsNotObject,
}

impl From<TreeError> for CredentialsFileError {
    fn from(error: TreeError) -> Self {
        match error {
            TreeError::Syntax(source) => Self::Syntax(source),
            TreeError::TooMuch => Self::TooMuch,
        }
    }
}

const CREDENTIALS: &str = "credentials";

impl CredentialsFile {
    /// Reads the file; an empty one holds nothing.
    ///
    /// # Errors
    ///
    /// If the file is anything else than one JSON object whose `credentials`, if any, is an object.
    pub fn parse(bytes: &[u8]) -> Result<Self, CredentialsFileError> {
        if bytes.is_empty() {
            return Ok(Self {
                members: BTreeMap::new(),
            });
        }
        let Tree::Object(members) = Tree::parse(bytes)? else {
            return Err(CredentialsFileError::NotAnObject);
        };
        let pairs = pairs_of_slice(bytes).map_err(CredentialsFileError::Syntax)?;
        if pairs.iter().filter(|(key, _)| key == CREDENTIALS).count() > 1 {
            return Err(CredentialsFileError::SeveralCredentials);
        }
        match members.get(CREDENTIALS) {
            None | Some(Tree::Object(_)) => Ok(Self { members }),
            Some(Tree::Literal(_) | Tree::Text(_) | Tree::List(_)) => {
                Err(CredentialsFileError::CredentialsNotObject)
            }
        }
    }

    fn entries(&self) -> Option<&BTreeMap<String, Tree>> {
        match self.members.get(CREDENTIALS) {
            Some(Tree::Object(entries)) => Some(entries),
            Some(Tree::Literal(_) | Tree::Text(_) | Tree::List(_)) | None => None,
        }
    }

    fn entries_mut(&mut self) -> Option<&mut BTreeMap<String, Tree>> {
        match self.members.get_mut(CREDENTIALS) {
            Some(Tree::Object(entries)) => Some(entries),
            Some(Tree::Literal(_) | Tree::Text(_) | Tree::List(_)) | None => None,
        }
    }

    /// Whether there is an entry for `host`, in any spelling.
    pub fn holds(&self, host: &Hostname) -> bool {
        let entries = self.entries();
        entries.is_some_and(|entries| entries.keys().any(|key| is(key, host)))
    }

    /// The token stored for `host`.
    pub fn token(&self, host: &Hostname) -> Option<Secret> {
        let (_, entry) = self.entries()?.iter().find(|(key, _)| is(key, host))?;
        match entry {
            Tree::Object(members) => match members.get("token") {
                Some(Tree::Text(token)) => Some(Secret::new(token.clone())),
                Some(Tree::Literal(_) | Tree::List(_) | Tree::Object(_)) | None => None,
            },
            Tree::Literal(_) | Tree::Text(_) | Tree::List(_) => None,
        }
    }

    /// Puts `token` in place of every entry for `host`.
    pub fn store(&mut self, host: &Hostname, token: &Secret) {
        self.forget(host);
        let entry = BTreeMap::from([("token".to_owned(), Tree::Text(token.expose().to_owned()))]);
        let empty = || Tree::Object(BTreeMap::new());
        self.members
            .entry(CREDENTIALS.to_owned())
            .or_insert_with(empty);
        if let Some(entries) = self.entries_mut() {
            entries.insert(host.for_display().to_owned(), Tree::Object(entry));
        }
    }

    /// Removes every entry for `host`; tells whether there was one.
    pub fn forget(&mut self, host: &Hostname) -> bool {
        let Some(entries) = self.entries_mut() else {
            return false;
        };
        let before = entries.len();
        entries.retain(|key, _| !is(key, host));
        entries.len() < before
    }

    /// The file's new bytes.
    pub fn render(&self) -> String {
        Tree::Object(self.members.clone()).render()
    }

    /// Why the tools cannot read the file, if they cannot: their reader is another than their writer
    /// (facts/login 4.3).
    pub fn unreadable_because(&self) -> Option<String> {
        let nested = self.entries()?.iter().find(|(_, entry)| has_object(entry));
        if let Some((key, _)) = nested {
            return Some(format!("the entry of `{key}` holds an object"));
        }
        let parsed = hcl1::parse(self.render().as_bytes());
        parsed.err().map(|error| error.message)
    }
}

fn is(key: &str, host: &Hostname) -> bool {
    key.parse().is_ok_and(|other: Hostname| other == *host)
}

/// Whether a member of the entry is an object, or a list that holds one, which makes the tools crash.
fn has_object(entry: &Tree) -> bool {
    let holds = |value: &Tree| match value {
        Tree::Object(_) => true,
        Tree::List(elements) => elements.iter().any(|it| matches!(it, Tree::Object(_))),
        Tree::Literal(_) | Tree::Text(_) => false,
    };
    match entry {
        Tree::Object(members) => members.values().any(holds),
        Tree::Literal(_) | Tree::Text(_) | Tree::List(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_content_is_refused_and_never_lost() {
        for text in [
            "{\"credentials\":{}} x",
            "{\"credentials\":{}} {}",
            "{\"credentials\":{\"a.example\":{}},\"credentials\":{}}",
            "{\"credentials\":{},}",
            "credentials \"a.example\" {}",
            "\u{feff}{}",
        ] {
            assert!(CredentialsFile::parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn entries_that_the_tools_cannot_read_are_told() {
        for (text, is_readable) in [
            (r#"{"credentials":{"a.example":{"token":"t","x":5}}}"#, true),
            (
                r#"{"credentials":{"a.example":{"token":"t","x":{}}}}"#,
                false,
            ),
            (
                r#"{"credentials":{"a.example":{"token":"t","x":[{}]}}}"#,
                false,
            ),
        ] {
            let file = CredentialsFile::parse(text.as_bytes()).unwrap();
            assert_eq!(file.unreadable_because().is_none(), is_readable, "{text}");
        }
    }
}
