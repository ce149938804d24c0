//! `mirror`: the ordinary run, the second run, `--check`, `--dry-run`.

use std::fs;

use super::scene::{HOST, LINUX, Scene, shows};
use crate::support::registry::paths;
use crate::support::{ProviderSpec, Signing};

const NET: &str = "registry.example.test/acme/net";

/// Whether there is nothing in the mirror but directories.
fn holds_no_files(scene: &Scene) -> bool {
    scene.names("mirror").iter().all(|name| name.ends_with('/'))
}

#[test]
fn address_is_mirrored_with_documents_and_evidence() {
    let scene = Scene::usual();
    shows(
        &scene.mirror([NET]),
        "code: 0
--- stdout
mirrored 1 package (1.3 KiB)
--- stderr
mirrored `registry.example.test/acme/net` 2.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    let named = |name| format!("{HOST}/acme/net/{name}");
    assert_eq!(
        scene.names("mirror"),
        [
            "2.0.0.json",
            "index.json",
            "terraform-provider-net_2.0.0_SHA256SUMS",
            "terraform-provider-net_2.0.0_SHA256SUMS.sig",
            "terraform-provider-net_2.0.0_evidence.json",
            "terraform-provider-net_2.0.0_linux_amd64.zip",
        ]
        .map(named)
    );
    let archive = scene
        .mirrored("net")
        .join("terraform-provider-net_2.0.0_linux_amd64.zip");
    let published = scene.registry.archive_bytes("acme/net", "2.0.0", LINUX);
    assert!(fs::read(archive).unwrap() == published);
}

#[test]
fn second_run_fetches_nothing() {
    let scene = Scene::usual();
    scene.mirror([NET]).expect_code(0);
    let before = scene.names("mirror");
    scene.registry.clear_requests();
    shows(
        &scene.mirror([NET]),
        "code: 0
--- stdout
kept 1 package (1.3 KiB)
--- stderr
",
    );
    // Which version is the newest has to be asked; nothing else.
    assert_eq!(
        scene.registry.request_lines(),
        ["GET /v1/providers/acme/net/versions"]
    );
    assert_eq!(scene.names("mirror"), before);
}

#[test]
fn kept_packages_are_told_with_verbose() {
    let scene = Scene::usual();
    scene.mirror([NET]).expect_code(0);
    let outcome = scene.mirror(["-v", NET]).expect_code(0);
    assert!(
        outcome
            .stderr
            .contains("kept `registry.example.test/acme/net` 2.0.0"),
        "{outcome}"
    );
}

#[test]
fn check_repairs_a_damaged_archive_of_the_right_size() {
    let scene = Scene::usual();
    scene.mirror([NET]).expect_code(0);
    let archive = scene
        .mirrored("net")
        .join("terraform-provider-net_2.0.0_linux_amd64.zip");
    let good = fs::read(&archive).unwrap();
    let mut damaged = good.clone();
    damaged[100] ^= 1;
    fs::write(&archive, &damaged).unwrap();
    scene.mirror([NET]).expect_code(0);
    assert!(
        fs::read(&archive).unwrap() == damaged,
        "the size alone does not tell"
    );
    shows(
        &scene.mirror(["--check", NET]),
        "code: 0
--- stdout
mirrored 1 package (1.3 KiB)
--- stderr
mirrored `registry.example.test/acme/net` 2.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert!(fs::read(&archive).unwrap() == good);
}

#[test]
fn archive_of_another_size_is_fetched_again() {
    let scene = Scene::usual();
    scene.mirror([NET]).expect_code(0);
    let archive = scene
        .mirrored("net")
        .join("terraform-provider-net_2.0.0_linux_amd64.zip");
    let good = fs::read(&archive).unwrap();
    fs::write(&archive, &good[..100]).unwrap();
    scene.mirror([NET]).expect_code(0);
    assert!(fs::read(&archive).unwrap() == good);
}

#[test]
fn dry_run_plans_without_a_request_per_package_and_changes_nothing() {
    let scene = Scene::usual();
    scene
        .mirror(["registry.example.test/acme/net@1.0.0"])
        .expect_code(0);
    let before = scene.names("mirror");
    scene.registry.clear_requests();
    shows(
        &scene.mirror(["--dry-run", "--all-versions", NET]),
        "code: 0
--- stdout
action  address                         version  platform     size
keep    registry.example.test/acme/net  1.0.0    linux_amd64  1.3 KiB
fetch   registry.example.test/acme/net  1.1.0    linux_amd64  ?
fetch   registry.example.test/acme/net  2.0.0    linux_amd64  ?
would fetch 2 packages, kept 1 package (1.3 KiB)
--- stderr
",
    );
    assert_eq!(
        scene.registry.request_lines(),
        ["GET /v1/providers/acme/net/versions"]
    );
    assert_eq!(scene.names("mirror"), before);
}

#[test]
fn dry_run_into_nowhere_makes_no_directory() {
    let scene = Scene::usual();
    scene.mirror(["--dry-run", NET]).expect_code(0);
    assert!(!scene.cx.work().join("mirror").exists());
}

#[test]
fn packages_with_checksums_alone_are_mirrored_unless_a_signature_is_required() {
    // Only OpenTofu's own registry may list no keys.
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .signing(Signing::NoKeys);
    let mut scene = Scene::of([net]);
    scene
        .cx
        .config(&scene.registry.host_block("registry.opentofu.org"));
    let address = "registry.opentofu.org/acme/net";
    let refused = scene.mirror(["--tool", "tofu", "--require-signature", address]);
    shows(
        &refused,
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.opentofu.org/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.opentofu.org/acme/net` 1.0.0 for `linux_amd64`
  caused by: the package is not signed, and `--require-signature` asks for a signature

hint: leave out `--require-signature` if checksums suffice
",
    );
    assert!(holds_no_files(&scene));
    shows(
        &scene.mirror(["--tool", "tofu", address]),
        "code: 0
--- stdout
mirrored 1 package (1.3 KiB)
--- stderr
mirrored `registry.opentofu.org/acme/net` 1.0.0 for `linux_amd64` (checksum only, 1.3 KiB)
",
    );
    // What was mirrored by its checksum is no reason to let it pass later.
    scene
        .mirror(["--tool", "tofu", "--require-signature", address])
        .expect_code(10);
}

#[test]
fn provider_without_keys_is_refused_elsewhere() {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .signing(Signing::NoKeys);
    let scene = Scene::of([net]);
    let outcome = scene.mirror([NET]);
    assert!(holds_no_files(&scene));
    shows(
        &outcome,
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the SHA256SUMS document of `registry.example.test/acme/net` 1.0.0 is not authentic
  caused by: the signature is by key `[KEY]`, and the registry lists no key for it

hint: if the publisher changed keys, ask them for the new one and try again once the registry lists it
",
    );
}

#[test]
fn sums_and_signature_are_asked_for_once_a_version() {
    let scene = Scene::usual();
    let outcome = scene.mirror(["--platform", "darwin_arm64", NET]);
    outcome.expect_code(0);
    for path in [
        paths::sums("acme/net", "2.0.0"),
        paths::signature("acme/net", "2.0.0"),
    ] {
        assert_eq!(scene.registry.requests_for(&path).len(), 1, "{path}");
    }
}
