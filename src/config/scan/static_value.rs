//! Values that are known before anything runs, on their way from one module to those it calls.

use std::collections::BTreeMap;

use super::constant;
use super::syntax::Value;

/// A value that static evaluation works with: known, or known not to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaticValue(pub(super) Value);

impl StaticValue {
    /// A string.
    pub fn text(text: impl Into<String>) -> Self {
        Self(Value::Text(text.into()))
    }

    /// Something that is given but not known.
    pub fn unknown() -> Self {
        Self(Value::Dynamic)
    }
}

/// What a module's static expressions may look at besides its own declarations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StaticInputs {
    /// Values given for its variables: by files and the environment for a root, by the call for others.
    pub variables: BTreeMap<String, StaticValue>,
    /// The module's directory as the tool has it, `.` for the root; what `path.module` is.
    pub module_path: String,
    /// The selected workspace.
    pub workspace: String,
}

impl StaticInputs {
    /// A root module without given values, in the default workspace.
    pub fn of_root() -> Self {
        Self {
            variables: BTreeMap::new(),
            module_path: ".".to_owned(),
            workspace: "default".to_owned(),
        }
    }
}

/// The values of a `.tfvars` file in native syntax; what is no constant is unknown. `None` if it cannot be
/// parsed.
pub fn values_of_native(text: &str) -> Option<BTreeMap<String, StaticValue>> {
    let body = hcl_edit::parser::parse_body(text).ok()?;
    let value = |attribute: &hcl_edit::structure::Attribute| {
        let value = StaticValue(known(constant::evaluate(&attribute.value)));
        (attribute.key.as_str().to_owned(), value)
    };
    Some(body.attributes().map(value).collect())
}

/// The values of a `.tfvars.json` file. `None` if it cannot be parsed.
pub fn values_of_json(text: &str) -> Option<BTreeMap<String, StaticValue>> {
    let members: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    let value = |(key, value)| (key, StaticValue(of_json(value)));
    Some(members.into_iter().map(value).collect())
}

fn of_json(value: serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(value),
        serde_json::Value::Number(number) => Value::Number(number.to_string()),
        serde_json::Value::String(text) => Value::Text(text),
        serde_json::Value::Array(items) => Value::List(items.into_iter().map(of_json).collect()),
        serde_json::Value::Object(members) => {
            let member = |(key, value)| (key, of_json(value));
            Value::Object(members.into_iter().map(member).collect())
        }
    }
}

/// A reference is no value.
pub(super) fn known(value: Value) -> Value {
    match value {
        Value::Reference(_) => Value::Dynamic,
        Value::List(items) => Value::List(items.into_iter().map(known).collect()),
        Value::Object(members) => {
            let member = |(key, value)| (key, known(value));
            Value::Object(members.into_iter().map(member).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Dynamic => value,
    }
}
