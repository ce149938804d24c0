//! The JSON flavour, as laxly as the tools read it: trailing commas and trailing text pass
//! (facts/login 6.4), comments and bare words do not. An own reader, since strict ones refuse those.

use super::lexer::{Flavour, Token};
use super::parser::Parser;
use super::syntax_error::SyntaxError;
use super::tree::{Body, Item, Key, Value, ValueKind};

/// Reads a text whose first non-blank character is `{`. What follows its closing brace is not looked at.
pub(super) fn parse(text: &str) -> Result<Body, SyntaxError> {
    let mut parser = Parser::new(text, Flavour::Json)?;
    match value(&mut parser)?.kind {
        ValueKind::Object(body) => Ok(body),
        ValueKind::Null
        | ValueKind::Bool(_)
        | ValueKind::Number(_)
        | ValueKind::Text(_)
        | ValueKind::List(_) => parser.expected("an object"),
    }
}

fn value(parser: &mut Parser<'_>) -> Result<Value, SyntaxError> {
    let position = parser.position;
    let kind = if parser.token == Token::OpenBrace {
        parser.nested(object)?
    } else if parser.token == Token::OpenBracket {
        parser.nested(list)?
    } else {
        parser.scalar()?
    };
    Ok(Value { kind, position })
}

fn object(parser: &mut Parser<'_>) -> Result<ValueKind, SyntaxError> {
    let mut body = Body::default();
    parser.advance()?;
    while parser.token != Token::CloseBrace {
        let position = parser.position;
        let Token::Text(text) = parser.token.clone() else {
            return parser.expected("a key in quotes");
        };
        parser.advance()?;
        if parser.token != Token::Colon {
            return parser.expected("`:`");
        }
        parser.advance()?;
        let value = value(parser)?;
        body.items.push(Item {
            keys: vec![Key { text, position }],
            value,
            assigned: true,
        });
        separator(parser, &Token::CloseBrace)?;
    }
    close(parser)?;
    Ok(ValueKind::Object(body))
}

fn list(parser: &mut Parser<'_>) -> Result<ValueKind, SyntaxError> {
    let mut values = Vec::new();
    parser.advance()?;
    while parser.token != Token::CloseBracket {
        values.push(value(parser)?);
        separator(parser, &Token::CloseBracket)?;
    }
    close(parser)?;
    Ok(ValueKind::List(values))
}

fn separator(parser: &mut Parser<'_>, closing: &Token) -> Result<(), SyntaxError> {
    if parser.token == Token::Comma {
        parser.advance()?;
    } else if parser.token != *closing {
        return parser.expected(&format!("`,` or {}", closing.name()));
    }
    Ok(())
}

/// Leaves the closing bracket. At the outermost one the text behind it need not be JSON at all.
fn close(parser: &mut Parser<'_>) -> Result<(), SyntaxError> {
    if parser.is_outermost() {
        return Ok(());
    }
    parser.advance().map(drop)
}
