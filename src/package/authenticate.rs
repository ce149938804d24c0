//! The check that turns a fetched package into a verified one (facts/providers 3.1, 2.12, 8.7).
//!
//! The signature of the SHA256SUMS document is not looked at here: it is the same for all platforms
//! of a version and is verified once, into a [`SealedShasums`], before anything is downloaded. The
//! tools verify it last; which error is seen first is all that differs. The rest keeps their order.
//!
//! Attacks and answers:
//! - bytes changed on the way or on disk while they arrived: the digest taken then is compared, not
//!   the file's name or size;
//! - a package of another version or platform passed off as this one: the signed document is asked
//!   for the file name that the registry gives for this very package, and the digest there, the
//!   announced one and the real one must be one;
//! - a document that does not list the package, so that nothing binds it to the signature: refused;
//! - a mirror that lists only hashes of schemes nobody can compute, to look checked: refused.

use std::sync::OnceLock;

use crate::document::Verdict;
use crate::failure::{ExitCode, Failure};
use crate::hash::{HashScheme, PackageHash, Sha256Digest};

use super::archive_error::ArchiveError;
use super::shasums_seal::SealedShasums;
use super::verified::{FetchedPackage, VerifiedPackage, known_or_computed};

/// What the source of a package says about it.
#[derive(Debug, Clone, Copy)]
pub enum Expectation<'a> {
    /// An origin registry's metadata and SHA256SUMS document.
    Registry(RegistryExpectation<'a>),
    /// A network mirror's list of hashes, which may be empty.
    Mirror(&'a [PackageHash]),
    /// A source that says nothing: a filesystem mirror.
    Nothing,
}

/// What an origin registry says about a package.
#[derive(Debug, Clone, Copy)]
pub struct RegistryExpectation<'a> {
    /// The SHA256SUMS document, its signature verified.
    pub shasums: &'a SealedShasums,
    /// The `filename` of the metadata.
    pub filename: &'a str,
    /// The digest that the document lists for that file name.
    pub listed: Option<Sha256Digest>,
    /// The `shasum` of the metadata.
    pub announced: Sha256Digest,
    /// What OpenTofu's `packages` says about this platform.
    pub reported: Reported<'a>,
}

/// OpenTofu's `packages` in a registry's metadata (facts 2.12), as far as it is about one platform.
#[derive(Debug, Clone, Copy)]
pub enum Reported<'a> {
    /// There is no `packages`, or an empty one.
    Nothing,
    /// There is one, without this platform.
    OtherPlatforms,
    /// The entry of this platform.
    Package {
        /// Its hashes.
        hashes: &'a [PackageHash],
        /// Its size in bytes, unchecked.
        size: i64,
    },
}

/// What does not fit between a package and what its source says.
#[derive(Debug, thiserror::Error)]
pub enum Mismatch {
    /// `packages` leaves the platform out.
    #[error("the registry's `packages` do not have this platform")]
    PlatformNotReported,
    /// `package_size` is zero or less.
    #[error("the registry reports a size of {0} bytes")]
    ReportedSize(i64),
    /// `package_size` is another than the archive's.
    #[error("the archive has {got} bytes, the registry reports {expected}")]
    Size {
        /// The archive's size.
        got: u64,
        /// The reported size.
        expected: u64,
    },
    /// `packages` has no `zh:` hash for the platform.
    #[error("the registry's `packages` have no `zh:` hash for this platform")]
    NoReportedHash,
    /// A `zh:` hash of `packages` contradicts `shasum`.
    #[error("the registry reports `{reported}` and announces `{announced}`")]
    ReportedHash {
        /// The hash in `packages`.
        reported: PackageHash,
        /// The hash that `shasum` makes.
        announced: PackageHash,
    },
    /// The SHA256SUMS document does not list the file.
    #[error("the SHA256SUMS document does not list `{}`", filename.escape_debug())]
    NotListed {
        /// The file name that the registry gives.
        filename: String,
    },
    /// The SHA256SUMS document lists another digest than the registry announces.
    #[error("the SHA256SUMS document lists `{listed}`, the registry announces `{announced}`")]
    Listed {
        /// The digest in the document.
        listed: Sha256Digest,
        /// The digest in the metadata.
        announced: Sha256Digest,
    },
    /// The archive is not the announced one.
    #[error("the archive has SHA-256 `{got}`, expected is `{expected}`")]
    Digest {
        /// The archive's digest.
        got: Sha256Digest,
        /// The announced digest.
        expected: Sha256Digest,
    },
    /// The mirror lists only hashes of unknown schemes.
    #[error("the mirror lists no hash of a known scheme, only {}", texts(.0))]
    NoKnownScheme(Vec<PackageHash>),
    /// None of the mirror's hashes is the archive's.
    #[error("the archive has {}, the mirror lists {}", texts(got), texts(expected))]
    NoHashFits {
        /// The archive's hashes.
        got: Vec<PackageHash>,
        /// The mirror's hashes.
        expected: Vec<PackageHash>,
    },
    /// The archive cannot be hashed.
    #[error("the archive cannot be hashed")]
    Archive(#[source] ArchiveError),
}

impl Failure for Mismatch {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Archive(error) => error.exit_code(),
            Self::PlatformNotReported
            | Self::ReportedSize(_)
            | Self::Size { .. }
            | Self::NoReportedHash
            | Self::ReportedHash { .. }
            | Self::NotListed { .. }
            | Self::Listed { .. }
            | Self::Digest { .. }
            | Self::NoKnownScheme(_)
            | Self::NoHashFits { .. } => ExitCode::Verification,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Archive(error) => error.hints(),
            Self::Size { .. } | Self::Digest { .. } | Self::NoHashFits { .. } => vec![
                "somebody on the way, such as a proxy or an artifact store, may have changed the package; if it stays so, tell those who run the source".to_owned(),
            ],
            Self::PlatformNotReported
            | Self::ReportedSize(_)
            | Self::NoReportedHash
            | Self::ReportedHash { .. }
            | Self::NotListed { .. }
            | Self::Listed { .. }
            | Self::NoKnownScheme(_) => {
                vec!["what the source says contradicts itself; tell those who run it".to_owned()]
            }
        }
    }
}

/// Checks a package against everything that its source says about it.
///
/// # Errors
/// [`Mismatch`] for the first thing that does not fit.
pub fn authenticate(
    package: FetchedPackage,
    expectation: Expectation<'_>,
) -> Result<VerifiedPackage, Mismatch> {
    authenticate_known(package, expectation, OnceLock::new())
}

/// [`authenticate`] for an archive whose `h1:` may be known already.
pub(super) fn authenticate_known(
    package: FetchedPackage,
    expectation: Expectation<'_>,
    h1_zip: OnceLock<PackageHash>,
) -> Result<VerifiedPackage, Mismatch> {
    let outcome = match expectation {
        Expectation::Registry(registry) => check_registry(&package, &registry),
        Expectation::Mirror(hashes) => check_mirror(&package, hashes, &h1_zip),
        Expectation::Nothing => Ok(Verdict::Unauthenticated),
    };
    outcome.map(|verdict| VerifiedPackage::new(package, verdict, h1_zip))
}

impl RegistryExpectation<'_> {
    /// What the package is proved to be once its bytes fit: everything else that the registry says is checked.
    ///
    /// # Errors
    /// [`Mismatch`] for the first thing in which the registry contradicts itself.
    pub fn verdict(&self) -> Result<Verdict, Mismatch> {
        let announced = self.announced;
        self.reported_size()?;
        check_reported(self.reported, announced)?;
        match self.listed {
            None => Err(Mismatch::NotListed {
                filename: self.filename.to_owned(),
            }),
            Some(listed) if listed != announced => Err(Mismatch::Listed { listed, announced }),
            Some(_) => Ok(self.shasums.verdict()),
        }
    }

    fn reported_size(&self) -> Result<Option<u64>, Mismatch> {
        let size = match self.reported {
            Reported::Nothing => return Ok(None),
            Reported::OtherPlatforms => return Err(Mismatch::PlatformNotReported),
            Reported::Package { size, .. } => size,
        };
        let positive = u64::try_from(size).ok().filter(|size| *size > 0);
        positive.map(Some).ok_or(Mismatch::ReportedSize(size))
    }
}

fn check_registry(
    package: &FetchedPackage,
    registry: &RegistryExpectation<'_>,
) -> Result<Verdict, Mismatch> {
    let verdict = registry.verdict()?;
    match registry.reported_size()? {
        Some(expected) if package.size != expected => {
            return Err(Mismatch::Size {
                got: package.size,
                expected,
            });
        }
        Some(_) | None => {}
    }
    if package.digest != registry.announced {
        return Err(Mismatch::Digest {
            got: package.digest,
            expected: registry.announced,
        });
    }
    Ok(verdict)
}

/// Facts 2.12; a reported `h1:` is not compared, as the tool does not either.
fn check_reported(reported: Reported<'_>, announced: Sha256Digest) -> Result<(), Mismatch> {
    let Reported::Package { hashes, .. } = reported else {
        return Ok(());
    };
    let announced = PackageHash::zh(announced);
    let mut archives = hashes
        .iter()
        .filter(|hash| hash.scheme() == HashScheme::Zh)
        .peekable();
    if archives.peek().is_none() {
        return Err(Mismatch::NoReportedHash);
    }
    match archives.find(|hash| **hash != announced) {
        Some(reported) => Err(Mismatch::ReportedHash {
            reported: reported.clone(),
            announced,
        }),
        None => Ok(()),
    }
}

/// Facts 8.7: one fitting hash suffices. The `h1:` is computed only if no `zh:` fits.
fn check_mirror(
    package: &FetchedPackage,
    hashes: &[PackageHash],
    h1_zip: &OnceLock<PackageHash>,
) -> Result<Verdict, Mismatch> {
    if hashes.is_empty() {
        return Ok(Verdict::Unauthenticated);
    }
    let lists = |scheme| hashes.iter().any(|hash| hash.scheme() == scheme);
    if !lists(HashScheme::Zh) && !lists(HashScheme::H1) {
        return Err(Mismatch::NoKnownScheme(hashes.to_vec()));
    }
    let mut got = vec![PackageHash::zh(package.digest)];
    if !hashes.contains(&got[0]) && lists(HashScheme::H1) {
        got.push(
            known_or_computed(h1_zip, &package.path)
                .map_err(Mismatch::Archive)?
                .clone(),
        );
    }
    if got.iter().any(|hash| hashes.contains(hash)) {
        return Ok(Verdict::Checksum);
    }
    Err(Mismatch::NoHashFits {
        got,
        expected: hashes.to_vec(),
    })
}

/// Hashes for a message. Those of a mirror are text from outside.
fn texts(hashes: &[PackageHash]) -> String {
    let quoted: Vec<String> = hashes
        .iter()
        .map(|hash| format!("`{}`", hash.as_str().escape_debug()))
        .collect();
    quoted.join(", ")
}

#[cfg(test)]
#[path = "authenticate_tests.rs"]
mod tests;
