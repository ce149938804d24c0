//! Several sources in the order of the tools' installation methods (facts/providers 6.7, 6.8, 9.5).
//!
//! Versions are the union of what all methods that serve a provider have; a package comes from the first of them
//! that has it. A method that does not have what is asked for is skipped; any other failure ends the search,
//! so that an attacker who makes one source fail cannot make another answer in its place.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt};

use crate::address::ProviderAddr;
use crate::config::cli_config::InstallationMethod;
use crate::document::{OfferedVersion, PackageId, Verdict, VersionsAnswer};
use crate::source::{FilesystemMirrorSource, LayoutUse, PackageMeta, Source, SourceError};
use crate::version::Version;

/// A source and the providers that it serves.
#[derive(Debug)]
pub struct ChainLink {
    /// The method in words, as messages show it.
    pub name: String,
    /// Which providers it serves.
    pub rule: ServingRule,
    /// Who answers.
    pub source: Box<dyn Source>,
}

/// Which providers a method serves.
#[derive(Debug)]
pub enum ServingRule {
    /// Those that a configured method's patterns select.
    Patterns(InstallationMethod),
    /// All.
    Every,
    /// Those of which none of these implied local mirrors holds any package.
    NotIn(Vec<PathBuf>),
}

/// Whether a link serves a provider, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Whether it does.
    pub is_served: bool,
    /// Why, in words.
    pub reason: String,
}

/// Asks several sources as if they were one.
#[derive(Debug)]
pub struct SourceChain {
    links: Vec<ChainLink>,
    /// Where the methods are configured, in words.
    block: String,
}

impl SourceChain {
    /// A chain of `links`, which `block` configures: a file and line.
    pub fn new(links: Vec<ChainLink>, block: String) -> Self {
        Self { links, block }
    }

    /// The links, in the order in which they are asked.
    pub fn links(&self) -> &[ChainLink] {
        &self.links
    }

    async fn serving(&self, addr: &ProviderAddr) -> Result<Vec<&ChainLink>, SourceError> {
        let mut serving = Vec::new();
        for link in &self.links {
            if link.rule.service(addr).await.is_served {
                serving.push(link);
            }
        }
        if serving.is_empty() {
            return Err(SourceError::NoMethod {
                addr: addr.clone(),
                block: self.block.clone(),
            });
        }
        Ok(serving)
    }

    async fn versions(&self, addr: &ProviderAddr) -> Result<Arc<VersionsAnswer>, SourceError> {
        let serving = self.serving(addr).await?;
        let mut union = Union::default();
        let mut absences = Vec::new();
        for link in &serving {
            match link.source.available_versions(addr).await {
                // The usual case: a registry alone, whose words need not be copied.
                Ok(answer) if serving.len() == 1 => {
                    return Ok(answer);
                }
                Ok(answer) => union.add(&answer),
                Err(error) if error.is_absence() => absences.push(error),
                Err(error) => return Err(error),
            }
        }
        if union.versions.is_empty() {
            return Err(of_provider(addr, &serving, absences));
        }
        Ok(Arc::new(union.answer()))
    }

    async fn meta(&self, id: &PackageId) -> Result<PackageMeta, SourceError> {
        let serving = self.serving(&id.addr).await?;
        let mut absences = Vec::new();
        for link in &serving {
            match link.source.package_meta(id).await {
                Ok(meta) => {
                    log::info!("{id} comes from {}", link.name);
                    return Ok(meta);
                }
                Err(error) if error.is_absence() => {
                    log::info!("{} does not have {id}: {error}", link.name);
                    absences.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(of_package(id, &serving, absences))
    }
}

impl ServingRule {
    /// Whether a link with this rule serves `addr`.
    pub async fn service(&self, addr: &ProviderAddr) -> Service {
        match self {
            Self::Patterns(method) => {
                let reason = method.reason(addr);
                Service {
                    is_served: reason.is_served(),
                    reason: reason.to_string(),
                }
            }
            Self::Every => Service {
                is_served: true,
                reason: "it serves every provider".to_owned(),
            },
            Self::NotIn(dirs) => not_in(dirs, addr).await,
        }
    }
}

async fn not_in(dirs: &[PathBuf], addr: &ProviderAddr) -> Service {
    for dir in dirs {
        let mirror = FilesystemMirrorSource::new(dir, LayoutUse::Any);
        if mirror.holds(addr).await {
            return Service {
                is_served: false,
                reason: format!("the implied local mirror `{}` has it", dir.display()),
            };
        }
    }
    Service {
        is_served: true,
        reason: "no implied local mirror has it".to_owned(),
    }
}

/// The answers of several sources as one.
#[derive(Debug, Default)]
struct Union {
    versions: BTreeMap<Version, OfferedVersion>,
    words: VersionsAnswer,
}

impl Union {
    fn add(&mut self, answer: &VersionsAnswer) {
        for offer in &answer.versions {
            let known = self.versions.get_mut(&offer.version);
            let Some(known) = known else {
                self.versions.insert(offer.version.clone(), offer.clone());
                continue;
            };
            // A source that lists no platforms may have any, and then nothing can be said of the union.
            if known.platforms.is_empty() || offer.platforms.is_empty() {
                known.platforms.clear();
            } else {
                let known_platforms = known.platforms.clone();
                let new = offer.platforms.iter();
                let new = new.filter(|platform| !known_platforms.contains(platform));
                known.platforms.extend(new.cloned());
            }
            if known.protocols.is_empty() {
                known.protocols.clone_from(&offer.protocols);
            }
        }
        self.words.warnings.extend(answer.warnings.iter().cloned());
        self.words.warning_count += answer.warning_count;
        let unparsable = answer.unparsable.iter().cloned();
        self.words.unparsable.extend(unparsable);
        self.words.unparsable_count += answer.unparsable_count;
    }

    fn answer(self) -> VersionsAnswer {
        VersionsAnswer {
            versions: self.versions.into_values().collect(),
            ..self.words
        }
    }
}

/// The error for a provider that nobody has: that of the only source, that nobody may be asked, or the list.
fn of_provider(
    addr: &ProviderAddr,
    serving: &[&ChainLink],
    absences: Vec<SourceError>,
) -> SourceError {
    the_one(serving, absences).unwrap_or_else(|_| SourceError::ProviderNowhere {
        addr: addr.clone(),
        places: names(serving),
    })
}

fn of_package(id: &PackageId, serving: &[&ChainLink], absences: Vec<SourceError>) -> SourceError {
    the_one(serving, absences).unwrap_or_else(|absences| SourceError::PackageNowhere {
        id: Box::new(id.clone()),
        places: names(serving),
        has_version: absences.iter().any(SourceError::is_missing_platform),
    })
}

/// The absence that says all there is to say, else all of them.
fn the_one(
    serving: &[&ChainLink],
    mut absences: Vec<SourceError>,
) -> Result<SourceError, Vec<SourceError>> {
    let is_offline = |error: &SourceError| matches!(error, SourceError::Offline);
    if absences.iter().any(is_offline) {
        return Ok(SourceError::Offline);
    }
    match absences.pop() {
        Some(only) if serving.len() == 1 => Ok(only),
        last => {
            absences.extend(last);
            Err(absences)
        }
    }
}

fn names(serving: &[&ChainLink]) -> Vec<String> {
    serving.iter().map(|link| link.name.clone()).collect()
}

impl Source for SourceChain {
    fn available_versions<'a>(
        &'a self,
        addr: &'a ProviderAddr,
    ) -> BoxFuture<'a, Result<Arc<VersionsAnswer>, SourceError>> {
        self.versions(addr).boxed()
    }

    fn package_meta<'a>(
        &'a self,
        id: &'a PackageId,
    ) -> BoxFuture<'a, Result<PackageMeta, SourceError>> {
        self.meta(id).boxed()
    }

    /// The rules that look at disks are left out here: whoever may serve a provider at all may have proved it.
    fn could_prove(&self, id: &PackageId, verdict: &Verdict) -> bool {
        let may_serve = |link: &&ChainLink| match &link.rule {
            ServingRule::Patterns(method) => method.serves(&id.addr),
            ServingRule::Every | ServingRule::NotIn(_) => true,
        };
        let mut links = self.links.iter().filter(may_serve);
        links.any(|link| link.source.could_prove(id, verdict))
    }
}
