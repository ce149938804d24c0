//! Documents as text or bytes, without I/O: lock files, SHA256SUMS, mirror documents, evidence, HCL 1.
//!
//! Floor 1. Each module parses one kind of document into values that cannot be wrong, and writes it
//! back; reading and writing files is for the floors above, which also cap the sizes.

mod credentials_file;
mod deep_stack;
mod evidence;
pub mod far_side;
mod go_json;
pub mod hcl1;
mod json;
mod json_tree;
mod json_weight;
pub mod lock_file;
mod login_service;
mod login_sessions;
mod mirror_index;
mod module_answer;
mod module_evidence;
mod module_lock;
mod modules_manifest;
pub mod oauth;
mod package;
mod package_identity;
mod published;
mod registry_answer;
mod service_url;
mod shasums;
mod text_place;
mod trailing_comma;
mod version_document;

pub use credentials_file::{CredentialsFile, CredentialsFileError};
pub use deep_stack::{on_deep_stack, spawn_deep};
pub use evidence::{Evidence, Origin, PackageEvidence};
pub use go_json::{JsonError, Node};
pub use json::JsonDocumentError;
pub use json_weight::TooManyValues;
pub use lock_file::{LOCK_FILE_NAME, LockFileError, LockWarning, Locks, ParsedLocks, ProviderLock};
pub use login_service::{Grant, LoginService, LoginServiceError};
pub use login_sessions::{LoginSession, LoginSessions, LoginSessionsError, Refresh, token_digest};
pub use mirror_index::MirrorIndex;
pub use module_answer::{ModuleDownloadAnswer, ModuleVersionsAnswer};
pub use module_evidence::{KeptFile, ModuleEvidence};
pub use module_lock::{
    LockedModule, MODULE_LOCK_NAME, ModuleLock, ModuleLockError, ModuleLockProblem,
    ModuleLockProblemKind,
};
pub use modules_manifest::{
    MODULES_MANIFEST_NAME, ModuleRecord, ModulesManifest, ModulesManifestError,
};
pub use package::{PackageId, SigningKey, Verdict};
pub use package_identity::{CommitId, CommitIdError, PackageIdentity};
pub use published::Published;
pub use registry_answer::{
    BadShasum, OfferedVersion, PackageAnswer, ReportedPackage, VersionsAnswer,
};
pub use service_url::{BadServiceUrl, resolve_service_url};
pub use shasums::{Shasums, ShasumsError};
pub use version_document::{ArchiveEntry, VersionDocument};
