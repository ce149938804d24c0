//! Shows a run as it goes: bars on a terminal, otherwise one line a package.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::document::{PackageId, Verdict};
use crate::ops::{Action, PackageOutcome, Reporter, Stage};
use crate::ui::{Printer, bytes};

/// Draws bars if the printer has them, and prints a line for each finished package.
pub struct ProgressReporter {
    printer: Printer,
    bars: Option<Bars>,
}

/// How often bars are drawn anew while nothing arrives.
const TICK: Duration = Duration::from_millis(200);

struct Bars {
    board: MultiProgress,
    total: ProgressBar,
    planned: AtomicUsize,
    finished: AtomicUsize,
    active: Mutex<HashMap<PackageId, ProgressBar>>,
}

impl Bars {
    fn new(board: &MultiProgress) -> Self {
        Self {
            board: board.clone(),
            total: ProgressBar::hidden(),
            planned: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
            active: Mutex::default(),
        }
    }

    fn show_count(&self) {
        let finished = self.finished.load(Ordering::Relaxed);
        let planned = self.planned.load(Ordering::Relaxed);
        self.total.set_prefix(format!("{finished}/{planned}"));
    }
}

impl ProgressReporter {
    /// A reporter that shows by `printer`.
    pub fn new(printer: Printer) -> Self {
        let bars = printer.bars().map(Bars::new);
        Self { printer, bars }
    }

    fn active(&self, id: &PackageId, act: impl FnOnce(&Bars, &ProgressBar)) {
        let Some(bars) = &self.bars else { return };
        let bar = bars
            .active
            .lock()
            .ok()
            .and_then(|active| active.get(id).cloned());
        if let Some(bar) = bar {
            act(bars, &bar);
        }
    }
}

impl Reporter for ProgressReporter {
    fn planned(&self, packages: usize) {
        let Some(bars) = &self.bars else { return };
        bars.board.add(bars.total.clone());
        bars.total.set_style(total_style());
        bars.planned.store(packages, Ordering::Relaxed);
        bars.show_count();
        bars.total.enable_steady_tick(TICK);
    }

    fn started(&self, id: &PackageId) {
        let Some(bars) = &self.bars else { return };
        let bar = ProgressBar::new_spinner().with_style(unsized_style());
        let bar = bars.board.insert_before(&bars.total, bar);
        bar.set_prefix(short_name(id));
        bar.enable_steady_tick(TICK);
        if let Ok(mut active) = bars.active.lock() {
            active.insert(id.clone(), bar);
        }
    }

    fn sized(&self, id: &PackageId, bytes: u64) {
        self.active(id, |bars, bar| {
            let before = bar.length().unwrap_or(0);
            let total = bars.total.length().unwrap_or(0);
            bars.total
                .set_length((total + bytes).saturating_sub(before));
            bar.set_length(bytes);
            bar.set_style(package_style());
        });
    }

    fn advanced(&self, id: &PackageId, bytes: u64) {
        self.active(id, |bars, bar| {
            bar.inc(bytes);
            bars.total.inc(bytes);
        });
    }

    fn restarted(&self, id: &PackageId) {
        self.active(id, |bars, bar| {
            bars.total
                .set_position(bars.total.position().saturating_sub(bar.position()));
            bar.set_position(0);
        });
    }

    fn stage(&self, id: &PackageId, stage: Stage) {
        self.active(id, |_, bar| {
            bar.set_message(match stage {
                Stage::Proving => "proving",
                Stage::Unpacking => "unpacking",
            });
        });
    }

    fn finished(&self, outcome: &PackageOutcome) {
        self.printer.keep(outcome);
        if let Some(bars) = &self.bars {
            let bar = bars
                .active
                .lock()
                .ok()
                .and_then(|mut active| active.remove(&outcome.id));
            if let Some(bar) = bar {
                bar.finish_and_clear();
                bars.board.remove(&bar);
            }
            bars.finished.fetch_add(1, Ordering::Relaxed);
            bars.show_count();
        }
        // What was there already is told by the summary; a line for each would drown the rest.
        if matches!(outcome.action, Action::Kept | Action::Verified) {
            self.printer.detail(&outcome_line(outcome), false);
        } else {
            self.printer.note(&outcome_line(outcome));
        }
    }

    fn warning(&self, text: &str) {
        self.printer.warning(text);
    }

    fn note(&self, text: &str) {
        self.printer.note(text);
    }
}

impl Drop for ProgressReporter {
    fn drop(&mut self) {
        if let Some(bars) = &self.bars {
            bars.total.finish_and_clear();
        }
    }
}

/// What was done, with which package, what was proved of it, and its size.
fn outcome_line(outcome: &PackageOutcome) -> String {
    let verb = match outcome.action {
        Action::Installed => "installed",
        Action::Mirrored => "mirrored",
        Action::Locked => "locked",
        Action::WouldLock => "would lock",
        Action::Kept => "kept",
        Action::WouldFetch => "would fetch",
        Action::Skipped => "skipped",
        Action::Removed => "removed",
        Action::WouldRemove => "would remove",
        Action::Verified => "verified",
        Action::Failed => "failed",
    };
    let verdict = outcome.verdict.as_ref().map(verdict_words);
    let size = outcome.size.map(bytes);
    let facts: Vec<String> = verdict.into_iter().chain(size).collect();
    let facts = if facts.is_empty() {
        String::new()
    } else {
        format!(" ({})", facts.join(", "))
    };
    let root = outcome.root.as_ref();
    let root = root.map_or_else(String::new, |root| format!(" in `{root}`"));
    format!("{verb} {}{root}{facts}", outcome.id)
}

pub(super) fn verdict_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Signed {
            key_id,
            expired: false,
        } => format!("signed by {key_id}"),
        Verdict::Signed {
            key_id,
            expired: true,
        } => format!("signed by {key_id}, expired"),
        Verdict::Checksum => "checksum only".to_owned(),
        Verdict::Unauthenticated => "unauthenticated".to_owned(),
    }
}

fn short_name(id: &PackageId) -> String {
    format!(
        "{}/{} {} {}",
        id.addr.namespace(),
        id.addr.ty(),
        id.version,
        id.platform
    )
}

fn package_style() -> ProgressStyle {
    style("{prefix:36!} {wide_bar} {bytes:>9}/{total_bytes:<9} {msg}")
}

fn unsized_style() -> ProgressStyle {
    style("{prefix:36!} {spinner} {bytes:>9} {msg}")
}

fn total_style() -> ProgressStyle {
    style("{prefix} packages {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta} left")
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a valid template")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_valid() {
        for make in [package_style, unsized_style, total_style] {
            let _ = make();
        }
    }

    #[test]
    fn a_line_tells_action_verdict_and_size() {
        let id = PackageId {
            addr: crate::address::ProviderAddr::parse_canonical("example.com/acme/net").unwrap(),
            version: "1.0.0".parse().unwrap(),
            platform: "linux_amd64".parse().unwrap(),
        };
        let verdict = Verdict::Signed {
            key_id: "0123456789ABCDEF".to_owned(),
            expired: false,
        };
        let outcome = PackageOutcome::done(id, Action::Mirrored, Some(verdict), Some(2048));
        assert_eq!(
            outcome_line(&outcome),
            "mirrored `example.com/acme/net` 1.0.0 for `linux_amd64` (signed by 0123456789ABCDEF, 2.0 KiB)"
        );
        let outcome = PackageOutcome {
            action: Action::Kept,
            verdict: None,
            size: None,
            root: Some("envs/prod".to_owned()),
            ..outcome
        };
        assert_eq!(
            outcome_line(&outcome),
            "kept `example.com/acme/net` 1.0.0 for `linux_amd64` in `envs/prod`"
        );
    }
}
