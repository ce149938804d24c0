//! One configuration file as text, with the places in it.

use std::path::Path;
use std::sync::Arc;

use super::file_set::FileName;
use super::problem::{Location, Problem, ProblemKind};
use crate::disk;

/// The largest configuration file that is read, in bytes; generated ones reach some megabytes.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// A file that was read.
pub(super) struct SourceFile {
    path: Arc<Path>,
    text: String,
    /// The offset at which each line begins.
    lines: Vec<usize>,
}

impl SourceFile {
    /// Reads a file of the module in `directory`. A byte order mark at its start is dropped.
    pub(super) fn read(directory: &Path, file: &FileName) -> Result<Self, Box<Problem>> {
        let path = directory.join(&file.name);
        let shown: Arc<Path> = if directory == Path::new(".") {
            Arc::from(Path::new(&file.name))
        } else {
            Arc::from(path.as_path())
        };
        let problem = |kind| {
            let at = Location {
                file: shown.clone(),
                line: 1,
                column: 1,
            };
            Box::new(Problem { at, kind })
        };
        let bytes = disk::read_capped(&path, MAX_FILE_BYTES)
            .map_err(|error| error.source)
            .map_err(|error| problem(ProblemKind::Unreadable(error)))?;
        let text = String::from_utf8(bytes).map_err(|_| problem(ProblemKind::NotText))?;
        Ok(Self::new(
            shown,
            text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned(),
        ))
    }

    pub(super) fn new(path: Arc<Path>, text: String) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(breaks).collect();
        Self { path, text, lines }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The place at a byte offset.
    pub(super) fn location(&self, offset: usize) -> Location {
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines[line - 1];
        let column = self
            .text
            .get(start..offset)
            .map_or(0, |before| before.chars().count())
            + 1;
        Location {
            file: self.path.clone(),
            line,
            column,
        }
    }

    /// The place that a reader reports by line and column.
    pub(super) fn location_at(&self, line: usize, column: usize) -> Location {
        Location {
            file: self.path.clone(),
            line,
            column,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns() {
        let file = SourceFile::new(Arc::from(Path::new("a.tf")), "aé\nb\n".to_owned());
        for (offset, shown) in [
            (0, "a.tf:1:1"),
            (3, "a.tf:1:3"),
            (4, "a.tf:2:1"),
            (6, "a.tf:3:1"),
        ] {
            assert_eq!(file.location(offset).to_string(), shown);
        }
    }
}
