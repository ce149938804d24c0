//! What a run in which nothing is new asks of a mirror of 10,000 packages.

use std::collections::BTreeSet;
use std::fs;
use std::io;

use divan::Bencher;
use divan::counter::ItemsCount;
use provender::address::ProviderAddr;
use provender::document::{
    ArchiveEntry, Evidence, MirrorIndex, Origin, PackageEvidence, PackageId, SigningKey, Verdict,
    VersionDocument,
};
use provender::hash::{PackageHash, Sha256Digest};
use provender::store::{MirrorStore, PresentCheck};
use provender::version::Version;
use tempfile::TempDir;

use crate::mirror::{PACKAGES, PLATFORMS, versions};

/// Nobody reads the archives, only their size counts.
const ARCHIVE: &[u8] = b"PK";

struct Mirror {
    store: MirrorStore,
    addr: ProviderAddr,
    _directory: TempDir,
}

impl Mirror {
    fn fill() -> io::Result<Self> {
        let directory = TempDir::new()?;
        let addr = ProviderAddr::parse_canonical("registry.example.test/acme/net");
        let mirror = Self {
            store: MirrorStore::new(directory.path()),
            addr: addr.map_err(io::Error::other)?,
            _directory: directory,
        };
        let layout = mirror.store.layout();
        fs::create_dir_all(layout.provider_dir(&mirror.addr))?;
        let mut index = MirrorIndex::default();
        for version in versions() {
            mirror.add(&version)?;
            index.insert(&version);
        }
        fs::write(layout.index(&mirror.addr), index.render())?;
        Ok(mirror)
    }

    fn add(&self, version: &Version) -> io::Result<()> {
        let (layout, digest) = (self.store.layout(), Sha256Digest([7; 32]));
        let mut evidence = Evidence::new(Origin::default());
        evidence.add_signing_key(SigningKey {
            ascii_armor: "mQINBF5k".repeat(400),
        });
        let mut document = VersionDocument::default();
        for id in self.ids(version) {
            let verdict = Verdict::Signed {
                key_id: "0123456789ABCDEF".to_owned(),
                expired: false,
            };
            let name = layout.archive_url(&id);
            let hashes = [PackageHash::h1(digest), PackageHash::zh(digest)];
            let entry = ArchiveEntry::new(&name, hashes);
            let package = PackageEvidence::new(name, digest, ARCHIVE.len() as u64, verdict, None);
            fs::write(layout.archive(&id), ARCHIVE)?;
            document.archives.insert(id.platform.clone(), entry);
            evidence.packages.insert(id.platform, package);
        }
        fs::write(layout.shasums(&self.addr, version), "")?;
        fs::write(layout.signature(&self.addr, version), "")?;
        fs::write(layout.evidence(&self.addr, version), evidence.render())?;
        fs::write(
            layout.version_document(&self.addr, version),
            document.render(),
        )
    }

    fn ids(&self, version: &Version) -> impl Iterator<Item = PackageId> {
        PLATFORMS.iter().map(|platform| PackageId {
            addr: self.addr.clone(),
            version: version.clone(),
            platform: platform.parse().expect("it is one"),
        })
    }
}

#[divan::bench(sample_count = 10)]
fn look_for_packages(bencher: Bencher) {
    let mirror = Mirror::fill().expect("a mirror can be written");
    let present = |id: &PackageId| mirror.store.present(id, PresentCheck::Size);
    bencher.counter(ItemsCount::new(PACKAGES)).bench(|| {
        let ids = versions().flat_map(|version| mirror.ids(&version).collect::<Vec<_>>());
        let kept = ids.filter(|id| present(id).is_ok_and(|kept| kept.is_some()));
        assert_eq!(kept.count() as u64, PACKAGES);
    });
}

#[divan::bench(sample_count = 10)]
fn look_through_indexes(bencher: Bencher) {
    let mirror = Mirror::fill().expect("a mirror can be written");
    let all: BTreeSet<Version> = versions().collect();
    bencher.counter(ItemsCount::new(PACKAGES)).bench(|| {
        let unindexed = mirror
            .store
            .unindexed(&mirror.addr, &all, PresentCheck::Size);
        assert!(unindexed.is_ok_and(|unindexed| unindexed.is_empty()));
    });
}
