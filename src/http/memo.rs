//! Answers that are asked for once per process, however many tasks want them at the same time.

use std::collections::HashMap;
use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

type Cell<V> = Arc<OnceCell<Arc<V>>>;

/// Remembers one answer for each key; errors are not remembered.
#[derive(Debug)]
pub struct Memo<K, V> {
    cells: Mutex<HashMap<K, Cell<V>>>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self {
            cells: Mutex::default(),
        }
    }
}

impl<K: Eq + Hash, V> Memo<K, V> {
    /// The answer for `key`, from `ask` if there is none yet. Who comes while another task asks
    /// waits for its answer, and asks again if that was an error.
    ///
    /// # Errors
    ///
    /// What `ask` fails with.
    pub async fn get_or_ask<E, F>(&self, key: K, ask: impl FnOnce() -> F) -> Result<Arc<V>, E>
    where
        F: Future<Output = Result<V, E>>,
    {
        let cell = {
            // The map is whole even if a thread panicked while it held the lock.
            let mut cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry(key).or_default())
        };
        let answer = cell.get_or_try_init(|| async { ask().await.map(Arc::new) });
        answer.await.cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn asks_once_for_each_key_and_again_after_an_error() {
        let memo = Memo::default();
        let asked = AtomicU32::new(0);
        let ask = |answer: Result<u32, ()>| {
            asked.fetch_add(1, Ordering::Relaxed);
            async move { answer }
        };
        assert_eq!(memo.get_or_ask("a", || ask(Err(()))).await, Err(()));
        let (one, other) = tokio::join!(
            memo.get_or_ask("a", || ask(Ok(7))),
            memo.get_or_ask("a", || ask(Ok(8))),
        );
        assert_eq!((*one.unwrap(), *other.unwrap()), (7, 7));
        assert_eq!(*memo.get_or_ask("b", || ask(Ok(9))).await.unwrap(), 9);
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }
}
