//! `provender cache gc`.

use std::time::{Duration, SystemTime};

use clap::Args;

use crate::commands::cache::Cache;
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::report::report;
use crate::failure::ExitCode;
use crate::ops::{CacheGcOutcome, CacheGcRequest, Effect, collect_cache_garbage};
use crate::ui::{CacheReport, JsonReport, cache_totals, cached_module_lines, plan_lines};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Arguments of `cache gc`.
#[derive(Debug, Args)]
pub struct CacheGcArgs {
    /// Delete the least recently used until archives and files take at most SIZE, such as `5GiB`
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_size: Option<u64>,

    /// Delete what was not used for DAYS days
    #[arg(long, value_name = "DAYS")]
    pub unused_for: Option<u32>,

    /// Tell what would be deleted and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

impl CacheGcArgs {
    pub(super) fn run(
        &self,
        context: &Context<'_>,
        cache: &Cache,
    ) -> Result<Option<ExitCode>, CommandError> {
        let request = CacheGcRequest {
            max_size: self.max_size,
            unused_for: self.unused_for.map(|days| DAY * days),
            now: SystemTime::now(),
            effect: if self.dry_run {
                Effect::Tell
            } else {
                Effect::Change
            },
        };
        let outcome = match &cache.packages {
            Some(packages) => collect_cache_garbage(packages, &request)?,
            None => CacheGcOutcome::default(),
        };
        if context.printer.is_json() {
            let cache = CacheReport {
                summary: Some(&outcome.summary),
                ..CacheReport::of(&cache.dir, &outcome.kept)
            };
            let report = JsonReport::of_cache("cache gc", &cache);
            context.printer.answer(&report.render());
            return Ok(None);
        }
        if self.dry_run {
            if !outcome.summary.packages.is_empty() {
                context.printer.answer(&plan_lines(&outcome.summary));
            }
            let modules = cached_module_lines(&outcome.removed.modules);
            if !modules.is_empty() {
                context.printer.answer(&modules);
            }
        }
        let code = report(context, "cache gc", &outcome.summary);
        let left = if self.dry_run {
            "left would be"
        } else {
            "left are"
        };
        let totals = cache_totals(&cache.dir, &outcome.kept);
        context.printer.note(&format!("{left} {totals}"));
        Ok(code)
    }
}

/// Reads `1024`, `500M`, `5 GiB`; units are powers of 1024, with or without `iB` or `B`.
fn parse_size(text: &str) -> Result<u64, String> {
    let refused = || "expected a size such as `500MiB` or `5GiB`".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_uppercase();
    let unit = unit.trim_end_matches('B').trim_end_matches('I');
    let factor: u64 = match unit {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(refused()),
    };
    let number: u64 = digits.trim().parse().map_err(|_| refused())?;
    number.checked_mul(factor).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_units() {
        for (text, size) in [
            ("0", 0),
            ("1024", 1024),
            ("17B", 17),
            ("1k", 1 << 10),
            ("500MB", 500 << 20),
            ("5 GiB", 5 << 30),
            ("2T", 2 << 40),
        ] {
            assert_eq!(parse_size(text), Ok(size), "{text}");
        }
        for text in ["", "GiB", "-1", "1.5G", "5X", "99999999999T", "1 000"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
