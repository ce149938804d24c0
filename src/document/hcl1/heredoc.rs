//! Heredocs: `<<NAME` and `<<-NAME`.

/// Reads the heredoc at the start of `text`; its length in bytes and the text that it stands for.
///
/// The final line break belongs to the text (facts/login 6.2). With `<<-` the indentation of the closing
/// line is taken from every line, if every line has it.
pub(super) fn read(text: &str) -> Result<(usize, String), &'static str> {
    let Some(head) = text.strip_prefix("<<") else {
        return Err("`<` is not expected");
    };
    let (indented, head) = match head.strip_prefix('-') {
        Some(head) => (true, head),
        None => (false, head),
    };
    let Some(end_of_head) = head.find('\n') else {
        return Err("this heredoc is not closed");
    };
    let name = head[..end_of_head].trim_end_matches('\r');
    if name.is_empty() || !name.chars().all(|c| c == '_' || c.is_alphanumeric()) {
        return Err("a heredoc begins with `<<NAME` and a line break");
    }
    let content_start = text.len() - head.len() + end_of_head + 1;
    let content = &text[content_start..];
    let Some((lines, closing)) = split_at_closing_line(content, name) else {
        return Err("this heredoc is not closed");
    };
    let indentation = &closing[..closing.len() - closing.trim_start().len()];
    let consumed = lines.len() + indentation.len() + name.len();
    let value = if indented {
        dedent(lines, indentation)
    } else {
        format!("{lines}{indentation}")
    };
    Ok((content_start + consumed, value))
}

/// The lines before the closing line, with their line breaks, and the closing line.
fn split_at_closing_line<'t>(content: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let mut start = 0;
    for line in content.split_inclusive('\n') {
        if line.trim_start().trim_end_matches(['\n', '\r']) == name {
            return Some((&content[..start], line));
        }
        start += line.len();
    }
    None
}

fn dedent(lines: &str, indentation: &str) -> String {
    let every_line_has_it = lines
        .split_inclusive('\n')
        .all(|line| line.starts_with(indentation));
    if !every_line_has_it {
        return lines.to_owned();
    }
    lines
        .split_inclusive('\n')
        .map(|line| &line[indentation.len()..])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heredocs_keep_their_final_line_break() {
        for (given, expected) in [
            ("<<EOT\n/a\nEOT\n", "/a\n"),
            ("<<EOT\r\n/a\r\nEOT\r\n", "/a\r\n"),
            ("<<-EOT\n  a\n    b\n  EOT\n", "a\n  b\n"),
            ("<<-EOT\n a\n    b\n  EOT\n", " a\n    b\n"),
            ("<<EOT\nEOT", ""),
            ("<<EOT\nEOTX\nEOT", "EOTX\n"),
        ] {
            assert_eq!(
                read(given).map(|(_, text)| text).as_deref(),
                Ok(expected),
                "{given:?}"
            );
        }
    }

    #[test]
    fn text_after_the_closing_name_is_left_alone() {
        assert_eq!(read("<<E\na\nE\nx = 1").map(|(length, _)| length), Ok(7));
    }

    #[test]
    fn refuses_heredocs_that_do_not_close() {
        for given in ["<<EOT\na\n", "<<EOT", "<< EOT\nEOT\n", "<a", "<<\n\n"] {
            assert!(read(given).is_err(), "{given:?}");
        }
    }
}
