//! How use cases work with the package cache: wait for an entry without blocking a thread, and do
//! without the cache where it cannot be read or written.

use std::sync::Arc;

use crate::disk::when_free;
use crate::document::PackageId;
use crate::hash::Sha256Digest;
use crate::ops::Reporter;
use crate::store::{CacheEntry, PackageCache, StoreError};

/// Locks the entry of `digest`, which package `id` has, waiting for whoever fills it; `None` if the cache
/// cannot be used.
pub(in crate::ops) async fn locked_entry(
    cache: &PackageCache,
    digest: Sha256Digest,
    id: &PackageId,
    reporter: &dyn Reporter,
) -> Result<Option<Arc<CacheEntry>>, StoreError> {
    let look = || {
        let cache = cache.clone();
        move || cache.try_entry(digest)
    };
    let tell = || reporter.note(&format!("waiting for another process that fetches {id}"));
    let entry = when_free(look, tell).await;
    Ok(usable(entry, reporter)?.map(Arc::new))
}

/// The result of work in the cache; `None`, and a warning, if its disk is the trouble. Then the
/// package is had without it.
pub(in crate::ops) fn usable<T>(
    result: Result<T, StoreError>,
    reporter: &dyn Reporter,
) -> Result<Option<T>, StoreError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_about_disk() => {
            warn("package cache", &error, reporter);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Tells that a cache is not used for a package.
pub(in crate::ops) fn warn(cache: &str, error: &dyn std::error::Error, reporter: &dyn Reporter) {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    let texts: Vec<String> = std::iter::once(error.to_string())
        .chain(causes.map(ToString::to_string))
        .collect();
    let text = texts.join(": ");
    reporter.warning(&format!("going on without the {cache}: {text}"));
}
