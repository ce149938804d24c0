//! `.netrc`: user names and passwords for downloads of packages (facts/providers 2.9).
//!
//! The file is the user's own. Passwords are [`Secret`]s, and nothing of the file but its path gets into messages.

use std::path::PathBuf;

use crate::config::{Environment, environment, home_dir};
use crate::disk::{self, DiskError};
use crate::failure::{ExitCode, Failure};
use crate::secret::Secret;

/// Nobody has so many passwords.
const CAP: u64 = 1 << 20;

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetrcEntry {
    /// `HOST` or `HOST:PORT`; `None` for the entry that counts where no other does.
    pub machine: Option<String>,
    /// The user name; may be empty.
    pub login: String,
    /// The password; may be empty.
    pub password: Secret,
}

/// Why there are no entries to be had.
#[derive(Debug, thiserror::Error)]
pub enum NetrcError {
    /// The file cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It has something else than entries; the tools refuse it, too.
    #[error("`{}` has a word in line {line} that belongs to no entry", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

impl Failure for NetrcError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Disk(error) => error.hints(),
            Self::Malformed { .. } => {
                vec!["an entry is `machine HOST login NAME password WORD`".to_owned()]
            }
        }
    }
}

/// Reads the file that `NETRC` names, else `~/.netrc` (`_netrc` on Windows); a missing one has no entries.
///
/// # Errors
///
/// If it is there and cannot be read, or makes no sense.
pub fn read_netrc(environment: &Environment) -> Result<Vec<NetrcEntry>, NetrcError> {
    let Some(path) = path(environment).filter(|path| path.is_file()) else {
        return Ok(Vec::new());
    };
    let bytes = disk::read_capped(&path, CAP)?;
    parse(&String::from_utf8_lossy(&bytes)).map_err(|line| NetrcError::Malformed { path, line })
}

fn path(environment: &Environment) -> Option<PathBuf> {
    if let Some(named) = environment.non_empty(environment::NETRC) {
        return Some(PathBuf::from(named));
    }
    let name = if cfg!(windows) { "_netrc" } else { ".netrc" };
    Some(home_dir(environment)?.join(name))
}

/// The entries; macros are passed over. Fails with the number of the first line that has another word.
fn parse(text: &str) -> Result<Vec<NetrcEntry>, usize> {
    let mut entries: Vec<NetrcEntry> = Vec::new();
    let mut words = words(text).into_iter();
    while let Some((line, word)) = words.next() {
        let mut value = || words.next().map(|(_, word)| word);
        match (word, entries.last_mut()) {
            ("machine", _) => entries.push(entry(value())),
            ("default", _) => entries.push(entry(None)),
            ("login", Some(entry)) => value().unwrap_or_default().clone_into(&mut entry.login),
            ("password", Some(entry)) => entry.password = Secret::new(value().unwrap_or_default()),
            ("account", Some(_)) => drop(value()),
            _ => return Err(line),
        }
    }
    Ok(entries)
}

/// The words that count, with the numbers of their lines.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut in_macro = false;
    let mut words = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if in_macro {
            in_macro = !line.is_empty();
        } else if line.starts_with("macdef") {
            in_macro = true;
        } else if !line.starts_with('#') {
            words.extend(line.split_whitespace().map(|word| (number, word)));
        }
    }
    words
}

fn entry(machine: Option<&str>) -> NetrcEntry {
    NetrcEntry {
        machine: machine.map(str::to_owned),
        login: String::new(),
        password: Secret::new(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_in_any_layout() {
        let text = "# machine x\nmachine a.example login u password p\nmachine b.example:8443\n  login\n v\n  account z\n  password hunter2\nmacdef init\nmachine no.example login x\n\ndefault login anonymous password me@\n";
        let found: Vec<_> = parse(text)
            .unwrap()
            .into_iter()
            .map(|entry| {
                (
                    entry.machine,
                    entry.login,
                    entry.password.expose().to_owned(),
                )
            })
            .collect();
        let named = |machine: Option<&str>, login: &str, password: &str| {
            (
                machine.map(str::to_owned),
                login.to_owned(),
                password.to_owned(),
            )
        };
        let expected = [
            named(Some("a.example"), "u", "p"),
            named(Some("b.example:8443"), "v", "hunter2"),
            named(None, "anonymous", "me@"),
        ];
        assert_eq!(found, expected);
        assert_eq!(parse("\nlogin x password y"), Err(2));
        assert_eq!(parse("machine a login\n  garbage foo"), Err(2));
        assert!(!format!("{:?}", parse(text)).contains("hunter2"));
    }

    #[test]
    fn variable_names_another_file_and_a_missing_one_has_no_entries() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("mine");
        let environment = |path: &std::path::Path| {
            [("NETRC".to_owned(), path.display().to_string())]
                .into_iter()
                .collect::<Environment>()
        };
        assert_eq!(read_netrc(&environment(&path)).unwrap(), []);
        std::fs::write(&path, "machine a login b").unwrap();
        assert_eq!(read_netrc(&environment(&path)).unwrap().len(), 1);
    }
}
