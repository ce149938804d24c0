//! A comma after the last member: the most frequent mistake in discovery documents, since the protocol's own
//! example has one (facts/login 1).

/// The line of a comma that only white space parts from the end of its object or list, if that is what makes
/// `document` no JSON; `line` and `column` are those of the parser's error.
pub(super) fn trailing_comma(document: &[u8], line: usize, column: usize) -> Option<usize> {
    let mut lines = document.split_inclusive(|&byte| byte == b'\n');
    let before: usize = lines
        .by_ref()
        .take(line.checked_sub(1)?)
        .map(<[u8]>::len)
        .sum();
    // The parser's column is that of the last byte read, counted from 1.
    let at = (before + column).checked_sub(1)?;
    let closing = document.get(at)?;
    if !matches!(closing, b'}' | b']') {
        return None;
    }
    let text = document[..at].trim_ascii_end();
    let comma = text.len().checked_sub(1)?;
    (text[comma] == b',').then(|| text.split(|&byte| byte == b'\n').count())
}
