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

/// The implied local mirror directory that needs no setting to be found by both tools:
/// `$XDG_DATA_HOME/terraform/plugins` and its like on macOS and Windows. Never `~/.terraform.d`,
/// whose mere existence makes OpenTofu look elsewhere for its own files (facts/login 4.1).
pub fn implied_mirror_dir(environment: &Environment) -> Option<PathBuf> {
    if cfg!(windows) {
        let app_data = environment
            .non_empty(environment::APPDATA)
            .map(PathBuf::from);
        return Some(
            app_data
                .or_else(dirs::data_dir)?
                .join("HashiCorp\\Terraform\\plugins"),
        );
    }
    let home = home_dir(environment)?;
    if cfg!(target_os = "macos") {
        return Some(home.join("Library/Application Support/io.terraform/plugins"));
    }
    let data_home = environment
        .non_empty(environment::XDG_DATA_HOME)
        .map(PathBuf::from);
    // The specification has relative values ignored.
    let data_home = data_home.filter(|dir| dir.is_absolute());
    Some(
        data_home
            .unwrap_or_else(|| home.join(".local/share"))
            .join("terraform/plugins"),
    )
}

/// The directory of the package cache without any setting: `provender` in the user's cache directory,
/// `$XDG_CACHE_HOME` or `~/.cache` on Linux and its like on macOS and Windows.
pub fn default_cache_dir(environment: &Environment) -> Option<PathBuf> {
    if cfg!(windows) {
        let local = environment
            .non_empty(environment::LOCALAPPDATA)
            .map(PathBuf::from);
        return Some(local.or_else(dirs::cache_dir)?.join("provender\\cache"));
    }
    let home = home_dir(environment)?;
    if cfg!(target_os = "macos") {
        return Some(home.join("Library/Caches/provender"));
    }
    let cache_home = environment
        .non_empty(environment::XDG_CACHE_HOME)
        .map(PathBuf::from);
    // The specification has relative values ignored.
    let cache_home = cache_home.filter(|dir| dir.is_absolute());
    let cache_home = cache_home.unwrap_or_else(|| home.join(".cache"));
    Some(cache_home.join("provender"))
}

/// The directory of what this program remembers of a user: `provender` in the user's data directory,
/// `$XDG_DATA_HOME` or `~/.local/share` on Linux and its like on macOS and Windows.
pub fn user_data_dir(environment: &Environment) -> Option<PathBuf> {
    if cfg!(windows) {
        let local = environment
            .non_empty(environment::LOCALAPPDATA)
            .map(PathBuf::from);
        return Some(local.or_else(dirs::data_local_dir)?.join("provender\\data"));
    }
    let home = home_dir(environment)?;
    if cfg!(target_os = "macos") {
        return Some(home.join("Library/Application Support/provender"));
    }
    let data_home = environment
        .non_empty(environment::XDG_DATA_HOME)
        .map(PathBuf::from);
    // The specification has relative values ignored.
    let data_home = data_home.filter(|dir| dir.is_absolute());
    Some(
        data_home
            .unwrap_or_else(|| home.join(".local/share"))
            .join("provender"),
    )
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn cache_follows_xdg_cache_home() {
        let dir = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()));
            default_cache_dir(&pairs.collect()).unwrap()
        };
        let home = ("HOME", "/home/u");
        let default = PathBuf::from("/home/u/.cache/provender");
        assert_eq!(dir(&[home]), default);
        assert_eq!(dir(&[home, ("XDG_CACHE_HOME", "rel")]), default);
        let chosen = dir(&[home, ("XDG_CACHE_HOME", "/c")]);
        assert_eq!(chosen, PathBuf::from("/c/provender"));
    }

    #[test]
    fn implied_mirror_follows_xdg_data_home() {
        let dir = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()));
            implied_mirror_dir(&pairs.collect()).unwrap()
        };
        let home = ("HOME", "/home/u");
        let default = PathBuf::from("/home/u/.local/share/terraform/plugins");
        assert_eq!(dir(&[home]), default);
        assert_eq!(dir(&[home, ("XDG_DATA_HOME", "rel")]), default);
        assert_eq!(
            dir(&[home, ("XDG_DATA_HOME", "/d")]),
            PathBuf::from("/d/terraform/plugins")
        );
    }
}
