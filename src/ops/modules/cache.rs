//! How modules' packages come from the package cache and get into it.
//!
//! A package is taken from the cache if it is known which one is wanted, and only then: because the caller knows, because
//! the source says so itself (a full commit, a checksum), because the server of a repository says that its ref still
//! leads there, or because under `--offline` there is nobody to ask.

use std::path::Path;

use crate::address::{RemoteModule, query_pairs};
use crate::disk;
use crate::document::PackageIdentity;
use crate::ops::Reporter;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::cache::packages::usable;
use crate::ops::modules::packages::PackageOrigin;
use crate::package::ChecksumSource;
use crate::secret::ShownUrl;
use crate::source::{GitProgram, ModuleGetter, keeps_secrets};
use crate::store::{ModuleCache, ModuleKey, PackageCache, StoreError};

/// The package cache, if there is one, for packages of modules.
pub(in crate::ops) struct CachedModules<'c> {
    cache: Option<ModuleCache>,
    reporter: &'c dyn Reporter,
}

impl<'c> CachedModules<'c> {
    pub(in crate::ops) fn new(cache: Option<&PackageCache>, reporter: &'c dyn Reporter) -> Self {
        Self {
            cache: cache.map(PackageCache::modules),
            reporter,
        }
    }

    /// Puts the `expected` package into the directory `dest`, which is made, if the cache has it; what it is. Otherwise
    /// there is no `dest`. Nobody is asked.
    pub(in crate::ops) async fn recall(
        &self,
        origin: &PackageOrigin,
        expected: &PackageIdentity,
        dest: &Path,
    ) -> Option<PackageIdentity> {
        let cache = self.cache.clone()?;
        let (key, wanted, dest) = (origin.key(), expected.clone(), dest.to_owned());
        let placed = on_blocking_pool(move || {
            let placed = place(&cache, key, wanted, &dest)?;
            let Some(placed) = placed else {
                return Ok(None);
            };
            // Another package may be the latest, but one is better than none.
            cache.mend_latest(key, &placed).unwrap_or_else(log_it);
            Ok(Some(placed))
        });
        self.usable(placed.await).flatten()
    }

    /// Puts the package that the source leads to now into the directory `dest`, as [`Self::recall`] does, if that can be
    /// told without fetching it.
    pub(in crate::ops) async fn take(
        &self,
        origin: &PackageOrigin,
        getter: &ModuleGetter,
        dest: &Path,
    ) -> Option<PackageIdentity> {
        let cache = self.cache.clone()?;
        let key = origin.key();
        let asked = cache.clone();
        // In a first run there is nothing to ask servers about.
        let latest = on_blocking_pool(move || asked.latest(key)).await?;
        let wanted = wanted(origin, latest, getter, dest).await?;
        let dest = dest.to_owned();
        let placed = on_blocking_pool(move || {
            let placed = place(&cache, key, wanted, &dest)?;
            if let Some(placed) = &placed {
                cache.note_latest(key, placed).unwrap_or_else(log_it);
            }
            Ok(placed)
        });
        self.usable(placed.await).flatten()
    }

    /// Keeps a package that was fetched, whose files are in `tree`.
    pub(in crate::ops) async fn keep(
        &self,
        origin: &PackageOrigin,
        identity: &PackageIdentity,
        tree: &Path,
    ) {
        let Some(cache) = self.cache.clone().filter(|_| origin.is_worth_keeping()) else {
            return;
        };
        let (key, source) = (origin.key(), origin.shown());
        let (identity, tree) = (identity.clone(), tree.to_owned());
        let kept = on_blocking_pool(move || {
            if keeps_secrets(&tree)? {
                log::info!("`{source}` is not cached: git keeps its password in the clone");
                return Ok(());
            }
            cache.put(key, &source, &identity, &tree)
        });
        self.usable(kept.await);
    }

    fn usable<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        // All errors of this part of the cache are about its disk.
        usable(result, self.reporter).ok().flatten()
    }
}

/// Where the cache can only be read, its packages are used all the same.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it takes what a `Result` had"
)]
fn log_it(error: StoreError) {
    log::info!("{error}");
}

/// The package that is wanted, if that can be told without fetching it; `latest` is what the source led to when it was
/// fetched last.
async fn wanted(
    origin: &PackageOrigin,
    latest: PackageIdentity,
    getter: &ModuleGetter,
    dest: &Path,
) -> Option<PackageIdentity> {
    let is_offline = getter.http.is_none();
    let module = match origin {
        PackageOrigin::Source(module) => module,
        PackageOrigin::Direct(_) => return is_offline.then_some(latest),
        PackageOrigin::Cached { .. } => return Some(latest),
    };
    if is_offline && !module.is_on_disk() {
        return Some(latest);
    }
    match module.getter().as_str() {
        "git" => git_commit(module, getter, dest).await,
        "http" | "https" => is_named_by_checksum(module).then_some(latest),
        _ => None,
    }
}

async fn git_commit(
    module: &RemoteModule,
    getter: &ModuleGetter,
    dest: &Path,
) -> Option<PackageIdentity> {
    if let Some(commit) = GitProgram::named_commit(module.url()) {
        return Some(PackageIdentity::Commit(commit));
    }
    let current = getter.git.current_commit(module.url(), dest).await;
    match current {
        Ok(commit) => commit.map(PackageIdentity::Commit),
        Err(error) => {
            // Cloning comes next, and tells what is wrong.
            log::info!("cannot see where `{}` leads now: {error}", module.shown());
            None
        }
    }
}

/// Whether the source itself says which bytes its archive has: then the cache can have no others under its text.
fn is_named_by_checksum(module: &RemoteModule) -> bool {
    let query = module.url().split_once('?').map_or("", |(_, query)| query);
    let pairs = query_pairs(query).unwrap_or_default();
    let checksum = pairs.iter().find(|(key, _)| key == "checksum");
    checksum.is_some_and(|(_, text)| {
        matches!(ChecksumSource::parse(text), Ok(ChecksumSource::Digest(_)))
    })
}

fn place(
    cache: &ModuleCache,
    key: ModuleKey,
    wanted: PackageIdentity,
    dest: &Path,
) -> Result<Option<PackageIdentity>, StoreError> {
    disk::create_dir_all(dest)?;
    let placed = cache.place(key, &wanted, dest);
    if !matches!(placed, Ok(true)) {
        disk::remove_dir_all(dest)?;
        return placed.map(|_| None);
    }
    Ok(Some(wanted))
}

impl PackageOrigin {
    /// By what the cache finds its packages.
    pub(in crate::ops) fn key(&self) -> ModuleKey {
        match self {
            Self::Cached { key, .. } => *key,
            Self::Source(_) | Self::Direct(_) => ModuleKey::of(&self.name()),
        }
    }

    /// The text without secrets.
    pub(in crate::ops) fn shown(&self) -> String {
        match self {
            Self::Source(module) => module.shown(),
            Self::Direct(archive) => ShownUrl::of(&archive.url).to_string(),
            Self::Cached { source, .. } => source.clone(),
        }
    }

    /// What is on this machine's disk already is not copied to another place of it, but for clones.
    fn is_worth_keeping(&self) -> bool {
        match self {
            Self::Source(module) => module.getter() != "file",
            Self::Direct(_) => true,
            Self::Cached { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{ModuleSource, Tool};

    #[test]
    fn only_a_checksum_itself_names_the_bytes() {
        for (query, expected) in [
            ("", false),
            ("?archive=zip", false),
            ("?checksum=file:https://h/SUMS", false),
            ("?checksum=nonsense", false),
            ("?checksum=md5:d41d8cd98f00b204e9800998ecf8427e", true),
        ] {
            let text = format!("https://h/a.zip{query}");
            let source = ModuleSource::parse(&text, Tool::Terraform).unwrap();
            let ModuleSource::Remote(module) = source else {
                panic!("{text}")
            };
            assert_eq!(is_named_by_checksum(&module), expected, "{query}");
        }
    }
}
