//! Code cut into words and signs, and the paths that they form.

use super::code::code_of;

/// A word, `::`, or another single character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    /// Counted from 1.
    pub(super) line: usize,
}

/// The tokens of Rust `text`, comments and literals left out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let code = code_of(text);
    let mut tokens = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let (token, after) = rest.split_at(first_token(rest));
            tokens.push(Token {
                text: token.to_owned(),
                line: index + 1,
            });
            rest = after.trim_start();
        }
    }
    tokens
}

fn first_token(rest: &str) -> usize {
    let word = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    match word {
        0 if rest.starts_with("::") => 2,
        0 => rest.chars().next().map_or(0, char::len_utf8),
        word => word,
    }
}

/// Whether the text is a word rather than a sign.
pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// The text of the token at `at`, nothing behind the end.
pub(super) fn text_at(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| &token.text)
}

/// The text of the token before `at`, nothing before the beginning.
pub(super) fn text_before(tokens: &[Token], at: usize) -> &str {
    at.checked_sub(1)
        .map_or("", |before| text_at(tokens, before))
}

/// What follows the `::` at `colons`: one name, or the first names of a group, or `*`.
pub(super) fn names_after(tokens: &[Token], colons: usize) -> Vec<&Token> {
    let Some(first) = tokens.get(colons + 1) else {
        return Vec::new();
    };
    if first.text != "{" {
        return vec![first];
    }
    let mut names = Vec::new();
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(colons + 1) {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if depth == 1 && matches!(text_before(tokens, at), "{" | ",") => names.push(token),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// The places of words that a path begins with: `reqwest` in `use reqwest;` and `reqwest::get`, but
/// not in `self.reqwest()` or `error::reqwest`.
pub(super) fn path_roots(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    tokens
        .iter()
        .enumerate()
        .filter(|&(at, token)| is_word(&token.text) && is_root(tokens, at))
        .map(|(_, token)| token)
}

fn is_root(tokens: &[Token], at: usize) -> bool {
    match text_before(tokens, at) {
        "." => false,
        "::" => {
            let before = text_before(tokens, at - 1);
            before == "use" || !(is_word(before) || before == ">")
        }
        "use" | "crate" => true,
        _ => text_at(tokens, at + 1) == "::" || in_use_group(tokens, at),
    }
}

/// Whether the word stands first in a group directly behind `use`: `use {reqwest, url::Url};`.
fn in_use_group(tokens: &[Token], at: usize) -> bool {
    let open = tokens[..at]
        .iter()
        .rposition(|token| matches!(token.text.as_str(), "{" | "}" | ";"));
    open.is_some_and(|open| tokens[open].text == "{" && text_before(tokens, open) == "use")
        && matches!(text_before(tokens, at), "{" | ",")
}

/// The modules that `text` declares in files of their own.
pub(super) fn declared_modules(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let declared = tokens
        .windows(3)
        .filter(|three| three[0].text == "mod" && three[2].text == ";");
    declared.map(|three| three[1].text.clone()).collect()
}

#[test]
fn paths_begin_where_they_begin() {
    for (text, found) in [
        ("use zip;", true),
        ("use ::zip::Archive;", true),
        ("use {std::fs, zip};", true),
        ("zip::read(x)", true),
        ("fn f() -> zip\n    ::Archive {}", true),
        ("a.zip(b)", false),
        ("a.zip::<B>(b)", false),
        ("std::iter::zip(a, b)", false),
        ("use std::iter::{self, zip};", false),
        ("let zip = 1;", false),
    ] {
        assert_eq!(
            path_roots(&tokens(text)).any(|token| token.text == "zip"),
            found,
            "{text}"
        );
    }
}
