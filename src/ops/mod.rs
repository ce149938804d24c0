//! Use cases: one file each, no printing, no clap.
mod blocking;
mod cache_gc;
mod cache_use;
mod cache_verify;
mod error;
mod explain;
mod fetch;
mod install_dir;
mod install_one;
mod install_root;
mod install_tree;
mod lock_update;
mod mirror;
mod mirror_plan;
mod mirror_wishes;
mod outcome;
mod pipeline;
mod plugin_cache_use;
mod reporter;
mod root_requirements;
mod root_run;
mod selection;
mod tree_packages;
mod tree_selection;
mod tree_site;
mod versions;

pub use cache_gc::{CacheGcOutcome, CacheGcRequest, Effect, collect_cache_garbage};
pub use cache_verify::{CacheFinding, VerifiedCache, verify_cache};
pub use error::{OpError, PackageFailure};
pub use explain::{
    ExplainRequest, ExplainedHost, ExplainedMethod, Explanation, explain, explain_host,
};
pub use fetch::{Fetcher, PackageSizes, SignaturePolicy};
pub use install_dir::{InstallDirRequest, install_into_directory};
pub use install_root::{InstallRootRequest, LockMode, install_root};
pub use install_tree::{
    InstallTreeRequest, RootOutcome, TreeRoot, TreeSummary, install_tree, root_modules_below,
};
pub use mirror::{MirrorRequest, mirror, plan_mirror};
pub use mirror_plan::{MissingPlatformPolicy, PlatformChoice};
pub use mirror_wishes::{
    Choice, Wish, WishOptions, wishes_of_lock_file, wishes_of_requests, wishes_of_root,
};
pub use outcome::{Action, PackageOutcome, Summary};
pub use reporter::{Reporter, SilentReporter, Stage};
pub use root_requirements::{RootRequirements, root_requirements};
pub use versions::{ListedVersions, list_versions};
