//! `mirror`: fills or updates a mirror directory.

use std::collections::{BTreeMap, BTreeSet};

use tokio::sync::{Mutex, MutexGuard};

use crate::address::{ProviderAddr, Tool};
use crate::document::PackageId;
use crate::hash::{HashScheme, PackageHash};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::mirror::key_trust::KnownKeys;
use crate::ops::mirror::lock::lock_mirror;
use crate::ops::mirror::plan::{Wanted, wanted};
use crate::ops::packages::fetch::Fetched;
use crate::ops::packages::pipeline::{Prepared, Slot, heaviest_first};
use crate::ops::{
    Action, Choice, Fetcher, MissingPlatformPolicy, NewKeys, OpError, PackageFailure,
    PackageOutcome, PlatformChoice, Reporter, Stage, Summary, Wish,
};
use crate::package::{ArchiveError, KnownContents};
use crate::source::{PackageLocation, PackageMeta, Proof, Source};
use crate::store::{
    KeptPackage, MirrorLock, MirrorRecord, MirrorStore, PresentCheck, StoreError, SumsRecord,
};
use crate::version::{Prereleases, Version};

/// What to mirror.
#[derive(Debug, Clone)]
pub struct MirrorRequest {
    /// The providers and their versions.
    pub wishes: Vec<Wish>,
    /// The platforms of each.
    pub platforms: PlatformChoice,
    /// Whether ranges match prereleases.
    pub prereleases: Prereleases,
    /// What to do about versions that lack a platform.
    pub missing_platform: MissingPlatformPolicy,
    /// When a package that is there is good enough.
    pub present: PresentCheck,
    /// Packages in flight at once.
    pub jobs: usize,
    /// What to do about signing keys that the mirror does not know.
    pub new_keys: NewKeys,
    /// The tool that the mirror is for, to name it in warnings.
    pub tool: Tool,
    /// Versions whose packages are fetched even if their evidence holds, as nothing signed is behind it.
    pub unproved: BTreeSet<(ProviderAddr, Version)>,
}

/// Tells what [`mirror`] would do, from metadata alone: no request per package, no change on disk.
pub async fn plan_mirror(
    source: &dyn Source,
    reporter: &dyn Reporter,
    store: &MirrorStore,
    request: &MirrorRequest,
) -> Summary {
    let wanted = request.wanted(source, reporter).await;
    let mut summary = Summary {
        packages: Vec::new(),
        failures: wanted.failures,
        ..Summary::default()
    };
    for id in wanted.packages {
        let outcome = match store.present(&id, request.present) {
            Err(error) => PackageOutcome::failed("mirror", id.clone(), error.into()),
            Ok(Some(kept)) => kept_outcome(id, kept),
            Ok(None) if wanted.unlisted.contains(&id) => request.unlisted(id),
            Ok(None) => PackageOutcome::done(id, Action::WouldFetch, None, None),
        };
        summary.packages.push(outcome);
    }
    summary.sort();
    summary
}

/// Fetches what is wanted and not there, `jobs` packages at once; one failure stops no other.
pub async fn mirror(
    source: &dyn Source,
    fetcher: &Fetcher<'_>,
    store: &MirrorStore,
    request: &MirrorRequest,
) -> Summary {
    let wanted = request.wanted(source, fetcher.reporter).await;
    let run = Run {
        turn: Mutex::default(),
        known_keys: KnownKeys::default(),
        source,
        fetcher,
        store,
        request,
    };
    fetcher.reporter.planned(wanted.packages.len());
    let prepare = |id| run.prepare(id);
    let work = |meta, slot| run.fetch(meta, slot);
    let packages = heaviest_first(wanted.packages, request.jobs, prepare, work).await;
    let mut summary = Summary {
        packages,
        failures: wanted.failures,
        ..Summary::default()
    };
    summary.sort();
    run.complete_indexes(&mut summary).await;
    summary
}

impl MirrorRequest {
    async fn wanted(&self, source: &dyn Source, reporter: &dyn Reporter) -> Wanted {
        wanted(
            source,
            &self.wishes,
            &self.platforms,
            self.prereleases,
            self.jobs,
            reporter,
        )
        .await
    }

    /// The outcome for a package that the registry's own list says does not exist.
    fn unlisted(&self, id: PackageId) -> PackageOutcome {
        match self.missing_platform {
            MissingPlatformPolicy::Skip => PackageOutcome::done(id, Action::Skipped, None, None),
            MissingPlatformPolicy::Error => PackageOutcome::failed(
                "mirror",
                id.clone(),
                PackageFailure::NotListed {
                    id: Box::new(id.clone()),
                },
            ),
        }
    }
}

struct Run<'a> {
    /// Whose turn it is to change documents.
    turn: Mutex<()>,
    known_keys: KnownKeys,
    source: &'a dyn Source,
    fetcher: &'a Fetcher<'a>,
    store: &'a MirrorStore,
    request: &'a MirrorRequest,
}

impl Run<'_> {
    async fn prepare(&self, id: PackageId) -> Prepared<Box<PackageMeta>, PackageOutcome> {
        match self.keep_or_ask(&id).await {
            Ok(Prepared::Done(outcome)) => Prepared::Done(self.finished(outcome)),
            Ok(work) => work,
            Err(failure) => Prepared::Done(self.failed(id, failure)),
        }
    }

    async fn keep_or_ask(
        &self,
        id: &PackageId,
    ) -> Result<Prepared<Box<PackageMeta>, PackageOutcome>, PackageFailure> {
        let (store, package, check) = (self.store.clone(), id.clone(), self.request.present);
        let present = on_blocking_pool(move || store.present(&package, check)).await?;
        let version = (id.addr.clone(), id.version.clone());
        let is_proved = !self.request.unproved.contains(&version);
        if let Some(kept) = present.filter(|kept| is_proved && self.fetcher.accepts(&kept.verdict))
        {
            self.compare_kept_with_locks(id).await?;
            return Ok(Prepared::Done(kept_outcome(id.clone(), kept)));
        }
        let meta = Box::new(self.source.package_meta(id).await?);
        self.compare_with_mirror(&meta).await?;
        Ok(Prepared::Work {
            weight: self.fetcher.weight(&meta),
            work: meta,
        })
    }

    fn failed(&self, id: PackageId, failure: PackageFailure) -> PackageOutcome {
        let is_missing =
            matches!(&failure, PackageFailure::Source(error) if error.is_missing_platform());
        self.finished(
            if is_missing && self.request.missing_platform == MissingPlatformPolicy::Skip {
                PackageOutcome::done(id, Action::Skipped, None, None)
            } else {
                PackageOutcome::failed("mirror", id, failure)
            },
        )
    }

    fn finished(&self, outcome: PackageOutcome) -> PackageOutcome {
        self.fetcher.reporter.finished(&outcome);
        outcome
    }

    async fn fetch(&self, meta: Box<PackageMeta>, slot: Slot) -> PackageOutcome {
        let id = meta.id.clone();
        match self.fetch_and_put(*meta, &slot).await {
            Ok(outcome) => self.finished(outcome),
            Err(failure) => self.failed(id, failure),
        }
    }

    async fn fetch_and_put(
        &self,
        meta: PackageMeta,
        slot: &Slot,
    ) -> Result<PackageOutcome, PackageFailure> {
        let id = meta.id.clone();
        self.check_key(&meta).await?;
        let place = self.store.layout().archive(&id);
        let fetched = self.fetcher.fetch(&meta, &place, slot).await?;
        self.fetcher.reporter.stage(&id, Stage::Proving);
        let (store, record) = (self.store.clone(), record(&meta));
        let verdict = fetched.package.verdict().clone();
        let size = fetched.package.size();
        let (fetched, contents) = on_blocking_pool(move || inspected(fetched)).await?;
        let (zh, h1_zip) = (
            PackageHash::zh(fetched.package.digest()),
            contents.h1_zip.clone(),
        );
        self.compare_with_locks(&id, &[zh, h1_zip, contents.h1_directory.clone()]);
        let (_turn, lock) = self.lock().await?;
        on_blocking_pool(move || {
            store.put(
                &lock,
                &fetched.package,
                fetched.file,
                &contents.h1_zip,
                &record,
            )
        })
        .await?;
        Ok(PackageOutcome::done(
            id,
            Action::Mirrored,
            Some(verdict),
            Some(size),
        ))
    }

    /// Refuses what is not the release that the mirror knows, before it is fetched.
    async fn compare_with_mirror(&self, meta: &PackageMeta) -> Result<(), PackageFailure> {
        let (store, id) = (self.store.clone(), meta.id.clone());
        let (record, announced) = (record(meta), meta.announced());
        on_blocking_pool(move || store.compare(&id, &record, announced)).await?;
        Ok(())
    }

    /// Refuses what is signed by a key that is new to the mirror, before it is fetched.
    async fn check_key(&self, meta: &PackageMeta) -> Result<(), PackageFailure> {
        let signer = match &meta.proof {
            Proof::Registry { shasums, .. } => shasums.sealed.signer(),
            Proof::Mirror { .. } | Proof::Nothing => None,
        };
        match (signer, self.request.new_keys) {
            (Some(signer), NewKeys::Refuse) => {
                let addr = &meta.id.addr;
                self.known_keys.check(self.store, addr, signer).await
            }
            (Some(_), NewKeys::Accept) | (None, _) => Ok(()),
        }
    }

    /// Tells of a package with these `hashes` that the lock file it is mirrored for will refuse on the far
    /// side.
    fn compare_with_locks(&self, id: &PackageId, hashes: &[PackageHash]) {
        let known = |hash: &&PackageHash| hash.scheme() != HashScheme::Other;
        for wish in self.locked_wishes(id) {
            let mut locked = wish.locked.iter().filter(known).peekable();
            if locked.peek().is_some() && !locked.any(|hash| hashes.contains(hash)) {
                self.fetcher.reporter.warning(&format!(
                    "none of the hashes in the lock file fits {id}: `{} init` with that lock file will refuse it",
                    self.request.tool.name()
                ));
            }
        }
    }

    /// The wishes for exactly this version, of which lock files may know hashes.
    fn locked_wishes(&self, id: &PackageId) -> impl Iterator<Item = &Wish> {
        let choice = Choice::Exactly(id.version.clone());
        let wishes = self.request.wishes.iter();
        wishes.filter(move |wish| wish.addr == id.addr && wish.choice == choice)
    }

    async fn compare_kept_with_locks(&self, id: &PackageId) -> Result<(), PackageFailure> {
        if self.locked_wishes(id).all(|wish| wish.locked.is_empty()) {
            return Ok(());
        }
        let (store, kept) = (self.store.clone(), id.clone());
        let hashes = on_blocking_pool(move || store.known_hashes(&kept)).await?;
        self.compare_with_locks(id, &hashes);
        Ok(())
    }

    /// The indexes of every version that has packages are looked through once more, since an
    /// earlier run may have been killed before it came to them.
    async fn complete_indexes(&self, summary: &mut Summary) {
        let placed =
            |outcome: &&PackageOutcome| matches!(outcome.action, Action::Mirrored | Action::Kept);
        let mut versions: BTreeMap<ProviderAddr, BTreeSet<Version>> = BTreeMap::new();
        for outcome in summary.packages.iter().filter(placed) {
            let id = &outcome.id;
            versions
                .entry(id.addr.clone())
                .or_default()
                .insert(id.version.clone());
        }
        for (addr, versions) in versions {
            if addr.hostname().port().is_some() {
                self.fetcher.reporter.warning(&format!(
                    "`{addr}` has a port in its host name: the tools can install it from this mirror as a filesystem mirror, not over the network"
                ));
            }
            let completed = self.complete_index(addr, versions).await;
            summary.failures.extend(completed.err().map(OpError::Store));
        }
    }

    async fn complete_index(
        &self,
        addr: ProviderAddr,
        versions: BTreeSet<Version>,
    ) -> Result<(), StoreError> {
        let (store, check) = (self.store.clone(), self.request.present);
        let unindexed = on_blocking_pool(move || {
            store.remove_leftovers(&addr, &versions);
            store.unindexed(&addr, &versions, check)
        })
        .await?;
        // A mirror that needs nothing may be read-only.
        if unindexed.is_empty() {
            return Ok(());
        }
        let (_turn, lock) = self.lock().await?;
        let store = self.store.clone();
        on_blocking_pool(move || store.index(&lock, &unindexed)).await
    }

    /// The right to change documents of the mirror: first among the tasks of this process, then
    /// among processes. Waiting ends when the run is dropped.
    async fn lock(&self) -> Result<(MutexGuard<'_, ()>, MirrorLock), StoreError> {
        let turn = self.turn.lock().await;
        let lock = lock_mirror(self.store, self.fetcher.reporter).await?;
        Ok((turn, lock))
    }
}

/// Looks through a fetched archive; one that is no package is of no use to a later run either.
fn inspected(fetched: Fetched) -> Result<(Fetched, KnownContents), ArchiveError> {
    match fetched.package.known_or_inspected() {
        Ok(contents) => Ok((fetched, contents)),
        Err(error) => {
            fetched.file.discard();
            Err(error)
        }
    }
}

fn record(meta: &PackageMeta) -> MirrorRecord {
    let download_url = match &meta.location {
        PackageLocation::Url(url) => Some(url.clone()),
        PackageLocation::Archive(_) | PackageLocation::Directory(_) => None,
    };
    let id = &meta.id;
    let (filename, sums) = match &meta.proof {
        Proof::Registry {
            filename, shasums, ..
        } => {
            let sums = SumsRecord {
                shasums_url: shasums.url.clone(),
                signature_url: shasums.signature_url.clone(),
                shasums: shasums.sealed.document().to_vec(),
                signature: shasums.signature.clone(),
                signing_keys: shasums.signing_keys.clone(),
                trusted_key: shasums.sealed.signer().map(|it| it.fingerprint.clone()),
            };
            (filename.clone(), Some(sums))
        }
        // What another mirror passes on has lost its signature.
        Proof::Mirror { .. } | Proof::Nothing => {
            let (ty, version, platform) = (id.addr.ty(), &id.version, &id.platform);
            let filename = format!("terraform-provider-{ty}_{version}_{platform}.zip");
            (filename, None)
        }
    };
    MirrorRecord {
        filename,
        protocols: meta.protocols.clone(),
        download_url,
        sums,
    }
}

fn kept_outcome(id: PackageId, kept: KeptPackage) -> PackageOutcome {
    PackageOutcome::done(id, Action::Kept, Some(kept.verdict), Some(kept.size))
}
