//! The server of one callback: it waits for the browser, and holds its page until the login is decided.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinSet;

use super::listener::CallbackListener;
use super::page::Page;
use crate::document::oauth::{CALLBACK_PATH, Callback, State};

/// How long a browser may take for the head of its request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How large that head may be.
const HEAD_CAP: usize = 16 << 10;

/// How many connections are served at once; more wait.
const CONNECTIONS: usize = 16;

/// How long the browser may take to fetch the last page.
const FAREWELL: Duration = Duration::from_secs(2);

/// A callback that arrived, and the browser that waits for its page.
#[derive(Debug)]
pub struct Arrival {
    /// What it brought.
    pub callback: Callback,
    answer: oneshot::Sender<Page>,
    closed: oneshot::Receiver<Infallible>,
}

impl Arrival {
    /// Shows the page, and waits a little until the browser has it.
    pub async fn show(self, page: Page) {
        if self.answer.send(page).is_ok() {
            // The other end is dropped with its connection; a browser that does not read is left alone.
            let _ = tokio::time::timeout(FAREWELL, self.closed).await;
        }
    }
}

/// A running server; dropping it closes its sockets and connections.
#[derive(Debug)]
pub struct CallbackServer {
    arrivals: mpsc::Receiver<Arrival>,
    _tasks: JoinSet<()>,
}

impl CallbackServer {
    /// Serves on the sockets of `listener`, for the login with `state`.
    pub fn start(listener: CallbackListener, state: State) -> Self {
        let (sender, arrivals) = mpsc::channel(1);
        let desk = Arc::new(Desk {
            port: listener.port(),
            state,
            arrivals: Mutex::new(Some(sender)),
            connections: Arc::new(Semaphore::new(CONNECTIONS)),
        });
        let mut tasks = JoinSet::new();
        for socket in listener.into_sockets() {
            tasks.spawn(accept(socket, Arc::clone(&desk)));
        }
        Self {
            arrivals,
            _tasks: tasks,
        }
    }

    /// The first request with the right state; none if the sockets broke.
    pub async fn arrival(&mut self) -> Option<Arrival> {
        self.arrivals.recv().await
    }
}

/// What the connections share.
struct Desk {
    port: u16,
    state: State,
    /// Taken by the first callback: a state is good for one.
    arrivals: Mutex<Option<mpsc::Sender<Arrival>>>,
    connections: Arc<Semaphore>,
}

async fn accept(socket: TcpListener, desk: Arc<Desk>) {
    let mut connections = JoinSet::new();
    loop {
        let Ok(permit) = Arc::clone(&desk.connections).acquire_owned().await else {
            return;
        };
        match socket.accept().await {
            Ok((stream, _)) => {
                let desk = Arc::clone(&desk);
                connections.spawn(async move {
                    serve(stream, desk).await;
                    drop(permit);
                });
            }
            // Passing trouble, such as too many open files.
            Err(error) => {
                log::debug!("a connection to the callback failed: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(stream: TcpStream, desk: Arc<Desk>) {
    let (closing, closed) = oneshot::channel();
    let closed = Mutex::new(Some(closed));
    let answer = |request: Request<Incoming>| {
        let closed = closed.lock().unwrap_or_else(PoisonError::into_inner).take();
        let desk = Arc::clone(&desk);
        async move { Ok::<_, Infallible>(desk.answer(&request, closed).await) }
    };
    let served = http1::Builder::new()
        .keep_alive(false)
        .max_buf_size(HEAD_CAP)
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service_fn(answer));
    if let Err(error) = served.await {
        log::debug!("a connection to the callback broke: {error}");
    }
    drop(closing);
}

impl Desk {
    async fn answer(
        &self,
        request: &Request<Incoming>,
        closed: Option<oneshot::Receiver<Infallible>>,
    ) -> Response<Full<Bytes>> {
        if !self.is_here(request) {
            return plain(
                StatusCode::MISDIRECTED_REQUEST,
                "This is not the place for that host.",
            );
        }
        if request.uri().path() != CALLBACK_PATH {
            return plain(StatusCode::NOT_FOUND, "There is nothing here.");
        }
        if request.method() != Method::GET {
            let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "Only GET is understood.");
            refused
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET"));
            return refused;
        }
        let query = request.uri().query().unwrap_or_default();
        let callback = match Callback::parse(query, &self.state) {
            Ok(callback) => callback,
            Err(error) => {
                log::info!("a request for the callback was turned away: {error}");
                return plain(
                    StatusCode::BAD_REQUEST,
                    "This is not the login that is waited for.",
                );
            }
        };
        match self.announce(callback, closed).await {
            Some(page) => html(&page),
            None => plain(StatusCode::GONE, "This login has been decided already."),
        }
    }

    /// DNS rebinding: a page of a stranger may reach this port, but its requests bear its own name.
    fn is_here(&self, request: &Request<Incoming>) -> bool {
        let host = request.headers().get(HOST).and_then(|it| it.to_str().ok());
        let (name, port) = host
            .and_then(|host| host.rsplit_once(':'))
            .unwrap_or_default();
        let is_name =
            name.eq_ignore_ascii_case("localhost") || matches!(name, "127.0.0.1" | "[::1]");
        is_name && port == self.port.to_string()
    }

    /// Hands the callback over and waits for the page; none if another one came first, or nobody waits any more.
    async fn announce(
        &self,
        callback: Callback,
        closed: Option<oneshot::Receiver<Infallible>>,
    ) -> Option<Page> {
        let sender = {
            let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
            arrivals.take()
        };
        let (answer, page) = oneshot::channel();
        let arrival = Arrival {
            callback,
            answer,
            closed: closed?,
        };
        sender?.send(arrival).await.ok()?;
        page.await.ok()
    }
}

fn html(page: &Page) -> Response<Full<Bytes>> {
    let status = if page.is_success() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    respond(status, "text/html; charset=utf-8", page.html())
}

fn plain(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    respond(status, "text/plain; charset=utf-8", format!("{text}\n"))
}

/// The URL of the page holds code and state, so the page is neither kept nor passed on, and loads nothing.
fn respond(status: StatusCode, content_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, content_type),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("referrer-policy"), "no-referrer"),
        (HeaderName::from_static("content-security-policy"), policy),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;
    use crate::secret::Secret;

    fn state() -> State {
        State::from_random([7; 32])
    }

    async fn started() -> (CallbackServer, u16) {
        let listener = CallbackListener::bind(1024..=65535).await.unwrap();
        let port = listener.port();
        (CallbackServer::start(listener, state()), port)
    }

    async fn send(address: &str, port: u16, request: &str) -> String {
        let request = request.replace("PORT", &port.to_string());
        let request = request.replace("STATE", state().expose());
        let mut stream = TcpStream::connect((address, port)).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    fn get(target: &str, host: &str) -> String {
        format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n")
    }

    #[tokio::test]
    async fn strangers_are_turned_away_and_the_wait_goes_on() {
        let (mut server, port) = started().await;
        let right = "/login?code=c&state=STATE";
        for (request, status) in [
            (get("/", "localhost:PORT"), "404"),
            (get("/favicon.ico", "localhost:PORT"), "404"),
            (get("/login/?code=c&state=STATE", "localhost:PORT"), "404"),
            (get("/login", "localhost:PORT"), "400"),
            (get("/login?code=c&state=wrong", "localhost:PORT"), "400"),
            (
                get("/login?error=access_denied&state=wrong", "localhost:PORT"),
                "400",
            ),
            (get(right, "evil.example:PORT"), "421"),
            (get(right, "localhost"), "421"),
            (get(right, "localhost:1"), "421"),
            (
                format!("POST {right} HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"),
                "405",
            ),
            (format!("GET {right} HTTP/1.1\r\n\r\n"), "421"),
            (
                get(
                    &format!("/login?{}", "a".repeat(HEAD_CAP)),
                    "localhost:PORT",
                ),
                "4",
            ),
            ("garbage\r\n\r\n".to_owned(), "400"),
        ] {
            let answer = send("127.0.0.1", port, &request).await;
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status}")),
                "{request}\n{answer}"
            );
            assert!(server.arrivals.try_recv().is_err(), "{request}");
        }
    }

    #[tokio::test]
    async fn first_callback_gets_the_page_after_the_decision_and_others_do_not() {
        let (mut server, port) = started().await;
        let request = get("/login?code=c&state=STATE", "localhost:PORT");
        let browser = tokio::spawn(async move { send("127.0.0.1", port, &request).await });
        let arrival = server.arrival().await.unwrap();
        assert_eq!(arrival.callback, Callback::Code(Secret::new("c")));
        let again = get("/login?code=d&state=STATE", "localhost:PORT");
        assert!(
            send("127.0.0.1", port, &again)
                .await
                .starts_with("HTTP/1.1 410")
        );
        arrival
            .show(Page::success("the token is kept <there>"))
            .await;
        let answer = browser.await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        for part in [
            "the token is kept &lt;there&gt;",
            "cache-control: no-store",
            "referrer-policy: no-referrer",
            "default-src 'none'",
        ] {
            assert!(answer.contains(part), "{part}\n{answer}");
        }
    }

    #[tokio::test]
    async fn both_families_of_loopback_are_served() {
        let (mut server, port) = started().await;
        if TcpStream::connect(("::1", port)).await.is_err() {
            return;
        }
        let request = get("/login?error=access_denied&state=STATE", "[::1]:PORT");
        let browser = tokio::spawn(async move { send("::1", port, &request).await });
        let arrival = server.arrival().await.unwrap();
        assert!(matches!(arrival.callback, Callback::Refused(_)));
        arrival.show(Page::failure("no")).await;
        assert!(browser.await.unwrap().starts_with("HTTP/1.1 400"));
    }
}
