//! `provender mirror`.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, Args, ValueEnum};

use crate::commands::KeyArgs;
use crate::commands::context::{Context, platforms};
use crate::commands::error::CommandError;
use crate::commands::global::at_least_one;
use crate::commands::package_sources::PackagesFrom;
use crate::commands::report::report;
use crate::config::{ModuleRequest, ProviderRequest, RootModule, temp_dir};
use crate::document::far_side::FarSideSettings;
use crate::failure::ExitCode;
use crate::ops::module_mirror::{
    Dependencies, MirrorEffect, MirrorModulesRequest, mirror_modules, wishes_of_modules,
    write_far_side,
};
use crate::ops::{
    MirrorRequest, MissingPlatformPolicy, NewKeys, OpError, PlatformChoice, SignaturePolicy, Wish,
    WishOptions, mirror, plan_mirror, wishes_of_lock_file, wishes_of_requests, wishes_of_root,
};
use crate::source::LayoutUse;
use crate::store::{MirrorStore, PresentCheck};
use crate::ui::{ProgressReporter, plan_lines};
use crate::version::Prereleases;

/// Arguments of `mirror`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("wishes").required(true).multiple(true).args(["addresses", "root", "lock"])))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct MirrorArgs {
    /// Providers `[HOST/]NAMESPACE/TYPE[@CONSTRAINT]` and modules `[HOST/]NAMESPACE/NAME/SYSTEM[@CONSTRAINT]` to mirror
    #[arg(value_name = "ADDRESS")]
    pub addresses: Vec<String>,

    /// The mirror's directory; made if it does not exist
    #[arg(long, value_name = "DEST")]
    pub to: PathBuf,

    /// Take the requirements of the root module in DIR, versions from its lock file; repeatable
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,

    /// Take the exact selections of a lock file; repeatable
    #[arg(long, value_name = "FILE")]
    pub lock: Vec<PathBuf>,

    /// Platform such as `linux_amd64`, or `all` that the registry lists; repeatable [default: this machine's]
    #[arg(long, value_name = "OS_ARCH")]
    pub platform: Vec<String>,

    /// The N newest matching versions of each address [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "all_versions", value_parser = at_least_one)]
    pub latest: Option<NonZeroUsize>,

    /// Every matching version
    #[arg(long)]
    pub all_versions: bool,

    /// Let ranges match prereleases
    #[arg(long)]
    pub include_prereleases: bool,

    /// Take packages from another mirror, a directory or a network mirror, instead of their registries
    #[arg(long, value_name = "DIR|URL", value_parser = NonEmptyStringValueParser::new())]
    pub from: Option<String>,

    /// What to do when a version lacks a wanted platform
    #[arg(long, value_name = "WHAT", default_value = "error")]
    pub missing_platform: MissingPlatform,

    /// Refuse packages that only carry checksums
    #[arg(long)]
    pub require_signature: bool,

    /// Take packages that are signed by another key than the mirror knows for the provider
    ///
    /// The keys that earlier versions in the mirror are known by are kept with them. A package that is
    /// signed by none of these is refused (exit 10), since whoever takes over a registry lists a key of
    /// his own; with this option it is taken, and its key is known from then on.
    #[arg(long)]
    pub accept_new_keys: bool,

    /// How signing keys are judged.
    #[command(flatten)]
    pub keys: KeyArgs,

    /// Prove the bytes of what is already there, too
    #[arg(long)]
    pub check: bool,

    /// Leave out the modules and providers that mirrored modules require
    #[arg(long)]
    pub no_dependencies: bool,

    /// Where the mirror will be served, for the settings in `client`; kept for later runs
    #[arg(long, value_name = "URL")]
    pub served_at: Option<String>,

    /// The file, there, of the certificates that its server's is signed by, if the system does not trust it
    #[arg(long, value_name = "FILE", requires = "served_at")]
    pub served_ca: Option<String>,

    /// Print the plan and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What is to be mirrored.
#[derive(Default)]
struct Asked {
    wishes: Vec<Wish>,
    modules: Vec<ModuleRequest>,
    roots: Vec<RootModule>,
}

/// `--missing-platform`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MissingPlatform {
    /// Mirror the rest and exit with 12
    Error,
    /// Leave it out and say so
    Skip,
}

impl MirrorArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        let reporter = ProgressReporter::new(context.printer.clone());
        let far_side = self.far_side()?;
        let mut asked = self.asked(context, &reporter)?;
        let platforms = self.platform_choice()?;
        let signatures = if self.require_signature {
            SignaturePolicy::Required
        } else {
            SignaturePolicy::AsTheSourceRequires
        };
        let network = context.network(match &self.from {
            Some(from) => PackagesFrom::Mirror(from, LayoutUse::Archives),
            None => PackagesFrom::Registries,
        })?;
        let cache = context.cache_to_read();
        let fetcher = network.fetcher(&reporter, signatures, cache.as_ref());
        let fetcher = self.keys.applied(fetcher);
        let store = MirrorStore::new(self.destination(context)?);
        let request = self.modules_request(context, &mut asked);
        let modules = mirror_modules(&network.modules, &store, &reporter, &request).await;
        let (of_modules, outcomes, failures) = wishes_of_modules(modules, &request, &reporter);
        asked.wishes.extend(of_modules);
        let request = self.request(context, asked.wishes, platforms);
        let mut summary = if self.dry_run {
            plan_mirror(&*network.source, &reporter, &store, &request).await
        } else {
            mirror(&*network.source, &fetcher, &store, &request).await
        };
        summary.modules = outcomes;
        summary.failures.extend(failures);
        if !self.dry_run {
            let written = write_far_side(store.layout().root(), far_side, &reporter);
            summary.failures.extend(written.err().map(OpError::Store));
        }
        drop(reporter);
        if self.dry_run && !context.printer.is_json() {
            context.printer.answer(&plan_lines(&summary));
        }
        Ok(report(context, "mirror", &summary))
    }

    fn request(
        &self,
        context: &Context<'_>,
        wishes: Vec<Wish>,
        platforms: PlatformChoice,
    ) -> MirrorRequest {
        MirrorRequest {
            wishes,
            platforms,
            prereleases: self.prereleases(),
            missing_platform: match self.missing_platform {
                MissingPlatform::Error => MissingPlatformPolicy::Error,
                MissingPlatform::Skip => MissingPlatformPolicy::Skip,
            },
            present: self.present_check(),
            jobs: context.jobs,
            new_keys: if self.accept_new_keys {
                NewKeys::Accept
            } else {
                NewKeys::Refuse
            },
            tool: context.tool,
            unproved: BTreeSet::new(),
        }
    }

    fn modules_request(&self, context: &Context<'_>, asked: &mut Asked) -> MirrorModulesRequest {
        MirrorModulesRequest {
            modules: std::mem::take(&mut asked.modules),
            roots: std::mem::take(&mut asked.roots),
            options: self.options(),
            prereleases: self.prereleases(),
            dependencies: if self.no_dependencies {
                Dependencies::LeftOut
            } else {
                Dependencies::Followed
            },
            present: self.present_check(),
            jobs: context.jobs,
            tool: context.tool,
            temporary: temp_dir(context.environment),
            effect: if self.dry_run {
                MirrorEffect::Plan
            } else {
                MirrorEffect::Fill
            },
        }
    }

    fn prereleases(&self) -> Prereleases {
        if self.include_prereleases {
            Prereleases::Included
        } else {
            Prereleases::ExactOnly
        }
    }

    fn present_check(&self) -> PresentCheck {
        if self.check {
            PresentCheck::Bytes
        } else {
            PresentCheck::Size
        }
    }

    fn options(&self) -> WishOptions {
        match (self.all_versions, self.latest) {
            (true, _) => WishOptions::All,
            (false, Some(count)) => WishOptions::Latest(count),
            (false, None) => WishOptions::Default,
        }
    }

    fn far_side(&self) -> Result<Option<FarSideSettings>, CommandError> {
        let Some(url) = &self.served_at else {
            return Ok(None);
        };
        let settings = FarSideSettings::of(url, self.served_ca.clone());
        let bad = || CommandError::ServedAt { text: url.clone() };
        settings.ok_or_else(bad).map(Some)
    }

    /// Sorts out what is asked for. Another mirror (`--from`) has providers alone.
    fn asked(
        &self,
        context: &Context<'_>,
        reporter: &ProgressReporter,
    ) -> Result<Asked, CommandError> {
        let mut asked = Asked::default();
        let mut requests = Vec::new();
        for text in &self.addresses {
            if !ModuleRequest::is_meant(text) {
                requests.push(ProviderRequest::parse(text, context.tool)?);
            } else if self.from.is_some() {
                return Err(CommandError::ModuleFromMirror { text: text.clone() });
            } else {
                asked
                    .modules
                    .push(ModuleRequest::parse(text, context.tool)?);
            }
        }
        asked.wishes = wishes_of_requests(requests, self.options());
        for dir in &self.root {
            let dir = context.path(dir);
            if !dir.is_dir() {
                return Err(CommandError::NoSuchDirectory { dir });
            }
            let root = context.root_module(dir);
            if self.from.is_some() {
                asked
                    .wishes
                    .extend(wishes_of_root(&root, self.options(), reporter)?);
            } else {
                asked.roots.push(root);
            }
        }
        for file in &self.lock {
            asked.wishes.extend(wishes_of_lock_file(
                &context.path(file),
                context.tool,
                reporter,
            )?);
        }
        Ok(asked)
    }

    fn destination(&self, context: &Context<'_>) -> Result<PathBuf, CommandError> {
        let text = self.to.to_string_lossy();
        if text.contains("://") {
            return Err(CommandError::RemoteDestination {
                text: text.into_owned(),
            });
        }
        Ok(context.path(&self.to))
    }

    fn platform_choice(&self) -> Result<PlatformChoice, CommandError> {
        if self.platform.iter().any(|text| text == "all") {
            return Ok(PlatformChoice::All);
        }
        Ok(PlatformChoice::Listed(platforms(&self.platform)?))
    }
}
