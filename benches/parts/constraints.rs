//! Versions of a provider with a long history against constraints.

use divan::Bencher;
use provender::version::{Prereleases, Version, VersionConstraints};

const COUNT: u64 = 2000;

fn versions() -> Vec<Version> {
    let text = |n: u64| match n % 10 {
        9 => format!("{}.{}.{}-beta{n}", n / 400, n / 10 % 40, n % 10),
        patch => format!("{}.{}.{patch}", n / 400, n / 10 % 40),
    };
    let parsed = (1..=COUNT).map(|n| text(n).parse());
    parsed.map(|version| version.expect("it is one")).collect()
}

#[divan::bench(args = ["~> 4.20", ">= 1.2, < 4.0.0, != 3.5.1"])]
fn select(bencher: Bencher, constraints: &str) {
    let available = versions();
    let constraints: VersionConstraints = constraints.parse().expect("they are");
    bencher.bench(|| constraints.select(divan::black_box(&available)).is_some());
}

#[divan::bench]
fn all_allowed(bencher: Bencher) {
    let available = versions();
    let constraints: VersionConstraints = ">= 0.1, != 2.0.0".parse().expect("they are");
    bencher.bench(|| {
        let available = divan::black_box(&available);
        constraints.allowed(available, Prereleases::Included).len()
    });
}

#[divan::bench]
fn parse_versions(bencher: Bencher) {
    let texts: Vec<String> = versions().iter().map(Version::to_string).collect();
    bencher.bench(|| {
        let parsed = divan::black_box(&texts).iter();
        parsed.flat_map(|text| text.parse::<Version>()).count()
    });
}
