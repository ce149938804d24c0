//! An honest answer: status, headers, body, and byte ranges (RFC 9110 section 14) of bodies that are files.

use std::fmt::Write;
use std::ops::Range;

use bytes::Bytes;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::request::Request;

/// Whether byte ranges of a body can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranges {
    /// `Range` is honoured, `Accept-Ranges` and `ETag` are sent.
    Served,
    /// `Range` is overlooked.
    Ignored,
}

/// How the end of the body is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// By `Content-Length`.
    Length,
    /// By `Transfer-Encoding: chunked`.
    Chunked,
}

/// One answer of the server.
#[derive(Clone, Debug)]
#[must_use]
pub struct Reply {
    /// Status code.
    pub status: u16,
    /// Headers, without those of framing and ranges.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: Bytes,
    /// Whether ranges of it are served.
    pub ranges: Ranges,
    /// How its end is told.
    pub framing: Framing,
}

impl Reply {
    /// Bare status with an empty body.
    pub fn status(status: u16) -> Self {
        let (headers, body) = (Vec::new(), Bytes::new());
        Self {
            status,
            headers,
            body,
            ranges: Ranges::Ignored,
            framing: Framing::Length,
        }
    }

    /// 200 with exactly these bytes and no content type.
    pub fn body(body: impl Into<Bytes>) -> Self {
        Self {
            body: body.into(),
            ..Self::status(200)
        }
    }

    /// 200 with a JSON document.
    pub fn json(document: &Value) -> Self {
        Self::body(document.to_string()).header("Content-Type", "application/json")
    }

    /// 200 with a file whose ranges can be asked for.
    pub fn file(content_type: &str, body: impl Into<Bytes>) -> Self {
        Self {
            ranges: Ranges::Served,
            ..Self::body(body).header("Content-Type", content_type)
        }
    }

    /// 302 to `target`, absolute or relative.
    pub fn redirect(target: &str) -> Self {
        Self::status(302).header("Location", target)
    }

    /// Sets a header, replacing one of the same name.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Drops a header.
    pub fn without_header(mut self, name: &str) -> Self {
        self.headers
            .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Sets another status.
    pub fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// Overlooks `Range`.
    pub fn without_ranges(self) -> Self {
        Self {
            ranges: Ranges::Ignored,
            ..self
        }
    }

    /// Sends the body in chunks, without a length.
    pub fn chunked(self) -> Self {
        Self {
            framing: Framing::Chunked,
            ..self
        }
    }

    /// The entity tag: the one set as header, else made from the body.
    pub fn etag(&self) -> String {
        let set = self
            .headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("etag"));
        set.map_or_else(|| entity_tag(&self.body), |(_, value)| value.clone())
    }

    /// The answer to this very request: the part asked for, where ranges are served.
    pub fn answering(self, request: &Request) -> Self {
        if self.ranges == Ranges::Ignored || self.status != 200 {
            return self;
        }
        let etag = self.etag();
        let reply = self.header("Accept-Ranges", "bytes").header("ETag", &etag);
        let Some(wanted) = request.header("range") else {
            return reply;
        };
        if request
            .header("if-range")
            .is_some_and(|known| known != etag)
        {
            return reply;
        }
        let size = reply.body.len();
        match parse_range(wanted, size) {
            RangeHeader::Part(part) => reply.part(part),
            RangeHeader::Outside => {
                Self::status(416).header("Content-Range", &format!("bytes */{size}"))
            }
            RangeHeader::NotUnderstood => reply,
        }
    }

    fn part(self, part: Range<usize>) -> Self {
        let label = format!("bytes {}-{}/{}", part.start, part.end - 1, self.body.len());
        let body = self.body.slice(part);
        Self {
            body,
            ..self.with_status(206).header("Content-Range", &label)
        }
    }
}

/// Lower-case hexadecimal text of bytes.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes any text");
        text
    })
}

/// A strong entity tag that changes with the bytes.
pub fn entity_tag(body: &[u8]) -> String {
    format!("\"{}\"", hex(&Sha256::digest(body)[..8]))
}

enum RangeHeader {
    Part(Range<usize>),
    Outside,
    NotUnderstood,
}

/// Reads a single range; several at once are answered by the whole, which the protocol allows.
fn parse_range(value: &str, size: usize) -> RangeHeader {
    let Some((first, last)) = value
        .strip_prefix("bytes=")
        .and_then(|range| range.split_once('-'))
    else {
        return RangeHeader::NotUnderstood;
    };
    let part = match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(first), Ok(last)) => first..size.min(last + 1),
        (Ok(first), Err(_)) if last.is_empty() => first..size,
        (Err(_), Ok(suffix)) if first.is_empty() => size.saturating_sub(suffix)..size,
        _ => return RangeHeader::NotUnderstood,
    };
    if part.is_empty() {
        RangeHeader::Outside
    } else {
        RangeHeader::Part(part)
    }
}
