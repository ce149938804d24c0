//! README speaks of every command and option that there is, and of none that there is not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use clap::{Arg, Command};
use provender::failure::ExitCode;

use super::{command, verbs};

/// Options of other programs that README shows.
const FOREIGN: [&str; 5] = ["--example", "--open", "--path", "--release", "--test"];

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The long options that users see.
fn shown_options(command: &Command) -> BTreeSet<String> {
    options(command, |arg| !arg.is_hide_set())
}

fn options(command: &Command, wanted: impl Fn(&Arg) -> bool + Copy) -> BTreeSet<String> {
    let own = command
        .get_arguments()
        .filter(|arg| wanted(arg))
        .filter_map(Arg::get_long);
    let mut found: BTreeSet<String> = own.map(|long| format!("--{long}")).collect();
    for verb in command.get_subcommands() {
        found.extend(options(verb, wanted));
    }
    found
}

/// The words of `text` that look like long options.
fn options_in(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.split(|c| !is_part(c))
        .filter(|word| {
            word.strip_prefix("--")
                .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn readme_names_every_option_and_no_other() {
    let mut there_are = shown_options(&command());
    let mentioned = options_in(&readme());
    for standard in ["--help", "--version"] {
        there_are.remove(standard);
    }
    let missing: Vec<_> = there_are.difference(&mentioned).collect();
    assert!(missing.is_empty(), "README does not mention {missing:?}");
    there_are.extend(FOREIGN.map(str::to_owned));
    there_are.extend(["--help", "--version"].map(str::to_owned));
    let invented: Vec<_> = mentioned.difference(&there_are).collect();
    assert!(
        invented.is_empty(),
        "README mentions {invented:?}, which do not exist or are hidden"
    );
}

#[test]
fn readme_shows_every_command() {
    let readme = readme();
    for verb in verbs(&command()) {
        assert!(
            readme.contains(&format!("provender {} ", verb.get_name())),
            "{}",
            verb.get_name()
        );
    }
}

#[test]
fn readme_lists_the_exit_codes_in_the_words_of_the_program() {
    let readme = readme();
    for code in ExitCode::ALL {
        let row = format!("| {} | {} |", code.number(), code.meaning());
        assert!(readme.contains(&row), "README lacks the line `{row}`");
    }
}

#[test]
fn the_first_command_of_readme_is_the_demo() {
    let readme = readme();
    let block = readme.split("```").nth(1).unwrap();
    let commands: Vec<&str> = block
        .lines()
        .skip(1)
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(
        commands,
        ["cargo run --release --example demo", "cargo test"]
    );
}

#[test]
fn hidden_options_stay_out_of_the_manual() {
    let hidden = options(&command(), Arg::is_hide_set);
    let man = Path::new(env!("CARGO_MANIFEST_DIR")).join("man");
    for entry in fs::read_dir(man).unwrap() {
        let page = fs::read_to_string(entry.unwrap().path())
            .unwrap()
            .replace("\\-", "-");
        let told: Vec<_> = options_in(&page).intersection(&hidden).cloned().collect();
        assert_eq!(told, Vec::<String>::new());
    }
}

#[test]
fn options_are_found_in_text() {
    let text = "`--to DEST`, --a-b=1 (`--all`) -- --- x--y \\fB--json\\fR";
    let expected = ["--a-b", "--all", "--json", "--to"].map(str::to_owned);
    assert_eq!(options_in(text), BTreeSet::from(expected));
}
