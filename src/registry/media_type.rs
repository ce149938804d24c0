//! The media type of a `Content-Type` header, read as strictly as the tools read it
//! (facts/providers 1.8).

/// The media type in `value`, without its parameters; `None` if the header is malformed.
pub(super) fn media_type(value: &str) -> Option<&str> {
    let (media_type, parameters) = value.split_once(';').unwrap_or((value, ""));
    are_parameters(parameters).then(|| media_type.trim())
}

/// Whether `text`, which follows a semicolon, is a list of `name=value`; it may be empty.
fn are_parameters(mut text: &str) -> bool {
    loop {
        text = text.trim_start();
        if text.is_empty() {
            return true;
        }
        let Some(rest) = after_parameter(text) else {
            return false;
        };
        let rest = rest.trim_start();
        match rest.strip_prefix(';') {
            Some(next) => text = next,
            None => return rest.is_empty(),
        }
    }
}

/// What follows the parameter that `text` begins with.
fn after_parameter(text: &str) -> Option<&str> {
    let value = after_token(text)?.trim_start().strip_prefix('=')?;
    let value = value.trim_start();
    match value.strip_prefix('"') {
        Some(quoted) => after_quoted(quoted),
        None => after_token(value),
    }
}

fn after_token(text: &str) -> Option<&str> {
    let is_token = |c: char| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?=".contains(c);
    let rest = text.trim_start_matches(is_token);
    (rest.len() < text.len()).then_some(rest)
}

fn after_quoted(text: &str) -> Option<&str> {
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some(&text[at + 1..]),
            '\\' => {
                characters.next()?;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_must_parse_and_do_not_count() {
        for (value, expected) in [
            ("application/json", Some("application/json")),
            ("application/json;", Some("application/json")),
            (" text/html ; charset = utf-8 ", Some("text/html")),
            ("a/b; c=\"d;\\\"e\"; f=g", Some("a/b")),
            ("a/b; ;;x", None),
            ("a/b; x", None),
            ("a/b; c=", None),
            ("a/b; c=\"d", None),
            ("a/b; c=d e", None),
        ] {
            assert_eq!(media_type(value), expected, "{value}");
        }
    }
}
