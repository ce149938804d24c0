//! The packages of a provider in a mirror against its documents: bytes against evidence and index.
//!
//! Evidence outweighs the index, because the publisher's signature holds it. Where there is none, as in mirrors of other
//! programs, archive and index can only agree or not.

use std::collections::BTreeMap;
use std::path::Path;

use url::Url;

use crate::address::Platform;
use crate::document::{ArchiveEntry, PackageEvidence, PackageId};
use crate::hash::{HashScheme, PackageHash, Sha256Digest};
use crate::ops::verify::lock_file::listed;
use crate::ops::verify::mirror_facts::Facts;
use crate::ops::verify::mirror_index_checks::{absent_archives, index_findings};
use crate::ops::verify::mirror_state::ProviderState;
use crate::ops::{Finding, FindingKind, Subject};
use crate::package::PackageContents;
use crate::store::InstallStore;
use crate::version::Version;

/// Which package each hash belongs to, as far as the mirror knows.
type Owners = BTreeMap<PackageHash, PackageId>;

/// A provider of a mirror and the facts of its packages.
pub(in crate::ops) struct Checks<'c> {
    pub(in crate::ops) state: &'c ProviderState,
    pub(in crate::ops) facts: &'c BTreeMap<PackageId, Facts>,
    owners: Owners,
}

impl<'c> Checks<'c> {
    pub(in crate::ops) fn new(
        state: &'c ProviderState,
        facts: &'c BTreeMap<PackageId, Facts>,
    ) -> Self {
        let mut owners = Owners::new();
        for key in state.there.archives.keys() {
            let id = state.id(key);
            let evidence = state.package(key).map(|it| PackageHash::zh(it.shasum));
            let facts = facts.get(&id);
            let digest = facts.and_then(|it| it.digest).map(PackageHash::zh);
            let h1 = facts.and_then(sound).map(|it| it.h1_zip.clone());
            for hash in evidence.into_iter().chain(digest).chain(h1) {
                owners.entry(hash).or_insert_with(|| id.clone());
            }
        }
        Self {
            state,
            facts,
            owners,
        }
    }

    /// Everything that is wrong with the provider, but for its proofs.
    pub(in crate::ops) fn findings(&self) -> Vec<Finding> {
        let there = &self.state.there;
        let mut findings = Vec::new();
        for (key, path) in &there.archives {
            if there.is_lower_cased(&self.state.addr, key) {
                findings.push(self.lower_cased(key, path));
            } else {
                findings.extend(self.archive(key, path));
                findings.extend(self.not_unpacked(key, path));
            }
        }
        findings.extend(absent_archives(self.state));
        findings.extend(index_findings(self.state));
        for (key, path) in &there.unpacked {
            findings.extend(self.unpacked(key, path));
        }
        let kinds = [
            (FindingKind::Leftover, &there.leftovers),
            (FindingKind::Stray, &there.stray),
        ];
        for (kind, paths) in kinds {
            let subject = || Subject::provider(&self.state.addr);
            findings.extend(
                paths
                    .iter()
                    .map(|path| Finding::new(kind, subject()).at(path)),
            );
        }
        findings
    }

    fn lower_cased(&self, key: &(Version, Platform), path: &Path) -> Finding {
        Finding::new(FindingKind::LowerCased, &self.state.id(key))
            .at(path)
            .got(&key.0.to_string().to_lowercase())
            .expected(&key.0)
            .because("the tools lower-case the names of archives, and take it for the version that is got")
    }

    /// What is wrong with an archive or what is said of it.
    fn archive(&self, key: &(Version, Platform), path: &Path) -> Vec<Finding> {
        let id = self.state.id(key);
        let evidence = self.state.package(key);
        let facts = self.facts.get(&id);
        if let Some(evidence) = evidence {
            let other = other_than_evidence(&id, path, evidence, facts);
            if other.is_some() {
                return other
                    .into_iter()
                    .chain(self.digest_in_index(key, evidence.shasum))
                    .collect();
            }
        }
        if let Some((listed, finding)) = self.other_than_listed(key, path) {
            let in_index = self.digest_in_index(key, listed);
            return [finding].into_iter().chain(in_index).collect();
        }
        let damaged = facts.and_then(|it| it.contents.as_ref()?.as_ref().err());
        let damaged =
            damaged.map(|text| Finding::new(FindingKind::Damaged, &id).at(path).got(text));
        let in_index = match self.state.entry(key) {
            Some(entry) => self.entry(key, path, entry),
            None => self
                .without_entry(key, path, evidence)
                .into_iter()
                .collect(),
        };
        damaged.into_iter().chain(in_index).collect()
    }

    /// What the index says of an archive whose bytes are wrong, against the digest that it should have.
    fn digest_in_index(&self, key: &(Version, Platform), right: Sha256Digest) -> Option<Finding> {
        let right = PackageHash::zh(right);
        let entry = self.state.entry(key)?;
        let wrong = entry
            .hashes
            .iter()
            .find(|it| it.scheme() == HashScheme::Zh && **it != right)?;
        Some(self.wrong_hash(key, wrong, &right))
    }

    fn without_entry(
        &self,
        key: &(Version, Platform),
        path: &Path,
        evidence: Option<&PackageEvidence>,
    ) -> Option<Finding> {
        let id = self.state.id(key);
        let document = self.state.document_path(&key.0);
        let is_told = !self.state.documents.contains_key(&key.0);
        match evidence {
            Some(_) if is_told => None,
            Some(_) => Some(
                Finding::new(FindingKind::StaleIndex, &id)
                    .at(&document)
                    .because("it does not name the archive"),
            ),
            None if self.state.there.documents.contains_key(&key.0) && is_told => None,
            None => Some(Finding::new(FindingKind::Stray, &id).at(path).because(
                "neither an index nor evidence names it, and the tools would take it from here",
            )),
        }
    }

    /// The entry of an archive whose bytes are right as far as evidence tells.
    fn entry(&self, key: &(Version, Platform), path: &Path, entry: &ArchiveEntry) -> Vec<Finding> {
        let id = self.state.id(key);
        let document = self.state.document_path(&key.0);
        let mut findings: Vec<Finding> = self.url(&id, entry, &document).into_iter().collect();
        let facts = self.facts.get(&id);
        let zh = self.state.package(key).map(|it| it.shasum);
        let zh = zh.or_else(|| facts?.digest).map(PackageHash::zh);
        let contents = facts.and_then(sound);
        let is_known = |hash: &&PackageHash| hash.scheme() != HashScheme::Other;
        if !entry.hashes.iter().any(|hash| is_known(&hash)) {
            findings.push(
                Finding::new(FindingKind::StaleIndex, &id)
                    .at(&document)
                    .because("it lists no hash of the archive, so that clients take any"),
            );
        }
        for (scheme, right) in [
            (HashScheme::Zh, zh.as_ref()),
            (HashScheme::H1, contents.map(|it| &it.h1_zip)),
        ] {
            let listed_hashes = entry.hashes.iter().filter(|hash| hash.scheme() == scheme);
            let Some(right) = right else { continue };
            let mut wrong = listed_hashes.filter(|hash| *hash != right);
            let Some(wrong) = wrong.next() else { continue };
            findings.push(match contents {
                Some(contents) if *wrong == contents.h1_directory => {
                    let finding = Finding::new(FindingKind::OtherForm, &id).at(&document);
                    finding.got(wrong).expected(right).because(
                        "clients compare the hash of the archive's entries as they stand there, and this is that of the unpacked directory",
                    )
                }
                Some(_) | None if self.state.package(key).is_none() && !self.owners.contains_key(wrong) => {
                    // Nothing tells which of the two is the right one.
                    Finding::new(FindingKind::Mismatch, &id).at(path).got(right).expected(wrong)
                }
                Some(_) | None => self.wrong_hash(key, wrong, right),
            });
        }
        findings
    }

    /// A hash of an index that is not the archive's.
    fn wrong_hash(
        &self,
        key: &(Version, Platform),
        wrong: &PackageHash,
        right: &PackageHash,
    ) -> Finding {
        let id = self.state.id(key);
        let owner = self.owners.get(wrong).filter(|owner| **owner != id);
        let kind = match owner {
            Some(_) => FindingKind::ForeignHashes,
            None => FindingKind::Mismatch,
        };
        let finding = Finding::new(kind, &id)
            .at(&self.state.document_path(&key.0))
            .got(wrong)
            .expected(right);
        match owner {
            Some(owner) => finding.because(format!(
                "it has the hash of {} for `{}`",
                owner.version, owner.platform
            )),
            None => finding,
        }
    }

    /// An entry that leads to something else than the archive.
    fn url(&self, id: &PackageId, entry: &ArchiveEntry, document: &Path) -> Option<Finding> {
        let expected = self.state.layout.archive_url(id);
        // Mirrors of terraform have their documents beside the archives, also where ours have not.
        let bare = expected.rsplit('/').next().unwrap_or_default().to_owned();
        let fits = [&expected, &bare]
            .into_iter()
            .any(|it| is_same_reference(it, &entry.url));
        (!fits).then(|| {
            Finding::new(FindingKind::WrongUrl, id)
                .at(document)
                .got(&entry.url)
                .expected(&expected)
        })
    }

    /// An archive in a version's directory, which the tools find only if it is unpacked there.
    fn not_unpacked(&self, key: &(Version, Platform), path: &Path) -> Option<Finding> {
        let id = self.state.id(key);
        let unpacked = self.state.layout.unpacked(&id);
        let is_needed = unpacked.parent() == path.parent();
        (is_needed && !self.state.there.unpacked.contains_key(key)).then(|| {
            Finding::new(FindingKind::Missing, &id)
                .at(&unpacked)
                .because("the tools find no archive of a version with upper-case letters, and need its unpacked files")
        })
    }

    /// Unpacked files, which the tools find before an archive (facts/providers 6.5).
    fn unpacked(&self, key: &(Version, Platform), path: &Path) -> Option<Finding> {
        let id = self.state.id(key);
        let facts = self.facts.get(&id)?;
        let finding = |kind| Finding::new(kind, &id).at(path);
        let h1 = match facts.directory.as_ref()? {
            Ok(h1) => h1,
            Err(text) => return Some(finding(FindingKind::Damaged).got(text)),
        };
        match sound(facts) {
            Some(contents) if contents.h1_directory == *h1 => None,
            Some(contents) => Some(
                finding(FindingKind::Mismatch)
                    .got(h1)
                    .expected(&contents.h1_directory)
                    .because("the archive beside it has other files, and the tools take the unpacked ones first"),
            ),
            None if self.state.there.archives.contains_key(key) => None,
            None => {
                let noted = InstallStore::with_notes(self.state.layout.root()).is_as_noted(&id);
                let explanation = "nothing vouches for the unpacked files, and the tools would take them from here";
                (!noted).then(|| finding(FindingKind::Stray).got(h1).because(explanation))
            }
        }
    }
}

/// What a sound archive unpacks to.
fn sound(facts: &Facts) -> Option<&PackageContents> {
    facts.contents.as_ref()?.as_ref().ok()
}

/// Bytes that are not those of the evidence.
fn other_than_evidence(
    id: &PackageId,
    path: &Path,
    evidence: &PackageEvidence,
    facts: Option<&Facts>,
) -> Option<Finding> {
    let finding = || Finding::new(FindingKind::Mismatch, id).at(path);
    let size = path.metadata().map_or(0, |found| found.len());
    if size != evidence.size {
        let bytes = |size: u64| format!("{size} bytes");
        return Some(finding().got(&bytes(size)).expected(&bytes(evidence.size)));
    }
    let digest = facts?.digest.filter(|digest| *digest != evidence.shasum)?;
    let (got, expected) = (PackageHash::zh(digest), PackageHash::zh(evidence.shasum));
    Some(finding().got(&listed(&[&got])).expected(&expected))
}

/// Whether two relative references lead to one place.
fn is_same_reference(one: &str, other: &str) -> bool {
    let base = Url::parse("https://mirror.invalid/a/b/c/d/").ok();
    let resolved = |text: &str| base.as_ref().and_then(|base| base.join(text).ok());
    resolved(one).is_some_and(|one| Some(one) == resolved(other))
}
