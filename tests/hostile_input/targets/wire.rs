//! What a server sends, byte for byte: heads and bodies, redirects, ranges, waits that it asks for.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use provender::disk::TempFile;
use provender::hash::Sha256Digest;
use provender::http::{
    Client, ClientOptions, DownloadRequest, GetRequest, NoProgress, Overflow, Proxies, RetryPolicy,
};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use url::Url;

use super::told::told;

/// Stands between the answers to one request and the next.
const NEXT: &[u8] = b"\n~~~\n";

/// The most bytes that a document or package may have.
const CAP: u64 = 4096;

/// No redirect is followed: it could lead to another machine. Where it leads is read all the same.
const MAX_REDIRECTS: usize = 0;

pub(super) mod seeds {
    //! Answers as servers give them, and odd ones.

    use super::super::corpus::literal;

    pub(in super::super) fn http_answers() -> Vec<Vec<u8>> {
        literal(&[
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 9\r\n\r\nabcd\n~~~\nHTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\nContent-Range: bytes 4-8/9\r\nContent-Length: 5\r\n\r\nefghi",
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nLast-Modified: Sun, 06 Nov 1994 08:49:30 GMT\r\nContent-Length: 9\r\n\r\nabcd\n~~~\nHTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */9\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n\n~~~\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
            "HTTP/1.1 503 Unavailable\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: //user:pw@example.com:1/x?y=z#f\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: ftp://example.com/\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9999999999999999999\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nuntil the end",
        ])
    }
}

/// A server that says what it is told to, and the client that asks it.
struct Line {
    runtime: Runtime,
    client: Client,
    listener: TcpListener,
    url: Url,
}

impl Line {
    fn open() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
        let url = format!("http://{}/a", listener.local_addr()?);
        let options = ClientOptions {
            proxies: Proxies::None,
            ..ClientOptions::default()
        };
        Ok(Self {
            client: Client::new(options).map_err(io::Error::other)?,
            url: url.parse().map_err(io::Error::other)?,
            runtime,
            listener,
        })
    }

    /// Runs `ask` against a server that gives these answers, one a connection, then silence.
    fn answer(&self, input: &[u8], ask: impl AsyncFnOnce()) {
        let mut answers = split(input);
        self.runtime.block_on(async {
            tokio::select! {
                () = ask() => {}
                fault = self.serve(&mut answers) => panic!("loopback fails: {fault:?}"),
            }
        });
    }

    async fn serve(&self, answers: &mut VecDeque<&[u8]>) -> io::Result<()> {
        loop {
            let (mut stream, _) = self.listener.accept().await?;
            let mut request = [0; 4096];
            // A client that leaves early is no failure of ours.
            let _ = stream.read(&mut request).await;
            let _ = stream
                .write_all(answers.pop_front().unwrap_or_default())
                .await;
            let _ = stream.shutdown().await;
        }
    }

    fn retry() -> RetryPolicy {
        RetryPolicy {
            retries: 1,
            base: Duration::ZERO,
            cap: Duration::ZERO,
            patience: Duration::ZERO,
        }
    }
}

fn split(input: &[u8]) -> VecDeque<&[u8]> {
    let mut answers = VecDeque::new();
    let mut rest = input;
    while let Some(at) = rest.windows(NEXT.len()).position(|piece| piece == NEXT) {
        answers.push_back(&rest[..at]);
        rest = &rest[at + NEXT.len()..];
    }
    answers.push_back(rest);
    answers
}

/// As a document, and as a package.
pub(super) fn http_answers(input: &[u8]) {
    static LINE: OnceLock<Mutex<Line>> = OnceLock::new();
    let line = LINE.get_or_init(|| Mutex::new(Line::open().expect("loopback can be used")));
    let line = line.lock().expect("no other thread fails here");
    line.answer(input, async || document(&line).await);
    line.answer(input, async || package(&line).await);
}

async fn document(line: &Line) {
    let request = GetRequest {
        max_redirects: MAX_REDIRECTS,
        retry: Line::retry(),
        overflow: Overflow::Cut,
        ..GetRequest::new(line.url.clone(), CAP)
    };
    let answer = told(line.client.get(&request).await);
    assert!(answer.is_none_or(|answer| !answer.is_success() || answer.body.len() as u64 <= CAP));
}

async fn package(line: &Line) {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let target = directory.path().join("package.zip");
    let target = TempFile::create_beside(&target).expect("it can be made");
    let request = DownloadRequest {
        url: line.url.clone(),
        digest: None,
        expected_size: None,
        bearer: None,
        cap: CAP,
        max_redirects: MAX_REDIRECTS,
        retry: Line::retry(),
    };
    let download = line.client.download(&request, &target, &NoProgress);
    let Some(downloaded) = told(download.await) else {
        return;
    };
    let bytes = std::fs::read(target.path()).expect("it is there");
    assert!(bytes.len() as u64 <= CAP && downloaded.size == bytes.len() as u64);
    let digest = Sha256Digest(Sha256::digest(&bytes).into());
    assert_eq!(downloaded.digest, digest);
}
