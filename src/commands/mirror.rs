//! `provender mirror`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use crate::commands::KeyArgs;
use crate::commands::context::{Context, platforms};
use crate::commands::error::CommandError;
use crate::commands::global::at_least_one;
use crate::commands::package_sources::PackagesFrom;
use crate::commands::report::report;
use crate::config::ProviderRequest;
use crate::failure::ExitCode;
use crate::ops::{
    MirrorRequest, MissingPlatformPolicy, NewKeys, PlatformChoice, SignaturePolicy, Wish,
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
    /// Providers to mirror: `[HOST/]NAMESPACE/TYPE[@CONSTRAINT]`
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
    #[arg(long, value_name = "DIR|URL")]
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

    /// Print the plan and change nothing
    #[arg(long)]
    pub dry_run: bool,
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
        let request = MirrorRequest {
            wishes: self.wishes(context, &reporter)?,
            platforms: self.platform_choice()?,
            prereleases: if self.include_prereleases {
                Prereleases::Included
            } else {
                Prereleases::ExactOnly
            },
            missing_platform: match self.missing_platform {
                MissingPlatform::Error => MissingPlatformPolicy::Error,
                MissingPlatform::Skip => MissingPlatformPolicy::Skip,
            },
            present: if self.check {
                PresentCheck::Bytes
            } else {
                PresentCheck::Size
            },
            jobs: context.jobs,
            new_keys: if self.accept_new_keys {
                NewKeys::Accept
            } else {
                NewKeys::Refuse
            },
            tool: context.tool,
            known: BTreeMap::new(),
        };
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
        let summary = if self.dry_run {
            plan_mirror(&*network.source, &reporter, &store, &request).await
        } else {
            mirror(&*network.source, &fetcher, &store, &request).await
        };
        drop(reporter);
        if self.dry_run && !context.printer.is_json() {
            context.printer.answer(&plan_lines(&summary));
        }
        Ok(report(context, "mirror", &summary))
    }

    fn wishes(
        &self,
        context: &Context<'_>,
        reporter: &ProgressReporter,
    ) -> Result<Vec<Wish>, CommandError> {
        let options = match (self.all_versions, self.latest) {
            (true, _) => WishOptions::All,
            (false, Some(count)) => WishOptions::Latest(count),
            (false, None) => WishOptions::Default,
        };
        let parse = |text: &String| ProviderRequest::parse(text, context.tool);
        let requests = self.addresses.iter().map(parse).collect::<Result<_, _>>()?;
        let mut wishes = wishes_of_requests(requests, options);
        for dir in &self.root {
            let dir = context.path(dir);
            if !dir.is_dir() {
                return Err(CommandError::NoSuchDirectory { dir });
            }
            wishes.extend(wishes_of_root(
                &context.root_module(dir),
                options,
                reporter,
            )?);
        }
        for file in &self.lock {
            wishes.extend(wishes_of_lock_file(
                &context.path(file),
                context.tool,
                reporter,
            )?);
        }
        Ok(wishes)
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
