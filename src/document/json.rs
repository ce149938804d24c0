//! Walking JSON documents member by member, so that messages name the place and members that this
//! version does not know survive a rewrite.
//!
//! Documents come from mirrors of strangers. Known attacks, and the answers: nesting that exhausts the
//! stack is refused by the parser; sizes are capped by the caller before; many small values, whose tree exhausts
//! the memory, are weighed before they are parsed; a null or a value of another
//! kind where an object is wanted, which crashes the tools, is an error with its place.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::document::json_weight::{TooManyValues, weigh};
use crate::failure::{ExitCode, Failure};

/// The members of an object, in the order of their keys as bytes.
pub(super) type Members = BTreeMap<String, Value>;

/// An object and where it stands in its document.
#[derive(Debug)]
pub(super) struct Object {
    place: String,
    members: Members,
}

impl Object {
    /// Reads the first JSON value of `document`; text after it is ignored (facts/providers 8.5).
    pub(super) fn parse(document: &[u8]) -> Result<Self, JsonDocumentError> {
        weigh(document)?;
        let mut values = serde_json::Deserializer::from_slice(document).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => Self::of(String::new(), value),
            Some(Err(source)) => Err(JsonDocumentError::Syntax { source }),
            None => Err(JsonDocumentError::Empty),
        }
    }

    /// Takes `value` for the object at `place`.
    pub(super) fn of(place: String, value: Value) -> Result<Self, JsonDocumentError> {
        match value {
            Value::Object(members) => Ok(Self {
                place,
                members: members.into_iter().collect(),
            }),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Err(wrong_kind(place, "an object", &value)),
        }
    }

    /// The place of a member, as messages show it.
    pub(super) fn place_of(&self, key: &str) -> String {
        if self.place.is_empty() {
            return key.to_owned();
        }
        format!("{}.{key}", self.place)
    }

    /// Takes a member out; null counts as absent.
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.members.remove(key).filter(|value| !value.is_null())
    }

    /// Takes out a string.
    pub(super) fn take_text(&mut self, key: &str) -> Result<Option<String>, JsonDocumentError> {
        self.take(key)
            .map(|value| text(self.place_of(key), value))
            .transpose()
    }

    /// Takes out a string that must be there.
    pub(super) fn take_required_text(&mut self, key: &str) -> Result<String, JsonDocumentError> {
        self.take_text(key)?.ok_or_else(|| self.missing(key))
    }

    /// Takes out a whole number that must be there.
    pub(super) fn take_required_number(&mut self, key: &str) -> Result<u64, JsonDocumentError> {
        let value = self.take(key).ok_or_else(|| self.missing(key))?;
        value
            .as_u64()
            .ok_or_else(|| wrong_kind(self.place_of(key), "a whole number", &value))
    }

    /// Takes out an object.
    pub(super) fn take_object(&mut self, key: &str) -> Result<Option<Self>, JsonDocumentError> {
        self.take(key)
            .map(|value| Self::of(self.place_of(key), value))
            .transpose()
    }

    /// Takes out a list, each element with its place; an absent one is empty.
    pub(super) fn take_list(
        &mut self,
        key: &str,
    ) -> Result<Vec<(String, Value)>, JsonDocumentError> {
        let place = self.place_of(key);
        let elements = match self.take(key) {
            None => return Ok(Vec::new()),
            Some(Value::Array(elements)) => elements,
            Some(other) => return Err(wrong_kind(place, "a list", &other)),
        };
        let numbered = elements.into_iter().enumerate();
        Ok(numbered
            .map(|(index, value)| (format!("{place}[{index}]"), value))
            .collect())
    }

    /// Takes out a list of strings; an absent one is empty.
    pub(super) fn take_texts(&mut self, key: &str) -> Result<Vec<String>, JsonDocumentError> {
        let elements = self.take_list(key)?;
        elements
            .into_iter()
            .map(|(place, value)| text(place, value))
            .collect()
    }

    /// The error for a member that is not there.
    pub(super) fn missing(&self, key: &str) -> JsonDocumentError {
        JsonDocumentError::Missing {
            place: self.place_of(key),
        }
    }

    /// The error for a member whose text is wrong in its own way.
    pub(super) fn invalid(
        &self,
        key: &str,
        source: impl std::error::Error + Send + Sync + 'static,
    ) -> JsonDocumentError {
        JsonDocumentError::Invalid {
            place: self.place_of(key),
            source: Box::new(source),
        }
    }

    /// The keys of what was not taken out.
    pub(super) fn keys(&self) -> Vec<String> {
        self.members.keys().cloned().collect()
    }

    /// What was not taken out.
    pub(super) fn rest(self) -> Members {
        self.members
    }
}

fn text(place: String, value: Value) -> Result<String, JsonDocumentError> {
    match value {
        Value::String(text) => Ok(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Err(wrong_kind(place, "a string", &value))
        }
    }
}

fn wrong_kind(place: String, wanted: &'static str, value: &Value) -> JsonDocumentError {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    if place.is_empty() {
        return JsonDocumentError::NotAnObject { found };
    }
    JsonDocumentError::WrongKind {
        place,
        wanted,
        found,
    }
}

/// Prints members as mirrors have them: two spaces of indent, keys in byte order, no final newline
/// (facts/providers 7.7).
pub(super) fn render(members: Members) -> String {
    format!("{:#}", as_value(members))
}

/// Makes an object of members.
pub(super) fn as_value(members: Members) -> Value {
    Value::Object(members.into_iter().collect())
}

/// Why a JSON document cannot be used. Places are member names joined by dots.
#[derive(Debug, thiserror::Error)]
pub enum JsonDocumentError {
    /// There is no value.
    #[error("the document is empty")]
    Empty,
    /// The text is not JSON.
    #[error("the document is not JSON")]
    Syntax {
        /// The parser's error, which names line and column.
        source: serde_json::Error,
    },
    /// There are too many values for the memory.
    #[error(transparent)]
    TooManyValues(#[from] TooManyValues),
    /// The document is another value than an object.
    #[error("the document is {found} where an object is wanted")]
    NotAnObject {
        /// What it is, in words.
        found: &'static str,
    },
    /// A member has another kind of value.
    #[error("`{place}` is {found} where {wanted} is wanted")]
    WrongKind {
        /// The member.
        place: String,
        /// What is wanted, in words.
        wanted: &'static str,
        /// What is there, in words.
        found: &'static str,
    },
    /// A member is missing or null.
    #[error("`{place}` is missing")]
    Missing {
        /// The member.
        place: String,
    },
    /// The text of a member is wrong in its own way.
    #[error("`{place}` is invalid")]
    Invalid {
        /// The member.
        place: String,
        /// What is wrong with it.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The document is of a format that this version does not know.
    #[error("the document has format version `{found}`, and this program knows 1")]
    FormatVersion {
        /// The version of the document's format.
        found: String,
    },
}

impl Failure for JsonDocumentError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::FormatVersion { .. } => {
                vec![
                    "use the version of `provender` that wrote the document, or a newer one"
                        .to_owned(),
                ]
            }
            Self::Empty
            | Self::Syntax { .. }
            | Self::TooManyValues(_)
            | Self::NotAnObject { .. }
            | Self::WrongKind { .. }
            | Self::Missing { .. }
            | Self::Invalid { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(document: &str) -> String {
        Object::parse(document.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn only_objects_are_documents() {
        assert_eq!(refused(""), "the document is empty");
        assert_eq!(
            refused("null"),
            "the document is null where an object is wanted"
        );
        assert_eq!(refused("{"), "the document is not JSON");
        assert!(Object::parse(b"{} trailing").is_ok());
    }

    #[test]
    fn deep_nesting_is_refused() {
        let document = format!("{}{}", "{\"a\":".repeat(10_000), "1");
        assert_eq!(refused(&document), "the document is not JSON");
    }

    #[test]
    fn nested_members_are_printed_in_byte_order() {
        let members = Object::parse(br#"{"b":{"z":1,"a":[]},"B":{}}"#)
            .unwrap()
            .rest();
        let text = "{\n  \"B\": {},\n  \"b\": {\n    \"a\": [],\n    \"z\": 1\n  }\n}";
        assert_eq!(render(members), text);
    }
}
