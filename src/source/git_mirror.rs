//! Repositories of modules as bare ones that a plain web server can serve (facts/modules 6.1, 6.3): all branches and
//! tags, as a clone by the tools gets them, and the files that the "dumb" protocol reads.
//!
//! What may be handed to git is decided as in `module_git`. Attacks known beyond those, and the answer to each:
//! - *A tag that moves after it was mirrored*: git refuses to overwrite it, and that is an error.
//! - *A clean-up in the background that rewrites what is being served*: turned off.
//! - *A mirror of another user, whose settings would run commands as us*: git itself refuses to work in it.
//! - *A branch or tag named like an option*: names come from git's own list and stand behind `refs/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use url::Url;

use crate::disk::{self, DiskError, TempDir, on_blocking_pool};
use crate::document::CommitId;
use crate::source::ModuleFetchError;
use crate::source::module_git::{GitProgram, Request, Run};

/// The name of a branch.
const HEAD_CAP: u64 = 64 << 10;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RepositoryChange {
    /// What is wanted was there.
    Kept,
    /// It was cloned, or something new came.
    Fetched,
}

/// What an update did to a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryUpdate {
    /// Whether anything came.
    pub change: RepositoryChange,
    /// Tags that have moved at the origin; here they are where they were.
    pub moved_tags: Vec<String>,
}

impl RepositoryUpdate {
    fn of(change: RepositoryChange) -> Self {
        Self {
            change,
            moved_tags: Vec::new(),
        }
    }
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
    /// new unless the ref is a tag or commit that is there, or leads to the commit that is `wanted`. With `check` it always
    /// asks, and a damaged repository is cloned anew.
    ///
    /// # Errors
    ///
    /// If git is not there or fails; also if the tag that is wanted has moved.
    pub async fn mirror(
        &self,
        url: &str,
        bare: &Path,
        wanted: Option<&CommitId>,
        check: bool,
    ) -> Result<RepositoryUpdate, ModuleFetchError> {
        let request = Request::parse(url)?;
        let dir = bare.parent().unwrap_or(bare).to_owned();
        on_blocking_pool(move || disk::create_dir_all(&dir)).await?;
        let key = request.key_file(bare)?;
        let run = self.run(&request, key.as_ref());
        let is_sound = bare.is_dir() && !(check && self.is_damaged(bare).await?);
        let update = if !is_sound {
            clone_bare(&run, bare).await?;
            RepositoryUpdate::of(RepositoryChange::Fetched)
        } else if !check
            && (has_fixed_ref(&run, bare).await || has_ref_at(&run, bare, wanted).await)
        {
            RepositoryUpdate::of(RepositoryChange::Kept)
        } else {
            fetch(&run, bare).await?
        };
        if !has_lists(bare) {
            write_lists(&run, bare).await?;
        }
        Ok(update)
    }

    /// Whether the ref of the source `url` leads to a commit in the bare repository `bare`, which need not be there. Makes no
    /// request.
    ///
    /// # Errors
    ///
    /// If the source is not usable.
    pub async fn leads_to(
        &self,
        url: &str,
        bare: &Path,
        commit: &CommitId,
    ) -> Result<bool, ModuleFetchError> {
        let request = Request::parse(url)?;
        let run = self.run(&request, None);
        Ok(bare.is_dir() && has_ref_at(&run, bare, Some(commit)).await)
    }

    async fn is_damaged(&self, bare: &Path) -> Result<bool, ModuleFetchError> {
        let state = self.examine(bare, true).await?;
        Ok(matches!(state, RepositoryState::Damaged(_)))
    }

    /// The submodules of the checkout in `dir`, by path and URL; relative URLs are resolved against `url`.
    ///
    /// # Errors
    ///
    /// If git fails, or a URL is none that git is handed.
    pub async fn submodules(
        &self,
        url: &str,
        dir: &Path,
    ) -> Result<Vec<(String, String)>, ModuleFetchError> {
        if !dir.join(".gitmodules").is_file() {
            return Ok(Vec::new());
        }
        let request = Request::parse(url)?;
        let run = self.run(&request, None);
        let pattern = r"^submodule\..*\.(path|url)$";
        let list = [
            "config",
            "--null",
            "--file",
            ".gitmodules",
            "--get-regexp",
            pattern,
        ];
        let listed = run.git(Some(dir), &list).await?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let mut found: BTreeMap<&str, (Option<&str>, Option<&str>)> = BTreeMap::new();
        for (key, value) in listed
            .split('\0')
            .filter_map(|entry| entry.split_once('\n'))
        {
            let Some((name, member)) = key.rsplit_once('.') else {
                continue;
            };
            let entry = found.entry(name).or_default();
            if member == "path" {
                entry.0 = Some(value);
            } else {
                entry.1 = Some(value);
            }
        }
        let complete = found.into_values().filter_map(|(path, url)| path.zip(url));
        let resolved =
            complete.map(|(path, sub)| Ok((path.to_owned(), beside(&request.url, sub)?)));
        resolved.collect()
    }

    /// Checks out the submodules of the checkout in `dir`, each from the bare repository that stands for its URL.
    ///
    /// # Errors
    ///
    /// If git fails.
    pub async fn check_out_submodules(
        &self,
        url: &str,
        dir: &Path,
        repositories: &[(String, PathBuf)],
    ) -> Result<(), ModuleFetchError> {
        let request = Request::parse(url)?;
        let run = self.run(&request, None);
        // What a submodule's relative URL is counted from.
        run.git(Some(dir), &["remote", "set-url", "origin", &request.url])
            .await?;
        let mut settings = Vec::new();
        for (url, bare) in repositories {
            settings.push(format!("url.{}.insteadOf={url}", bare.display()));
        }
        let mut arguments = vec!["-c", "protocol.file.allow=always"];
        for setting in &settings {
            arguments.extend(["-c", setting]);
        }
        arguments.extend(["submodule", "--quiet", "update", "--init"]);
        run.git(Some(dir), &arguments).await?;
        Ok(())
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
        let arguments = ["clone", "--quiet", "--no-local", "--", &from, &to];
        run.git(None, &arguments).await?;
        if let Some(reference) = &request.reference {
            run.git(Some(dest), &["checkout", "--quiet", reference, "--"])
                .await?;
        }
        run.head(dest).await
    }
}

/// Fetches branches and tags, and follows the origin's default branch.
async fn fetch(run: &Run<'_>, bare: &Path) -> Result<RepositoryUpdate, ModuleFetchError> {
    let before = refs(run, bare).await?;
    mark_stale(bare)?;
    // Without `+`, a tag that moved is refused; quiet, git would not say which.
    let wanted = ["+refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"];
    let mut arguments = vec!["-c", "gc.auto=0", "-c", "maintenance.auto=false"];
    arguments.extend(["fetch", "--no-progress", "--no-write-fetch-head"]);
    arguments.extend(["--", run.url()]);
    arguments.extend(wanted);
    let moved_tags = match run.git(Some(bare), &arguments).await {
        Ok(_) => Vec::new(),
        Err(ModuleFetchError::Git { step, words }) => {
            let moved = moved_tags(&words);
            if moved.is_empty() {
                return Err(ModuleFetchError::Git { step, words });
            }
            moved
        }
        Err(error) => return Err(error),
    };
    if let Some(tag) = run
        .reference()
        .filter(|it| moved_tags.iter().any(|moved| moved == it))
    {
        let tag = tag.to_owned();
        return Err(ModuleFetchError::MovedTag { tag });
    }
    follow_head(run, bare).await?;
    let is_same = refs(run, bare).await? == before;
    Ok(RepositoryUpdate {
        change: if is_same {
            RepositoryChange::Kept
        } else {
            RepositoryChange::Fetched
        },
        moved_tags,
    })
}

/// The tags that git has refused to move.
fn moved_tags(words: &str) -> Vec<String> {
    let lines = words
        .split("; ")
        .filter(|line| line.contains("(would clobber existing tag)"));
    let names = lines.filter_map(|line| line.split_once("->")?.1.split_whitespace().next());
    names.map(str::to_owned).collect()
}

/// What is checked out where a call names no ref.
async fn follow_head(run: &Run<'_>, bare: &Path) -> Result<(), ModuleFetchError> {
    let arguments = ["ls-remote", "--symref", "--", run.url(), "HEAD"];
    let listed = run.git(Some(bare), &arguments).await?;
    let listed = String::from_utf8_lossy(&listed);
    let branch = listed.lines().find_map(|line| {
        let (branch, name) = line.strip_prefix("ref: ")?.split_once('\t')?;
        (name == "HEAD" && branch.starts_with("refs/heads/")).then_some(branch)
    });
    if let Some(branch) = branch {
        run.git(Some(bare), &["symbolic-ref", "HEAD", branch])
            .await?;
    }
    Ok(())
}

/// Whether a plain web server has what it is asked for first.
fn has_lists(bare: &Path) -> bool {
    let is_filled = |name: &str| {
        bare.join(name)
            .metadata()
            .is_ok_and(|found| found.len() > 0)
    };
    !bare.join(STALE_MARK).exists() && is_filled(REFS_LIST) && is_filled("objects/info/packs")
}

async fn clone_bare(run: &Run<'_>, bare: &Path) -> Result<(), ModuleFetchError> {
    let target = bare.to_owned();
    let staged = on_blocking_pool(move || TempDir::create_beside(&target)).await?;
    let content = staged.path().join("repository");
    let to = content.to_string_lossy();
    let arguments = [
        "clone",
        "--quiet",
        "--bare",
        "--template=",
        "--",
        run.url(),
        &to,
    ];
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

/// The URL of a submodule, which may be relative to its repository's.
fn beside(url: &str, sub: &str) -> Result<String, ModuleFetchError> {
    let refused = || ModuleFetchError::BadGitSource {
        what: "the URL of one of its submodules is not usable",
    };
    // A transport that git would start a program for, not a host.
    if sub.contains("::") {
        return Err(refused());
    }
    let is_relative = sub.starts_with("./") || sub.starts_with("../");
    let resolved = if is_relative {
        let base = Url::parse(&format!("{}/", url.trim_end_matches('/')));
        base.and_then(|base| base.join(sub))
            .map_err(|_| refused())?
            .to_string()
    } else if let Some((user, path)) = sub.split_once(':').filter(|_| !sub.contains("://")) {
        format!("ssh://{user}/{}", path.trim_start_matches('/'))
    } else {
        sub.to_owned()
    };
    // A query is none for git, but would be taken for one here.
    if resolved.contains('?') {
        return Err(refused());
    }
    Ok(Request::parse(&resolved)?.url)
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
    let arguments = ["rev-parse", "--quiet", "--verify", &name];
    run.git(Some(bare), &arguments).await.is_ok()
}

/// Whether the ref leads to the commit that is wanted, as a tag, a branch, or a commit.
async fn has_ref_at(run: &Run<'_>, bare: &Path, wanted: Option<&CommitId>) -> bool {
    let Some(wanted) = wanted else {
        return false;
    };
    let wanted = wanted.to_string();
    let names = match run.reference() {
        None => vec!["HEAD".to_owned()],
        Some(reference) if wanted.starts_with(reference) => vec![wanted.clone()],
        Some(reference) => ["tags", "heads"]
            .map(|kind| format!("refs/{kind}/{reference}"))
            .to_vec(),
    };
    for name in names {
        let name = format!("{name}^{{commit}}");
        let arguments = ["rev-parse", "--quiet", "--verify", &name];
        if let Ok(found) = run.git(Some(bare), &arguments).await {
            return String::from_utf8_lossy(&found).trim() == wanted;
        }
    }
    false
}

/// What a repository of a mirror is like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RepositoryState {
    /// Sound, and listed for web servers.
    Intact,
    /// Something is missing or has another hash; git's words.
    Damaged(String),
    /// The lists for web servers are not those of its branches and tags.
    Unlisted,
}

impl GitProgram {
    /// Writes the lists that plain web servers are asked for anew.
    ///
    /// # Errors
    ///
    /// If git is not there or fails.
    pub async fn write_lists(&self, bare: &Path) -> Result<(), ModuleFetchError> {
        let request = Request::local();
        write_lists(&self.run(&request, None), bare).await
    }

    /// Looks whether the bare repository `bare` is sound by git's own hashes: everything that branches and tags lead to,
    /// or with `every_object` each object's bytes, too. Makes no request.
    ///
    /// # Errors
    ///
    /// If git is not there.
    pub async fn examine(
        &self,
        bare: &Path,
        every_object: bool,
    ) -> Result<RepositoryState, ModuleFetchError> {
        let request = Request::local();
        let run = self.run(&request, None);
        let mut arguments = vec!["fsck", "--no-progress", "--no-dangling"];
        if !every_object {
            arguments.push("--connectivity-only");
        }
        match run.git(Some(bare), &arguments).await {
            Ok(_) => {}
            Err(ModuleFetchError::Git { words, .. }) => return Ok(RepositoryState::Damaged(words)),
            Err(error) => return Err(error),
        }
        // An empty repository has nothing to show, and git calls that a failure.
        let shown = run.git(Some(bare), &["show-ref", "--dereference"]).await;
        let shown = String::from_utf8_lossy(&shown.unwrap_or_default()).replace(' ', "\t");
        let listed = fs::read_to_string(bare.join(REFS_LIST)).unwrap_or_default();
        let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        if sorted(&shown) == sorted(&listed) {
            Ok(RepositoryState::Intact)
        } else {
            Ok(RepositoryState::Unlisted)
        }
    }
}

/// All branches and tags and what they lead to, and the default branch.
async fn refs(run: &Run<'_>, bare: &Path) -> Result<Vec<u8>, ModuleFetchError> {
    let mut refs = run.git(Some(bare), &["for-each-ref"]).await?;
    let head = bare.join("HEAD");
    refs.extend(disk::read_capped(&head, HEAD_CAP)?);
    Ok(refs)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_tags_are_told_by_gits_words() {
        let words = "From https://h/a; ! [rejected]        v1         -> v1  (would clobber existing tag); * [new tag]         v2         -> v2";
        assert_eq!(moved_tags(words), ["v1"]);
        assert!(moved_tags("fatal: x").is_empty());
    }

    #[test]
    fn urls_of_submodules_are_relative_to_their_repository() {
        for (sub, expected) in [
            ("../dns.git", Some("https://h.example/acme/dns.git")),
            ("./dns", Some("https://h.example/acme/net.git/dns")),
            ("https://o.example/x.git", Some("https://o.example/x.git")),
            ("git@o.example:a/b.git", Some("ssh://git@o.example/a/b.git")),
            ("ext::sh -c evil", None),
            ("--upload-pack=evil", None),
            ("/srv/x", None),
            ("https://o.example/x?ref=y", None),
        ] {
            let resolved = beside("https://h.example/acme/net.git", sub);
            assert_eq!(resolved.ok().as_deref(), expected, "{sub}");
        }
    }
}
