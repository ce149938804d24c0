//! The constant expressions that a lock file may hold: strings, and what converts to them.
//!
//! Templates may hold constants, functions and references may not (facts/providers 5.1). The parser
//! limits nesting, so following it is safe.

use hcl_edit::expr::Expression;
use hcl_edit::template::{Element, StringTemplate, Strip};

/// The value of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::document) enum Constant {
    /// No value.
    Null,
    /// A string, or a number or truth value as a string.
    Text(String),
    /// Something else; the phrase names it.
    Other(&'static str),
}

/// Evaluates an expression as far as constants go.
pub(in crate::document) fn evaluate(expression: &Expression) -> Constant {
    match expression {
        Expression::Null(_) => Constant::Null,
        Expression::Bool(value) => Constant::Text(value.to_string()),
        Expression::Number(value) => Constant::Text(value.value().to_string()),
        Expression::String(value) => Constant::Text(value.to_string()),
        Expression::StringTemplate(template) => join(template),
        Expression::Parenthesis(inner) => evaluate(inner.inner()),
        Expression::Array(_) => Constant::Other("a list"),
        Expression::Object(_) => Constant::Other("an object"),
        Expression::HeredocTemplate(_) => Constant::Other("a heredoc"),
        Expression::FuncCall(_) => Constant::Other("a function call"),
        Expression::Variable(_) | Expression::Traversal(_) => Constant::Other("a reference"),
        Expression::ForExpr(_) => Constant::Other("a `for` expression"),
        Expression::Conditional(_) | Expression::UnaryOp(_) | Expression::BinaryOp(_) => {
            Constant::Other("a calculation")
        }
    }
}

/// Joins the parts of a template.
fn join(template: &StringTemplate) -> Constant {
    let mut text = String::new();
    for element in template {
        let part = match element {
            Element::Literal(literal) => Some(literal.to_string()),
            Element::Interpolation(part) if part.strip == Strip::None => match evaluate(&part.expr)
            {
                Constant::Text(text) => Some(text),
                Constant::Null | Constant::Other(_) => None,
            },
            Element::Interpolation(_) | Element::Directive(_) => None,
        };
        match part {
            Some(part) => text.push_str(&part),
            None => return Constant::Other("a template that is not constant"),
        }
    }
    Constant::Text(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_told_from_the_rest() {
        let text = |text: &str| Constant::Text(text.to_owned());
        let cases = [
            ("\"a\\u0062\\n\"", text("ab\n")),
            ("\"a$${b}%%{c}\"", text("a${b}%{c}")),
            ("\"a${\"b${\"c\"}\"}\"", text("abc")),
            ("\"\"", text("")),
            ("1", text("1")),
            ("true", text("true")),
            ("(\"a\")", text("a")),
            ("null", Constant::Null),
            (
                "\"${~ \"a\" ~}\"",
                Constant::Other("a template that is not constant"),
            ),
            (
                "\"${a.b}\"",
                Constant::Other("a template that is not constant"),
            ),
            ("lower(\"a\")", Constant::Other("a function call")),
            ("a.b", Constant::Other("a reference")),
            ("1 + 1", Constant::Other("a calculation")),
        ];
        for (source, expected) in cases {
            let expression = hcl_edit::parser::parse_expr(source).unwrap();
            assert_eq!(evaluate(&expression), expected, "{source}");
        }
    }
}
