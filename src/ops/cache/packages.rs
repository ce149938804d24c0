//! How use cases work with the package cache: wait for an entry without blocking a thread, and do
//! without the cache where it cannot be read or written.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use crate::document::PackageId;
use crate::hash::Sha256Digest;
use crate::ops::Reporter;
use crate::ops::blocking::on_blocking_pool;
use crate::store::{CacheEntry, PackageCache, StoreError};

/// How often to look whether another process has let go of an entry. A wait in the system could not
/// be interrupted.
pub(in crate::ops) const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// So many looks, which take a second together, are made before the user is told of the wait.
pub(in crate::ops) const PATIENCE: usize = 20;

/// Locks the entry of `digest`, which package `id` has, waiting for whoever fills it; `None` if the cache
/// cannot be used.
pub(in crate::ops) async fn locked_entry(
    cache: &PackageCache,
    digest: Sha256Digest,
    id: &PackageId,
    reporter: &dyn Reporter,
) -> Result<Option<Arc<CacheEntry>>, StoreError> {
    for look in 0_usize.. {
        let ask = cache.clone();
        let entry = on_blocking_pool(move || ask.try_entry(digest)).await;
        match usable(entry, reporter)? {
            None => return Ok(None),
            Some(Some(entry)) => return Ok(Some(Arc::new(entry))),
            Some(None) => {}
        }
        if look == PATIENCE {
            reporter.note(&format!("waiting for another process that fetches {id}"));
        }
        sleep(LOOK_AGAIN).await;
    }
    Ok(None)
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
