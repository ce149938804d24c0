//! A server that records what it is asked and sends the bytes that the test chooses.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use url::Url;

use crate::http::{Client, ClientOptions, Proxies, RetryPolicy};

/// What is sent in answer to one request; the connection is closed afterwards.
pub(super) struct Reaction {
    bytes: Vec<u8>,
    hangs: bool,
}

impl Reaction {
    /// Exactly these bytes.
    pub(super) fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            bytes: bytes.into(),
            hangs: false,
        }
    }

    /// A whole answer. `headers` are lines without their ends.
    pub(super) fn answer(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        Self::cut(status, headers, body, body.len())
    }

    /// An answer that announces `length` bytes whatever the body has.
    pub(super) fn cut(status: u16, headers: &[&str], body: &[u8], length: usize) -> Self {
        let mut head = format!("HTTP/1.1 {status} Status\r\nContent-Length: {length}\r\n");
        for header in headers {
            head.extend([*header, "\r\n"]);
        }
        Self::raw([head.as_bytes(), b"Connection: close\r\n\r\n", body].concat())
    }

    /// An answer whose end only the end of the connection tells.
    pub(super) fn endless(headers: &[&str], body: &[u8]) -> Self {
        let mut head = "HTTP/1.1 200 OK\r\nConnection: close\r\n".to_owned();
        for header in headers {
            head.extend([*header, "\r\n"]);
        }
        Self::raw([head.as_bytes(), b"\r\n", body].concat())
    }

    /// A redirect.
    pub(super) fn redirect(location: &str) -> Self {
        Self::answer(302, &[&format!("Location: {location}")], "moved")
    }

    /// Falls silent afterwards, until the client closes the connection.
    pub(super) fn then_hang(self) -> Self {
        Self {
            hangs: true,
            ..self
        }
    }
}

/// A running server; it ends with the test's runtime.
pub(super) struct Server {
    address: SocketAddr,
    scheme: &'static str,
    requests: Arc<Mutex<Vec<String>>>,
}

type React = dyn Fn(usize, &str) -> Reaction + Send + Sync;

impl Server {
    /// Serves plain http. `react` gets the number of the request, from 0, and its text.
    pub(super) async fn start(
        react: impl Fn(usize, &str) -> Reaction + Send + Sync + 'static,
    ) -> Self {
        Self::listen(None, Arc::new(react)).await
    }

    /// Serves https.
    pub(super) async fn start_tls(
        acceptor: TlsAcceptor,
        react: impl Fn(usize, &str) -> Reaction + Send + Sync + 'static,
    ) -> Self {
        Self::listen(Some(acceptor), Arc::new(react)).await
    }

    async fn listen(acceptor: Option<TlsAcceptor>, react: Arc<React>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let scheme = if acceptor.is_some() { "https" } else { "http" };
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(connection(
                    stream,
                    acceptor.clone(),
                    Arc::clone(&react),
                    Arc::clone(&seen),
                ));
            }
        });
        Self {
            address,
            scheme,
            requests,
        }
    }

    pub(super) fn url(&self, path: &str) -> Url {
        format!("{}://{}{path}", self.scheme, self.address)
            .parse()
            .unwrap()
    }

    /// The requests so far, in lower case.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn connection(
    stream: TcpStream,
    acceptor: Option<TlsAcceptor>,
    react: Arc<React>,
    seen: Arc<Mutex<Vec<String>>>,
) {
    match acceptor {
        None => serve(stream, react, seen).await,
        Some(acceptor) => {
            // Clients that distrust the certificate end the handshake.
            if let Ok(stream) = acceptor.accept(stream).await {
                serve(stream, react, seen).await;
            }
        }
    }
}

async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    react: Arc<React>,
    seen: Arc<Mutex<Vec<String>>>,
) {
    let Some(request) = read_request(&mut stream).await else {
        return;
    };
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push(request.to_lowercase());
        seen.len() - 1
    };
    let reaction = react(number, &request);
    // The client may leave in the middle; that is often what is tested.
    let _ = stream.write_all(&reaction.bytes).await;
    let _ = stream.flush().await;
    if reaction.hangs {
        let _ = stream.read(&mut [0]).await;
    }
    let _ = stream.shutdown().await;
}

/// The head and, where its length is told, the body.
async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(bytes).unwrap();
    let length = head
        .to_lowercase()
        .lines()
        .find_map(|line| {
            line.strip_prefix("content-length: ")
                .map(|text| text.parse().unwrap())
        })
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(head + &String::from_utf8(body).unwrap())
}

/// Options with time-outs that no busy machine reaches, and without proxies.
pub(super) fn options() -> ClientOptions {
    ClientOptions {
        connect_timeout: Duration::from_secs(60),
        stall_timeout: Duration::from_secs(60),
        request_timeout: None,
        proxies: Proxies::None,
        ..ClientOptions::default()
    }
}

pub(super) fn client() -> Client {
    Client::new(options()).unwrap()
}

/// Retries without noticeable waits.
pub(super) fn hasty(retries: u32) -> RetryPolicy {
    let short = Duration::from_millis(1);
    RetryPolicy {
        retries,
        base: short,
        cap: short,
        patience: short,
    }
}
