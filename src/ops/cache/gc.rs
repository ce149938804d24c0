//! `cache gc`: deleting what has not been used for long, and what is too much.

use std::time::{Duration, SystemTime};

use crate::ops::{Action, OpError, Summary};
use crate::store::{CacheContents, CachedFacts, CachedModule, PackageCache, StoreError};

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
    /// What was deleted, as reports tell it.
    pub summary: Summary,
    /// What was deleted.
    pub removed: CacheContents,
    /// What stays.
    pub kept: CacheContents,
}

/// An entry of either kind.
enum Entry {
    Archive(CachedFacts),
    Module(CachedModule),
}

impl Entry {
    fn bytes(&self) -> u64 {
        match self {
            Self::Archive(facts) => facts.bytes(),
            Self::Module(module) => module.bytes,
        }
    }

    /// When it was used last; where that is not known, long ago.
    fn last_used(&self) -> SystemTime {
        let known = match self {
            Self::Archive(facts) => facts.last_used,
            Self::Module(module) => module.last_used,
        };
        known.unwrap_or(SystemTime::UNIX_EPOCH)
    }

    /// Removes it; tells whether it is gone, or would be.
    fn remove(&self, cache: &PackageCache, effect: Effect) -> Result<bool, StoreError> {
        if effect == Effect::Tell {
            return Ok(true);
        }
        match self {
            Self::Archive(facts) => match cache.try_entry(facts.digest)? {
                Some(entry) => entry.remove().map(|()| true),
                None => Ok(false),
            },
            Self::Module(module) => {
                let modules = cache.modules();
                modules.remove(module.key, &module.identity).map(|()| true)
            }
        }
    }

    fn enter(self, contents: &mut CacheContents) {
        match self {
            Self::Archive(facts) => contents.archives.push(facts),
            Self::Module(module) => contents.modules.push(module),
        }
    }
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
    let contents = cache.contents()?;
    let archives = contents.archives.into_iter().map(Entry::Archive);
    let modules = contents.modules.into_iter().map(Entry::Module);
    let mut entries: Vec<Entry> = archives.chain(modules).collect();
    // Of the same age, they stay in their order.
    entries.sort_by_key(Entry::last_used);
    let mut bytes: u64 = entries.iter().map(Entry::bytes).sum();
    let mut outcome = CacheGcOutcome::default();
    for entry in entries {
        let is_old = request.unused_for.is_some_and(|limit| {
            let age = request.now.duration_since(entry.last_used());
            age.is_ok_and(|age| age >= limit)
        });
        let is_too_much = request.max_size.is_some_and(|limit| bytes > limit);
        if (is_old || is_too_much) && entry.remove(cache, request.effect)? {
            bytes -= entry.bytes();
            entry.enter(&mut outcome.removed);
        } else {
            entry.enter(&mut outcome.kept);
        }
    }
    if request.effect == Effect::Change {
        cache.remove_leftovers()?;
    }
    outcome.summary = summary(&outcome.removed, request.effect);
    Ok(outcome)
}

fn summary(removed: &CacheContents, effect: Effect) -> Summary {
    let action = match effect {
        Effect::Change => Action::Removed,
        Effect::Tell => Action::WouldRemove,
    };
    Summary::of_cached(removed, action)
}
