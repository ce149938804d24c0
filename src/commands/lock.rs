//! `provender lock`.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::address::ProviderAddr;
use crate::commands::KeyArgs;
use crate::commands::context::{Context, platforms};
use crate::commands::error::CommandError;
use crate::commands::package_sources::PackagesFrom;
use crate::commands::report::{report, report_tree};
use crate::commands::roots::Roots;
use crate::config::{ProviderRequest, temp_dir};
use crate::failure::ExitCode;
use crate::ops::{Kinds, LockEffect, LockTreeRequest, LockedVersions, SignaturePolicy, lock_tree};
use crate::source::LayoutUse;
use crate::ui::ProgressReporter;

/// Arguments of `lock`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct LockArgs {
    /// Lock these providers alone, which must be required: `[HOST/]NAMESPACE/TYPE`
    #[arg(value_name = "ADDRESS")]
    pub addresses: Vec<String>,

    /// Platform such as `linux_amd64`; repeatable [default: this machine's]
    #[arg(long, value_name = "OS_ARCH")]
    pub platform: Vec<String>,

    /// Newest versions the constraints allow, instead of the locked ones
    #[arg(long)]
    pub upgrade: bool,

    /// Write nothing, and exit with 11 if a lock file would change
    #[arg(long)]
    pub check: bool,

    /// Every root module in `--chdir` and below; each package is fetched once
    #[arg(long)]
    pub recursive: bool,

    /// Providers only: modules are neither fetched nor locked, those that are installed count
    #[arg(long, conflicts_with = "modules_only")]
    pub providers_only: bool,

    /// Modules only: the providers' lock file is left alone
    #[arg(long, conflicts_with = "addresses")]
    pub modules_only: bool,

    /// Take packages of providers from a mirror, a directory or a network mirror, instead of their registries
    #[arg(long, value_name = "DIR|URL", value_parser = NonEmptyStringValueParser::new())]
    pub from: Option<String>,

    /// How signing keys are judged.
    #[command(flatten)]
    pub keys: KeyArgs,
}

impl LockArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        let (only, platforms) = (self.only(context)?, platforms(&self.platform)?);
        let from = match &self.from {
            Some(from) => PackagesFrom::Mirror(from, LayoutUse::Any),
            None => PackagesFrom::Registries,
        };
        let roots = Roots::find(context, self.recursive, from).await?;
        let request = LockTreeRequest {
            roots: roots.sourced(context),
            platforms,
            only: only.into_iter().collect(),
            kinds: Kinds::of_flags(self.providers_only, self.modules_only),
            versions: if self.upgrade {
                LockedVersions::Newest
            } else {
                LockedVersions::Stay
            },
            effect: if self.check {
                LockEffect::Compare
            } else {
                LockEffect::Write
            },
            jobs: context.jobs,
            temporary: temp_dir(context.environment),
        };
        let reporter = ProgressReporter::new(context.printer.clone());
        let cache = context.cache_to_fill();
        let policy = SignaturePolicy::AsTheSourceRequires;
        let network = roots.any_network();
        let fetcher = network.fetcher(&reporter, policy, cache.as_ref());
        let fetcher = self.keys.applied(fetcher);
        let tree = lock_tree(&fetcher, &request).await;
        drop(reporter);
        Ok(match tree.roots.as_slice() {
            [only] if !self.recursive => report(context, "lock", &only.summary),
            _ => report_tree(context, "lock", &tree),
        })
    }

    /// The providers that are named; versions are the configuration's to say.
    fn only(&self, context: &Context<'_>) -> Result<Vec<ProviderAddr>, CommandError> {
        let parse = |text: &String| {
            let request = ProviderRequest::parse(text, context.tool)?;
            if text.contains('@') {
                return Err(CommandError::VersionGiven { text: text.clone() });
            }
            Ok(request.addr)
        };
        self.addresses.iter().map(parse).collect()
    }
}
