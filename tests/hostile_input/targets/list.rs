//! The list, which a new parser of hostile input joins.

use super::{configurations, documents, logins, modules, packages, texts, wire};

/// One thing to feed.
pub(crate) struct Target {
    /// Its name, also of its file in `fuzz/fuzz_targets`.
    pub(crate) name: &'static str,
    /// Inputs to begin from.
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
    /// Takes any bytes; panics if a parser does not keep its word.
    pub(crate) feed: fn(&[u8]),
}

macro_rules! targets {
    ($($module:ident: $($name:ident)*;)*) => {
        &[$($(Target {
            name: stringify!($name),
            seeds: $module::seeds::$name,
            feed: $module::$name,
        },)*)*]
    };
}

/// All of them.
pub(crate) const TARGETS: &[Target] = targets! {
    texts: versions addresses names;
    documents: lock_file shasums registry_answers discovery_answer mirror_documents evidence;
    configurations: module_configuration state cli_configuration;
    logins: login_service login_answers credentials;
    modules: module_source module_answers module_lock module_archive;
    packages: archive signing_key signature;
    wire: http_answers;
};
