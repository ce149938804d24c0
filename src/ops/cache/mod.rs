//! The package cache: how use cases work with it, and `cache verify` and `cache gc`. `cache info` needs no use case.

pub(super) mod gc;
pub(super) mod packages;
pub(super) mod plugins;
pub(super) mod verify;
