//! `install` with addresses: providers unpacked into a filesystem mirror directory.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::address::Platform;
use crate::config::ProviderRequest;
use crate::document::PackageId;
use crate::ops::blocking::on_blocking_pool;
use crate::ops::install::one::{Installer, Order, Placed};
use crate::ops::install::prior::Prior;
use crate::ops::mirror::plan::wanted;
use crate::ops::packages::obtain::Obtainer;
use crate::ops::packages::pipeline::{Prepared, Slot, heaviest_first};
use crate::ops::{Action, Choice, Fetcher, PackageFailure, PackageOutcome, PlatformChoice};
use crate::ops::{Summary, Wish};
use crate::source::Source;
use crate::store::InstallStore;
use crate::version::Prereleases;

/// What to install.
#[derive(Debug, Clone)]
pub struct InstallDirRequest {
    /// The filesystem mirror's directory.
    pub dir: PathBuf,
    /// The providers.
    pub requests: Vec<ProviderRequest>,
    /// For which platforms.
    pub platforms: BTreeSet<Platform>,
    /// Packages in flight at once.
    pub jobs: usize,
}

/// Installs the newest matching version of each provider for each platform. A package that was
/// installed before is kept if its files are still the same; anything else in its place is replaced.
pub async fn install_into_directory(
    source: &dyn Source,
    fetcher: &Fetcher<'_>,
    request: &InstallDirRequest,
) -> Summary {
    let wish = |request: &ProviderRequest| Wish {
        addr: request.addr.clone(),
        constraints: request.constraints.clone(),
        choice: Choice::Newest(NonZeroUsize::MIN),
        locked: Vec::new(),
    };
    let wishes: Vec<Wish> = request.requests.iter().map(wish).collect();
    let platforms = PlatformChoice::Listed(request.platforms.clone());
    let prereleases = Prereleases::ExactOnly;
    let wanted = wanted(
        source,
        &wishes,
        &platforms,
        prereleases,
        request.jobs,
        fetcher.reporter,
    )
    .await;
    let store = InstallStore::with_notes(&request.dir);
    let installer = Installer {
        obtainer: Obtainer { source, fetcher },
        store: &store,
        // A mirror must not depend on a directory that its user may empty at any time.
        plugin_cache: None,
    };
    fetcher.reporter.planned(wanted.packages.len());
    let finished = |outcome: PackageOutcome| {
        fetcher.reporter.finished(&outcome);
        outcome
    };
    let failed = |id, failure| finished(PackageOutcome::failed("install", id, failure));
    let installer = &installer;
    let prepare = |id: PackageId| async move {
        match prepare(installer, &id).await {
            Ok(Prepared::Done(outcome)) => Prepared::Done(finished(outcome)),
            Ok(work) => work,
            Err(failure) => Prepared::Done(failed(id, failure)),
        }
    };
    let work = |order: Order, slot: Slot| async move {
        let id = order.id.clone();
        match installer.install(order, Prior::Free, &slot).await {
            Ok(placed) => finished(installed(id, placed)),
            Err(failure) => failed(id, failure),
        }
    };
    let packages = heaviest_first(wanted.packages, request.jobs, prepare, work).await;
    let mut summary = Summary {
        packages,
        failures: wanted.failures,
        ..Summary::default()
    };
    summary.sort();
    summary
}

async fn prepare(
    installer: &Installer<'_>,
    id: &PackageId,
) -> Result<Prepared<Order, PackageOutcome>, PackageFailure> {
    let (store, wanted) = (installer.store.clone(), id.clone());
    if on_blocking_pool(move || store.is_as_noted(&wanted)).await {
        let kept = PackageOutcome::done(id.clone(), Action::Kept, None, None);
        return Ok(Prepared::Done(kept));
    }
    let order = installer.prepare(id.clone(), Prior::Free).await?;
    let weight = order.meta.as_ref();
    Ok(Prepared::Work {
        weight: weight.map_or(0, |meta| installer.obtainer.fetcher.weight(meta)),
        work: order,
    })
}

fn installed(id: PackageId, placed: Placed) -> PackageOutcome {
    PackageOutcome::done(id, Action::Installed, Some(placed.verdict), placed.size)
}
