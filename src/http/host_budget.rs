//! One budget of requests per host: a host that limits its rate slows down its own requests and
//! nobody else's.
//!
//! A host starts without a limit. When it answers that it had too many requests, its requests wait as
//! long as it asks, and from then on it has half as many at a time as it had. Answers without complaint
//! allow one more: at first one answer does, and twice as many after each further complaint, so that a
//! host with a steady limit is not tried again and again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};
use url::Url;

/// The budgets of all hosts that were asked.
#[derive(Debug, Default)]
pub(super) struct HostBudgets(Mutex<HashMap<String, Arc<HostBudget>>>);

impl HostBudgets {
    /// The budget of the host and port of `url`.
    pub(super) fn of(&self, url: &Url) -> Arc<HostBudget> {
        let port = url.port_or_known_default().unwrap_or_default();
        let host = format!("{}:{port}", url.host_str().unwrap_or_default());
        let mut budgets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(budgets.entry(host).or_default())
    }
}

/// The requests to one host.
#[derive(Debug, Default)]
pub(super) struct HostBudget {
    state: Mutex<State>,
    changed: Notify,
}

/// The most answers without complaint that are waited for until one more request is tried.
const MOST_CAUTION: usize = 64;

#[derive(Debug)]
struct State {
    at_once: usize,
    in_flight: usize,
    not_before: Option<Instant>,
    /// Answers without complaint since the last change of `at_once`, and how many it takes.
    praise: usize,
    caution: usize,
}

impl Default for State {
    fn default() -> Self {
        Self {
            at_once: usize::MAX,
            in_flight: 0,
            not_before: None,
            praise: 0,
            caution: 0,
        }
    }
}

/// What has to happen before a request may be sent.
#[derive(Debug, PartialEq, Eq)]
enum Turn {
    Now,
    At(Instant),
    AfterAnother,
}

/// The right to one request, given back when dropped.
#[derive(Debug)]
pub(super) struct Admission {
    budget: Arc<HostBudget>,
}

impl HostBudget {
    /// Waits until one more request may be sent.
    pub(super) async fn admission(self: Arc<Self>) -> Admission {
        loop {
            let changed = self.changed.notified();
            let turn = self.state().turn(Instant::now());
            match turn {
                Turn::Now => {
                    return Admission {
                        budget: self.clone(),
                    };
                }
                Turn::At(time) => sleep_until(time).await,
                Turn::AfterAnother => changed.await,
            }
        }
    }

    /// The host said that it had too many requests and asks to be left alone for so long.
    pub(super) fn exceeded(&self, wait: Duration) {
        let now = Instant::now();
        self.state().exceeded(now, now + wait);
    }

    /// The host answered without complaint.
    pub(super) fn succeeded(&self) {
        self.state().succeeded();
        self.changed.notify_waiters();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn exceeded(&mut self, now: Instant, until: Instant) {
        self.at_once = (self.at_once.min(self.in_flight) / 2).max(1);
        self.praise = 0;
        // Complaints about requests that were sent together are one.
        if self.not_before.is_none_or(|time| time <= now) {
            self.caution = (self.caution * 2).clamp(1, MOST_CAUTION);
        }
        self.not_before = Some(self.not_before.map_or(until, |known| known.max(until)));
    }

    fn succeeded(&mut self) {
        self.praise += 1;
        if self.praise >= self.caution {
            self.praise = 0;
            self.at_once = self.at_once.saturating_add(1);
        }
    }

    fn turn(&mut self, now: Instant) -> Turn {
        if let Some(time) = self.not_before.filter(|time| *time > now) {
            return Turn::At(time);
        }
        if self.in_flight >= self.at_once {
            return Turn::AfterAnother;
        }
        self.in_flight += 1;
        Turn::Now
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.budget.state().in_flight -= 1;
        self.budget.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn ready(budget: &Arc<HostBudget>) -> Option<Admission> {
        Arc::clone(budget).admission().now_or_never()
    }

    #[test]
    fn limited_host_waits_as_long_as_it_asks() {
        let (mut state, now) = (State::default(), Instant::now());
        let seconds = |count| now + Duration::from_secs(count);
        state.exceeded(now, seconds(20));
        state.exceeded(now, seconds(5));
        assert_eq!(state.turn(now), Turn::At(seconds(20)));
        assert_eq!(state.turn(seconds(19)), Turn::At(seconds(20)));
        assert_eq!(state.turn(seconds(20)), Turn::Now);
    }

    #[tokio::test]
    async fn ports_and_hosts_have_budgets_of_their_own() {
        let budgets = HostBudgets::default();
        let of = |url: &str| budgets.of(&url.parse().unwrap());
        of("https://example.com/a").exceeded(Duration::from_secs(60));
        assert!(ready(&of("https://example.com:443/b")).is_none());
        assert!(ready(&of("https://example.com:8443/a")).is_some());
        assert!(ready(&of("https://other.example.com/a")).is_some());
    }

    #[test]
    fn limited_host_has_half_as_many_at_once_until_it_answers() {
        let budget = Arc::new(HostBudget::default());
        let mut held: Vec<_> = (0..8).filter_map(|_| ready(&budget)).collect();
        assert_eq!(held.len(), 8);
        budget.exceeded(Duration::ZERO);
        assert!(ready(&budget).is_none());
        held.truncate(3);
        held.extend(ready(&budget));
        assert_eq!(held.len(), 4, "half of eight");
        assert!(ready(&budget).is_none());
        budget.succeeded();
        held.extend(ready(&budget));
        assert_eq!(held.len(), 5);
    }

    #[test]
    fn host_that_complains_again_is_tried_less_often() {
        let (mut state, now) = (State::default(), Instant::now());
        let wait = Duration::from_secs(1);
        let answers_until_one_more = |state: &mut State| {
            let before = state.at_once;
            (1..=1000).find(|_| {
                state.succeeded();
                state.at_once > before
            })
        };
        let mut answers = Vec::new();
        for wave in 0..8 {
            let sent = now + 2 * wave * wait;
            state.exceeded(sent, sent + wait);
            state.exceeded(sent, sent + wait);
            answers.extend(answers_until_one_more(&mut state));
        }
        assert_eq!(answers, [1, 2, 4, 8, 16, 32, 64, 64]);
    }

    #[tokio::test]
    async fn who_waits_for_another_is_woken() {
        let budget = Arc::new(HostBudget::default());
        let held = ready(&budget).unwrap();
        budget.exceeded(Duration::ZERO);
        let waiting = tokio::spawn(Arc::clone(&budget).admission());
        tokio::task::yield_now().await;
        drop(held);
        waiting.await.unwrap();
    }
}
