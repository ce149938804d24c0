//! The test server: routes, faults and the log of requests, on a thread of its own, gone when dropped.
//!
//! A route's key is `PATH`, `PATH?QUERY`, or one of them after `METHOD `; the most exact key wins. Keys without a
//! method stand for every method, but faults under them leave `HEAD` requests alone.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;

use super::connection;
use super::fault::{Fault, When};
use super::reply::Reply;
use super::request::Request;
use super::state::{self, State};
use super::tls::{Authority, CaFile};

/// What the server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// TLS with a certificate of the shared authority.
    Tls,
    /// TLS with a certificate of an authority that nobody knows.
    UntrustedTls,
    /// Plain HTTP.
    Plain,
}

/// How a server is to be made.
#[must_use]
pub struct ServerBuilder {
    transport: Transport,
    names: Vec<String>,
    directory: Option<PathBuf>,
}

impl ServerBuilder {
    /// Chooses what it speaks; TLS if not called.
    pub fn transport(self, transport: Transport) -> Self {
        Self { transport, ..self }
    }

    /// Adds a name to its certificate.
    pub fn name(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self
    }

    /// Serves the files of a directory where no route matches.
    pub fn directory(self, directory: &Path) -> Self {
        Self {
            directory: Some(directory.to_owned()),
            ..self
        }
    }

    /// Starts it on a free port of 127.0.0.1.
    pub fn start(self) -> TestServer {
        let acceptor = match self.transport {
            Transport::Plain => None,
            Transport::Tls => Some(Authority::shared().server_config(&self.names)),
            Transport::UntrustedTls => Some(Authority::generate().server_config(&self.names)),
        };
        TestServer::start(acceptor.map(TlsAcceptor::from), State::new(self.directory))
    }
}

/// A running server.
pub struct TestServer {
    state: Arc<State>,
    address: SocketAddr,
    scheme: &'static str,
    ca: CaFile,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    /// A server with choices to make.
    pub fn builder() -> ServerBuilder {
        ServerBuilder {
            transport: Transport::Tls,
            names: Vec::new(),
            directory: None,
        }
    }

    /// A TLS server that answers 404 until routes are set.
    pub fn empty() -> Self {
        Self::builder().start()
    }

    /// Serves `directory` over TLS, as a network mirror is served.
    pub fn of_directory(directory: &Path) -> Self {
        Self::builder().directory(directory).start()
    }

    fn start(acceptor: Option<TlsAcceptor>, state: State) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
        listener
            .set_nonblocking(true)
            .expect("a socket can be non-blocking");
        let address = listener
            .local_addr()
            .expect("a bound socket has an address");
        let scheme = if acceptor.is_some() { "https" } else { "http" };
        let state = Arc::new(state);
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&state);
        let thread = thread::spawn(move || run(listener, acceptor, served, stopped));
        Self {
            state,
            address,
            scheme,
            ca: CaFile::write(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// `localhost:PORT`.
    pub fn host(&self) -> String {
        format!("localhost:{}", self.port())
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// `https://localhost:PORT`, or `http://...`, without a final slash.
    pub fn base_url(&self) -> String {
        format!("{}://{}", self.scheme, self.host())
    }

    /// The same server under another name: `https://127.0.0.1:PORT`.
    pub fn numeric_url(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// `path` on this server.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url())
    }

    /// The CA certificate that clients must trust, a PEM file.
    pub fn ca_file(&self) -> &Path {
        self.ca.path()
    }

    /// Sets the answer of a route, replacing an earlier one.
    pub fn route(&self, key: &str, reply: Reply) {
        self.route_fn(key, move |_| reply.clone());
    }

    /// Sets a route whose answer depends on the request.
    pub fn route_fn(&self, key: &str, handler: impl Fn(&Request) -> Reply + Send + Sync + 'static) {
        self.state
            .lock()
            .routes
            .insert(key.to_owned(), Arc::new(handler));
    }

    /// Asks `guard` before any route; what it answers is sent instead.
    pub fn guard(&self, guard: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static) {
        self.state.lock().guard = Some(Arc::new(guard));
    }

    /// Spoils every answer of a route.
    pub fn fault(&self, key: &str, fault: Fault) {
        self.fault_when(key, When::Always, fault);
    }

    /// Spoils some answers of a route. Of several faults the first set that applies acts.
    pub fn fault_when(&self, key: &str, when: When, fault: Fault) {
        self.state.lock().plan(key, when, fault);
    }

    /// Makes the server honest again.
    pub fn clear_faults(&self) {
        self.state.lock().faults.clear();
    }

    /// Lets all stalled answers, present and future, go on.
    pub fn release(&self) {
        self.state.open_gate();
    }

    /// All requests so far, in order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().log.clone()
    }

    /// The requests so far whose target or path is that.
    pub fn requests_for(&self, path: &str) -> Vec<Request> {
        self.state
            .lock()
            .log
            .iter()
            .filter(|request| state::names(request, path))
            .cloned()
            .collect()
    }

    /// The requests so far as `METHOD TARGET` lines.
    pub fn request_lines(&self) -> Vec<String> {
        self.state.lock().log.iter().map(Request::line).collect()
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        self.state.lock().log.clear();
    }

    /// Waits until `count` requests for `path` have arrived.
    pub fn wait_for(&self, path: &str, count: usize) {
        self.state.wait_for(path, count);
    }

    /// Connections so far, all together.
    pub fn connections(&self) -> usize {
        self.state.lock().connections.total
    }

    /// The most connections that were open at once.
    pub fn peak_connections(&self) -> usize {
        self.state.lock().connections.peak
    }

    /// The most requests that were being answered at once.
    pub fn peak_requests(&self) -> usize {
        self.state.lock().in_flight.peak
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic there has been printed already; a second one here would abort the test program.
            let _ended = thread.join();
        }
    }
}

/// The server's thread: everything in its runtime ends when the other half of `stopped` is dropped.
fn run(
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
    state: Arc<State>,
    stopped: oneshot::Receiver<()>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime can be made");
    runtime.block_on(async move {
        let listener =
            tokio::net::TcpListener::from_std(listener).expect("the socket is non-blocking");
        tokio::select! {
            () = connection::accept(listener, acceptor, state) => {}
            _ = stopped => {}
        }
    });
}
