//! What the real `terraform` makes of the results of this program, and what it would have made itself.
//!
//! Each test is skipped with a message where no `terraform` is on `PATH`; with `PROVENDER_REQUIRE_TERRAFORM=1` it
//! fails there instead.

/// Registry, mirrors and sealed homes.
pub mod support;

#[cfg(test)]
mod real_terraform {
    mod scene;
    mod twins;

    #[cfg(unix)]
    mod air_gap;
    mod configurations;
    mod init_after_install;
    mod init_after_recursive_install;
    mod init_beside_the_cache;
    mod init_by_methods;
    mod init_from_local_directory;
    mod init_from_mirror;
    mod lock;
    mod lock_file_edits;
    mod lock_file_steps;
    #[cfg(unix)]
    mod login;
    mod mirror_of_terraform;
    #[cfg(unix)]
    mod modules;
    #[cfg(unix)]
    mod odd_packages;
    mod odd_releases;
    #[cfg(unix)]
    mod plugin_cache;
    mod providers_lock;
    mod real_lock_files;
    mod verify;
}
