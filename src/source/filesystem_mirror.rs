//! A filesystem mirror as a source: a directory of archives and unpacked packages (facts/providers 6).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt};

use crate::address::ProviderAddr;
use crate::disk::on_blocking_pool;
use crate::document::{OfferedVersion, PackageId, Verdict, VersionsAnswer};
use crate::source::filesystem_search::{LocalForm, LocalPackage, packed_name, search};
use crate::source::{PackageLocation, PackageMeta, Proof, Source, SourceError};

/// Which layouts are of use to who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayoutUse {
    /// Both; of a package in both layouts the one that is found first, as the tools do.
    Any,
    /// Archives alone, for a mirror that has to have them.
    Archives,
}

/// Answers from a directory.
#[derive(Debug)]
pub struct FilesystemMirrorSource {
    root: PathBuf,
    layouts: LayoutUse,
}

impl FilesystemMirrorSource {
    /// The mirror in directory `root`; that it is missing is found out when it is asked.
    pub fn new(root: impl Into<PathBuf>, layouts: LayoutUse) -> Self {
        Self {
            root: root.into(),
            layouts,
        }
    }

    /// Whether the directory holds any package of `addr`, of whatever version and platform. One that cannot
    /// be searched holds none.
    pub async fn holds(&self, addr: &ProviderAddr) -> bool {
        let packages = self.packages(addr).await;
        packages.is_ok_and(|packages| !packages.is_empty())
    }

    async fn packages(&self, addr: &ProviderAddr) -> Result<Vec<LocalPackage>, SourceError> {
        let (root, addr) = (self.root.clone(), addr.clone());
        Ok(on_blocking_pool(move || search(&root, &addr)).await?)
    }

    async fn versions(&self, addr: &ProviderAddr) -> Result<Arc<VersionsAnswer>, SourceError> {
        let mut versions: BTreeMap<_, OfferedVersion> = BTreeMap::new();
        for package in self.packages(addr).await? {
            let offer = versions
                .entry(package.version.clone())
                .or_insert_with(|| OfferedVersion {
                    version: package.version,
                    protocols: Vec::new(),
                    platforms: Vec::new(),
                });
            if !offer.platforms.contains(&package.platform) {
                offer.platforms.push(package.platform);
            }
        }
        if versions.is_empty() {
            return Err(SourceError::ProviderNotInDirectory {
                addr: addr.clone(),
                dir: self.root.clone(),
            });
        }
        Ok(Arc::new(VersionsAnswer {
            versions: versions.into_values().collect(),
            ..VersionsAnswer::default()
        }))
    }

    async fn meta(&self, id: &PackageId) -> Result<PackageMeta, SourceError> {
        let packages = self.packages(&id.addr).await?;
        let wanted = |package: &&LocalPackage| {
            package.version == id.version && package.platform == id.platform
        };
        let forms: Vec<LocalForm> = packages
            .iter()
            .filter(wanted)
            .map(|package| package.form.clone())
            .collect();
        let Some(first) = forms.first() else {
            return Err(SourceError::NotInDirectory {
                id: Box::new(id.clone()),
                dir: self.root.clone(),
                has_version: packages.iter().any(|package| package.version == id.version),
            });
        };
        let location = match self.layouts {
            LayoutUse::Any => location(first),
            LayoutUse::Archives => {
                let archive = forms.iter().find_map(|form| archive(form, id));
                let only_unpacked = || SourceError::OnlyUnpacked {
                    id: Box::new(id.clone()),
                    dir: self.root.clone(),
                };
                PackageLocation::Archive(archive.ok_or_else(only_unpacked)?)
            }
        };
        Ok(PackageMeta {
            id: id.clone(),
            size: None,
            location,
            protocols: Vec::new(),
            proof: Proof::Nothing,
        })
    }
}

fn location(form: &LocalForm) -> PackageLocation {
    match form {
        LocalForm::Packed(path) => PackageLocation::Archive(path.clone()),
        LocalForm::Unpacked(path) => PackageLocation::Directory(path.clone()),
    }
}

/// The archive of a package, or one that lies beside its unpacked form: there our own mirrors keep those
/// whose names the tools would change.
fn archive(form: &LocalForm, id: &PackageId) -> Option<PathBuf> {
    let unpacked = match form {
        LocalForm::Packed(path) => return Some(path.clone()),
        LocalForm::Unpacked(path) => path,
    };
    let dir = unpacked.parent()?;
    let name = format!(
        "terraform-provider-{}_{}_{}.zip",
        id.addr.ty(),
        id.version,
        id.platform
    );
    let path = dir.join(&name);
    debug_assert!(packed_name(&name, id.addr.ty()).is_some(), "a name of ours");
    path.is_file().then_some(path)
}

impl Source for FilesystemMirrorSource {
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

    /// Nothing is claimed here, so whatever was proved before is as good.
    fn could_prove(&self, _id: &PackageId, _verdict: &Verdict) -> bool {
        true
    }
}
