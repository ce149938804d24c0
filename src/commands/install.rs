//! `provender install`.

use std::path::PathBuf;

use clap::Args;

use crate::commands::context::{Context, platforms};
use crate::commands::error::CommandError;
use crate::commands::report::report;
use crate::config::{ProviderRequest, implied_mirror_dir};
use crate::failure::ExitCode;
use crate::ops::{
    InstallDirRequest, InstallRootRequest, LockMode, SignaturePolicy, install_into_directory,
    install_root,
};
use crate::ui::ProgressReporter;

/// Arguments of `install`.
#[derive(Debug, Args)]
pub struct InstallArgs {
    /// Providers to place in a local mirror directory: `[HOST/]NAMESPACE/TYPE[@CONSTRAINT]`
    #[arg(value_name = "ADDRESS")]
    pub addresses: Vec<String>,

    /// Target directory (with addresses) [default: the implied local mirror directory]
    #[arg(long, value_name = "DIR", requires = "addresses")]
    pub dir: Option<PathBuf>,

    /// Platform such as `linux_amd64`; repeatable with addresses [default: this machine's]
    #[arg(long, value_name = "OS_ARCH")]
    pub platform: Vec<String>,

    /// Newest versions the constraints allow, instead of the locked ones
    #[arg(long, conflicts_with_all = ["locked", "addresses"])]
    pub upgrade: bool,

    /// Fail (exit 11) if an address or version would change, or no locked hash fits
    #[arg(long, conflicts_with = "addresses")]
    pub locked: bool,
}

impl InstallArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        if self.addresses.is_empty() {
            self.install_root(context).await
        } else {
            self.install_addresses(context).await
        }
    }

    async fn install_root(&self, context: &Context<'_>) -> Result<Option<ExitCode>, CommandError> {
        let wanted = platforms(&self.platform)?;
        let count = wanted.len();
        let mut wanted = wanted.into_iter();
        let (Some(platform), None) = (wanted.next(), wanted.next()) else {
            return Err(CommandError::SeveralPlatforms { count });
        };
        let network = context.network()?;
        let request = InstallRootRequest {
            root: context.root_module(context.dir.clone()),
            platform,
            lock_mode: match (self.upgrade, self.locked) {
                (true, _) => LockMode::Upgrade,
                (false, true) => LockMode::Locked,
                (false, false) => LockMode::Keep,
            },
            jobs: context.jobs,
            plugin_cache: network.plugin_cache.clone(),
        };
        let reporter = ProgressReporter::new(context.printer.clone());
        let cache = context.cache_to_fill();
        let policy = SignaturePolicy::AsTheSourceRequires;
        let fetcher = network.fetcher(&reporter, policy, cache.as_ref());
        let summary = install_root(&*network.source, &fetcher, &request).await?;
        drop(reporter);
        Ok(report(context, "install", &summary))
    }

    async fn install_addresses(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        let parse = |text: &String| ProviderRequest::parse(text, context.tool);
        let request = InstallDirRequest {
            dir: self.target(context)?,
            requests: self.addresses.iter().map(parse).collect::<Result<_, _>>()?,
            platforms: platforms(&self.platform)?,
            jobs: context.jobs,
        };
        let network = context.network()?;
        let reporter = ProgressReporter::new(context.printer.clone());
        let cache = context.cache_to_fill();
        let policy = SignaturePolicy::AsTheSourceRequires;
        let fetcher = network.fetcher(&reporter, policy, cache.as_ref());
        let summary = install_into_directory(&*network.source, &fetcher, &request).await;
        drop(reporter);
        if self.dir.is_none() && summary.exit_code().is_none() {
            context.printer.note(&format!(
                "note: `{}` is an implied local mirror: {} no longer asks the registry for these providers",
                request.dir.display(),
                context.tool.name()
            ));
        }
        Ok(report(context, "install", &summary))
    }

    fn target(&self, context: &Context<'_>) -> Result<PathBuf, CommandError> {
        match &self.dir {
            Some(dir) => Ok(context.path(dir)),
            None => implied_mirror_dir(context.environment).ok_or(CommandError::NoHome),
        }
    }
}
