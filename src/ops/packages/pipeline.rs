//! The pipeline of all commands that fetch: metadata is asked for ahead, then the work on packages
//! begins, the largest first, so many at once.
//!
//! The largest first, because a large package that starts last would leave all other hands idle.
//! Their sizes are known late and only in part, so what is known when a hand comes free decides. Work
//! that rests, because a host has to be left alone, does not keep others from working.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many items are prepared before anybody has time for them.
const AHEAD: usize = 64;

/// What preparing an item comes to.
pub(in crate::ops) enum Prepared<W, O> {
    /// There is nothing to do.
    Done(O),
    /// There is work.
    Work {
        /// What is needed for it.
        work: W,
        /// How much it is, in bytes; 0 if nobody knows.
        weight: u64,
    },
}

/// One of the hands that work. Whoever works holds one; who rests lets others have it.
#[derive(Debug)]
pub(in crate::ops) struct Slot {
    all: Arc<Semaphore>,
    permit: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Slot {
    /// Lets others work until `wait` is over, then waits until there is a hand again.
    pub(in crate::ops) fn rest<'a>(&'a self, wait: BoxFuture<'a, ()>) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            drop(self.exchange(None));
            wait.await;
            let permit = Arc::clone(&self.all).acquire_owned().await;
            self.exchange(permit.ok());
        })
    }

    fn exchange(&self, permit: Option<OwnedSemaphorePermit>) -> Option<OwnedSemaphorePermit> {
        let mut held = self.permit.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut held, permit)
    }
}

/// Prepares all `items` and works on what comes out of that, `jobs` at once of each kind. The
/// outcomes come in no order.
pub(in crate::ops) async fn heaviest_first<I, W, O, P, F>(
    items: impl IntoIterator<Item = I>,
    jobs: usize,
    prepare: impl Fn(I) -> P,
    work: impl Fn(W, Slot) -> F,
) -> Vec<O>
where
    P: Future<Output = Prepared<W, O>>,
    F: Future<Output = O>,
{
    let mut items = items.into_iter();
    let slots = Arc::new(Semaphore::new(jobs));
    let mut preparing = FuturesUnordered::new();
    let mut ready = Ready::default();
    let mut working = FuturesUnordered::new();
    let mut outcomes = Vec::new();
    loop {
        while preparing.len() < jobs && preparing.len() + ready.len() < AHEAD {
            let Some(item) = items.next() else { break };
            preparing.push(prepare(item));
        }
        if preparing.is_empty() && ready.is_empty() && working.is_empty() {
            return outcomes;
        }
        tokio::select! {
            Some(prepared) = preparing.next() => match prepared {
                Prepared::Done(outcome) => outcomes.push(outcome),
                Prepared::Work { work, weight } => ready.push(work, weight),
            },
            Some(outcome) = working.next() => outcomes.push(outcome),
            permit = Arc::clone(&slots).acquire_owned(), if !ready.is_empty() => {
                let slot = Slot {
                    all: Arc::clone(&slots),
                    permit: Mutex::new(permit.ok()),
                };
                if let Some(heaviest) = ready.take_heaviest() {
                    working.push(work(heaviest, slot));
                }
            }
        }
    }
}

/// Work that waits for a hand.
struct Ready<W>(Vec<(u64, W)>);

impl<W> Default for Ready<W> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<W> Ready<W> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn push(&mut self, work: W, weight: u64) {
        self.0.push((weight, work));
    }

    /// The heaviest; of several, the one that waits longest.
    fn take_heaviest(&mut self) -> Option<W> {
        let weights = self.0.iter().enumerate().rev();
        let (index, _) = weights.max_by_key(|(_, (weight, _))| *weight)?;
        Some(self.0.remove(index).1)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use futures_util::FutureExt;
    use futures_util::future::ready;
    use tokio::sync::oneshot;
    use tokio::task::yield_now;

    use super::*;

    #[test]
    fn heaviest_is_taken_first_and_of_equals_the_oldest() {
        let mut waiting = Ready::default();
        for (work, weight) in [("a", 1), ("b", 7), ("c", 0), ("d", 7)] {
            waiting.push(work, weight);
        }
        let order: Vec<_> = std::iter::from_fn(|| waiting.take_heaviest()).collect();
        assert_eq!(order, ["b", "d", "a", "c"]);
    }

    #[tokio::test]
    async fn everything_comes_out_and_no_more_than_jobs_work_at_once() {
        let (working, most) = (Cell::new(0), Cell::new(0));
        let prepare = |item: u64| {
            ready(match item % 3 {
                0 => Prepared::Done(item),
                _ => Prepared::Work {
                    work: item,
                    weight: item,
                },
            })
        };
        let (working, most) = (&working, &most);
        let work = |item, slot: Slot| async move {
            working.set(working.get() + 1);
            most.set(most.get().max(working.get()));
            yield_now().await;
            working.set(working.get() - 1);
            drop(slot);
            item
        };
        let mut outcomes = heaviest_first(0..200, 4, prepare, work).await;
        outcomes.sort_unstable();
        assert_eq!(outcomes, (0..200).collect::<Vec<_>>());
        assert_eq!(most.get(), 4);
    }

    #[tokio::test]
    async fn who_rests_lets_others_work() {
        let (wake, rested) = oneshot::channel::<()>();
        let rested = RefCell::new(Some(rested));
        let wake = RefCell::new(Some(wake));
        let (rested, wake) = (&rested, &wake);
        let prepare = |item: u64| {
            ready(Prepared::Work {
                work: item,
                weight: item,
            })
        };
        // The heavier one rests until the other one is done: with one hand, that needs the hand.
        let work = |item, slot: Slot| async move {
            if item == 2 {
                let rested = rested.borrow_mut().take().unwrap();
                slot.rest(rested.map(|_| ()).boxed()).await;
            } else {
                wake.borrow_mut().take().unwrap().send(()).unwrap();
            }
            item
        };
        let outcomes: Vec<u64> = heaviest_first([2, 1], 1, prepare, work).await;
        assert_eq!(outcomes, [1, 2]);
    }
}
