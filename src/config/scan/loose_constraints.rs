//! The grammar of version constraints for modules and for the tool itself (facts/modules 3.4).
//!
//! Looser than that for providers: `v1.2`, any number of segments, any blanks. Only the form is checked;
//! choosing versions by it is the business of module installation.

/// What a valid constraint is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// All its versions are releases.
    Releases,
    /// At least one of its versions is a prerelease.
    NamesPrerelease,
}

const OPERATORS: [&str; 7] = ["!=", ">=", "<=", "~>", "=", ">", "<"];

/// The form of `text`, a comma-separated list of terms; none if it is no constraint. An empty text or term
/// is none.
pub(super) fn form(text: &str) -> Option<Form> {
    let mut form = Form::Releases;
    for term in text.split(',') {
        if term_form(term.trim_ascii())? == Form::NamesPrerelease {
            form = Form::NamesPrerelease;
        }
    }
    Some(form)
}

fn term_form(term: &str) -> Option<Form> {
    let version = OPERATORS
        .iter()
        .find_map(|operator| term.strip_prefix(operator))
        .unwrap_or(term);
    let version = version.trim_ascii_start();
    let version = version.strip_prefix('v').unwrap_or(version);
    let (version, metadata) = match version.split_once('+') {
        Some((version, metadata)) => (version, Some(metadata)),
        None => (version, None),
    };
    if !metadata.is_none_or(is_dotted_words) {
        return None;
    }
    let prerelease = after_segments(version)?;
    if prerelease.is_empty() {
        return Some(Form::Releases);
    }
    is_prerelease(prerelease).then_some(Form::NamesPrerelease)
}

/// What follows the numbers `1.2.3…`; none if there is no number or one that is too large.
fn after_segments(version: &str) -> Option<&str> {
    let mut rest = version;
    loop {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        rest[..end].parse::<i64>().ok()?;
        rest = &rest[end..];
        match rest.strip_prefix('.') {
            Some(next) if next.starts_with(|c: char| c.is_ascii_digit()) => rest = next,
            _ => return Some(rest),
        }
    }
}

/// `-beta.1`, `-1`, and also `beta` without its dash.
fn is_prerelease(text: &str) -> bool {
    match text.strip_prefix('-') {
        Some(words) => is_dotted_words(words),
        None => !text.starts_with(|c: char| c.is_ascii_digit()) && is_dotted_words(text),
    }
}

fn is_dotted_words(text: &str) -> bool {
    let is_word_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'~');
    text.split('.')
        .all(|word| !word.is_empty() && word.bytes().all(is_word_byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_that_of_modules() {
        use Form::{NamesPrerelease, Releases};
        for (text, expected) in [
            ("1", Some(Releases)),
            ("v1.2.3.4", Some(Releases)),
            ("  >=1.0 ,\t<  2  ", Some(Releases)),
            ("~> 1.0+meta.1", Some(Releases)),
            ("1.0.0-beta.1", Some(NamesPrerelease)),
            ("1.0beta", Some(NamesPrerelease)),
            (">= 1, < 2.0-rc", Some(NamesPrerelease)),
            ("", None),
            ("1,", None),
            ("latest", None),
            ("^1", None),
            ("1.*", None),
            ("1.", None),
            ("> = 1", None),
            (">= 1 < 2", None),
            ("1.0-", None),
            ("1.0+", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(form(text), expected, "{text:?}");
        }
    }
}
