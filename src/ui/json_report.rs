//! The result as one JSON document on stdout (`cli.md`, `--json`); fields are only ever added.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::document::Verdict;
use crate::failure::{ExitCode, Failure};
use crate::ops::{
    Action, ModuleOutcome, OpError, PackageOutcome, RootOutcome, Summary, TreeSummary, Verification,
};
use crate::ui::ExplanationReport;
use crate::ui::credentials_text::CredentialsRow;
use crate::ui::error_report::causes;
use crate::ui::explanation_text::JsonExplanation;
use crate::ui::json_cache::{CacheReport, JsonCache};
use crate::ui::json_findings::JsonFindings;
use crate::ui::json_outdated::OutdatedJsonRow;

/// The whole document.
#[derive(Debug, Serialize)]
pub struct JsonReport {
    format_version: &'static str,
    command: &'static str,
    packages: Vec<JsonPackage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roots: Option<Vec<JsonRoot>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    versions: Option<Vec<VersionRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outdated: Option<Vec<OutdatedJsonRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache: Option<JsonCache>,
    #[serde(skip_serializing_if = "Option::is_none")]
    credentials: Option<Vec<CredentialsRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<JsonFindings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<JsonExplanation>,
    summary: JsonSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<JsonError>,
}

/// A version that the registry offers.
#[derive(Debug, Serialize)]
pub struct VersionRow {
    /// The provider's full address.
    pub address: String,
    /// The canonical version.
    pub version: String,
    /// Plugin protocol versions as the registry writes them.
    pub protocols: Vec<String>,
    /// Platforms as `OS_ARCH`.
    pub platforms: Vec<String>,
}

/// One package of a report.
#[derive(Debug, Serialize)]
pub struct JsonPackage {
    kind: &'static str,
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    action: &'static str,
    verdict: Option<&'static str>,
    signed_by: Option<String>,
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<JsonError>,
}

/// One root module of several.
#[derive(Debug, Serialize)]
struct JsonRoot {
    root: String,
    tool: &'static str,
    summary: JsonSummary,
    errors: Vec<JsonError>,
}

#[derive(Debug, Default, Serialize)]
struct JsonSummary {
    installed: usize,
    mirrored: usize,
    locked: usize,
    lock: usize,
    kept: usize,
    fetch: usize,
    skipped: usize,
    removed: usize,
    remove: usize,
    verified: usize,
    failed: usize,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct JsonError {
    kind: String,
    exit_code: u8,
    message: String,
    causes: Vec<String>,
    hints: Vec<String>,
}

impl JsonReport {
    /// The report of a run over packages.
    pub fn of_summary(command: &'static str, summary: &Summary) -> Self {
        Self::of_summaries(command, &[summary])
    }

    /// The report of a run over root modules.
    pub fn of_tree(command: &'static str, tree: &TreeSummary) -> Self {
        let summaries: Vec<&Summary> = tree.summaries().collect();
        Self {
            roots: Some(tree.roots.iter().map(JsonRoot::of).collect()),
            ..Self::of_summaries(command, &summaries)
        }
    }

    fn of_summaries(command: &'static str, summaries: &[&Summary]) -> Self {
        let errors = || summaries.iter().flat_map(|summary| summary.errors());
        let packages = summaries.iter().copied().flat_map(JsonPackage::all_of);
        let packages: Vec<_> = packages.collect();
        Self {
            summary: JsonSummary {
                failed: errors().count(),
                ..JsonSummary::of_packages(&packages)
            },
            packages,
            error: gravest(errors),
            ..Self::empty(command)
        }
    }

    /// The report of a run that failed as a whole, or was interrupted after these packages.
    pub fn of_error(
        command: &'static str,
        error: &dyn Failure,
        finished: Vec<JsonPackage>,
    ) -> Self {
        Self {
            summary: JsonSummary::of_packages(&finished),
            packages: finished,
            error: Some(JsonError::of(error)),
            ..Self::empty(command)
        }
    }

    /// The report of `explain`.
    pub fn of_explanation(command: &'static str, report: &ExplanationReport<'_>) -> Self {
        let error = report.explanation.error.as_ref();
        Self {
            explanation: Some(JsonExplanation::of(report)),
            error: error.map(|error| JsonError::of(error)),
            ..Self::empty(command)
        }
    }

    /// The report of `outdated`, and what could not be found out.
    pub fn of_outdated(rows: Vec<OutdatedJsonRow>, failures: &[OpError]) -> Self {
        Self {
            outdated: Some(rows),
            error: gravest(|| failures.iter()),
            ..Self::empty("outdated")
        }
    }

    /// The report of `versions`.
    pub fn of_versions(command: &'static str, versions: Vec<VersionRow>) -> Self {
        Self {
            versions: Some(versions),
            ..Self::empty(command)
        }
    }

    /// The report of `login`, `logout` and `auth status`.
    pub fn of_credentials(command: &'static str, credentials: Vec<CredentialsRow>) -> Self {
        Self {
            credentials: Some(credentials),
            ..Self::empty(command)
        }
    }

    /// The report of a `cache` command; without a summary of its own, all cached packages as kept.
    pub fn of_cache(command: &'static str, report: &CacheReport<'_>) -> Self {
        let cached = Summary::of_cached(report.contents, Action::Kept);
        let findings = report.findings;
        Self {
            cache: Some(JsonCache::of(report)),
            findings: findings.map(JsonFindings::of_cache),
            error: report.failure.map(|error| JsonError::of(error)),
            ..Self::of_summary(command, report.summary.unwrap_or(&cached))
        }
    }

    /// The report of `verify`.
    pub fn of_verification(command: &'static str, verification: &Verification) -> Self {
        let failure = verification.failure();
        let failures: Vec<&dyn Failure> = failure
            .iter()
            .chain(verification.summary.errors())
            .map(|error| error as &dyn Failure)
            .collect();
        let gravest = ExitCode::gravest(failures.iter().map(|it| it.exit_code()));
        let error = failures.iter().find(|it| Some(it.exit_code()) == gravest);
        let summary = &verification.summary;
        let failed = summary.count(Action::Failed) + summary.count_modules(Action::Failed);
        let report = Self::of_summary(command, &verification.summary);
        Self {
            findings: Some(JsonFindings::of_verification(&verification.findings)),
            summary: JsonSummary {
                failed: failed + verification.summary.failures.len(),
                ..report.summary
            },
            error: error.map(|error| JsonError::of(*error)),
            ..report
        }
    }

    /// The document as text, indented, with a final newline.
    #[expect(
        clippy::missing_panics_doc,
        reason = "strings and numbers always make JSON"
    )]
    pub fn render(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("strings and numbers make JSON");
        format!("{text}\n")
    }

    fn empty(command: &'static str) -> Self {
        Self {
            format_version: "1.0",
            command,
            packages: Vec::new(),
            roots: None,
            versions: None,
            outdated: None,
            cache: None,
            credentials: None,
            findings: None,
            explanation: None,
            summary: JsonSummary::default(),
            error: None,
        }
    }
}

/// The gravest of errors.
fn gravest<'e, I: Iterator<Item = &'e OpError>>(errors: impl Fn() -> I) -> Option<JsonError> {
    let code = ExitCode::gravest(errors().map(Failure::exit_code));
    let gravest = errors().find(|error| Some(error.exit_code()) == code);
    gravest.map(|error| JsonError::of(error))
}

impl JsonPackage {
    pub(super) fn of(outcome: &PackageOutcome) -> Self {
        let (verdict, signed_by) = match &outcome.verdict {
            Some(Verdict::Signed { key_id, .. }) => (Some("signed"), Some(key_id.clone())),
            Some(Verdict::Checksum) => (Some("checksum"), None),
            Some(Verdict::Unauthenticated) => (Some("unauthenticated"), None),
            None => (None, None),
        };
        Self {
            kind: "provider",
            address: outcome.id.addr.to_string(),
            version: Some(outcome.id.version.to_string()),
            platform: Some(outcome.id.platform.to_string()),
            key: None,
            root: outcome.root.clone(),
            action: outcome.action.name(),
            verdict,
            signed_by,
            size: outcome.size,
            error: outcome.error.as_ref().map(|error| JsonError::of(error)),
        }
    }
}

impl JsonPackage {
    /// A module, whose address is its source; `key` tells its call.
    fn of_module(outcome: &ModuleOutcome) -> Self {
        Self {
            kind: "module",
            address: outcome.source.clone(),
            version: outcome.version.clone(),
            platform: None,
            key: Some(outcome.key.clone()).filter(|key| !key.is_empty()),
            root: outcome.root.clone(),
            action: outcome.action.name(),
            verdict: None,
            signed_by: None,
            size: None,
            error: outcome.error.as_ref().map(|error| JsonError::of(error)),
        }
    }

    /// What tells it from other packages.
    fn identity(&self) -> (&str, Option<&String>, Option<&String>) {
        (&self.address, self.version.as_ref(), self.platform.as_ref())
    }

    /// Providers and modules of a run.
    fn all_of(summary: &Summary) -> impl Iterator<Item = Self> {
        let packages = summary.packages.iter().map(Self::of);
        packages.chain(summary.modules.iter().map(Self::of_module))
    }
}

impl JsonRoot {
    fn of(root: &RootOutcome) -> Self {
        let summary = &root.summary;
        let packages: Vec<_> = JsonPackage::all_of(summary).collect();
        let error = |error: &OpError| JsonError::of(error);
        Self {
            root: root.name.clone(),
            tool: root.tool.name(),
            summary: JsonSummary {
                failed: summary.errors().count(),
                ..JsonSummary::of_packages(&packages)
            },
            errors: summary.failures.iter().map(error).collect(),
        }
    }
}

impl JsonSummary {
    fn of_packages(packages: &[JsonPackage]) -> Self {
        let count = |action: Action| {
            packages
                .iter()
                .filter(|package| package.action == action.name())
                .count()
        };
        let fetched = [Action::Installed, Action::Mirrored, Action::WouldFetch].map(Action::name);
        let new = packages
            .iter()
            .filter(|package| fetched.contains(&package.action));
        // What several root modules have was fetched once.
        let sizes: BTreeMap<_, u64> = new
            .filter_map(|package| Some((package.identity(), package.size?)))
            .collect();
        Self {
            installed: count(Action::Installed),
            mirrored: count(Action::Mirrored),
            locked: count(Action::Locked),
            lock: count(Action::WouldLock),
            kept: count(Action::Kept),
            fetch: count(Action::WouldFetch),
            skipped: count(Action::Skipped),
            removed: count(Action::Removed),
            remove: count(Action::WouldRemove),
            verified: count(Action::Verified),
            failed: count(Action::Failed),
            bytes: sizes.values().sum(),
        }
    }
}

impl JsonError {
    fn of(error: &dyn Failure) -> Self {
        Self {
            kind: error.exit_code().kind().to_owned(),
            exit_code: error.exit_code().number(),
            message: error.to_string(),
            causes: causes(error),
            hints: error.hints(),
        }
    }
}
