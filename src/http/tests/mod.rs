//! The client against small servers on loopback that answer as each test scripts them.

mod download;
mod get;
mod redirect;
mod resume;
mod retry;
mod server;
mod tls;
