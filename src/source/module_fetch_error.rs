//! Why the package of a module cannot be had.

use std::io;
use std::path::PathBuf;

use crate::disk::{DetachError, DiskError};
use crate::failure::{ExitCode, Failure};
use crate::http::HttpError;
use crate::package::{ChecksumTextError, ModuleArchiveError, ModuleChecksum};
use crate::secret::ShownUrl;

/// Why the package of a module cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ModuleFetchError {
    /// A getter of the tools that this program does not have.
    #[error("sources of the kind `{getter}` are not supported yet")]
    Unsupported {
        /// The getter.
        getter: String,
    },
    /// A getter that the tools do not have either.
    #[error("there is no getter `{getter}`")]
    NoGetter {
        /// The prefix or scheme.
        getter: String,
    },
    /// The network is needed, and not allowed.
    #[error("the package has to be fetched, and `--offline` forbids that")]
    Offline,
    /// The URL cannot be asked for.
    #[error("its URL is not usable")]
    BadUrl,
    /// A request did not succeed.
    #[error("the package cannot be fetched")]
    Http {
        /// What happened.
        #[source]
        source: Box<HttpError>,
    },
    /// A status that is no success.
    #[error("the server answered {status} (`{url}`)")]
    Status {
        /// The final URL.
        url: ShownUrl,
        /// The status.
        status: u16,
    },
    /// A page that does not say where the module is.
    #[error("`{url}` is no archive by its name, and its answer names no module (`terraform-get`)")]
    NoLocation {
        /// The final URL.
        url: ShownUrl,
    },
    /// An answer that sends on to what is no full address.
    #[error("the server sends on to `{to}`, which is no full URL")]
    BadRedirection {
        /// The value.
        to: String,
    },
    /// An answer that sends on to where servers may not.
    #[error("the server sends on to `{to}`, which servers may not")]
    RefusedRedirection {
        /// The value.
        to: String,
    },
    /// Servers send on without end.
    #[error("servers send on more than {limit} times")]
    TooManyHops {
        /// How often they may.
        limit: usize,
    },
    /// One compressed file.
    #[error("the source is one compressed file, and a module is a directory")]
    SingleFile,
    /// A checksum where there is no archive.
    #[error("a `checksum` can only be that of an archive")]
    ChecksumOfDirectory,
    /// A checksum that is none.
    #[error(transparent)]
    ChecksumText(#[from] ChecksumTextError),
    /// A file of checksums for a file of this machine.
    #[error("a local archive needs its checksum itself, not a file of them")]
    ChecksumFileOfLocal,
    /// A file of checksums without one for the archive.
    #[error("`{file}` has no checksum for `{name}`")]
    NoChecksumInFile {
        /// The file's URL.
        file: String,
        /// The name of the archive.
        name: String,
    },
    /// Other bytes than promised.
    #[error("the archive has the checksum `{got}`, expected `{expected}`")]
    ChecksumMismatch {
        /// What the source says.
        expected: ModuleChecksum,
        /// What the bytes have.
        got: String,
    },
    /// The content is no archive of a known format.
    #[error("the content is no archive of a known format")]
    UnknownContent,
    /// The archive is refused.
    #[error("the archive cannot be unpacked")]
    Archive(#[from] ModuleArchiveError),
    /// Nothing there on this machine.
    #[error("there is nothing to install at `{}`", path.display())]
    NoLocal {
        /// The path.
        path: PathBuf,
    },
    /// The git program cannot be started.
    #[error("the program `git` cannot be started")]
    NoGit {
        /// Why.
        source: io::Error,
    },
    /// A git source that is not handed to git.
    #[error("the git source is refused: {what}")]
    BadGitSource {
        /// What is wrong.
        what: &'static str,
    },
    /// Git failed; its own words.
    #[error("`git {step}` failed, its words: {words}")]
    Git {
        /// The subcommand.
        step: String,
        /// What it wrote to stderr.
        words: String,
    },
    /// A tag leads elsewhere than it did.
    #[error("the tag `{tag}` has moved since it was mirrored")]
    MovedTag {
        /// The tag.
        tag: String,
    },
    /// The package has no such directory.
    #[error("the package has no directory `{subdir}`")]
    NoSubdir {
        /// The directory.
        subdir: String,
    },
    /// A pattern that matches more than one.
    #[error("the package has {count} directories that match `{subdir}`")]
    SeveralSubdirs {
        /// The pattern.
        subdir: String,
        /// How many match.
        count: usize,
    },
    /// The directory is outside of the package.
    #[error("the directory `{subdir}` leads out of the package")]
    SubdirOutside {
        /// The directory.
        subdir: String,
    },
    /// A directory of the package cannot stand alone.
    #[error("its directory cannot be taken out of the package")]
    Detach(#[from] DetachError),
    /// Something cannot be read or written.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl ModuleFetchError {
    /// A failed request. That the package is not there is no trouble of the server.
    pub(super) fn http(source: HttpError) -> Self {
        if let HttpError::UnexpectedStatus {
            url,
            status: status @ (404 | 410),
            ..
        } = source
        {
            return Self::Status { url, status };
        }
        Self::Http {
            source: Box::new(source),
        }
    }
}

impl Failure for ModuleFetchError {
    fn exit_code(&self) -> ExitCode {
        match self {
            Self::Http { source } => source.exit_code(),
            Self::Archive(source) => source.exit_code(),
            Self::Disk(source) | Self::Detach(DetachError::Disk(source)) => source.exit_code(),
            Self::Status {
                status: 401 | 403, ..
            } => ExitCode::Authentication,
            Self::Offline
            | Self::NoLocal { .. }
            | Self::NoSubdir { .. }
            | Self::SeveralSubdirs { .. }
            | Self::Status {
                status: 404 | 410, ..
            } => ExitCode::NotFound,
            Self::ChecksumMismatch { .. }
            | Self::Detach(_)
            | Self::SubdirOutside { .. }
            | Self::MovedTag { .. }
            | Self::RefusedRedirection { .. } => ExitCode::Verification,
            Self::Status { .. }
            | Self::NoLocation { .. }
            | Self::BadRedirection { .. }
            | Self::TooManyHops { .. }
            | Self::NoChecksumInFile { .. }
            | Self::UnknownContent => ExitCode::Remote,
            Self::Git { words, .. } => GitTrouble::of(words).exit_code(),
            Self::Unsupported { .. }
            | Self::NoGetter { .. }
            | Self::BadUrl
            | Self::SingleFile
            | Self::ChecksumOfDirectory
            | Self::ChecksumText(_)
            | Self::ChecksumFileOfLocal
            | Self::NoGit { .. }
            | Self::BadGitSource { .. } => ExitCode::Local,
        }
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Http { source } => source.hints(),
            Self::Archive(source) => source.hints(),
            Self::Disk(source) | Self::Detach(DetachError::Disk(source)) => source.hints(),
            Self::Unsupported { getter } => vec![unsupported_hint(getter)],
            Self::NoGetter { .. } => vec![
                "the tools know `git::`, `hg::`, `s3::`, `gcs::`, and URLs of http, https and file"
                    .to_owned(),
            ],
            Self::NoLocation { .. } => vec![
                "if it is an archive, say its format with `?archive=FORMAT` in the source"
                    .to_owned(),
            ],
            Self::NoGit { .. } => {
                vec!["install `git`, which fetches modules from repositories".to_owned()]
            }
            Self::Git { words, .. } => vec![GitTrouble::of(words).hint().to_owned()],
            Self::MovedTag { .. } => vec![
                "ask the publisher why; to take the tag where it is now, delete the repository from the mirror first".to_owned(),
            ],
            Self::Offline => vec![
                "run once without `--offline`: what is installed then is used again".to_owned(),
            ],
            Self::Status {
                status: 404 | 410, ..
            } => vec![
                "check the source; a server may also hide a package from requests without a token or password"
                    .to_owned(),
            ],
            Self::BadUrl
            | Self::Status { .. }
            | Self::BadRedirection { .. }
            | Self::RefusedRedirection { .. }
            | Self::TooManyHops { .. }
            | Self::SingleFile
            | Self::ChecksumOfDirectory
            | Self::ChecksumText(_)
            | Self::ChecksumFileOfLocal
            | Self::NoChecksumInFile { .. }
            | Self::ChecksumMismatch { .. }
            | Self::UnknownContent
            | Self::NoLocal { .. }
            | Self::BadGitSource { .. }
            | Self::NoSubdir { .. }
            | Self::SeveralSubdirs { .. }
            | Self::Detach(_)
            | Self::SubdirOutside { .. } => Vec::new(),
        }
    }
}

/// What the user can do about a getter that is not there.
fn unsupported_hint(getter: &str) -> String {
    match getter {
        "s3" | "gcs" => "use an https URL of the object, signed if it has to be, or let the tool itself install this module".to_owned(),
        "hg" => "convert the repository to git, or let the tool itself install this module".to_owned(),
        _ => "let the tool itself install this module; the others are installed here".to_owned(),
    }
}

/// What git's words are about, as far as they tell; it is run in the language of its authors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GitTrouble {
    /// It may not go on with what it knows of the user.
    Credentials,
    /// The certificate of the server.
    Trust,
    /// There is no such branch, tag or commit.
    NoRef,
    /// There is no such repository.
    NoRepository,
    /// This machine's disk, or rights on it.
    Disk,
    /// The repository on disk belongs to somebody else.
    Owner,
    /// Anything else, most likely the server.
    Server,
}

impl GitTrouble {
    fn of(words: &str) -> Self {
        let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
        if has(&["dubious ownership"]) {
            Self::Owner
        } else if has(&[
            "No space left",
            "Read-only file system",
            "unable to create",
            "insufficient permission",
        ]) {
            Self::Disk
        } else if has(&[
            "Authentication failed",
            "could not read Username",
            "could not read Password",
            "Permission denied (publickey",
        ]) {
            Self::Credentials
        } else if has(&["certificate"]) {
            Self::Trust
        } else if has(&[
            "did not match any file(s) known to git",
            "not found in upstream",
            "unable to read tree",
            "is not a commit",
            "find remote ref",
            "not our ref",
            "unadvertised object",
            "invalid reference",
            "unknown revision",
        ]) {
            Self::NoRef
        } else if has(&[
            "' not found",
            "does not exist",
            "does not appear to be a git repository",
            "Repository not found",
        ]) {
            Self::NoRepository
        } else {
            Self::Server
        }
    }

    fn exit_code(self) -> ExitCode {
        match self {
            Self::Credentials => ExitCode::Authentication,
            Self::NoRef | Self::NoRepository => ExitCode::NotFound,
            Self::Disk | Self::Owner => ExitCode::Local,
            Self::Trust | Self::Server => ExitCode::Remote,
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Credentials => {
                "give git a password or key for this server, by a credential helper or `ssh-agent`; nobody is asked here"
            }
            Self::Trust => {
                "git has its own trust: name the certificates in `GIT_SSL_CAINFO` or `http.sslCAInfo`"
            }
            Self::NoRef => {
                "look at the branches and tags of the repository with `git ls-remote URL`"
            }
            Self::NoRepository => {
                "check the URL; a server may also hide a repository from requests without a password or key"
            }
            Self::Disk => "free space, or see who may write there; then run the command again",
            Self::Owner => {
                "if you trust its owner, let git do so: `git config --global --add safe.directory DIR`"
            }
            Self::Server => {
                "see whether `git clone` of the same URL works; nobody is asked for passwords here"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gits_words_are_sorted_by_what_can_be_done() {
        for (words, expected) in [
            (
                "fatal: Authentication failed for 'https://h/a'",
                GitTrouble::Credentials,
            ),
            (
                "fatal: could not read Username for 'https://h': terminal prompts disabled",
                GitTrouble::Credentials,
            ),
            (
                "error: pathspec 'v9' did not match any file(s) known to git",
                GitTrouble::NoRef,
            ),
            (
                "warning: Could not find remote branch x; fatal: Remote branch x not found in upstream origin",
                GitTrouble::NoRef,
            ),
            ("fatal: couldn't find remote ref nothere", GitTrouble::NoRef),
            ("fatal: invalid reference: nope", GitTrouble::NoRef),
            (
                "remote: Not Found; fatal: repository 'https://h/a.git/' not found",
                GitTrouble::NoRepository,
            ),
            (
                "fatal: repository '/srv/none' does not exist",
                GitTrouble::NoRepository,
            ),
            (
                "fatal: write error: No space left on device",
                GitTrouble::Disk,
            ),
            (
                "fatal: detected dubious ownership in repository at '/m'",
                GitTrouble::Owner,
            ),
            (
                "fatal: unable to access 'https://h/': server certificate verification failed",
                GitTrouble::Trust,
            ),
            (
                "fatal: unable to access 'https://h/': Could not resolve host: h",
                GitTrouble::Server,
            ),
        ] {
            assert_eq!(GitTrouble::of(words), expected, "{words}");
        }
    }
}
