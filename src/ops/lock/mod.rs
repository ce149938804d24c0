//! `lock`: the lock file of providers, and the module lock beside it.

pub(super) mod hashes;
pub(super) mod module_changes;
pub(super) mod modules;
pub(super) mod site;
pub(super) mod tree;
pub(super) mod update;
