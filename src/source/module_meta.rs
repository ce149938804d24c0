//! The `terraform-get` element of a page: `<meta name="terraform-get" content="…">` before its body
//! (facts/modules 2.5).

/// The value of the first such element. Names of elements and attributes are compared without case; nothing
/// behind `<body>` or `</head>` counts.
pub(super) fn meta_location(page: &[u8]) -> Option<String> {
    let page = String::from_utf8_lossy(page);
    let mut rest = page.as_ref();
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = &comment[comment.find("-->")?..];
            continue;
        }
        let end = tag_end(rest)?;
        let (tag, behind) = rest.split_at(end);
        rest = behind;
        let name = tag
            .split([' ', '\t', '\r', '\n', '/'])
            .next()
            .unwrap_or_default();
        if name.eq_ignore_ascii_case("body") || is_end_of_head(tag) {
            return None;
        }
        let attributes = || attributes(tag.get(name.len()..).unwrap_or_default());
        if name.eq_ignore_ascii_case("meta") && attribute(attributes(), "name") == "terraform-get" {
            return Some(attribute(attributes(), "content")).filter(|value| !value.is_empty());
        }
    }
    None
}

fn is_end_of_head(tag: &str) -> bool {
    let name = tag.strip_prefix('/').map(str::trim);
    name.is_some_and(|name| name.eq_ignore_ascii_case("head"))
}

/// Where a tag ends, quoted values skipped.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(at, c)| match (quote, c) {
        (None, '>') => Some(at),
        (None, '"' | '\'') => {
            quote = Some(c);
            None
        }
        (Some(open), c) if c == open => {
            quote = None;
            None
        }
        _ => None,
    })
}

fn attribute(mut attributes: impl Iterator<Item = (String, String)>, name: &str) -> String {
    let found = attributes.find(|(key, _)| key.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value).unwrap_or_default()
}

fn attributes(mut text: &str) -> impl Iterator<Item = (String, String)> {
    std::iter::from_fn(move || {
        text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        let end = text
            .find(|c: char| c.is_whitespace() || c == '=')
            .unwrap_or(text.len());
        if text.is_empty() {
            return None;
        }
        let (key, rest) = text.split_at(end);
        let Some(value) = rest.trim_start().strip_prefix('=') else {
            text = rest
                .get(usize::from(rest.starts_with('='))..)
                .unwrap_or_default();
            return Some((key.to_owned(), String::new()));
        };
        let value = value.trim_start();
        let (value, rest) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            _ => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        text = rest;
        Some((key.to_owned(), unescaped(value)))
    })
}

/// The few entities that URLs are written with.
fn unescaped(text: &str) -> String {
    text.replace("&quot;", "\"")
        .replace("&#34;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_head_counts() {
        for (page, expected) in [
            (
                "<html><head><META Name='terraform-get' CONTENT=\"http://h/a.zip?x=1&amp;y\"></head>",
                Some("http://h/a.zip?x=1&y"),
            ),
            (
                "<meta name=terraform-get content=http://h/a >",
                Some("http://h/a"),
            ),
            (
                "<meta charset=\"utf-8\"/><meta content='x' name='terraform-get'/>",
                Some("x"),
            ),
            (
                "<head></head><meta name=\"terraform-get\" content=\"x\">",
                None,
            ),
            ("<body><meta name=\"terraform-get\" content=\"x\">", None),
            (
                "<!-- <meta name=\"terraform-get\" content=\"x\"> --><head>",
                None,
            ),
            ("<meta name=\"terraform-get\">", None),
            ("PK\u{3}\u{4}", None),
            ("<meta name=\"terraform-get\" content=\"x", None),
            ("<meta = = >", None),
        ] {
            assert_eq!(
                meta_location(page.as_bytes()).as_deref(),
                expected,
                "{page}"
            );
        }
    }
}
