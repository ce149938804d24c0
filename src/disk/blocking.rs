//! The door to the blocking pool, for everything of floors above that computes or waits for a disk.

use tokio::task::spawn_blocking;

/// Runs `work` on the blocking pool. A panic in it goes on here: it is a bug, and hiding it would
/// turn it into a wrong result.
pub async fn on_blocking_pool<T, F>(work: F) -> T
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    match spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The pool only cancels work while the process is shutting down.
            Err(_) => std::future::pending().await,
        },
    }
}
