//! Waiting for what another process holds.

use std::time::Duration;

use crate::disk::on_blocking_pool;

/// How often to look. A wait in the system could not be interrupted.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// So many looks, which take a second together, are made before the user is told of the wait.
const PATIENCE: usize = 20;

/// Looks until what is wanted is there, on the blocking pool: `look` makes one look, `tell` is called once if the wait takes
/// longer. Who waits can be interrupted: the waiting ends when it is dropped.
///
/// # Errors
///
/// If a look fails.
pub async fn when_free<T, E, L>(look: impl Fn() -> L, tell: impl FnOnce()) -> Result<T, E>
where
    T: Send + 'static,
    E: Send + 'static,
    L: FnOnce() -> Result<Option<T>, E> + Send + 'static,
{
    for _ in 0..PATIENCE {
        if let Some(found) = on_blocking_pool(look()).await? {
            return Ok(found);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    tell();
    loop {
        if let Some(found) = on_blocking_pool(look()).await? {
            return Ok(found);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    async fn told(busy: usize) -> (Result<usize, ()>, usize) {
        let (looks, told) = (Arc::new(AtomicUsize::new(0)), Cell::new(0));
        let look = || {
            let looks = Arc::clone(&looks);
            move || {
                let look = looks.fetch_add(1, Ordering::Relaxed);
                Ok((look == busy).then_some(look))
            }
        };
        let found = when_free(look, || told.set(told.get() + 1)).await;
        (found, told.get())
    }

    #[tokio::test]
    async fn long_waits_are_told_once() {
        for (busy, expected) in [(0, 0), (2, 0), (PATIENCE + 1, 1)] {
            assert_eq!(told(busy).await, (Ok(busy), expected), "{busy}");
        }
    }

    #[tokio::test]
    async fn a_look_that_fails_ends_the_wait() {
        let failed: Result<(), _> = when_free(|| || Err("broken"), || {}).await;
        assert_eq!(failed, Err("broken"));
    }
}
