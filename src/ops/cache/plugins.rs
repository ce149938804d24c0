//! How `install` works with the tools' plugin cache: it links to entries that the tools would use, and
//! fills the cache with packages that it had to get. Where the cache cannot be written, packages go
//! where they would without one.

use crate::disk::when_free;
use crate::document::{PackageId, Verdict};
use crate::hash::{HashScheme, PackageHash};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache::packages::warn;
use crate::ops::install::prior::Prior;
use crate::ops::{PackageFailure, Reporter};
use crate::store::{
    EntryLock, InstallStore, InstalledPackage, PluginCache, StoreError, UnlockedEntries,
};

/// What it is called in warnings.
const NAME: &str = "plugin cache";

/// A package whose place leads into the plugin cache.
pub(in crate::ops) struct Linked {
    /// The hash of its files.
    pub(in crate::ops) h1: PackageHash,
    /// That nothing was proved, unless the lock file holds that hash.
    pub(in crate::ops) verdict: Option<Verdict>,
}

/// Makes the place of package `id` in `store` a link to its entry in `cache`, if the tools would use
/// that entry: the lock file holds the hash of its files, or holds none at all and the user said that
/// any entry will do (facts/providers 9.8). Nobody is asked for anything.
///
/// # Errors
///
/// If the place cannot be written.
pub(in crate::ops) async fn link_usable(
    cache: Option<&PluginCache>,
    store: &InstallStore,
    id: &PackageId,
    prior: Prior<'_>,
    reporter: &dyn Reporter,
) -> Result<Option<Linked>, PackageFailure> {
    let Some(cache) = cache else {
        return Ok(None);
    };
    let Some(wanted) = Wanted::of(prior, cache) else {
        return Ok(None);
    };
    // Where a hash decides, nothing else has to tell a whole entry from one that is being filled.
    let lock = match wanted {
        Wanted::OneOf(_) => None,
        Wanted::Any => match locked(cache, id).await {
            Ok(lock) => Some(lock),
            Err(error) => {
                warn(NAME, &error, reporter);
                return Ok(None);
            }
        },
    };
    let (cache, store, package) = (cache.clone(), store.clone(), id.clone());
    let linked = on_blocking_pool(move || {
        let _lock = lock;
        wanted.linked(&cache, &store, &package)
    })
    .await?;
    if let Some(Linked {
        verdict: Some(_), ..
    }) = linked
    {
        reporter.warning(&format!(
            "{id} is taken from the plugin cache unproved, as \
             `plugin_cache_may_break_dependency_lock_file` allows: the lock file gets no hashes of other \
             platforms"
        ));
    }
    Ok(linked)
}

/// Gives a package its place: in `cache`, to which the place in `store` is then a link, or without a
/// plugin cache in `store`.
///
/// # Errors
///
/// If the place in `store` cannot be written.
pub(in crate::ops) async fn place(
    cache: Option<&PluginCache>,
    store: &InstallStore,
    id: &PackageId,
    package: InstalledPackage,
    reporter: &dyn Reporter,
) -> Result<(), PackageFailure> {
    let Some(cache) = cache else {
        on_blocking_pool(move || package.place()).await?;
        return Ok(());
    };
    let lock = locked(cache, id).await;
    let (cache, store, id) = (cache.clone(), store.clone(), id.clone());
    let trouble = on_blocking_pool(move || {
        let filled = lock.and_then(|lock| cache.fill(&id, &package).map(|()| lock));
        match filled {
            Ok(_lock) => cache.link(&id, &store).map(|()| None),
            Err(trouble) => package.place().map(|()| Some(trouble)),
        }
    })
    .await?;
    if let Some(trouble) = trouble {
        warn(NAME, &trouble, reporter);
    }
    Ok(())
}

/// Which entries will do.
enum Wanted {
    /// One whose files have one of these hashes.
    OneOf(Vec<PackageHash>),
    /// Any that holds a plugin.
    Any,
}

impl Wanted {
    fn of(prior: Prior<'_>, cache: &PluginCache) -> Option<Self> {
        let is_known = |hash: &PackageHash| hash.scheme() != HashScheme::Other;
        let may_be_any = cache.unlocked_entries() == UnlockedEntries::Accepted;
        match prior {
            Prior::Locked(locked) | Prior::Required(locked) if locked.iter().any(is_known) => {
                Some(Self::OneOf(locked.to_vec()))
            }
            Prior::Free | Prior::Locked(_) => may_be_any.then_some(Self::Any),
            // With `--locked`, a locked hash has to fit.
            Prior::Required(_) => None,
        }
    }

    /// Links to the entry of package `id` if it will do.
    fn linked(
        &self,
        cache: &PluginCache,
        store: &InstallStore,
        id: &PackageId,
    ) -> Result<Option<Linked>, StoreError> {
        let Some(h1) = cache.hash(id) else {
            return Ok(None);
        };
        let (will_do, verdict) = match self {
            Self::OneOf(locked) => (locked.contains(&h1), None),
            Self::Any => (cache.has_plugin(id), Some(Verdict::Unauthenticated)),
        };
        if !will_do {
            return Ok(None);
        }
        cache.link(id, store)?;
        log::info!("linked {id} to the plugin cache");
        Ok(Some(Linked { h1, verdict }))
    }
}

/// Locks the entry of package `id`, waiting for whoever fills it.
async fn locked(cache: &PluginCache, id: &PackageId) -> Result<EntryLock, StoreError> {
    let look = || {
        let (cache, id) = (cache.clone(), id.clone());
        move || cache.try_lock(&id)
    };
    let tell = || log::info!("waiting for another process that puts {id} into the plugin cache");
    when_free(look, tell).await
}
