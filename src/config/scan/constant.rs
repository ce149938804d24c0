//! Constant expressions of the native syntax, evaluated; everything else named for what it is.

use std::str::FromStr;

use hcl_edit::Number;
use hcl_edit::expr::{Expression, ObjectKey, Traversal, TraversalOperator};
use hcl_edit::template::{Element, Strip, Template};

use super::syntax::{MAX_VALUE_DEPTH, Value};

/// Evaluates `expression` as far as it is constant.
pub(super) fn evaluate(expression: &Expression) -> Value {
    evaluate_at(expression, 0)
}

/// Evaluates a string of the JSON syntax as a template.
pub(super) fn evaluate_template(text: &str) -> Value {
    Template::from_str(text).map_or(Value::Dynamic, |template| elements(template.iter(), 0))
}

/// A reference written as a string, as the JSON syntax has it: `"aws.west"`.
pub(super) fn reference(text: &str) -> Value {
    Expression::from_str(text).map_or(Value::Dynamic, |expression| evaluate(&expression))
}

fn evaluate_at(expression: &Expression, depth: usize) -> Value {
    if depth > MAX_VALUE_DEPTH {
        return Value::Dynamic;
    }
    match expression {
        Expression::Null(_) => Value::Null,
        Expression::Bool(value) => Value::Bool(*value.value()),
        Expression::Number(number) => Value::Number(number_text(number.value())),
        Expression::String(text) => Value::Text(text.value().clone()),
        Expression::Array(array) => Value::List(
            array
                .iter()
                .map(|item| evaluate_at(item, depth + 1))
                .collect(),
        ),
        Expression::Object(object) => object
            .iter()
            .map(|(key, value)| Some((key_text(key)?, evaluate_at(value.expr(), depth + 1))))
            .collect::<Option<Vec<_>>>()
            .map_or(Value::Dynamic, Value::Object),
        Expression::StringTemplate(template) => elements(template.iter(), depth + 1),
        Expression::HeredocTemplate(heredoc) => elements(heredoc.template.iter(), depth + 1),
        Expression::Parenthesis(inner) => evaluate_at(inner.inner(), depth + 1),
        Expression::Variable(name) => Value::Reference(vec![name.value().as_str().to_owned()]),
        Expression::Traversal(traversal) => names(traversal),
        Expression::Conditional(_)
        | Expression::FuncCall(_)
        | Expression::UnaryOp(_)
        | Expression::BinaryOp(_)
        | Expression::ForExpr(_) => Value::Dynamic,
    }
}

/// A number as the tools convert it to text: `1.0` is `1`, `5.10` is `5.1`.
fn number_text(number: &Number) -> String {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(integer), _, _) => integer.to_string(),
        (None, Some(integer), _) => integer.to_string(),
        (None, None, Some(float)) => float.to_string(),
        (None, None, None) => number.to_string(),
    }
}

fn key_text(key: &ObjectKey) -> Option<String> {
    match key {
        ObjectKey::Ident(name) => Some(name.value().as_str().to_owned()),
        ObjectKey::Expression(expression) => evaluate(expression).as_text(),
    }
}

/// The text of a template whose every part is constant. Strip markers and directives are not followed.
fn elements<'e>(elements: impl Iterator<Item = &'e Element>, depth: usize) -> Value {
    let mut text = String::new();
    for element in elements {
        match element {
            Element::Literal(literal) => text.push_str(literal.value()),
            Element::Interpolation(part) if part.strip == Strip::None => {
                match evaluate_at(&part.expr, depth + 1).as_text() {
                    Some(part) => text.push_str(&part),
                    None => return Value::Dynamic,
                }
            }
            Element::Interpolation(_) | Element::Directive(_) => return Value::Dynamic,
        }
    }
    Value::Text(text)
}

fn names(traversal: &Traversal) -> Value {
    let Expression::Variable(root) = &traversal.expr else {
        return Value::Dynamic;
    };
    let mut names = vec![root.value().as_str().to_owned()];
    for operator in &traversal.operators {
        match operator.value() {
            TraversalOperator::GetAttr(name) => names.push(name.value().as_str().to_owned()),
            TraversalOperator::Index(_)
            | TraversalOperator::LegacyIndex(_)
            | TraversalOperator::AttrSplat(_)
            | TraversalOperator::FullSplat(_) => {}
        }
    }
    Value::Reference(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_evaluated_and_the_rest_is_named() {
        let text = |text: &str| Value::Text(text.to_owned());
        let number = |text: &str| Value::Number(text.to_owned());
        let reference = |names: &[&str]| {
            Value::Reference(names.iter().map(|name| (*name).to_owned()).collect())
        };
        for (given, expected) in [
            (r#""./${"a"}""#, text("./a")),
            (r#""a$${b}${1}${true}""#, text("a${b}1true")),
            ("<<EOT\n./a\nEOT\n", text("./a\n")),
            ("(\"a\")", text("a")),
            ("1.0", number("1")),
            ("5.10", number("5.1")),
            ("-3", number("-3")),
            ("aws.by[each.key].west", reference(&["aws", "by", "west"])),
            (r#"["a", null]"#, Value::List(vec![text("a"), Value::Null])),
            (
                r#"{ "k" : 1 }"#,
                Value::Object(vec![("k".to_owned(), number("1"))]),
            ),
            ("{ (var.k) = 1 }", Value::Dynamic),
            (r#""${var.a}/x""#, Value::Dynamic),
            (r#"join("/", ["."])"#, Value::Dynamic),
            ("foo().bar", Value::Dynamic),
        ] {
            let body = format!("x = {given}");
            let body = hcl_edit::parser::parse_body(body.trim_end()).unwrap();
            let value = &body.get_attribute("x").unwrap().value;
            assert_eq!(evaluate(value), expected, "{given}");
        }
    }
}
