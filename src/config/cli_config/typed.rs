//! Values and blocks of the HCL 1 tree as the types that settings want (facts/login 6.4).

use crate::document::hcl1::{Body, Item, Key, Position, Value, ValueKind};

/// A value of a wrong type, which drops the whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TypeError {
    pub(super) position: Position,
    pub(super) message: String,
}

pub(super) fn type_error<T>(
    position: Position,
    message: impl Into<String>,
) -> Result<T, TypeError> {
    Err(TypeError {
        position,
        message: message.into(),
    })
}

/// A block with its one label, whichever way it was written.
pub(super) struct LabelledBlock<'b> {
    pub(super) label: &'b str,
    pub(super) position: Position,
    pub(super) body: &'b Body,
}

/// The blocks that an item stands for: `name "label" { … }`, `name = { label = { … } }`, or JSON with
/// lists of objects at either level.
pub(super) fn labelled_blocks<'b>(
    name: &str,
    item: &'b Item,
) -> Result<Vec<LabelledBlock<'b>>, TypeError> {
    let mut blocks = Vec::new();
    match item.keys.as_slice() {
        [_] => {
            for body in objects(&item.value, &format!("`{name}`"))? {
                for inner in &body.items {
                    collect(name, &inner.keys, inner, &mut blocks)?;
                }
            }
        }
        [_, labels @ ..] => collect(name, labels, item, &mut blocks)?,
        [] => {}
    }
    Ok(blocks)
}

fn collect<'b>(
    name: &str,
    labels: &'b [Key],
    item: &'b Item,
    blocks: &mut Vec<LabelledBlock<'b>>,
) -> Result<(), TypeError> {
    let [label] = labels else {
        return type_error(item.position(), format!("`{name}` takes exactly one label"));
    };
    for body in objects(&item.value, &format!("`{name}` with its label"))? {
        blocks.push(LabelledBlock {
            label: &label.text,
            position: item.position(),
            body,
        });
    }
    Ok(())
}

/// An object, or the objects of a list that is not empty.
pub(super) fn objects<'b>(value: &'b Value, what: &str) -> Result<Vec<&'b Body>, TypeError> {
    let one = std::slice::from_ref(value);
    let values = value.kind.as_list().filter(|values| !values.is_empty());
    let object = |value: &'b Value| {
        let message = || format!("{what} must be an object, not {}", value.kind.name());
        match value.kind.as_object() {
            Some(body) => Ok(body),
            None => type_error(value.position, message()),
        }
    };
    values.unwrap_or(one).iter().map(object).collect()
}

/// A string; a number counts as its text (facts/login 6.4).
pub(super) fn text(value: &Value) -> Option<&str> {
    match &value.kind {
        ValueKind::Text(text) | ValueKind::Number(text) => Some(text),
        ValueKind::Null | ValueKind::Bool(_) | ValueKind::List(_) | ValueKind::Object(_) => None,
    }
}

/// Only the literals `true` and `false` are booleans.
pub(super) fn boolean(name: &str, item: &Item) -> Result<bool, TypeError> {
    if let ValueKind::Bool(value) = item.value.kind
        && item.keys.len() == 1
    {
        return Ok(value);
    }
    let message = expected(name, "`true` or `false`", &item.value);
    type_error(item.value.position, message)
}

pub(super) fn expected(name: &str, what: &str, value: &Value) -> String {
    format!("`{name}` must be {what}, not {}", value.kind.name())
}
