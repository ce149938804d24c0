//! Servers that send next to nothing and never fall silent.

use std::time::{Duration, Instant};

/// Tells a slow server from one that only keeps the connection open: a package arrives at more than
/// `LEAST` bytes in the time that a server may be silent.
pub(super) struct Watch {
    since: Instant,
    offset: u64,
}

impl Watch {
    const LEAST: u64 = 4096;

    pub(super) fn start(offset: u64) -> Self {
        Self {
            since: Instant::now(),
            offset,
        }
    }

    pub(super) fn is_trickle(&mut self, offset: u64, period: Duration) -> bool {
        if self.since.elapsed() < period {
            return false;
        }
        let came = offset.saturating_sub(self.offset);
        *self = Self::start(offset);
        came < Self::LEAST
    }
}
