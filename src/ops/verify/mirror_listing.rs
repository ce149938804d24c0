//! What the SHA256SUMS document of a version says of archives in a mirror, whether evidence names them or not.
//!
//! Attack, and the answer: an archive replaced together with its index, and its entry taken out of the evidence, so that
//! nothing is left to contradict. The document lists the file by its name, and is asked by that name.

use std::ffi::OsStr;
use std::path::Path;

use crate::address::Platform;
use crate::document::Verdict;
use crate::hash::{PackageHash, Sha256Digest};
use crate::ops::verify::mirror_checks::Checks;
use crate::ops::{Finding, FindingKind};
use crate::version::Version;

impl Checks<'_> {
    /// The digest that the document of its version has for the file at `path`.
    fn listed(&self, version: &Version, path: &Path) -> Option<Sha256Digest> {
        let name = path.file_name().and_then(OsStr::to_str)?;
        self.state.sums.get(version)?.digest_of(name).ok()
    }

    /// The digest that was computed.
    fn digest(&self, key: &(Version, Platform)) -> Option<Sha256Digest> {
        self.facts.get(&self.state.id(key))?.digest
    }

    /// The listed digest of an archive that has another one, and the problem. Evidence under the listed name is compared
    /// with the document elsewhere.
    pub(in crate::ops) fn other_than_listed(
        &self,
        key: &(Version, Platform),
        path: &Path,
    ) -> Option<(Sha256Digest, Finding)> {
        let evidence = self.state.package(key).map(|it| it.filename.as_str());
        if evidence.is_some() && evidence == path.file_name().and_then(OsStr::to_str) {
            return None;
        }
        let listed = self.listed(&key.0, path)?;
        let digest = self.digest(key).filter(|digest| *digest != listed)?;
        let finding = Finding::new(FindingKind::Mismatch, &self.state.id(key))
            .at(path)
            .got(&PackageHash::zh(digest))
            .expected(&PackageHash::zh(listed))
            .because("the SHA256SUMS document of the version lists it so");
        Some((listed, finding))
    }

    /// What is known of an archive: the verdict of its evidence, or of the document that lists it.
    pub(in crate::ops) fn verdict(&self, key: &(Version, Platform), path: &Path) -> Verdict {
        let evidence = self.state.package(key);
        let listed = self.listed(&key.0, path);
        let is_vouched = evidence.is_some() || (listed.is_some() && listed == self.digest(key));
        let signer = self.state.signers.get(&key.0).filter(|_| is_vouched);
        match (signer, evidence) {
            (Some(signer), _) => Verdict::Signed {
                key_id: signer.key_id.clone(),
                expired: signer.expired.is_some(),
            },
            (None, Some(evidence)) if !matches!(evidence.verdict, Verdict::Signed { .. }) => {
                evidence.verdict.clone()
            }
            (None, None) if is_vouched => Verdict::Checksum,
            (None, _) => Verdict::Unauthenticated,
        }
    }
}
