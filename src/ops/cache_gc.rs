//! `cache gc`: deleting what has not been used for long, and what is too much.

use std::time::{Duration, SystemTime};

use crate::ops::{Action, OpError, PackageOutcome, Summary};
use crate::store::{CachedFacts, PackageCache, StoreError};

/// What to delete.
#[derive(Debug, Clone, Copy)]
pub struct CacheGcRequest {
    /// The bytes that may stay; the least recently used go first.
    pub max_size: Option<u64>,
    /// What was not used for so long goes.
    pub unused_for: Option<Duration>,
    /// The time to count from.
    pub now: SystemTime,
    /// Whether anything is deleted.
    pub effect: Effect,
}

/// Whether a change is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It is made.
    Change,
    /// It is only told (`--dry-run`).
    Tell,
}

/// What was deleted and what stays.
#[derive(Debug, Default)]
pub struct CacheGcOutcome {
    /// The packages of the deleted entries.
    pub summary: Summary,
    /// The deleted entries.
    pub removed: Vec<CachedFacts>,
    /// The entries that stay.
    pub kept: Vec<CachedFacts>,
}

/// Deletes entries, and the leftovers of killed processes. An entry that another process works on
/// stays. Blocks.
///
/// # Errors
///
/// If the cache cannot be read, or something cannot be deleted.
pub fn collect_cache_garbage(
    cache: &PackageCache,
    request: &CacheGcRequest,
) -> Result<CacheGcOutcome, OpError> {
    let mut entries = cache.facts()?;
    entries.sort_by_key(|facts| (last_used(facts), facts.digest));
    let mut bytes: u64 = entries.iter().map(CachedFacts::bytes).sum();
    let mut outcome = CacheGcOutcome::default();
    for facts in entries {
        let is_old = request.unused_for.is_some_and(|limit| {
            let age = request.now.duration_since(last_used(&facts));
            age.is_ok_and(|age| age >= limit)
        });
        let is_too_much = request.max_size.is_some_and(|limit| bytes > limit);
        if (is_old || is_too_much) && remove(cache, &facts, request.effect)? {
            bytes -= facts.bytes();
            outcome.removed.push(facts);
        } else {
            outcome.kept.push(facts);
        }
    }
    if request.effect == Effect::Change {
        cache.remove_leftovers()?;
    }
    outcome.summary = summary(&outcome.removed, request.effect);
    Ok(outcome)
}

/// When an entry was used last; where that is not known, long ago.
fn last_used(facts: &CachedFacts) -> SystemTime {
    facts.last_used.unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Removes an entry; tells whether it is gone, or would be.
fn remove(cache: &PackageCache, facts: &CachedFacts, effect: Effect) -> Result<bool, StoreError> {
    if effect == Effect::Tell {
        return Ok(true);
    }
    match cache.try_entry(facts.digest)? {
        Some(entry) => entry.remove().map(|()| true),
        None => Ok(false),
    }
}

fn summary(removed: &[CachedFacts], effect: Effect) -> Summary {
    let action = match effect {
        Effect::Change => Action::Removed,
        Effect::Tell => Action::WouldRemove,
    };
    let outcomes = removed.iter().flat_map(|facts| {
        let packages = facts.packages.iter().cloned();
        packages.map(move |(id, verdict)| {
            PackageOutcome::done(id, action, Some(verdict), Some(facts.archive_bytes))
        })
    });
    let mut summary = Summary {
        packages: outcomes.collect(),
        modules: Vec::new(),
        failures: Vec::new(),
    };
    summary.sort();
    summary
}
