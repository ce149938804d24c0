//! The tree that HCL 1 text and its JSON flavour are read into.

use std::fmt;

/// A place in a text: line and column, both from 1, columns counted in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The items of a file or of an object, in the order written; nothing is merged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    /// The items.
    pub items: Vec<Item>,
}

/// One item: `key = value`, or `key "label" { … }` with the labels as further keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The key and the labels; never empty.
    pub keys: Vec<Key>,
    /// The value.
    pub value: Value,
    /// Whether the item was written with `=` (always so in JSON).
    pub assigned: bool,
}

impl Item {
    /// Where the item begins.
    pub fn position(&self) -> Position {
        self.keys
            .first()
            .map_or(self.value.position, |key| key.position)
    }
}

/// A key or label, without its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The text.
    pub text: String,
    /// Where it begins.
    pub position: Position,
}

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// What it is.
    pub kind: ValueKind,
    /// Where it begins.
    pub position: Position,
}

/// What a value can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueKind {
    /// `null`, in JSON only.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as written.
    Number(String),
    /// A string or heredoc, unescaped.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object.
    Object(Body),
}

impl ValueKind {
    /// The kind's name for messages, with its article.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// The values, if this is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Self::List(values) = self {
            Some(values)
        } else {
            None
        }
    }

    /// The items, if this is an object.
    pub fn as_object(&self) -> Option<&Body> {
        if let Self::Object(body) = self {
            Some(body)
        } else {
            None
        }
    }

    /// The text, if this is a string.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }
}
