//! Module packages from git repositories, by the `git` program, so that the user's credentials and settings apply
//! (facts/modules 4.4).
//!
//! URL and ref come from configurations, registries and servers. Attacks known, and the answer to each:
//! - *A ref or URL that git takes for an option*: refs that begin with `-` are refused, `--` stands before URLs.
//! - *A transport that runs commands* (`ext::…`): only the schemes of [`SCHEMES`] are handed to git.
//! - *A depth that is an option or a command*: only digits count.
//! - *A server that asks for a password and never goes on*: git asks nobody.
//! - *Settings of a repository that this process happens to run in* (a hook): its variables are left out.
//! - *Messages of servers, to forge lines or show passwords*: control characters and the URL's password are left out.

use std::path::Path;
use std::process::Stdio;

use base64::Engine as _;
use tokio::process::Command;

use crate::address::{encode_pairs, query_pairs};
use crate::disk::{self, DiskError, TempFile};
use crate::document::{CommitId, CommitIdError};
use crate::source::ModuleFetchError;

/// The transports that git may use.
const SCHEMES: [&str; 7] = ["file", "git", "http", "https", "ssh", "git+ssh", "ssh+git"];
/// Variables that point git to a repository.
const REPOSITORY_VARIABLES: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
];
/// A name of a commit has 64 digits at the most.
const HEAD_CAP: u64 = 4 << 10;
/// The most of git's own words that is shown.
const SHOWN_WORDS: usize = 2000;

/// The git program and what of the environment it is started with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitProgram {
    /// `GIT_SSH_COMMAND` of the user, to which a source's key is added.
    pub ssh_command: Option<String>,
}

/// A source taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// What git is given.
    pub(super) url: String,
    /// Branch, tag or commit.
    pub(super) reference: Option<String>,
    /// How much of the history is wanted.
    pub(super) depth: Option<u64>,
    key: Option<Vec<u8>>,
}

impl GitProgram {
    /// Clones what `url` names into the empty directory `dest`, with the ref, depth and key of its query,
    /// and all submodules; the commit that came out.
    ///
    /// # Errors
    ///
    /// If the source is not usable, git is not there, or git fails.
    pub async fn get(&self, url: &str, dest: &Path) -> Result<CommitId, ModuleFetchError> {
        let request = Request::parse(url)?;
        let key = request.key_file(dest)?;
        let run = self.run(&request, key.as_ref());
        run.clone_into(dest).await?;
        if let (Some(reference), None) = (&request.reference, request.depth) {
            // Behind `--` stand paths, of which there are none: the ref cannot be taken for one.
            run.git(Some(dest), &["checkout", "--quiet", reference, "--"])
                .await?;
        }
        if dest.join(".gitmodules").exists() {
            let depth = request.depth.map(|depth| format!("--depth={depth}"));
            let mut arguments = vec!["submodule", "--quiet", "update", "--init", "--recursive"];
            arguments.extend(depth.as_deref());
            run.git(Some(dest), &arguments).await?;
        }
        run.head(dest).await
    }

    /// What runs git for `request` with the key of [`Request::key_file`].
    pub(super) fn run<'r>(&self, request: &'r Request, key: Option<&TempFile>) -> Run<'r> {
        Run {
            request,
            ssh_command: key.map(|key| self.ssh_command_with(key.path())),
        }
    }

    fn ssh_command_with(&self, key: &Path) -> String {
        let command = self.ssh_command.as_deref().unwrap_or("ssh");
        let quoted = key.to_string_lossy().replace('\'', "'\\''");
        format!("{command} -i '{quoted}'")
    }
}

/// Writes a private key beside `dest`, readable by its owner alone; dropping it removes it.
fn write_key(key: &[u8], dest: &Path) -> Result<TempFile, DiskError> {
    use std::io::Write as _;
    let file = TempFile::create_private_beside(dest)?;
    file.file()
        .write_all(key)
        .map_err(DiskError::on("write", file.path()))?;
    Ok(file)
}

impl Request {
    /// What asks no server.
    pub(super) fn local() -> Self {
        Self {
            url: String::new(),
            reference: None,
            depth: None,
            key: None,
        }
    }

    /// The source's key on disk, as long as the value lives.
    pub(super) fn key_file(&self, beside: &Path) -> Result<Option<TempFile>, DiskError> {
        let key = self.key.as_deref();
        key.map(|key| write_key(key, beside)).transpose()
    }

    pub(super) fn parse(url: &str) -> Result<Self, ModuleFetchError> {
        let bad = |what: &'static str| ModuleFetchError::BadGitSource { what };
        let (address, query) = url.split_once('?').unwrap_or((url, ""));
        let scheme = address
            .split_once(':')
            .map(|(scheme, _)| scheme.to_ascii_lowercase());
        if !scheme.is_some_and(|scheme| SCHEMES.contains(&scheme.as_str())) {
            return Err(bad("git is not asked to use this kind of URL"));
        }
        let mut pairs = query_pairs(query).ok_or_else(|| bad("its query cannot be read"))?;
        let mut take = |key: &str| {
            let found = pairs
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value.clone());
            pairs.retain(|(name, _)| name != key);
            found.filter(|value| !value.is_empty())
        };
        if take("checksum").is_some() {
            return Err(ModuleFetchError::ChecksumOfDirectory);
        }
        if take("archive").is_some_and(|value| !matches!(value.as_str(), "false" | "0")) {
            return Err(bad("a repository is no archive"));
        }
        let reference = take("ref");
        if reference.as_ref().is_some_and(|it| it.starts_with('-')) {
            return Err(bad("its ref begins with `-`"));
        }
        // A depth that is no number is ignored, as by the tools.
        let depth = take("depth")
            .and_then(|depth| depth.parse().ok())
            .filter(|depth| *depth > 0);
        let key = take("sshkey").map(|key| {
            let engine = base64::engine::general_purpose::STANDARD;
            engine
                .decode(key.replace(' ', "+"))
                .map_err(|_| bad("its `sshkey` is no base64"))
        });
        let rest = encode_pairs(&pairs);
        let url = if rest.is_empty() {
            address.to_owned()
        } else {
            format!("{address}?{rest}")
        };
        Ok(Self {
            url,
            reference,
            depth,
            key: key.transpose()?,
        })
    }
}

/// One source and the environment that git gets for it.
pub(super) struct Run<'r> {
    request: &'r Request,
    ssh_command: Option<String>,
}

impl Run<'_> {
    async fn clone_into(&self, dest: &Path) -> Result<(), ModuleFetchError> {
        let depth = self.request.depth.map(|depth| format!("--depth={depth}"));
        // Attached to its option, a ref cannot be one itself.
        let branch = self
            .request
            .reference
            .as_ref()
            .map(|it| format!("--branch={it}"));
        let dest = dest.to_string_lossy();
        // What a loss of power may take is cloned again; files of modules are not synced either.
        let mut arguments = vec!["-c", "core.fsync=none", "clone", "--quiet"];
        if let Some(depth) = &depth {
            arguments.push(depth);
            arguments.extend(branch.as_deref());
        } else if branch.is_some() {
            // What is checked out next writes the files: once, instead of twice.
            arguments.push("--no-checkout");
        }
        arguments.extend(["--", &self.request.url, &dest]);
        self.git(None, &arguments).await?;
        Ok(())
    }

    /// The URL that git is given.
    pub(super) fn url(&self) -> &str {
        &self.request.url
    }

    /// The branch, tag or commit that is wanted.
    pub(super) fn reference(&self) -> Option<&str> {
        self.request.reference.as_deref()
    }

    /// The commit that is checked out in `dir`.
    pub(super) async fn head(&self, dir: &Path) -> Result<CommitId, ModuleFetchError> {
        // Detached, it is a commit, and to read it takes no process. Otherwise, or elsewhere, git knows.
        let detached = disk::read_capped(&dir.join(".git/HEAD"), HEAD_CAP).unwrap_or_default();
        if let Ok(commit) = String::from_utf8_lossy(&detached).trim().parse() {
            return Ok(commit);
        }
        let stdout = self.git(Some(dir), &["rev-parse", "HEAD"]).await?;
        let commit = String::from_utf8_lossy(&stdout).trim().parse();
        commit.map_err(|error: CommitIdError| ModuleFetchError::Git {
            step: "rev-parse".to_owned(),
            words: error.to_string(),
        })
    }

    /// Runs git, in `dir` if given, and returns what it writes to stdout; what it writes to stderr tells why
    /// it failed.
    pub(super) async fn git(
        &self,
        dir: Option<&Path>,
        arguments: &[&str],
    ) -> Result<Vec<u8>, ModuleFetchError> {
        let mut command = Command::new("git");
        command.args(["-c", "protocol.ext.allow=never", "-c", "core.askPass="]);
        // What a repository has there is a stranger's.
        command.args(["-c", "core.hooksPath=/dev/null"]);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GCM_INTERACTIVE", "never");
        command.env("LC_ALL", "C");
        for variable in REPOSITORY_VARIABLES {
            command.env_remove(variable);
        }
        if let Some(ssh) = &self.ssh_command {
            command.env("GIT_SSH_COMMAND", ssh);
        }
        if let Some(dir) = dir {
            command.current_dir(dir);
        }
        let output = command.output().await;
        let output = output.map_err(|source| ModuleFetchError::NoGit { source })?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(ModuleFetchError::Git {
            step: subcommand(arguments).to_owned(),
            words: self.words(&output.stderr),
        })
    }

    /// The last words of git, without control characters and without the user information of the URL.
    fn words(&self, stderr: &[u8]) -> String {
        let text = String::from_utf8_lossy(stderr);
        let clean = |c: char| if c.is_control() { ' ' } else { c };
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: Vec<String> = lines
            .map(|line| line.chars().map(clean).collect())
            .collect();
        let text = lines.join("; ");
        let text = match user_information(&self.request.url) {
            Some(user) => text.replace(&format!("{user}@"), "***@"),
            None => text,
        };
        let skipped = text.chars().count().saturating_sub(SHOWN_WORDS);
        text.chars().skip(skipped).collect()
    }
}

/// What git is to do, behind its settings.
fn subcommand<'a>(arguments: &[&'a str]) -> &'a str {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if *argument != "-c" {
            return argument;
        }
        rest.next();
    }
    "git"
}

/// `NAME:PASSWORD` or a token of a URL; the user name of ssh alone is no secret.
pub(super) fn user_information(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let (user, _) = rest.split('/').next()?.rsplit_once('@')?;
    (user.contains(':') || !scheme.contains("ssh")).then_some(user)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> Result<Request, ModuleFetchError> {
        Request::parse(url)
    }

    #[test]
    fn queries_are_taken_apart() {
        let request = parsed("https://h/a.git?z=1&ref=feature/x&depth=3&sshkey=aGk=").unwrap();
        let expected = Request {
            url: "https://h/a.git?z=1".to_owned(),
            reference: Some("feature/x".to_owned()),
            depth: Some(3),
            key: Some(b"hi".to_vec()),
        };
        assert_eq!(request, expected);
        assert_eq!(parsed("ssh://git@h/a?depth=x").unwrap().depth, None);
    }

    #[test]
    fn refuses_refs_that_are_options() {
        for url in [
            "https://h/a?ref=-h",
            "https://h/a?ref=--upload-pack=evil",
            "https://h/a?ref=%2Dx&depth=1",
        ] {
            assert!(
                matches!(parsed(url), Err(ModuleFetchError::BadGitSource { .. })),
                "{url}"
            );
        }
    }

    #[test]
    fn refuses_transports_that_run_commands() {
        for url in [
            "ext::sh -c evil",
            "ext:sh",
            "fd::3",
            "-u",
            "foo://h/a",
            "https://h/a?sshkey=***",
        ] {
            assert!(
                matches!(parsed(url), Err(ModuleFetchError::BadGitSource { .. })),
                "{url}"
            );
        }
    }

    #[test]
    fn passwords_and_control_characters_are_not_shown() {
        let request = parsed("https://u:secret@h/a.git").unwrap();
        let run = Run {
            request: &request,
            ssh_command: None,
        };
        let words =
            run.words(b"fatal: unable to access 'https://u:secret@h/a.git/'\x1b[2J\nremote: no\n");
        assert_eq!(
            words,
            "fatal: unable to access 'https://***@h/a.git/' [2J; remote: no"
        );
    }
}
