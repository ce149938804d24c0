//! Which package of the cache a version of a registry's module is: what `--offline` knows of registries.
//!
//! ```text
//! v1/module-releases/TOOL/HOST/NAMESPACE/NAME/SYSTEM/VERSION.json
//! ```
//!
//! Its own format; an entry that is damaged, or about another module, counts as absent. It names no place that anything is
//! fetched from, only a key of the cache.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::address::{ModuleAddr, Tool};
use crate::disk;
use crate::document::PackageIdentity;
use crate::store::module_cache::ModuleKey;
use crate::store::{PackageCache, StoreError};
use crate::version::ModuleVersion;

const FORMAT_VERSION: &str = "1.0";
const KNOWN_MAJOR: &str = "1.";
const ENTRY_CAP: u64 = 1 << 20;

/// The package of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleRelease {
    /// By what the package is found in the cache.
    pub key: ModuleKey,
    /// The package's source as messages show it.
    pub source: String,
    /// The directory in the package that the registry names, perhaps empty.
    pub subdir: String,
}

/// What the cache knows of the modules of registries.
#[derive(Debug, Clone)]
pub struct ModuleReleases {
    cache: PackageCache,
}

#[derive(Debug, Serialize, Deserialize)]
struct Document {
    format_version: String,
    address: String,
    version: String,
    key: String,
    source: String,
    subdir: String,
}

impl ModuleReleases {
    pub(super) fn new(cache: PackageCache) -> Self {
        Self { cache }
    }

    /// The versions of a module whose packages are in the cache. Blocks.
    ///
    /// # Errors
    ///
    /// If the cache cannot be read.
    pub fn of(
        &self,
        addr: &ModuleAddr,
        tool: Tool,
    ) -> Result<Vec<(ModuleVersion, ModuleRelease)>, StoreError> {
        let dir = self.dir(addr, tool);
        if !dir.is_dir() {
            return Ok(Vec::new());
        }
        let modules = self.cache.modules();
        let mut found = Vec::new();
        for name in disk::file_names(&dir)? {
            let Ok(bytes) = disk::read_capped(&dir.join(&name), ENTRY_CAP) else {
                continue;
            };
            let release = read(&bytes, addr).filter(|(_, release)| modules.has(release.key));
            found.extend(release);
        }
        Ok(found)
    }

    /// Where a registry said that the package of a version is, whatever of it is in the cache. Blocks.
    pub fn find(
        &self,
        addr: &ModuleAddr,
        tool: Tool,
        version: &ModuleVersion,
    ) -> Option<ModuleRelease> {
        let bytes = disk::read_capped(&self.path(addr, tool, version), ENTRY_CAP).ok()?;
        let (found, release) = read(&bytes, addr)?;
        (found == *version).then_some(release)
    }

    /// Whether the package of a release is recorded in the cache. Blocks.
    pub fn holds(&self, release: &ModuleRelease, identity: &PackageIdentity) -> bool {
        self.cache.modules().contains(release.key, identity)
    }

    /// Remembers where a registry says that the package of a version is. Blocks.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    #[expect(clippy::missing_panics_doc, reason = "texts always make JSON")]
    pub fn note(
        &self,
        addr: &ModuleAddr,
        tool: Tool,
        version: &ModuleVersion,
        release: &ModuleRelease,
    ) -> Result<(), StoreError> {
        let document = Document {
            format_version: FORMAT_VERSION.to_owned(),
            address: addr.to_string(),
            version: version.to_string(),
            key: release.key.digest().to_string(),
            source: release.source.clone(),
            subdir: release.subdir.clone(),
        };
        let text = serde_json::to_string_pretty(&document).expect("texts make JSON");
        let path = self.path(addr, tool, version);
        let known = disk::read_capped(&path, ENTRY_CAP);
        if known.is_ok_and(|known| known == text.as_bytes()) {
            return Ok(());
        }
        Ok(disk::write_atomically(&path, text.as_bytes())?)
    }

    fn path(&self, addr: &ModuleAddr, tool: Tool, version: &ModuleVersion) -> PathBuf {
        self.dir(addr, tool).join(format!("{version}.json"))
    }

    fn dir(&self, addr: &ModuleAddr, tool: Tool) -> PathBuf {
        // A colon has a meaning of its own in names on Windows.
        let host = addr.hostname().for_comparison().replace(':', "_");
        let releases = self.cache.layout().module_releases();
        let namespace = releases.join(tool.name()).join(host).join(addr.namespace());
        namespace.join(addr.name()).join(addr.target_system())
    }
}

/// Names that a file system does not tell apart are told by the entry.
fn read(bytes: &[u8], addr: &ModuleAddr) -> Option<(ModuleVersion, ModuleRelease)> {
    let document: Document = serde_json::from_slice(bytes).ok()?;
    if !document.format_version.starts_with(KNOWN_MAJOR) || document.address != addr.to_string() {
        return None;
    }
    let release = ModuleRelease {
        key: ModuleKey::from_digest(document.key.parse().ok()?),
        source: document.source,
        subdir: document.subdir,
    };
    Some((document.version.parse().ok()?, release))
}
