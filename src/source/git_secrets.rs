//! Whether a clone keeps a password: git writes the URLs of remotes and submodules into its configuration as they are.

use std::fs;
use std::path::Path;

use crate::disk::{self, DiskError};
use crate::source::module_git::user_information;

/// A configuration of git has some hundred bytes.
const CONFIG_CAP: u64 = 1 << 20;

/// Whether the tree below `dir` has a configuration of git with a URL that may hold a secret: a password or token before
/// the host, or a query. When in doubt it has.
///
/// # Errors
///
/// If its configurations cannot be read.
pub fn keeps_secrets(dir: &Path) -> Result<bool, DiskError> {
    // Submodules have theirs in there, too.
    below(&dir.join(".git"))
}

fn below(dir: &Path) -> Result<bool, DiskError> {
    if dir.is_symlink() || !dir.is_dir() {
        return Ok(false);
    }
    let unreadable = || DiskError::on("read the directory", dir);
    for entry in fs::read_dir(dir).map_err(unreadable())? {
        let entry = entry.map_err(unreadable())?;
        let name = entry.file_name();
        let is_dir = entry.file_type().map_err(unreadable())?.is_dir();
        // Objects are thousands of directories without a configuration.
        if (is_dir && name != "objects" && below(&entry.path())?)
            || (!is_dir && name == "config" && has_secret(&entry.path())?)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn has_secret(config: &Path) -> Result<bool, DiskError> {
    let bytes = disk::read_capped(config, CONFIG_CAP)?;
    let text = String::from_utf8_lossy(&bytes);
    let urls = text.lines().filter(|line| line.contains("://"));
    Ok(urls
        .map(|line| line.split_once('=').map_or(line, |(_, value)| value).trim())
        .any(|url| url.contains('?') || user_information(url).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps(path: &str, url: &str) -> bool {
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join(path);
        fs::create_dir_all(config.parent().unwrap()).unwrap();
        fs::write(config, format!("[remote \"origin\"]\n\turl = {url}\n")).unwrap();
        keeps_secrets(dir.path()).unwrap()
    }

    #[test]
    fn passwords_and_queries_of_remotes_are_found() {
        for url in [
            "https://u:p@h/a.git",
            "https://token@h/a.git",
            "https://h/a.git?token=x",
        ] {
            assert!(keeps(".git/config", url), "{url}");
            assert!(keeps(".git/modules/objects2/config", url), "{url}");
        }
        for url in [
            "https://h/a.git",
            "ssh://git@h/a.git",
            "git@h:a.git",
            "/srv/a@b",
        ] {
            assert!(!keeps(".git/config", url), "{url}");
        }
        // A file of the module is no configuration of git.
        assert!(!keeps("files/config", "https://u:p@h/a.git"));
    }
}
