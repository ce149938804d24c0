//! Escapes inside quoted strings: Go's in the native flavour, JSON's in the other.

/// Whose escapes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    Go,
    Json,
}

/// The text that `raw`, the part between the quotes, stands for. In native syntax `${…}` is
/// copied as it is.
pub(super) fn unescape(raw: &str, escapes: Escapes) -> Result<String, String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(first) = rest.chars().next() {
        if escapes == Escapes::Go && rest.starts_with("${") {
            let end = interpolation_end(rest);
            text.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if first == '\\' {
            let (character, after) = one_escape(&rest[1..], escapes)?;
            text.push(character);
            rest = after;
        } else {
            text.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    Ok(text)
}

/// Where the `${…}` at the start of `text` ends; an unclosed one lasts to the end.
fn interpolation_end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

fn one_escape(after: &str, escapes: Escapes) -> Result<(char, &str), String> {
    let unknown = || Err("the string has an unknown escape".to_owned());
    let Some(kind) = after.chars().next() else {
        return unknown();
    };
    let rest = &after[kind.len_utf8()..];
    let plain = |character| Ok((character, rest));
    match (kind, escapes) {
        ('"' | '\\', _) => plain(kind),
        ('b', _) => plain('\u{8}'),
        ('f', _) => plain('\u{c}'),
        ('n', _) => plain('\n'),
        ('r', _) => plain('\r'),
        ('t', _) => plain('\t'),
        ('u', Escapes::Json) => utf16_escape(rest),
        ('a', Escapes::Go) => plain('\u{7}'),
        ('v', Escapes::Go) => plain('\u{b}'),
        ('u', Escapes::Go) => coded(rest, 4, 16),
        ('U', Escapes::Go) => coded(rest, 8, 16),
        ('x', Escapes::Go) => coded(rest, 2, 16),
        ('0'..='7', Escapes::Go) => coded(after, 3, 8),
        // The tools reject `\/` although JSON has it (facts/login 4.3).
        _ => unknown(),
    }
}

/// A code of exactly `digits` digits. One above 0x7F by `\x` or octal would be a raw byte in Go; the
/// tools' files have no use for half characters, so it is read as that code point.
fn coded(text: &str, digits: usize, radix: u32) -> Result<(char, &str), String> {
    let code = text
        .get(..digits)
        .filter(|code| code.chars().all(|digit| digit.is_digit(radix)))
        .and_then(|code| u32::from_str_radix(code, radix).ok())
        .and_then(char::from_u32);
    match code {
        Some(character) => Ok((character, &text[digits..])),
        None => Err("the string has an escape with a wrong code".to_owned()),
    }
}

/// JSON's `\uXXXX`, twice for a character beyond the basic plane.
fn utf16_escape(text: &str) -> Result<(char, &str), String> {
    let wrong = || "the string has an escape with a wrong code".to_owned();
    let unit = |text: &str| {
        text.get(..4)
            .filter(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|code| u16::from_str_radix(code, 16).ok())
    };
    let first = unit(text).ok_or_else(wrong)?;
    let rest = &text[4..];
    let second = rest.strip_prefix("\\u").and_then(unit);
    let mut decoded = char::decode_utf16([first].into_iter().chain(second));
    let character = decoded.next().and_then(Result::ok).ok_or_else(wrong)?;
    // Two units that make one character are both consumed; else the second is an escape of its own.
    let consumed = if character.len_utf16() == 2 { 6 } else { 0 };
    Ok((character, &rest[consumed..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_escapes() {
        for (raw, expected) in [
            (r#"a\"b\\c\u0041\x41\101"#, Some("a\"b\\cAAA")),
            (r"\U0001F600\t", Some("\u{1F600}\t")),
            (r"${a\nb}\n", Some("${a\\nb}\n")),
            (r"$HOME", Some("$HOME")),
            (r"\q", None),
            (r"\x4", None),
            (r"\uD800", None),
            (r"\8", None),
            ("\\", None),
        ] {
            assert_eq!(
                unescape(raw, Escapes::Go).ok().as_deref(),
                expected,
                "{raw}"
            );
        }
    }

    #[test]
    fn json_escapes() {
        for (raw, expected) in [
            (r"\u003c\ud83d\ude00", Some("<\u{1F600}")),
            (r"\u0041\u0042", Some("AB")),
            (r"\ud83d", None),
            (r"\ud83dx", None),
            (r"\/", None),
            (r"\x41", None),
            (r"a${b\n", Some("a${b\n")),
        ] {
            assert_eq!(
                unescape(raw, Escapes::Json).ok().as_deref(),
                expected,
                "{raw}"
            );
        }
    }
}
