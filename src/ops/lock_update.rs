//! How an installation changes the lock file (facts/providers 3.11, 5.9).

use std::collections::BTreeSet;

use crate::address::{ProviderAddr, Tool};
use crate::document::Locks;
use crate::hash::{HashScheme, PackageHash};
use crate::ops::RootRequirements;
use crate::source::{HashTrust, PackageMeta, Proof};
use crate::version::Prereleases;

/// The hashes to lock for a package that was just installed; `archive` are those of its archive, if it was one.
///
/// Always the `h1:` of the unpacked directory, and of the prior hashes those of known schemes.
/// Beyond that Terraform takes every `zh:` of a signed document; OpenTofu takes what matched, the
/// `zh:` of a signed document, and for its own registry everything that this registry reports.
pub(super) fn hashes_after_install(
    tool: Tool,
    prior: &[PackageHash],
    h1_of_directory: PackageHash,
    meta: &PackageMeta,
    archive: &[PackageHash],
) -> Vec<PackageHash> {
    let is_known = |hash: &&PackageHash| hash.scheme() != HashScheme::Other;
    let mut hashes: BTreeSet<PackageHash> = prior.iter().filter(is_known).cloned().collect();
    hashes.insert(h1_of_directory);
    match &meta.proof {
        Proof::Registry {
            shasums, packages, ..
        } => {
            let own_zh = archive
                .iter()
                .filter(|hash| hash.scheme() == HashScheme::Zh);
            if shasums.sealed.signer().is_some() {
                match shasums.shasums.package_hashes() {
                    Some(all) => hashes.extend(all),
                    None => hashes.extend(own_zh.clone().cloned()),
                }
            }
            if tool == Tool::Tofu {
                hashes.extend(own_zh.cloned());
                if meta.id.addr.hostname().for_comparison() == Tool::Tofu.default_host() {
                    let reported = packages.values().flat_map(|package| &package.hashes);
                    hashes.extend(reported.filter(is_known).cloned());
                }
            }
        }
        Proof::Mirror {
            hashes: listed,
            trust,
        } if tool == Tool::Tofu => {
            let may_be_locked =
                |hash: &&PackageHash| *trust == HashTrust::All || archive.contains(*hash);
            let locked = listed.iter().filter(may_be_locked).filter(is_known);
            hashes.extend(locked.cloned());
        }
        // Terraform locks nothing foreign that is not signed.
        Proof::Mirror { .. } | Proof::Nothing => {}
    }
    hashes.into_iter().collect()
}

/// The hashes to lock for a package that the lock file and the cache alone proved: those that are
/// locked, and if it is not among them the `h1:` of the unpacked directory, by which the tools know
/// what is installed (facts/providers 3.12).
pub(super) fn hashes_after_recall(
    prior: &[PackageHash],
    h1_of_directory: PackageHash,
) -> Vec<PackageHash> {
    if prior.contains(&h1_of_directory) {
        return prior.to_vec();
    }
    let all = prior.iter().cloned().chain([h1_of_directory]);
    let known = all.filter(|hash| hash.scheme() != HashScheme::Other);
    known.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Why the selections in a lock file cannot stay as they are, in words: for `--locked`.
pub(super) fn necessary_changes(locks: &Locks, root: &RootRequirements) -> Vec<String> {
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
            location: crate::source::PackageLocation::Archive("x".into()),
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
            let hashes = hashes_after_install(tool, &prior, hash("h1:dir"), &meta(trust), &archive);
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
