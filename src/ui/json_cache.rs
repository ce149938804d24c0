//! What the JSON document says of the package cache.

use std::path::Path;

use serde::Serialize;

use crate::ops::{CacheFinding, OpError, Summary};
use crate::store::CachedFacts;

/// What a `cache` command reports.
#[derive(Debug, Clone, Copy)]
pub struct CacheReport<'r> {
    /// Where the cache is.
    pub dir: &'r Path,
    /// The entries that are there when the command ends.
    pub entries: &'r [CachedFacts],
    /// What was deleted; otherwise the entries' packages are listed.
    pub summary: Option<&'r Summary>,
    /// What is wrong, if that was the question.
    pub findings: Option<&'r [CacheFinding]>,
    /// The failure that this amounts to.
    pub failure: Option<&'r OpError>,
}

impl<'r> CacheReport<'r> {
    /// A report of the entries alone.
    pub fn of(dir: &'r Path, entries: &'r [CachedFacts]) -> Self {
        Self {
            dir,
            entries,
            summary: None,
            findings: None,
            failure: None,
        }
    }
}

/// The member `cache`.
#[derive(Debug, Serialize)]
pub(super) struct JsonCache {
    directory: String,
    archives: usize,
    archive_bytes: u64,
    unpacked_bytes: u64,
}

impl JsonCache {
    pub(super) fn of(report: &CacheReport<'_>) -> Self {
        let entries = report.entries;
        Self {
            directory: report.dir.display().to_string(),
            archives: entries.len(),
            archive_bytes: entries.iter().map(|facts| facts.archive_bytes).sum(),
            unpacked_bytes: entries.iter().map(|facts| facts.unpacked_bytes).sum(),
        }
    }
}
