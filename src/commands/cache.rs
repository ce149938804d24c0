//! `provender cache`: a look at the package cache, and keeping it in order.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::commands::cache_gc::CacheGcArgs;
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::{cache_info, cache_verify};
use crate::failure::ExitCode;
use crate::store::PackageCache;

/// Arguments of `cache`.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: CacheCommand,
}

/// The verbs of `cache`.
#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// List what the package cache holds, where it is and how large
    Info,
    /// Compare all bytes of the package cache with what is recorded
    ///
    /// Changes nothing. Every problem is listed; what is damaged is mended or fetched anew when it is
    /// needed next. Exit code 10 if bytes differ, 11 if something is only missing.
    Verify,
    /// Delete packages from the cache
    ///
    /// Without `--max-size` and `--unused-for`, only leftovers of killed runs are deleted. What is
    /// installed somewhere stays there.
    Gc(CacheGcArgs),
}

impl CacheArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        let dir = context.cache_dir().ok_or(CommandError::NoCache)?;
        if dir.exists() && !dir.is_dir() {
            let dir = dir.to_owned();
            return Err(CommandError::NoSuchDirectory { dir });
        }
        let cache = Cache {
            dir: dir.to_owned(),
            packages: PackageCache::existing(dir),
        };
        match &self.command {
            CacheCommand::Info => cache_info::run(context, &cache),
            CacheCommand::Verify => cache_verify::run(context, &cache).await,
            CacheCommand::Gc(args) => args.run(context, &cache),
        }
    }

    /// The verb as reports name it.
    pub(super) fn name(&self) -> &'static str {
        match self.command {
            CacheCommand::Info => "cache info",
            CacheCommand::Verify => "cache verify",
            CacheCommand::Gc(_) => "cache gc",
        }
    }
}

/// The cache that the commands look at.
pub(super) struct Cache {
    pub(super) dir: PathBuf,
    /// `None` where nothing was cached yet.
    pub(super) packages: Option<PackageCache>,
}
