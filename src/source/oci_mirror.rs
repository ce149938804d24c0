//! OpenTofu's mirror in an OCI registry, which this version recognises and does not ask.

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt, ready};

use crate::address::ProviderAddr;
use crate::document::{PackageId, Verdict, VersionsAnswer};
use crate::source::{PackageMeta, Source, SourceError};

/// Answers every question with [`SourceError::OciMirror`].
#[derive(Debug)]
pub struct OciMirrorSource {
    method: String,
}

impl OciMirrorSource {
    /// Stands for the method that `method` describes.
    pub fn new(method: String) -> Self {
        Self { method }
    }

    fn refusal(&self, addr: &ProviderAddr) -> SourceError {
        SourceError::OciMirror {
            addr: addr.clone(),
            method: self.method.clone(),
        }
    }
}

impl Source for OciMirrorSource {
    fn available_versions<'a>(
        &'a self,
        addr: &'a ProviderAddr,
    ) -> BoxFuture<'a, Result<Arc<VersionsAnswer>, SourceError>> {
        ready(Err(self.refusal(addr))).boxed()
    }

    fn package_meta<'a>(
        &'a self,
        id: &'a PackageId,
    ) -> BoxFuture<'a, Result<PackageMeta, SourceError>> {
        ready(Err(self.refusal(&id.addr))).boxed()
    }

    fn could_prove(&self, _id: &PackageId, _verdict: &Verdict) -> bool {
        false
    }
}
