//! What `verify` shows: a table of problems, each followed by its details, and one line for all.
//!
//! Hashes and paths fit no column, so they stand on lines of their own. Where the terminal is too narrow for the table, each
//! problem begins with its words one after the other instead.

use crate::document::Verdict;
use crate::ops::{Action, Authority, Finding, Summary, Verification};
use crate::ui::{Table, bytes, counted};

/// How far details are indented.
const INDENT: usize = 4;

/// All problems; empty if there are none. `width` is that of the terminal, if the answer goes to one.
pub fn finding_lines(findings: &[Finding], width: Option<usize>) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let has_roots = findings.iter().any(|finding| finding.lock.is_some());
    let mut header = vec!["problem", "address", "version", "platform"];
    if has_roots {
        header.push("root module");
    }
    let mut table = Table::new(&header);
    for finding in findings {
        table.row(cells(finding, has_roots));
    }
    let table = table.render();
    let fits = |line: &str| width.is_none_or(|width| line.chars().count() <= width);
    let rows: Vec<String> = if table.lines().all(fits) {
        table.lines().map(str::to_owned).collect()
    } else {
        let stacked = findings.iter().map(|finding| stacked(finding, width));
        std::iter::once(String::new()).chain(stacked).collect()
    };
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let details = index.checked_sub(1).and_then(|index| findings.get(index));
        if !row.is_empty() {
            text.push_str(row);
            text.push('\n');
        }
        text.extend(details.map(|finding| details_of(finding, width)));
    }
    text
}

/// One line that tells what was verified and how many problems there are.
pub fn verification_line(verification: &Verification) -> String {
    let summary = &verification.summary;
    let verified = summary.count(Action::Verified);
    let size = match summary.bytes(Action::Verified) {
        (0, _) | (_, false) => None,
        (size, true) => Some(bytes(size)),
    };
    let verdicts = match verification.authority {
        Authority::Evidence => verdicts(summary),
        Authority::LockFile => Vec::new(),
    };
    let facts: Vec<String> = size.into_iter().chain(verdicts).collect();
    let facts = match facts.as_slice() {
        [] => String::new(),
        facts => format!(" ({})", facts.join(", ")),
    };
    let mut parts = vec![format!("verified {}{facts}", counted(verified, "package"))];
    let modules = summary.count_modules(Action::Verified);
    if modules > 0 {
        parts.push(counted(modules, "module"));
    }
    let remaining = verification.remaining().count();
    let fixed = verification.findings.len() - remaining;
    if fixed > 0 {
        parts.push(format!("fixed {}", counted(fixed, "problem")));
    }
    if remaining > 0 {
        parts.push(counted(remaining, "problem"));
    }
    let failures = summary.errors().count();
    if failures > 0 {
        parts.push(counted(failures, "failure"));
    }
    if remaining + failures == 0 {
        parts.push("nothing wrong".to_owned());
    }
    format!("{}\n", parts.join(", "))
}

/// How many of the verified packages were proved how.
fn verdicts(summary: &Summary) -> Vec<String> {
    let verified = summary.packages.iter();
    let verified = verified.filter(|outcome| outcome.action == Action::Verified);
    let words = verified.filter_map(|outcome| match outcome.verdict.as_ref()? {
        Verdict::Signed { expired: false, .. } => Some("signed"),
        Verdict::Signed { expired: true, .. } => Some("signed by an expired key"),
        Verdict::Checksum => Some("checksum only"),
        Verdict::Unauthenticated => Some("unauthenticated"),
    });
    let words: Vec<&str> = words.collect();
    let count = |word: &str| words.iter().filter(|it| **it == word).count();
    VERDICTS
        .into_iter()
        .filter(|word| count(word) > 0)
        .map(|word| format!("{} {word}", count(word)))
        .collect()
}

/// The words for what was proved, the best first.
const VERDICTS: [&str; 4] = [
    "signed",
    "signed by an expired key",
    "checksum only",
    "unauthenticated",
];

fn cells(finding: &Finding, has_roots: bool) -> Vec<String> {
    let mut cells = vec![kind(finding)];
    cells.extend(subject(finding));
    if has_roots {
        cells.push(plain(finding.lock.as_deref().unwrap_or_default()));
    }
    cells
}

fn kind(finding: &Finding) -> String {
    let fixed = if finding.fixed { " (fixed)" } else { "" };
    format!("{}{fixed}", finding.kind.name())
}

fn subject(finding: &Finding) -> [String; 3] {
    let subject = &finding.subject;
    [
        subject.address().as_deref().map(plain),
        subject.version_text().as_deref().map(plain),
        subject.platform.as_ref().map(ToString::to_string),
    ]
    .map(Option::unwrap_or_default)
}

/// The words of a row one after the other.
fn stacked(finding: &Finding, width: Option<usize>) -> String {
    let root = finding
        .lock
        .as_ref()
        .map(|root| format!("in {}", plain(root)));
    let words: Vec<String> = subject(finding)
        .into_iter()
        .chain(root)
        .filter(|word| !word.is_empty())
        .collect();
    let text = format!("{}: {}", kind(finding), words.join(" "));
    wrapped(&text, 0, 2, width)
        .trim_end()
        .trim_end_matches(':')
        .to_owned()
}

fn details_of(finding: &Finding, width: Option<usize>) -> String {
    let path = finding.path.as_ref().map(|path| path.display().to_string());
    let key = finding.subject.module.as_ref().map(|module| &module.key);
    let details = [
        ("module: ", key),
        ("path: ", path.as_ref()),
        ("got: ", finding.got.as_ref()),
        ("expected: ", finding.expected.as_ref()),
        ("", finding.explanation.as_ref()),
    ];
    let told = details
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)));
    told.map(|(name, value)| {
        wrapped(
            &format!("{name}{}", plain(value)),
            INDENT,
            INDENT + 2,
            width,
        )
    })
    .collect()
}

/// Text of strangers on one line.
fn plain(text: &str) -> String {
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(visible).collect()
}

/// The text broken between words so that lines fit, the first indented by `first`, the others by `rest`. A word that is
/// longer than a line keeps its own, so that it can be copied.
fn wrapped(text: &str, first: usize, rest: usize, width: Option<usize>) -> String {
    let mut lines = String::new();
    let mut line = " ".repeat(first);
    let mut is_empty = true;
    for word in text.split(' ') {
        let length = line.chars().count() + 1 + word.chars().count();
        if !is_empty && width.is_some_and(|width| length > width) {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line = " ".repeat(rest);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines.push_str(line.trim_end());
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::document::PackageId;
    use crate::ops::FindingKind;

    fn finding() -> Finding {
        let id = PackageId {
            addr: "registry.example.com/acme/net".parse().unwrap(),
            version: "1.0.0".parse().unwrap(),
            platform: "linux_amd64".parse().unwrap(),
        };
        Finding::new(FindingKind::Mismatch, &id)
            .at(Path::new("mirror/a.zip"))
            .got("zh:11")
            .expected("zh:22")
            .because("the archive has been\nreplaced since it was mirrored")
    }

    #[test]
    fn wide_terminals_get_a_table_with_details() {
        let expected = "\
problem   address                        version  platform
mismatch  registry.example.com/acme/net  1.0.0    linux_amd64
    path: mirror/a.zip
    got: zh:11
    expected: zh:22
    the archive has been replaced since it was mirrored
";
        for width in [None, Some(80)] {
            assert_eq!(finding_lines(&[finding()], width), expected);
        }
        assert_eq!(finding_lines(&[], None), "");
    }

    #[test]
    fn narrow_terminals_get_short_lines() {
        let fixed = Finding {
            fixed: true,
            lock: Some("envs/prod".to_owned()),
            ..finding()
        };
        let expected = "\
mismatch (fixed):
  registry.example.com/acme/net 1.0.0
  linux_amd64 in envs/prod
    path: mirror/a.zip
    got: zh:11
    expected: zh:22
    the archive has been replaced since
      it was mirrored
";
        assert_eq!(finding_lines(&[fixed], Some(40)), expected);
    }
}
