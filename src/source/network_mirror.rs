//! A network mirror as a source (facts/providers 8).

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt};

use crate::address::ProviderAddr;
use crate::document::{OfferedVersion, PackageId, Verdict, VersionsAnswer};
use crate::registry::NetworkMirrorClient;
use crate::source::{HashTrust, PackageLocation, PackageMeta, Proof, Source, SourceError};

/// Of how many keys that are no versions the text is told.
const TOLD: usize = 5;

/// Asks one network mirror.
#[derive(Debug)]
pub struct NetworkMirrorSource {
    client: NetworkMirrorClient,
    trust: HashTrust,
}

impl NetworkMirrorSource {
    /// A source that asks by `client`.
    pub fn new(client: NetworkMirrorClient, trust: HashTrust) -> Self {
        Self { client, trust }
    }

    async fn versions(&self, addr: &ProviderAddr) -> Result<Arc<VersionsAnswer>, SourceError> {
        let index = self.client.index(addr).await?;
        let unreadable = || index.unreadable_versions();
        let offer = |version| OfferedVersion {
            version,
            protocols: Vec::new(),
            platforms: Vec::new(),
        };
        Ok(Arc::new(VersionsAnswer {
            versions: index.versions().into_iter().map(offer).collect(),
            unparsable: unreadable().take(TOLD).map(str::to_owned).collect(),
            unparsable_count: unreadable().count(),
            ..VersionsAnswer::default()
        }))
    }

    async fn meta(&self, id: &PackageId) -> Result<PackageMeta, SourceError> {
        let package = self.client.package(id).await?;
        // With `trust_all_hashes` those of all platforms are taken together (facts 8.8).
        let hashes = match self.trust {
            HashTrust::Matching => package.hashes,
            HashTrust::All => package.hashes_of_all_platforms,
        };
        Ok(PackageMeta {
            id: package.id,
            size: None,
            location: PackageLocation::Url(package.url),
            protocols: Vec::new(),
            proof: Proof::Mirror {
                hashes,
                trust: self.trust,
            },
        })
    }
}

impl Source for NetworkMirrorSource {
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

    /// A mirror need not list any hash, so whatever was proved before is as good.
    fn could_prove(&self, _id: &PackageId, _verdict: &Verdict) -> bool {
        true
    }
}
