//! `provender install`.

use std::path::PathBuf;

use clap::Args;

use crate::address::Platform;
use crate::commands::KeyArgs;
use crate::commands::context::{Context, platforms};
use crate::commands::error::CommandError;
use crate::commands::install_module::{self, is_module};
use crate::commands::package_sources::PackagesFrom;
use crate::commands::report::{report, report_tree};
use crate::commands::roots::Roots;
use crate::config::{ProviderRequest, RootModule, implied_mirror_dir};
use crate::failure::ExitCode;
use crate::ops::{
    InstallDirRequest, InstallRootRequest, InstallTreeRequest, Kinds, LockMode, SignaturePolicy,
    TreeRoot, install_into_directory, install_root, install_tree,
};
use crate::ui::ProgressReporter;

/// Arguments of `install`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct InstallArgs {
    /// Providers to place in a local mirror directory: `[HOST/]NAMESPACE/TYPE[@CONSTRAINT]`; or one module:
    /// `[HOST/]NAMESPACE/NAME/SYSTEM[//SUBDIR][@CONSTRAINT]`
    #[arg(value_name = "ADDRESS")]
    pub addresses: Vec<String>,

    /// Target directory (with addresses) [default for providers: the implied local mirror directory]
    #[arg(long, value_name = "DIR", requires = "addresses")]
    pub dir: Option<PathBuf>,

    /// Platform such as `linux_amd64`; repeatable with addresses [default: this machine's]
    #[arg(long, value_name = "OS_ARCH")]
    pub platform: Vec<String>,

    /// Newest versions the constraints allow, instead of the locked ones
    #[arg(long, conflicts_with_all = ["locked", "addresses"])]
    pub upgrade: bool,

    /// Fail (exit 11) if an address or version would change, or no locked hash fits
    ///
    /// Where there is a module lock, module calls that it does not have are refused, too; modules that are not what
    /// it names are refused (exit 10) with and without this option.
    #[arg(long, conflicts_with = "addresses")]
    pub locked: bool,

    /// Every root module in `--chdir` and below; each package is fetched once
    ///
    /// A root module is a directory with a lock file, or with configuration that no local module
    /// call of another one there reaches. Hidden directories and links to directories are skipped.
    /// A failure in one root module does not stop the others.
    #[arg(long, conflicts_with = "addresses")]
    pub recursive: bool,

    /// Providers only: modules are not fetched, those that are installed count
    #[arg(long, conflicts_with_all = ["modules_only", "addresses"])]
    pub providers_only: bool,

    /// Modules only: providers and the lock file are left alone
    #[arg(long, conflicts_with = "addresses")]
    pub modules_only: bool,

    /// How signing keys are judged.
    #[command(flatten)]
    pub keys: KeyArgs,
}

impl InstallArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        if !self.addresses.is_empty() {
            self.install_addresses(context).await
        } else if self.recursive {
            self.install_tree(context).await
        } else {
            self.install_root(context).await
        }
    }

    async fn install_root(&self, context: &Context<'_>) -> Result<Option<ExitCode>, CommandError> {
        let network = context.network(PackagesFrom::Methods)?;
        let request = InstallRootRequest {
            overridden: network.dev_overrides.clone(),
            root: context.root_module(context.dir.clone()),
            platform: self.one_platform()?,
            lock_mode: self.lock_mode(),
            jobs: context.jobs,
            kinds: Kinds::of_flags(self.providers_only, self.modules_only),
            plugin_cache: network.plugin_cache.clone(),
        };
        let reporter = ProgressReporter::new(context.printer.clone());
        let cache = context.cache_to_fill();
        let policy = SignaturePolicy::AsTheSourceRequires;
        let fetcher = self
            .keys
            .applied(network.fetcher(&reporter, policy, cache.as_ref()));
        let origins = &network.modules;
        let summary = install_root(&*network.source, origins, &fetcher, &request).await?;
        drop(reporter);
        Ok(report(context, "install", &summary))
    }

    async fn install_tree(&self, context: &Context<'_>) -> Result<Option<ExitCode>, CommandError> {
        let platform = self.one_platform()?;
        let found = Roots::find(context, true, PackagesFrom::Methods).await?;
        let roots = found.with_networks().map(|(root, network)| TreeRoot {
            name: Some(root.name.clone()),
            module: RootModule::new(root.dir.clone(), context.environment, root.tool),
            source: &*network.source,
            modules: &network.modules,
            overridden: &network.dev_overrides,
            plugin_cache: network.plugin_cache.as_ref(),
        });
        let request = InstallTreeRequest {
            roots: roots.collect(),
            platform,
            lock_mode: self.lock_mode(),
            jobs: context.jobs,
            kinds: Kinds::of_flags(self.providers_only, self.modules_only),
        };
        let reporter = ProgressReporter::new(context.printer.clone());
        let cache = context.cache_to_fill();
        let policy = SignaturePolicy::AsTheSourceRequires;
        let network = found.any_network();
        let fetcher = self
            .keys
            .applied(network.fetcher(&reporter, policy, cache.as_ref()));
        let tree = install_tree(&fetcher, &request).await;
        drop(reporter);
        Ok(report_tree(context, "install", &tree))
    }

    fn one_platform(&self) -> Result<Platform, CommandError> {
        let wanted = platforms(&self.platform)?;
        let count = wanted.len();
        let mut wanted = wanted.into_iter();
        match (wanted.next(), wanted.next()) {
            (Some(platform), None) => Ok(platform),
            (Some(_) | None, _) => Err(CommandError::SeveralPlatforms { count }),
        }
    }

    fn lock_mode(&self) -> LockMode {
        match (self.upgrade, self.locked) {
            (true, _) => LockMode::Upgrade,
            (false, true) => LockMode::Locked,
            (false, false) => LockMode::Keep,
        }
    }

    async fn install_addresses(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        if let Some(text) = self.addresses.iter().find(|text| is_module(text)) {
            return self.install_module(context, text).await;
        }
        let parse = |text: &String| ProviderRequest::parse(text, context.tool);
        let request = InstallDirRequest {
            dir: self.target(context)?,
            requests: self.addresses.iter().map(parse).collect::<Result<_, _>>()?,
            platforms: platforms(&self.platform)?,
            jobs: context.jobs,
        };
        let network = context.network(PackagesFrom::MethodsBesides(&request.dir))?;
        let reporter = ProgressReporter::new(context.printer.clone());
        let cache = context.cache_to_fill();
        let policy = SignaturePolicy::AsTheSourceRequires;
        let fetcher = self
            .keys
            .applied(network.fetcher(&reporter, policy, cache.as_ref()));
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

    async fn install_module(
        &self,
        context: &Context<'_>,
        text: &str,
    ) -> Result<Option<ExitCode>, CommandError> {
        let text = text.to_owned();
        if self.addresses.len() > 1 {
            return Err(CommandError::ModuleNotAlone { text });
        }
        if !self.platform.is_empty() {
            return Err(CommandError::ModuleWithPlatform { text });
        }
        let Some(dir) = &self.dir else {
            return Err(CommandError::ModuleWithoutDir { text });
        };
        install_module::run(context, &text, dir).await
    }

    fn target(&self, context: &Context<'_>) -> Result<PathBuf, CommandError> {
        match &self.dir {
            Some(dir) => Ok(context.path(dir)),
            None => implied_mirror_dir(context.environment).ok_or(CommandError::NoHome),
        }
    }
}
