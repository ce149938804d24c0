//! `verify`, all forms: installed packages, a mirror against itself, lock files against mirrors and registries; and `--fix`.

pub(super) mod evidence;
pub(super) mod finding;
pub(super) mod fix;
pub(super) mod fix_executables;
pub(super) mod installed;
pub(super) mod lock_file;
pub(super) mod locks_read;
pub(super) mod mirror;
pub(super) mod mirror_checks;
pub(super) mod mirror_facts;
pub(super) mod mirror_index_checks;
mod mirror_listing;
pub(super) mod mirror_proof;
pub(super) mod mirror_state;
pub(super) mod mirrored;
pub(super) mod modules;
pub(super) mod published;
pub(super) mod verification;
