//! Places in a text: lines and columns of offsets, and where a merge was not resolved.

/// Gives each item the line and column of its offset, both from 1, columns in characters; offsets ascend. One pass
/// over the text, so that a file made of problems takes no more.
pub(super) fn with_places<T>(text: &str, items: Vec<(usize, T)>) -> Vec<(usize, usize, T)> {
    let (mut line, mut column, mut reached) = (1, 1, 0);
    let mut placed = Vec::with_capacity(items.len());
    for (offset, item) in items {
        for c in text.get(reached..offset).unwrap_or_default().chars() {
            (line, column) = if c == '\n' {
                (line + 1, 1)
            } else {
                (line, column + 1)
            };
        }
        reached = offset;
        placed.push((line, column, item));
    }
    placed
}

/// The line, from 1, of the first marker that `git` leaves where it could not merge.
pub(super) fn conflict_line(text: &str) -> Option<usize> {
    let is_marker = |line: &str| line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>");
    Some(text.lines().position(is_marker)? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns() {
        let items = vec![(0, 'a'), (2, 'b'), (4, 'c'), (4, 'd')];
        let expected = [(1, 1, 'a'), (2, 1, 'b'), (2, 2, 'c'), (2, 2, 'd')];
        assert_eq!(with_places("a\né=b\n", items), expected);
        assert_eq!(with_places("", vec![(0, ())]), [(1, 1, ())]);
    }

    #[test]
    fn conflict_markers_are_found() {
        assert_eq!(conflict_line("a\n<<<<<<< HEAD\n"), Some(2));
        assert_eq!(conflict_line("a\n <<<<<<<\n======="), None);
    }
}
