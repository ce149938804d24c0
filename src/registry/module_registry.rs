//! The module registry protocol, version 1 (facts/modules 2).
//!
//! Hostile input: answers of a registry that an address names. Documents are capped and checked for type in `document`.
//! Attacks known, and the answer to each:
//! - *A location on the local disk* (`file:`, also behind `git::`), which the tools obey: refused.
//! - *A location that is a local path or sends on to another registry*: refused, as the tools do.
//! - *A location with `..` for its directory*: refused.
//! - *A token lured away*: it goes to the API calls of the module's own host and to nothing else; to a location only if
//!   the registry asks for that in the answer's body and the location has the scheme, host and port of the API itself.

use std::sync::Arc;

use url::Url;

use crate::address::{ModuleAddr, ModuleSource, RemoteModule, Tool, leaves_package, shown_source};
use crate::auth::Credentials;
use crate::document::{JsonError, ModuleDownloadAnswer, ModuleVersionsAnswer};
use crate::http::{Answer, Client, Memo, RetryPolicy, is_same_realm};
use crate::registry::call::{Call, Caller, Reply};
use crate::registry::{CallError, DiscoveryClient, ModuleRegistryError, RegistryKind};
use crate::secret::{Secret, ShownUrl};
use crate::version::ModuleVersion;

/// Real `versions` answers have some hundred kilobytes, readme texts included.
const VERSIONS_CAP: u64 = 16 << 20;
/// A `download` answer holds one URL.
const DOWNLOAD_CAP: u64 = 1 << 20;
/// The header that names the location, in lower case.
const LOCATION_HEADER: &str = "x-terraform-get";

/// Where a registry says that a package is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModuleLocation {
    /// A source as in a configuration, for the getters.
    Source(RemoteModule),
    /// An archive that the registry serves itself (OpenTofu, facts 2.4).
    Direct(DirectArchive),
}

/// An archive to be fetched as it is, its format told by its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectArchive {
    /// Where it is.
    pub url: Url,
    /// The token of the registry's host, if the archive lies behind it.
    pub bearer: Option<Secret>,
}

/// Speaks to the origin registries of modules.
#[derive(Debug)]
pub struct ModuleRegistryClient {
    caller: Caller,
    versions: Memo<ModuleAddr, ModuleVersionsAnswer>,
    locations: Memo<(ModuleAddr, String, Tool), ModuleLocation>,
}

impl ModuleRegistryClient {
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
                kind: RegistryKind::Modules,
            },
            versions: Memo::default(),
            locations: Memo::default(),
        }
    }

    /// All versions of `addr` in the order listed, asked for once per process.
    ///
    /// # Errors
    ///
    /// If the registry cannot be found or asked, does not know the module, or answers against the
    /// protocol.
    pub async fn available_versions(
        &self,
        addr: &ModuleAddr,
    ) -> Result<Arc<ModuleVersionsAnswer>, ModuleRegistryError> {
        let ask = || self.ask_versions(addr);
        self.versions.get_or_ask(addr.clone(), ask).await
    }

    /// Where the package of a version is, asked for once per process. The tools read different parts of
    /// the answer (facts 2.3).
    ///
    /// # Errors
    ///
    /// As for [`Self::available_versions`], and if the location is none that may be fetched.
    pub async fn location(
        &self,
        addr: &ModuleAddr,
        version: &ModuleVersion,
        tool: Tool,
    ) -> Result<Arc<ModuleLocation>, ModuleRegistryError> {
        let key = (addr.clone(), version.to_string(), tool);
        let ask = || self.ask_location(addr, version, tool);
        self.locations.get_or_ask(key, ask).await
    }

    async fn ask_versions(
        &self,
        addr: &ModuleAddr,
    ) -> Result<ModuleVersionsAnswer, ModuleRegistryError> {
        let what = format!("the versions of module `{addr}`");
        let reply = self.call(addr, "versions", what, VERSIONS_CAP).await?;
        if reply.is_not_found() {
            return Err(ModuleRegistryError::NoSuchModule {
                addr: Box::new(addr.clone()),
                url: reply.url(),
            });
        }
        reply.expect(&[200])?;
        let parsed = ModuleVersionsAnswer::parse(&reply.answer.body);
        let parsed = parsed.map_err(|source| reply.malformed(source))?;
        if let Some(answer) = &parsed {
            tell_unparsable(addr, answer);
        }
        parsed.ok_or_else(|| ModuleRegistryError::NoModuleInAnswer {
            addr: Box::new(addr.clone()),
        })
    }

    async fn ask_location(
        &self,
        addr: &ModuleAddr,
        version: &ModuleVersion,
        tool: Tool,
    ) -> Result<ModuleLocation, ModuleRegistryError> {
        let what = format!("the location of module `{addr}` {version}");
        let path = format!("{version}/download");
        let reply = self.call(addr, &path, what, DOWNLOAD_CAP).await?;
        if reply.is_not_found() {
            let (addr, version) = (Box::new(addr.clone()), Box::new(version.clone()));
            return Err(ModuleRegistryError::NoSuchVersion { addr, version });
        }
        reply.expect(&[200, 204])?;
        let asked = &reply.asked;
        let named = named_location(&reply.answer, tool);
        let named = named.map_err(|source| reply.malformed(source))?;
        let refused = |reason| ModuleRegistryError::Location {
            addr: Box::new(addr.clone()),
            version: Box::new(version.clone()),
            got: shown_source(&named.location.chars().take(200).collect::<String>()),
            reason,
        };
        if named.location.is_empty() {
            return Err(refused("it is empty"));
        }
        let Some(is_guarded) = named.direct else {
            let source = resolve(asked, &named.location, tool).map_err(refused)?;
            return Ok(ModuleLocation::Source(source));
        };
        let url = direct_url(asked, &named.location).map_err(refused)?;
        let bearer = if is_guarded {
            self.token_for(addr, asked, &url).await
        } else {
            None
        };
        Ok(ModuleLocation::Direct(DirectArchive { url, bearer }))
    }

    /// The token of the module's host for a location, if that is where the API itself is.
    async fn token_for(&self, addr: &ModuleAddr, asked: &Url, location: &Url) -> Option<Secret> {
        if !is_same_realm(asked, location) {
            let (host, url) = (addr.hostname().for_display(), ShownUrl::of(location));
            log::info!("the token for `{host}` is not sent to `{url}`, which is elsewhere");
            return None;
        }
        self.caller.token(addr.hostname()).await
    }

    /// A call for `addr`; `path` is what comes after its name.
    async fn call(
        &self,
        addr: &ModuleAddr,
        path: &str,
        what: String,
        cap: u64,
    ) -> Result<Reply, CallError> {
        let (namespace, name) = (addr.namespace(), addr.name());
        let call = Call {
            host: addr.hostname(),
            addr: addr.to_string(),
            path: format!("{namespace}/{name}/{}/{path}", addr.target_system()),
            what,
            cap,
        };
        self.caller.call(call).await
    }
}

/// Versions that cannot be parsed are left out with a warning, as by the tools (facts 3.4).
fn tell_unparsable(addr: &ModuleAddr, answer: &ModuleVersionsAnswer) {
    for text in &answer.unparsable {
        let text: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
        log::warn!("a version of module `{addr}` cannot be parsed, left out: `{text}`");
    }
}

/// Terraform reads the header alone; OpenTofu the body of a 200 answer, and the header where that names no
/// location (facts 2.3).
fn named_location(answer: &Answer, tool: Tool) -> Result<ModuleDownloadAnswer, JsonError> {
    let in_header = answer
        .header(LOCATION_HEADER)
        .unwrap_or_default()
        .to_owned();
    if tool == Tool::Tofu && answer.status == 200 {
        let body = ModuleDownloadAnswer::parse(&answer.body)?;
        if !body.location.is_empty() {
            return Ok(body);
        }
    }
    Ok(ModuleDownloadAnswer {
        location: in_header,
        direct: None,
    })
}

/// Resolves a location against the URL that was first asked for.
fn resolve(asked: &Url, location: &str, tool: Tool) -> Result<RemoteModule, &'static str> {
    let is_relative = ["/", "./", "../"]
        .iter()
        .any(|start| location.starts_with(start));
    let text = if is_relative {
        asked
            .join(location)
            .map_err(|_| "it is no URL")?
            .to_string()
    } else {
        location.to_owned()
    };
    let source = ModuleSource::parse(&text, tool).map_err(|_| "it is no module source")?;
    let ModuleSource::Remote(module) = source else {
        return Err("it is not the address of a package");
    };
    if leaves_package(module.subdir()) {
        return Err("its directory is outside the package");
    }
    if module.is_on_disk() {
        return Err("it names a place on this machine's own disk");
    }
    Ok(module)
}

fn direct_url(asked: &Url, location: &str) -> Result<Url, &'static str> {
    let url = asked.join(location).map_err(|_| "it is no URL")?;
    match (url.scheme(), url.fragment()) {
        ("http" | "https", None) => Ok(url),
        ("http" | "https", Some(_)) => Err("it has a fragment"),
        _ => Err("it is neither http nor https"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(location: &str) -> Result<String, &'static str> {
        let asked = Url::parse("https://example.com/m/x/y/z/1.0.0/download").unwrap();
        resolve(&asked, location, Tool::Terraform).map(|module| module.to_string())
    }

    #[test]
    fn locations_are_relative_to_the_url_first_asked() {
        for (location, expected) in [
            ("./a.zip", "https://example.com/m/x/y/z/1.0.0/a.zip"),
            (
                "../a.zip?archive=zip",
                "https://example.com/m/x/y/z/a.zip?archive=zip",
            ),
            ("/etc/x.zip//sub", "https://example.com/etc/x.zip//sub"),
            (
                "github.com/a/b?ref=v1",
                "git::https://github.com/a/b.git?ref=v1",
            ),
        ] {
            assert_eq!(resolved(location).as_deref(), Ok(expected), "{location}");
        }
    }

    #[test]
    fn refuses_locations_on_the_local_disk() {
        for location in [
            "file:///etc/x.zip",
            "file::/etc",
            "git::file:///srv/a.git",
            "git::/srv/a.git",
            "FILE:///x",
            "git::FILE:///x",
        ] {
            assert_eq!(
                resolved(location),
                Err("it names a place on this machine's own disk"),
                "{location}"
            );
        }
    }

    #[test]
    fn refuses_locations_that_are_no_package_or_outside_of_it() {
        for location in [
            "x/y/z",
            "archive.zip",
            ".\\x",
            "https://h/a.zip//..",
            "https://h/a.zip//../x",
        ] {
            assert!(resolved(location).is_err(), "{location}");
        }
    }
}
