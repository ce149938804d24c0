//! The origin registry of each provider as a source: metadata once per package, SHA256SUMS and its
//! signature once per version.

use std::sync::Arc;
use std::time::SystemTime;

use futures_util::future::{BoxFuture, FutureExt};

use crate::address::{ProviderAddr, Tool};
use crate::document::{PackageId, Shasums, SigningKey, Verdict, VersionsAnswer};
use crate::http::Memo;
use crate::package::{Enforcement, SealedShasums, SigningPolicy};
use crate::registry::{PackageOffer, ProviderRegistryClient};
use crate::source::{PackageLocation, PackageMeta, Proof, ShasumsProof, Source, SourceError};

/// Proofs are shared by the platforms whose answers name the same documents and keys.
type ProofKey = (String, String, Vec<SigningKey>);

/// Asks the registry that each provider's host announces.
#[derive(Debug)]
pub struct OriginSource {
    registry: ProviderRegistryClient,
    tool: Tool,
    enforcement: Enforcement,
    metas: Memo<PackageId, PackageMeta>,
    proofs: Memo<ProofKey, ShasumsProof>,
}

impl OriginSource {
    /// A source that asks by `registry`, with the signing rules of `tool`.
    pub fn new(registry: ProviderRegistryClient, tool: Tool, enforcement: Enforcement) -> Self {
        Self {
            registry,
            tool,
            enforcement,
            metas: Memo::default(),
            proofs: Memo::default(),
        }
    }

    async fn meta(&self, id: &PackageId) -> Result<PackageMeta, SourceError> {
        let offer = self.registry.package(id).await?;
        let shasums = self.proof(&offer).await?;
        Ok(PackageMeta {
            id: id.clone(),
            size: reported_size(&offer),
            location: PackageLocation::Url(offer.download_url),
            protocols: offer.protocols,
            proof: Proof::Registry {
                filename: offer.filename,
                announced: offer.digest,
                shasums,
                packages: offer.packages,
            },
        })
    }

    async fn proof(&self, offer: &PackageOffer) -> Result<Arc<ShasumsProof>, SourceError> {
        let key = (
            offer.shasums_url.to_string(),
            offer.signature_url.to_string(),
            offer.signing_keys.clone(),
        );
        self.proofs
            .get_or_ask(key, || self.fetch_proof(offer))
            .await
    }

    async fn fetch_proof(&self, offer: &PackageOffer) -> Result<ShasumsProof, SourceError> {
        let id = &offer.id;
        let named = |what: &str| format!("{what} of `{}` {}", id.addr, id.version);
        let document_name = named("the SHA256SUMS document");
        let signature_name = named("the signature of the SHA256SUMS document");
        let (document, signature) = tokio::try_join!(
            self.registry
                .proof_document(&offer.shasums_url, &document_name),
            self.registry
                .proof_document(&offer.signature_url, &signature_name),
        )?;
        let policy = SigningPolicy::of(self.tool, id.addr.hostname(), self.enforcement);
        let keys = &offer.signing_keys;
        let sealed = SealedShasums::verify(document, &signature, keys, policy, SystemTime::now());
        let sealed = sealed.map_err(|source| SourceError::Signature {
            id: Box::new(id.clone()),
            source,
        })?;
        Ok(ShasumsProof {
            url: offer.shasums_url.clone(),
            signature_url: offer.signature_url.clone(),
            shasums: Shasums::parse(sealed.document()),
            sealed,
            signature,
            signing_keys: offer.signing_keys.clone(),
        })
    }
}

/// The size that OpenTofu's `packages` tells, if it can be one.
fn reported_size(offer: &PackageOffer) -> Option<u64> {
    let reported = offer.packages.get(&offer.id.platform)?;
    u64::try_from(reported.size).ok().filter(|&size| size > 0)
}

impl Source for OriginSource {
    fn available_versions<'a>(
        &'a self,
        addr: &'a ProviderAddr,
    ) -> BoxFuture<'a, Result<Arc<VersionsAnswer>, SourceError>> {
        async { Ok(self.registry.available_versions(addr).await?) }.boxed()
    }

    fn package_meta<'a>(
        &'a self,
        id: &'a PackageId,
    ) -> BoxFuture<'a, Result<PackageMeta, SourceError>> {
        async {
            let meta = self.metas.get_or_ask(id.clone(), || self.meta(id)).await?;
            Ok(PackageMeta::clone(&meta))
        }
        .boxed()
    }

    fn could_prove(&self, id: &PackageId, verdict: &Verdict) -> bool {
        origin_could_prove(self.tool, self.enforcement, id, verdict)
    }
}

/// Whether the origin registry of package `id` could have given it this verdict under the rules of
/// `tool`: what another tool or setting let pass is asked for again.
pub(super) fn origin_could_prove(
    tool: Tool,
    enforcement: Enforcement,
    id: &PackageId,
    verdict: &Verdict,
) -> bool {
    match verdict {
        Verdict::Signed { .. } => true,
        Verdict::Checksum => {
            SigningPolicy::of(tool, id.addr.hostname(), enforcement)
                == SigningPolicy::OptionalWithoutKeys
        }
        Verdict::Unauthenticated => false,
    }
}
