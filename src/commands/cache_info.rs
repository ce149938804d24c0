//! `provender cache info`.

use crate::commands::cache::Cache;
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::failure::ExitCode;
use crate::ops::OpError;
use crate::store::PackageCache;
use crate::ui::{CacheReport, JsonReport, cache_lines, cache_totals};

/// Shows what the cache holds.
pub(super) fn run(context: &Context<'_>, cache: &Cache) -> Result<Option<ExitCode>, CommandError> {
    let contents = cache.packages.as_ref().map(PackageCache::contents);
    let contents = contents
        .transpose()
        .map_err(OpError::from)?
        .unwrap_or_default();
    let text = if context.printer.is_json() {
        JsonReport::of_cache("cache info", &CacheReport::of(&cache.dir, &contents)).render()
    } else {
        format!(
            "{}{}\n",
            cache_lines(&contents),
            cache_totals(&cache.dir, &contents)
        )
    };
    context.printer.answer(&text);
    Ok(None)
}
