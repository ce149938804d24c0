//! Why a request got no answer: the HTTP library's errors, sorted and stripped of repetition.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

/// The kinds of failure below the level of HTTP answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransportKind {
    /// The host name has no address.
    Dns,
    /// Nothing listens there.
    Refused,
    /// No way to the network or host.
    Unreachable,
    /// The proxy did not open the way.
    Proxy,
    /// No trusted authority vouches for the server's certificate.
    UnknownIssuer,
    /// The server's certificate is bad otherwise: expired, for another name, ...
    Certificate,
    /// The server's certificate is of a kind that is not taken: that of an authority, or without names.
    UnusualCertificate,
    /// The server demands a certificate of the client.
    ClientCertificate,
    /// TLS failed otherwise.
    Tls,
    /// Connecting took too long.
    ConnectTimeout,
    /// The server fell silent.
    Stalled,
    /// The whole request took too long.
    TimedOut,
    /// The connection ended before the answer did.
    Cut,
    /// Anything else.
    Other,
}

impl TransportKind {
    /// Whether another try may end otherwise; certificates do not change between two tries.
    pub(super) fn is_passing(self) -> bool {
        !matches!(
            self,
            Self::UnknownIssuer
                | Self::Certificate
                | Self::UnusualCertificate
                | Self::ClientCertificate
        )
    }

    fn phrase(self) -> &'static str {
        match self {
            Self::Dns => "the host name could not be resolved",
            Self::Refused => "the connection was refused",
            Self::Unreachable => "the host is unreachable",
            Self::Proxy => "the proxy did not connect",
            Self::UnknownIssuer => {
                "the server's certificate is from an authority that is not trusted"
            }
            Self::Certificate => "the server's certificate is not valid",
            Self::UnusualCertificate => "the server's certificate is none for a server",
            Self::ClientCertificate => "the server demands a client certificate",
            Self::Tls => "the TLS handshake failed",
            Self::ConnectTimeout => "connecting took too long",
            Self::Stalled => "the server fell silent",
            Self::TimedOut => "the answer took too long",
            Self::Cut => "the connection ended before the answer was complete",
            Self::Other => "the request failed",
        }
    }
}

/// A request that got no complete answer. Prints what happened; the source has the system's words.
#[derive(Debug)]
pub struct TransportError {
    kind: TransportKind,
    detail: Option<Detail>,
    is_end_of_input: bool,
}

/// The innermost words of the libraries below.
#[derive(Debug)]
struct Detail(String);

impl TransportError {
    /// What kind of failure it was.
    pub fn kind(&self) -> TransportKind {
        self.kind
    }

    /// Sorts an error of the HTTP library.
    pub(super) fn of(error: &reqwest::Error) -> Self {
        Self {
            kind: kind_of(error),
            detail: detail_of(error),
            is_end_of_input: is_end_of_input(error),
        }
    }

    /// Whether the connection was closed in an orderly way as far as TCP goes, and nothing else was wrong.
    pub(super) fn is_end_of_input(&self) -> bool {
        self.is_end_of_input
    }

    /// A time-out of our own, after `limit`.
    pub(super) fn timeout(kind: TransportKind, limit: Duration) -> Self {
        Self {
            kind,
            detail: Some(Detail(format!("the limit is {limit:?}"))),
            is_end_of_input: false,
        }
    }

    /// A body that ended too early without an error of the connection.
    pub(super) fn cut(got: u64, expected: u64) -> Self {
        let detail = Detail(format!("got {got} of {expected} bytes"));
        Self {
            kind: TransportKind::Cut,
            detail: Some(detail),
            is_end_of_input: false,
        }
    }

    /// A body that comes so slowly that it would never end.
    pub(super) fn trickle() -> Self {
        Self {
            kind: TransportKind::Stalled,
            detail: Some(Detail("only a few bytes a second arrive".to_owned())),
            is_end_of_input: false,
        }
    }

    /// An answer to a request for a range that does not continue what is there.
    pub(super) fn wrong_range() -> Self {
        let detail = Detail("the server did not send the rest that was asked for".to_owned());
        Self {
            kind: TransportKind::Cut,
            detail: Some(detail),
            is_end_of_input: false,
        }
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.phrase())
    }
}

impl Error for TransportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.detail.as_ref().map(|detail| detail as &dyn Error)
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Detail {}

/// The errors below `error`, outermost first. An I/O error that wraps another one hides it from
/// `source`, so it is asked separately.
fn causes(error: &reqwest::Error) -> Vec<&(dyn Error + 'static)> {
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause);
        let wrapped = cause
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        next = wrapped
            .map(|inner| inner as &(dyn Error + 'static))
            .or_else(|| cause.source());
    }
    causes
}

/// The last cause says it best; those above it say "error while" in many words.
fn detail_of(error: &reqwest::Error) -> Option<Detail> {
    let last = causes(error).last()?.to_string();
    // The TLS library ends some messages with a link to its own documentation.
    let words = last.split(": https://").next().unwrap_or_default();
    Some(Detail(words.to_owned()))
}

fn kind_of(error: &reqwest::Error) -> TransportKind {
    let causes = causes(error);
    let find_tls = |cause: &&(dyn Error + 'static)| cause.downcast_ref::<rustls::Error>().cloned();
    if let Some(tls) = causes.iter().find_map(find_tls) {
        return kind_of_tls(&tls);
    }
    if error.is_dns() {
        return TransportKind::Dns;
    }
    if error.is_timeout() {
        let connecting = error.is_connect();
        return if connecting {
            TransportKind::ConnectTimeout
        } else {
            TransportKind::Stalled
        };
    }
    let io = causes
        .iter()
        .find_map(|cause| cause.downcast_ref::<io::Error>());
    match io {
        Some(io) => kind_of_io(io.kind()),
        // Whatever fails while connecting is an I/O error, unless it is the talk with a proxy.
        None if error.is_connect() => TransportKind::Proxy,
        // What is left is a connection that broke the rules of HTTP, or ended early.
        None if error.is_request() || error.is_body() || error.is_decode() => TransportKind::Cut,
        None => TransportKind::Other,
    }
}

fn is_end_of_input(error: &reqwest::Error) -> bool {
    let causes = causes(error);
    let mut io = causes
        .iter()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    io.any(|io| io.kind() == io::ErrorKind::UnexpectedEof)
}

fn kind_of_tls(error: &rustls::Error) -> TransportKind {
    let demand = rustls::Error::AlertReceived(rustls::AlertDescription::CertificateRequired);
    if *error == demand {
        return TransportKind::ClientCertificate;
    }
    let rustls::Error::InvalidCertificate(reason) = error else {
        return TransportKind::Tls;
    };
    // What the verifier calls other names for mistakes that have no name in the protocol.
    if matches!(reason, rustls::CertificateError::Other(_)) {
        return TransportKind::UnusualCertificate;
    }
    // A private authority that was replaced by one of the same name shows as a bad signature.
    if matches!(
        reason,
        rustls::CertificateError::UnknownIssuer | rustls::CertificateError::BadSignature
    ) {
        TransportKind::UnknownIssuer
    } else {
        TransportKind::Certificate
    }
}

fn kind_of_io(kind: io::ErrorKind) -> TransportKind {
    use io::ErrorKind::{
        AddrNotAvailable, BrokenPipe, ConnectionAborted, ConnectionRefused, ConnectionReset,
        HostUnreachable, NetworkUnreachable, UnexpectedEof,
    };

    if kind == ConnectionRefused {
        TransportKind::Refused
    } else if [NetworkUnreachable, HostUnreachable, AddrNotAvailable].contains(&kind) {
        TransportKind::Unreachable
    } else if [
        ConnectionReset,
        ConnectionAborted,
        BrokenPipe,
        UnexpectedEof,
    ]
    .contains(&kind)
    {
        TransportKind::Cut
    } else {
        TransportKind::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_happened_and_keeps_the_words_below_as_source() {
        let error = TransportError::cut(3, 10);
        assert_eq!(
            error.to_string(),
            "the connection ended before the answer was complete"
        );
        assert_eq!(error.source().unwrap().to_string(), "got 3 of 10 bytes");
    }

    #[test]
    fn certificates_are_not_tried_again() {
        for kind in [TransportKind::UnknownIssuer, TransportKind::Certificate] {
            assert!(!kind.is_passing());
        }
        for kind in [
            TransportKind::Dns,
            TransportKind::Refused,
            TransportKind::Cut,
        ] {
            assert!(kind.is_passing());
        }
    }

    #[test]
    fn tls_errors_are_sorted() {
        use rustls::{CertificateError, Error, OtherError};

        let webpki_words = || io::Error::other("CaUsedAsEndEntity");

        for (error, kind) in [
            (
                CertificateError::UnknownIssuer,
                TransportKind::UnknownIssuer,
            ),
            (CertificateError::Expired, TransportKind::Certificate),
            (
                CertificateError::NotValidForName,
                TransportKind::Certificate,
            ),
            (
                CertificateError::Other(OtherError(std::sync::Arc::new(webpki_words()))),
                TransportKind::UnusualCertificate,
            ),
        ] {
            assert_eq!(kind_of_tls(&Error::InvalidCertificate(error)), kind);
        }
        assert_eq!(kind_of_tls(&Error::DecryptError), TransportKind::Tls);
        let demand = Error::AlertReceived(rustls::AlertDescription::CertificateRequired);
        assert_eq!(kind_of_tls(&demand), TransportKind::ClientCertificate);
    }
}
