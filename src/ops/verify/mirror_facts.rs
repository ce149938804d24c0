//! The hashes of what lies in a mirror, computed from its bytes: many files at once, the largest first, streaming.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use futures_util::stream;

use crate::disk;
use crate::document::PackageId;
use crate::failure::{ExitCode, Failure};
use crate::hash::{PackageHash, Sha256Digest};
use crate::ops::blocking::on_blocking_pool;
use crate::ops::verify::verification::told;
use crate::ops::{OpError, PackageFailure};
use crate::package::{ArchiveError, DirectoryHashError, PackageContents, h1_of_directory, inspect};

/// What to find out.
#[derive(Debug, Clone)]
pub(in crate::ops) enum Question {
    /// The digest of an archive.
    Digest(PathBuf),
    /// The digest of an archive, and what it would unpack to.
    Contents(PathBuf),
    /// The `h1:` of an unpacked package.
    Directory(PathBuf),
}

/// What was found out of one package.
#[derive(Debug, Clone, Default)]
pub(in crate::ops) struct Facts {
    /// Of the archive.
    pub(in crate::ops) digest: Option<Sha256Digest>,
    /// What the archive would unpack to, or why it can be no package.
    pub(in crate::ops) contents: Option<Result<PackageContents, String>>,
    /// The `h1:` of the unpacked package, or why it has none.
    pub(in crate::ops) directory: Option<Result<PackageHash, String>>,
}

/// The facts of all packages, and what could not be read.
#[derive(Debug, Default)]
pub(in crate::ops) struct AllFacts {
    pub(in crate::ops) facts: BTreeMap<PackageId, Facts>,
    pub(in crate::ops) failures: Vec<OpError>,
    /// The packages that could not be read.
    pub(in crate::ops) unread: BTreeSet<PackageId>,
}

/// Answers all questions, so many at once, the largest files first.
pub(in crate::ops) async fn facts_of(
    questions: Vec<(PackageId, Question)>,
    jobs: usize,
) -> AllFacts {
    let mut sized: Vec<(u64, PackageId, Question)> = questions
        .into_iter()
        .map(|(id, question)| (question.size(), id, question))
        .collect();
    sized.sort_by_key(|(size, ..)| std::cmp::Reverse(*size));
    let mut answers = stream::iter(sized)
        .map(|(_, id, question)| {
            on_blocking_pool(move || {
                let answer = question.answer(&id);
                (id, answer)
            })
        })
        .buffer_unordered(jobs);
    let mut all = AllFacts::default();
    while let Some((id, answer)) = answers.next().await {
        match answer {
            Ok(facts) => all.facts.entry(id).or_default().add(facts),
            Err(failure) => {
                let failure = OpError::of_package("verify", &id, failure);
                all.failures.push(failure);
                all.unread.insert(id);
            }
        }
    }
    all
}

impl Question {
    fn size(&self) -> u64 {
        match self {
            Self::Digest(path) | Self::Contents(path) => {
                path.metadata().map_or(0, |found| found.len())
            }
            // Unpacked files are larger than archives, as a rule.
            Self::Directory(_) => u64::MAX,
        }
    }

    fn answer(self, id: &PackageId) -> Result<Facts, PackageFailure> {
        let mut facts = Facts::default();
        match self {
            Self::Digest(path) => facts.digest = Some(disk::sha256(&path)?),
            Self::Contents(path) => {
                facts.digest = Some(disk::sha256(&path)?);
                facts.contents = Some(contents(&path, id.addr.ty())?);
            }
            Self::Directory(path) => facts.directory = Some(directory(&path)?),
        }
        Ok(facts)
    }
}

impl Facts {
    fn add(&mut self, other: Self) {
        self.digest = other.digest.or(self.digest);
        if other.contents.is_some() {
            self.contents = other.contents;
        }
        if other.directory.is_some() {
            self.directory = other.directory;
        }
    }
}

/// What is wrong with the archive is an answer; that it cannot be read is a failure.
fn contents(path: &Path, ty: &str) -> Result<Result<PackageContents, String>, ArchiveError> {
    match inspect(path, ty) {
        Ok(contents) => Ok(Ok(contents)),
        Err(error) if error.exit_code() == ExitCode::Verification => Ok(Err(told(&error))),
        Err(error) => Err(error),
    }
}

fn directory(path: &Path) -> Result<Result<PackageHash, String>, DirectoryHashError> {
    match h1_of_directory(path) {
        Ok(h1) => Ok(Ok(h1)),
        Err(error) if error.exit_code() == ExitCode::Verification => Ok(Err(told(&error))),
        Err(error) => Err(error),
    }
}
