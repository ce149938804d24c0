//! Tokens of HCL 1 and of its JSON flavour.

use super::escape::{Escapes, unescape};
use super::heredoc;
use super::syntax_error::SyntaxError;
use super::tree::Position;

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    End,
    Word(String),
    Text(String),
    Number(String),
    Bool(bool),
    Null,
    Assign,
    Colon,
    Comma,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
}

impl Token {
    /// The token for messages. Words and values are not shown: a broken file may show a secret there.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::End => "the end of the file",
            Self::Word(_) => "a word",
            Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::Bool(_) => "a boolean",
            Self::Null => "`null`",
            Self::Assign => "`=`",
            Self::Colon => "`:`",
            Self::Comma => "`,`",
            Self::OpenBrace => "`{`",
            Self::CloseBrace => "`}`",
            Self::OpenBracket => "`[`",
            Self::CloseBracket => "`]`",
        }
    }
}

/// Which of the two flavours is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavour {
    Native,
    Json,
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'t> {
    rest: &'t str,
    position: Position,
    flavour: Flavour,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, flavour: Flavour) -> Self {
        Self {
            rest: text,
            position: Position { line: 1, column: 1 },
            flavour,
        }
    }

    /// The next token and where it begins; comments and blanks before it are skipped.
    pub(super) fn next(&mut self) -> Result<(Token, Position), SyntaxError> {
        self.skip_blanks()?;
        let start = self.position;
        let Some(first) = self.peek() else {
            return Ok((Token::End, start));
        };
        let token = match first {
            '"' => self.quoted()?,
            '<' if self.flavour == Flavour::Native => self.heredoc()?,
            '=' if self.flavour == Flavour::Native => self.single(Token::Assign),
            ':' if self.flavour == Flavour::Json => self.single(Token::Colon),
            ',' => self.single(Token::Comma),
            '{' => self.single(Token::OpenBrace),
            '}' => self.single(Token::CloseBrace),
            '[' => self.single(Token::OpenBracket),
            ']' => self.single(Token::CloseBracket),
            '-' | '.' | '0'..='9' => self.number()?,
            letter if letter == '_' || letter.is_alphabetic() => self.word()?,
            other => return Err(SyntaxError::new(start, unexpected(other))),
        };
        Ok((token, start))
    }

    fn single(&mut self, token: Token) -> Token {
        self.bump();
        token
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.rest = &self.rest[next.len_utf8()..];
        if next == '\n' {
            self.position = Position {
                line: self.position.line + 1,
                column: 1,
            };
        } else {
            self.position.column += 1;
        }
        Some(next)
    }

    /// Moves over `count` bytes, which end at a character boundary, and returns them.
    fn take(&mut self, count: usize) -> &'t str {
        let (taken, _) = self.rest.split_at(count);
        for _ in taken.chars() {
            self.bump();
        }
        taken
    }

    fn skip_blanks(&mut self) -> Result<(), SyntaxError> {
        loop {
            let blanks =
                self.rest.len() - self.rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
            self.take(blanks);
            if self.flavour == Flavour::Json || !self.skip_comment()? {
                return Ok(());
            }
        }
    }

    fn skip_comment(&mut self) -> Result<bool, SyntaxError> {
        if self.rest.starts_with('#') || self.rest.starts_with("//") {
            self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            return Ok(true);
        }
        if !self.rest.starts_with("/*") {
            return Ok(false);
        }
        let Some(end) = self.rest[2..].find("*/") else {
            return Err(SyntaxError::new(
                self.position,
                "this comment is not closed",
            ));
        };
        self.take(end + 4);
        Ok(true)
    }

    fn word(&mut self) -> Result<Token, SyntaxError> {
        let continues = |c: char| c == '_' || c == '-' || c == '.' || c.is_alphanumeric();
        let start = self.position;
        let end = self.rest.find(|c| !continues(c)).unwrap_or(self.rest.len());
        let word = self.take(end);
        match (word, self.flavour) {
            ("true", _) => Ok(Token::Bool(true)),
            ("false", _) => Ok(Token::Bool(false)),
            ("null", Flavour::Json) => Ok(Token::Null),
            (_, Flavour::Json) => Err(SyntaxError::new(
                start,
                "a word without quotes is no JSON value",
            )),
            (word, Flavour::Native) => Ok(Token::Word(word.to_owned())),
        }
    }

    fn number(&mut self) -> Result<Token, SyntaxError> {
        let start = self.position;
        let mut previous = '\0';
        let end = self
            .rest
            .find(|c: char| {
                let sign = matches!(c, '+' | '-');
                let belongs = if sign {
                    matches!(previous, '\0' | 'e' | 'E')
                } else {
                    c == '.' || c.is_ascii_alphanumeric()
                };
                previous = c;
                !belongs
            })
            .unwrap_or(self.rest.len());
        let text = self.take(end);
        if is_number(text, self.flavour) {
            Ok(Token::Number(text.to_owned()))
        } else {
            Err(SyntaxError::new(start, "this is no number"))
        }
    }

    fn quoted(&mut self) -> Result<Token, SyntaxError> {
        let start = self.position;
        let Some(length) = quoted_length(self.rest, self.flavour) else {
            return Err(SyntaxError::new(
                start,
                "this string is not closed on its line",
            ));
        };
        let raw = self.take(length);
        let escapes = match self.flavour {
            Flavour::Native => Escapes::Go,
            Flavour::Json => Escapes::Json,
        };
        unescape(&raw[1..length - 1], escapes)
            .map(Token::Text)
            .map_err(|message| SyntaxError::new(start, message))
    }

    fn heredoc(&mut self) -> Result<Token, SyntaxError> {
        match heredoc::read(self.rest) {
            Ok((length, text)) => {
                self.take(length);
                Ok(Token::Text(text))
            }
            Err(message) => Err(SyntaxError::new(self.position, message)),
        }
    }
}

fn unexpected(found: char) -> String {
    match found {
        '\u{feff}' => "a byte order mark is not allowed".to_owned(),
        '\'' => "strings are written in double quotes".to_owned(),
        control if control.is_control() => {
            format!(
                "the control character U+{:04X} is not allowed",
                u32::from(control)
            )
        }
        other => format!("`{other}` is not expected"),
    }
}

/// The length of the quoted string at the start of `text`, with both quotes. In native syntax quotes and
/// line breaks inside `${…}` do not end it.
fn quoted_length(text: &str, flavour: Flavour) -> Option<usize> {
    let mut braces = 0_usize;
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '\n' if braces == 0 => return None,
            '"' if braces == 0 => return Some(at + 1),
            '$' if braces == 0
                && flavour == Flavour::Native
                && characters.next_if(|(_, next)| *next == '{').is_some() =>
            {
                braces = 1;
            }
            '{' if braces > 0 => braces += 1,
            '}' if braces > 0 => braces -= 1,
            '\\' => {
                characters.next_if(|(_, next)| *next != '\n');
            }
            _ => {}
        }
    }
    None
}

fn is_number(text: &str, flavour: Flavour) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if let Some(hex) = unsigned
        .strip_prefix("0x")
        .or_else(|| unsigned.strip_prefix("0X"))
    {
        return flavour == Flavour::Native
            && !hex.is_empty()
            && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    if flavour == Flavour::Json {
        // JSON integers must fit 64 bits: beyond, the tools reject the whole file (facts/login 4.3).
        let integer = !unsigned.contains(['.', 'e', 'E']);
        return if integer {
            text.parse::<i64>().is_ok()
        } else {
            text.parse::<f64>().is_ok()
        };
    }
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str, flavour: Flavour) -> Result<Vec<Token>, SyntaxError> {
        let mut lexer = Lexer::new(text, flavour);
        let mut tokens = Vec::new();
        loop {
            let (token, _) = lexer.next()?;
            if token == Token::End {
                return Ok(tokens);
            }
            tokens.push(token);
        }
    }

    #[test]
    fn words_numbers_and_strings_are_told_apart() {
        let word = |text: &str| Token::Word(text.to_owned());
        let number = |text: &str| Token::Number(text.to_owned());
        let text = |text: &str| Token::Text(text.to_owned());
        for (given, expected) in [
            ("a-b.c é", vec![word("a-b.c"), word("é")]),
            (
                "1 -2.5 1e-3 0x1F .5",
                ["1", "-2.5", "1e-3", "0x1F", ".5"].map(number).to_vec(),
            ),
            (
                "\"${\"a\"}\" true",
                vec![text("${\"a\"}"), Token::Bool(true)],
            ),
            (
                "# c\n// d\n/* e\n */ {}",
                vec![Token::OpenBrace, Token::CloseBrace],
            ),
        ] {
            assert_eq!(tokens(given, Flavour::Native), Ok(expected), "{given}");
        }
    }

    #[test]
    fn refuses_what_is_no_token_and_says_where() {
        for (given, line, column) in [
            ("a\n  'x'", 2, 3),
            ("\u{feff}a", 1, 1),
            ("é \0", 1, 3),
            ("\"abc\n\"", 1, 1),
            ("/* x", 1, 1),
            ("1x", 1, 1),
            ("\"a\\qb\"", 1, 1),
        ] {
            let error = tokens(given, Flavour::Native).unwrap_err();
            assert_eq!(error.position, Position { line, column }, "{given:?}");
        }
    }

    #[test]
    fn json_integers_must_fit_64_bits() {
        assert!(tokens("9223372036854775807 -1 1e99", Flavour::Json).is_ok());
        assert!(tokens("9223372036854775808", Flavour::Json).is_err());
    }

    #[test]
    fn messages_show_no_value_of_the_file() {
        let error = tokens("{\"t\": hunter2}", Flavour::Json).unwrap_err();
        assert!(!error.message.contains("hunter2"), "{error}");
    }
}
