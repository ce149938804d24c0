//! Plain tables: columns padded to their widest cell, no lines, readable without colour.

/// The most characters of a cell; the JSON report has all of them.
const LONGEST_CELL: usize = 400;

/// Rows of cells under a header.
#[derive(Debug, Clone)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column titles.
    pub fn new(header: &[&str]) -> Self {
        Self {
            rows: vec![header.iter().map(|&title| title.to_owned()).collect()],
        }
    }

    /// Adds a row; missing cells are empty. Cells of strangers may be of any length: what is longer
    /// than a screen is wide is cut.
    pub fn row(&mut self, cells: Vec<String>) {
        let cut = |cell: String| match cell.char_indices().nth(LONGEST_CELL) {
            Some((end, _)) => format!("{}…", &cell[..end]),
            None => cell,
        };
        self.rows.push(cells.into_iter().map(cut).collect());
    }

    /// The text, one line a row, without trailing blanks, with a final newline.
    pub fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let cells = row
                .iter()
                .zip(&widths)
                .map(|(cell, &width)| padded(cell, width));
            let line = cells.collect::<Vec<_>>().join("  ");
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

fn padded(cell: &str, width: usize) -> String {
    let blanks = width.saturating_sub(cell.chars().count());
    format!("{cell}{}", " ".repeat(blanks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_strangers_are_cut() {
        let mut table = Table::new(&["a", "b"]);
        table.row(vec!["x".repeat(70_000), "y".to_owned()]);
        let text = table.render();
        assert!(text.ends_with(&format!("{}…  y\n", "x".repeat(LONGEST_CELL))));
    }

    #[test]
    fn columns_align_and_lines_end_without_blanks() {
        let mut table = Table::new(&["version", "platforms"]);
        table.row(vec!["1.0.0-beta1".to_owned(), "linux_amd64".to_owned()]);
        table.row(vec!["2.0.0".to_owned(), String::new()]);
        assert_eq!(
            table.render(),
            "version      platforms\n1.0.0-beta1  linux_amd64\n2.0.0\n"
        );
    }
}
