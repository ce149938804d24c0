//! Options that every command takes.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::address::Tool;

/// Options of every command; see each field's help.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct GlobalArgs {
    /// Act as if started in DIR (the root module)
    #[arg(short = 'C', long, value_name = "DIR", global = true)]
    pub chdir: Option<PathBuf>,

    /// For which tool: default host, lock-file header, CLI configuration file (or `PROVENDER_TOOL`)
    ///
    /// Default: a `.tofu` file in the root module or the lock file's header or hosts tell, else
    /// `terraform`.
    #[arg(long, value_name = "TOOL", global = true)]
    pub tool: Option<ToolName>,

    /// Packages in flight at once [default: 8]
    #[arg(short, long, value_name = "N", global = true, value_parser = at_least_one)]
    pub jobs: Option<NonZeroUsize>,

    /// No network at all: only lock file, package cache, what is installed, mirrors on disk
    ///
    /// What is missing is named, and the exit code is 12.
    #[arg(long, global = true)]
    pub offline: bool,

    /// Directory of the package cache [default: `provender` in the user's cache directory] (or
    /// `PROVENDER_CACHE_DIR`)
    #[arg(long, value_name = "DIR", global = true)]
    pub cache_dir: Option<PathBuf>,

    /// Neither read nor fill the package cache
    #[arg(long, global = true, conflicts_with = "cache_dir")]
    pub no_cache: bool,

    /// Trust these CA certificates as well as the system's; repeatable
    ///
    /// `SSL_CERT_FILE` and `SSL_CERT_DIR` replace the system's certificates.
    #[arg(long, value_name = "PEM", global = true)]
    pub ca_file: Vec<PathBuf>,

    /// Show this certificate to servers that ask for one; needs `--client-key`
    #[arg(long, value_name = "PEM", global = true, requires = "client_key")]
    pub client_cert: Option<PathBuf>,

    /// The private key of `--client-cert`, not encrypted
    #[arg(long, value_name = "PEM", global = true, requires = "client_cert")]
    pub client_key: Option<PathBuf>,

    /// Results and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Decisions and requests; twice: headers, never secrets
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// The result as one JSON document on stdout
    #[arg(long, global = true)]
    pub json: bool,

    /// When to colour (see also `NO_COLOR`, `CLICOLOR_FORCE`)
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: ColorChoice,

    /// No progress bars, even on a terminal
    #[arg(long, global = true)]
    pub no_progress: bool,
}

/// `--tool`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ToolName {
    /// Terraform
    Terraform,
    /// OpenTofu
    Tofu,
}

impl From<ToolName> for Tool {
    fn from(name: ToolName) -> Self {
        match name {
            ToolName::Terraform => Self::Terraform,
            ToolName::Tofu => Self::Tofu,
        }
    }
}

/// `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// If the stream is a terminal and nothing speaks against it
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Reads a number of things.
pub(super) fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse();
    number.map_err(|_| "expected a whole number of at least 1".to_owned())
}
