//! From tokens to the tree: native HCL 1, and the door for both flavours.

use super::json;
use super::lexer::{Flavour, Lexer, Token};
use super::syntax_error::SyntaxError;
use super::tree::{Body, Item, Key, Position, Value, ValueKind};

/// The largest text that is read, in bytes. Real files have a few hundred.
pub const MAX_BYTES: u64 = 4 << 20;

/// The deepest nesting of objects and lists that is read.
pub const MAX_DEPTH: usize = 64;

/// Reads a text in either flavour: JSON when its first non-blank character is `{` (facts/login 6.2).
///
/// # Errors
///
/// Returns the first syntax error.
pub fn parse(bytes: &[u8]) -> Result<Body, SyntaxError> {
    let start = Position { line: 1, column: 1 };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(SyntaxError::new(
            start,
            format!("the file has more than {MAX_BYTES} bytes"),
        ));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let position = position_after(&bytes[..error.valid_up_to()]);
            return Err(SyntaxError::new(position, "the file is not UTF-8 text"));
        }
    };
    if text.trim_start().starts_with('{') {
        return json::parse(text);
    }
    Parser::new(text, Flavour::Native)?.file()
}

fn position_after(valid: &[u8]) -> Position {
    let text = String::from_utf8_lossy(valid);
    let last_line = text.rsplit('\n').next().unwrap_or_default();
    Position {
        line: text.matches('\n').count() + 1,
        column: last_line.chars().count() + 1,
    }
}

/// A reader one token ahead.
pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    pub(super) token: Token,
    pub(super) position: Position,
    depth: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, flavour: Flavour) -> Result<Self, SyntaxError> {
        let mut lexer = Lexer::new(text, flavour);
        let (token, position) = lexer.next()?;
        Ok(Self {
            lexer,
            token,
            position,
            depth: 0,
        })
    }

    /// Moves on and returns the token left behind.
    pub(super) fn advance(&mut self) -> Result<Token, SyntaxError> {
        let (token, position) = self.lexer.next()?;
        self.position = position;
        Ok(std::mem::replace(&mut self.token, token))
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T, SyntaxError> {
        let message = format!("expected {what}, found {}", self.token.name());
        Err(SyntaxError::new(self.position, message))
    }

    /// Goes one level down for the time of `inner`.
    pub(super) fn nested<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        if self.depth == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} levels of nesting");
            return Err(SyntaxError::new(self.position, message));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Whether the object or list being read is in no other.
    pub(super) fn is_outermost(&self) -> bool {
        self.depth <= 1
    }

    fn file(&mut self) -> Result<Body, SyntaxError> {
        let body = self.items()?;
        if self.token == Token::End {
            Ok(body)
        } else {
            self.expected("a setting or block")
        }
    }

    /// Items up to the end or a closing brace; commas between them are optional.
    fn items(&mut self) -> Result<Body, SyntaxError> {
        let mut body = Body::default();
        while !matches!(self.token, Token::End | Token::CloseBrace) {
            body.items.extend(self.item()?);
            if self.token == Token::Comma {
                self.advance()?;
            }
        }
        Ok(body)
    }

    /// One item; none for `key =` at the end of the file, which the tools let pass (facts/login 6.4).
    fn item(&mut self) -> Result<Option<Item>, SyntaxError> {
        let keys = self.keys()?;
        let assigned = self.token == Token::Assign;
        if assigned {
            if keys.len() > 1 {
                return self.expected("`{` after a label");
            }
            self.advance()?;
            if self.token == Token::End {
                return Ok(None);
            }
        } else if self.token != Token::OpenBrace {
            return self.expected("`=` or `{`");
        }
        let value = self.value()?;
        Ok(Some(Item {
            keys,
            value,
            assigned,
        }))
    }

    fn keys(&mut self) -> Result<Vec<Key>, SyntaxError> {
        let mut keys = Vec::new();
        loop {
            let position = self.position;
            let text = match &self.token {
                Token::Word(text) | Token::Text(text) => text.clone(),
                // The words of booleans may be names, too.
                Token::Bool(value) => value.to_string(),
                Token::End
                | Token::Number(_)
                | Token::Null
                | Token::Assign
                | Token::Colon
                | Token::Comma
                | Token::OpenBrace
                | Token::CloseBrace
                | Token::OpenBracket
                | Token::CloseBracket => break,
            };
            self.advance()?;
            keys.push(Key { text, position });
        }
        if keys.is_empty() {
            self.expected("a name")
        } else {
            Ok(keys)
        }
    }

    fn value(&mut self) -> Result<Value, SyntaxError> {
        let position = self.position;
        let kind = match self.token {
            Token::OpenBrace => self.nested(Self::object)?,
            Token::OpenBracket => self.nested(Self::list)?,
            Token::Text(_) | Token::Number(_) | Token::Bool(_) => self.scalar()?,
            Token::End
            | Token::Word(_)
            | Token::Null
            | Token::Assign
            | Token::Colon
            | Token::Comma
            | Token::CloseBrace
            | Token::CloseBracket => return self.expected("a value"),
        };
        Ok(Value { kind, position })
    }

    /// A string, number, boolean or null.
    pub(super) fn scalar(&mut self) -> Result<ValueKind, SyntaxError> {
        let kind = match &self.token {
            Token::Text(text) => ValueKind::Text(text.clone()),
            Token::Number(text) => ValueKind::Number(text.clone()),
            Token::Bool(value) => ValueKind::Bool(*value),
            Token::Null => ValueKind::Null,
            Token::End
            | Token::Word(_)
            | Token::Assign
            | Token::Colon
            | Token::Comma
            | Token::OpenBrace
            | Token::CloseBrace
            | Token::OpenBracket
            | Token::CloseBracket => return self.expected("a value"),
        };
        self.advance()?;
        Ok(kind)
    }

    fn object(&mut self) -> Result<ValueKind, SyntaxError> {
        self.advance()?;
        let body = self.items()?;
        if self.token != Token::CloseBrace {
            return self.expected("`}`");
        }
        self.advance()?;
        Ok(ValueKind::Object(body))
    }

    fn list(&mut self) -> Result<ValueKind, SyntaxError> {
        self.advance()?;
        let mut values = Vec::new();
        while self.token != Token::CloseBracket {
            values.push(self.value()?);
            if self.token == Token::Comma {
                self.advance()?;
            } else if self.token != Token::CloseBracket {
                return self.expected("`,` or `]`");
            }
        }
        self.advance()?;
        Ok(ValueKind::List(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a tree down in one line, to compare it.
    fn shown(body: &Body) -> String {
        let item = |item: &Item| {
            let keys: Vec<&str> = item.keys.iter().map(|key| key.text.as_str()).collect();
            format!("{}={}", keys.join("/"), shown_value(&item.value))
        };
        body.items.iter().map(item).collect::<Vec<_>>().join(" ")
    }

    fn shown_value(value: &Value) -> String {
        match &value.kind {
            ValueKind::Null => "null".to_owned(),
            ValueKind::Bool(value) => value.to_string(),
            ValueKind::Number(text) => text.clone(),
            ValueKind::Text(text) => format!("{text:?}"),
            ValueKind::List(values) => {
                format!(
                    "[{}]",
                    values.iter().map(shown_value).collect::<Vec<_>>().join(" ")
                )
            }
            ValueKind::Object(body) => format!("{{{}}}", shown(body)),
        }
    }

    #[test]
    fn both_flavours_give_a_tree() {
        for (given, expected) in [
            ("", ""),
            ("a = 1\nb = \"x\"", "a=1 b=\"x\""),
            ("host \"h\" { services = {} }", "host/h={services={}}"),
            ("a { b = [1, true, \"x\",] }", "a={b=[1 true \"x\"]}"),
            ("\"a\" { \"k.v1\" = \"x\", l = 2 }", "a={k.v1=\"x\" l=2}"),
            ("a = \n", ""),
            ("a = [{b = 1}, [2]]", "a=[{b=1} [2]]"),
            ("{\"a\": {\"b\": null}, \"a\": [1,],}", "a={b=null} a=[1]"),
            ("\n {} x", ""),
            ("{} '", ""),
        ] {
            assert_eq!(
                parse(given.as_bytes()).map(|body| shown(&body)).as_deref(),
                Ok(expected),
                "{given}"
            );
        }
    }

    #[test]
    fn syntax_errors_say_where() {
        for (given, line, column) in [
            ("a = b", 1, 5),
            ("a \"b\" = {}", 1, 7),
            ("a \"b\" {\n", 2, 1),
            ("a = [1 2]", 1, 8),
            ("a\n", 2, 1),
            ("}", 1, 1),
            ("= 1", 1, 1),
            ("[1]", 1, 1),
            ("{\"a\" 1}", 1, 6),
            ("{\"a\":1 /* x */}", 1, 8),
            ("{\"a\":{}", 1, 8),
            ("{,}", 1, 2),
        ] {
            let error = parse(given.as_bytes()).unwrap_err();
            assert_eq!(
                error.position,
                Position { line, column },
                "{given:?}: {error}"
            );
        }
    }

    #[test]
    fn refuses_nesting_that_would_exhaust_the_stack() {
        for (open, inner) in [("a {", ""), ("a = [", "["), ("{\"a\":", "[")] {
            let hostile = format!(
                "{open}{}",
                if inner.is_empty() { open } else { inner }.repeat(100_000)
            );
            let error = parse(hostile.as_bytes()).unwrap_err();
            assert!(error.message.contains("nesting"), "{open}: {error}");
        }
        let deep = format!("a = {}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        assert!(parse(deep.as_bytes()).is_ok());
    }

    #[test]
    fn refuses_a_file_that_is_too_large() {
        let large = vec![b' '; usize::try_from(MAX_BYTES).unwrap() + 1];
        assert!(parse(&large).is_err());
    }

    #[test]
    fn refuses_bytes_that_are_no_text() {
        let error = parse(b"a = 1\nb = \"\xe9\"").unwrap_err();
        assert_eq!(error.position, Position { line: 2, column: 6 });
        for given in ["\u{feff}a = 1", "a = 1\0", "{\"a\": \"\\ud800\"}"] {
            assert!(parse(given.as_bytes()).is_err(), "{given:?}");
        }
    }

    #[test]
    fn refuses_text_that_ends_too_early() {
        for given in [
            "a = \"x",
            "a = <<E\nx",
            "/* a",
            "a {",
            "a = [",
            "{\"a\"",
            "{\"a\":\"b",
        ] {
            assert!(parse(given.as_bytes()).is_err(), "{given:?}");
        }
    }
}
