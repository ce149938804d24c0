//! `mirror`: which providers, versions and platforms.

use std::fs;

use super::scene::{HOST, LINUX, Scene, shows};
use crate::support::{ProviderSpec, TestRegistry};

const NET: &str = "registry.example.test/acme/net";

/// What the mirror holds of `acme/net`: `VERSION_PLATFORM`.
fn held(scene: &Scene) -> Vec<String> {
    let names = scene.names("mirror/registry.example.test/acme/net");
    let archives = names.iter().filter_map(|name| name.strip_suffix(".zip"));
    archives
        .map(|name| {
            name.trim_start_matches("terraform-provider-net_")
                .to_owned()
        })
        .collect()
}

/// Versions with gaps: 1.1.0 lacks macOS, 2.0.0-rc1 is a prerelease.
fn gappy() -> Scene {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .version("1.1.0")
        .platforms(["linux_amd64"])
        .version("2.0.0-rc1");
    Scene::of([net])
}

#[test]
fn latest_counts_the_newest_matching_versions() {
    let scene = Scene::usual();
    shows(
        &scene.mirror(["-j1", "--latest", "2", NET]),
        "code: 0
--- stdout
mirrored 2 packages (2.7 KiB)
--- stderr
mirrored `registry.example.test/acme/net` 1.1.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
mirrored `registry.example.test/acme/net` 2.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(held(&scene), ["1.1.0_linux_amd64", "2.0.0_linux_amd64"]);
    let scene = Scene::usual();
    let constrained = format!("{NET}@<2.0.0");
    scene.mirror(["--latest", "5", &constrained]).expect_code(0);
    assert_eq!(held(&scene), ["1.0.0_linux_amd64", "1.1.0_linux_amd64"]);
}

#[test]
fn all_versions_are_all_but_prereleases() {
    let scene = gappy();
    scene.mirror(["--all-versions", NET]).expect_code(0);
    assert_eq!(held(&scene), ["1.0.0_linux_amd64", "1.1.0_linux_amd64"]);
    scene
        .mirror(["--all-versions", "--include-prereleases", NET])
        .expect_code(0);
    assert_eq!(
        held(&scene),
        [
            "1.0.0_linux_amd64",
            "1.1.0_linux_amd64",
            "2.0.0-rc1_linux_amd64"
        ]
    );
}

#[test]
fn exact_constraint_selects_a_prerelease() {
    let scene = gappy();
    let exact = format!("{NET}@2.0.0-rc1");
    scene.mirror([exact.as_str()]).expect_code(0);
    assert_eq!(held(&scene), ["2.0.0-rc1_linux_amd64"]);
}

#[test]
fn latest_and_all_versions_exclude_each_other() {
    let scene = Scene::usual();
    scene
        .mirror(["--latest", "2", "--all-versions", NET])
        .expect_code(2);
    scene.mirror(["--latest", "0", NET]).expect_code(2);
}

#[test]
fn all_platforms_are_those_that_the_registry_lists() {
    let scene = gappy();
    let outcome = scene.run([
        "mirror",
        "--to",
        "mirror",
        "-j1",
        "--platform",
        "all",
        "--latest",
        "2",
        NET,
    ]);
    shows(
        &outcome,
        "code: 0
--- stdout
mirrored 3 packages (4.1 KiB)
--- stderr
mirrored `registry.example.test/acme/net` 1.0.0 for `darwin_arm64` (signed by [KEY], 1.3 KiB)
mirrored `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
mirrored `registry.example.test/acme/net` 1.1.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(
        held(&scene),
        [
            "1.0.0_darwin_arm64",
            "1.0.0_linux_amd64",
            "1.1.0_linux_amd64"
        ]
    );
}

#[test]
fn missing_platform_is_an_error_and_the_rest_is_mirrored() {
    let scene = gappy();
    let outcome = scene.mirror(["-j1", "--platform", "darwin_arm64", "--latest", "2", NET]);
    shows(
        &outcome,
        "code: 12
--- stdout
mirrored 3 packages (4.1 KiB), 1 failure
--- stderr
mirrored `registry.example.test/acme/net` 1.0.0 for `darwin_arm64` (signed by [KEY], 1.3 KiB)
mirrored `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
failed `registry.example.test/acme/net` 1.1.0 for `darwin_arm64`
mirrored `registry.example.test/acme/net` 1.1.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
error: cannot mirror `registry.example.test/acme/net` 1.1.0 for `darwin_arm64`
  caused by: `registry.example.test/acme/net` 1.1.0 is not published for `darwin_arm64`

hint: 1.1.0 is published for: linux_amd64
hint: the newest version listed for `darwin_arm64` is 1.0.0
",
    );
    assert_eq!(
        held(&scene),
        [
            "1.0.0_darwin_arm64",
            "1.0.0_linux_amd64",
            "1.1.0_linux_amd64"
        ]
    );
}

#[test]
fn missing_platform_can_be_skipped() {
    let scene = gappy();
    let skip = [
        "-j1",
        "--missing-platform",
        "skip",
        "--platform",
        "darwin_arm64",
        NET,
    ];
    shows(
        &scene.mirror(skip),
        "code: 0
--- stdout
mirrored 1 package (1.3 KiB), skipped 1 package
--- stderr
skipped `registry.example.test/acme/net` 1.1.0 for `darwin_arm64`
mirrored `registry.example.test/acme/net` 1.1.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    let dry_run = ["mirror", "--to", "mirror", "--platform", LINUX, "--dry-run"];
    shows(
        &scene.cx.run(dry_run.into_iter().chain(skip)),
        "code: 0
--- stdout
action  address                         version  platform      size
skip    registry.example.test/acme/net  1.1.0    darwin_arm64  ?
keep    registry.example.test/acme/net  1.1.0    linux_amd64   1.3 KiB
kept 1 package (1.3 KiB), skipped 1 package
--- stderr
",
    );
}

#[test]
fn platform_that_is_listed_but_not_published_is_missing_too() {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .unpublished("darwin_arm64");
    let scene = Scene::of([net]);
    let outcome = scene.mirror(["-j1", "--platform", "darwin_arm64", NET]);
    shows(
        &outcome,
        "code: 12
--- stdout
mirrored 1 package (1.3 KiB), 1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `darwin_arm64`
mirrored `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `darwin_arm64`
  caused by: `registry.example.test/acme/net` 1.0.0 is not published for `darwin_arm64`

hint: 1.0.0 is published for: linux_amd64
",
    );
    let skip = [
        "--missing-platform",
        "skip",
        "--platform",
        "darwin_arm64",
        NET,
    ];
    scene.mirror(skip).expect_code(0);
}

#[test]
fn root_module_is_mirrored_at_its_locked_versions() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.install([]).expect_code(0);
    scene.root([("acme/net", "~> 1.0")]);
    scene.registry.clear_requests();
    scene.mirror(["--root", "."]).expect_code(0);
    assert_eq!(held(&scene), ["1.0.0_linux_amd64"]);
    scene
        .mirror(["--root", ".", "--latest", "1"])
        .expect_code(0);
    assert_eq!(held(&scene), ["1.0.0_linux_amd64", "1.1.0_linux_amd64"]);
}

#[test]
fn root_module_whose_lock_does_not_fit_is_mirrored_by_its_constraints() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.install([]).expect_code(0);
    scene.root([("acme/net", "~> 2.0")]);
    scene.mirror(["--root", "."]).expect_code(0);
    assert_eq!(held(&scene), ["2.0.0_linux_amd64"]);
}

#[test]
fn lock_file_is_mirrored_exactly_and_a_second_run_asks_nothing() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.install([]).expect_code(0);
    let lock = ["--lock", ".terraform.lock.hcl"];
    scene.mirror(lock).expect_code(0);
    assert_eq!(held(&scene), ["1.0.0_linux_amd64"]);
    scene.registry.clear_requests();
    scene.mirror(lock).expect_code(0);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn lock_file_that_is_not_there_is_an_error() {
    shows(
        &Scene::usual().mirror(["--lock", "infra"]),
        "code: 1
--- stdout
--- stderr
error: there is no lock file `[TEMP]/place/infra`

hint: name the file itself, such as `infra/.terraform.lock.hcl`
",
    );
}

#[test]
fn wishes_for_one_provider_are_united() {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .version("1.1.0");
    let dns = ProviderSpec::new("acme/dns").version("0.1.0");
    let scene = Scene::built(TestRegistry::builder().provider(net).provider(dns));
    let dns = "registry.example.test/acme/dns";
    let outcome = scene.mirror(["-j1", "registry.example.test/acme/net@1.0.0", NET, NET, dns]);
    shows(
        &outcome,
        "code: 0
--- stdout
mirrored 3 packages (4.1 KiB)
--- stderr
mirrored `registry.example.test/acme/dns` 0.1.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
mirrored `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
mirrored `registry.example.test/acme/net` 1.1.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(held(&scene), ["1.0.0_linux_amd64", "1.1.0_linux_amd64"]);
}

#[test]
fn lock_file_that_will_refuse_a_package_is_told_whether_it_is_there_already_or_not() {
    let scene = Scene::usual();
    let lock = |hash: &str| {
        format!(
            "provider \"{HOST}/acme/net\" {{\n  version = \"1.0.0\"\n  hashes = [\n    \"{hash}\",\n  ]\n}}\n"
        )
    };
    scene.cx.write("bad.hcl", lock("h1:other"));
    let own = scene.registry.h1("acme/net", "1.0.0", LINUX);
    scene.cx.write("good.hcl", lock(&own));
    let warns = |file: &str| {
        let outcome = scene.mirror(["--lock", file]).expect_code(0);
        outcome
            .stderr
            .contains("none of the hashes in the lock file fits")
    };
    assert!(!warns("good.hcl"), "kept nothing");
    assert!(warns("bad.hcl"), "kept");
    assert!(!warns("good.hcl"), "kept");
    fs::remove_dir_all(scene.cx.work().join("mirror")).unwrap();
    assert!(warns("bad.hcl"), "fetched");
}
