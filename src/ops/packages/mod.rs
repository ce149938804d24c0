//! Packages of providers for all commands: versions are chosen, bytes obtained and proved, many at once.

pub(super) mod expired_keys;
pub(super) mod fetch;
pub(super) mod obtain;
pub(super) mod outcome;
pub(super) mod pipeline;
pub(super) mod selection;
