//! Modules of root modules and single ones: resolved, fetched once each, placed, and compared with the module lock.

pub(super) mod binding;
pub(super) mod cache;
pub(super) mod error;
pub(super) mod install;
pub(super) mod mismatch;
pub(super) mod origins;
pub(super) mod outcome;
pub(super) mod packages;
pub(super) mod place;
pub(super) mod releases;
pub(super) mod single;
pub(super) mod versions;
