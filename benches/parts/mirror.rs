//! The documents of a mirror of 10,000 packages, and a registry's answer of that size.

use divan::Bencher;
use divan::counter::ItemsCount;
use provender::document::{ArchiveEntry, MirrorIndex, VersionDocument, VersionsAnswer};
use provender::hash::{PackageHash, Sha256Digest};
use provender::version::Version;
use serde_json::json;
use sha2::{Digest, Sha256};

const VERSIONS: u64 = 1000;
pub(crate) const PLATFORMS: [&str; 10] = [
    "darwin_amd64",
    "darwin_arm64",
    "freebsd_386",
    "freebsd_amd64",
    "linux_386",
    "linux_amd64",
    "linux_arm",
    "linux_arm64",
    "windows_386",
    "windows_amd64",
];
pub(crate) const PACKAGES: u64 = VERSIONS * PLATFORMS.len() as u64;

pub(crate) fn versions() -> impl Iterator<Item = Version> {
    (1..=VERSIONS).map(|n| Version::new(n / 100, n % 100, 0))
}

/// The registry's answer, which lists the platforms of each version.
#[divan::bench]
fn parse_registry_answer(bencher: Bencher) {
    let platform = |text: &&str| {
        let (os, arch) = text.split_once('_').expect("it has both");
        json!({"os": os, "arch": arch})
    };
    let platforms: Vec<_> = PLATFORMS.iter().map(platform).collect();
    let version = |version: Version| json!({"version": version.to_string(), "protocols": ["5.0"], "platforms": platforms});
    let listed: Vec<_> = versions().map(version).collect();
    let body = json!({ "versions": listed }).to_string();
    bencher.counter(ItemsCount::new(PACKAGES)).bench(|| {
        let answer = VersionsAnswer::parse(divan::black_box(body.as_bytes()));
        answer.expect("it is one").versions.len()
    });
}

fn index() -> MirrorIndex {
    let mut index = MirrorIndex::default();
    versions().for_each(|version| index.insert(&version));
    index
}

#[divan::bench]
fn parse_index(bencher: Bencher) {
    let text = index().render();
    bencher.bench(|| MirrorIndex::parse(divan::black_box(text.as_bytes())).expect("it is one"));
}

#[divan::bench]
fn render_index(bencher: Bencher) {
    let index = index();
    bencher.bench(|| divan::black_box(&index).render());
}

/// What placing one more version does with the text on disk.
#[divan::bench]
fn add_version_to_index(bencher: Bencher) {
    let text = index().render();
    bencher.bench(|| {
        let mut index = MirrorIndex::parse(divan::black_box(text.as_bytes())).expect("it is one");
        index.insert(&Version::new(99, 0, 0));
        index.render()
    });
}

fn document(version: &Version) -> VersionDocument {
    let mut document = VersionDocument::default();
    for platform in PLATFORMS {
        let digest = Sha256Digest(Sha256::digest(format!("{version} {platform}")).into());
        let hashes = [PackageHash::h1(digest), PackageHash::zh(digest)];
        let url = format!("terraform-provider-net_{version}_{platform}.zip");
        document.archives.insert(
            platform.parse().expect("it is one"),
            ArchiveEntry::new(url, hashes),
        );
    }
    document
}

#[divan::bench]
fn parse_version_documents(bencher: Bencher) {
    let texts: Vec<String> = versions().map(|v| document(&v).render()).collect();
    bencher.counter(ItemsCount::new(PACKAGES)).bench(|| {
        let parsed = divan::black_box(&texts)
            .iter()
            .map(|text| VersionDocument::parse(text.as_bytes()).expect("it is one"));
        parsed
            .map(|document| document.archives.len())
            .sum::<usize>()
    });
}

#[divan::bench]
fn render_version_documents(bencher: Bencher) {
    let documents: Vec<VersionDocument> = versions().map(|v| document(&v)).collect();
    bencher.counter(ItemsCount::new(PACKAGES)).bench(|| {
        let rendered = divan::black_box(&documents)
            .iter()
            .map(VersionDocument::render);
        rendered.map(|text| text.len()).sum::<usize>()
    });
}
