//! The provider registry protocol, version 1 (facts/providers 2).
//!
//! Hostile input: answers of a registry that an address names. Every document is capped, checked
//! for type in `document`, and its URLs must be http(s). Tokens go to the two API calls of the
//! provider's own host and to nothing else (facts/providers 2.8, design "Trust").

use std::collections::BTreeMap;
use std::sync::Arc;

use url::Url;

use crate::address::{Platform, ProviderAddr};
use crate::auth::Credentials;
use crate::document::{
    OfferedVersion, PackageAnswer, PackageId, ReportedPackage, SigningKey, VersionsAnswer,
};
use crate::hash::Sha256Digest;
use crate::http::{Client, Memo, RetryPolicy};
use crate::registry::call::{Call, Caller, Reply};
use crate::registry::protocol_support::{is_supported, newest_supported};
use crate::registry::{CallError, DiscoveryClient, RegistryError, RegistryKind};

/// Real `versions` answers stay below 1 MiB; 10,000 releases for ten platforms have about 4 MiB.
const VERSIONS_CAP: u64 = 8 << 20;
/// A `download` answer holds URLs and a few keys.
const PACKAGE_CAP: u64 = 4 << 20;
/// A version has at most some dozens of packages; a line is about 130 bytes.
const SHASUMS_CAP: u64 = 4 << 20;

/// What a registry offers as one package, checked as far as that goes without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageOffer {
    /// The package.
    pub id: PackageId,
    /// Plugin protocol versions as written.
    pub protocols: Vec<String>,
    /// The name to look up in SHA256SUMS.
    pub filename: String,
    /// Where the archive is.
    pub download_url: Url,
    /// Where SHA256SUMS is.
    pub shasums_url: Url,
    /// Where its detached signature is.
    pub signature_url: Url,
    /// The announced digest of the archive.
    pub digest: Sha256Digest,
    /// Keys that may have signed SHA256SUMS, in order.
    pub signing_keys: Vec<SigningKey>,
    /// OpenTofu's hashes and sizes for all platforms; empty if not told.
    pub packages: BTreeMap<Platform, ReportedPackage>,
}

/// Speaks to the origin registries of providers.
#[derive(Debug)]
pub struct ProviderRegistryClient {
    caller: Caller,
    known: Memo<ProviderAddr, VersionsAnswer>,
}

impl ProviderRegistryClient {
    /// A client that finds registries by `discovery`.
    pub fn new(
        http: Client,
        discovery: DiscoveryClient,
        credentials: Arc<Credentials>,
        retry: RetryPolicy,
    ) -> Self {
        Self {
            caller: Caller {
                http,
                discovery,
                credentials,
                retry,
                kind: RegistryKind::Providers,
            },
            known: Memo::default(),
        }
    }

    /// All versions of `addr`, asked for once per process (facts/providers 2.13).
    ///
    /// # Errors
    ///
    /// If the registry cannot be found or asked, does not know the provider, or answers against
    /// the protocol.
    pub async fn available_versions(
        &self,
        addr: &ProviderAddr,
    ) -> Result<Arc<VersionsAnswer>, RegistryError> {
        let ask = || self.ask_versions(addr);
        self.known.get_or_ask(addr.clone(), ask).await
    }

    /// What the registry offers as package `id`.
    ///
    /// # Errors
    ///
    /// As for [`Self::available_versions`], and if the package does not exist, speaks an unusable
    /// plugin protocol, or is described against the protocol.
    pub async fn package(&self, id: &PackageId) -> Result<PackageOffer, RegistryError> {
        let what = format!("the metadata of {id}");
        let path = format!(
            "{}/{}/{}/download/{}/{}",
            id.addr.namespace(),
            id.addr.ty(),
            id.version,
            id.platform.os(),
            id.platform.arch()
        );
        let reply = self.call(&id.addr, path, what, PACKAGE_CAP).await?;
        if reply.is_not_found() {
            return Err(self.explain_missing(id).await);
        }
        reply.expect(&[200])?;
        let parsed = PackageAnswer::parse(&reply.answer.body);
        let parsed = parsed.map_err(|source| reply.malformed(source))?;
        self.check_protocols(id, &parsed.protocols).await?;
        offer(id, parsed, &reply.answer.final_url)
    }

    /// The bytes of a SHA256SUMS document or its signature; `what` names it in errors.
    ///
    /// # Errors
    ///
    /// If it is not there or longer than 4 MiB.
    pub async fn proof_document(&self, url: &Url, what: &str) -> Result<Vec<u8>, RegistryError> {
        Ok(self.caller.document(url, what, SHASUMS_CAP).await?)
    }

    async fn ask_versions(&self, addr: &ProviderAddr) -> Result<VersionsAnswer, RegistryError> {
        let what = format!("the versions of `{addr}`");
        let path = format!("{}/{}/versions", addr.namespace(), addr.ty());
        let reply = self.call(addr, path, what, VERSIONS_CAP).await?;
        if reply.is_not_found() {
            return Err(RegistryError::NoSuchProvider {
                addr: addr.clone(),
                url: reply.url(),
            });
        }
        reply.expect(&[200])?;
        let versions = VersionsAnswer::parse(&reply.answer.body);
        Ok(versions.map_err(|source| reply.malformed(source))?)
    }

    async fn call(
        &self,
        addr: &ProviderAddr,
        path: String,
        what: String,
        cap: u64,
    ) -> Result<Reply, CallError> {
        let call = Call {
            host: addr.hostname(),
            addr: addr.to_string(),
            path,
            what,
            cap,
        };
        self.caller.call(call).await
    }

    async fn check_protocols(
        &self,
        id: &PackageId,
        protocols: &[String],
    ) -> Result<(), RegistryError> {
        let boxed = || Box::new(id.clone());
        match is_supported(protocols) {
            Ok(true) => Ok(()),
            Err(got) => Err(RegistryError::BadProtocol { id: boxed(), got }),
            Ok(false) => {
                let listed = self.available_versions(&id.addr).await.ok();
                let newest = listed.and_then(|answer| newest_supported(&answer.versions).cloned());
                Err(RegistryError::ProtocolUnsupported {
                    id: boxed(),
                    protocols: protocols.to_vec(),
                    newest,
                })
            }
        }
    }

    /// A 404 for a package: the provider, the version or only the platform may be missing; the
    /// list of versions tells which.
    async fn explain_missing(&self, id: &PackageId) -> RegistryError {
        let answer = match self.available_versions(&id.addr).await {
            Ok(answer) => answer,
            Err(error) => return error,
        };
        let newest_where = |wanted: &dyn Fn(&OfferedVersion) -> bool| {
            let stable = |offer: &&OfferedVersion| !offer.version.is_prerelease();
            let offers = || answer.versions.iter().filter(|offer| wanted(offer));
            offers()
                .rfind(stable)
                .or_else(|| offers().next_back())
                .map(|offer| offer.version.clone())
        };
        let id = Box::new(id.clone());
        let asked = |offer: &OfferedVersion| offer.version == id.version;
        match answer.versions.iter().find(|offer| asked(offer)) {
            None => RegistryError::NoSuchVersion {
                newest: newest_where(&|_| true),
                id,
            },
            // Some registries list a platform that they do not have; the 404 is the truth.
            Some(offer) => RegistryError::PlatformNotPublished {
                published: without(&offer.platforms, &id.platform),
                newest: newest_where(&|offer| {
                    !asked(offer) && offer.platforms.contains(&id.platform)
                }),
                id,
            },
        }
    }
}

fn without(platforms: &[Platform], missing: &Platform) -> Vec<Platform> {
    let others = platforms.iter().filter(|&platform| platform != missing);
    others.cloned().collect()
}

/// Checks the answer in the order of facts/providers 2.10.
fn offer(id: &PackageId, answer: PackageAnswer, base: &Url) -> Result<PackageOffer, RegistryError> {
    if answer.os != id.platform.os() || answer.arch != id.platform.arch() {
        let got = format!("{}_{}", answer.os, answer.arch);
        return Err(RegistryError::WrongPlatform {
            id: Box::new(id.clone()),
            got,
        });
    }
    let download_url = resolve(id, base, "download_url", &answer.download_url)?;
    let digest = answer.digest(id)?;
    Ok(PackageOffer {
        id: id.clone(),
        download_url,
        digest,
        shasums_url: resolve(id, base, "shasums_url", &answer.shasums_url)?,
        signature_url: resolve(
            id,
            base,
            "shasums_signature_url",
            &answer.shasums_signature_url,
        )?,
        protocols: answer.protocols,
        filename: answer.filename,
        signing_keys: answer.signing_keys,
        packages: answer.packages,
    })
}

fn resolve(
    id: &PackageId,
    base: &Url,
    member: &'static str,
    value: &str,
) -> Result<Url, RegistryError> {
    let url = base
        .join(value)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"));
    // A missing URL resolves to the answer itself, which the tools then take for an archive; there
    // is no use in that, so it is refused at once.
    url.filter(|_| !value.is_empty())
        .ok_or_else(|| RegistryError::BadUrl {
            id: Box::new(id.clone()),
            member,
            got: value.chars().take(200).collect(),
        })
}
