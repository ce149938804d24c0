//! The functions that sources are built with. OpenTofu allows all of its own; a source that needs another one is
//! told as dynamic.

use super::syntax::Value;

/// What the function `name` gives for `arguments`; `None` if it is not known here, or an argument is unknown or
/// of another type.
pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Value> {
    match (name, arguments) {
        ("format", [format, values @ ..]) => formatted(&text(format)?, values).map(Value::Text),
        ("join", [separator, Value::List(items)]) => {
            let items: Option<Vec<String>> = items.iter().map(text).collect();
            Some(Value::Text(items?.join(&text(separator)?)))
        }
        ("lower", [value]) => Some(Value::Text(text(value)?.to_lowercase())),
        ("upper", [value]) => Some(Value::Text(text(value)?.to_uppercase())),
        ("trimspace", [value]) => Some(Value::Text(text(value)?.trim().to_owned())),
        ("tostring", [value]) => Some(Value::Text(text(value)?)),
        ("trimprefix", [value, prefix]) => {
            let (value, prefix) = (text(value)?, text(prefix)?);
            let rest = value.strip_prefix(&prefix).unwrap_or(&value);
            Some(Value::Text(rest.to_owned()))
        }
        ("trimsuffix", [value, suffix]) => {
            let (value, suffix) = (text(value)?, text(suffix)?);
            let rest = value.strip_suffix(&suffix).unwrap_or(&value);
            Some(Value::Text(rest.to_owned()))
        }
        ("lookup", [Value::Object(_), key]) => arguments[0].part(&text(key)?),
        ("lookup", [Value::Object(_), key, default]) => Some(
            arguments[0]
                .part(&text(key)?)
                .unwrap_or_else(|| default.clone()),
        ),
        ("coalesce", values) => coalesced(values),
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_text()
}

/// `%s`, `%d`, `%v` and `%%`.
fn formatted(format: &str, values: &[Value]) -> Option<String> {
    let mut values = values.iter();
    let mut formatted = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            formatted.push(c);
            continue;
        }
        match chars.next()? {
            '%' => formatted.push('%'),
            's' | 'd' | 'v' => formatted.push_str(&text(values.next()?)?),
            _ => return None,
        }
    }
    values.next().is_none().then_some(formatted)
}

/// The first that is neither null nor empty; an unknown one before it makes the whole unknown.
fn coalesced(values: &[Value]) -> Option<Value> {
    let is_nothing = |value: &&Value| {
        **value == Value::Null || matches!(value, Value::Text(text) if text.is_empty())
    };
    values.iter().find(|value| !is_nothing(value)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_give_what_the_tools_give() {
        let t = |text: &str| Value::Text(text.to_owned());
        let object = Value::Object(vec![("k".to_owned(), t("v"))]);
        for (name, arguments, expected) in [
            (
                "format",
                vec![t("a%s-%d%%"), t("b"), Value::Number("1".to_owned())],
                Some(t("ab-1%")),
            ),
            ("format", vec![t("%05d"), t("b")], None),
            ("format", vec![t("%s")], None),
            (
                "join",
                vec![t("/"), Value::List(vec![t("."), t("a")])],
                Some(t("./a")),
            ),
            (
                "join",
                vec![t("/"), Value::List(vec![Value::Dynamic])],
                None,
            ),
            ("lookup", vec![object.clone(), t("k")], Some(t("v"))),
            ("lookup", vec![object, t("x"), t("d")], Some(t("d"))),
            ("coalesce", vec![Value::Null, t(""), t("x")], Some(t("x"))),
            (
                "coalesce",
                vec![Value::Dynamic, t("x")],
                Some(Value::Dynamic),
            ),
            ("timestamp", vec![], None),
        ] {
            assert_eq!(call(name, &arguments), expected, "{name} {arguments:?}");
        }
    }
}
