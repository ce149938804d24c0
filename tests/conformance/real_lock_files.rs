//! Lock files of public repositories: each is read, or refused with places and reasons.
//!
//! They are not part of this repository: see `support::data_dir`.

use std::path::{Path, PathBuf};

use provender::address::Tool;
use provender::document::Locks;
use provender::document::lock_file::tool_of_header;

use super::support::{Report, data_dir, same};

#[test]
fn real_lock_files_are_read_or_refused_with_a_reason() {
    let Some(directory) = data_dir() else { return };
    let directory = directory.join("locks");
    let mut report = Report::new("real lock files");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "hcl"))
        .collect();
    paths.sort();
    for path in &paths {
        report.case(&path.file_name().unwrap().to_string_lossy(), read(path));
    }
    report.finish();
}

/// A file that is read must survive writing; one that is refused must say where and why.
fn read(path: &Path) -> Result<(), String> {
    let name = path.file_name().unwrap().to_string_lossy();
    let bytes = std::fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let tool = tool_of_header(&text).unwrap_or_default();
    match Locks::parse(&text, tool) {
        Ok(parsed) => survive(&name, &parsed.locks, tool, &text),
        Err(error) => {
            println!("  {name} is refused: {error}");
            let lines = 1..=text.lines().count();
            let is_placed = error
                .problems
                .iter()
                .all(|problem| lines.contains(&problem.line));
            if is_placed && !error.problems.is_empty() {
                return Ok(());
            }
            Err(format!("refused without a place: {error}"))
        }
    }
}

fn survive(name: &str, locks: &Locks, tool: Tool, text: &str) -> Result<(), String> {
    let written = locks.render(tool);
    let read = text.replace("\r\n", "\n");
    if let Some(line) = first_difference(&read, &written) {
        println!("  {name} would be written otherwise, from line {line} on");
    }
    let again = Locks::parse(&written, tool)
        .map_err(|error| error.to_string())?
        .locks;
    let survives = again.render(tool) == written && again.providers.len() == locks.providers.len();
    same(&survives, &true)
}

/// The number of the first line that differs.
fn first_difference(one: &str, other: &str) -> Option<usize> {
    let (mut ones, mut others) = (one.lines(), other.lines());
    (1..).find_map(|number| match (ones.next(), others.next()) {
        (None, None) => Some(None),
        (one, other) if one == other => None,
        _ => Some(Some(number)),
    })?
}
