//! The parsers of hostile input, for libFuzzer.

#[path = "../../tests/hostile_input/targets/mod.rs"]
mod targets;

use targets::{TARGETS, Target};

/// Feeds `input` to the target of this name.
///
/// # Panics
///
/// If there is none, or if it finds something.
pub fn feed(name: &str, input: &[u8]) {
    let mut targets = TARGETS.iter();
    let target = targets.find(|target| target.name == name);
    (target.expect("it is in the list").feed)(input);
}

/// The seeds of each target.
pub fn seeds() -> impl Iterator<Item = (&'static str, Vec<Vec<u8>>)> {
    TARGETS.iter().map(|Target { name, seeds, .. }| (*name, seeds()))
}
