//! `provender verify`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, Args};

use crate::commands::KeyArgs;
use crate::commands::context::{Context, platforms};
use crate::commands::error::CommandError;
use crate::commands::package_sources::PackagesFrom;
use crate::commands::report::report_verification;
use crate::commands::roots::below;
use crate::commands::verify_fix::Fixing;
use crate::config::{RootModule, temp_dir};
use crate::document::{LOCK_FILE_NAME, MODULE_LOCK_NAME};
use crate::failure::ExitCode;
use crate::ops::{
    InstalledRoot, LockSite, Mending, MirrorDepth, MirrorPlace, MissingPackages, OpError,
    SignaturePolicy, Verification, VerifyInstalledRequest, VerifyLocksRequest, VerifyMirrorRequest,
    verify_installed, verify_mirror, verify_mirrored, verify_published,
};
use crate::source::LayoutUse;
use crate::ui::ProgressReporter;

/// Arguments of `verify`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("locks").args(["lock", "recursive"]).multiple(false)))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct VerifyArgs {
    /// Compare this lock file with a mirror (`--mirror`) or with what is published (`--registry`); repeatable
    #[arg(long, value_name = "FILE")]
    pub lock: Vec<PathBuf>,

    /// The mirror: a directory, or the https URL of a network mirror
    ///
    /// Without a lock file, a directory is compared with itself, offline: every package with its
    /// index, its SHA256SUMS document and the signature; nothing missing, nothing stray. With a lock
    /// file, every locked provider has to be there for each platform, with a locked hash; packages of
    /// a network mirror are fetched for that, and thrown away.
    #[arg(long, value_name = "DIR|URL", conflicts_with = "registry", value_parser = NonEmptyStringValueParser::new())]
    pub mirror: Option<String>,

    /// Compare the lock file with what its registries publish today, from metadata alone
    #[arg(long)]
    pub registry: bool,

    /// Every lock file in `--chdir` and below
    #[arg(long)]
    pub recursive: bool,

    /// Platform such as `linux_amd64`; repeatable [default: this machine's]
    #[arg(long, value_name = "OS_ARCH")]
    pub platform: Vec<String>,

    /// Do not recompute the `h1` hashes of a mirror's packages
    ///
    /// Only the digests of archives are computed; of archives for which nothing but an `h1` hash vouches, and of
    /// unpacked packages, that is computed all the same.
    #[arg(long, requires = "mirror", conflicts_with_all = ["lock", "recursive"])]
    pub quick: bool,

    /// Packages of a mirror without a proved signature are a problem
    #[arg(long, requires = "mirror", conflicts_with_all = ["lock", "recursive"])]
    pub require_signature: bool,

    /// Mend what a fetch or another index mends, then verify again; a lock file is never changed
    ///
    /// In a mirror directory packages that are damaged, missing or no longer proved are fetched anew,
    /// indexes are written anew from proved packages, and hidden leftovers of `terraform providers
    /// mirror` are deleted. In a root module providers and modules that are missing or have other hashes are installed
    /// anew, as they are locked, and a plugin that may not be executed gets that right back.
    #[arg(long, conflicts_with = "registry")]
    pub fix: bool,

    /// How signing keys are judged.
    #[command(flatten)]
    pub keys: KeyArgs,
}

/// Root modules are verified that have either.
const LOCK_NAMES: [&str; 2] = [LOCK_FILE_NAME, MODULE_LOCK_NAME];

/// What is verified.
enum Form<'a> {
    /// Root modules: lock file against installed packages.
    Installed(Vec<(Option<String>, RootModule)>),
    /// A mirror directory against itself.
    Mirror(PathBuf),
    /// Lock files against what is there.
    Locks(Vec<LockSite>, PackagesFrom<'a>),
}

impl Form<'_> {
    /// Whether it looks at signatures.
    fn has_signatures(&self) -> bool {
        match self {
            Self::Mirror(_) | Self::Locks(_, PackagesFrom::Registries) => true,
            Self::Installed(_) | Self::Locks(..) => false,
        }
    }

    /// Whether `--fix` may be given: what others serve is theirs to mend.
    fn is_mendable(&self) -> bool {
        match self {
            Self::Installed(_) | Self::Mirror(_) => true,
            Self::Locks(_, PackagesFrom::Mirror(mirror, _)) => !mirror.contains("://"),
            Self::Locks(..) => false,
        }
    }
}

impl VerifyArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        if let Some(mirror) = self
            .mirror
            .as_ref()
            .filter(|it| self.fix && it.contains("://"))
        {
            let text = mirror.chars().take(200).collect();
            return Err(CommandError::FixOfUrl { text });
        }
        let form = self.form(context).await?;
        if self.keys.expired_keys.is_some() && !self.fix && !form.has_signatures() {
            return Err(CommandError::NoSignatures);
        }
        let reporter = ProgressReporter::new(context.printer.clone());
        let mut verification = self.verified(context, &form, &reporter).await?;
        if self.fix && verification.is_mendable() {
            let fixing = Fixing {
                context,
                keys: self.keys,
                reporter: &reporter,
            };
            let failures = self.mend(&fixing, &form, &verification).await?;
            let after = self.verified(context, &form, &reporter).await?;
            verification = after.after_fix(verification);
            verification.summary.failures.extend(failures);
        }
        if !form.is_mendable() {
            verification.mending = Mending::Over;
        }
        drop(reporter);
        Ok(report_verification(context, "verify", &verification))
    }

    async fn form<'a>(&'a self, context: &Context<'_>) -> Result<Form<'a>, CommandError> {
        Ok(match &self.mirror {
            Some(mirror) if self.names_locks() => {
                let from = PackagesFrom::Mirror(mirror, LayoutUse::Any);
                Form::Locks(self.lock_sites(context).await?, from)
            }
            Some(mirror) => Form::Mirror(mirror_dir(context, mirror)?),
            None if self.registry => {
                Form::Locks(self.lock_sites(context).await?, PackagesFrom::Registries)
            }
            None if !self.lock.is_empty() => return Err(CommandError::LockAlone),
            None => Form::Installed(self.root_modules(context, &LOCK_NAMES).await?),
        })
    }

    async fn verified(
        &self,
        context: &Context<'_>,
        form: &Form<'_>,
        reporter: &ProgressReporter,
    ) -> Result<Verification, CommandError> {
        match form {
            Form::Installed(modules) => self.installed(context, modules, reporter).await,
            Form::Mirror(root) => self.mirror(context, root, reporter).await,
            Form::Locks(locks, from) => self.locks(context, locks, *from, reporter).await,
        }
    }

    async fn mend(
        &self,
        fixing: &Fixing<'_>,
        form: &Form<'_>,
        found: &Verification,
    ) -> Result<Vec<OpError>, CommandError> {
        match form {
            Form::Installed(modules) => {
                let platforms = platforms(&self.platform)?;
                fixing.install(modules, &platforms, found).await
            }
            Form::Mirror(root) => {
                fixing
                    .mirror(root, MissingPackages::OfEvidence, found)
                    .await
            }
            Form::Locks(_, PackagesFrom::Mirror(mirror, _)) if !mirror.contains("://") => {
                let root = fixing.context.dir.join(mirror);
                fixing.mirror(&root, MissingPackages::All, found).await
            }
            // What others serve is theirs to mend.
            Form::Locks(..) => Ok(Vec::new()),
        }
    }

    fn names_locks(&self) -> bool {
        self.recursive || !self.lock.is_empty()
    }

    async fn installed(
        &self,
        context: &Context<'_>,
        modules: &[(Option<String>, RootModule)],
        reporter: &ProgressReporter,
    ) -> Result<Verification, CommandError> {
        let root = |(name, module): &(Option<String>, RootModule)| InstalledRoot {
            module: module.clone(),
            lock: lock_site(name.clone(), module),
            providers_dir: module.data_dir.join("providers"),
        };
        let request = VerifyInstalledRequest {
            roots: modules.iter().map(root).collect(),
            platforms: platforms(&self.platform)?,
            jobs: readers(context),
        };
        let cache = context.cache_to_read();
        Ok(verify_installed(&request, cache.as_ref(), reporter).await)
    }

    async fn locks(
        &self,
        context: &Context<'_>,
        locks: &[LockSite],
        from: PackagesFrom<'_>,
        reporter: &ProgressReporter,
    ) -> Result<Verification, CommandError> {
        let network = context.network(from)?;
        let signatures = self.signatures();
        let fetcher = self
            .keys
            .applied(network.fetcher(reporter, signatures, None));
        let request = VerifyLocksRequest {
            locks: locks.to_vec(),
            platforms: platforms(&self.platform)?,
            jobs: match from {
                PackagesFrom::Mirror(place, _) if !place.contains("://") => readers(context),
                PackagesFrom::Mirror(..)
                | PackagesFrom::Registries
                | PackagesFrom::Methods
                | PackagesFrom::MethodsBesides(_) => context.jobs,
            },
        };
        if self.registry {
            return Ok(verify_published(&*network.source, &fetcher, &request).await);
        }
        let place = match from {
            PackagesFrom::Mirror(place, _) if !place.contains("://") => {
                MirrorPlace::Directory(context.dir.join(place))
            }
            PackagesFrom::Mirror(..)
            | PackagesFrom::Registries
            | PackagesFrom::Methods
            | PackagesFrom::MethodsBesides(_) => MirrorPlace::Network {
                scratch: temp_dir(context.environment),
            },
        };
        Ok(verify_mirrored(&*network.source, &fetcher, &request, &place).await)
    }

    async fn mirror(
        &self,
        context: &Context<'_>,
        root: &Path,
        reporter: &ProgressReporter,
    ) -> Result<Verification, CommandError> {
        let request = VerifyMirrorRequest {
            root: root.to_owned(),
            depth: if self.quick {
                MirrorDepth::Digests
            } else {
                MirrorDepth::Contents
            },
            signatures: self.signatures(),
            expired_keys: self.keys.or(context.expired_keys(context.tool)),
            jobs: readers(context),
        };
        Ok(verify_mirror(&request, reporter).await?)
    }

    fn signatures(&self) -> SignaturePolicy {
        if self.require_signature {
            SignaturePolicy::Required
        } else {
            SignaturePolicy::AsTheSourceRequires
        }
    }

    /// The lock files that are named, or found, or that of `--chdir`.
    async fn lock_sites(&self, context: &Context<'_>) -> Result<Vec<LockSite>, CommandError> {
        if self.lock.is_empty() {
            let names = [LOCK_FILE_NAME];
            let modules = self.root_modules(context, &names).await?.into_iter();
            return Ok(modules
                .map(|(name, module)| lock_site(name, &module))
                .collect());
        }
        let name = |file: &PathBuf| (self.lock.len() > 1).then(|| file.display().to_string());
        let site = |file: &PathBuf| LockSite {
            name: name(file),
            path: context.path(file),
            tool: context.tool,
        };
        Ok(self.lock.iter().map(site).collect())
    }

    /// The root module in `--chdir`, or all below it that have a lock file of one of these names.
    async fn root_modules(
        &self,
        context: &Context<'_>,
        names: &[&str],
    ) -> Result<Vec<(Option<String>, RootModule)>, CommandError> {
        if !self.recursive {
            return Ok(vec![(None, context.root_module(context.dir.clone()))]);
        }
        let roots = below(context).await?.into_iter();
        let has_lock = |dir: &Path| names.iter().any(|name| dir.join(name).is_file());
        let locked = roots.filter(|root| has_lock(&root.dir));
        let modules: Vec<_> = locked
            .map(|root| {
                let module = RootModule::new(root.dir, context.environment, root.tool);
                (Some(root.name), module)
            })
            .collect();
        if modules.is_empty() {
            let path = context.dir.join(LOCK_FILE_NAME);
            return Err(OpError::NoLockFile { path }.into());
        }
        Ok(modules)
    }
}

/// The directory of a mirror that is verified by itself.
fn mirror_dir(context: &Context<'_>, mirror: &str) -> Result<PathBuf, CommandError> {
    if mirror.contains("://") {
        let text = mirror.chars().take(200).collect();
        return Err(CommandError::MirrorWithoutLock { text });
    }
    let dir = context.dir.join(mirror);
    if dir.is_dir() {
        Ok(dir)
    } else {
        Err(CommandError::NoSuchDirectory { dir })
    }
}

fn lock_site(name: Option<String>, module: &RootModule) -> LockSite {
    LockSite {
        name,
        path: module.dir.join(LOCK_FILE_NAME),
        tool: module.tool,
    }
}

/// How many files are read and hashed at once: as many as there are processors, for more would only wait for each
/// other; unless `--jobs` is given.
fn readers(context: &Context<'_>) -> usize {
    let processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    context.jobs_named.unwrap_or_else(processors)
}
