//! What `verify` finds wrong: one value for each problem, with its kind, subject, got and expected value.

use std::path::{Path, PathBuf};

use crate::address::{Platform, ProviderAddr};
use crate::document::PackageId;
use crate::failure::ExitCode;
use crate::version::Version;

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What sort of problem it is.
    pub kind: FindingKind,
    /// What it is about.
    pub subject: Subject,
    /// The file or directory.
    pub path: Option<PathBuf>,
    /// What is there.
    pub got: Option<String>,
    /// What should be there.
    pub expected: Option<String>,
    /// What this means, where kind and values do not say it.
    pub explanation: Option<String>,
    /// The lock file, if several are verified: its root module's path below the directory of the search.
    pub lock: Option<String>,
    /// Whether `--fix` has mended it, which was verified again.
    pub fixed: bool,
}

/// The provider, version and platform, or the module, that a problem is about, as far as it is about one.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The module.
    pub module: Option<ModuleSubject>,
    /// The provider.
    pub addr: Option<ProviderAddr>,
    /// Its version.
    pub version: Option<Version>,
    /// The platform.
    pub platform: Option<Platform>,
}

/// A called module that a problem is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModuleSubject {
    /// The names of the calls from the root, joined with `.`.
    pub key: String,
    /// The source in its normal form, without secrets.
    pub source: String,
    /// The version, for modules of registries.
    pub version: Option<String>,
}

/// What sort of problem it is. The order is that of reports about one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FindingKind {
    /// Bytes, a size or a listed hash are others than they should be.
    Mismatch,
    /// An archive or directory that cannot be a package: hostile, broken, not to be hashed.
    Damaged,
    /// A signature or its document that proves nothing.
    BadSignature,
    /// Nothing is signed, and a signature is announced or required.
    Unsigned,
    /// Signed by a key that no earlier version is known by.
    ChangedKey,
    /// Signed by an expired key, under `--expired-keys reject`.
    ExpiredKey,
    /// A lock file's hash that no package can have, or none of the published ones has.
    InventedHash,
    /// The registry publishes other packages under this version than the locked ones.
    Recut,
    /// An index has the hashes of another version.
    ForeignHashes,
    /// An index leads out of the mirror, or to another file.
    WrongUrl,
    /// The registry no longer offers the version.
    Withdrawn,
    /// The version is not published for the platform.
    NotPublished,
    /// Something that is named is not there.
    Missing,
    /// Something that is there is not named.
    Unlocked,
    /// The package is right, but only the other form of its `h1` hash is known.
    OtherForm,
    /// There is no hash to compare with.
    Incomparable,
    /// The plugin of an installed package may not be executed.
    NotExecutable,
    /// An index does not name what is there.
    StaleIndex,
    /// The tools take a packed prerelease for another version, as they lower-case its name.
    LowerCased,
    /// A dot-file that `terraform providers mirror` left and may take for a package.
    Leftover,
    /// A file that nothing accounts for.
    Stray,
    /// A document of the mirror that cannot be read.
    Unreadable,
    /// A lock file that was written by hand.
    HandEdited,
    /// A lock file with an unresolved merge.
    Conflict,
    /// A lock file that cannot be understood.
    BadLock,
}

/// What `--fix` can do about a kind of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Fetching the package, or writing an index anew, may mend it.
    Mend,
    /// A decision of people.
    None,
}

impl FindingKind {
    /// Every kind, in order.
    pub const ALL: [Self; 25] = [
        Self::Mismatch,
        Self::Damaged,
        Self::BadSignature,
        Self::Unsigned,
        Self::ChangedKey,
        Self::ExpiredKey,
        Self::InventedHash,
        Self::Recut,
        Self::ForeignHashes,
        Self::WrongUrl,
        Self::Withdrawn,
        Self::NotPublished,
        Self::Missing,
        Self::Unlocked,
        Self::OtherForm,
        Self::Incomparable,
        Self::NotExecutable,
        Self::StaleIndex,
        Self::LowerCased,
        Self::Leftover,
        Self::Stray,
        Self::Unreadable,
        Self::HandEdited,
        Self::Conflict,
        Self::BadLock,
    ];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mismatch => "mismatch",
            Self::Damaged => "damaged",
            Self::BadSignature => "bad-signature",
            Self::Unsigned => "unsigned",
            Self::ChangedKey => "changed-key",
            Self::ExpiredKey => "expired-key",
            Self::InventedHash => "invented-hash",
            Self::Recut => "recut",
            Self::ForeignHashes => "foreign-hashes",
            Self::WrongUrl => "wrong-url",
            Self::Withdrawn => "withdrawn",
            Self::NotPublished => "not-published",
            Self::Missing => "missing",
            Self::Unlocked => "unlocked",
            Self::OtherForm => "other-form",
            Self::Incomparable => "incomparable",
            Self::NotExecutable => "not-executable",
            Self::StaleIndex => "stale-index",
            Self::LowerCased => "lower-cased",
            Self::Leftover => "leftover",
            Self::Stray => "stray",
            Self::Unreadable => "unreadable",
            Self::HandEdited => "hand-edited",
            Self::Conflict => "conflict",
            Self::BadLock => "bad-lock",
        }
    }

    /// The exit code that a problem of this kind leads to.
    pub fn exit_code(self) -> ExitCode {
        match self {
            Self::Mismatch
            | Self::Damaged
            | Self::BadSignature
            | Self::Unsigned
            | Self::ChangedKey
            | Self::ExpiredKey
            | Self::InventedHash
            | Self::Recut
            | Self::ForeignHashes
            | Self::WrongUrl => ExitCode::Verification,
            Self::Withdrawn | Self::NotPublished => ExitCode::NotFound,
            Self::Missing
            | Self::Unlocked
            | Self::OtherForm
            | Self::Incomparable
            | Self::NotExecutable
            | Self::StaleIndex
            | Self::LowerCased
            | Self::Leftover
            | Self::Stray
            | Self::Unreadable
            | Self::HandEdited => ExitCode::Difference,
            Self::Conflict | Self::BadLock => ExitCode::Local,
        }
    }

    /// What the kind means, for the manual.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Mismatch => {
                "bytes, a size or a listed hash, or the source or version of a module, are others than they \
                 should be"
            }
            Self::Damaged => "an archive or directory that is hostile, broken or cannot be hashed",
            Self::BadSignature => {
                "a signature, or the document under it, that does not prove the package"
            }
            Self::Unsigned => {
                "no signature where one is announced or `--require-signature` asks for it"
            }
            Self::ChangedKey => "signed by a key that no earlier version in the mirror is known by",
            Self::ExpiredKey => "signed by an expired key, under `--expired-keys reject`",
            Self::InventedHash => {
                "a hash in a lock file that no package can have, or that is not among the published ones"
            }
            Self::Recut => {
                "the registry publishes other packages under the version than the locked ones"
            }
            Self::ForeignHashes => "an index that has the hashes of another version or platform",
            Self::WrongUrl => "an index whose `url` leads out of the mirror or to another file",
            Self::Withdrawn => "the registry no longer offers the version",
            Self::NotPublished => "the version is not published for the platform",
            Self::Missing => "something that is named is not there",
            Self::Unlocked => "something that is there is not in the lock file",
            Self::OtherForm => {
                "the package is the locked one, but only the other form of its `h1` hash is known: that of \
                 the archive or that of its directory"
            }
            Self::Incomparable => {
                "there is no hash to compare with, such as only `zh` hashes for a directory"
            }
            Self::NotExecutable => "the plugin of an installed package may not be executed",
            Self::StaleIndex => {
                "an index that does not name what is there, or names a version that is not"
            }
            Self::LowerCased => {
                "a packed prerelease that the tools take for another version, as they lower-case its name"
            }
            Self::Leftover => {
                "a hidden `.terraform-provider-*.zip` of a `terraform providers mirror` that failed, which it \
                 may take for the package"
            }
            Self::Stray => "a file that nothing accounts for",
            Self::Unreadable => {
                "a document of the mirror that cannot be read; `--fix` writes an index anew, and leaves evidence"
            }
            Self::HandEdited => "a lock file with a list of hashes that no tool has written so",
            Self::Conflict => "a lock file with an unresolved merge conflict",
            Self::BadLock => "a lock file that cannot be understood",
        }
    }

    /// Whether a package with such a problem may not be called proved, whatever else is known of it.
    pub(in crate::ops) fn is_against_proof(self) -> bool {
        match self {
            Self::Mismatch
            | Self::Damaged
            | Self::BadSignature
            | Self::Unsigned
            | Self::ChangedKey
            | Self::ExpiredKey
            | Self::Missing => true,
            Self::InventedHash
            | Self::Recut
            | Self::ForeignHashes
            | Self::WrongUrl
            | Self::Withdrawn
            | Self::NotPublished
            | Self::Unlocked
            | Self::OtherForm
            | Self::Incomparable
            | Self::NotExecutable
            | Self::StaleIndex
            | Self::LowerCased
            | Self::Leftover
            | Self::Stray
            | Self::Unreadable
            | Self::HandEdited
            | Self::Conflict
            | Self::BadLock => false,
        }
    }

    /// Whether `--fix` can do something about problems of the kind.
    pub fn remedy(self) -> Remedy {
        match self {
            Self::Mismatch
            | Self::Damaged
            | Self::BadSignature
            | Self::Unsigned
            | Self::ForeignHashes
            | Self::WrongUrl
            | Self::Missing
            | Self::NotExecutable
            | Self::StaleIndex
            | Self::Leftover
            | Self::Unreadable => Remedy::Mend,
            Self::ChangedKey
            | Self::ExpiredKey
            | Self::InventedHash
            | Self::Recut
            | Self::Withdrawn
            | Self::NotPublished
            | Self::Unlocked
            | Self::OtherForm
            | Self::Incomparable
            | Self::LowerCased
            | Self::Stray
            | Self::HandEdited
            | Self::Conflict
            | Self::BadLock => Remedy::None,
        }
    }
}

impl Subject {
    /// The address of the provider, or the source of the module.
    pub fn address(&self) -> Option<String> {
        let module = self.module.as_ref();
        let source = module.map(|module| module.source.clone());
        self.addr.as_ref().map(ToString::to_string).or(source)
    }

    /// The version of the provider or module, as text.
    pub fn version_text(&self) -> Option<String> {
        let of_module = self.module.as_ref().and_then(|it| it.version.clone());
        self.version.as_ref().map(ToString::to_string).or(of_module)
    }

    /// A provider as a whole.
    pub fn provider(addr: &ProviderAddr) -> Self {
        Self {
            addr: Some(addr.clone()),
            ..Self::default()
        }
    }

    /// A version of a provider.
    pub fn version(addr: &ProviderAddr, version: &Version) -> Self {
        Self {
            version: Some(version.clone()),
            ..Self::provider(addr)
        }
    }
}

impl From<&PackageId> for Subject {
    fn from(id: &PackageId) -> Self {
        Self {
            platform: Some(id.platform.clone()),
            ..Self::version(&id.addr, &id.version)
        }
    }
}

impl Finding {
    /// A problem about `subject`, of which nothing else is told yet.
    pub fn new(kind: FindingKind, subject: impl Into<Subject>) -> Self {
        Self {
            kind,
            subject: subject.into(),
            path: None,
            got: None,
            expected: None,
            explanation: None,
            lock: None,
            fixed: false,
        }
    }

    /// Tells the file or directory.
    #[must_use]
    pub fn at(self, path: &Path) -> Self {
        Self {
            path: Some(path.to_owned()),
            ..self
        }
    }

    /// Tells what is there.
    #[must_use]
    pub fn got(self, got: &(impl ToString + ?Sized)) -> Self {
        Self {
            got: Some(got.to_string()),
            ..self
        }
    }

    /// Tells what should be there.
    #[must_use]
    pub fn expected(self, expected: &(impl ToString + ?Sized)) -> Self {
        Self {
            expected: Some(expected.to_string()),
            ..self
        }
    }

    /// Tells what it means.
    #[must_use]
    pub fn because(self, explanation: impl Into<String>) -> Self {
        Self {
            explanation: Some(explanation.into()),
            ..self
        }
    }

    /// Whether `--fix` can do something about it; evidence is nobody's to throw away.
    pub fn remedy(&self) -> Remedy {
        if self.kind == FindingKind::Unreadable && self.is_about_evidence() {
            return Remedy::None;
        }
        self.kind.remedy()
    }

    /// Whether it is about a file that is kept beside packages, and not about an index.
    pub(in crate::ops) fn is_about_evidence(&self) -> bool {
        let name = self.path.as_deref().and_then(Path::file_name);
        name.is_some_and(|name| name.to_string_lossy().starts_with("terraform-provider-"))
    }

    /// Whether this is the problem that `other` was, whatever else is told of it.
    pub(in crate::ops) fn is_same_as(&self, other: &Self) -> bool {
        (self.kind, &self.subject, &self.path, &self.lock)
            == (other.kind, &other.subject, &other.path, &other.lock)
    }

    /// The package that it is about, if it is about one.
    pub fn package(&self) -> Option<PackageId> {
        Some(PackageId {
            addr: self.subject.addr.clone()?,
            version: self.subject.version.clone()?,
            platform: self.subject.platform.clone()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_is_listed_once_with_a_word_of_its_own() {
        let names: BTreeSet<&str> = FindingKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), FindingKind::ALL.len());
        assert!(FindingKind::ALL.is_sorted());
        // The last kind is the highest: one that is missing from the list would make it shorter.
        assert_eq!(FindingKind::ALL.len(), FindingKind::BadLock as usize + 1);
    }
}
