//! The outcomes of the field's own tools, compared with this program's, case by case.
//!
//! Cases are JSON files under `tests/vectors`, or in the directory that `PROVENDER_VECTORS` names. Each
//! test takes one file, prints how many cases ran, failed and were left out (with the reason for each),
//! and fails with the list of failed cases.

/// Registries that the cases describe.
pub mod support;

#[cfg(test)]
mod conformance {
    mod support;

    mod archive_urls;
    mod cli_config;
    mod config_scan;
    mod constraints_match;
    mod constraints_parse;
    mod credentials_file;
    #[cfg(unix)]
    mod credentials_read;
    mod dirhash;
    mod discovery;
    mod hostname;
    mod installation;
    mod lockfile_load;
    mod lockfile_save;
    mod login_documents;
    mod login_values;
    mod methods;
    mod mirror_paths;
    mod module_registries;
    mod module_source;
    mod module_versions;
    mod modules_manifest;
    mod network_mirrors;
    mod pkce;
    mod provider_address;
    mod provider_installation;
    mod real_cli_config;
    mod real_keys;
    mod real_lock_files;
    mod real_registry_data;
    mod registries;
    mod registry_client;
    mod registry_requests;
    mod reported_packages;
    mod shasums;
    mod signatures;
    mod token_env_hostnames;
    mod versions;
}
