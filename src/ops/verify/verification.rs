//! The result of `verify`: what was verified, and all that was found wrong.

use std::collections::BTreeMap;
use std::error::Error;

use crate::document::{MODULE_LOCK_NAME, PackageId, Verdict};
use crate::failure::{ExitCode, Failure};
use crate::ops::{Action, Finding, FindingKind, OpError, PackageOutcome, Remedy, Summary};

/// What was verified.
#[derive(Debug, Default)]
pub struct Verification {
    /// The packages that were looked at, as verified or failed, and what could not be looked at.
    pub summary: Summary,
    /// Every problem, in order of address, version, platform and kind.
    pub findings: Vec<Finding>,
    /// Whether `--fix` has been or can be tried.
    pub mending: Mending,
    /// What the packages were compared with.
    pub authority: Authority,
}

/// What packages were compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Authority {
    /// A lock file, whatever signatures say.
    #[default]
    LockFile,
    /// What their publishers have signed, where it is there.
    Evidence,
}

/// What there is to say of `--fix`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mending {
    /// It may be tried.
    #[default]
    Untried,
    /// It was tried, or cannot be.
    Over,
}

impl Verification {
    /// Puts together what was looked at and what was found. A package with a problem counts as failed.
    pub(in crate::ops) fn of(
        looked_at: BTreeMap<PackageId, Known>,
        findings: Vec<Finding>,
        failures: Vec<OpError>,
    ) -> Self {
        let looked_at = looked_at.into_iter().map(|(id, known)| LookedAt {
            id,
            root: None,
            known,
        });
        Self::of_roots(looked_at, findings, failures)
    }

    /// As [`Self::of`], with packages that each root module has for itself.
    pub(in crate::ops) fn of_roots(
        looked_at: impl IntoIterator<Item = LookedAt>,
        mut findings: Vec<Finding>,
        failures: Vec<OpError>,
    ) -> Self {
        findings.sort_by(|a, b| order(a).cmp(&order(b)));
        findings.dedup();
        let outcome = |LookedAt { id, root, known }: LookedAt| {
            let is_here = |finding: &&Finding| root.is_none() || finding.lock == root;
            let about = findings.iter().filter(|finding| is_about(finding, &id));
            let of_package = || about.clone().filter(is_here);
            let action = match of_package().next() {
                Some(_) => Action::Failed,
                None => Action::Verified,
            };
            let is_doubted = of_package().any(|finding| finding.kind.is_against_proof());
            let verdict = known.verdict.filter(|_| !is_doubted);
            let outcome = PackageOutcome::done(id, action, verdict, known.size);
            PackageOutcome { root, ..outcome }
        };
        let packages = looked_at.into_iter().map(outcome).collect();
        Self {
            summary: Summary {
                packages,
                failures,
                ..Summary::default()
            },
            findings,
            mending: Mending::default(),
            authority: Authority::default(),
        }
    }

    /// The problems that are left.
    pub fn remaining(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.fixed)
    }

    /// Whether `--fix` may do something.
    pub fn is_mendable(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.remedy() == Remedy::Mend)
    }

    /// The failure that the problems amount to, `None` if there are none.
    pub fn failure(&self) -> Option<OpError> {
        let exit_code = ExitCode::gravest(self.remaining().map(|it| it.kind.exit_code()))?;
        let mut hints: Vec<String> = Vec::new();
        for kind in FindingKind::ALL {
            let of_kind = self.remaining().filter(|it| it.kind == kind);
            for hint in of_kind.filter_map(|it| hint(it, self.mending)) {
                if !hints.iter().any(|known| known == hint) {
                    hints.push(hint.to_owned());
                }
            }
        }
        Some(OpError::Findings {
            problems: self.remaining().count(),
            exit_code,
            hints,
        })
    }

    /// The gravest of problems and failures, `None` if all is well.
    pub fn exit_code(&self) -> Option<ExitCode> {
        let found = self.remaining().map(|finding| finding.kind.exit_code());
        ExitCode::gravest(found.chain(self.summary.errors().map(Failure::exit_code)))
    }

    /// This verification after `--fix`, with the problems of the one `before` that are gone told as fixed.
    #[must_use]
    pub fn after_fix(mut self, before: Self) -> Self {
        let is_left = |finding: &Finding| self.findings.iter().any(|it| it.is_same_as(finding));
        let gone = before.findings.into_iter().filter(|it| !is_left(it));
        let fixed: Vec<Finding> = gone
            .map(|finding| Finding {
                fixed: true,
                ..finding
            })
            .collect();
        self.findings.extend(fixed);
        self.findings.sort_by(|a, b| order(a).cmp(&order(b)));
        self.mending = Mending::Over;
        self
    }
}

/// A package that was looked at.
pub(in crate::ops) struct LookedAt {
    pub(in crate::ops) id: PackageId,
    /// The root module that has it, where each has its own.
    pub(in crate::ops) root: Option<String>,
    pub(in crate::ops) known: Known,
}

/// What is known of a package that was looked at.
#[derive(Debug, Clone, Default)]
pub(in crate::ops) struct Known {
    pub(in crate::ops) verdict: Option<Verdict>,
    pub(in crate::ops) size: Option<u64>,
}

/// Whether a problem is that of a package: its own, or that of its version or provider. A file too many beside packages
/// is none of theirs.
fn is_about(finding: &Finding, id: &PackageId) -> bool {
    let subject = &finding.subject;
    let is_of_file = matches!(finding.kind, FindingKind::Stray | FindingKind::Leftover);
    if is_of_file && subject.platform.is_none() {
        return false;
    }
    subject.addr.as_ref() == Some(&id.addr)
        && subject.version.as_ref().is_none_or(|it| *it == id.version)
        && subject
            .platform
            .as_ref()
            .is_none_or(|it| *it == id.platform)
}

fn order(finding: &Finding) -> impl Ord + '_ {
    (
        &finding.lock,
        &finding.subject,
        finding.kind,
        &finding.path,
        &finding.got,
        &finding.expected,
    )
}

/// An error and its causes in one line, as the value that was got.
pub(in crate::ops) fn told(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.ends_with(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        cause = error.source();
    }
    text
}

fn is_module_lock(finding: &Finding) -> bool {
    let path = finding.path.as_ref();
    path.is_some_and(|path| path.ends_with(MODULE_LOCK_NAME))
}

fn hint(finding: &Finding, mending: Mending) -> Option<&'static str> {
    let is_mendable = finding.remedy() == Remedy::Mend;
    let is_of_mendable_kind = finding.kind.remedy() == Remedy::Mend;
    if is_of_mendable_kind && (!is_mendable || mending == Mending::Over) {
        return None;
    }
    match finding.kind {
        FindingKind::Mismatch
        | FindingKind::Damaged
        | FindingKind::BadSignature
        | FindingKind::Unsigned
        | FindingKind::ForeignHashes
        | FindingKind::WrongUrl
        | FindingKind::Missing
        | FindingKind::StaleIndex
        | FindingKind::Leftover
        | FindingKind::Unreadable => Some(
            "once you know how that came about, `--fix` fetches anew what is damaged or missing, and writes indexes anew",
        ),
        FindingKind::NotExecutable => Some("`--fix` makes the plugin executable again"),
        FindingKind::ChangedKey => Some(
            "if the publisher has changed keys, have that confirmed by another way than the registry, then mirror the version with `provender mirror --check --accept-new-keys`",
        ),
        FindingKind::ExpiredKey => Some(
            "ask the publisher for a renewed key, or take it as it is with `--expired-keys warn`",
        ),
        FindingKind::InventedHash => Some(
            "find out where the hash came from, a release that was made anew or a hand that added it: it lets a package pass that is not published",
        ),
        FindingKind::Recut => Some(
            "ask the publisher why the release was replaced before you lock it anew; a mirror may still have the old one",
        ),
        FindingKind::Withdrawn | FindingKind::NotPublished => Some(
            "see what there is with `provender versions ADDRESS`; a mirror may still have what the registry has not",
        ),
        FindingKind::Unlocked if finding.subject.module.is_some() => {
            Some("lock it with `provender lock`, and commit `.provender.lock.hcl`")
        }
        FindingKind::Unlocked => Some("lock it with `provender install`, or delete it"),
        FindingKind::OtherForm | FindingKind::Incomparable => Some(
            "run `provender lock`, which adds the `h1` and `zh` hashes of what the registry publishes",
        ),
        FindingKind::LowerCased => Some(
            "mirror the version with `provender mirror`, which keeps it where the tools find it, and delete the packed file",
        ),
        FindingKind::Stray => Some("delete it, or mirror the package with `provender mirror`"),
        FindingKind::HandEdited => Some(
            "compare the lock file with its last reviewed state; `provender lock` writes it as the tools do",
        ),
        FindingKind::Conflict if is_module_lock(finding) => Some(
            "take one side, as with `git checkout --ours .provender.lock.hcl`, then run `provender lock` to complete it",
        ),
        FindingKind::Conflict => Some(
            "take one side, as with `git checkout --ours .terraform.lock.hcl`, then run `provender lock` to complete it",
        ),
        FindingKind::BadLock => None,
    }
}
