//! Packages that configurations name by URL, into the mirror: repositories, archives, pages that send on.

use std::path::{Path, PathBuf};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use url::Url;

use super::expected::Expected;
use super::packages::{Obtained, ObtainedOrigin, Packages, expect_same, kept_file};
use super::{MirrorEffect, ModuleMirrorError};
use crate::address::{PackagePlace, RemoteModule, encode_pairs, query_pairs, shown_source};
use crate::disk::SafePath;
use crate::document::{ModuleEvidence, PackageIdentity};
use crate::hash::Sha256Digest;
use crate::ops::Action;
use crate::ops::blocking::on_blocking_pool;
use crate::source::{
    GitSource, GotModule, ModuleFetchError, RepositoryChange, find_subdir, is_archive, refusal,
};
use crate::store::{ModuleMirror, PresentCheck, page_text};

/// How often servers may send on, as for the getters.
const MAX_HOPS: usize = 10;
/// Query keys that are for the tools and never reach a server.
const KEYS_OF_TOOLS: [&str; 3] = ["archive", "checksum", "filename"];

impl Packages<'_> {
    /// Takes the package of a source into the mirror unless it is there, or is not the locked one; all of it, whatever
    /// directory is named.
    pub(super) fn remote<'a>(
        &'a self,
        module: &'a RemoteModule,
        expected: &'a Expected,
        named: &'a str,
        hops: usize,
    ) -> BoxFuture<'a, Result<Obtained, ModuleMirrorError>> {
        async move {
            match module.getter().as_str() {
                "http" | "https" => match self.sent_on(module).await? {
                    SentOn::Nowhere => self.archive(module, expected).await,
                    SentOn::Unknown => Ok(Obtained::planned()),
                    SentOn::To(_) | SentOn::Newly(_) if hops == MAX_HOPS => {
                        Err(ModuleFetchError::TooManyHops { limit: MAX_HOPS }.into())
                    }
                    SentOn::To(next) => self.remote_part(&next, expected, named, hops).await,
                    SentOn::Newly(next) => {
                        let found = self.remote_part(&next, expected, named, hops).await?;
                        // Nothing leads to a package that was refused.
                        self.put_page(module, &next).await?;
                        Ok(found)
                    }
                },
                "git" => self.repository(module, expected, named).await,
                "file" => self.on_disk(module, expected, named).await,
                getter => Err(refusal(getter.to_owned()).into()),
            }
        }
        .boxed()
    }

    async fn remote_part(
        &self,
        next: &RemoteModule,
        expected: &Expected,
        named: &str,
        hops: usize,
    ) -> Result<Obtained, ModuleMirrorError> {
        let expected = expected.in_part(next.subdir());
        let found = self.remote(next, &expected, named, hops + 1).await?;
        part(found, next.subdir()).await
    }

    /// Where the server of a source that is no archive sends on.
    async fn sent_on(&self, module: &RemoteModule) -> Result<SentOn, ModuleMirrorError> {
        if is_archive(module, self.tool) {
            return Ok(SentOn::Nowhere);
        }
        let place = PackagePlace::of_archive(module.url())?;
        let asked = Asked::of(module)?;
        let turn = self.turn_of(&place);
        let _turn = turn.lock().await;
        expect_asked(
            &ModuleMirror::evidence_of(&self.store.page(&place))?,
            &asked,
            &place,
        )?;
        if let Some(next) = self.kept_page(&place)? {
            return Ok(SentOn::To(next));
        }
        if self.effect == MirrorEffect::Plan {
            return Ok(SentOn::Unknown);
        }
        let Some(next) = self.origins.getter.redirection(module).await? else {
            return Ok(SentOn::Nowhere);
        };
        Ok(SentOn::Newly(next))
    }

    /// Keeps where a server sends on as a page that says the same.
    async fn put_page(
        &self,
        module: &RemoteModule,
        next: &RemoteModule,
    ) -> Result<(), ModuleMirrorError> {
        let place = PackagePlace::of_archive(module.url())?;
        let asked = Asked::of(module)?;
        let turn = self.turn_of(&place);
        let _turn = turn.lock().await;
        let known = ModuleMirror::evidence_of(&self.store.page(&place))?;
        expect_asked(&known, &asked, &place)?;
        let mut evidence = asked.evidence();
        evidence.location = Some(next.shown());
        let (store, page) = (self.store.clone(), page_text(&next.to_string()));
        on_blocking_pool(move || store.put_page(&place, &evidence, &page)).await?;
        Ok(())
    }

    /// Where a page that is there sends on; none that hides a secret, and none if everything is to be checked.
    fn kept_page(&self, place: &PackagePlace) -> Result<Option<RemoteModule>, ModuleMirrorError> {
        if self.present == PresentCheck::Bytes {
            return Ok(None);
        }
        let page = self.store.page(place);
        let evidence = ModuleMirror::evidence_of(&page)?;
        let location = evidence.location.filter(|_| page.is_file());
        let location = location.filter(|it| !it.contains("***"));
        let parsed = location.map(|text| RemoteModule::parse_full(&text, self.tool));
        Ok(parsed.and_then(Result::ok))
    }

    async fn archive(
        &self,
        module: &RemoteModule,
        expected: &Expected,
    ) -> Result<Obtained, ModuleMirrorError> {
        let place = PackagePlace::of_archive(module.url())?;
        let asked = Asked::of(module)?;
        let turn = self.turn_of(&place);
        let _turn = turn.lock().await;
        let (store, check, at) = (self.store.clone(), self.present, place.clone());
        let present = on_blocking_pool(move || store.present_archive(&at, check)).await?;
        let known = ModuleMirror::evidence_of(&self.store.archive(&place))?;
        expect_asked(&known, &asked, &place)?;
        let dir = self.fresh_dir()?;
        if let Some(evidence) = present {
            self.unpack(module, self.store.archive(&place), &dir)
                .await?;
            if let Some(identity) = &evidence.identity {
                expected.check(&dir, identity).await?;
            }
            return Ok(whole(dir, Action::Kept, evidence.identity));
        }
        if self.effect == MirrorEffect::Plan {
            return Ok(Obtained::planned());
        }
        let fetched = self.fetch_archive(module, &place, asked, &dir, expected);
        let fetched = fetched.await;
        if fetched.is_err() {
            self.store.remove_empty_dirs(&place);
        }
        fetched.map(|identity| whole(dir, Action::Mirrored, Some(identity)))
    }

    /// Fetches an archive into the mirror, once it is known to be sound: that is unpacked into `dir`.
    async fn fetch_archive(
        &self,
        module: &RemoteModule,
        place: &PackagePlace,
        asked: Asked,
        dir: &Path,
        expected: &Expected,
    ) -> Result<PackageIdentity, ModuleMirrorError> {
        let at = self.store.archive(place);
        let (file, digest) = self.origins.getter.fetch_archive(module, &at).await?;
        self.unpack(module, file.path().to_owned(), dir).await?;
        let identity = PackageIdentity::Archive(digest);
        expected.check(dir, &identity).await?;
        let mut evidence = asked.evidence();
        evidence.identity = Some(identity.clone());
        let kept = kept_file(file.path())?;
        expect_same(&ModuleMirror::evidence_of(&at)?, kept, &at)?;
        evidence.file = Some(kept);
        let (store, place) = (self.store.clone(), place.clone());
        on_blocking_pool(move || store.put_archive(&place, file, &evidence)).await?;
        Ok(identity)
    }

    async fn unpack(
        &self,
        module: &RemoteModule,
        archive: PathBuf,
        dir: &Path,
    ) -> Result<(), ModuleMirrorError> {
        let (getter, module, dir) = (self.origins.getter.clone(), module.clone(), dir.to_owned());
        on_blocking_pool(move || getter.unpack(&module, &archive, &dir)).await?;
        Ok(())
    }

    async fn repository(
        &self,
        module: &RemoteModule,
        expected: &Expected,
        named: &str,
    ) -> Result<Obtained, ModuleMirrorError> {
        let source = GitSource::parse(module.url())?;
        let place = PackagePlace::of_repository(&source.url)?;
        let bare = self.store.repository(&place);
        if self.effect == MirrorEffect::Plan && !bare.is_dir() {
            return Ok(Obtained::planned());
        }
        let change = self
            .clone_or_update(module.url(), &source, &place, expected)
            .await?;
        let dir = self.fresh_dir()?;
        let git = &self.origins.getter.git;
        let commit = git.check_out(module.url(), &bare, &dir).await?;
        expected.check_commit(&commit)?;
        let change = change.max(self.submodules(&source.url, &dir, named, 0).await?);
        let identity = PackageIdentity::Commit(commit);
        expected.check(&dir, &identity).await?;
        self.note_repository(&place, &source, named).await?;
        let action = match change {
            RepositoryChange::Fetched => Action::Mirrored,
            RepositoryChange::Kept => Action::Kept,
        };
        Ok(whole(dir, action, Some(identity)))
    }

    /// Takes a repository into the mirror, or what is new in it, unless its ref leads to another commit than the locked one.
    async fn clone_or_update(
        &self,
        url: &str,
        source: &GitSource,
        place: &PackagePlace,
        expected: &Expected,
    ) -> Result<RepositoryChange, ModuleMirrorError> {
        let bare = self.store.repository(place);
        let turn = self.turn_of(place);
        let _turn = turn.lock().await;
        let is_local = Url::parse(&source.url).is_ok_and(|url| url.scheme() == "file");
        let is_offline = self.origins.getter.http.is_none() && !is_local;
        match (self.effect, is_offline) {
            (MirrorEffect::Plan, _) => return Ok(RepositoryChange::Kept),
            (MirrorEffect::Fill, true) if bare.is_dir() => return Ok(RepositoryChange::Kept),
            (MirrorEffect::Fill, true) => return Err(ModuleFetchError::Offline.into()),
            (MirrorEffect::Fill, false) => {}
        }
        self.lock_repositories().await?;
        let git = &self.origins.getter.git;
        let is_checked = self.present == PresentCheck::Bytes;
        if let Some(commit) = expected.commit()
            && (is_checked || !git.leads_to(url, &bare, commit).await?)
            && let Some(commit) = git.current_commit(url, &self.fresh_dir()?).await?
        {
            // What is cloned is served.
            expected.check_commit(&commit)?;
        }
        let wanted = expected.commit();
        let update = git.mirror(url, &bare, wanted, is_checked).await?;
        for tag in update.moved_tags {
            self.reporter.warning(&format!(
                "the tag `{tag}` has moved in `{}`; the mirror keeps it where it was",
                shown_source(&source.url)
            ));
        }
        Ok(update.change)
    }

    /// Takes the repositories of submodules along, as the tools fetch them with every clone; they are checked out from
    /// there.
    fn submodules<'a>(
        &'a self,
        url: &'a str,
        dir: &'a Path,
        named: &'a str,
        depth: usize,
    ) -> BoxFuture<'a, Result<RepositoryChange, ModuleMirrorError>> {
        async move {
            let git = &self.origins.getter.git;
            let submodules = git.submodules(url, dir).await?;
            if submodules.is_empty() {
                return Ok(RepositoryChange::Kept);
            }
            if depth == MAX_HOPS {
                return Err(ModuleFetchError::TooManyHops { limit: MAX_HOPS }.into());
            }
            let mut change = RepositoryChange::Kept;
            let mut repositories = Vec::new();
            for (_, url) in &submodules {
                let source = GitSource::parse(url)?;
                let place = PackagePlace::of_repository(&source.url)?;
                let anything = Expected::default();
                let cloned = self.clone_or_update(url, &source, &place, &anything);
                change = change.max(cloned.await?);
                self.note_repository(&place, &source, named).await?;
                repositories.push((source.url, self.store.repository(&place)));
            }
            git.check_out_submodules(url, dir, &repositories).await?;
            for (path, url) in &submodules {
                let path =
                    path.parse::<SafePath>()
                        .map_err(|_| ModuleFetchError::SubdirOutside {
                            subdir: path.clone(),
                        })?;
                let dir = path.under(dir);
                let below = self.submodules(url, &dir, named, depth + 1);
                change = change.max(below.await?);
            }
            Ok(change)
        }
        .boxed()
    }

    /// Notes by which URL the far side asks for a repository, and tells what it cannot have.
    async fn note_repository(
        &self,
        place: &PackagePlace,
        source: &GitSource,
        named: &str,
    ) -> Result<(), ModuleMirrorError> {
        if self.effect == MirrorEffect::Plan {
            return Ok(());
        }
        if source.is_shallow {
            self.reporter.warning(&format!(
                "{named} asks for a part of the history (`depth`), which a plain web server cannot give: leave `depth` out for the far side"
            ));
        }
        let shown = shown_source(&source.url);
        if shown != source.url {
            self.reporter.warning(&format!(
                "{named} has a user or password in its URL, which is not written to `client/gitconfig`: the far side does not find its repository in the mirror"
            ));
            return Ok(());
        }
        if !self.store.knows_repository(place, &shown)? {
            let (_turn, lock) = self.lock().await?;
            self.store.note_repository(&lock, place, &shown)?;
        }
        Ok(())
    }

    /// Reads what is on this machine's disk, which no mirror serves.
    async fn on_disk(
        &self,
        module: &RemoteModule,
        expected: &Expected,
        named: &str,
    ) -> Result<Obtained, ModuleMirrorError> {
        let dir = self.fresh_dir()?;
        let got = self.origins.getter.get(module, &dir).await?;
        let identity = got.identity();
        let dir = match got {
            GotModule::Files(_) => dir,
            GotModule::Link(there) => there,
        };
        expected.check(&dir, &identity).await?;
        self.reporter.warning(&format!(
            "{named} lies on this machine's disk and is not mirrored: put it at the same place on the far side"
        ));
        Ok(whole(dir, Action::Skipped, Some(identity)))
    }
}

/// Where a server sends on.
enum SentOn {
    /// It is asked for an archive.
    Nowhere,
    /// To this package.
    To(RemoteModule),
    /// The same, and the mirror does not have it yet.
    Newly(RemoteModule),
    /// It is not asked.
    Unknown,
}

/// The directory of a package that an answer named: that alone is the package.
async fn part(found: Obtained, subdir: &str) -> Result<Obtained, ModuleMirrorError> {
    if found.action == Action::WouldFetch {
        return Ok(found);
    }
    let (dir, subdir) = (found.dir, subdir.to_owned());
    let search = move || find_subdir(&dir, &subdir).map(|found| dir.join(found));
    let dir = on_blocking_pool(search).await?;
    Ok(Obtained { dir, ..found })
}

fn whole(dir: PathBuf, action: Action, identity: Option<PackageIdentity>) -> Obtained {
    Obtained {
        dir,
        prefix: String::new(),
        action,
        origin: identity.map(ObtainedOrigin::Identity),
    }
}

/// What the tools ask a server for.
struct Asked {
    /// The URL without secrets.
    shown: String,
    /// The digest of all of it but the user, who is asked alike for the same file.
    digest: Sha256Digest,
}

impl Asked {
    fn of(module: &RemoteModule) -> Result<Self, ModuleMirrorError> {
        let bad = || ModuleMirrorError::from(ModuleFetchError::BadUrl);
        let mut url = Url::parse(module.url()).map_err(|_| bad())?;
        let mut pairs = query_pairs(url.query().unwrap_or_default()).ok_or_else(bad)?;
        pairs.retain(|(key, _)| !KEYS_OF_TOOLS.contains(&key.as_str()));
        let query = encode_pairs(&pairs);
        url.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
        // A URL that is fetched has a host, so that both can be set.
        let is_without = url.set_username("").is_ok() && url.set_password(None).is_ok();
        if !is_without {
            return Err(bad());
        }
        Ok(Self {
            shown: shown_source(url.as_str()),
            digest: Sha256Digest::of(url.as_str().as_bytes()),
        })
    }

    fn evidence(self) -> ModuleEvidence {
        let mut evidence = ModuleEvidence::of(self.shown);
        evidence.asked = Some(self.digest);
        evidence
    }
}

/// Refuses a place that another URL has: a plain web server does not look at queries.
fn expect_asked(
    known: &ModuleEvidence,
    asked: &Asked,
    place: &PackagePlace,
) -> Result<(), ModuleMirrorError> {
    match known.asked {
        Some(digest) if digest != asked.digest => Err(ModuleMirrorError::Taken {
            place: format!("archives/{place}"),
            kept: known.sources.join("`, `"),
        }),
        Some(_) | None => Ok(()),
    }
}
