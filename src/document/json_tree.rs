//! A JSON document that survives a rewrite by terraform's rules: keys sorted, numbers digit by digit.
//!
//! The file is the user's own, but other programs write to it: nesting that would exhaust the stack is refused,
//! and so is a tree that would exhaust the memory.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::document::go_json::pairs_of;
use crate::document::json_weight::weigh;

/// No honest document nests deeper.
const DEEPEST: usize = 64;

/// A value whose spelling is kept where that matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tree {
    /// A number, `true`, `false` or `null`, as written.
    Literal(String),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Tree>),
    /// An object, keys in byte order; of members of one name the last.
    Object(BTreeMap<String, Tree>),
}

/// Why a text is no such document.
#[derive(Debug, thiserror::Error)]
pub(super) enum TreeError {
    /// It is not JSON, or there is more after the first value.
    #[error(transparent)]
    Syntax(#[from] serde_json::Error),
    /// It nests too deep, or holds too many values.
    #[error("the document nests deeper or holds more than any honest one")]
    TooMuch,
}

impl Tree {
    /// Parses the only value of `text`.
    pub(super) fn parse(text: &[u8]) -> Result<Self, TreeError> {
        weigh(text).map_err(|_| TreeError::TooMuch)?;
        Self::of(serde_json::from_slice(text)?, DEEPEST)
    }

    fn of(raw: &RawValue, depth: usize) -> Result<Self, TreeError> {
        let deeper = depth.checked_sub(1).ok_or(TreeError::TooMuch)?;
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'"') => Ok(Self::Text(serde_json::from_str(text)?)),
            Some(b'[') => {
                let elements: Vec<&RawValue> = serde_json::from_str(text)?;
                let elements = elements.into_iter().map(|raw| Self::of(raw, deeper));
                Ok(Self::List(elements.collect::<Result<_, _>>()?))
            }
            Some(b'{') => {
                let members = pairs_of(raw)?;
                let member = |(key, raw): (Cow<'_, str>, &RawValue)| {
                    Ok::<_, TreeError>((key.into_owned(), Self::of(raw, deeper)?))
                };
                let members = members.into_iter().map(member);
                Ok(Self::Object(members.collect::<Result<_, _>>()?))
            }
            Some(_) | None => Ok(Self::Literal(text.to_owned())),
        }
    }

    /// Prints the value: two spaces of indent, no final newline.
    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        self.print(&mut out, 0);
        out
    }

    fn print(&self, out: &mut String, depth: usize) {
        match self {
            Self::Literal(text) => out.push_str(text),
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::List(elements) => {
                print_all(out, depth, ('[', ']'), elements, |out, element| {
                    element.print(out, depth + 1);
                });
            }
            Self::Object(members) => {
                print_all(out, depth, ('{', '}'), members, |out, (key, value)| {
                    out.push_str(&quoted(key));
                    out.push_str(": ");
                    value.print(out, depth + 1);
                });
            }
        }
    }
}

fn print_all<T>(
    out: &mut String,
    depth: usize,
    (open, close): (char, char),
    items: impl IntoIterator<Item = T>,
    mut print: impl FnMut(&mut String, T),
) {
    out.push(open);
    let mut is_empty = true;
    for item in items {
        out.push_str(if is_empty { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        print(out, item);
        is_empty = false;
    }
    if !is_empty {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    }
    out.push(close);
}

/// A string as Go prints it: what could end a script or a line is escaped, other Unicode is not (facts/login 4.3).
fn quoted(text: &str) -> String {
    let plain = serde_json::Value::String(text.to_owned()).to_string();
    let mut out = String::with_capacity(plain.len());
    for c in plain.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_nesting_and_floods_are_refused() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(matches!(
            Tree::parse(deep.as_bytes()),
            Err(TreeError::TooMuch)
        ));
        let flood = format!("[{}0]", "{},".repeat(200_000));
        assert!(matches!(
            Tree::parse(flood.as_bytes()),
            Err(TreeError::TooMuch)
        ));
    }

    #[test]
    fn spelling_of_numbers_and_emptiness_survive() {
        let text = "{\n  \"a\": [],\n  \"b\": {},\n  \"n\": 1.10e+05\n}";
        assert_eq!(Tree::parse(text.as_bytes()).unwrap().render(), text);
    }
}
