//! `outdated`: what is behind, by metadata alone.

pub(super) mod modules;
pub(super) mod providers;
