//! Why a source cannot answer.

use std::path::PathBuf;

use crate::address::ProviderAddr;
use crate::disk::DiskError;
use crate::document::PackageId;
use crate::failure::{ExitCode, Failure};
use crate::package::SignatureError;
use crate::registry::{NetworkMirrorError, RegistryError};

/// Why a source cannot answer.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The registry did not answer as it should.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The network mirror did not answer as it should.
    #[error(transparent)]
    NetworkMirror(#[from] NetworkMirrorError),
    /// The directory of a filesystem mirror cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The SHA256SUMS document is not signed as it must be.
    #[error("the SHA256SUMS document of `{}` {} is not authentic", id.addr, id.version)]
    Signature {
        /// The package whose proof it is.
        id: Box<PackageId>,
        /// What is wrong.
        #[source]
        source: SignatureError,
    },
    /// A filesystem mirror does not have the provider.
    #[error("the directory `{}` does not have `{addr}`", dir.display())]
    ProviderNotInDirectory {
        /// The provider.
        addr: ProviderAddr,
        /// The mirror.
        dir: PathBuf,
    },
    /// A filesystem mirror does not have the package.
    #[error("the directory `{}` does not have {id}", dir.display())]
    NotInDirectory {
        /// The package.
        id: Box<PackageId>,
        /// The mirror.
        dir: PathBuf,
        /// Whether it has the version for another platform.
        has_version: bool,
    },
    /// A filesystem mirror has only the unpacked files of a package whose archive is asked for.
    #[error("the directory `{}` has {id} only unpacked, and its archive is needed", dir.display())]
    OnlyUnpacked {
        /// The package.
        id: Box<PackageId>,
        /// The mirror.
        dir: PathBuf,
    },
    /// An OCI mirror would serve the provider.
    #[error("`{addr}` is served by {method}, which cannot be asked yet")]
    OciMirror {
        /// The provider.
        addr: ProviderAddr,
        /// The method, in words.
        method: String,
    },
    /// No method serves the provider.
    #[error("no installation method serves `{addr}`")]
    NoMethod {
        /// The provider.
        addr: ProviderAddr,
        /// The file and line of the block that has the methods.
        block: String,
    },
    /// None of the methods has the provider.
    #[error("`{addr}` is in none of the places that were searched: {}", places.join(", "))]
    ProviderNowhere {
        /// The provider.
        addr: ProviderAddr,
        /// The methods, in words.
        places: Vec<String>,
    },
    /// None of the methods has the package.
    #[error("{id} is in none of the places that were searched: {}", places.join(", "))]
    PackageNowhere {
        /// The package.
        id: Box<PackageId>,
        /// The methods, in words.
        places: Vec<String>,
        /// Whether one of them has the version for another platform.
        has_version: bool,
    },
    /// `--offline` forbids to ask.
    #[error("nobody is asked under `--offline`, and what is on this machine does not suffice")]
    Offline,
}

impl SourceError {
    /// Whether the source says that the version exists, but not for the platform asked for.
    pub fn is_missing_platform(&self) -> bool {
        match self {
            Self::Registry(error) => matches!(error, RegistryError::PlatformNotPublished { .. }),
            Self::NetworkMirror(error) => {
                matches!(error, NetworkMirrorError::PlatformNotHere { .. })
            }
            Self::NotInDirectory { has_version, .. } | Self::PackageNowhere { has_version, .. } => {
                *has_version
            }
            Self::Signature { .. }
            | Self::Disk(_)
            | Self::ProviderNotInDirectory { .. }
            | Self::OnlyUnpacked { .. }
            | Self::OciMirror { .. }
            | Self::NoMethod { .. }
            | Self::ProviderNowhere { .. }
            | Self::Offline => false,
        }
    }

    /// Whether the source says that it does not have what was asked for, or may not be asked: the next one
    /// may have it (facts/providers 6.8).
    pub fn is_absence(&self) -> bool {
        match self {
            Self::Registry(error) => matches!(
                error,
                RegistryError::NoSuchProvider { .. }
                    | RegistryError::NoSuchVersion { .. }
                    | RegistryError::PlatformNotPublished { .. }
            ),
            Self::NetworkMirror(error) => error.is_absence(),
            Self::ProviderNotInDirectory { .. } | Self::NotInDirectory { .. } | Self::Offline => {
                true
            }
            Self::Signature { .. }
            | Self::Disk(_)
            | Self::OnlyUnpacked { .. }
            | Self::OciMirror { .. }
            | Self::NoMethod { .. }
            | Self::ProviderNowhere { .. }
            | Self::PackageNowhere { .. } => false,
        }
    }
}

impl Failure for SourceError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Registry(error) => error.exit_code(),
            Self::NetworkMirror(error) => error.exit_code(),
            Self::Disk(error) => error.exit_code(),
            Self::Signature { source, .. } => source.exit_code(),
            Self::ProviderNotInDirectory { .. }
            | Self::NotInDirectory { .. }
            | Self::OnlyUnpacked { .. }
            | Self::NoMethod { .. }
            | Self::ProviderNowhere { .. }
            | Self::PackageNowhere { .. }
            | Self::Offline => ExitCode::NotFound,
            Self::OciMirror { .. } => ExitCode::Local,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Registry(error) => error.hints(),
            Self::NetworkMirror(error) => error.hints(),
            Self::Disk(error) => error.hints(),
            Self::Signature { source, .. } => source.hints(),
            Self::ProviderNotInDirectory { .. } => vec![
                "packages lie there as `HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip` or `HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/`".to_owned(),
            ],
            Self::NotInDirectory { id, .. } => vec![format!(
                "list what there is with `provender versions {}`",
                id.addr
            )],
            Self::OnlyUnpacked { dir, .. } => vec![format!(
                "put the archive into `{}` as well, or take the package from its registry",
                dir.display()
            )],
            Self::OciMirror { addr, .. } => vec![format!(
                "leave it to another method with `exclude = [\"{addr}\"]` in `oci_mirror`"
            )],
            Self::NoMethod { addr, block } => vec![format!(
                "add `{addr}` to an `include` of the `provider_installation` block in {block}"
            )],
            Self::ProviderNowhere { addr, .. } => vec![format!(
                "see who would be asked, and why, with `provender explain {addr}`"
            )],
            Self::PackageNowhere { id, .. } => vec![format!(
                "see who would be asked, and why, with `provender explain {}`",
                id.addr
            )],
            Self::Offline => vec![
                "run the command once without `--offline`; what a lock file then selects and the package cache holds needs no network any more".to_owned(),
            ],
        }
    }
}
