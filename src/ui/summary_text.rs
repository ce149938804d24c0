//! The last line of a run, and the plan of a dry run.

use std::collections::BTreeMap;

use crate::document::PackageId;
use crate::ops::{Action, RootOutcome, Summary, TreeSummary};
use crate::ui::{Table, bytes, counted};

/// One line that tells what became of all packages, such as `mirrored 3 packages (12.0 MiB), kept 1`.
pub fn summary_line(summary: &Summary) -> String {
    words(&[summary])
}

/// A line for each root module, and one for all of them.
pub fn tree_lines(tree: &TreeSummary) -> String {
    let line = |root: &RootOutcome| format!("{}: {}\n", root.name, summary_line(&root.summary));
    let lines: String = tree.roots.iter().map(line).collect();
    let summaries: Vec<&Summary> = tree.summaries().collect();
    let count = counted(tree.roots.len(), "root module");
    format!("{lines}{count}: {}", words(&summaries))
}

fn words(summaries: &[&Summary]) -> String {
    let mut parts = Vec::new();
    for (action, verb) in [
        (Action::Installed, "installed"),
        (Action::Mirrored, "mirrored"),
        (Action::Locked, "locked"),
        (Action::WouldFetch, "would fetch"),
        (Action::WouldLock, "would lock"),
        (Action::Kept, "kept"),
        (Action::Skipped, "skipped"),
        (Action::Removed, "removed"),
        (Action::WouldRemove, "would remove"),
    ] {
        let modules: usize = summaries.iter().map(|it| it.count_modules(action)).sum();
        if modules > 0 {
            parts.push(format!("{verb} {}", counted(modules, "module")));
        }
        let count: usize = summaries.iter().map(|it| it.count(action)).sum();
        if count > 0 {
            parts.push(format!(
                "{verb} {}{}",
                counted(count, "package"),
                size_words(summaries, action)
            ));
        }
    }
    let lock_files: usize = summaries.iter().map(|it| it.lock_files).sum();
    if lock_files > 0 {
        parts.push(format!("wrote {}", counted(lock_files, "lock file")));
    }
    let failed = summaries.iter().map(|it| it.errors().count()).sum();
    if failed > 0 {
        parts.push(counted(failed, "failure"));
    }
    if parts.is_empty() {
        "nothing to do".to_owned()
    } else {
        parts.join(", ")
    }
}

/// The plan of a dry run as a table: action, address, version, platform, size (`?` if unknown).
pub fn plan_lines(summary: &Summary) -> String {
    let mut table = Table::new(&["action", "address", "version", "platform", "size"]);
    for outcome in &summary.packages {
        table.row(vec![
            planned(outcome.action).to_owned(),
            outcome.id.addr.to_string(),
            outcome.id.version.to_string(),
            outcome.id.platform.to_string(),
            outcome.size.map_or_else(|| "?".to_owned(), bytes),
        ]);
    }
    for outcome in &summary.modules {
        table.row(vec![
            planned(outcome.action).to_owned(),
            outcome.source.clone(),
            outcome.version.clone().unwrap_or_default(),
            String::new(),
            "?".to_owned(),
        ]);
    }
    table.render()
}

/// What will be done, in the infinitive.
fn planned(action: Action) -> &'static str {
    match action {
        Action::Installed => "install",
        Action::Mirrored => "mirror",
        Action::Locked | Action::WouldLock => "lock",
        Action::Kept => "keep",
        Action::Verified => "verify",
        Action::WouldFetch => "fetch",
        Action::Skipped => "skip",
        Action::Removed | Action::WouldRemove => "remove",
        Action::Failed => "fail",
    }
}

/// The size of all packages with an `action`; one that several root modules have is counted once.
fn size_words(summaries: &[&Summary], action: Action) -> String {
    let outcomes = summaries.iter().flat_map(|summary| &summary.packages);
    let outcomes = outcomes.filter(|outcome| outcome.action == action);
    let mut sizes: BTreeMap<&PackageId, Option<u64>> = BTreeMap::new();
    for outcome in outcomes {
        let size = sizes.entry(&outcome.id).or_default();
        *size = size.or(outcome.size);
    }
    let all = sizes.values().flatten().sum();
    match (all, sizes.values().all(Option::is_some)) {
        (0, _) => String::new(),
        (size, true) => format!(" ({})", bytes(size)),
        (size, false) => format!(" (at least {})", bytes(size)),
    }
}
