//! Getters of remote module sources: which one serves a source, and where redirections of servers lead
//! (facts/modules 1.4, 2.5, 4).
//!
//! Sources come from configurations, from registries and from servers that send on. Attacks known, and the answer
//! to each:
//! - *A registry or server that names a place on this machine's disk*: only sources of configurations may (the
//!   registry's client refuses its own, a server's answer is refused here).
//! - *Servers that send on without end*: refused after [`MAX_HOPS`].
//! - *A directory in a package that is a link leading out, or `..`*: refused when it is looked for.
//! - What archives, git and its servers may try: see `unpack_module` and `module_git`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::address::{RemoteModule, Tool, leaves_package};
use crate::disk::{DiskError, TempDir, TempFile, on_blocking_pool};
use crate::document::PackageIdentity;
use crate::hash::Sha256Digest;
use crate::http::{Client, RetryPolicy};
use crate::package::{ModuleLimits, unpack_module};
use crate::registry::DirectArchive;
use crate::source::ModuleFetchError;
use crate::source::module_file::{self, LocalContent};
use crate::source::module_git::GitProgram;
use crate::source::module_http::{self, HttpGetter};
use crate::source::module_subdir::find_subdir;

/// How often a server may send on (facts 2.5).
const MAX_HOPS: usize = 10;

/// Gets packages of remote modules.
#[derive(Debug, Clone)]
pub struct ModuleGetter {
    /// The HTTP client; `None` under `--offline`.
    pub http: Option<Client>,
    /// How often a request is tried again.
    pub retry: RetryPolicy,
    /// For which tool: it decides which formats and getters there are.
    pub tool: Tool,
    /// What an archive may take.
    pub limits: ModuleLimits,
    /// The git program and its settings.
    pub git: GitProgram,
}

/// What was got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GotModule {
    /// The package's files are in the directory; this is what they came from.
    Files(PackageIdentity),
    /// The package is this directory of this machine, which the tools link to.
    Link(PathBuf),
}

impl GotModule {
    /// What the package is.
    pub fn identity(&self) -> PackageIdentity {
        match self {
            Self::Files(identity) => identity.clone(),
            Self::Link(_) => PackageIdentity::Directory,
        }
    }
}

impl ModuleGetter {
    /// Gets the package of `module`, all of it, into the empty directory `dest`.
    ///
    /// # Errors
    ///
    /// If no getter serves it, or the package cannot be had, is hostile or not as promised.
    pub async fn get(
        &self,
        module: &RemoteModule,
        dest: &Path,
    ) -> Result<GotModule, ModuleFetchError> {
        let mut module = module.with_subdir("");
        let mut subdirs: Vec<String> = Vec::new();
        for _ in 0..=MAX_HOPS {
            let Some(next) = self.redirection(&module).await? else {
                return self.get_here(&module, &subdirs, dest).await;
            };
            if !next.subdir().is_empty() {
                subdirs.insert(0, next.subdir().to_owned());
            }
            module = next.with_subdir("");
        }
        Err(ModuleFetchError::TooManyHops { limit: MAX_HOPS })
    }

    /// Where the server of an http source without an archive's ending sends on; `None` for all other sources.
    ///
    /// # Errors
    ///
    /// If the server does not say, or names what it may not.
    pub async fn redirection(
        &self,
        module: &RemoteModule,
    ) -> Result<Option<RemoteModule>, ModuleFetchError> {
        if !matches!(module.getter().as_str(), "http" | "https") {
            return Ok(None);
        }
        let getter = self.http_getter()?;
        let Some(next) = getter.redirection(module.url(), self.tool).await? else {
            return Ok(None);
        };
        let is_outside = leaves_package(next.subdir());
        if next.is_on_disk() || is_outside {
            return Err(ModuleFetchError::RefusedRedirection { to: next.shown() });
        }
        Ok(Some(next))
    }

    async fn get_here(
        &self,
        module: &RemoteModule,
        subdirs: &[String],
        dest: &Path,
    ) -> Result<GotModule, ModuleFetchError> {
        if subdirs.is_empty() {
            return self.get_whole(module, dest).await;
        }
        // The answer named a directory of its package: that alone is the module's package.
        let whole = TempDir::create_beside(dest)?;
        let got = self.get_whole(module, whole.path()).await?;
        let identity = got.identity();
        let (subdirs, dest) = (subdirs.to_vec(), dest.to_owned());
        on_blocking_pool(move || {
            let mut from = whole.path().to_owned();
            for subdir in subdirs {
                let found = find_subdir(&from, &subdir)?;
                from.push(found);
            }
            move_children(&from, &dest)
        })
        .await?;
        Ok(GotModule::Files(identity))
    }

    async fn get_whole(
        &self,
        module: &RemoteModule,
        dest: &Path,
    ) -> Result<GotModule, ModuleFetchError> {
        let getter = module.getter();
        match getter.as_str() {
            "http" | "https" => {
                let getter = self.http_getter()?;
                let digest = getter.get_archive(module.url(), dest, self.tool).await?;
                Ok(GotModule::Files(PackageIdentity::Archive(digest)))
            }
            "git" => {
                if self.http.is_none() && !module.is_on_disk() {
                    return Err(ModuleFetchError::Offline);
                }
                let commit = self.git.get(module.url(), dest).await?;
                Ok(GotModule::Files(PackageIdentity::Commit(commit)))
            }
            "file" => self.get_local(module, dest).await,
            _ => Err(refusal(getter)),
        }
    }

    async fn get_local(
        &self,
        module: &RemoteModule,
        dest: &Path,
    ) -> Result<GotModule, ModuleFetchError> {
        let (url, tool) = (module.url().to_owned(), self.tool);
        match module_file::look(&url, tool)? {
            LocalContent::Directory(dir) => Ok(GotModule::Link(dir)),
            LocalContent::Archive(archive) => {
                let (dest, limits) = (dest.to_owned(), self.limits);
                let unpack = move || module_http::unpack_checked(&archive, &dest, limits);
                let digest = on_blocking_pool(unpack).await?;
                Ok(GotModule::Files(PackageIdentity::Archive(digest)))
            }
        }
    }

    /// Gets an archive as it is, its format told by its content (facts 2.4).
    ///
    /// # Errors
    ///
    /// As for [`Self::get`].
    pub async fn get_direct(
        &self,
        archive: &DirectArchive,
        dest: &Path,
    ) -> Result<PackageIdentity, ModuleFetchError> {
        let digest = self.http_getter()?.get_direct(archive, dest).await?;
        Ok(PackageIdentity::Archive(digest))
    }

    /// Downloads the archive that the http source `module` names, as it is, to a file beside `place`; checks it against
    /// the source's `checksum`.
    ///
    /// # Errors
    ///
    /// As for [`Self::get`].
    pub async fn fetch_archive(
        &self,
        module: &RemoteModule,
        place: &Path,
    ) -> Result<(TempFile, Sha256Digest), ModuleFetchError> {
        let getter = self.http_getter()?;
        getter.fetch_archive(module.url(), place, self.tool).await
    }

    /// Unpacks `archive`, which is what `module` names, into the empty directory `dest`. Blocks.
    ///
    /// # Errors
    ///
    /// If it is refused or cannot be unpacked.
    pub fn unpack(
        &self,
        module: &RemoteModule,
        archive: &Path,
        dest: &Path,
    ) -> Result<(), ModuleFetchError> {
        let format = module_http::archive_format(module.url(), self.tool)?;
        Ok(unpack_module(archive, format, dest, self.limits)?)
    }

    fn http_getter(&self) -> Result<HttpGetter<'_>, ModuleFetchError> {
        Ok(HttpGetter {
            http: self.http.as_ref().ok_or(ModuleFetchError::Offline)?,
            retry: self.retry,
            limits: self.limits,
        })
    }
}

/// Whether the http source `module` names an archive, by its ending or its query.
pub fn is_archive(module: &RemoteModule, tool: Tool) -> bool {
    module_http::archive_format(module.url(), tool).is_ok()
}

/// Why nothing is got by a getter that is not served.
pub fn refusal(getter: String) -> ModuleFetchError {
    match getter.as_str() {
        "s3" | "gcs" | "hg" | "oci" => ModuleFetchError::Unsupported { getter },
        _ => ModuleFetchError::NoGetter { getter },
    }
}

/// Moves everything in `from` into the empty directory `to` on the same file system.
fn move_children(from: &Path, to: &Path) -> Result<(), ModuleFetchError> {
    let unreadable = || DiskError::on("read the directory", from);
    for entry in fs::read_dir(from).map_err(unreadable())? {
        let name = entry.map_err(unreadable())?.file_name();
        let target = to.join(&name);
        fs::rename(from.join(name), &target).map_err(DiskError::on("move to", &target))?;
    }
    Ok(())
}
