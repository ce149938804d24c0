//! JSON as the tools read it: the first value counts, keys match in any case (facts/providers 2.5).
//!
//! Nothing is built but what is asked for: a value stays text until it is read, since a tree of a
//! hostile document takes fifty times its size.
//!
//! Hostile input: answers of registries and mirrors. Attacks and answers:
//! - text after the first value: ignored, as the tools do;
//! - deep nesting: values that nobody asks for are skipped without recursion;
//! - huge documents and endless lists: whoever reads the bytes caps them first (`http`, `disk`), and
//!   a list costs 16 bytes an element here;
//! - wrong types: named by path, never coerced.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::document::trailing_comma::trailing_comma;

/// Why a document could not be read.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// The bytes do not start with a JSON value.
    #[error("not valid JSON")]
    Syntax(#[source] serde_json::Error),
    /// There is a comma after the last member or element, which other notations allow.
    #[error("not valid JSON: there is a trailing comma in line {line}")]
    TrailingComma {
        /// The comma's line.
        line: usize,
    },
    /// There is no JSON value at all.
    #[error("the document is empty")]
    Empty,
    /// A value has another type than the protocol says.
    #[error("`{path}` must be {expected}, got {got}")]
    Type {
        /// Where in the document, as `versions[2].version`.
        path: String,
        /// What the protocol asks for.
        expected: &'static str,
        /// What is there.
        got: &'static str,
    },
}

impl JsonError {
    fn syntax(document: &[u8], error: serde_json::Error) -> Self {
        match trailing_comma(document, error.line(), error.column()) {
            Some(line) => Self::TrailingComma { line },
            None => Self::Syntax(error),
        }
    }
}

/// A value, still as text, and the path that leads to it, for errors.
#[derive(Debug, Clone)]
pub struct Node<'v> {
    raw: &'v RawValue,
    path: String,
}

impl<'v> Node<'v> {
    /// The first JSON value of `bytes`, whatever follows it.
    ///
    /// # Errors
    ///
    /// If the bytes hold no value, or start with something that is none (a byte order mark too).
    pub fn first(bytes: &'v [u8]) -> Result<Self, JsonError> {
        let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<&RawValue>();
        match values.next() {
            Some(Ok(raw)) => Ok(Self {
                raw,
                path: String::new(),
            }),
            Some(Err(error)) => Err(JsonError::syntax(bytes, error)),
            None => Err(JsonError::Empty),
        }
    }

    /// The only JSON value of `bytes`.
    ///
    /// # Errors
    ///
    /// If the bytes hold anything else than one value.
    pub fn only(bytes: &'v [u8]) -> Result<Self, JsonError> {
        let raw = serde_json::from_slice(bytes).map_err(|error| JsonError::syntax(bytes, error))?;
        Ok(Self {
            raw,
            path: String::new(),
        })
    }

    /// The member `name`, matched in any case, the exact spelling first; `None` if absent or null.
    ///
    /// # Errors
    ///
    /// If this value is not an object.
    pub fn member(&self, name: &str) -> Result<Option<Self>, JsonError> {
        let pairs = self.pairs()?;
        let exact = pairs.iter().rfind(|(key, _)| key == name);
        let found = exact.or_else(|| {
            pairs
                .iter()
                .rfind(|(key, _)| key.eq_ignore_ascii_case(name))
        });
        let node = found.map(|&(_, raw)| Node {
            raw,
            path: self.join(name),
        });
        Ok(node.filter(|node| !node.is_null()))
    }

    /// The member `name` as text; an absent one is empty, as in the tools.
    ///
    /// # Errors
    ///
    /// If this value is not an object, or the member is not a string.
    pub fn text(&self, name: &str) -> Result<String, JsonError> {
        match self.member(name)? {
            Some(node) => node.as_text(),
            None => Ok(String::new()),
        }
    }

    /// The elements of the array member `name`, null ones included; an absent one is empty.
    ///
    /// # Errors
    ///
    /// If this value is not an object, or the member is not an array.
    pub fn elements(
        &self,
        name: &str,
    ) -> Result<impl Iterator<Item = Node<'v>> + use<'v>, JsonError> {
        let (raws, path) = match self.member(name)? {
            Some(array) => {
                let raws: Vec<&'v RawValue> = array.read("an array")?;
                (raws, array.path)
            }
            None => (Vec::new(), String::new()),
        };
        let element = move |(i, raw)| Node {
            raw,
            path: format!("{path}[{i}]"),
        };
        Ok(raws.into_iter().enumerate().map(element))
    }

    /// The members of this object by name; of members of one name the last.
    ///
    /// # Errors
    ///
    /// If this value is not an object.
    pub fn members(&self) -> Result<BTreeMap<String, Self>, JsonError> {
        let named = |(key, raw): (Cow<'v, str>, &'v RawValue)| {
            let path = self.join(&key);
            (key.into_owned(), Node { raw, path })
        };
        Ok(self.pairs()?.into_iter().map(named).collect())
    }

    /// This value as text.
    ///
    /// # Errors
    ///
    /// If it is not a string.
    pub fn as_text(&self) -> Result<String, JsonError> {
        self.read("a string")
    }

    /// This value as a whole number; fractions and other types are errors.
    ///
    /// # Errors
    ///
    /// If it is no whole number within 64 bits.
    pub fn as_integer(&self) -> Result<i64, JsonError> {
        self.read("a whole number")
    }

    /// This value as a tree.
    ///
    /// # Errors
    ///
    /// If it nests too deep.
    pub fn as_value(&self) -> Result<Value, JsonError> {
        self.read("a value that nests less deep")
    }

    /// True for JSON `null`, which arrays may hold.
    pub fn is_null(&self) -> bool {
        self.raw.get() == "null"
    }

    /// Where this value stands, as `versions[2].version`.
    pub fn path(&self) -> &str {
        if self.path.is_empty() {
            "the document"
        } else {
            &self.path
        }
    }

    /// The error that this value is not what the protocol says.
    pub fn wrong(&self, expected: &'static str) -> JsonError {
        JsonError::Type {
            path: self.path().to_owned(),
            expected,
            got: kind(self.raw),
        }
    }

    fn read<T: serde::Deserialize<'v>>(&self, expected: &'static str) -> Result<T, JsonError> {
        serde_json::from_str(self.raw.get()).map_err(|_| self.wrong(expected))
    }

    fn pairs(&self) -> Result<Vec<(Cow<'v, str>, &'v RawValue)>, JsonError> {
        pairs_of(self.raw).map_err(|_| self.wrong("an object"))
    }

    fn join(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }
}

/// The members of an object in their order, each with its value as text.
pub(super) fn pairs_of(object: &RawValue) -> Result<Vec<Pair<'_>>, serde_json::Error> {
    pairs_of_slice(object.get().as_bytes())
}

/// The members of the object that `text` is.
pub(super) fn pairs_of_slice(text: &[u8]) -> Result<Vec<Pair<'_>>, serde_json::Error> {
    serde_json::Deserializer::from_slice(text).deserialize_map(Pairs)
}

/// A key and its value.
pub(super) type Pair<'v> = (Cow<'v, str>, &'v RawValue);

/// Reads the members of an object without reading their values.
struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            pairs.push((key, map.next_value()?));
        }
        Ok(pairs)
    }
}

fn kind(raw: &RawValue) -> &'static str {
    match raw.get().as_bytes().first() {
        Some(b'n') => "null",
        Some(b't' | b'f') => "a boolean",
        Some(b'"') => "a string",
        Some(b'[') => "an array",
        Some(b'{') => "an object",
        Some(_) | None => "a number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_match_in_any_case_the_exact_one_first() {
        let node = Node::first(
            br#"{"VERSION": "1", "version": "2", "\u0076ersion": "4", "Other": "3"} trailing"#,
        )
        .unwrap();
        assert_eq!(node.text("version").unwrap(), "4");
        assert_eq!(node.text("other").unwrap(), "3");
        assert_eq!(node.text("absent").unwrap(), "");
    }

    #[test]
    fn wrong_types_are_named_by_path() {
        let node = Node::first(br#"{"versions": [{"version": 1}]}"#).unwrap();
        let error = node
            .elements("versions")
            .unwrap()
            .next()
            .unwrap()
            .text("version")
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "`versions[0].version` must be a string, got a number"
        );
        let error = Node::first(b"[]").unwrap().text("x").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`the document` must be an object, got an array"
        );
    }

    #[test]
    fn refuses_documents_without_a_value_and_with_more_than_one_where_one_is_asked_for() {
        assert!(matches!(Node::first(b" \n"), Err(JsonError::Empty)));
        assert!(matches!(
            Node::first(b"\xef\xbb\xbf{}"),
            Err(JsonError::Syntax(_))
        ));
        assert!(matches!(
            Node::first(b"{\"a\": "),
            Err(JsonError::Syntax(_))
        ));
        for (document, comma) in [
            ("{\"a\": 1,\n}", 1),
            ("[\n1\n,\n\n]", 3),
            ("{\"a\": {\n\"b\": 1,\n \t},\n\"c\": 2}", 2),
        ] {
            let error = Node::only(document.as_bytes()).unwrap_err();
            assert!(
                matches!(error, JsonError::TrailingComma { line } if line == comma),
                "{document}: {error}"
            );
        }
        for document in ["{,}", "[}", "{\"a\"}", "{\"a\": 1,"] {
            assert!(
                matches!(Node::only(document.as_bytes()), Err(JsonError::Syntax(_))),
                "{document}"
            );
        }
        assert!(Node::only(b" {} ").is_ok());
        assert!(matches!(Node::only(b"{} x"), Err(JsonError::Syntax(_))));
    }

    #[test]
    fn deep_nesting_is_skipped_without_recursion() {
        let deep = format!(
            "{{\"a\": {}{}, \"b\": \"x\"}}",
            "[".repeat(500_000),
            "]".repeat(500_000)
        );
        assert_eq!(
            Node::first(deep.as_bytes()).unwrap().text("b").unwrap(),
            "x"
        );
    }
}
