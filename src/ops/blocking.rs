//! The door to the blocking pool, for everything that computes or waits for a disk.

pub(super) use crate::disk::on_blocking_pool;
