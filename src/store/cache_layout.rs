//! Where everything lies in the package cache.
//!
//! ```text
//! v1/archives/SHA256.zip                             archives
//! v1/unpacked/SHA256/                                their files
//! v1/records/SHA256.json                             what is remembered of each
//! v1/index/HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/SHA256  empty files: which archives a package has had
//! v1/modules/, v1/module-releases/                   packages of modules: see `module_cache`, `module_releases`
//! v1/locks/SHA256.lock                               locked by who works on the entry; its time tells the last use
//! ```

use std::path::{Path, PathBuf};

use crate::document::PackageId;
use crate::hash::Sha256Digest;

/// The version of the layout; another one would stand beside it.
const VERSION: &str = "v1";

/// The names of all files below a cache's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CacheLayout {
    dir: PathBuf,
    root: PathBuf,
}

impl CacheLayout {
    pub(super) fn new(dir: PathBuf) -> Self {
        let root = dir.join(VERSION);
        Self { dir, root }
    }

    /// The directory as the user named it.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The directory of this version of the layout.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn archives(&self) -> PathBuf {
        self.root.join("archives")
    }

    pub(super) fn unpacked_dirs(&self) -> PathBuf {
        self.root.join("unpacked")
    }

    pub(super) fn records(&self) -> PathBuf {
        self.root.join("records")
    }

    pub(super) fn locks(&self) -> PathBuf {
        self.root.join("locks")
    }

    pub(super) fn modules(&self) -> PathBuf {
        self.root.join("modules")
    }

    pub(super) fn module_releases(&self) -> PathBuf {
        self.root.join("module-releases")
    }

    pub(super) fn archive(&self, digest: Sha256Digest) -> PathBuf {
        self.archives().join(format!("{digest}.zip"))
    }

    pub(super) fn unpacked(&self, digest: Sha256Digest) -> PathBuf {
        self.unpacked_dirs().join(digest.to_string())
    }

    pub(super) fn record(&self, digest: Sha256Digest) -> PathBuf {
        self.records().join(format!("{digest}.json"))
    }

    pub(super) fn lock(&self, digest: Sha256Digest) -> PathBuf {
        self.locks().join(format!("{digest}.lock"))
    }

    /// The directory whose file names are the digests of a package. Two packages may share one on a
    /// file system that does not tell their names apart; records tell which proof is whose.
    pub(super) fn index(&self, id: &PackageId) -> PathBuf {
        let addr = &id.addr;
        // A colon has a meaning of its own in names on Windows.
        let host = addr.hostname().for_comparison().replace(':', "_");
        let provider = self.root.join("index").join(host);
        let provider = provider.join(addr.namespace()).join(addr.ty());
        provider
            .join(id.version.to_string())
            .join(id.platform.to_string())
    }

    pub(super) fn index_entry(&self, id: &PackageId, digest: Sha256Digest) -> PathBuf {
        self.index(id).join(digest.to_string())
    }
}

/// The digest that a file name begins with, if it is followed by `suffix` and nothing else.
pub(super) fn digest_of(name: &str, suffix: &str) -> Option<Sha256Digest> {
    name.strip_suffix(suffix)?.parse().ok()
}
