//! `provender cache verify`.

use crate::commands::cache::Cache;
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::failure::{ExitCode, Failure};
use crate::ops::{VerifiedCache, verify_cache};
use crate::store::CacheContents;
use crate::ui::{CacheReport, JsonReport, cache_totals, finding_line, render_error};

/// Checks the cache, and shows what is wrong.
pub(super) async fn run(
    context: &Context<'_>,
    cache: &Cache,
) -> Result<Option<ExitCode>, CommandError> {
    let verified = match &cache.packages {
        Some(packages) => verify_cache(packages, context.jobs).await?,
        None => VerifiedCache {
            contents: CacheContents::default(),
            findings: Vec::new(),
        },
    };
    let failure = verified.failure();
    if context.printer.is_json() {
        let report = CacheReport {
            findings: Some(&verified.findings),
            failure: failure.as_ref(),
            ..CacheReport::of(&cache.dir, &verified.contents)
        };
        let report = JsonReport::of_cache("cache verify", &report);
        context.printer.answer(&report.render());
    } else {
        show(context, cache, &verified);
        if let Some(failure) = &failure {
            context.printer.error(&render_error(failure));
        }
    }
    Ok(failure.map(|failure| failure.exit_code()))
}

fn show(context: &Context<'_>, cache: &Cache, verified: &VerifiedCache) {
    let lines = verified.findings.iter().map(finding_line);
    let last = if verified.findings.is_empty() {
        let totals = cache_totals(&cache.dir, &verified.contents);
        format!("nothing wrong: {totals}\n")
    } else {
        String::new()
    };
    let text: String = lines.chain([last]).collect();
    context.printer.answer(&text);
}
