//! Servers, networks, disks and neighbours at their worst, and the built binary among them.
//!
//! For every fault: the right exit code, a message with advice, nothing under a final name that is not whole, bounded
//! memory and time, and a next run that completes once the fault is gone.

/// The registry and the place to run in.
pub mod support;

#[cfg(test)]
mod faults {
    mod matrix;
    mod scene;

    mod bombs;
    mod crowd;
    mod disks;
    mod documents;
    mod limits;
    mod packages;
    mod redirects;
    mod resume;
}
