//! What the JSON document says of the package cache.

use std::path::Path;

use serde::Serialize;

use crate::ops::{CacheFinding, OpError, Summary};
use crate::store::{CacheContents, CachedModule};

/// What a `cache` command reports.
#[derive(Debug, Clone, Copy)]
pub struct CacheReport<'r> {
    /// Where the cache is.
    pub dir: &'r Path,
    /// What is there when the command ends.
    pub contents: &'r CacheContents,
    /// What was deleted; otherwise the entries' packages are listed.
    pub summary: Option<&'r Summary>,
    /// What is wrong, if that was the question.
    pub findings: Option<&'r [CacheFinding]>,
    /// The failure that this amounts to.
    pub failure: Option<&'r OpError>,
}

impl<'r> CacheReport<'r> {
    /// A report of what is there alone.
    pub fn of(dir: &'r Path, contents: &'r CacheContents) -> Self {
        Self {
            dir,
            contents,
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
    module_bytes: u64,
    modules: Vec<JsonCachedModule>,
}

/// A package of a module.
#[derive(Debug, Serialize)]
struct JsonCachedModule {
    source: String,
    package: String,
    bytes: u64,
}

impl JsonCache {
    pub(super) fn of(report: &CacheReport<'_>) -> Self {
        let CacheContents { archives, modules } = report.contents;
        Self {
            directory: report.dir.display().to_string(),
            archives: archives.len(),
            archive_bytes: archives.iter().map(|facts| facts.archive_bytes).sum(),
            unpacked_bytes: archives.iter().map(|facts| facts.unpacked_bytes).sum(),
            module_bytes: modules.iter().map(|module| module.bytes).sum(),
            modules: modules.iter().map(JsonCachedModule::of).collect(),
        }
    }
}

impl JsonCachedModule {
    fn of(module: &CachedModule) -> Self {
        Self {
            source: module.source.clone(),
            package: module.identity.to_string(),
            bytes: module.bytes,
        }
    }
}
