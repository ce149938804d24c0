//! What can go wrong in a use case: failures of one package, and failures of the whole request.

use std::path::PathBuf;
use std::sync::Arc;

use crate::address::{ModuleAddr, ProviderAddr};
use crate::config::{CallPlace, ModuleFailure, RootModulesError, ScanError, StateError};
use crate::disk::DiskError;
use crate::document::{
    LOCK_FILE_NAME, LockFileError, ModuleLockError, ModulesManifestError, PackageId,
};
use crate::failure::{ExitCode, Failure};
use crate::hash::PackageHash;
use crate::http::HttpError;
use crate::ops::ModuleInstallError;
use crate::ops::lock::tree::VERB as VERB_OF_LOCK;
use crate::ops::module_mirror::ModuleMirrorError;
use crate::package::{ArchiveError, DirectoryHashError, Mismatch, UnpackedPackageError};
use crate::source::SourceError;
use crate::store::StoreError;
use crate::version::{Version, VersionConstraints};

/// Why a use case, or its part for one package or provider, failed.
#[derive(Debug, thiserror::Error)]
pub enum OpError {
    /// One package could not be had or placed.
    #[error("cannot {verb} {id}")]
    Package {
        /// `install` or `mirror`.
        verb: &'static str,
        /// The package.
        id: Box<PackageId>,
        /// Why.
        #[source]
        source: Box<PackageFailure>,
    },
    /// A module could not be had or placed.
    #[error("cannot {verb} module `{key}` ({place})")]
    Module {
        /// `install` or `lock`.
        verb: &'static str,
        /// The names of the calls from the root.
        key: String,
        /// Where the call stands.
        place: CallPlace,
        /// Why.
        #[source]
        source: Box<ModuleInstallError>,
    },
    /// A module could not be mirrored.
    #[error("cannot mirror {named}")]
    ModuleMirror {
        /// The module, or the call of it and where that stands.
        named: String,
        /// Why.
        #[source]
        source: Box<ModuleMirrorError>,
    },
    /// The versions of a module could not be had.
    #[error("cannot find the versions of module `{addr}`")]
    ModuleVersions {
        /// The module.
        addr: Box<ModuleAddr>,
        /// Why.
        #[source]
        source: Box<ModuleInstallError>,
    },
    /// A module that an argument names could not be installed.
    #[error("cannot install module `{addr}`")]
    ModuleAddress {
        /// The module, with its directory in the package.
        addr: String,
        /// Why.
        #[source]
        source: Box<ModuleInstallError>,
    },
    /// A directory that is to be filled has something in it.
    #[error("`{}` is neither an empty directory nor absent", dir.display())]
    DirectoryInUse {
        /// The directory.
        dir: PathBuf,
    },
    /// A module call is wrong, or the module that it calls.
    #[error(transparent)]
    ModuleCall(Box<ModuleFailure>),
    /// The record of installed modules cannot be understood.
    #[error("cannot understand the record of modules `{}`", path.display())]
    ModulesManifest {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: ModulesManifestError,
    },
    /// The module lock cannot be understood.
    #[error("cannot use the module lock `{}`", path.display())]
    ModuleLock {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: ModuleLockError,
    },
    /// Under `install --locked` or `lock --check`, the module lock would have to change.
    #[error("the module lock `{}` would change: {}", path.display(), changes.join("; "))]
    ModuleLockDiffers {
        /// `install` or `lock`.
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// What would change, in words.
        changes: Vec<String>,
    },
    /// The versions of a provider could not be asked for.
    #[error("cannot find the versions of `{addr}`")]
    Versions {
        /// The provider.
        addr: ProviderAddr,
        /// Why.
        #[source]
        source: SourceError,
    },
    /// No offered version will do.
    #[error("{}", no_matching_version(addr, constraints, newest.as_ref()))]
    NoMatchingVersion {
        /// The provider.
        addr: ProviderAddr,
        /// What was asked for.
        constraints: VersionConstraints,
        /// The newest version offered, if any.
        newest: Option<Version>,
        /// Offered prereleases that only an exact constraint selects.
        prereleases: usize,
    },
    /// `--platform all` asks for what the registry lists, and it lists nothing.
    #[error("no platforms are listed for `{addr}` {version}")]
    NoListedPlatforms {
        /// The provider.
        addr: ProviderAddr,
        /// The version.
        version: Version,
        /// Whether the registry offers the version at all.
        is_offered: bool,
    },
    /// The lock file holds a version that the configuration no longer allows.
    #[error(
        "the lock file selects `{addr}` {locked}, but the configuration requires `{constraints}`"
    )]
    LockedVersion {
        /// The provider.
        addr: ProviderAddr,
        /// The version in the lock file.
        locked: Version,
        /// What the configuration requires.
        constraints: VersionConstraints,
    },
    /// Under `--locked`, the lock file would have to change.
    #[error("the lock file `{}` does not fit the configuration: {}", path.display(), changes.join("; "))]
    LockDiffers {
        /// The lock file.
        path: PathBuf,
        /// What would change, in words.
        changes: Vec<String>,
    },
    /// Under `lock --check`, the lock file would change.
    #[error("the lock file `{}` would change: {}", path.display(), changes.join("; "))]
    LockOutdated {
        /// The lock file.
        path: PathBuf,
        /// What would change, in words.
        changes: Vec<String>,
    },
    /// Under `outdated --check`, newer versions are allowed.
    #[error("{}", behind(*providers, *locked_modules, *installed_modules))]
    Behind {
        /// How many providers may be newer than what is locked.
        providers: usize,
        /// How many modules may be newer than what is locked.
        locked_modules: usize,
        /// How many modules that are not locked may be newer than what is installed.
        installed_modules: usize,
    },
    /// A provider that is named is not required.
    #[error("the configuration does not require `{addr}`")]
    NotRequired {
        /// The provider.
        addr: ProviderAddr,
    },
    /// The configuration cannot be read.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// The directory holds no configuration.
    #[error("`{}` holds no configuration files", dir.display())]
    NoConfiguration {
        /// The directory.
        dir: PathBuf,
    },
    /// The state file cannot be read.
    #[error("cannot read the providers of the state file")]
    State(#[from] StateError),
    /// A directory that is to be verified as a mirror has nothing of one.
    #[error("`{}` is no mirror: it has no provider, no module and no repository", dir.display())]
    NoMirror {
        /// The directory.
        dir: PathBuf,
        /// The mirror that it seems to be a part of.
        whole: Option<PathBuf>,
    },
    /// A lock file that the user named is not there.
    #[error("there is no lock file `{}`", path.display())]
    NoLockFile {
        /// The path.
        path: PathBuf,
    },
    /// The lock file cannot be understood.
    #[error("cannot use the lock file `{}`", path.display())]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// Why.
        #[source]
        source: LockFileError,
    },
    /// No root modules can be found below a directory.
    #[error(transparent)]
    RootModules(#[from] RootModulesError),
    /// One root module of several failed, or a package in it.
    #[error("cannot {verb} the root module `{root}`")]
    InRoot {
        /// What was to be done, such as `install`.
        verb: &'static str,
        /// Its path below the directory where root modules were looked for.
        root: String,
        /// Why.
        #[source]
        source: Box<OpError>,
    },
    /// What several root modules met together.
    #[error(transparent)]
    Shared(Arc<OpError>),
    /// `verify` found something.
    #[error("verification found {}", problems_found(*problems))]
    Findings {
        /// How many problems.
        problems: usize,
        /// The gravest.
        exit_code: ExitCode,
        /// What can be done.
        hints: Vec<String>,
    },
    /// `cache verify` found something.
    #[error("the package cache is damaged in {}", places(*problems))]
    CacheDamaged {
        /// How many problems.
        problems: usize,
        /// 10 if bytes differ, 11 if something is only missing.
        exit_code: ExitCode,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why one package failed.
#[derive(Debug, thiserror::Error)]
pub enum PackageFailure {
    /// The source does not offer it.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Its bytes could not be fetched.
    #[error("cannot download the package")]
    Download(#[from] HttpError),
    /// The registry's own list says that there is no such package (`--dry-run`).
    #[error("`{}` {} is not listed for `{}`", id.addr, id.version, id.platform)]
    NotListed {
        /// The package.
        id: Box<PackageId>,
    },
    /// Its bytes are not what they must be.
    #[error(transparent)]
    Authentication(#[from] Mismatch),
    /// It is an archive that is not unpacked.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// An installed directory cannot be hashed.
    #[error(transparent)]
    DirectoryHash(#[from] DirectoryHashError),
    /// What a filesystem mirror has unpacked is no package.
    #[error(transparent)]
    Unpacked(#[from] UnpackedPackageError),
    /// It carries no signature, and one is required.
    #[error("the package is not signed, and `--require-signature` asks for a signature")]
    Unsigned,
    /// It is signed by a key that the mirror does not know for the provider.
    #[error(
        "it is signed by key `{got}`, and the mirror knows the provider by {}",
        quoted(known)
    )]
    ChangedKey {
        /// The fingerprint of the signer.
        got: String,
        /// The fingerprints that are known.
        known: Vec<String>,
    },
    /// It is signed by an expired key, and these are not accepted.
    #[error("it is signed by key `{key_id}`, which has expired")]
    ExpiredKey {
        /// The id of the primary key.
        key_id: String,
    },
    /// None of the lock file's hashes fits.
    #[error("{}", lock_mismatch(got, locked))]
    LockMismatch {
        /// Hashes of the package.
        got: Vec<PackageHash>,
        /// Hashes in the lock file.
        locked: Vec<PackageHash>,
        /// What the run ends with: 10, or 11 under `--locked`.
        exit_code: ExitCode,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// Documents of a mirror cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl OpError {
    /// The error as reports tell it that have several root modules, of which this one has a name.
    pub(super) fn in_root(self, verb: &'static str, root: Option<&str>) -> Self {
        match root {
            None => self,
            Some(root) => Self::InRoot {
                verb,
                root: root.to_owned(),
                source: Box::new(self),
            },
        }
    }

    /// The failure of what `verb` says, such as `mirror`, for one package.
    pub(super) fn of_package(verb: &'static str, id: &PackageId, source: PackageFailure) -> Self {
        Self::Package {
            verb,
            id: Box::new(id.clone()),
            source: Box::new(source),
        }
    }
}

impl PackageFailure {
    /// Whether another run may come further with what this one has got.
    pub(super) fn may_pass(&self) -> bool {
        let is_flood = matches!(self, Self::Download(HttpError::TooLarge { .. }));
        let is_remote =
            matches!(self, Self::Download(error) if error.exit_code() == ExitCode::Remote);
        is_remote && !is_flood
    }

    /// Whether a file or directory could not be read or written, and nothing is wrong with the package.
    pub(super) fn is_about_disk(&self) -> bool {
        match self {
            Self::Disk(_) | Self::Download(HttpError::Disk(_)) => true,
            Self::Store(error) => error.is_about_disk(),
            Self::Source(_)
            | Self::Download(_)
            | Self::NotListed { .. }
            | Self::Authentication(_)
            | Self::Archive(_)
            | Self::DirectoryHash(_)
            | Self::Unpacked(_)
            | Self::Unsigned
            | Self::ChangedKey { .. }
            | Self::ExpiredKey { .. }
            | Self::LockMismatch { .. } => false,
        }
    }

    /// Whether the package or its source is the trouble, so that others on this machine would meet it,
    /// too.
    pub(super) fn is_about_package(&self) -> bool {
        match self {
            Self::Source(_)
            | Self::NotListed { .. }
            | Self::Authentication(_)
            | Self::Unpacked(_)
            | Self::ChangedKey { .. }
            | Self::ExpiredKey { .. }
            | Self::Unsigned => true,
            Self::Archive(source) => !matches!(source, ArchiveError::Write { .. }),
            Self::Download(_) | Self::Store(_) => !self.is_about_disk(),
            Self::DirectoryHash(_) | Self::LockMismatch { .. } | Self::Disk(_) => false,
        }
    }
}

fn problems_found(count: usize) -> String {
    if count == 1 {
        "1 problem".to_owned()
    } else {
        format!("{count} problems")
    }
}

fn quoted(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
    quoted.join(", ")
}

fn places(count: usize) -> String {
    if count == 1 {
        "1 place".to_owned()
    } else {
        format!("{count} places")
    }
}

fn behind(providers: usize, locked_modules: usize, installed_modules: usize) -> String {
    let counts = [
        (providers, "providers", "locked"),
        (locked_modules, "modules", "locked"),
        (installed_modules, "modules", "installed"),
    ];
    let counts = counts.iter().filter(|(count, ..)| *count > 0);
    let parts = counts
        .map(|(count, what, how)| format!("{count} of the {what} may be newer than what is {how}"));
    parts.collect::<Vec<_>>().join(", ")
}

fn no_matching_version(
    addr: &ProviderAddr,
    constraints: &VersionConstraints,
    newest: Option<&Version>,
) -> String {
    match newest {
        None => format!("no version of `{addr}` is offered"),
        Some(_) if constraints.is_empty() => format!("no version of `{addr}` can be selected"),
        Some(_) => format!("no version of `{addr}` meets `{constraints}`"),
    }
}

fn lock_mismatch(got: &[PackageHash], locked: &[PackageHash]) -> String {
    let listed = |hashes: &[PackageHash]| {
        let texts: Vec<String> = hashes.iter().map(|hash| format!("`{hash}`")).collect();
        if texts.is_empty() {
            "none".to_owned()
        } else {
            texts.join(", ")
        }
    };
    format!(
        "the package's hashes are {}, the lock file allows {}",
        listed(got),
        listed(locked)
    )
}

impl Failure for OpError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Package { source, .. } => source.exit_code(),
            Self::Versions { source, .. } => source.exit_code(),
            Self::NoMatchingVersion { .. }
            | Self::NoListedPlatforms { .. }
            | Self::LockedVersion { .. }
            | Self::NotRequired { .. } => ExitCode::NotFound,
            Self::LockDiffers { .. }
            | Self::LockOutdated { .. }
            | Self::ModuleLockDiffers { .. }
            | Self::Behind { .. } => ExitCode::Difference,
            Self::Module { source, .. }
            | Self::ModuleAddress { source, .. }
            | Self::ModuleVersions { source, .. } => source.exit_code(),
            Self::ModuleMirror { source, .. } => source.exit_code(),
            Self::ModuleCall(source) => source.exit_code(),
            Self::ModulesManifest { source, .. } => source.exit_code(),
            Self::ModuleLock { source, .. } => source.exit_code(),
            Self::Scan(source) => source.exit_code(),
            Self::NoConfiguration { .. }
            | Self::NoMirror { .. }
            | Self::NoLockFile { .. }
            | Self::DirectoryInUse { .. } => ExitCode::Local,
            Self::State(source) => source.exit_code(),
            Self::Lock { source, .. } => source.exit_code(),
            Self::RootModules(source) => source.exit_code(),
            Self::InRoot { source, .. } => source.exit_code(),
            Self::Shared(source) => source.exit_code(),
            Self::CacheDamaged { exit_code, .. } | Self::Findings { exit_code, .. } => *exit_code,
            Self::Disk(source) => source.exit_code(),
            Self::Store(source) => source.exit_code(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Package { source, .. } => source.hints(),
            Self::Versions { source, .. } => source.hints(),
            Self::NoMatchingVersion { addr, newest, prereleases, .. } => {
                no_matching_version_hints(addr, newest.as_ref(), *prereleases)
            }
            Self::NoListedPlatforms { is_offered: true, .. } => {
                vec!["name the platforms instead: `--platform linux_amd64`".to_owned()]
            }
            Self::NoListedPlatforms { addr, .. } => {
                vec![format!("list what there is with `provender versions {addr}`")]
            }
            Self::LockedVersion { .. } => vec![
                "choose a version anew with `provender install --upgrade` or `provender lock --upgrade`, or correct the constraint".to_owned(),
            ],
            Self::LockDiffers { .. } => vec![
                "run `provender install` without `--locked`, with `--upgrade` where a version has to change, and commit the lock file".to_owned(),
            ],
            Self::LockOutdated { .. } => vec![
                "run `provender lock` with the same arguments without `--check`, and commit the lock file".to_owned(),
            ],
            Self::Behind { locked_modules: 0, installed_modules: 0, .. } => vec![
                "run `provender lock --upgrade` or `provender install --upgrade`, and commit the lock file".to_owned(),
            ],
            Self::Behind { locked_modules: 0, .. } => vec![
                "run `provender install --upgrade`, and commit the lock file if it has changed".to_owned(),
            ],
            Self::Behind { .. } => vec![
                "run `provender lock --upgrade`, and commit the lock files; `provender install` then installs what they have".to_owned(),
            ],
            Self::NotRequired { .. } => vec![
                "`provender lock` without addresses locks all required providers".to_owned(),
            ],
            Self::Module { source, .. }
            | Self::ModuleAddress { source, .. }
            | Self::ModuleVersions { source, .. } => source.hints(),
            Self::DirectoryInUse { .. } => {
                vec!["name another directory with `--dir DIR`, or empty this one".to_owned()]
            }
            Self::ModuleMirror { source, .. } => source.hints(),
            Self::ModuleCall(source) => source.hints(),
            Self::ModulesManifest { source, .. } => source.hints(),
            Self::ModuleLock { source, .. } => source.hints(),
            Self::ModuleLockDiffers { verb: VERB_OF_LOCK, .. } => vec![
                "run `provender lock` with the same arguments without `--check`, and commit the file".to_owned(),
            ],
            Self::ModuleLockDiffers { .. } => {
                vec!["run `provender lock`, and commit the file".to_owned()]
            }
            Self::Scan(source) => source.hints(),
            Self::NoConfiguration { .. } => {
                vec!["name the directory of a root module, such as with `--chdir DIR`; `provender install ADDRESS` and `provender mirror ADDRESS` need none".to_owned()]
            }
            Self::NoMirror { whole, .. } => whole.iter().map(|whole| {
                format!("it looks like a part of the mirror `{}`: verify that", whole.display())
            }).collect(),
            Self::NoLockFile { path } if path.ends_with(LOCK_FILE_NAME) => vec![
                "write it with `provender lock` or `provender install`, or name the root module's directory with `--chdir DIR`".to_owned(),
            ],
            Self::NoLockFile { .. } => {
                vec!["name the file itself, such as `infra/.terraform.lock.hcl`".to_owned()]
            }
            Self::State(source) => source.hints(),
            Self::Lock { source, .. } => source.hints(),
            Self::RootModules(source) => source.hints(),
            Self::InRoot { source, .. } => source.hints(),
            Self::Shared(source) => source.hints(),
            Self::Findings { hints, .. } => hints.clone(),
            Self::CacheDamaged { .. } => vec![
                "nothing has to be done: what is damaged was dropped, and is made or fetched anew when it is needed next".to_owned(),
            ],
            Self::Disk(source) => source.hints(),
            Self::Store(source) => source.hints(),
        }
    }
}

fn no_matching_version_hints(
    addr: &ProviderAddr,
    newest: Option<&Version>,
    prereleases: usize,
) -> Vec<String> {
    let mut hints = Vec::new();
    if let Some(newest) = newest {
        hints.push(format!(
            "the newest version offered is {newest}; list all with `provender versions {addr}`"
        ));
    }
    if prereleases > 0 {
        hints.push(
            "a prerelease is selected only by its exact version, such as `@1.0.0-beta1`".to_owned(),
        );
    }
    hints
}

impl Failure for PackageFailure {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Source(source) => source.exit_code(),
            Self::Download(source) => source.exit_code(),
            Self::NotListed { .. } => ExitCode::NotFound,
            Self::Authentication(source) => source.exit_code(),
            Self::Archive(source) => source.exit_code(),
            Self::DirectoryHash(source) => source.exit_code(),
            Self::Unpacked(source) => source.exit_code(),
            Self::Unsigned | Self::ChangedKey { .. } | Self::ExpiredKey { .. } => {
                ExitCode::Verification
            }
            Self::LockMismatch { exit_code, .. } => *exit_code,
            Self::Disk(source) => source.exit_code(),
            Self::Store(source) => source.exit_code(),
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Source(source) => source.hints(),
            Self::Download(source) => source.hints(),
            Self::NotListed { id } => vec![format!(
                "list what there is with `provender versions {}`, or leave it out with `--missing-platform skip`",
                id.addr
            )],
            Self::Authentication(source) => source.hints(),
            Self::Archive(source) => source.hints(),
            Self::DirectoryHash(source) => source.hints(),
            Self::Unpacked(source) => source.hints(),
            Self::Unsigned => vec!["leave out `--require-signature` if checksums suffice".to_owned()],
            Self::ChangedKey { .. } => vec![
                "if the publisher has changed keys, have that confirmed by another way than this registry, then run the command again with `--accept-new-keys`".to_owned(),
            ],
            Self::ExpiredKey { .. } => vec![
                "ask the publisher for a renewed key, or take it as it is with `--expired-keys warn`".to_owned(),
            ],
            Self::LockMismatch { .. } => vec![
                "if the publisher replaced the package, find out why before you delete its entry from the lock file; if only another platform was locked, lock this one too".to_owned(),
            ],
            Self::Disk(source) => source.hints(),
            Self::Store(source) => source.hints(),
        }
    }
}
