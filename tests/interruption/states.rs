//! What may be on disk at any instant: temporary files of ours, and under final names only what is whole and right.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use provender::document::{Evidence, MirrorIndex, VersionDocument};
use sha2::{Digest, Sha256};

use super::scene::{HOST, PLATFORMS, RELEASES, Scene};
use crate::support::registry::paths;
use crate::support::reply::hex;
use crate::support::{archive, tree};

/// What is wrong with a state.
pub(super) type Verdict = Result<(), String>;

/// A package as address, version, platform.
pub(super) type Package = (&'static str, &'static str, &'static str);

/// All packages of the registry.
pub(super) fn packages() -> impl Iterator<Item = Package> {
    RELEASES
        .into_iter()
        .flat_map(|(address, version)| PLATFORMS.map(|platform| (address, version, platform)))
}

/// The names of lasting files below `root`; those of temporary files begin alike.
pub(super) fn lasting(root: &Path) -> Vec<String> {
    let mut names = tree::names(root);
    names.retain(|name| !name.ends_with('/') && !name.contains(".provender-"));
    names
}

/// Judges a mirror at any instant.
pub(super) fn judge_mirror(scene: &Scene, root: &Path) -> Verdict {
    for name in lasting(root) {
        judge_mirror_file(scene, root, &name).map_err(|fault| format!("`{name}`: {fault}"))?;
    }
    for (address, version, platform) in packages() {
        let directory = root.join(format!("{HOST}/{address}/{version}/{platform}"));
        if directory.exists() {
            judge_directory(scene, &directory, (address, version, platform))?;
        }
    }
    Ok(())
}

fn judge_mirror_file(scene: &Scene, root: &Path, name: &str) -> Verdict {
    if name == ".provender.lock" {
        return Ok(());
    }
    let bytes = fs::read(root.join(name)).map_err(|error| error.to_string())?;
    let directory = root.join(name);
    let directory = directory.parent().ok_or("a file of its own")?;
    let last = name.rsplit('/').next().unwrap_or_default();
    let kind = last.rsplit('.').next().unwrap_or_default();
    match kind {
        "zip" => judge_archive(scene, last, &bytes),
        "json" if last == "index.json" => judge_index(directory, &bytes),
        "json" if last.ends_with("_evidence.json") => parse_evidence(&bytes).map(drop),
        "json" => judge_version_document(directory, &bytes),
        "sig" => expect(!bytes.is_empty(), "an empty signature"),
        _ if last.ends_with("_SHA256SUMS") => judge_sums(scene, last, &bytes),
        // Files of unpacked packages are judged with their directories.
        _ => expect(is_unpacked(name), "a file that no mirror has"),
    }
}

fn is_unpacked(name: &str) -> bool {
    PLATFORMS
        .iter()
        .any(|platform| name.contains(&format!("/{platform}/")))
}

fn parse_evidence(bytes: &[u8]) -> Result<Evidence, String> {
    Evidence::parse(bytes).map_err(|error| error.to_string())
}

fn judge_archive(scene: &Scene, name: &str, bytes: &[u8]) -> Verdict {
    let named = |package: &Package| paths::filename(package.0, package.1, package.2) == name;
    let (address, version, platform) = packages().find(named).ok_or("an archive of no release")?;
    expect(
        archive::zh(bytes) == scene.registry.zh(address, version, platform),
        "an archive of other bytes",
    )
}

fn judge_sums(scene: &Scene, name: &str, bytes: &[u8]) -> Verdict {
    let text = String::from_utf8_lossy(bytes);
    for (address, version, platform) in packages() {
        if paths::sums(address, version).ends_with(&format!("/{name}")) {
            let zh = scene.registry.zh(address, version, platform);
            let digest = zh.trim_start_matches("zh:");
            expect(text.contains(digest), "sums that lack an archive")?;
        }
    }
    Ok(())
}

/// An index names only versions whose document is there and names an archive.
fn judge_index(directory: &Path, bytes: &[u8]) -> Verdict {
    let index = MirrorIndex::parse(bytes).map_err(|error| error.to_string())?;
    for version in index.versions() {
        let document = fs::read(directory.join(format!("{version}.json")));
        let document = document.map_err(|error| format!("version {version}: {error}"))?;
        let document = VersionDocument::parse(&document).map_err(|error| error.to_string())?;
        expect(!document.archives.is_empty(), "a version without archives")?;
    }
    Ok(())
}

/// A version document names only archives that are there and have its hashes.
fn judge_version_document(directory: &Path, bytes: &[u8]) -> Verdict {
    let document = VersionDocument::parse(bytes).map_err(|error| error.to_string())?;
    for entry in document.archives.values() {
        let bytes = fs::read(directory.join(&entry.url));
        let bytes = bytes.map_err(|error| format!("`{}`: {error}", entry.url))?;
        let hashes: BTreeSet<String> = entry.hashes.iter().map(ToString::to_string).collect();
        let h1 = archive::h1(&bytes).ok_or("an archive that is no zip")?;
        let expected = BTreeSet::from([h1, archive::zh(&bytes)]);
        expect(hashes == expected, "hashes of another archive")?;
    }
    Ok(())
}

/// Judges an unpacked package.
pub(super) fn judge_directory(scene: &Scene, directory: &Path, package: Package) -> Verdict {
    let (address, version, platform) = package;
    let expected = scene.registry.h1(address, version, platform);
    let got = h1_of_directory(directory);
    expect(
        got == expected,
        &format!("{} has {got} instead of {expected}", directory.display()),
    )
}

/// Written apart from the program's own, as that of archives.
fn h1_of_directory(directory: &Path) -> String {
    let files: BTreeMap<String, Vec<u8>> = tree::names(directory)
        .into_iter()
        .map(|name| {
            let content = fs::read(directory.join(&name)).unwrap_or_default();
            (name, content)
        })
        .collect();
    let line = |(name, content): (&String, &Vec<u8>)| {
        format!("{}  {name}\n", hex(&Sha256::digest(content)))
    };
    let list: String = files.iter().map(line).collect();
    format!("h1:{}", STANDARD.encode(Sha256::digest(list)))
}

/// The paths on the registry of archives that a mirror need not fetch: the evidence names them and their size is right.
pub(super) fn complete_in_mirror(root: &Path) -> Result<Vec<String>, String> {
    let mut complete = Vec::new();
    for (address, version, platform) in packages() {
        let ty = address.rsplit('/').next().unwrap_or_default();
        let directory = root.join(format!("{HOST}/{address}"));
        let evidence = directory.join(format!("terraform-provider-{ty}_{version}_evidence.json"));
        let Ok(bytes) = fs::read(evidence) else {
            continue;
        };
        let evidence = parse_evidence(&bytes)?;
        let platform_name = platform.parse().map_err(|_| "no platform")?;
        let Some(entry) = evidence.packages.get(&platform_name) else {
            continue;
        };
        let name = paths::filename(address, version, platform);
        let places = [directory.join(&name), directory.join(version).join(&name)];
        let size = places.iter().find_map(|path| path.metadata().ok());
        if size.is_some_and(|size| size.len() == entry.size) {
            complete.push(paths::archive(address, version, platform));
        }
    }
    Ok(complete)
}

/// `Ok` if `holds`.
pub(super) fn expect(holds: bool, otherwise: &str) -> Verdict {
    if holds {
        Ok(())
    } else {
        Err(otherwise.to_owned())
    }
}
