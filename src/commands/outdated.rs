//! `provender outdated`.

use clap::Args;

use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::package_sources::PackagesFrom;
use crate::commands::roots::Roots;
use crate::failure::ExitCode;
use crate::ops::{OpError, OutdatedReport, OutdatedRow, outdated};
use crate::ui::{JsonReport, OutdatedJsonRow, ProgressReporter, Table, counted, render_error};
use crate::version::Version;

/// Arguments of `outdated`.
#[derive(Debug, Args)]
pub struct OutdatedArgs {
    /// Exit with 11 if a provider is not locked at the newest version that is allowed
    #[arg(long)]
    pub check: bool,

    /// Every root module in `--chdir` and below
    #[arg(long)]
    pub recursive: bool,
}

impl OutdatedArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        let roots = Roots::find(context, self.recursive, PackagesFrom::Methods).await?;
        let reporter = ProgressReporter::new(context.printer.clone());
        let mut report = outdated(&roots.sourced(context), context.jobs, &reporter).await;
        drop(reporter);
        let count = report.behind().count();
        if self.check && count > 0 {
            report.failures.push(OpError::Behind { count });
        }
        self.show(context, &report);
        Ok(report.exit_code())
    }

    fn show(&self, context: &Context<'_>, report: &OutdatedReport) {
        let printer = &context.printer;
        if printer.is_json() {
            let rows = report.rows.iter().map(json_row).collect();
            printer.answer(&JsonReport::of_outdated(rows, &report.failures).render());
            return;
        }
        for error in &report.failures {
            printer.error(&render_error(error));
        }
        let text = self.table(report);
        let (behind, all) = (report.behind().count(), report.rows.len());
        let of = counted(all, "provider");
        printer.answer(&format!(
            "{text}{behind} of {of} behind the newest allowed version"
        ));
    }

    fn table(&self, report: &OutdatedReport) -> String {
        if report.rows.is_empty() {
            return String::new();
        }
        let mut titles = vec!["address", "locked", "allowed", "newest"];
        if self.recursive {
            titles.push("root");
        }
        let mut table = Table::new(&titles);
        for row in &report.rows {
            let mut cells = vec![
                row.addr.to_string(),
                shown(row.locked.as_ref()),
                shown(row.allowed.as_ref()),
                newest(row),
            ];
            cells.extend(row.root.clone());
            table.row(cells);
        }
        table.render()
    }
}

fn shown(version: Option<&Version>) -> String {
    version.map_or_else(|| "-".to_owned(), marked)
}

fn marked(version: &Version) -> String {
    if version.is_prerelease() {
        format!("{version} (prerelease)")
    } else {
        version.to_string()
    }
}

fn newest(row: &OutdatedRow) -> String {
    let versions = [&row.newest, &row.newer_prerelease];
    let texts: Vec<String> = versions.into_iter().flatten().map(marked).collect();
    if texts.is_empty() {
        return "-".to_owned();
    }
    texts.join(", ")
}

fn json_row(row: &OutdatedRow) -> OutdatedJsonRow {
    let text = |version: &Option<Version>| version.as_ref().map(ToString::to_string);
    OutdatedJsonRow {
        kind: "provider",
        address: row.addr.to_string(),
        root: row.root.clone(),
        constraints: row.constraints.clone(),
        locked: text(&row.locked),
        allowed: text(&row.allowed),
        newest: text(&row.newest),
        newer_prerelease: text(&row.newer_prerelease),
        behind: row.is_behind(),
    }
}
