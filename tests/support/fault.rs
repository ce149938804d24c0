//! The ways in which a server can go wrong, and when it does.

use std::io::Write;
use std::time::Duration;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::reply::Reply;
use super::request::Request;
use super::script::{self, Announced, Script, Step};

/// Which of the requests that match a route are spoiled, counted from 1 since the fault was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// All.
    Always,
    /// The first so many.
    First(usize),
    /// Only that one.
    Nth(usize),
    /// That one and all later ones.
    From(usize),
}

impl When {
    /// Whether the request with that number is meant.
    pub fn applies_to(self, number: usize) -> bool {
        match self {
            Self::Always => true,
            Self::First(count) => number <= count,
            Self::Nth(only) => number == only,
            Self::From(first) => number >= first,
        }
    }
}

/// One way to spoil the honest answer of a route. Byte counts are of the body of that very answer: where a client
/// resumes, a fault spoils the remainder.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Sends so many bytes of the body, then resets the connection. A client that has not read them yet loses them:
    /// where a test counts on the number, [`Fault::Cut`] is the one to take.
    Reset {
        /// Bytes sent before.
        after: usize,
    },
    /// Announces the full length, sends so many bytes, closes the connection in an orderly way.
    Cut {
        /// Bytes sent before.
        after: usize,
    },
    /// Closes the connection without any answer.
    HangUp,
    /// The body without any word on its length, and no farewell of TLS after so many bytes of it; all if there are
    /// fewer.
    Unannounced {
        /// Bytes sent before.
        after: usize,
    },
    /// A body with so many more bytes than the honest one, announced truthfully.
    Longer {
        /// Bytes added.
        extra: usize,
    },
    /// The honest `Content-Length`, and so many bytes more than it says.
    Overrun {
        /// Bytes added.
        extra: usize,
    },
    /// Sends so many bytes of the body, then nothing until [`TestServer::release`] or until the client goes away.
    ///
    /// [`TestServer::release`]: super::server::TestServer::release
    Stall {
        /// Bytes sent before.
        after: usize,
    },
    /// As [`Fault::Stall`], before even the status line.
    Silence,
    /// The honest body in small pieces with a pause before each.
    Slow {
        /// Size of a piece.
        chunk: usize,
        /// Time between them.
        pause: Duration,
    },
    /// One bit of the body is other than it should be.
    WrongBytes,
    /// Another file under the same name: its own bytes, its own entity tag, ranges served.
    Changed(Bytes),
    /// Another status, with an optional `Retry-After`.
    Status {
        /// Status code.
        code: u16,
        /// Value of `Retry-After`.
        retry_after: Option<String>,
    },
    /// 302 to another URL; to itself makes a loop.
    Redirect(String),
    /// Answers a range request by the whole file, as servers without ranges do.
    NoRanges,
    /// Answers a range request by 206 with a range that starts one byte too early.
    WrongRange,
    /// `first`, then `then` for ever, in chunks.
    Endless {
        /// Sent once.
        first: Bytes,
        /// Sent again and again.
        then: Bytes,
    },
    /// `Content-Encoding: gzip`, asked for or not, of a body that inflates to so many zero bytes.
    GzipBomb {
        /// Size after inflating.
        inflated: usize,
    },
    /// Another content type; `None` for none at all.
    ContentType(Option<String>),
    /// Any other answer.
    Reply(Reply),
}

impl Fault {
    /// A status without `Retry-After`.
    pub fn status(code: u16) -> Self {
        Self::Status {
            code,
            retry_after: None,
        }
    }

    /// A status with `Retry-After`: seconds or a date.
    pub fn retry_after(code: u16, value: &str) -> Self {
        Self::Status {
            code,
            retry_after: Some(value.to_owned()),
        }
    }

    /// A JSON document whose list of versions never ends.
    pub fn endless_json() -> Self {
        Self::Endless {
            first: Bytes::from_static(br#"{"versions":[{"version":"1.0.0"}"#),
            then: Bytes::from(r#",{"version":"1.0.1"}"#.repeat(512)),
        }
    }

    /// The spoiled answer to `request` where the honest one would be `reply`.
    pub(super) fn script(&self, reply: Reply, request: &Request) -> Script {
        match self {
            Self::Reset { after } => broken_off(&reply.answering(request), *after, Step::Reset),
            Self::Cut { after } => broken_off(&reply.answering(request), *after, Step::Close),
            Self::HangUp => vec![Step::Close],
            Self::Unannounced { after } => unannounced(&reply.answering(request), *after),
            Self::Stall { after } => stalled(reply.answering(request), *after),
            Self::Silence => [vec![Step::Hold], script::honest(&reply.answering(request))].concat(),
            Self::Slow { chunk, pause } => slow(&reply.answering(request), *chunk, *pause),
            Self::Overrun { extra } => overrun(&reply.answering(request), *extra),
            Self::Endless { first, then } => endless(&reply, first, then),
            Self::WrongRange => script::honest(&wrong_range(reply, request)),
            Self::Longer { .. }
            | Self::WrongBytes
            | Self::Changed(_)
            | Self::Status { .. }
            | Self::Redirect(_)
            | Self::NoRanges
            | Self::GzipBomb { .. }
            | Self::ContentType(_)
            | Self::Reply(_) => script::honest(&self.replacing(reply).answering(request)),
        }
    }

    /// Another answer that is sent by the rules of the protocol.
    fn replacing(&self, reply: Reply) -> Reply {
        match self {
            Self::Longer { extra } => Reply {
                body: lengthened(&reply.body, *extra),
                ..reply
            },
            Self::WrongBytes => Reply {
                body: flipped(&reply.body),
                ..reply
            },
            Self::Changed(body) => Reply {
                body: body.clone(),
                ..reply.without_header("ETag")
            },
            Self::Status {
                code,
                retry_after: None,
            } => Reply::status(*code),
            Self::Status {
                code,
                retry_after: Some(value),
            } => Reply::status(*code).header("Retry-After", value),
            Self::Redirect(target) => Reply::redirect(target),
            Self::NoRanges => reply.without_ranges(),
            Self::GzipBomb { inflated } => Reply {
                body: deflated_zeros(*inflated),
                ..reply.header("Content-Encoding", "gzip")
            },
            Self::ContentType(Some(value)) => reply.header("Content-Type", value),
            Self::ContentType(None) => reply.without_header("Content-Type"),
            Self::Reply(other) => other.clone(),
            Self::Reset { .. }
            | Self::Cut { .. }
            | Self::HangUp
            | Self::Unannounced { .. }
            | Self::Overrun { .. }
            | Self::Stall { .. }
            | Self::Silence
            | Self::Slow { .. }
            | Self::WrongRange
            | Self::Endless { .. } => reply,
        }
    }
}

fn unannounced(reply: &Reply, after: usize) -> Script {
    let body = reply.body.slice(..after.min(reply.body.len()));
    vec![
        Step::Send(script::head(reply, Announced::Nothing)),
        Step::Send(body),
        Step::Vanish,
    ]
}

/// `body` with one bit changed in the middle.
pub fn flipped(body: &[u8]) -> Bytes {
    let mut body = body.to_vec();
    let middle = body.len() / 2;
    if let Some(byte) = body.get_mut(middle) {
        *byte ^= 1;
    }
    Bytes::from(body)
}

fn lengthened(body: &[u8], extra: usize) -> Bytes {
    let mut body = body.to_vec();
    body.resize(body.len() + extra, b'x');
    Bytes::from(body)
}

fn announced_head(reply: &Reply) -> Bytes {
    script::head(reply, Announced::Bytes(reply.body.len()))
}

fn broken_off(reply: &Reply, after: usize, end: Step) -> Script {
    let head = announced_head(reply);
    vec![
        Step::Send(head),
        Step::Send(reply.body.slice(..after.min(reply.body.len()))),
        end,
    ]
}

fn stalled(reply: Reply, after: usize) -> Script {
    let head = announced_head(&reply);
    let mut rest = reply.body;
    let before = rest.split_to(after.min(rest.len()));
    vec![
        Step::Send(head),
        Step::Send(before),
        Step::Hold,
        Step::Send(rest),
    ]
}

fn slow(reply: &Reply, chunk: usize, pause: Duration) -> Script {
    let mut script = vec![Step::Send(announced_head(reply))];
    for piece in reply.body.chunks(chunk.max(1)) {
        script.extend([
            Step::Pause(pause),
            Step::Send(Bytes::copy_from_slice(piece)),
        ]);
    }
    script
}

fn overrun(reply: &Reply, extra: usize) -> Script {
    let head = announced_head(reply);
    vec![
        Step::Send(head),
        Step::Send(lengthened(&reply.body, extra)),
        Step::Close,
    ]
}

fn endless(reply: &Reply, first: &[u8], then: &[u8]) -> Script {
    let head = script::head(reply, Announced::Chunks);
    vec![
        Step::Send(head),
        Step::Send(script::chunk(first)),
        Step::Repeat(script::chunk(then)),
        Step::Close,
    ]
}

/// The part asked for, but one byte too early, and labelled as what it is: a client that does not read the label
/// joins the wrong bytes.
fn wrong_range(reply: Reply, request: &Request) -> Reply {
    let size = reply.body.len();
    let whole = reply.body.clone();
    let part = reply.answering(request);
    if part.status != 206 {
        return part;
    }
    let start = size.saturating_sub(part.body.len() + 1);
    let label = format!("bytes {start}-{}/{size}", size - 1);
    Reply {
        body: whole.slice(start..),
        ..part.header("Content-Range", &label)
    }
}

fn deflated_zeros(size: usize) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let block = vec![0; 64 * 1024];
    let mut left = size;
    while left > 0 {
        let piece = left.min(block.len());
        encoder
            .write_all(&block[..piece])
            .expect("a vector takes any bytes");
        left -= piece;
    }
    Bytes::from(encoder.finish().expect("a vector takes any bytes"))
}
