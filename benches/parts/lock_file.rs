//! A lock file with many providers and the hashes of many platforms.

use divan::Bencher;
use divan::counter::ItemsCount;
use provender::address::{ProviderAddr, Tool};
use provender::document::{Locks, ProviderLock};
use provender::hash::{PackageHash, Sha256Digest};
use provender::version::Version;
use sha2::{Digest, Sha256};

const PROVIDERS: u64 = 200;
const PLATFORMS: u64 = 14;

fn locks() -> Locks {
    let providers = (0..PROVIDERS).map(|n| (addr(n), lock(n))).collect();
    Locks { providers }
}

fn addr(n: u64) -> ProviderAddr {
    ProviderAddr::parse_canonical(&format!("registry.terraform.io/acme/net{n}"))
        .expect("it is an address")
}

fn lock(n: u64) -> ProviderLock {
    let digest = |platform| Sha256Digest(Sha256::digest(format!("{n} {platform}")).into());
    let zh = (0..PLATFORMS).map(|platform| PackageHash::zh(digest(platform)));
    ProviderLock {
        version: Version::new(n, 1, 2),
        constraints: ">= 0.1.0, < 500.0.0".parse().expect("they are"),
        hashes: zh.chain([PackageHash::h1(digest(PLATFORMS))]).collect(),
    }
}

#[divan::bench]
fn parse(bencher: Bencher) {
    let text = locks().render(Tool::Terraform);
    bencher.counter(ItemsCount::new(PROVIDERS)).bench(|| {
        let parsed = Locks::parse(divan::black_box(&text), Tool::Terraform);
        parsed.expect("it is one").locks.providers.len()
    });
}

#[divan::bench]
fn render(bencher: Bencher) {
    let locks = locks();
    bencher
        .counter(ItemsCount::new(PROVIDERS))
        .bench(|| divan::black_box(&locks).render(Tool::Terraform));
}
