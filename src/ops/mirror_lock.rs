//! Waiting for the right to change documents of a mirror.

use std::time::Duration;

use crate::ops::Reporter;
use crate::ops::blocking::on_blocking_pool;
use crate::store::{MirrorLock, MirrorStore, StoreError};

/// How often another process is asked whether it is done.
const POLL: Duration = Duration::from_millis(100);

/// Waits until no other process changes documents of the mirror. The waiting ends when it is dropped.
///
/// # Errors
///
/// If the lock file cannot be made.
pub(super) async fn lock_mirror(
    store: &MirrorStore,
    reporter: &dyn Reporter,
) -> Result<MirrorLock, StoreError> {
    let mut is_told = false;
    loop {
        let asked = store.clone();
        if let Some(lock) = on_blocking_pool(move || asked.try_lock()).await? {
            return Ok(lock);
        }
        if !is_told {
            let root = store.layout().root().display();
            let text = format!("waiting for another process that writes `{root}`");
            reporter.note(&text);
            is_told = true;
        }
        tokio::time::sleep(POLL).await;
    }
}
