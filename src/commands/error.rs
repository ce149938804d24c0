//! What can go wrong between the command line and a use case.

use std::path::PathBuf;

use crate::address::{PlatformError, ToolError};
use crate::config::{ModuleRequestError, RequestError};
use crate::failure::{ExitCode, Failure};
use crate::http::HttpError;
use crate::ops::{LoginError, OpError};

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    /// The command line does not parse; only for JSON, as people get clap's own rendering.
    #[error("{message}")]
    CommandLine {
        /// What is wrong.
        message: String,
    },
    /// An address argument is not usable.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// An address argument of a module is not usable.
    #[error(transparent)]
    ModuleRequest(#[from] ModuleRequestError),
    /// A platform argument is none.
    #[error(transparent)]
    Platform(#[from] PlatformError),
    /// `PROVENDER_TOOL` names no tool.
    #[error("the environment variable `PROVENDER_TOOL` is not usable")]
    Tool(#[from] ToolError),
    /// `--chdir` or `--root` names no directory.
    #[error("`{}` is not a directory", dir.display())]
    NoSuchDirectory {
        /// The path.
        dir: PathBuf,
    },
    /// The process stands in a directory that is gone.
    #[error("cannot tell the current directory")]
    CurrentDirectory(#[source] std::io::Error),
    /// The asynchronous runtime cannot start.
    #[error("cannot start the worker threads")]
    Runtime(#[source] std::io::Error),
    /// A mirror somewhere else than in a directory.
    #[error("a mirror is a directory, and `{text}` is a URL")]
    RemoteDestination {
        /// The argument.
        text: String,
    },
    /// `--served-at` is no URL of a server's directory.
    #[error("`{text}` is no http or https URL of a directory")]
    ServedAt {
        /// The argument.
        text: String,
    },
    /// A module is asked of another mirror.
    #[error("`--from` has providers alone, and `{text}` is a module")]
    ModuleFromMirror {
        /// The argument.
        text: String,
    },
    /// `--from` names a URL that no network mirror can have.
    #[error("`{text}` is neither a directory nor the https URL of a network mirror")]
    MirrorUrl {
        /// The argument.
        text: String,
    },
    /// `verify --lock` without anything to compare the lock file with.
    #[error("`--lock` names a lock file, and nothing says what to compare it with")]
    LockAlone,
    /// `verify --expired-keys` where no signature is looked at.
    #[error("no signature is looked at here, so `--expired-keys` has nothing to judge")]
    NoSignatures,
    /// `--fix` of a network mirror, which others serve.
    #[error("`{text}` is a URL, and `--fix` mends directories alone")]
    FixOfUrl {
        /// The argument.
        text: String,
    },
    /// A network mirror without a lock file, which has no list of what it holds.
    #[error("`{text}` is a URL, and only a directory can be verified without a lock file")]
    MirrorWithoutLock {
        /// The argument.
        text: String,
    },
    /// An address with a version where the configuration says the version.
    #[error("`{text}` names a version, which the configuration has to say")]
    VersionGiven {
        /// The argument.
        text: String,
    },
    /// Installing a root module for several platforms makes no sense.
    #[error("a root module is installed for one platform, got {count}")]
    SeveralPlatforms {
        /// How many were named.
        count: usize,
    },
    /// A module without a directory for its files.
    #[error("`{text}` is a module, whose files need a directory")]
    ModuleWithoutDir {
        /// The argument.
        text: String,
    },
    /// A module beside other addresses.
    #[error("`{text}` is a module, and a module is installed alone")]
    ModuleNotAlone {
        /// The argument.
        text: String,
    },
    /// A platform for a module.
    #[error("`{text}` is a module, which is the same on all platforms")]
    ModuleWithPlatform {
        /// The argument.
        text: String,
    },
    /// A variable names a proxy that is none; its value may hold a password.
    #[error("the environment variable `{name}` names no proxy")]
    Proxy {
        /// The variable.
        name: &'static str,
    },
    /// There is no home directory to derive the local mirror directory from.
    #[error("cannot tell the implied local mirror directory without a home directory")]
    NoHome,
    /// A `cache` command without a cache.
    #[error("there is no package cache to work on")]
    NoCache,
    /// The HTTP client cannot be built.
    #[error("cannot set up the HTTP client")]
    Client(#[from] HttpError),
    /// The use case failed.
    #[error(transparent)]
    Op(#[from] OpError),
    /// A login or what belongs to it failed.
    #[error(transparent)]
    Login(Box<LoginError>),
    /// The system does not tell where this program is.
    #[error("cannot tell where this program is")]
    OwnPath(#[source] std::io::Error),
    /// The answer could not be written to stdout.
    #[error("cannot write the answer")]
    Unwritten(#[source] std::io::Error),
    /// The user stopped the command.
    #[error("interrupted")]
    Interrupted,
}

impl From<LoginError> for CommandError {
    fn from(error: LoginError) -> Self {
        Self::Login(Box::new(error))
    }
}

impl Failure for CommandError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Request(source) => source.exit_code(),
            Self::ModuleRequest(source) => source.exit_code(),
            Self::CommandLine { .. }
            | Self::Platform(_)
            | Self::Tool(_)
            | Self::RemoteDestination { .. }
            | Self::ServedAt { .. }
            | Self::ModuleFromMirror { .. }
            | Self::MirrorUrl { .. }
            | Self::MirrorWithoutLock { .. }
            | Self::LockAlone
            | Self::NoSignatures
            | Self::FixOfUrl { .. }
            | Self::NoCache
            | Self::VersionGiven { .. }
            | Self::ModuleWithoutDir { .. }
            | Self::ModuleNotAlone { .. }
            | Self::ModuleWithPlatform { .. }
            | Self::SeveralPlatforms { .. } => ExitCode::Usage,
            Self::NoSuchDirectory { .. }
            | Self::CurrentDirectory(_)
            | Self::Runtime(_)
            | Self::Unwritten(_)
            | Self::NoHome
            | Self::Proxy { .. }
            | Self::OwnPath(_)
            | Self::Client(_) => ExitCode::Local,
            Self::Op(source) => source.exit_code(),
            Self::Login(source) => source.exit_code(),
            Self::Interrupted => ExitCode::Interrupted,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::CommandLine { .. } => vec!["see `provender --help`".to_owned()],
            Self::Request(source) => source.hints(),
            Self::ModuleRequest(source) => source.hints(),
            Self::Platform(source) => source.hints(),
            Self::Tool(source) => source.hints(),
            Self::NoSuchDirectory { .. }
            | Self::CurrentDirectory(_)
            | Self::Runtime(_)
            | Self::OwnPath(_) => Vec::new(),
            Self::RemoteDestination { .. } => {
                vec!["fill a directory, and copy it there with the tools of that store".to_owned()]
            }
            Self::ServedAt { .. } => vec![
                "name where the far side will find the mirror, such as `https://mirror.example.com/`".to_owned(),
            ],
            Self::ModuleFromMirror { .. } => vec![
                "leave out `--from`: modules come from their registries; or copy the other mirror's `modules`, `git` and `archives`".to_owned(),
            ],
            Self::MirrorUrl { .. } => vec![
                "name a directory, or a URL such as `https://mirror.example.com/providers/`".to_owned(),
            ],
            Self::LockAlone => vec![
                "add `--mirror DIR` or `--registry`; installed packages are compared with the lock file of `--chdir DIR`".to_owned(),
            ],
            Self::NoSignatures => vec![
                "signatures are those of a mirror (`verify --mirror DIR`) and of registries (`verify --registry`)".to_owned(),
            ],
            Self::FixOfUrl { .. } => {
                vec!["name the directory that the server serves, on its machine".to_owned()]
            }
            Self::MirrorWithoutLock { .. } => {
                vec!["name the lock file to compare it with: `--lock .terraform.lock.hcl`".to_owned()]
            }
            Self::SeveralPlatforms { .. } => {
                vec!["for several platforms, fill a mirror with `provender mirror --root DIR --to DEST`, or lock their hashes with `provender lock`".to_owned()]
            }
            Self::ModuleWithoutDir { text } => {
                vec![format!("add one: `provender install {text} --dir DIR`")]
            }
            Self::ModuleNotAlone { .. } => {
                vec!["run `provender install ADDRESS --dir DIR` once for each module".to_owned()]
            }
            Self::ModuleWithPlatform { .. } => vec!["leave out `--platform`".to_owned()],
            Self::VersionGiven { .. } => vec![
                "change the constraint in the configuration, and run `provender lock --upgrade` for its newest version".to_owned(),
            ],
            Self::Unwritten(_) => vec![
                "the command itself has run; free space or choose another place for its output"
                    .to_owned(),
            ],
            Self::Proxy { .. } => vec![
                "set a URL such as `http://proxy.example.com:3128`, or unset it".to_owned(),
            ],
            Self::NoHome => vec!["name a directory with `--dir DIR`".to_owned()],
            Self::NoCache => vec!["leave out `--no-cache`, and name a directory with `--cache-dir DIR` if there is no home directory".to_owned()],
            Self::Client(source) => source.hints(),
            Self::Op(source) => source.hints(),
            Self::Login(source) => source.hints(),
            Self::Interrupted => {
                vec!["what is complete stays; run the command again to go on".to_owned()]
            }
        }
    }
}
