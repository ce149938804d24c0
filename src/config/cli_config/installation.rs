//! `provider_installation`: by which methods provider packages are to be had (facts/providers 9.3 to
//! 9.6).

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use url::Url;

use super::setting::Place;
use crate::address::{ProviderAddr, ProviderPattern};
use crate::secret::ShownUrl;

/// A `provider_installation` block. Without methods, nothing can be installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderInstallation {
    /// The methods, in the order in which they are asked.
    pub methods: Vec<InstallationMethod>,
    /// Providers under development: the directory that holds the plugin itself.
    pub dev_overrides: BTreeMap<ProviderAddr, PathBuf>,
    /// Where the block stands.
    pub place: Place,
}

/// One method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallationMethod {
    /// What it is.
    pub kind: MethodKind,
    /// The providers that it serves; all, if there are none.
    pub include: Vec<ProviderPattern>,
    /// The providers that it does not serve, whatever `include` says.
    pub exclude: Vec<ProviderPattern>,
    /// Where the block stands.
    pub place: Place,
}

/// What a method is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MethodKind {
    /// The provider's own registry.
    Direct,
    /// A directory, as written; a relative one counts from the root module's directory.
    FilesystemMirror {
        /// The directory.
        path: PathBuf,
    },
    /// A network mirror.
    NetworkMirror {
        /// Its https URL.
        url: Url,
        /// Whether all hashes that it lists of a version may be locked once one of them matched.
        trust_all_hashes: bool,
    },
    /// OpenTofu's mirror in an OCI registry.
    OciMirror {
        /// The template of the repository's name, as written.
        repository_template: String,
    },
}

/// Why a method serves a provider or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason<'m> {
    /// It serves every provider.
    NoPatterns,
    /// This pattern of `include` fits and none of `exclude`.
    Included(&'m ProviderPattern),
    /// There is no `include`, and no pattern of `exclude` fits.
    NotExcluded,
    /// This pattern of `exclude` fits.
    Excluded(&'m ProviderPattern),
    /// There is an `include`, and none of its patterns fits.
    NotIncluded,
}

impl InstallationMethod {
    /// Whether the method serves `addr`, and why.
    pub fn reason(&self, addr: &ProviderAddr) -> Reason<'_> {
        let fitting = |patterns: &'_ [ProviderPattern]| {
            patterns.iter().position(|pattern| pattern.matches(addr))
        };
        match (fitting(&self.exclude), fitting(&self.include)) {
            (Some(at), _) => Reason::Excluded(&self.exclude[at]),
            (None, Some(at)) => Reason::Included(&self.include[at]),
            (None, None) if !self.include.is_empty() => Reason::NotIncluded,
            (None, None) if self.exclude.is_empty() => Reason::NoPatterns,
            (None, None) => Reason::NotExcluded,
        }
    }

    /// Whether the method serves `addr`.
    pub fn serves(&self, addr: &ProviderAddr) -> bool {
        self.reason(addr).is_served()
    }
}

impl Reason<'_> {
    /// Whether the provider is served.
    pub fn is_served(self) -> bool {
        match self {
            Self::NoPatterns | Self::Included(_) | Self::NotExcluded => true,
            Self::Excluded(_) | Self::NotIncluded => false,
        }
    }
}

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPatterns => f.write_str("it serves every provider"),
            Self::Included(pattern) => write!(f, "`include` has `{pattern}`"),
            Self::NotExcluded => f.write_str("`exclude` has no pattern for it"),
            Self::Excluded(pattern) => write!(f, "`exclude` has `{pattern}`"),
            Self::NotIncluded => f.write_str("`include` has no pattern for it"),
        }
    }
}

impl MethodKind {
    /// The name of the method's block.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::FilesystemMirror { .. } => "filesystem_mirror",
            Self::NetworkMirror { .. } => "network_mirror",
            Self::OciMirror { .. } => "oci_mirror",
        }
    }
}

impl fmt::Display for MethodKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Direct => f.write_str("`direct`"),
            Self::FilesystemMirror { path } => {
                write!(f, "`filesystem_mirror` of `{}`", path.display())
            }
            Self::NetworkMirror { url, .. } => {
                write!(f, "`network_mirror` of `{}`", ShownUrl::of(url))
            }
            Self::OciMirror {
                repository_template,
            } => write!(f, "`oci_mirror` of `{repository_template}`"),
        }
    }
}
