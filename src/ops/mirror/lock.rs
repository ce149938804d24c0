//! Waiting for the right to change documents of a mirror.

use std::fmt::Display;
use std::path::Path;

use crate::disk::{self, FileLock};
use crate::ops::Reporter;
use crate::ops::blocking::on_blocking_pool;
use crate::store::{MirrorLock, MirrorStore, StoreError};

/// Waits until no other process changes documents of the mirror. The waiting ends when it is dropped.
///
/// # Errors
///
/// If the lock file cannot be made.
pub(in crate::ops) async fn lock_mirror(
    store: &MirrorStore,
    reporter: &dyn Reporter,
) -> Result<MirrorLock, StoreError> {
    let root = store.layout().root().display();
    let ask = || {
        let asked = store.clone();
        move || asked.try_lock()
    };
    wait_for(ask, &root, reporter).await
}

/// Waits until no other process holds the lock file `path` of the mirror in `root`.
///
/// # Errors
///
/// If the lock file cannot be made.
pub(in crate::ops) async fn lock_file(
    path: &Path,
    root: &impl Display,
    reporter: &dyn Reporter,
) -> Result<FileLock, StoreError> {
    let parent = path.parent().unwrap_or(path).to_owned();
    on_blocking_pool(move || disk::create_dir_all(&parent)).await?;
    let ask = || {
        let path = path.to_owned();
        move || Ok(FileLock::try_exclusive(&path)?)
    };
    wait_for(ask, root, reporter).await
}

async fn wait_for<T, F>(
    ask: impl Fn() -> F,
    root: &impl Display,
    reporter: &dyn Reporter,
) -> Result<T, StoreError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<Option<T>, StoreError> + Send + 'static,
{
    let tell = || reporter.note(&format!("waiting for another process that writes `{root}`"));
    disk::when_free(ask, tell).await
}
