//! Room on the disk for all downloads in flight together, so that a set that does not fit is refused
//! before it has filled the disk.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::disk::{DiskError, require_space};

/// The bytes that downloads in flight are still to write. They are counted as if all went to one file
/// system, as those of one run do.
#[derive(Debug, Default, Clone)]
pub(super) struct Promises(Arc<AtomicU64>);

/// The bytes that one download is still to write.
#[derive(Debug)]
pub(super) struct Promise {
    all: Promises,
    rest: u64,
}

impl Promises {
    /// Notes that `bytes` will be written to `path`.
    pub(super) fn promise(&self, path: &Path, bytes: u64) -> Result<Promise, DiskError> {
        let before = self.0.fetch_add(bytes, Ordering::Relaxed);
        let promise = Promise {
            all: self.clone(),
            rest: bytes,
        };
        require_space(path, before.saturating_add(bytes))?;
        Ok(promise)
    }
}

impl Promise {
    /// Notes that `bytes` have been written.
    pub(super) fn keep(&mut self, bytes: u64) {
        let kept = bytes.min(self.rest);
        self.rest -= kept;
        self.all.0.fetch_sub(kept, Ordering::Relaxed);
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.keep(self.rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promised(promises: &Promises) -> u64 {
        promises.0.load(Ordering::Relaxed)
    }

    #[test]
    fn promise_counts_until_it_is_kept_or_given_up() {
        let root = tempfile::tempdir().unwrap();
        let promises = Promises::default();
        let mut one = promises.promise(root.path(), 10).unwrap();
        let two = promises.promise(root.path(), 5).unwrap();
        one.keep(4);
        assert_eq!(promised(&promises), 11);
        drop(two);
        assert_eq!(promised(&promises), 6);
        one.keep(7);
        assert_eq!(promised(&promises), 0);
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_fit_is_refused_and_not_counted() {
        let root = tempfile::tempdir().unwrap();
        let promises = Promises::default();
        let held = promises.promise(root.path(), 1).unwrap();
        assert!(promises.promise(root.path(), u64::MAX / 2).is_err());
        assert_eq!(promised(&promises), 1);
        drop(held);
    }
}
