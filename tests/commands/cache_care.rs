//! `cache info`, `cache verify` and `cache gc`.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use super::scene::{HOST, LINUX, Scene, shows, without_digests};
use crate::support::tree;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A scene whose cache holds `acme/net` 1.0.0, 1.1.0 and 2.0.0, used in this order.
fn filled() -> Scene {
    let scene = Scene::usual();
    for version in ["1.0.0", "1.1.0", "2.0.0"] {
        scene.root_in(version, [("acme/net", version)]);
        scene.install_in(version, []).expect_code(0);
    }
    for (version, days) in [("1.0.0", 30), ("1.1.0", 20), ("2.0.0", 0)] {
        used_before(&scene, version, days);
    }
    scene
}

fn used_before(scene: &Scene, version: &str, days: u32) {
    let zh = scene.registry.zh("acme/net", version, LINUX);
    let name = format!("v1/locks/{}.lock", zh.trim_start_matches("zh:"));
    let lock = File::options()
        .write(true)
        .open(scene.cx.cache().join(name));
    let used = SystemTime::now() - DAY * days - DAY / 2;
    lock.unwrap().set_modified(used).unwrap();
}

fn versions(scene: &Scene) -> Vec<String> {
    let packages = scene.run(["cache", "info", "--json"]).expect_code(0).json()["packages"].clone();
    let packages = packages.as_array().unwrap().iter();
    packages
        .map(|it| it["version"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn info_lists_packages_and_sizes() {
    let scene = filled();
    shows(
        &scene.run(["cache", "info"]),
        "code: 0
--- stdout
address                         version  platform     archive  proved
registry.example.test/acme/net  1.0.0    linux_amd64  1.3 KiB  signed by [KEY]
registry.example.test/acme/net  1.1.0    linux_amd64  1.3 KiB  signed by [KEY]
registry.example.test/acme/net  2.0.0    linux_amd64  1.3 KiB  signed by [KEY]
3 archives (4.1 KiB, unpacked 3.1 KiB) in `[TEMP]/cache`
--- stderr
",
    );
    let json = scene.run(["cache", "info", "--json"]).expect_code(0).json();
    assert_eq!(json["command"], "cache info");
    assert_eq!(json["cache"]["archives"], 3);
    assert_eq!(json["packages"][0]["address"], format!("{HOST}/acme/net"));
    assert_eq!(json["packages"][0]["verdict"], "signed");
}

#[test]
fn empty_and_absent_caches_are_no_failure() {
    let scene = Scene::usual();
    shows(
        &scene.run(["cache", "info"]),
        "code: 0
--- stdout
0 archives (0 B, unpacked 0 B) in `[TEMP]/cache`
--- stderr
",
    );
    scene.run(["cache", "verify"]).expect_code(0);
    scene.run(["cache", "gc", "--max-size", "0"]).expect_code(0);
    assert_eq!(tree::names(&scene.cx.cache()), [""; 0]);
    scene.run(["cache", "info", "--no-cache"]).expect_code(2);
}

#[test]
fn verify_finds_every_damage_and_drops_what_is_damaged() {
    let scene = filled();
    shows(
        &scene.run(["cache", "verify"]),
        "code: 0
--- stdout
nothing wrong: 3 archives (4.1 KiB, unpacked 3.1 KiB) in `[TEMP]/cache`
--- stderr
",
    );
    let (archive, _) = scene.cached("1.0.0");
    fs::write(&archive, "tampered").unwrap();
    let (_, unpacked) = scene.cached("1.1.0");
    fs::write(unpacked.join("LICENSE.txt"), "All rights reserved.").unwrap();
    let (archive, _) = scene.cached("2.0.0");
    fs::remove_file(&archive).unwrap();
    let outcome = scene.run(["cache", "verify"]).expect_code(10);
    let lines: Vec<_> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{outcome}");
    for version in ["1.0.0", "1.1.0", "2.0.0"] {
        let package = format!("of `{HOST}/acme/net` {version} for `{LINUX}`");
        assert!(outcome.stdout.contains(&package), "{outcome}");
    }
    assert_eq!(
        without_digests(&outcome).stderr,
        "error: the package cache is damaged in 3 places

hint: nothing has to be done: what is damaged was dropped, and is made or fetched anew when it is needed next
"
    );
    let again = scene.run(["cache", "verify"]).expect_code(0);
    assert!(again.stdout.contains("nothing wrong: 1 archive"), "{again}");
}

#[test]
fn findings_as_json() {
    let scene = filled();
    let (archive, _) = scene.cached("1.0.0");
    fs::write(&archive, "tampered").unwrap();
    fs::remove_file(scene.cached("2.0.0").0).unwrap();
    let json = scene
        .run(["cache", "verify", "--json"])
        .expect_code(10)
        .json();
    let kinds = json["findings"].as_array().unwrap().iter();
    let mut kinds: Vec<_> = kinds.map(|it| it["kind"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["mismatch", "missing"]);
    assert_eq!(json["error"]["exit_code"], 10);
}

#[test]
fn missing_archive_alone_is_a_difference() {
    let scene = filled();
    fs::remove_file(scene.cached("2.0.0").0).unwrap();
    scene.run(["cache", "verify"]).expect_code(11);
}

#[test]
fn gc_by_age_deletes_what_was_not_used() {
    let scene = filled();
    let dry = scene.run(["cache", "gc", "--unused-for", "25", "--dry-run"]);
    shows(
        &dry,
        "code: 0
--- stdout
action  address                         version  platform     size
remove  registry.example.test/acme/net  1.0.0    linux_amd64  1.3 KiB
would remove 1 package (1.3 KiB)
--- stderr
left would be 2 archives (2.7 KiB, unpacked 2.0 KiB) in `[TEMP]/cache`
",
    );
    assert_eq!(versions(&scene), ["1.0.0", "1.1.0", "2.0.0"]);
    scene
        .run(["cache", "gc", "--unused-for", "25"])
        .expect_code(0);
    assert_eq!(versions(&scene), ["1.1.0", "2.0.0"]);
    let (archive, unpacked) = scene.cached("1.0.0");
    assert!(!archive.exists() && !unpacked.exists());
    assert!(
        scene
            .installed_in("1.0.0", "1.0.0", "LICENSE.txt")
            .is_file()
    );
}

#[test]
fn use_makes_an_entry_young_again() {
    let scene = filled();
    scene.uninstall_in("1.0.0");
    scene.install_in("1.0.0", ["--offline"]).expect_code(0);
    scene
        .run(["cache", "gc", "--unused-for", "10"])
        .expect_code(0);
    assert_eq!(versions(&scene), ["1.0.0", "2.0.0"]);
}

#[test]
fn gc_by_size_deletes_the_least_recently_used_first() {
    let scene = filled();
    let outcome = scene.run(["cache", "gc", "--max-size", "5KiB", "--json"]);
    let json = outcome.expect_code(0).json();
    assert_eq!(json["packages"][0]["action"], "removed");
    assert_eq!(json["packages"][0]["version"], "1.0.0");
    assert_eq!(json["summary"]["removed"], 1);
    assert_eq!(json["cache"]["archives"], 2);
    assert_eq!(versions(&scene), ["1.1.0", "2.0.0"]);
    scene.run(["cache", "gc", "--max-size", "0"]).expect_code(0);
    assert_eq!(versions(&scene), [""; 0]);
    // Only names of locks and directories are left.
    let names = tree::names(&scene.cx.cache());
    let is_content = |name: &&String| !name.ends_with('/') && !name.contains("/locks/");
    let content: Vec<_> = names.iter().filter(is_content).collect();
    assert_eq!(content, ["v1/CACHEDIR.TAG"]);
}

#[test]
fn gc_without_limits_deletes_no_package() {
    let scene = filled();
    scene.run(["cache", "gc"]).expect_code(0);
    assert_eq!(versions(&scene).len(), 3);
    scene
        .run(["cache", "gc", "--max-size", "much"])
        .expect_code(2);
}
