//! The HTTP client: documents into memory, packages to disk, with retries, redirects and resuming.
//!
//! Floor 2, and the only module that builds a client of the HTTP library. Statuses are not judged
//! here but for retries: the protocol clients above know what a 404 means. The facts followed are
//! those on discovery (1.5 to 1.9), registries (2.6, 2.7) and mirrors (8.4).
//!
//! Every server, and everybody on the way to one, may be hostile:
//!
//! | attack | answer |
//! |---|---|
//! | a redirect carries the token to another host | the token is dropped once scheme, host or port changes, and stays dropped |
//! | a request over plain http shows the token to the network | a token is only sent over https, or to loopback, and there never through a proxy |
//! | a redirect leads from https to plain http | refused always |
//! | a redirect leads to `file:` or another scheme | refused |
//! | redirects without end | refused after the limit of the request |
//! | a package's URL on plain http makes the client show the user's password | passwords go where tokens may go, to the one host and port they are for, and not along redirects |
//! | a body larger than memory or disk, announced or not | stops at the cap of the request; what is announced and does not fit on the disk is not begun |
//! | a compressed body that unpacks without end | nothing is unpacked: encodings are not asked for, and refused |
//! | a body that trickles or never ends | time-outs for connecting, for silence, and for whole documents |
//! | a cut body passes for a whole one | the announced length is compared, and a package's expected size |
//! | a resumed package is stitched from two different files | resuming needs the exact range and a strong validator with `If-Range`; what an earlier run left is only continued for a known digest, and fetched anew if the whole has another |
//! | a rate limit of one host holds up everything | its requests alone wait (see `host_budget`), and nobody waits for them |
//! | `Retry-After` puts the program to sleep for a year | the wait is capped |
//! | a URL in a message or log gives away a signed query | only [`ShownUrl`](crate::secret::ShownUrl) is printed |

mod answer;
mod cause;
mod client;
mod download;
mod error;
mod exchange;
mod get;
mod host_budget;
mod login;
mod memo;
mod no_proxy;
mod options;
mod post;
mod promise;
mod realm;
mod resume;
mod retry;
mod roots;
mod setback;
mod sink;
#[cfg(test)]
mod tests;
mod transfer;
mod watch;

pub use answer::Answer;
pub use cause::{TransportError, TransportKind};
pub use client::Client;
pub use download::{DownloadRequest, Downloaded, NoProgress, Progress};
pub use error::HttpError;
pub use get::{GetRequest, Overflow};
pub use memo::Memo;
pub use no_proxy::NoProxy;
pub use options::{ClientIdentity, ClientOptions, Login, Proxies};
pub use post::PostRequest;
pub use realm::is_same as is_same_realm;
pub use retry::RetryPolicy;
