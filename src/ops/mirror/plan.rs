//! The plan of a mirror run: which packages to fetch and which to keep, before anything changes.

use std::collections::{BTreeMap, BTreeSet};

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream;

use crate::address::{Platform, ProviderAddr};
use crate::document::{OfferedVersion, PackageId, VersionsAnswer};
use crate::ops::packages::selection::choose;
use crate::ops::versions::tell_oddities;
use crate::ops::{Choice, OpError, Reporter, Wish};
use crate::source::Source;
use crate::version::{Prereleases, Version};

/// `--platform`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlatformChoice {
    /// These.
    Listed(BTreeSet<Platform>),
    /// Every one that the registry lists for a version.
    All,
}

/// `--missing-platform`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingPlatformPolicy {
    /// A failure.
    Error,
    /// Left out, and said so.
    Skip,
}

/// The packages wanted, and what could not even be planned.
#[derive(Debug, Default)]
pub(in crate::ops) struct Wanted {
    /// In order of address, version, platform.
    pub(in crate::ops) packages: BTreeSet<PackageId>,
    /// Packages that the registry's own list says do not exist.
    pub(in crate::ops) unlisted: BTreeSet<PackageId>,
    /// Addresses without a matching version, registries that do not answer.
    pub(in crate::ops) failures: Vec<OpError>,
}

/// Asks the source for what the wishes leave open, `jobs` providers at once.
pub(in crate::ops) async fn wanted(
    source: &dyn Source,
    wishes: &[Wish],
    platforms: &PlatformChoice,
    prereleases: Prereleases,
    jobs: usize,
    reporter: &dyn Reporter,
) -> Wanted {
    let mut by_addr: BTreeMap<&ProviderAddr, Vec<&Wish>> = BTreeMap::new();
    for wish in wishes {
        by_addr.entry(&wish.addr).or_default().push(wish);
    }
    let parts = stream::iter(by_addr)
        .map(|(addr, wishes)| async move {
            wanted_of_provider(source, addr, &wishes, platforms, prereleases, reporter).await
        })
        .buffered(jobs)
        .collect::<Vec<_>>()
        .await;
    let mut wanted = Wanted::default();
    for part in parts {
        wanted.packages.extend(part.packages);
        wanted.unlisted.extend(part.unlisted);
        wanted.failures.extend(part.failures);
    }
    wanted
}

async fn wanted_of_provider(
    source: &dyn Source,
    addr: &ProviderAddr,
    wishes: &[&Wish],
    platforms: &PlatformChoice,
    prereleases: Prereleases,
    reporter: &dyn Reporter,
) -> Wanted {
    let mut wanted = Wanted::default();
    let exact = |wish: &&Wish| matches!(wish.choice, Choice::Exactly(_));
    // Exact versions on named platforms need no list, so that a second run asks nothing.
    let needs_list = *platforms == PlatformChoice::All || !wishes.iter().all(exact);
    let answer = if needs_list {
        match source.available_versions(addr).await {
            Ok(answer) => {
                tell_oddities(addr, &answer, reporter);
                answer
            }
            Err(source) => {
                wanted.failures.push(OpError::Versions {
                    addr: addr.clone(),
                    source,
                });
                return wanted;
            }
        }
    } else {
        Arc::default()
    };
    for wish in wishes {
        match choose(addr, &wish.constraints, &wish.choice, prereleases, &answer) {
            Ok(versions) => wanted.add(addr, versions, platforms, &answer),
            Err(error) => wanted.failures.push(error),
        }
    }
    wanted
}

impl Wanted {
    fn add(
        &mut self,
        addr: &ProviderAddr,
        versions: Vec<Version>,
        platforms: &PlatformChoice,
        answer: &VersionsAnswer,
    ) {
        for version in versions {
            let offer = answer
                .versions
                .iter()
                .find(|offer| offer.version == version);
            let listed = offer
                .map(|offer| offer.platforms.as_slice())
                .unwrap_or_default();
            let wanted: Vec<Platform> = match platforms {
                PlatformChoice::Listed(platforms) => platforms.iter().cloned().collect(),
                PlatformChoice::All => listed.to_vec(),
            };
            if wanted.is_empty() {
                self.failures.push(no_platforms(addr, &version, offer));
            }
            for platform in wanted {
                let unlisted = !listed.is_empty() && !listed.contains(&platform);
                let id = PackageId {
                    addr: addr.clone(),
                    version: version.clone(),
                    platform,
                };
                if unlisted {
                    self.unlisted.insert(id.clone());
                }
                self.packages.insert(id);
            }
        }
    }
}

fn no_platforms(addr: &ProviderAddr, version: &Version, offer: Option<&OfferedVersion>) -> OpError {
    OpError::NoListedPlatforms {
        addr: addr.clone(),
        version: version.clone(),
        is_offered: offer.is_some(),
    }
}
