//! Use cases: one file each, no printing, no clap.
mod auth_status;
mod blocking;
mod cache_gc;
mod cache_use;
mod cache_verify;
mod error;
mod explain;
mod fetch;
mod install_dir;
mod install_helper;
mod install_one;
mod install_prior;
mod install_root;
mod install_tree;
mod lock_hashes;
mod lock_site;
mod lock_tree;
mod lock_update;
mod login;
mod login_browser;
mod login_dialog;
mod login_error;
mod login_token;
mod login_way;
mod logout;
mod mirror;
mod mirror_plan;
mod mirror_wishes;
mod obtain;
mod outcome;
mod outdated;
mod pipeline;
mod plugin_cache_use;
mod reporter;
mod root_requirements;
mod root_run;
mod selection;
mod sourced_root;
mod tree_packages;
mod tree_selection;
mod tree_site;
mod versions;

pub use auth_status::{HostStatus, auth_status, auth_token};
pub use cache_gc::{CacheGcOutcome, CacheGcRequest, Effect, collect_cache_garbage};
pub use cache_verify::{CacheFinding, VerifiedCache, verify_cache};
pub use error::{OpError, PackageFailure};
pub use explain::{
    ExplainRequest, ExplainedHost, ExplainedMethod, Explanation, explain, explain_host,
};
pub use fetch::{Fetcher, PackageSizes, SignaturePolicy};
pub use install_dir::{InstallDirRequest, install_into_directory};
pub use install_helper::{HELPER_NAME, HELPER_PROGRAM, install_helper};
pub use install_root::{InstallRootRequest, LockMode, install_root};
pub use install_tree::{
    InstallTreeRequest, RootOutcome, TreeRoot, TreeSummary, install_tree, root_modules_below,
};
pub use lock_tree::{LockEffect, LockTreeRequest, LockedVersions, lock_tree};
pub use login::{LoginOutcome, LoginParts, LoginRequest, TokenFrom, log_in};
pub use login_browser::BrowserUse;
pub use login_dialog::LoginDialog;
pub use login_error::LoginError;
pub use login_way::{LoginWay, login_way};
pub use logout::{LogoutOutcome, log_out};
pub use mirror::{MirrorRequest, mirror, plan_mirror};
pub use mirror_plan::{MissingPlatformPolicy, PlatformChoice};
pub use mirror_wishes::{
    Choice, Wish, WishOptions, wishes_of_lock_file, wishes_of_requests, wishes_of_root,
};
pub use outcome::{Action, PackageOutcome, Summary};
pub use outdated::{OutdatedReport, OutdatedRow, outdated};
pub use reporter::{Reporter, SilentReporter, Stage};
pub use root_requirements::{RootRequirements, root_requirements};
pub use sourced_root::SourcedRoot;
pub use versions::{ListedVersions, list_versions};
