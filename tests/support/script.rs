//! The bytes that go on the wire for one answer, as steps. Writing them by hand, not through an HTTP library, is the
//! point: a library does not let a server break the promise of its own `Content-Length`.

use std::time::Duration;

use bytes::Bytes;

use super::reply::{Framing, Reply};

/// One act of the server.
#[derive(Clone, Debug)]
pub enum Step {
    /// Send these bytes.
    Send(Bytes),
    /// Send these bytes again and again until the client goes away.
    Repeat(Bytes),
    /// Wait that long.
    Pause(Duration),
    /// Wait until `TestServer::release`, or until the client goes away.
    Hold,
    /// Reset the connection.
    Reset,
    /// Close the connection without the farewell of TLS.
    Vanish,
    /// Close the connection in an orderly way.
    Close,
}

/// The whole answer; a connection whose script neither resets nor closes it lives on.
pub type Script = Vec<Step>;

/// Body length as the head announces it.
#[derive(Clone, Copy, Debug)]
pub enum Announced {
    /// `Content-Length`.
    Bytes(usize),
    /// Chunks.
    Chunks,
    /// Not at all: the body ends with the connection.
    Nothing,
}

/// The head of `reply`, ready to send.
pub fn head(reply: &Reply, announced: Announced) -> Bytes {
    let mut lines = vec![format!(
        "HTTP/1.1 {} {}",
        reply.status,
        reason(reply.status)
    )];
    lines.extend(
        reply
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}")),
    );
    match announced {
        Announced::Bytes(_) if is_bodiless(reply.status) => {}
        Announced::Bytes(length) => lines.push(format!("Content-Length: {length}")),
        Announced::Nothing => {}
        Announced::Chunks => lines.push("Transfer-Encoding: chunked".to_owned()),
    }
    Bytes::from(lines.join("\r\n") + "\r\n\r\n")
}

/// `bytes` as one chunk.
pub fn chunk(bytes: &[u8]) -> Bytes {
    let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
    framed.extend_from_slice(bytes);
    framed.extend_from_slice(b"\r\n");
    Bytes::from(framed)
}

/// The honest script of `reply`.
pub fn honest(reply: &Reply) -> Script {
    match reply.framing {
        Framing::Length if is_bodiless(reply.status) => head_only(reply),
        Framing::Length => {
            vec![
                Step::Send(head(reply, Announced::Bytes(reply.body.len()))),
                Step::Send(reply.body.clone()),
            ]
        }
        Framing::Chunked => {
            let mut script = vec![Step::Send(head(reply, Announced::Chunks))];
            script.extend(
                reply
                    .body
                    .chunks(16 * 1024)
                    .map(|piece| Step::Send(chunk(piece))),
            );
            script.push(Step::Send(Bytes::from_static(b"0\r\n\r\n")));
            script
        }
    }
}

/// The script that answers `HEAD`: the head alone.
pub fn head_only(reply: &Reply) -> Script {
    vec![Step::Send(head(reply, Announced::Bytes(reply.body.len())))]
}

/// Statuses whose answers end with the head; a body after it would be taken for the next answer.
fn is_bodiless(status: u16) -> bool {
    matches!(status, 204 | 304)
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        401 => "Unauthorized",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
