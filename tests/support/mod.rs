//! What integration tests and the demo stand on: a provider registry inside the process, over real TLS and with real
//! OpenPGP signatures, that can also misbehave in chosen ways; and a sealed home in which programs run against it.
//!
//! Declare it as `pub mod support;`, not `mod support;`: items of a public module count as used, so that a test which
//! needs only a part of this code raises no warning about the rest.
//!
//! | module | holds |
//! |---|---|
//! | `tls` | the test authority and the certificates of its servers |
//! | `server`, `state`, `connection` | the HTTP/1.1 server: routes, request log, faults on the wire |
//! | `request`, `reply`, `fault`, `script` | what was asked, the honest answer, its spoiled form, the bytes to send |
//! | `directory` | a directory served as a plain web server would |
//! | `archive`, `signing` | provider zips with their hashes; throw-away OpenPGP keys |
//! | `provider`, `release`, `registry` | what a publisher releases, made ready to serve; the registry that serves it |
//! | `vectors` | registries described by the conformance vectors |
//! | `oauth` | an authorization server that checks PKCE, and a browser for it |
//! | `conversation` | a program that asks its user to do something while it runs |
//! | `nginx` | a real web server with settings that the program made |
//! | `desktop` | a session with a keyring of its own |
//! | `context`, `process`, `filter`, `tree`, `terraform` | running programs, and looking at what they did |

#![expect(
    clippy::missing_panics_doc,
    reason = "support code of tests reports trouble by panicking"
)]

pub mod archive;
pub mod connection;
pub mod context;
pub mod conversation;
pub mod desktop;
pub mod directory;
pub mod fault;
pub mod filter;
#[cfg(unix)]
pub mod nginx;
pub mod oauth;
pub mod process;
pub mod provider;
pub mod registry;
pub mod release;
pub mod reply;
pub mod request;
pub mod script;
pub mod server;
pub mod signing;
pub mod state;
pub mod terraform;
pub mod tls;
pub mod tree;
pub mod vectors;

pub use context::TestContext;
pub use conversation::Conversation;
pub use fault::{Fault, When};
pub use oauth::OAuthServer;
pub use process::Outcome;
pub use provider::{ProviderSpec, Signing};
pub use registry::{Dialect, TestRegistry, Urls};
pub use reply::Reply;
pub use request::Request;
pub use server::TestServer;
