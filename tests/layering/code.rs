//! Rust text without its comments and without what stands inside literals.

/// `text` with comments and literals blanked out; every line keeps its number.
pub(super) fn code_of(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = end_of_silence(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
        } else {
            code.extend(
                chars[at..end]
                    .iter()
                    .map(|&c| if c == '\n' { '\n' } else { ' ' }),
            );
            at = end;
        }
    }
    code
}

/// The end of the comment or literal that begins at `at`; `at` itself if none does.
fn end_of_silence(chars: &[char], at: usize) -> usize {
    let rest = &chars[at..];
    let length = match rest {
        ['/', '/', ..] => rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
        ['/', '*', ..] => block_comment(rest),
        ['"', ..] => quoted(rest),
        ['\'', '\\', ..] | ['\'', _, '\'', ..] => character(rest),
        ['r', ..] | ['b' | 'c', 'r', ..] if !follows_word(chars, at) => raw_string(rest),
        _ => 0,
    };
    at + length
}

/// Comments nest.
fn block_comment(rest: &[char]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at + 1 < rest.len() {
        match (rest[at], rest[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn quoted(rest: &[char]) -> usize {
    closing(rest, '"')
}

fn character(rest: &[char]) -> usize {
    // The first character may be the quote itself only behind a backslash.
    closing(rest, '\'')
}

/// The length up to and with the next `quote` that no backslash precedes.
fn closing(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// `r"…"`, `r#"…"#` and the like with a `b` or `c` before; 0 if it is a word such as `r#type`.
fn raw_string(rest: &[char]) -> usize {
    let prefix = rest
        .iter()
        .take_while(|c| matches!(c, 'b' | 'c' | 'r'))
        .count();
    let hashes = rest[prefix..].iter().take_while(|&&c| c == '#').count();
    let open = prefix + hashes;
    if rest.get(open) != Some(&'"') {
        return 0;
    }
    let is_end = |at: usize| {
        rest[at] == '"'
            && rest[at + 1..]
                .iter()
                .take(hashes)
                .filter(|&&c| c == '#')
                .count()
                == hashes
    };
    (open + 1..rest.len())
        .find(|&at| is_end(at))
        .map_or(rest.len(), |at| at + 1 + hashes)
}

fn follows_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

#[test]
fn comments_and_literals_are_blank() {
    for (text, code) in [
        ("a // b\nc", "a     \nc"),
        ("a /* b /* c */ d */ e", "a                   e"),
        (r#"f("x\"y", z)"#, "f(      , z)"),
        (r##"f(r#"x"y"#, z)"##, "f(        , z)"),
        ("f(br\"x\\\", z)", "f(      , z)"),
        ("f('\"', '\\'', b'x')", "f(   ,     , b   )"),
        ("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)"),
        ("r#type bar\"x\"", "r#type bar   "),
        ("\"a\nb\" c", "  \n   c"),
    ] {
        assert_eq!(code_of(text), code, "{text}");
    }
}
