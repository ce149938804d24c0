//! The comparison of a module's package with what is locked of it.
//!
//! Both are compared, what the package is and what its files are: a tag that was moved to another commit and an archive that
//! was packed anew are told even if the files that count are the same, for hidden ones do not count (see `h1_of_module`).
//! One archive is known without having been locked: what `mirror` makes of the locked files, as packing them again gives the
//! same bytes. So a module lock holds on both sides of an air gap.

use std::fmt;
use std::path::PathBuf;

use crate::document::{LockedModule, PackageIdentity};
use crate::hash::{PackageHash, Sha256Digest};
use crate::ops::ModuleInstallError;
use crate::ops::blocking::on_blocking_pool;
use crate::package::{digest_of_packed, h1_of_module};

/// A package that was received.
#[derive(Debug, Clone)]
pub(in crate::ops) struct Received {
    /// What it is.
    pub(in crate::ops) identity: PackageIdentity,
    /// Where all of its files are, hidden ones too.
    pub(in crate::ops) whole: PathBuf,
}

/// A package that is not the locked one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleMismatch {
    /// What is locked.
    pub locked: LockedModule,
    /// What was got; `None` for an installed copy, which does not tell where it came from.
    pub identity: Option<PackageIdentity>,
    /// The hash of the files that were got; `None` if only their commit was asked for.
    pub hash: Option<PackageHash>,
}

/// The registry names another directory of the package than the locked one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{from}` is the directory `{got}` of its package now, and `{expected}` is locked")]
pub struct OtherDirectory {
    /// The source of the call.
    pub from: String,
    /// The directory that is named, with `/`; `.` is the package itself.
    pub got: String,
    /// The locked one.
    pub expected: String,
}

impl ModuleMismatch {
    /// Compares a package with what is locked.
    pub(in crate::ops) fn find(
        locked: &LockedModule,
        identity: Option<&PackageIdentity>,
        hash: &PackageHash,
    ) -> Option<Self> {
        let is_same = identity.is_none_or(|identity| *identity == locked.identity);
        let mismatch = || Self {
            locked: locked.clone(),
            identity: identity.cloned(),
            hash: Some(hash.clone()),
        };
        (!is_same || *hash != locked.hash).then(mismatch)
    }
}

impl fmt::Display for ModuleMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let locked = &self.locked;
        write!(f, "`{}`", locked.source)?;
        if let Some(version) = &locked.version {
            write!(f, " {version}")?;
        }
        let what = match &self.identity {
            Some(_) => "has changed since it was locked",
            None => "is installed with other files than the locked ones",
        };
        write!(f, " {what}: ")?;
        match &self.hash {
            None => {}
            Some(hash) if *hash == locked.hash => {
                write!(f, "its files have the locked hash `{hash}`")?;
            }
            Some(hash) => {
                let locked = &locked.hash;
                write!(
                    f,
                    "its files have the hash `{hash}`, and `{locked}` is locked"
                )?;
            }
        }
        match &self.identity {
            Some(identity) if *identity != locked.identity => {
                let separator = self.hash.as_ref().map_or("", |_| "; ");
                let (got, locked) = (told(identity), told(&locked.identity));
                write!(f, "{separator}it is {got}, and {locked} is locked")
            }
            Some(_) | None => Ok(()),
        }
    }
}

impl std::error::Error for ModuleMismatch {}

/// A package in words.
pub(in crate::ops) fn told(identity: &PackageIdentity) -> String {
    match identity {
        PackageIdentity::Commit(commit) => format!("commit `{commit}`"),
        PackageIdentity::Archive(digest) => format!("archive `sha256:{digest}`"),
        PackageIdentity::Directory => "a directory".to_owned(),
    }
}

/// Fails unless the package in `dir` is the locked one, if one is locked; `received` unless it is an installed copy.
///
/// # Errors
///
/// If it is another one, or cannot be hashed.
pub(in crate::ops) async fn check_package(
    dir: PathBuf,
    received: Option<&Received>,
    locked: Option<&LockedModule>,
) -> Result<(), ModuleInstallError> {
    let Some(locked) = locked else {
        return Ok(());
    };
    let hash = on_blocking_pool(move || h1_of_module(&dir)).await?;
    if let Some(received) = received {
        return check_received(received, &hash, locked).await;
    }
    match ModuleMismatch::find(locked, None, &hash) {
        None => Ok(()),
        Some(mismatch) => Err(ModuleInstallError::LockMismatch(Box::new(mismatch))),
    }
}

/// Fails unless a package whose files have the hash `hash` is the locked one.
///
/// # Errors
///
/// If it is another one.
pub(in crate::ops) async fn check_received(
    received: &Received,
    hash: &PackageHash,
    locked: &LockedModule,
) -> Result<(), ModuleInstallError> {
    let Some(mismatch) = ModuleMismatch::find(locked, Some(&received.identity), hash) else {
        return Ok(());
    };
    if *hash == locked.hash && is_packing(received, locked).await {
        return Ok(());
    }
    Err(ModuleInstallError::LockMismatch(Box::new(mismatch)))
}

/// Fails unless `directory` of the package is what a locked call has; `named` is the directory that its source names.
///
/// # Errors
///
/// If another one is locked.
pub(in crate::ops) fn check_directory(
    locked: &LockedModule,
    directory: &str,
    named: &str,
) -> Result<(), Box<OtherDirectory>> {
    let got = LockedModule::directory_of(directory);
    let expected = locked.directory_or(named);
    if got == expected {
        return Ok(());
    }
    Err(Box::new(OtherDirectory {
        from: locked.source.clone(),
        got,
        expected,
    }))
}

/// Whether one of the two is the archive that `mirror` makes of the files received: theirs, behind a mirror, or the locked
/// one, where that was locked behind a mirror.
async fn is_packing(received: &Received, locked: &LockedModule) -> bool {
    let archives: Vec<_> = [&received.identity, &locked.identity]
        .into_iter()
        .filter_map(digest_of)
        .collect();
    if archives.is_empty() {
        return false;
    }
    let whole = received.whole.clone();
    match on_blocking_pool(move || digest_of_packed(&whole)).await {
        Ok(packed) => archives.contains(&packed),
        Err(error) => {
            log::info!("what was received is no archive of a mirror: {error}");
            false
        }
    }
}

fn digest_of(identity: &PackageIdentity) -> Option<Sha256Digest> {
    match identity {
        PackageIdentity::Archive(digest) => Some(*digest),
        PackageIdentity::Commit(_) | PackageIdentity::Directory => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(identity: PackageIdentity) -> LockedModule {
        LockedModule {
            source: "a.b/c/d/e".to_owned(),
            version: Some("1.0.0".parse().unwrap()),
            identity,
            hash: "h1:old".parse().unwrap(),
            directory: None,
        }
    }

    fn commit(digit: &str) -> PackageIdentity {
        PackageIdentity::Commit(digit.repeat(40).parse().unwrap())
    }

    #[test]
    fn what_moved_is_told_with_both_values() {
        let [old, new] = ["h1:old", "h1:new"].map(|hash| hash.parse::<PackageHash>().unwrap());
        let locked = locked(commit("a"));
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let moved = format!("; it is commit `{b}`, and commit `{a}` is locked");
        let prefix = "`a.b/c/d/e` 1.0.0 has changed since it was locked: its files have the ";
        let other = "hash `h1:new`, and `h1:old` is locked";
        for (identity, hash, expected) in [
            (Some(commit("a")), &old, None),
            (None, &old, None),
            (
                Some(commit("b")),
                &old,
                Some(format!("{prefix}locked hash `h1:old`{moved}")),
            ),
            (
                Some(commit("b")),
                &new,
                Some(format!("{prefix}{other}{moved}")),
            ),
            (Some(commit("a")), &new, Some(format!("{prefix}{other}"))),
            (
                None,
                &new,
                Some(format!(
                    "`a.b/c/d/e` 1.0.0 is installed with other files than the locked ones: its files have the {other}"
                )),
            ),
        ] {
            let found = ModuleMismatch::find(&locked, identity.as_ref(), hash);
            assert_eq!(found.map(|it| it.to_string()), expected);
        }
    }
}
