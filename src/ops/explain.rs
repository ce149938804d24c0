//! `explain`: which source would serve a provider and why, and how its host is found.

use std::path::PathBuf;

use crate::address::{Hostname, Platform, ProviderAddr};
use crate::config::ProviderRequest;
use crate::document::PackageId;
use crate::ops::packages::selection::no_matching_version;
use crate::ops::{OpError, PackageFailure};
use crate::registry::{DiscoveryClient, ServiceId};
use crate::secret::ShownUrl;
use crate::source::{ChainLink, Source, SourceChain};
use crate::version::Version;

/// What is to be explained.
#[derive(Debug)]
pub struct ExplainRequest {
    /// The provider, and what its version must meet.
    pub request: ProviderRequest,
    /// For which platform.
    pub platform: Platform,
    /// The directory of the plugin, if `dev_overrides` names one.
    pub overridden: Option<PathBuf>,
}

/// Where a provider would come from.
#[derive(Debug)]
pub struct Explanation {
    /// The provider.
    pub addr: ProviderAddr,
    /// The directory of the plugin, if `dev_overrides` names one: then nothing is installed.
    pub overridden: Option<PathBuf>,
    /// All methods, in the order in which they are asked.
    pub methods: Vec<ExplainedMethod>,
    /// The version that would be chosen without a lock file.
    pub version: Option<Version>,
    /// Why no package would be found.
    pub error: Option<OpError>,
}

/// One method and what it says.
#[derive(Debug)]
pub struct ExplainedMethod {
    /// The method in words, with file and line where it is configured.
    pub name: String,
    /// Whether it is asked for this provider.
    pub is_asked: bool,
    /// Why, in words.
    pub reason: String,
    /// How many versions it has; none if it is not asked or failed.
    pub version_count: Option<usize>,
    /// Why it has no answer.
    pub failure: Option<String>,
    /// Where it has the package of the chosen version, if the package would come from it.
    pub serves: Option<String>,
}

/// How the services of a host were found.
#[derive(Debug)]
pub struct ExplainedHost {
    /// The host.
    pub host: Hostname,
    /// Every URL on the way to its discovery document, redirects included; empty if nobody was asked.
    pub hops: Vec<ShownUrl>,
    /// The URL of its provider registry.
    pub registry: Option<ShownUrl>,
    /// Why there is none.
    pub failure: Option<String>,
}

/// Asks every method that serves the provider; a failing one is told and does not keep the others from
/// being asked, unlike in an installation.
pub async fn explain(chain: &SourceChain, request: &ExplainRequest) -> Explanation {
    let addr = &request.request.addr;
    let mut methods = Vec::new();
    for link in chain.links() {
        methods.push(explained(link, addr).await);
    }
    let mut explanation = Explanation {
        addr: addr.clone(),
        overridden: request.overridden.clone(),
        methods,
        version: None,
        error: None,
    };
    match select(chain, request).await {
        Ok(version) => {
            explanation.version = Some(version.clone());
            explanation.error = find_server(chain, request, version, &mut explanation.methods)
                .await
                .err();
        }
        Err(error) => explanation.error = Some(error),
    }
    explanation
}

async fn explained(link: &ChainLink, addr: &ProviderAddr) -> ExplainedMethod {
    let service = link.rule.service(addr).await;
    let mut method = ExplainedMethod {
        name: link.name.clone(),
        is_asked: service.is_served,
        reason: service.reason,
        version_count: None,
        failure: None,
        serves: None,
    };
    if method.is_asked {
        match link.source.available_versions(addr).await {
            Ok(answer) => method.version_count = Some(answer.versions.len()),
            Err(error) if error.is_absence() => method.failure = Some(error.to_string()),
            Err(error) => method.failure = Some(with_causes(&error)),
        }
    }
    method
}

async fn select(chain: &SourceChain, request: &ExplainRequest) -> Result<Version, OpError> {
    let (addr, constraints) = (&request.request.addr, &request.request.constraints);
    let answer = chain.available_versions(addr).await;
    let answer = answer.map_err(|source| OpError::Versions {
        addr: addr.clone(),
        source,
    })?;
    let offered = answer.versions.iter().map(|offer| &offer.version);
    let selected = constraints.select(offered).cloned();
    selected.ok_or_else(|| no_matching_version(addr, constraints, &answer))
}

/// Finds the first method that has the package, as an installation does.
async fn find_server(
    chain: &SourceChain,
    request: &ExplainRequest,
    version: Version,
    methods: &mut [ExplainedMethod],
) -> Result<(), OpError> {
    let id = PackageId {
        addr: request.request.addr.clone(),
        version,
        platform: request.platform.clone(),
    };
    let failed = |source| OpError::Package {
        verb: "find",
        id: Box::new(id.clone()),
        source: Box::new(PackageFailure::Source(source)),
    };
    for (link, method) in chain.links().iter().zip(methods) {
        if !method.is_asked {
            continue;
        }
        match link.source.package_meta(&id).await {
            Ok(meta) => {
                method.serves = Some(meta.location.to_string());
                return Ok(());
            }
            Err(error) if error.is_absence() => {}
            Err(error) => return Err(failed(error)),
        }
    }
    chain.package_meta(&id).await.map(drop).map_err(failed)
}

/// Finds the provider registry of a host.
pub async fn explain_host(discovery: &DiscoveryClient, host: &Hostname) -> ExplainedHost {
    let mut explained = ExplainedHost {
        host: host.clone(),
        hops: Vec::new(),
        registry: None,
        failure: None,
    };
    match discovery.services(host).await {
        Err(error) => explained.failure = Some(with_causes(&error)),
        Ok(services) => {
            explained.hops = services.hops().to_vec();
            match services.url(ServiceId::PROVIDERS_V1) {
                Ok(url) => explained.registry = Some(ShownUrl::of(&url)),
                Err(error) => explained.failure = Some(with_causes(&error)),
            }
        }
    }
    explained
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
