//! Repositories of modules as bare ones that a plain web server can serve (facts/modules 6.1, 6.3): all branches and
//! tags, as a clone by the tools gets them, and the files that the "dumb" protocol reads.
//!
//! What may be handed to git is decided as in `module_git`. Attacks known beyond those, and the answer to each:
//! - *A tag that moves after it was mirrored*: git refuses to overwrite it, and that is an error.
//! - *A clean-up in the background that rewrites what is being served*: turned off.
//! - *A branch or tag named like an option*: names come from git's own list and stand behind `refs/`.

use std::fs;
use std::path::Path;

use crate::disk::{self, DiskError, TempDir, on_blocking_pool};
use crate::document::CommitId;
use crate::source::ModuleFetchError;
use crate::source::module_git::{GitProgram, Request, Run};

/// Stands in a repository while its lists for the web server may be older than its contents.
const STALE_MARK: &str = "provender-updating";
/// What the "dumb" protocol reads first.
const REFS_LIST: &str = "info/refs";

/// A git source as far as a mirror has to know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitSource {
    /// The URL that git is given, which may hold a password.
    pub url: String,
    /// Whether the source asks for a part of the history (`depth`), which plain web servers cannot give.
    pub is_shallow: bool,
}

/// What became of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepositoryChange {
    /// It was cloned, or asked for what is new.
    Fetched,
    /// What is wanted was there.
    Kept,
}

impl GitSource {
    /// Takes the source in `url` apart.
    ///
    /// # Errors
    ///
    /// If it is none that git is handed.
    pub fn parse(url: &str) -> Result<Self, ModuleFetchError> {
        let request = Request::parse(url)?;
        Ok(Self {
            is_shallow: request.depth.is_some(),
            url: request.url,
        })
    }
}

impl GitProgram {
    /// Sees to it that the bare repository `bare` has the ref of the source `url`: clones it, or fetches what is
    /// new unless the ref is a tag or commit that is there.
    ///
    /// # Errors
    ///
    /// If git is not there or fails; also if a tag has moved.
    pub async fn mirror(
        &self,
        url: &str,
        bare: &Path,
    ) -> Result<RepositoryChange, ModuleFetchError> {
        let request = Request::parse(url)?;
        let key = request.key_file(bare)?;
        let run = self.run(&request, key.as_ref());
        let change = if !bare.is_dir() {
            clone_bare(&run, bare).await?;
            RepositoryChange::Fetched
        } else if has_fixed_ref(&run, bare).await {
            RepositoryChange::Kept
        } else {
            mark_stale(bare)?;
            // Without `+`, a tag that moved is refused.
            let refs = ["+refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"];
            let mut arguments = vec!["-c", "gc.auto=0", "-c", "maintenance.auto=false"];
            arguments.extend(["fetch", "--quiet", "--no-write-fetch-head"]);
            arguments.extend(["--", &request.url]);
            arguments.extend(refs);
            run.git(Some(bare), &arguments).await?;
            RepositoryChange::Fetched
        };
        if bare.join(STALE_MARK).exists() || !bare.join(REFS_LIST).exists() {
            write_lists(&run, bare).await?;
        }
        Ok(change)
    }

    /// Checks out the ref of the source `url` from its bare repository into the empty directory `dest`; the
    /// commit that came out. Makes no request.
    ///
    /// # Errors
    ///
    /// If there is no such ref, or git fails.
    pub async fn check_out(
        &self,
        url: &str,
        bare: &Path,
        dest: &Path,
    ) -> Result<CommitId, ModuleFetchError> {
        let request = Request::parse(url)?;
        let run = self.run(&request, None);
        let (from, to) = (bare.to_string_lossy(), dest.to_string_lossy());
        // The mirror may be another user's.
        let mut arguments = vec!["-c", "safe.directory=*", "clone", "--quiet"];
        arguments.extend(["--no-local", "--", &from, &to]);
        run.git(None, &arguments).await?;
        if let Some(reference) = &request.reference {
            run.git(Some(dest), &["checkout", "--quiet", reference, "--"])
                .await?;
        }
        run.head(dest).await
    }
}

async fn clone_bare(run: &Run<'_>, bare: &Path) -> Result<(), ModuleFetchError> {
    let target = bare.to_owned();
    let staged = on_blocking_pool(move || TempDir::create_beside(&target)).await?;
    let content = staged.path().join("repository");
    let to = content.to_string_lossy();
    let arguments = ["clone", "--quiet", "--bare", "--", run.url(), &to];
    run.git(None, &arguments).await?;
    write_lists(run, &content).await?;
    forget_origin(run, &content).await?;
    let bare = bare.to_owned();
    on_blocking_pool(move || {
        // Dropped at the end: what was staged is removed.
        let staged = staged;
        disk::rename_dir(&staged.path().join("repository"), &bare)
    })
    .await?;
    Ok(())
}

/// A clone remembers where it came from, perhaps with a password; a mirror must not tell.
async fn forget_origin(run: &Run<'_>, bare: &Path) -> Result<(), ModuleFetchError> {
    run.git(Some(bare), &["remote", "remove", "origin"]).await?;
    Ok(())
}

/// Whether the ref is a tag or a whole commit that is there: nothing newer can be meant by it.
async fn has_fixed_ref(run: &Run<'_>, bare: &Path) -> bool {
    let Some(reference) = run.reference() else {
        return false;
    };
    let is_commit = reference.parse::<CommitId>().is_ok();
    let name = if is_commit {
        format!("{reference}^{{commit}}")
    } else {
        format!("refs/tags/{reference}^{{commit}}")
    };
    let arguments = ["-c", "safe.directory=*", "rev-parse", "--quiet", "--verify"];
    let arguments: Vec<&str> = arguments.into_iter().chain([name.as_str()]).collect();
    run.git(Some(bare), &arguments).await.is_ok()
}

fn mark_stale(bare: &Path) -> Result<(), DiskError> {
    let mark = bare.join(STALE_MARK);
    fs::write(&mark, "").map_err(DiskError::on("write", &mark))
}

/// Writes the lists that a plain web server is asked for.
async fn write_lists(run: &Run<'_>, bare: &Path) -> Result<(), ModuleFetchError> {
    run.git(Some(bare), &["update-server-info"]).await?;
    disk::remove_dir_all(&bare.join(STALE_MARK))?;
    Ok(())
}
