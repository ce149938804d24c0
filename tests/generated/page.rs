//! A manual page: what clap knows of a command, then the sections of the manual.

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use provender::commands::manual::{Section, sections};

/// The page of a built `command`: the program itself, or the verb `name`.
pub(super) fn of(command: &Command, name: Option<&str>) -> String {
    let source = format!("provender {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(source);
    let mut page = Vec::new();
    man.render_title(&mut page).unwrap();
    man.render_name_section(&mut page).unwrap();
    part(&mut page, |roff| synopsis(roff, command));
    man.render_description_section(&mut page).unwrap();
    man.render_options_section(&mut page).unwrap();
    if command.has_subcommands() {
        part(&mut page, |roff| append(roff, &commands(command, name)));
    }
    for section in sections(name) {
        part(&mut page, |roff| append(roff, &section));
    }
    part(&mut page, |roff| see_also(roff, command, name));
    with_one_preamble(&String::from_utf8(page).unwrap())
}

fn part(page: &mut Vec<u8>, write: impl Fn(&mut Roff)) {
    let mut roff = Roff::new();
    write(&mut roff);
    roff.to_writer(page).unwrap();
}

fn append(roff: &mut Roff, section: &Section) {
    roff.control("SH", [section.title]);
    if !section.introduction.is_empty() {
        roff.text([roman(&section.introduction)]);
    }
    for (term, meaning) in &section.entries {
        roff.control("TP", []);
        roff.text([bold(term)]);
        roff.text([roman(meaning)]);
    }
}

/// The commands with pages of their own; `help` has none.
fn commands(command: &Command, name: Option<&str>) -> Section {
    let prefix = name.map(|name| format!("{name}-")).unwrap_or_default();
    let entry = |verb: &Command| {
        let about = verb.get_about().map(ToString::to_string);
        (
            format!("provender-{prefix}{}(1)", verb.get_name()),
            about.unwrap_or_default(),
        )
    };
    Section {
        title: "COMMANDS",
        introduction: String::new(),
        entries: super::verbs(command).map(entry).collect(),
    }
}

fn see_also(roff: &mut Roff, command: &Command, name: Option<&str>) {
    let pages: Vec<String> = match name {
        Some(_) => vec!["provender(1)".to_owned()],
        None => super::verbs(command)
            .map(|verb| format!("provender-{}(1)", verb.get_name()))
            .collect(),
    };
    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman(pages.join(", "))]);
}

/// The command as clap's usage line shows it; the generator's own mixes up the options' order.
fn synopsis(roff: &mut Roff, command: &Command) {
    let usage = command.clone().render_usage().to_string();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([roman(usage.trim_start_matches("Usage: "))]);
}

/// Literals in backticks become bold.
fn with_bold_literals(line: &str) -> String {
    let pieces: Vec<&str> = line.split('`').collect();
    if line.starts_with('.') || pieces.len().is_multiple_of(2) {
        return line.to_owned();
    }
    let bold = |(at, piece): (usize, &&str)| {
        if at % 2 == 1 {
            format!("\\fB{piece}\\fR")
        } else {
            (*piece).to_owned()
        }
    };
    pieces.iter().enumerate().map(bold).collect()
}

/// Each rendered part begins with the same definitions; the first suffices.
fn with_one_preamble(page: &str) -> String {
    let mut lines = page.lines();
    let preamble: Vec<&str> = lines
        .by_ref()
        .take_while(|line| !line.starts_with(".TH"))
        .collect();
    let rest = page
        .lines()
        .skip(preamble.len())
        .filter(|line| !preamble.contains(line));
    let lines: Vec<String> = preamble
        .iter()
        .copied()
        .chain(rest)
        .map(with_bold_literals)
        .collect();
    format!("{}\n", lines.join("\n"))
}

#[test]
fn literals_are_bold() {
    assert_eq!(with_bold_literals("a `b` `c`"), "a \\fBb\\fR \\fBc\\fR");
    for other in [".IP `a`", "a ` b"] {
        assert_eq!(with_bold_literals(other), other);
    }
}
