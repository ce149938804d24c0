//! The last line of a run, and the plan of a dry run.

use crate::ops::{Action, Summary};
use crate::ui::{Table, bytes, counted};

/// One line that tells what became of all packages, such as `mirrored 3 packages (12.0 MiB), kept 1`.
pub fn summary_line(summary: &Summary) -> String {
    let mut parts = Vec::new();
    for (action, verb) in [
        (Action::Installed, "installed"),
        (Action::Mirrored, "mirrored"),
        (Action::WouldFetch, "would fetch"),
        (Action::Kept, "kept"),
        (Action::Skipped, "skipped"),
        (Action::Removed, "removed"),
        (Action::WouldRemove, "would remove"),
    ] {
        let count = summary.count(action);
        if count > 0 {
            parts.push(format!(
                "{verb} {}{}",
                counted(count, "package"),
                size_words(summary, action)
            ));
        }
    }
    let failed = summary.errors().count();
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
    table.render()
}

/// What will be done, in the infinitive.
fn planned(action: Action) -> &'static str {
    match action {
        Action::Installed => "install",
        Action::Mirrored => "mirror",
        Action::Kept => "keep",
        Action::WouldFetch => "fetch",
        Action::Skipped => "skip",
        Action::Removed | Action::WouldRemove => "remove",
        Action::Failed => "fail",
    }
}

fn size_words(summary: &Summary, action: Action) -> String {
    match summary.bytes(action) {
        (0, _) => String::new(),
        (size, true) => format!(" ({})", bytes(size)),
        (size, false) => format!(" (at least {})", bytes(size)),
    }
}
