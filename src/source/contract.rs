//! What a source promises, and what it tells of one package.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use url::Url;

use crate::address::{Platform, ProviderAddr, Tool};
use crate::document::{PackageId, Published, ReportedPackage, Verdict, VersionsAnswer};
use crate::hash::{HashScheme, PackageHash, Sha256Digest};
use crate::package::{Expectation, RegistryExpectation, Reported};
use crate::secret::ShownUrl;
use crate::source::{ShasumsProof, SourceError};

/// Answers what packages there are.
pub trait Source: Send + Sync + fmt::Debug {
    /// Every version of `addr`.
    fn available_versions<'a>(
        &'a self,
        addr: &'a ProviderAddr,
    ) -> BoxFuture<'a, Result<Arc<VersionsAnswer>, SourceError>>;

    /// Where package `id` is and how it is proved.
    fn package_meta<'a>(
        &'a self,
        id: &'a PackageId,
    ) -> BoxFuture<'a, Result<PackageMeta, SourceError>>;

    /// Whether this source could have given package `id` this verdict, so that it may be remembered
    /// from an earlier run instead of asking for it again.
    fn could_prove(&self, id: &PackageId, verdict: &Verdict) -> bool;
}

/// Where the bytes of a package are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageLocation {
    /// An archive to download.
    Url(Url),
    /// An archive on this machine.
    Archive(PathBuf),
    /// The unpacked files on this machine.
    Directory(PathBuf),
}

impl fmt::Display for PackageLocation {
    /// As messages and evidence show it, secrets masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => ShownUrl::of(url).fmt(f),
            Self::Archive(path) | Self::Directory(path) => path.display().fmt(f),
        }
    }
}

/// What is known of a package before its bytes are here.
#[derive(Debug, Clone)]
pub struct PackageMeta {
    /// The package.
    pub id: PackageId,
    /// Where its bytes are.
    pub location: PackageLocation,
    /// Plugin protocol versions as the source writes them; empty if not told.
    pub protocols: Vec<String>,
    /// The archive's size in bytes, where the source tells it.
    pub size: Option<u64>,
    /// What its bytes must agree with.
    pub proof: Proof,
}

/// What a package's bytes must agree with.
#[derive(Debug, Clone)]
pub enum Proof {
    /// An origin registry's word and its SHA256SUMS document.
    Registry {
        /// The name to look up in the document.
        filename: String,
        /// The digest in the registry's answer.
        announced: Sha256Digest,
        /// The document, and who signed it.
        shasums: Arc<ShasumsProof>,
        /// OpenTofu's hashes and sizes for all platforms; empty if not told.
        packages: BTreeMap<Platform, ReportedPackage>,
    },
    /// A network mirror's hashes, which may be none.
    Mirror {
        /// The hashes of which one must fit.
        hashes: Vec<PackageHash>,
        /// What a fitting one says of the others.
        trust: HashTrust,
    },
    /// Nothing is said of the bytes.
    Nothing,
}

/// What it means for a mirror's other hashes of a version that one of them fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashTrust {
    /// Nothing.
    Matching,
    /// They may be locked, too (OpenTofu's `trust_all_hashes`).
    All,
}

impl PackageMeta {
    /// The digest that the source announces, if it announces one.
    pub fn announced(&self) -> Option<Sha256Digest> {
        match &self.proof {
            Proof::Registry { announced, .. } => Some(*announced),
            Proof::Mirror { hashes, trust } => match trust {
                HashTrust::Matching => only_digest(hashes),
                HashTrust::All => None,
            },
            Proof::Nothing => None,
        }
    }

    /// The hashes that the source publishes beside the package. Those of a SHA256SUMS document count if
    /// it is signed; a document without readable lines for all packages vouches for this one alone.
    pub fn published(&self) -> Published {
        match &self.proof {
            Proof::Registry {
                announced,
                shasums,
                packages,
                ..
            } => self.published_by_registry(PackageHash::zh(*announced), shasums, packages),
            Proof::Mirror { hashes, trust } => match trust {
                HashTrust::Matching => Published {
                    listed: hashes.clone(),
                    ..Published::default()
                },
                HashTrust::All => Published {
                    vouched: hashes.clone(),
                    ..Published::default()
                },
            },
            Proof::Nothing => Published::default(),
        }
    }

    /// The `h1:` that OpenTofu's registry reports for this package, which its tool locks without comparing it
    /// (facts/providers 3.11).
    pub fn vouched_h1(&self) -> Option<&PackageHash> {
        let Proof::Registry { packages, .. } = &self.proof else {
            return None;
        };
        let reported = packages
            .get(&self.id.platform)
            .filter(|_| self.is_of_tofu())?;
        let mut hashes = reported.hashes.iter();
        hashes.find(|hash| hash.scheme() == HashScheme::H1)
    }

    fn is_of_tofu(&self) -> bool {
        self.id.addr.hostname().for_comparison() == Tool::Tofu.default_host()
    }

    fn published_by_registry(
        &self,
        own: PackageHash,
        shasums: &ShasumsProof,
        packages: &BTreeMap<Platform, ReportedPackage>,
    ) -> Published {
        let reported = packages.values().flat_map(|package| &package.hashes);
        let is_of_tofu = self.is_of_tofu();
        let document = || shasums.shasums.package_hashes();
        let signed = match shasums.sealed.signer() {
            Some(_) => document().unwrap_or_else(|| vec![own.clone()]),
            None => Vec::new(),
        };
        Published {
            signed,
            listed: vec![own],
            vouched: reported.filter(|_| is_of_tofu).cloned().collect(),
        }
    }

    /// What [`crate::package::authenticate`] is to compare the bytes with.
    pub fn expectation(&self) -> Expectation<'_> {
        let (filename, announced, shasums, packages) = match &self.proof {
            Proof::Registry {
                filename,
                announced,
                shasums,
                packages,
            } => (filename, announced, shasums, packages),
            Proof::Mirror { hashes, .. } => return Expectation::Mirror(hashes),
            Proof::Nothing => return Expectation::Nothing,
        };
        Expectation::Registry(RegistryExpectation {
            shasums: &shasums.sealed,
            filename,
            listed: shasums.shasums.digest_of(filename).ok(),
            announced: *announced,
            reported: match packages.get(&self.id.platform) {
                Some(package) => Reported::Package {
                    hashes: &package.hashes,
                    size: package.size,
                },
                None if packages.is_empty() => Reported::Nothing,
                None => Reported::OtherPlatforms,
            },
        })
    }
}

/// The digest of the only `zh:` hash among `hashes`.
fn only_digest(hashes: &[PackageHash]) -> Option<Sha256Digest> {
    let mut digests = hashes.iter().filter_map(|hash| {
        let digest = hash.as_str().strip_prefix("zh:")?;
        digest.parse().ok()
    });
    let first = digests.next()?;
    digests.all(|other| other == first).then_some(first)
}
