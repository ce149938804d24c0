//! The source under `--offline`: nobody is asked, so nothing is known that is not on this machine.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt, ready};

use crate::address::{ProviderAddr, Tool};
use crate::document::{PackageId, Verdict, VersionsAnswer};
use crate::package::Enforcement;
use crate::source::origin::origin_could_prove;
use crate::source::{PackageMeta, Source, SourceError};

/// Answers every question with [`SourceError::Offline`].
#[derive(Debug)]
pub struct OfflineSource {
    stands_for: StandsFor,
}

#[derive(Debug)]
enum StandsFor {
    Origin {
        tool: Tool,
        enforcement: Enforcement,
    },
    NetworkMirror,
}

impl OfflineSource {
    /// A source that stands for the origin registries, with the signing rules of `tool`.
    pub fn of_origin(tool: Tool, enforcement: Enforcement) -> Self {
        let stands_for = StandsFor::Origin { tool, enforcement };
        Self { stands_for }
    }

    /// A source that stands for a network mirror.
    pub fn of_network_mirror() -> Self {
        let stands_for = StandsFor::NetworkMirror;
        Self { stands_for }
    }
}

impl Source for OfflineSource {
    fn available_versions<'a>(
        &'a self,
        _addr: &'a ProviderAddr,
    ) -> BoxFuture<'a, Result<Arc<VersionsAnswer>, SourceError>> {
        ready(Err(SourceError::Offline)).boxed()
    }

    fn package_meta<'a>(
        &'a self,
        _id: &'a PackageId,
    ) -> BoxFuture<'a, Result<PackageMeta, SourceError>> {
        ready(Err(SourceError::Offline)).boxed()
    }

    fn could_prove(&self, id: &PackageId, verdict: &Verdict) -> bool {
        match self.stands_for {
            StandsFor::Origin { tool, enforcement } => {
                origin_could_prove(tool, enforcement, id, verdict)
            }
            StandsFor::NetworkMirror => true,
        }
    }
}
