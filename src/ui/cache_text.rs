//! What the `cache` commands show: entries, totals, findings.

use std::path::Path;

use crate::ops::CacheFinding;
use crate::store::CachedFacts;
use crate::ui::progress::verdict_words;
use crate::ui::{Table, bytes, counted};

/// A table of all cached packages; empty if there are none.
pub fn cache_lines(entries: &[CachedFacts]) -> String {
    let mut rows: Vec<_> = entries
        .iter()
        .flat_map(|facts| facts.packages.iter().map(move |package| (package, facts)))
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    rows.sort_by_key(|((id, _), facts)| (id, facts.digest));
    let mut table = Table::new(&["address", "version", "platform", "archive", "proved"]);
    for ((id, verdict), facts) in rows {
        table.row(vec![
            id.addr.to_string(),
            id.version.to_string(),
            id.platform.to_string(),
            bytes(facts.archive_bytes),
            verdict_words(verdict),
        ]);
    }
    table.render()
}

/// How much there is and where.
pub fn cache_totals(dir: &Path, entries: &[CachedFacts]) -> String {
    let archives = entries.iter().map(|facts| facts.archive_bytes).sum();
    let files = entries.iter().map(|facts| facts.unpacked_bytes).sum();
    format!(
        "{} ({}, unpacked {}) in `{}`",
        counted(entries.len(), "archive"),
        bytes(archives),
        bytes(files),
        dir.display()
    )
}

/// One line for a problem, with got and expected value.
pub fn finding_line(finding: &CacheFinding) -> String {
    let packages: Vec<String> = finding.packages.iter().map(ToString::to_string).collect();
    let of = if packages.is_empty() {
        String::new()
    } else {
        format!(" of {}", packages.join(", "))
    };
    let damage = &finding.damage;
    let got = match &damage.got {
        Some(got) => format!("has `{got}`"),
        None => "is missing or cannot be hashed".to_owned(),
    };
    format!(
        "{}: `{}`{of} {got}, expected is `{}`\n",
        finding.kind(),
        damage.path.display(),
        damage.expected
    )
}
