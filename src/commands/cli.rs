//! The whole command line as one clap definition; help, man pages and completions come from it.

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use crate::commands::{
    AuthArgs, CacheArgs, ExplainArgs, GlobalArgs, InstallArgs, LockArgs, LoginArgs, LogoutArgs,
    MirrorArgs, OutdatedArgs, VerifyArgs, VersionsArgs,
};

/// Provider vendoring for Terraform and OpenTofu.
#[derive(Debug, Parser)]
#[command(
    name = "provender",
    version,
    max_term_width = 100,
    propagate_version = true
)]
#[command(about = "Install, mirror and prove Terraform and OpenTofu provider packages")]
#[command(
    long_about = "Does for Terraform and OpenTofu what those tools do one package at a time: finds a \
                  registry, chooses versions, downloads, authenticates and places provider packages, \
                  here or in a mirror for the far side of an air gap. It never runs providers and \
                  needs neither `terraform` nor `tofu` installed."
)]
#[command(
    after_help = "An address is `TYPE`, `NAMESPACE/TYPE` or `HOST/NAMESPACE/TYPE`, optionally \
                        followed by `@CONSTRAINT` in Terraform's constraint language: \
                        `hashicorp/aws@~>5.0`, `'acme/net@>= 2.1, != 2.3.0'`, `random@3.6.0`. A module's is \
                        `NAMESPACE/NAME/SYSTEM` or `HOST/NAMESPACE/NAME/SYSTEM`."
)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub global: GlobalArgs,

    /// The verb.
    #[command(subcommand)]
    pub command: Command,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Install the modules and providers of a root module, single providers, or a single module
    ///
    /// Without addresses: what `init` does for modules and provider packages, for the root module in `--chdir`.
    /// Reads the configuration, a local state and the lock file, installs into `.terraform/modules` and
    /// `.terraform/providers`, and writes `modules.json` and `.terraform.lock.hcl`, such that `terraform init` or `tofu
    /// init` afterwards finds everything in place. With `--recursive`, the same for every root module
    /// in `--chdir` and below.
    ///
    /// Modules that `.provender.lock.hcl` has are installed at the locked version, and refused if they are no longer
    /// what was locked.
    ///
    /// With addresses: providers go unpacked into a filesystem mirror directory. The files of one module go directly into
    /// `--dir`, which must be empty or absent; local modules beside it in its package are left out.
    Install(InstallArgs),
    /// Fill or update a mirror of provider packages
    ///
    /// The directory is at once a filesystem mirror and the document root of a network mirror, and
    /// keeps the evidence that lets every package be proved again without the registry. A second
    /// run fetches nothing that is there and intact.
    ///
    /// What to mirror is the union of addresses, `--root` and `--lock`.
    Mirror(MirrorArgs),
    /// Write the hashes of providers, for all platforms, and of modules into lock files
    ///
    /// Providers: byte for byte what `providers lock` of the tools writes, for the root module in `--chdir`: locked
    /// versions stay, hashes are added and never taken away. Packages come from their registries whatever
    /// the CLI configuration says, or from a mirror with `--from`; each is fetched once, into the package
    /// cache, and not at all if the cache has it. A package that is not published for a platform is
    /// reported, and the rest is written.
    ///
    /// Modules, unless providers are named: what each module call that is not local leads to, into `.provender.lock.hcl`:
    /// source, version, commit or digest of the archive, and the hash of the files. `install` and `verify` refuse
    /// a module that is no longer what was locked. What is locked stays without being asked for; modules that are
    /// not installed as they are locked are fetched to a temporary directory, for they may require providers.
    Lock(LockArgs),
    /// List providers and modules, and which of them are not at the newest version
    ///
    /// One line for each provider that the configuration requires and for each call of a module of a registry: the current
    /// version, the newest that the constraints allow, the newest of all. Current is the version that is locked of a
    /// provider, and installed of a module. What a module calls that is not installed is not known, and left
    /// out. Nothing is downloaded or changed.
    Outdated(OutdatedArgs),
    /// Prove that lock files, installed packages, mirrors and registries fit each other
    ///
    /// Without `--mirror` and `--registry`: the lock file in `--chdir` against what is unpacked in
    /// `.terraform/providers`, and the module lock, if there is one, against `.terraform/modules`. Every problem is listed, with its kind, what was got and what was
    /// expected. Nothing is changed without `--fix`.
    Verify(VerifyArgs),
    /// List the versions that the registry offers
    ///
    /// One line a version, newest first: version, plugin protocols, platforms. A constraint leaves
    /// out the rest; without one, prereleases are listed too.
    Versions(VersionsArgs),
    /// Tell which source would serve a provider, and why
    ///
    /// Asks all installation methods of the CLI configuration, and shows who would be asked, whose package
    /// would be taken, how the registry's host is found, and which credentials would be used.
    Explain(ExplainArgs),
    /// Look at the package cache, check it, delete from it
    ///
    /// `install` keeps every package that it fetches in the user's cache directory, where all runs of
    /// this user find it: nothing is downloaded, unpacked or hashed twice. `mirror` takes from the
    /// cache and does not fill it.
    Cache(CacheArgs),
    /// Log in to a host and keep the token where `terraform` and `tofu` find it
    ///
    /// By the browser, as the host's `login.v1` describes; for hosts that only have a page to make tokens, by a token
    /// pasted from there. The token goes to the credentials helper if one is configured, else to
    /// `credentials.tfrc.json`. No confirmation is asked: the command is the consent.
    Login(LoginArgs),
    /// Forget the token of a host
    ///
    /// Removes it from where `login` keeps it, and says what still provides one. At the host it stays good.
    Logout(LogoutArgs),
    /// Look at credentials, print a token for scripts, install the credentials helper
    Auth(AuthArgs),
}

impl Command {
    /// The root module that the command works on, if it is not the one in `--chdir`.
    pub(super) fn root_module(&self) -> Option<&Path> {
        match self {
            Self::Mirror(args) => args.root.first().map(PathBuf::as_path),
            Self::Install(_)
            | Self::Lock(_)
            | Self::Outdated(_)
            | Self::Verify(_)
            | Self::Versions(_)
            | Self::Explain(_)
            | Self::Cache(_)
            | Self::Login(_)
            | Self::Logout(_)
            | Self::Auth(_) => None,
        }
    }

    /// The verb as typed.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Install(_) => "install",
            Self::Mirror(_) => "mirror",
            Self::Lock(_) => "lock",
            Self::Outdated(_) => "outdated",
            Self::Verify(_) => "verify",
            Self::Versions(_) => "versions",
            Self::Explain(_) => "explain",
            Self::Cache(args) => args.name(),
            Self::Login(_) => "login",
            Self::Logout(_) => "logout",
            Self::Auth(args) => args.name(),
        }
    }
}
