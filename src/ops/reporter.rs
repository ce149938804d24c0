//! How a use case tells what it is doing, without knowing who shows it.
//!
//! Events of one package come in this order: `started`, then any number of `sized`, `advanced`,
//! `restarted` and `stage`, then `finished`. Packages that need no work come as `finished` only.

use crate::document::PackageId;
use crate::ops::PackageOutcome;

/// What happens to a package between its first byte and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Its hashes are computed from the whole archive.
    Proving,
    /// Its files are written.
    Unpacking,
}

/// Takes the events of a run; calls come from several threads at once.
pub trait Reporter: Send + Sync {
    /// The work is known: so many packages, some of which may turn out to be there.
    fn planned(&self, packages: usize);
    /// A package's download begins.
    fn started(&self, id: &PackageId);
    /// Its size in bytes is known; may come again with the same or another size.
    fn sized(&self, id: &PackageId, bytes: u64);
    /// So many more bytes of it have arrived.
    fn advanced(&self, id: &PackageId, bytes: u64);
    /// Its download starts from the first byte again.
    fn restarted(&self, id: &PackageId);
    /// It enters another stage.
    fn stage(&self, id: &PackageId, stage: Stage);
    /// It is done, kept or failed.
    fn finished(&self, outcome: &PackageOutcome);
    /// Something that the user should know but that stops nothing.
    fn warning(&self, text: &str);
    /// Something worth a line in a normal run.
    fn note(&self, text: &str);
}

/// Shows nothing; for tests and callers of the library who want only the result.
#[derive(Debug, Clone, Copy, Default)]
pub struct SilentReporter;

impl Reporter for SilentReporter {
    fn planned(&self, _: usize) {}
    fn started(&self, _: &PackageId) {}
    fn sized(&self, _: &PackageId, _: u64) {}
    fn advanced(&self, _: &PackageId, _: u64) {}
    fn restarted(&self, _: &PackageId) {}
    fn stage(&self, _: &PackageId, _: Stage) {}
    fn finished(&self, _: &PackageOutcome) {}
    fn warning(&self, _: &str) {}
    fn note(&self, _: &str) {}
}
