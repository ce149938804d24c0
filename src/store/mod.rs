//! Where verified packages are kept: the package cache, the tools' plugin cache, the mirror directory and
//! install directories.
mod cache_entry;
mod cache_layout;
mod cache_record;
mod install_store;
mod mirror_binding;
mod mirror_index;
mod mirror_inventory;
mod mirror_layout;
mod mirror_proof;
mod mirror_store;
mod module_cache;
mod module_inventory;
mod module_mirror;
mod module_record;
mod module_releases;
mod package_cache;
mod plugin_cache;
mod store_error;

pub use cache_entry::{CacheDamage, CacheEntry, CachedPackage};
pub use install_store::{InstallStore, InstalledPackage};
pub use mirror_index::IndexedArchive;
pub use mirror_inventory::{MirrorInventory, MirroredProvider};
pub use mirror_layout::MirrorLayout;
pub use mirror_store::{
    KeptPackage, MirrorLock, MirrorRecord, MirrorStore, PresentCheck, SumsRecord, read_document,
};
pub use module_cache::{CachedModule, ModuleCache, ModuleKey};
pub use module_inventory::ModuleInventory;
pub use module_mirror::{FLAT_LOCATION, ModuleMirror, page_text};
pub use module_releases::{ModuleRelease, ModuleReleases};
pub use package_cache::{CacheContents, CachedFacts, PackageCache};
pub use plugin_cache::{EntryLock, PluginCache, UnlockedEntries};
pub use store_error::StoreError;
