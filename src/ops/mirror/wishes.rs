//! What is to be mirrored: wishes from addresses, root modules and lock files.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::address::{ProviderAddr, Tool};
use crate::config::{ProviderRequest, RootModule};
use crate::document::ProviderLock;
use crate::hash::PackageHash;
use crate::ops::root_requirements::{adopted, read_lock_file, root_requirements};
use crate::ops::{OpError, Reporter, RootRequirements};
use crate::version::{Prereleases, Version, VersionConstraints};

/// Which of the matching versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// So many of the newest.
    Newest(NonZeroUsize),
    /// Every one.
    All,
    /// This one, whatever else there is.
    Exactly(Version),
}

/// One provider and the versions wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// The provider.
    pub addr: ProviderAddr,
    /// What a version must meet.
    pub constraints: VersionConstraints,
    /// Which of the matching versions.
    pub choice: Choice,
    /// What a lock file holds of the version that is chosen exactly; a package that fits none of
    /// these will be refused where that lock file is used.
    pub locked: Vec<PackageHash>,
}

/// `--latest` and `--all-versions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WishOptions {
    /// Neither: one version, the locked one where a lock file tells it.
    Default,
    /// `--latest N`.
    Latest(NonZeroUsize),
    /// `--all-versions`.
    All,
}

impl WishOptions {
    /// Which of the matching versions, where no lock file tells.
    pub(in crate::ops) fn choice(self) -> Choice {
        match self {
            Self::Default => Choice::Newest(NonZeroUsize::MIN),
            Self::Latest(count) => Choice::Newest(count),
            Self::All => Choice::All,
        }
    }
}

/// Wishes of command-line addresses.
pub fn wishes_of_requests(requests: Vec<ProviderRequest>, options: WishOptions) -> Vec<Wish> {
    let wish = |request: ProviderRequest| Wish {
        addr: request.addr,
        constraints: request.constraints,
        choice: options.choice(),
        locked: Vec::new(),
    };
    requests.into_iter().map(wish).collect()
}

/// Wishes of a root module: its requirements, at the locked versions where these meet the
/// constraints and no option asks for more.
///
/// # Errors
///
/// If configuration, state or lock file cannot be read.
pub fn wishes_of_root(
    root: &RootModule,
    options: WishOptions,
    reporter: &dyn Reporter,
) -> Result<Vec<Wish>, OpError> {
    let required = root_requirements(root, reporter)?;
    wishes_of_required(required, root, options, reporter)
}

/// As [`wishes_of_root`], of requirements that are known.
///
/// # Errors
///
/// If the lock file cannot be read.
pub(in crate::ops) fn wishes_of_required(
    required: RootRequirements,
    root: &RootModule,
    options: WishOptions,
    reporter: &dyn Reporter,
) -> Result<Vec<Wish>, OpError> {
    let locks = read_lock_file(&required.lock_path, root.tool, reporter)?;
    let locks = adopted(locks, root.tool, reporter);
    let mut wishes = Vec::new();
    for (addr, constraints) in required.requirements {
        let fits = |lock: &&ProviderLock| {
            options == WishOptions::Default
                && constraints.allows(&lock.version, Prereleases::ExactOnly)
        };
        let (choice, locked) = match locks.providers.get(&addr).filter(fits) {
            Some(lock) => (Choice::Exactly(lock.version.clone()), lock.hashes.clone()),
            None => (options.choice(), Vec::new()),
        };
        wishes.push(Wish {
            addr,
            constraints,
            choice,
            locked,
        });
    }
    Ok(wishes)
}

/// Wishes of a lock file: its exact selections.
///
/// # Errors
///
/// If the lock file is absent or cannot be read.
pub fn wishes_of_lock_file(
    path: &Path,
    tool: Tool,
    reporter: &dyn Reporter,
) -> Result<Vec<Wish>, OpError> {
    // An absent file means no locks elsewhere; here the user named it.
    if !path.exists() {
        return Err(OpError::NoLockFile {
            path: path.to_owned(),
        });
    }
    let locks = read_lock_file(path, tool, reporter)?;
    let wish = |(addr, lock): (ProviderAddr, ProviderLock)| Wish {
        addr,
        constraints: VersionConstraints::default(),
        choice: Choice::Exactly(lock.version),
        locked: lock.hashes,
    };
    Ok(locks.providers.into_iter().map(wish).collect())
}
