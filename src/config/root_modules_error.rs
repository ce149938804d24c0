//! Why no root modules are found.

use std::path::PathBuf;

use crate::disk::DiskError;
use crate::failure::{ExitCode, Failure};

/// Why there are no root modules to work on.
#[derive(Debug, thiserror::Error)]
pub enum RootModulesError {
    /// There is none.
    #[error("there is no root module in `{}` or below", top.display())]
    None {
        /// Where it was looked for.
        top: PathBuf,
    },
    /// There are more directories than can be looked at.
    #[error("there are more than {limit} directories below `{}`", top.display())]
    TooMany {
        /// Where it was looked for.
        top: PathBuf,
        /// How many may be looked at.
        limit: usize,
    },
    /// Directories are nested deeper than anybody nests them.
    #[error("`{}` is more than {limit} levels deep", dir.display())]
    TooDeep {
        /// The directory.
        dir: PathBuf,
        /// How many levels there may be.
        limit: usize,
    },
    /// The top cannot be read.
    #[error(transparent)]
    Unreadable(#[from] DiskError),
}

impl Failure for RootModulesError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::None { .. } => vec![
                "a root module is a directory with `*.tf` files or a lock file: name a directory above some with `--chdir DIR`".to_owned(),
            ],
            Self::TooMany { .. } | Self::TooDeep { .. } => {
                vec!["name a directory closer to the root modules with `--chdir DIR`".to_owned()]
            }
            Self::Unreadable(source) => source.hints(),
        }
    }
}
