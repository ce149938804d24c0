//! Environment references inside settings: `$VAR` and `${VAR}` (facts/login 6.5).

use crate::config::Environment;

/// Replaces references by the variables' values, an unset variable by nothing. `~` is not special.
///
/// A lone `$` stays; `$$` and other one-character shell parameters vanish, as does a broken `${`.
pub(super) fn expand(text: &str, environment: &Environment) -> String {
    replaced(text, |name| environment.get(name).unwrap_or_default())
}

/// The same, but an unset variable is an error: its name.
pub(super) fn expand_strictly(text: &str, environment: &Environment) -> Result<String, String> {
    let mut unset = None;
    let expanded = replaced(text, |name| {
        environment.get(name).unwrap_or_else(|| {
            unset.get_or_insert_with(|| name.to_owned());
            ""
        })
    });
    match unset {
        Some(name) => Err(name),
        None => Ok(expanded),
    }
}

fn replaced<'v>(text: &str, mut value_of: impl FnMut(&str) -> &'v str) -> String {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        expanded.push_str(before);
        let (reference, remaining) = reference(after);
        match reference {
            Reference::Variable(name) => {
                expanded.push_str(value_of(name));
            }
            Reference::Broken => {}
            Reference::Dollar => expanded.push('$'),
        }
        rest = remaining;
    }
    expanded.push_str(rest);
    expanded
}

enum Reference<'t> {
    Variable(&'t str),
    Broken,
    Dollar,
}

/// What follows a `$`, and the text behind it.
fn reference(after: &str) -> (Reference<'_>, &str) {
    if let Some(inside) = after.strip_prefix('{') {
        return match inside.split_once('}') {
            Some(("", rest)) => (Reference::Broken, rest),
            Some((name, rest)) => (Reference::Variable(name), rest),
            None => (Reference::Broken, inside),
        };
    }
    if after.starts_with(|c: char| "*#$@!?-".contains(c) || c.is_ascii_digit()) {
        let (name, rest) = after.split_at(1);
        return (Reference::Variable(name), rest);
    }
    let end = after
        .find(|c: char| c != '_' && !c.is_ascii_alphanumeric())
        .unwrap_or(after.len());
    match after.split_at(end) {
        ("", rest) => (Reference::Dollar, rest),
        (name, rest) => (Reference::Variable(name), rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_variables_can_be_refused() {
        let environment: Environment = [("A".to_owned(), String::new())].into_iter().collect();
        assert_eq!(expand_strictly("x$A/y", &environment), Ok("x/y".to_owned()));
        let refused = expand_strictly("${A}$NOPE$OTHER", &environment);
        assert_eq!(refused, Err("NOPE".to_owned()));
    }

    #[test]
    fn references_are_replaced() {
        let environment: Environment = [
            ("HOME".to_owned(), "/h".to_owned()),
            ("A_1".to_owned(), "a".to_owned()),
        ]
        .into_iter()
        .collect();
        for (given, expected) in [
            ("$HOME/x", "/h/x"),
            ("${HOME}x$A_1", "/hxa"),
            ("$NOPE/x", "/x"),
            ("~/x", "~/x"),
            ("a$$b", "ab"),
            ("a$ b$", "a$ b$"),
            ("a${}b${c", "abc"),
        ] {
            assert_eq!(expand(given, &environment), expected, "{given}");
        }
    }
}
