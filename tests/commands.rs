//! The program as its users run it: the built binary in a sealed place, against a registry inside the test process.
//!
//! Each test arranges by a builder, runs, and compares exit code, stdout and stderr as one block; then it looks at files
//! and at what the registry was asked.

/// The registry and the place to run in.
pub mod support;

#[cfg(test)]
mod commands {
    mod login_scene;
    #[cfg(unix)]
    mod module_scene;
    mod scene;

    mod cache_care;
    mod cache_damage;
    mod cache_offline;
    mod cache_processes;
    mod cache_reuse;
    mod credentials;
    #[cfg(unix)]
    mod credentials_helper;
    mod errors;
    mod explain;
    mod hostile_packages;
    mod install_directory;
    mod install_locked;
    #[cfg(unix)]
    mod install_module;
    #[cfg(unix)]
    mod install_modules;
    mod install_recursive;
    mod install_requirements;
    mod install_root;
    mod interruption;
    mod key_trust;
    mod lock;
    mod login;
    mod login_hostile;
    #[cfg(unix)]
    mod login_keyring;
    mod login_renewal;
    mod login_token;
    mod methods;
    mod mirror;
    mod mirror_content;
    mod mirror_failures;
    mod mirror_from;
    #[cfg(unix)]
    mod mirror_module_lock;
    #[cfg(unix)]
    mod mirror_modules;
    mod mirror_selection;
    #[cfg(unix)]
    mod module_cache;
    #[cfg(unix)]
    mod module_directories;
    #[cfg(unix)]
    mod module_far_side;
    mod module_lock;
    mod module_lock_whole;
    #[cfg(unix)]
    mod module_processes;
    #[cfg(unix)]
    mod module_sources;
    mod outdated;
    mod outdated_modules;
    mod output;
    mod plugin_cache;
    mod plugin_cache_lock;
    mod release_made_anew;
    mod tokens;
    mod usage;
    mod verify_installed;
    mod verify_locks;
    mod verify_mirror;
    #[cfg(unix)]
    mod verify_mirror_modules;
    #[cfg(unix)]
    mod verify_modules;
    mod versions;
}
