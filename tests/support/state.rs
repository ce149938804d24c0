//! What the connections of a test server share: routes, planned faults, the log of requests, and counts.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::directory::{self, percent_decoded};
use super::fault::{Fault, When};
use super::reply::Reply;
use super::request::Request;
use super::script::{self, Script};

/// Longer than any honest test waits for a request.
const PATIENCE: Duration = Duration::from_secs(60);

type Handler = Arc<dyn Fn(&Request) -> Reply + Send + Sync>;
type Guard = Arc<dyn Fn(&Request) -> Option<Reply> + Send + Sync>;

/// A fault, and how many requests for its route have come since it was set.
pub(super) struct Planned {
    key: String,
    when: When,
    fault: Fault,
    seen: usize,
}

/// How many of something there are, were at most, and were in all.
#[derive(Default)]
pub(super) struct Count {
    pub(super) now: usize,
    pub(super) peak: usize,
    pub(super) total: usize,
}

impl Count {
    fn up(&mut self) -> usize {
        self.now += 1;
        self.total += 1;
        self.peak = self.peak.max(self.now);
        self.total
    }
}

/// All that changes while a server runs.
#[derive(Default)]
pub(super) struct Books {
    pub(super) routes: HashMap<String, Handler>,
    pub(super) guard: Option<Guard>,
    pub(super) faults: Vec<Planned>,
    pub(super) log: Vec<Request>,
    received: usize,
    pub(super) connections: Count,
    pub(super) in_flight: Count,
}

/// What the connections of a server share.
pub(super) struct State {
    books: Mutex<Books>,
    arrived: Condvar,
    release: watch::Sender<bool>,
    directory: Option<PathBuf>,
}

impl State {
    /// Nothing routed, nothing logged.
    pub(super) fn new(directory: Option<PathBuf>) -> Self {
        let release = watch::Sender::new(false);
        Self {
            books: Mutex::default(),
            arrived: Condvar::new(),
            release,
            directory,
        }
    }

    /// The books, locked; a panic of another thread does not hide them.
    pub(super) fn lock(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a connection for as long as the result lives.
    pub(super) fn connection_opened(self: &Arc<Self>) -> OpenConnection {
        let number = self.lock().connections.up();
        OpenConnection {
            number,
            state: Arc::clone(self),
        }
    }

    /// Waits until `count` requests for `path` have arrived.
    pub(super) fn wait_for(&self, path: &str, count: usize) {
        let missing = |books: &mut Books| {
            books
                .log
                .iter()
                .filter(|request| names(request, path))
                .count()
                < count
        };
        let (books, waited) = self
            .arrived
            .wait_timeout_while(self.lock(), PATIENCE, missing)
            .unwrap_or_else(PoisonError::into_inner);
        drop(books);
        assert!(
            !waited.timed_out(),
            "no {count} requests for `{path}` within {PATIENCE:?}"
        );
    }

    /// Lets stalled answers go on, for good.
    pub(super) fn open_gate(&self) {
        self.release.send_replace(true);
    }

    /// Waits until stalled answers may go on.
    pub(super) async fn released(&self) {
        let mut gate = self.release.subscribe();
        // An error would say that the sender is gone, but it lives as long as `self`.
        let _open = gate.wait_for(|open| *open).await;
    }

    /// Logs the request and decides what is sent; the request counts as in flight while the second result lives.
    pub(super) fn answer(&self, mut request: Request) -> (Script, InFlight<'_>) {
        let mut books = self.lock();
        books.received += 1;
        request.number = books.received;
        request.beside = books.in_flight.now;
        books.log.push(request.clone());
        books.in_flight.up();
        let (guard, handler, fault) = (
            books.guard.clone(),
            books.handler(&request),
            books.fault(&request),
        );
        drop(books);
        self.arrived.notify_all();

        // Handlers run without the lock: they may look at the server themselves.
        let honest = guard
            .and_then(|guard| guard(&request))
            .or_else(|| handler.map(|handler| handler(&request)))
            .or_else(|| {
                self.directory
                    .as_deref()
                    .and_then(|root| directory::reply(root, request.path()))
            })
            .unwrap_or_else(|| Reply::status(404));
        let script = match fault {
            Some(fault) => fault.script(honest, &request),
            None if request.method == "HEAD" => script::head_only(&honest.answering(&request)),
            None => script::honest(&honest.answering(&request)),
        };
        (script, InFlight(self))
    }
}

impl Books {
    /// Adds a fault.
    pub(super) fn plan(&mut self, key: &str, when: When, fault: Fault) {
        self.faults.push(Planned {
            key: key.to_owned(),
            when,
            fault,
            seen: 0,
        });
    }

    fn handler(&self, request: &Request) -> Option<Handler> {
        keys(request)
            .iter()
            .find_map(|key| self.routes.get(key))
            .cloned()
    }

    fn fault(&mut self, request: &Request) -> Option<Fault> {
        let keys = keys(request);
        let mut chosen = None;
        for planned in self
            .faults
            .iter_mut()
            .filter(|planned| keys.contains(&planned.key))
        {
            if request.method == "HEAD" && !planned.key.starts_with("HEAD ") {
                continue;
            }
            planned.seen += 1;
            if chosen.is_none() && planned.when.applies_to(planned.seen) {
                chosen = Some(planned.fault.clone());
            }
        }
        chosen
    }
}

/// Route keys that a request matches, the most exact first.
fn keys(request: &Request) -> Vec<String> {
    let (method, target, path) = (&request.method, &request.target, request.path());
    let decoded = percent_decoded(path);
    let exact = [target.as_str(), path, &decoded];
    exact
        .iter()
        .flat_map(|name| [format!("{method} {name}"), (*name).to_owned()])
        .collect()
}

/// Whether `path` is what the request asks for, with or without its query.
pub(super) fn names(request: &Request, path: &str) -> bool {
    request.target == path || request.path() == path || percent_decoded(request.path()) == path
}

/// A connection that is open.
pub(super) struct OpenConnection {
    number: usize,
    state: Arc<State>,
}

impl OpenConnection {
    /// Its number on this server, from 1.
    pub(super) fn number(&self) -> usize {
        self.number
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.state.lock().connections.now -= 1;
    }
}

/// A request that is being answered.
pub(super) struct InFlight<'a>(&'a State);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.lock().in_flight.now -= 1;
    }
}
