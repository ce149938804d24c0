//! Files and directories: helpers that say which path failed, and writes that leave the old state
//! or the new one.
//!
//! Floor 1. Everything here blocks; async callers use the blocking pool.
//!
//! Names from outside (archive entries, registry answers, lock files) are hostile:
//!
//! | attack | answer |
//! |---|---|
//! | a name climbs out of the root with `..` | [`SafePath`] refuses any `..` part, under `/` and `\` alike |
//! | an absolute name, a drive letter, a UNC path | [`SafePath`] refuses them on every system |
//! | a NUL byte cuts the name short | [`SafePath`] refuses it |
//! | an empty name makes the root itself the target | [`SafePath`] refuses it |
//! | a name of a Windows device or stream | [`SafePath`] refuses it where it has that meaning |
//! | a symbolic link planted inside the root leads writes outside | [`SafePath::prepare_under`] refuses links on the way and at the end |
//! | a symbolic link in place of a directory to delete | [`remove_dir_all`] removes the link, never what it points to |
//! | a link in a fetched tree leads out of it | [`detach`] refuses it |
//! | a file too large for memory | [`read_capped`] stops at its cap |
//! | a symbolic link with the name of a partial download | [`TempFile::continue_beside`] compares file and name after opening, and writes to its own file instead |
//! | a pipe with a temporary's name blocks the clean-up | [`remove_stale_temps`] opens only regular files and directories |

mod blocking;
mod copy;
mod copy_visible;
mod detach;
mod digest;
mod dir_lock;
mod directory;
mod error;
mod executable;
mod fill;
mod link;
mod list;
mod lock;
mod partial;
mod place;
mod private_dir;
mod read;
mod read_buffer;
mod record_lock;
mod resolve;
mod safe_path;
mod space;
mod stale;
mod stamp;
mod system;
mod temp;
mod tree;
mod wait;
mod write;

pub use blocking::on_blocking_pool;
pub use copy::{copy_hashed, copy_tree};
pub use copy_visible::{copy_visible_tree, share_visible_tree};
pub use detach::{DetachError, detach};
pub use digest::sha256;
pub use dir_lock::DirLock;
pub use directory::{TempDir, create_dir_all, move_dir, remove_dir_all, rename_dir};
pub use error::{DiskError, hint};
pub use executable::{is_executable, make_executable};
pub use fill::{fill_dir, is_free_for_dir, staging_for_dir};
pub use link::link_dir;
pub use list::file_names;
pub use lock::FileLock;
pub use place::{Placement, copy_into, place_tree};
pub use private_dir::create_private_dir_all;
pub use read::read_capped;
pub use read_buffer::{AlignedReader, ReadBuffer};
pub use record_lock::RecordLock;
pub use resolve::resolve_links;
pub use safe_path::{SafePath, SafePathError};
pub use space::require_space;
pub use stale::{remove_left_temps, remove_stale_temps};
pub use stamp::{FileStamp, seal_below, stamps_below, touch};
pub use system::link_to_dir;
pub use temp::{TEMP_PREFIX, TempFile};
pub use tree::{TreeContent, copy_whole_tree, tree_content};
pub use wait::when_free;
pub use write::{write_atomically, write_atomically_private};
