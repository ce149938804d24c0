//! Every parser of hostile input, as a function that takes any bytes, with the seeds to begin from.
//!
//! `tests/hostile_input.rs` mutates the seeds by chance; the package in `fuzz` gives the same functions to
//! libFuzzer. A function ends quietly whatever it is given, and checks that what a parser accepts and writes
//! is read again as the same: a panic is a finding.
mod configurations;
mod corpus;
mod documents;
mod list;
mod logins;
mod modules;
mod packages;
mod texts;
mod told;
mod wire;

pub(crate) use list::{TARGETS, Target};
