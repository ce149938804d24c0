//! Where verified packages are kept: the mirror directory and install directories.
mod install_store;
mod mirror_index;
mod mirror_layout;
mod mirror_proof;
mod mirror_store;
mod store_error;

pub use install_store::{InstallStore, InstalledPackage};
pub use mirror_index::IndexedArchive;
pub use mirror_layout::MirrorLayout;
pub use mirror_store::{KeptPackage, MirrorLock, MirrorRecord, MirrorStore, PresentCheck};
pub use store_error::StoreError;
