//! `provender outdated`.

use clap::Args;

use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::package_sources::PackagesFrom;
use crate::commands::roots::Roots;
use crate::failure::ExitCode;
use crate::ops::{OpError, OutdatedModule, OutdatedReport, OutdatedRow, outdated};
use crate::ui::{JsonReport, OutdatedJsonRow, ProgressReporter, Table, counted, render_error};
use crate::version::{ModuleVersion, Version};

/// Arguments of `outdated`.
#[derive(Debug, Args)]
pub struct OutdatedArgs {
    /// Exit with 11 if a provider or module is not locked at the newest version that is allowed
    ///
    /// A module that the module lock does not have counts as it is installed. One that is neither locked nor installed is
    /// not behind: the newest version is chosen when it is installed.
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
        let (providers, modules) = (report.providers_behind(), report.modules_behind());
        if self.check && providers + modules > 0 {
            let locked_modules = report.locked_modules_behind();
            report.failures.push(OpError::Behind {
                providers,
                locked_modules,
                installed_modules: modules - locked_modules,
            });
        }
        self.show(context, &report);
        Ok(report.exit_code())
    }

    fn show(&self, context: &Context<'_>, report: &OutdatedReport) {
        let printer = &context.printer;
        let lines = Line::all_of(report);
        if printer.is_json() {
            let rows = lines.into_iter().map(Line::into_json).collect();
            printer.answer(&JsonReport::of_outdated(rows, &report.failures).render());
            return;
        }
        for error in &report.failures {
            printer.error(&render_error(error));
        }
        // After an error that left nothing to compare, it has said all.
        if !lines.is_empty() || report.failures.is_empty() {
            printer.answer(&format!("{}{}", self.table(&lines), total(report)));
        }
    }

    fn table(&self, lines: &[Line]) -> String {
        if lines.is_empty() {
            return String::new();
        }
        let has_modules = lines.iter().any(|line| line.key.is_some());
        let mut titles = vec!["address", "current", "allowed", "newest"];
        if has_modules {
            titles.push("module");
        }
        if self.recursive {
            titles.push("root");
        }
        let mut table = Table::new(&titles);
        for line in lines {
            let mut cells = vec![
                line.address.clone(),
                shown(line.current.as_ref()),
                shown(line.allowed.as_ref()),
                line.newest(),
            ];
            if has_modules {
                cells.push(line.key.clone().unwrap_or_default());
            }
            cells.extend(line.root.clone());
            table.row(cells);
        }
        table.render()
    }
}

/// How many are behind.
fn total(report: &OutdatedReport) -> String {
    let (providers, modules) = (report.rows.len(), report.modules.len());
    let mut parts = Vec::new();
    if providers > 0 || modules == 0 {
        let of = counted(providers, "provider");
        parts.push(format!("{} of {of}", report.providers_behind()));
    }
    if modules > 0 {
        let of = counted(modules, "module");
        parts.push(format!("{} of {of}", report.modules_behind()));
    }
    format!("{} behind the newest allowed version", parts.join(", "))
}

/// A provider or a module call.
struct Line {
    address: String,
    /// Of a module: the names of its calls.
    key: Option<String>,
    root: Option<String>,
    constraints: String,
    /// What is locked, or else of a module installed.
    current: Option<Shown>,
    locked: Option<Shown>,
    /// Of a module.
    installed: Option<Shown>,
    allowed: Option<Shown>,
    newest: Option<Shown>,
    newer_prerelease: Option<Shown>,
    is_behind: bool,
}

/// A version as it is told.
struct Shown {
    text: String,
    is_prerelease: bool,
}

impl Line {
    /// All, by address; of one address by root module and key.
    fn all_of(report: &OutdatedReport) -> Vec<Self> {
        let providers = report.rows.iter().map(Self::from);
        let modules = report.modules.iter().map(Self::from);
        let mut lines: Vec<Self> = providers.chain(modules).collect();
        lines.sort_by(|a, b| a.order().cmp(&b.order()));
        lines
    }

    fn order(&self) -> impl Ord + '_ {
        (&self.address, &self.root, &self.key)
    }

    fn newest(&self) -> String {
        let versions = [&self.newest, &self.newer_prerelease].into_iter().flatten();
        let texts: Vec<String> = versions.map(Shown::marked).collect();
        if texts.is_empty() {
            return "-".to_owned();
        }
        texts.join(", ")
    }

    fn into_json(self) -> OutdatedJsonRow {
        let text = |version: Option<Shown>| version.map(|it| it.text);
        let (kind, installed) = match &self.key {
            None => ("provider", None),
            Some(_) => ("module", Some(text(self.installed))),
        };
        OutdatedJsonRow {
            kind,
            address: self.address,
            key: self.key,
            root: self.root,
            constraints: self.constraints,
            locked: text(self.locked),
            installed,
            allowed: text(self.allowed),
            newest: text(self.newest),
            newer_prerelease: text(self.newer_prerelease),
            behind: self.is_behind,
        }
    }
}

impl From<&OutdatedRow> for Line {
    fn from(row: &OutdatedRow) -> Self {
        let shown = |version: &Option<Version>| version.as_ref().map(Shown::from);
        Self {
            address: row.addr.to_string(),
            key: None,
            root: row.root.clone(),
            constraints: row.constraints.clone(),
            current: shown(&row.locked),
            locked: shown(&row.locked),
            installed: None,
            allowed: shown(&row.allowed),
            newest: shown(&row.newest),
            newer_prerelease: shown(&row.newer_prerelease),
            is_behind: row.is_behind(),
        }
    }
}

impl From<&OutdatedModule> for Line {
    fn from(row: &OutdatedModule) -> Self {
        let shown = |version: &Option<ModuleVersion>| version.as_ref().map(Shown::from);
        Self {
            address: row.source.clone(),
            key: Some(row.key.clone()),
            root: row.root.clone(),
            constraints: row.constraints.clone(),
            current: row.current().map(Shown::from),
            locked: shown(&row.locked),
            installed: shown(&row.installed),
            allowed: shown(&row.allowed),
            newest: shown(&row.newest),
            newer_prerelease: shown(&row.newer_prerelease),
            is_behind: row.is_behind(),
        }
    }
}

impl Shown {
    fn marked(&self) -> String {
        if self.is_prerelease {
            format!("{} (prerelease)", self.text)
        } else {
            self.text.clone()
        }
    }
}

impl From<&Version> for Shown {
    fn from(version: &Version) -> Self {
        Self {
            text: version.to_string(),
            is_prerelease: version.is_prerelease(),
        }
    }
}

impl From<&ModuleVersion> for Shown {
    fn from(version: &ModuleVersion) -> Self {
        Self {
            text: version.to_string(),
            is_prerelease: version.is_prerelease(),
        }
    }
}

fn shown(version: Option<&Shown>) -> String {
    version.map_or_else(|| "-".to_owned(), Shown::marked)
}
