//! Use cases: no printing, no clap. A directory for each command or kind of work; what several need lies in `packages` (one
//! package of a provider from source to proved bytes), `cache` and `modules`.

mod auth;
mod blocking;
mod cache;
mod error;
mod explain;
mod install;
mod lock;
mod mirror;
pub mod module_mirror;
mod modules;
mod outdated;
mod packages;
mod reporter;
mod root_requirements;
mod sourced_root;
mod verify;
mod versions;

pub use auth::browser::BrowserUse;
pub use auth::dialog::LoginDialog;
pub use auth::error::LoginError;
pub use auth::helper::{HELPER_NAME, HELPER_PROGRAM, install_helper};
pub use auth::login::{LoginOutcome, LoginParts, LoginRequest, TokenFrom, log_in};
pub use auth::logout::{LogoutOutcome, log_out};
pub use auth::status::{HostStatus, auth_status, auth_token};
pub use auth::way::{LoginWay, login_way};
pub use cache::gc::{CacheGcOutcome, CacheGcRequest, Effect, collect_cache_garbage};
pub use cache::verify::{CacheFinding, VerifiedCache, verify_cache};
pub use error::{OpError, PackageFailure};
pub use explain::{
    ExplainRequest, ExplainedHost, ExplainedMethod, Explanation, explain, explain_host,
};
pub use install::directory::{InstallDirRequest, install_into_directory};
pub use install::root::{InstallRootRequest, LockMode, install_root};
pub use install::tree::{
    InstallTreeRequest, Kinds, RootOutcome, TreeRoot, TreeSummary, install_tree, root_modules_below,
};
pub use lock::tree::{LockEffect, LockTreeRequest, LockedVersions, lock_tree};
pub use mirror::key_trust::NewKeys;
pub use mirror::plan::{MissingPlatformPolicy, PlatformChoice};
pub use mirror::run::{MirrorRequest, mirror, plan_mirror};
pub use mirror::wishes::{
    Choice, Wish, WishOptions, wishes_of_lock_file, wishes_of_requests, wishes_of_root,
};
pub use modules::error::{ModuleInstallError, ModuleLockGap};
pub use modules::mismatch::{ModuleMismatch, OtherDirectory};
pub use modules::origins::ModuleOrigins;
pub use modules::outcome::ModuleOutcome;
pub use modules::single::{InstallModuleRequest, install_module};
pub use modules::versions::{ListedModuleVersions, list_module_versions};
pub use outdated::modules::OutdatedModule;
pub use outdated::providers::{OutdatedReport, OutdatedRow, outdated};
pub use packages::expired_keys::ExpiredKeys;
pub use packages::fetch::{Fetcher, PackageSizes, SignaturePolicy};
pub use packages::outcome::{Action, PackageOutcome, Summary};
pub use reporter::{Reporter, SilentReporter, Stage};
pub use root_requirements::{RootRequirements, root_requirements};
pub use sourced_root::SourcedRoot;
pub use verify::finding::{Finding, FindingKind, ModuleSubject, Remedy, Subject};
pub use verify::fix::{FixMirrorRequest, MissingPackages, fix_mirror};
pub use verify::fix_executables::make_executable;
pub use verify::installed::{InstalledRoot, VerifyInstalledRequest, verify_installed};
pub use verify::lock_file::LockSite;
pub use verify::locks_read::{MirrorPlace, VerifyLocksRequest};
pub use verify::mirror::{MirrorDepth, VerifyMirrorRequest, verify_mirror};
pub use verify::mirrored::verify_mirrored;
pub use verify::published::verify_published;
pub use verify::verification::{Authority, Mending, Verification};
pub use versions::{ListedVersions, list_versions};
