//! What a lock file says of a package, and the check that the package fits it (facts/providers 3.12).

use crate::failure::ExitCode;
use crate::hash::{HashScheme, PackageHash};
use crate::ops::PackageFailure;
use crate::package::LockMatch;
use crate::store::InstalledPackage;

/// The lock file's say on a package.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) enum Prior<'l> {
    /// Nothing is locked; any proved package will do.
    Free,
    /// One of these must fit, if any is of a known scheme (facts/providers 3.12).
    Locked(&'l [PackageHash]),
    /// One of these must fit (`--locked`).
    Required(&'l [PackageHash]),
}

impl<'l> Prior<'l> {
    /// The hashes that are locked, if anything is.
    pub(in crate::ops) fn locked(self) -> Option<&'l [PackageHash]> {
        match self {
            Self::Free => None,
            Self::Locked(locked) | Self::Required(locked) => Some(locked),
        }
    }

    /// Fails unless a package fits that was `found` so, whose archive has these `hashes`, and that was `staged`.
    ///
    /// # Errors
    ///
    /// If no locked hash fits.
    pub(in crate::ops) fn check(
        self,
        found: LockMatch,
        hashes: &[PackageHash],
        staged: &InstalledPackage,
    ) -> Result<(), PackageFailure> {
        let (locked, exit_code) = match self {
            Self::Free => return Ok(()),
            Self::Locked(locked) => (locked, ExitCode::Verification),
            Self::Required(locked) => (locked, ExitCode::Difference),
        };
        let got = match found {
            LockMatch::Fits => return Ok(()),
            LockMatch::NothingToCompare if matches!(self, Self::Locked(_)) => return Ok(()),
            LockMatch::NothingToCompare => hashes.to_vec(),
            LockMatch::Differs { got } => got,
        };
        if locked.contains(staged.h1()) {
            return Ok(());
        }
        let known = |hash: &&PackageHash| hash.scheme() != HashScheme::Other;
        let locked = locked.iter().filter(known).cloned().collect();
        Err(PackageFailure::LockMismatch {
            got,
            locked,
            exit_code,
        })
    }
}
