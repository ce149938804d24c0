//! The parts of a login in the browser: the listener for its callback, the page that it ends with, the browser itself
//! (facts/login 2.2 to 2.5, 7.1).
//!
//! Hostile input: any page in any browser and any user of this machine can reach the listener.
//!
//! | attack | answer |
//! |---|---|
//! | another machine connects | only loopback addresses are listened on |
//! | another program waits on the other family of `localhost` | a port is taken only if it is free on both |
//! | a page reaches the listener by a name of its own (DNS rebinding) | `Host` must be this machine with the port |
//! | other paths and methods | 404 and 405, the wait goes on |
//! | a forged or repeated callback | the state decides ([`Callback`](crate::document::oauth::Callback)); the first one counts |
//! | slow, large or many requests | head within a time and a size, a bounded number of connections |
//! | the page is framed, cached, or passes its URL on | CSP, `no-store`, `no-referrer` |
//! | words of a server in the page | escaped |
//! | a URL that starts something else than a browser | only http and https URLs are opened |
//! | secrets in the environment of the browser | it gets a chosen few variables |
mod browser;
mod callback_server;
mod listener;
mod page;
mod random;

pub use browser::{Browser, open_browser};
pub use callback_server::{Arrival, CallbackServer};
pub use listener::{CallbackListener, ListenError};
pub use page::Page;
pub use random::{RandomError, random_bytes};
