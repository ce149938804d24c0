//! The network mirror protocol (facts/providers 8).
//!
//! Hostile input: the answers of a mirror that the user configured, or of somebody on the way to it.
//! - Documents are capped, must be declared as JSON, and are checked for type in `document`; a null archive is an
//!   error.
//! - The token of the mirror's host goes to the two JSON calls and to nothing else; it is dropped when a redirect
//!   changes scheme, host or port (`http`).
//! - An archive's URL may lead to any host, over https or http (facts 8.6), and to no file: the caller proves the bytes
//!   by the hashes listed.
//! - Names become parts of URLs only after they were normalised; no name can leave the mirror's base.

use std::sync::Arc;

use url::Url;

use crate::address::{Hostname, ProviderAddr};
use crate::auth::Credentials;
use crate::document::{JsonDocumentError, MirrorIndex, PackageId, VersionDocument};
use crate::hash::PackageHash;
use crate::http::{Answer, Client, GetRequest, Memo, RetryPolicy};
use crate::registry::NetworkMirrorError;
use crate::registry::media_type::media_type;
use crate::secret::ShownUrl;

/// 10,000 versions have about 200 KiB.
const INDEX_CAP: u64 = 8 << 20;
/// A version has some dozens of archives with some hashes each.
const VERSION_CAP: u64 = 4 << 20;
/// Facts/providers 8.4.
const MAX_REDIRECTS: usize = 5;

/// What a mirror offers as one package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirroredPackage {
    /// The package.
    pub id: PackageId,
    /// Where the archive is.
    pub url: Url,
    /// The hashes listed for this platform; with none, nothing is claimed.
    pub hashes: Vec<PackageHash>,
    /// The hashes listed for all platforms of the version.
    pub hashes_of_all_platforms: Vec<PackageHash>,
}

/// Speaks to one network mirror.
#[derive(Debug)]
pub struct NetworkMirrorClient {
    http: Client,
    base: Url,
    credentials: Arc<Credentials>,
    retry: RetryPolicy,
    indexes: Memo<ProviderAddr, MirrorIndex>,
    versions: Memo<(ProviderAddr, String), (VersionDocument, Url)>,
}

impl NetworkMirrorClient {
    /// A client of the mirror at `base`, an https URL.
    pub fn new(http: Client, base: Url, credentials: Arc<Credentials>, retry: RetryPolicy) -> Self {
        Self {
            http,
            base,
            credentials,
            retry,
            indexes: Memo::default(),
            versions: Memo::default(),
        }
    }

    /// The mirror's URL.
    pub fn base(&self) -> &Url {
        &self.base
    }

    /// The versions that the mirror has of `addr`, asked for once per process.
    ///
    /// # Errors
    ///
    /// If the mirror does not have the provider, cannot be asked, or answers against the protocol.
    pub async fn index(&self, addr: &ProviderAddr) -> Result<Arc<MirrorIndex>, NetworkMirrorError> {
        let ask = || self.ask_index(addr);
        self.indexes.get_or_ask(addr.clone(), ask).await
    }

    /// What the mirror offers as package `id`.
    ///
    /// # Errors
    ///
    /// As for [`Self::index`], and if the version or platform is not there.
    pub async fn package(&self, id: &PackageId) -> Result<MirroredPackage, NetworkMirrorError> {
        let key = (id.addr.clone(), id.version.to_string());
        let ask = || self.ask_version(id);
        let version = self.versions.get_or_ask(key, ask).await?;
        let (document, final_url) = &*version;
        let entry = document.archives.get(&id.platform);
        let entry = entry.ok_or_else(|| NetworkMirrorError::PlatformNotHere {
            id: Box::new(id.clone()),
            mirror: ShownUrl::of(&self.base),
            here: document.archives.keys().cloned().collect(),
        })?;
        let all = document.archives.values().flat_map(|entry| &entry.hashes);
        Ok(MirroredPackage {
            id: id.clone(),
            url: archive_url(id, final_url, &entry.url)?,
            hashes: entry.hashes.clone(),
            hashes_of_all_platforms: all.cloned().collect(),
        })
    }

    async fn ask_index(&self, addr: &ProviderAddr) -> Result<MirrorIndex, NetworkMirrorError> {
        let what = format!("the versions of `{addr}`");
        let answer = self.call(addr, "index.json", &what, INDEX_CAP).await?;
        if answer.status == 404 {
            return Err(NetworkMirrorError::ProviderNotHere {
                addr: addr.clone(),
                url: ShownUrl::of(&answer.final_url),
            });
        }
        let answer = success(answer, &what)?;
        MirrorIndex::parse(&answer.body).map_err(|source| malformed(&answer, &what, source))
    }

    /// A 404 is against the protocol only if the index lists the version (facts/providers 8.3); the tools
    /// take it for a failure in any case, and so cannot go on with their next method.
    async fn ask_version(
        &self,
        id: &PackageId,
    ) -> Result<(VersionDocument, Url), NetworkMirrorError> {
        let what = format!("the archives of `{}` {}", id.addr, id.version);
        let name = format!("{}.json", id.version);
        let answer = self.call(&id.addr, &name, &what, VERSION_CAP).await?;
        if answer.status == 404 {
            return Err(self.explain_missing(id, &answer.final_url).await);
        }
        let answer = success(answer, &what)?;
        let document = VersionDocument::parse(&answer.body);
        let document = document.map_err(|source| malformed(&answer, &what, source))?;
        Ok((document, answer.final_url))
    }

    async fn explain_missing(&self, id: &PackageId, url: &Url) -> NetworkMirrorError {
        let url = ShownUrl::of(url);
        let id = Box::new(id.clone());
        match self.index(&id.addr).await {
            Ok(index) if index.versions().contains(&id.version) => {
                NetworkMirrorError::VersionGone { id, url }
            }
            Ok(_) => NetworkMirrorError::VersionNotHere { id, url },
            Err(error) => error,
        }
    }

    /// One JSON call, with the token of the mirror's host.
    async fn call(
        &self,
        addr: &ProviderAddr,
        name: &str,
        what: &str,
        cap: u64,
    ) -> Result<Answer, NetworkMirrorError> {
        let url = self.url_of(addr, name)?;
        let credentials = match mirror_host(&self.base) {
            Some(host) => self.credentials.for_host(&host).await,
            None => None,
        };
        let request = GetRequest {
            accept: Some("application/json"),
            bearer: credentials.as_ref().map(|credentials| &credentials.token),
            max_redirects: MAX_REDIRECTS,
            retry: self.retry,
            ..GetRequest::new(url, cap)
        };
        let sent = self.http.get(&request).await;
        sent.map_err(|source| NetworkMirrorError::Request {
            what: what.to_owned(),
            source: Box::new(source),
        })
    }

    /// A relative reference, so a base without final slash loses its last segment and a query string disappears
    /// (facts/providers 8.1); a host with a port would be read as a scheme (facts 8.2).
    fn url_of(&self, addr: &ProviderAddr, name: &str) -> Result<Url, NetworkMirrorError> {
        let host = addr.hostname();
        let path = format!(
            "{}/{}/{}/{name}",
            host.for_comparison(),
            addr.namespace(),
            addr.ty()
        );
        let url = self.base.join(&path).ok();
        url.filter(|_| host.port().is_none())
            .ok_or_else(|| NetworkMirrorError::HostWithPort { addr: addr.clone() })
    }
}

/// The host name that the mirror's token is kept for.
pub fn mirror_host(base: &Url) -> Option<Hostname> {
    let host = base.host_str()?;
    let port = base.port().map(|port| format!(":{port}"));
    let text = format!("{host}{}", port.unwrap_or_default());
    // Host names are given in Unicode, URLs hold the encoded form.
    Hostname::lenient_display(&text).parse().ok()
}

fn success(answer: Answer, what: &str) -> Result<Answer, NetworkMirrorError> {
    let url = ShownUrl::of(&answer.final_url);
    match answer.status {
        200 => {}
        status @ (401 | 403) => {
            return Err(NetworkMirrorError::Unauthorized {
                host: mirror_host(&answer.final_url),
                url,
                status,
                token_sent: answer.token_sent,
            });
        }
        status => {
            return Err(NetworkMirrorError::Status {
                what: what.to_owned(),
                url,
                status,
            });
        }
    }
    let declared = answer.content_type.as_deref();
    let is_json = declared
        .and_then(media_type)
        .is_some_and(|found| found.eq_ignore_ascii_case("application/json"));
    if is_json {
        return Ok(answer);
    }
    let got = declared.map_or_else(|| "none".to_owned(), |value| format!("`{value}`"));
    Err(NetworkMirrorError::ContentType { url, got })
}

fn malformed(answer: &Answer, what: &str, source: JsonDocumentError) -> NetworkMirrorError {
    NetworkMirrorError::Malformed {
        what: what.to_owned(),
        url: ShownUrl::of(&answer.final_url),
        source,
    }
}

fn archive_url(id: &PackageId, base: &Url, value: &str) -> Result<Url, NetworkMirrorError> {
    let url = base.join(value).ok();
    // An empty URL would be the document itself, which is no archive.
    url.filter(|url| matches!(url.scheme(), "http" | "https") && !value.is_empty())
        .ok_or_else(|| NetworkMirrorError::BadUrl {
            id: Box::new(id.clone()),
            got: value.chars().take(200).collect(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_kept_for_the_host_of_the_mirror_with_its_port() {
        for (base, expected) in [
            ("https://m.example/x/", "m.example"),
            ("https://m.example:443/", "m.example"),
            ("https://m.example:8443/", "m.example:8443"),
            ("https://bücher.example/", "bücher.example"),
        ] {
            let base: Url = base.parse().unwrap();
            let host = mirror_host(&base).unwrap();
            assert_eq!(host, expected.parse().unwrap(), "{base}");
        }
    }

    #[test]
    fn archives_are_found_beside_the_document_or_anywhere_over_http() {
        let id = PackageId {
            addr: "example.com/acme/net".parse().unwrap(),
            version: "1.0.0".parse().unwrap(),
            platform: "linux_amd64".parse().unwrap(),
        };
        let base = "https://m.example/a/b.json".parse().unwrap();
        let url = |value: &str| archive_url(&id, &base, value).map(|url| url.to_string());
        assert_eq!(url("c.zip").unwrap(), "https://m.example/a/c.zip");
        assert_eq!(url("../c.zip?x=1").unwrap(), "https://m.example/c.zip?x=1");
        assert_eq!(url("http://o.example/c").unwrap(), "http://o.example/c");
        for refused in ["", "ftp://o.example/c", "file:///etc/passwd", "https://"] {
            assert!(url(refused).is_err(), "{refused}");
        }
    }
}
