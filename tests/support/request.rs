//! A request as the test server received it, and the reading of it from the wire.

use std::io;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt};

/// More than any client of the tests sends; a larger head means that the client is broken.
const MAX_HEAD: usize = 64 * 1024;

/// One received request.
#[derive(Clone, Debug)]
pub struct Request {
    /// Number of the request on this server, from 1, in order of arrival.
    pub number: usize,
    /// Other requests that the server was answering when this one arrived.
    pub beside: usize,
    /// Number of the connection that it came on, from 1.
    pub connection: usize,
    /// `GET`, `HEAD`, ...
    pub method: String,
    /// Path and query as sent, without decoding.
    pub target: String,
    /// Header names and values as sent.
    pub headers: Vec<(String, String)>,
    /// The body, empty for most.
    pub body: Bytes,
}

impl Request {
    /// The target without its query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// Method and target, the form of the conformance vectors: `GET /v1/providers/acme/net/versions`.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.target)
    }

    /// Value of the first header of that name, whatever the case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Whether the client wants the connection to end after the answer.
    pub fn wants_close(&self) -> bool {
        self.header("connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

/// Reads the next request of a connection; `None` at its orderly end.
pub(super) async fn read<S: AsyncRead + Unpin>(
    stream: &mut S,
    buffer: &mut Vec<u8>,
    connection: usize,
) -> io::Result<Option<Request>> {
    let Some(end) = fill_until_head_ends(stream, buffer).await? else {
        return Ok(None);
    };
    let head: Vec<u8> = buffer.drain(..end).collect();
    let mut request = parse_head(&String::from_utf8_lossy(&head), connection)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "malformed request head"))?;
    let length = request
        .header("content-length")
        .and_then(|value| value.parse().ok())
        .unwrap_or(0);
    while buffer.len() < length {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    request.body = buffer.drain(..length).collect::<Vec<u8>>().into();
    Ok(Some(request))
}

/// Position after the blank line that ends the head.
async fn fill_until_head_ends<S: AsyncRead + Unpin>(
    stream: &mut S,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<usize>> {
    loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            return Ok(Some(at + 4));
        }
        if buffer.len() > MAX_HEAD {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "request head too large",
            ));
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
}

fn parse_head(head: &str, connection: usize) -> Option<Request> {
    let mut lines = head.trim_end().split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let headers = lines
        .map(|line| {
            line.split_once(':')
                .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        })
        .collect::<Option<Vec<_>>>()?;
    Some(Request {
        number: 0,
        beside: 0,
        connection,
        method: method.to_owned(),
        target: target.to_owned(),
        headers,
        body: Bytes::new(),
    })
}
