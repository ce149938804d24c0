//! `cache verify`: the bytes of everything in the package cache against what is recorded; what is damaged
//! is dropped.

use futures_util::stream;
use futures_util::{FutureExt, StreamExt};

use crate::document::PackageId;
use crate::failure::ExitCode;
use crate::ops::OpError;
use crate::ops::blocking::on_blocking_pool;
use crate::store::{
    CacheContents, CacheDamage, CachedFacts, CachedModule, ModuleCache, PackageCache, StoreError,
};

/// Something wrong in the cache, and the packages that it concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheFinding {
    /// The packages of providers; none if nothing is remembered of the archive.
    pub packages: Vec<PackageId>,
    /// The source of a module's package, without secrets.
    pub module: Option<String>,
    /// What is wrong.
    pub damage: CacheDamage,
}

impl CacheFinding {
    /// The word for it in reports.
    pub fn kind(&self) -> &'static str {
        match self.damage.got {
            Some(_) => "mismatch",
            None => "missing",
        }
    }
}

/// What the cache holds and what is wrong with it.
#[derive(Debug)]
pub struct VerifiedCache {
    /// Everything that was there.
    pub contents: CacheContents,
    /// Every problem: those of archives by digest, then those of modules.
    pub findings: Vec<CacheFinding>,
}

impl VerifiedCache {
    /// The failure that the findings amount to, `None` if there are none.
    pub fn failure(&self) -> Option<OpError> {
        let differs = self.findings.iter().any(|it| it.damage.got.is_some());
        let exit_code = if differs {
            ExitCode::Verification
        } else {
            ExitCode::Difference
        };
        (!self.findings.is_empty()).then_some(OpError::CacheDamaged {
            problems: self.findings.len(),
            exit_code,
        })
    }
}

/// Reads everything in the cache, `jobs` entries at once, and drops what is damaged.
///
/// # Errors
///
/// If something that is there cannot be read.
pub async fn verify_cache(cache: &PackageCache, jobs: usize) -> Result<VerifiedCache, OpError> {
    let ask = cache.clone();
    let contents = on_blocking_pool(move || ask.contents()).await?;
    let archives = contents.archives.iter().cloned().map(|facts| {
        let cache = cache.clone();
        on_blocking_pool(move || findings(&cache, facts)).boxed()
    });
    let modules = contents.modules.iter().cloned().map(|module| {
        let cache = cache.modules();
        on_blocking_pool(move || module_findings(&cache, module)).boxed()
    });
    let checks = stream::iter(archives.chain(modules));
    let checked: Vec<_> = checks.buffered(jobs).collect().await;
    let findings = checked.into_iter().collect::<Result<Vec<_>, _>>()?;
    let modules = cache.modules();
    let notes = on_blocking_pool(move || modules.drop_damaged_notes()).await?;
    let notes = notes.into_iter().map(|damage| CacheFinding {
        packages: Vec::new(),
        module: None,
        damage,
    });
    Ok(VerifiedCache {
        contents,
        findings: findings.into_iter().flatten().chain(notes).collect(),
    })
}

fn module_findings(
    cache: &ModuleCache,
    module: CachedModule,
) -> Result<Vec<CacheFinding>, StoreError> {
    let damage = cache.damage(module.key, &module.identity)?;
    if damage.is_some() {
        cache.remove(module.key, &module.identity)?;
    }
    let finding = |damage| CacheFinding {
        packages: Vec::new(),
        module: Some(module.source),
        damage,
    };
    Ok(damage.map(finding).into_iter().collect())
}

fn findings(cache: &PackageCache, facts: CachedFacts) -> Result<Vec<CacheFinding>, StoreError> {
    let entry = cache.entry(facts.digest)?;
    let damages = entry.damages()?;
    entry.drop_damaged(&damages)?;
    let packages: Vec<PackageId> = facts.packages.into_iter().map(|(id, _)| id).collect();
    let finding = |damage| CacheFinding {
        packages: packages.clone(),
        module: None,
        damage,
    };
    Ok(damages.into_iter().map(finding).collect())
}
