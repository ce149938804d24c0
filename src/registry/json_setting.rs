//! Values of `host` blocks as the JSON that a discovery document would have.

use serde_json::{Map, Number, Value};

use crate::config::ServiceValue;
use crate::document::hcl1::{Body, Value as Setting, ValueKind};

/// The value of a service. A list of one object is that object, which is how the JSON form of the configuration writes
/// a block (facts/login 1).
pub(super) fn json_of_setting(value: &ServiceValue) -> Value {
    match value {
        ServiceValue::Text(text) => Value::String(text.clone()),
        ServiceValue::Other(setting) => match setting.kind.as_list() {
            Some([only]) => json(only),
            Some(_) | None => json(setting),
        },
    }
}

fn json(setting: &Setting) -> Value {
    match &setting.kind {
        ValueKind::Null => Value::Null,
        ValueKind::Bool(flag) => Value::Bool(*flag),
        ValueKind::Number(text) => number(text),
        ValueKind::Text(text) => Value::String(text.clone()),
        ValueKind::List(values) => Value::Array(values.iter().map(json).collect()),
        ValueKind::Object(body) => Value::Object(object(body)),
    }
}

/// Of members of one name the last counts.
fn object(body: &Body) -> Map<String, Value> {
    let members = body.items.iter().filter_map(|item| {
        let key = item.keys.first()?;
        Some((key.text.clone(), json(&item.value)))
    });
    members.collect()
}

/// What is no number in JSON's spelling is text, which no rule takes for a number.
fn number(text: &str) -> Value {
    let parsed: Result<Number, _> = text.parse();
    parsed.map_or_else(|_| Value::String(text.to_owned()), Value::Number)
}
