//! Directories of the user that the tools and this program agree on (facts/providers 6.7).

use std::path::PathBuf;

use crate::config::{Environment, environment};

/// The user's home directory: what the environment says, else what the system knows.
pub fn home_dir(environment: &Environment) -> Option<PathBuf> {
    match environment.non_empty(environment::HOME) {
        Some(home) => Some(PathBuf::from(home)),
        None => dirs::home_dir(),
    }
}

/// The system's directory for temporary files.
pub fn temp_dir(environment: &Environment) -> PathBuf {
    let name = if cfg!(windows) {
        environment::TEMP
    } else {
        environment::TMPDIR
    };
    let named = environment.non_empty(name).map(PathBuf::from);
    named.filter(|dir| dir.is_absolute()).unwrap_or_else(|| {
        let usual = if cfg!(windows) {
            "C:\\Windows\\Temp"
        } else {
            "/tmp"
        };
        PathBuf::from(usual)
    })
}

/// A directory of the user's own, by the variables and customs of each system.
struct UserDir {
    /// On Windows: the variable, what the system knows without it, and the path below.
    windows: (&'static str, fn() -> Option<PathBuf>, &'static str),
    /// On macOS: the path below the home directory.
    macos: &'static str,
    /// Elsewhere: the variable of the XDG specification, what counts below the home directory without it,
    /// and the path below.
    xdg: (&'static str, &'static str, &'static str),
}

impl UserDir {
    fn path(&self, environment: &Environment) -> Option<PathBuf> {
        let set = |name| environment.non_empty(name).map(PathBuf::from);
        if cfg!(windows) {
            let (variable, known, below) = self.windows;
            return Some(set(variable).or_else(known)?.join(below));
        }
        let home = home_dir(environment)?;
        if cfg!(target_os = "macos") {
            return Some(home.join(self.macos));
        }
        let (variable, default, below) = self.xdg;
        // The specification has relative values ignored.
        let base = set(variable).filter(|dir| dir.is_absolute());
        Some(base.unwrap_or_else(|| home.join(default)).join(below))
    }
}

/// The implied local mirror directory that needs no setting to be found by both tools:
/// `$XDG_DATA_HOME/terraform/plugins` and its like on macOS and Windows. Never `~/.terraform.d`,
/// whose mere existence makes OpenTofu look elsewhere for its own files (facts/login 4.1).
pub fn implied_mirror_dir(environment: &Environment) -> Option<PathBuf> {
    let dir = UserDir {
        windows: (
            environment::APPDATA,
            dirs::data_dir,
            "HashiCorp\\Terraform\\plugins",
        ),
        macos: "Library/Application Support/io.terraform/plugins",
        xdg: (
            environment::XDG_DATA_HOME,
            ".local/share",
            "terraform/plugins",
        ),
    };
    dir.path(environment)
}

/// The directory of the package cache without any setting: `provender` in the user's cache directory,
/// `$XDG_CACHE_HOME` or `~/.cache` on Linux and its like on macOS and Windows.
pub fn default_cache_dir(environment: &Environment) -> Option<PathBuf> {
    let dir = UserDir {
        windows: (
            environment::LOCALAPPDATA,
            dirs::cache_dir,
            "provender\\cache",
        ),
        macos: "Library/Caches/provender",
        xdg: (environment::XDG_CACHE_HOME, ".cache", "provender"),
    };
    dir.path(environment)
}

/// The directory of what this program remembers of a user: `provender` in the user's data directory,
/// `$XDG_DATA_HOME` or `~/.local/share` on Linux and its like on macOS and Windows.
pub fn user_data_dir(environment: &Environment) -> Option<PathBuf> {
    let dir = UserDir {
        windows: (
            environment::LOCALAPPDATA,
            dirs::data_local_dir,
            "provender\\data",
        ),
        macos: "Library/Application Support/provender",
        xdg: (environment::XDG_DATA_HOME, ".local/share", "provender"),
    };
    dir.path(environment)
}
