//! How an installation changes the lock file (facts/providers 3.11, 5.9).

use std::collections::BTreeSet;

use crate::address::{ProviderAddr, Tool};
use crate::document::{Locks, Published};
use crate::hash::{HashScheme, PackageHash};
use crate::ops::RootRequirements;
use crate::version::Prereleases;

/// The hashes to lock for a package that was just installed; `archive` are those of its archive, if
/// it was one.
///
/// Always the `h1:` of the unpacked directory, of the prior hashes those of known schemes, and every
/// `zh:` of a signed document. Terraform locks nothing foreign beyond that; OpenTofu takes what it
/// compared, and what it does not compare because its source is trusted.
pub(in crate::ops) fn hashes_after_install(
    tool: Tool,
    prior: &[PackageHash],
    h1_of_directory: PackageHash,
    published: &Published,
    archive: &[PackageHash],
) -> Vec<PackageHash> {
    let mut hashes = known_hashes(prior);
    hashes.insert(h1_of_directory);
    hashes.extend(published.signed.iter().cloned());
    if tool == Tool::Tofu {
        let is_own = |hash: &&PackageHash| archive.contains(hash);
        hashes.extend(published.listed.iter().filter(is_own).cloned());
        hashes.extend(known_hashes(&published.vouched));
    }
    hashes.into_iter().collect()
}

/// The hashes to lock for a package that comes from the tools' plugin cache, which tells nothing of
/// other platforms.
pub(in crate::ops) fn hashes_after_link(
    prior: &[PackageHash],
    h1_of_directory: PackageHash,
) -> Vec<PackageHash> {
    let mut hashes = known_hashes(prior);
    hashes.insert(h1_of_directory);
    hashes.into_iter().collect()
}

fn known_hashes<'h>(hashes: impl IntoIterator<Item = &'h PackageHash>) -> BTreeSet<PackageHash> {
    let known = |hash: &&PackageHash| hash.scheme() != HashScheme::Other;
    hashes.into_iter().filter(known).cloned().collect()
}

/// Why the selections in a lock file cannot stay as they are, in words: for `--locked`.
pub(in crate::ops) fn necessary_changes(locks: &Locks, root: &RootRequirements) -> Vec<String> {
    let mut changes = Vec::new();
    for (addr, constraints) in &root.requirements {
        match locks.providers.get(addr).map(|lock| &lock.version) {
            None => changes.push(format!("`{addr}` is not locked")),
            Some(version) if !constraints.allows(version, Prereleases::ExactOnly) => {
                changes.push(format!(
                    "`{addr}` is locked at {version}, and `{constraints}` is required"
                ));
            }
            Some(_) => {}
        }
    }
    // Modules that were not read may require what seems unused.
    let unused = |addr: &&ProviderAddr| root.is_complete && !root.requirements.contains_key(*addr);
    let gone = locks.providers.keys().filter(unused);
    changes.extend(gone.map(|addr| format!("`{addr}` is locked but no longer required")));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ProviderLock;
    use crate::source::{HashTrust, PackageLocation, PackageMeta, Proof};
    use crate::version::VersionConstraints;

    fn locks(entries: &[(&str, &str, &[&str])]) -> Locks {
        let mut locks = Locks::default();
        for (addr, version, hashes) in entries {
            locks.providers.insert(
                ProviderAddr::parse_canonical(addr).unwrap(),
                ProviderLock {
                    version: version.parse().unwrap(),
                    constraints: VersionConstraints::default(),
                    hashes: hashes.iter().map(|hash| hash.parse().unwrap()).collect(),
                },
            );
        }
        locks
    }

    #[test]
    fn of_a_mirror_only_tofu_locks_what_matched() {
        let hash = |text: &str| text.parse::<PackageHash>().unwrap();
        let meta = |trust| PackageMeta {
            id: crate::document::PackageId {
                addr: ProviderAddr::parse_canonical("example.com/a/b").unwrap(),
                version: "1.0.0".parse().unwrap(),
                platform: "linux_amd64".parse().unwrap(),
            },
            location: PackageLocation::Archive("x".into()),
            protocols: Vec::new(),
            size: None,
            proof: Proof::Mirror {
                hashes: ["zh:own", "zh:other", "h9:x"].map(hash).to_vec(),
                trust,
            },
        };
        let prior = ["h1:old", "h7:x"].map(hash);
        let archive = ["zh:own", "h1:zip"].map(hash);
        let locked = |tool, trust| {
            let published = meta(trust).published();
            let hashes = hashes_after_install(tool, &prior, hash("h1:dir"), &published, &archive);
            hashes.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let plain = ["h1:dir", "h1:old"];
        assert_eq!(locked(Tool::Terraform, HashTrust::All), plain);
        let matched = ["h1:dir", "h1:old", "zh:own"];
        assert_eq!(locked(Tool::Tofu, HashTrust::Matching), matched);
        let all = ["h1:dir", "h1:old", "zh:other", "zh:own"];
        assert_eq!(locked(Tool::Tofu, HashTrust::All), all);
    }

    #[test]
    fn necessary_changes_name_what_does_not_fit() {
        let addr = |text| ProviderAddr::parse_canonical(text).unwrap();
        let locks = locks(&[
            ("example.com/a/b", "1.0.0", &[]),
            ("example.com/a/d", "1.0.0", &[]),
        ]);
        let mut root = RootRequirements {
            requirements: [
                (addr("example.com/a/b"), "> 1.0.0".parse().unwrap()),
                (addr("example.com/a/c"), VersionConstraints::default()),
            ]
            .into(),
            lock_path: "x".into(),
            is_complete: true,
        };
        let expected = [
            "`example.com/a/b` is locked at 1.0.0, and `> 1.0.0` is required",
            "`example.com/a/c` is not locked",
            "`example.com/a/d` is locked but no longer required",
        ];
        assert_eq!(necessary_changes(&locks, &root), expected);
        root.is_complete = false;
        assert_eq!(necessary_changes(&locks, &root), expected[..2]);
    }
}
