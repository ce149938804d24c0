//! `verify --mirror` beside what the machine can do: the same work on the same bytes in memory, with nothing around it.
//!
//! One package is as large as three others, as in real mirrors, so that the division of the work counts, too.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

use divan::Bencher;
use divan::counter::BytesCount;
use flate2::bufread::DeflateDecoder;
use provender::address::ProviderAddr;
use provender::document::{ArchiveEntry, MirrorIndex, PackageId, VersionDocument};
use provender::hash::{PackageHash, Sha256Digest};
use provender::ops::{
    ExpiredKeys, MirrorDepth, SignaturePolicy, SilentReporter, VerifyMirrorRequest, verify_mirror,
};
use provender::package::inspect;
use provender::store::MirrorStore;
use provender::version::Version;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::payload::executable;

const MIB: usize = 1 << 20;
const SIZES: [usize; 8] = [
    96 * MIB,
    32 * MIB,
    32 * MIB,
    32 * MIB,
    32 * MIB,
    32 * MIB,
    32 * MIB,
    32 * MIB,
];
const PIECE: usize = 64 << 10;

/// The digests of all archives.
#[divan::bench(sample_count = 20)]
fn digests_in_memory(bencher: Bencher) {
    let archives = Archives::make();
    bencher
        .counter(BytesCount::new(archives.packed()))
        .bench(|| archives.on_all_processors(digest));
}

/// The digests of all archives (`--quick`).
#[divan::bench(sample_count = 20)]
fn digests_of_mirror(bencher: Bencher) {
    let archives = Archives::make();
    measure(bencher, &archives, MirrorDepth::Digests, archives.packed());
}

/// The digests of all archives, and of what they contain; bytes are those of the content.
#[divan::bench(sample_count = 10)]
fn contents_in_memory(bencher: Bencher) {
    let archives = Archives::make();
    bencher
        .counter(BytesCount::new(SIZES.iter().sum::<usize>()))
        .bench(|| {
            archives.on_all_processors(|archive| (digest(archive), digest_of_content(archive)));
        });
}

/// The digests of all archives, and of what they contain; bytes are those of the content.
#[divan::bench(sample_count = 10)]
fn contents_of_mirror(bencher: Bencher) {
    let archives = Archives::make();
    measure(
        bencher,
        &archives,
        MirrorDepth::Contents,
        SIZES.iter().sum(),
    );
}

fn measure(bencher: Bencher, archives: &Archives, depth: MirrorDepth, bytes: usize) {
    let mirror = archives.mirror();
    let request = VerifyMirrorRequest {
        root: mirror.path().to_owned(),
        depth,
        signatures: SignaturePolicy::AsTheSourceRequires,
        expired_keys: ExpiredKeys::Warn,
        jobs: processors(),
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime can be had");
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let verification = runtime.block_on(verify_mirror(&request, &SilentReporter));
        let verification = verification.expect("it can be looked through");
        assert!(verification.findings.is_empty(), "it is sound");
        assert_eq!(verification.summary.packages.len(), SIZES.len());
    });
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Packages of one provider, a version each, the largest first.
struct Archives(Vec<Vec<u8>>);

impl Archives {
    fn make() -> Self {
        let make = |(seed, size): (u64, usize)| {
            thread::spawn(move || archive(seed, size).expect("a vector takes any bytes"))
        };
        let makers: Vec<_> = (1..).zip(SIZES).map(make).collect();
        let joined = makers.into_iter().map(JoinHandle::join);
        Self(joined.collect::<Result<_, _>>().expect("none panics"))
    }

    fn packed(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    fn on_all_processors<T>(&self, work: impl Fn(&[u8]) -> T + Sync) {
        let next = AtomicUsize::new(0);
        let work_off = || {
            while let Some(archive) = self.0.get(next.fetch_add(1, Ordering::Relaxed)) {
                divan::black_box(work(archive));
            }
        };
        thread::scope(|scope| {
            for _ in 0..processors() {
                scope.spawn(work_off);
            }
        });
    }

    /// What `terraform providers mirror` would leave, with both hashes.
    fn mirror(&self) -> TempDir {
        let directory = TempDir::new().expect("a temporary directory can be made");
        let addr =
            ProviderAddr::parse_canonical("registry.example.test/acme/net").expect("it is one");
        let layout = MirrorStore::new(directory.path()).layout().clone();
        fs::create_dir_all(layout.provider_dir(&addr)).expect("a directory can be made");
        let mut index = MirrorIndex::default();
        for (minor, archive) in (0..).zip(&self.0) {
            let id = PackageId {
                addr: addr.clone(),
                version: Version::new(1, minor, 0),
                platform: "linux_amd64".parse().expect("it is one"),
            };
            let path = layout.archive(&id);
            fs::write(&path, archive).expect("it can be written");
            let contents = inspect(&path, "net").expect("it is a package");
            let hashes = [contents.h1_zip, PackageHash::zh(Sha256Digest::of(archive))];
            let mut document = VersionDocument::default();
            let entry = ArchiveEntry::new(layout.archive_url(&id), hashes);
            document.archives.insert(id.platform.clone(), entry);
            let path = layout.version_document(&addr, &id.version);
            fs::write(path, document.render()).expect("it can be written");
            index.insert(&id.version);
        }
        fs::write(layout.index(&addr), index.render()).expect("it can be written");
        directory
    }
}

fn archive(seed: u64, size: usize) -> zip::result::ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file(
        "terraform-provider-net_v1.0.0_x5",
        SimpleFileOptions::default().unix_permissions(0o755),
    )?;
    writer.write_all(&executable(seed, size))?;
    Ok(writer.finish()?.into_inner())
}

fn digest(archive: &[u8]) -> Sha256Digest {
    let mut hash = Sha256::new();
    archive.chunks(PIECE).for_each(|piece| hash.update(piece));
    Sha256Digest(hash.finalize().into())
}

fn digest_of_content(archive: &[u8]) -> Sha256Digest {
    let mut zip = ZipArchive::new(Cursor::new(archive)).expect("it is one");
    let stored = zip.by_index_raw(0).expect("it has an entry");
    let start =
        usize::try_from(stored.data_start().expect("it is there")).expect("it is in memory");
    let mut content = DeflateDecoder::new(&archive[start..]);
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; PIECE]);
    loop {
        match content.read(&mut buffer).expect("it is sound") {
            0 => return Sha256Digest(hash.finalize().into()),
            count => hash.update(&buffer[..count]),
        }
    }
}
