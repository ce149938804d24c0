//! `install` with addresses.

use super::scene::{HOST, LINUX, Scene, shows};
use crate::support::tree;

/// The files of packages, without the notes beside them.
fn packages(names: &[String]) -> Vec<String> {
    let names = names
        .iter()
        .filter(|name| !name.contains("/.linux_") && !name.contains("/.darwin_"));
    names.cloned().collect()
}

#[test]
fn packages_are_unpacked_into_the_directory() {
    let scene = Scene::usual();
    let outcome = scene.install(["--dir", "plugins", "registry.example.test/acme/net@~>1.0"]);
    shows(
        &outcome,
        "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(
        packages(&scene.names("plugins")),
        [
            "LICENSE.txt",
            "PLATFORM",
            "terraform-provider-net_v1.1.0_x5"
        ]
        .map(|name| format!("{HOST}/acme/net/1.1.0/linux_amd64/{name}"))
    );
    assert_eq!(scene.lock_file(), None);
}

#[test]
fn several_platforms_and_addresses_are_one_run() {
    let scene = Scene::usual();
    let outcome = scene.install([
        "-j1",
        "--platform",
        "darwin_arm64",
        "--dir",
        "plugins",
        "registry.example.test/acme/net@1.0.0",
        "registry.example.test/acme/net@2.0.0",
    ]);
    shows(
        &outcome,
        "code: 0
--- stdout
installed 4 packages (5.5 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `darwin_arm64` (signed by [KEY], 1.3 KiB)
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
installed `registry.example.test/acme/net` 2.0.0 for `darwin_arm64` (signed by [KEY], 1.3 KiB)
installed `registry.example.test/acme/net` 2.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(packages(&scene.names("plugins")).len(), 12);
}

#[test]
fn package_that_is_there_is_kept() {
    let scene = Scene::usual();
    let address = "registry.example.test/acme/net@1.0.0";
    scene.install(["--dir", "plugins", address]).expect_code(0);
    scene.registry.clear_requests();
    shows(
        &scene.install(["--dir", "plugins", address]),
        "code: 0
--- stdout
kept 1 package
--- stderr
",
    );
    let download = format!(
        "/v1/providers/acme/net/1.0.0/download/{}",
        LINUX.replace('_', "/")
    );
    assert_eq!(scene.registry.requests_for(&download).len(), 0);
}

#[test]
fn implied_directory_is_told() {
    let mut scene = Scene::usual();
    let data = scene.cx.path("data");
    scene.cx.env("XDG_DATA_HOME", &data);
    let outcome = scene.install(["registry.example.test/acme/net@1.0.0"]);
    shows(
        &outcome,
        "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
note: `[TEMP]/data/terraform/plugins` is an implied local mirror: terraform no longer asks the registry for these providers
",
    );
    let names = packages(&tree::names(&data));
    let place = format!("terraform/plugins/{HOST}/acme/net/1.0.0/linux_amd64/");
    assert_eq!(names.len(), 3);
    assert!(
        names.iter().all(|name| name.starts_with(&place)),
        "{names:?}"
    );
    assert_eq!(tree::names(&scene.cx.home()), [""; 0]);
}

#[test]
fn package_for_an_unpublished_platform_fails_and_the_rest_is_installed() {
    let scene = Scene::usual();
    let address = "registry.example.test/acme/net@1.0.0";
    let outcome = scene.install([
        "-j1",
        "--platform",
        "plan9_arm",
        "--dir",
        "plugins",
        address,
    ]);
    shows(
        &outcome,
        "code: 12
--- stdout
installed 1 package (1.3 KiB), 1 failure
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
failed `registry.example.test/acme/net` 1.0.0 for `plan9_arm`
error: cannot install `registry.example.test/acme/net` 1.0.0 for `plan9_arm`
  caused by: `registry.example.test/acme/net` 1.0.0 is not published for `plan9_arm`

hint: 1.0.0 is published for: darwin_arm64, linux_amd64
",
    );
    assert_eq!(packages(&scene.names("plugins")).len(), 3);
}

#[test]
fn what_is_not_the_package_is_replaced() {
    let scene = Scene::usual();
    let install = || scene.install(["--dir", "plugins", "registry.example.test/acme/net@1.0.0"]);
    let dir = format!("plugins/{HOST}/acme/net/1.0.0/{LINUX}");
    let plugin = format!("{dir}/terraform-provider-net_v1.0.0_x5");
    // Made by somebody else, and without the note that `install` leaves.
    scene.cx.write(&format!("{dir}/stray"), "stray");
    install().expect_code(0);
    assert_eq!(packages(&scene.names("plugins")).len(), 3);
    let good = std::fs::read(scene.cx.work().join(&plugin)).unwrap();
    scene.cx.write(&plugin, "corrupted");
    let outcome = install().expect_code(0);
    assert!(
        outcome.stdout.starts_with("installed 1 package"),
        "{outcome}"
    );
    assert_eq!(std::fs::read(scene.cx.work().join(&plugin)).unwrap(), good);
}

#[test]
fn root_module_options_make_no_sense_with_addresses() {
    let scene = Scene::usual();
    let address = "registry.example.test/acme/net";
    scene.install(["--upgrade", address]).expect_code(2);
    scene.install(["--locked", address]).expect_code(2);
    scene.install(["--dir", "plugins"]).expect_code(2);
    scene.root([("acme/net", "")]);
    shows(
        &scene.install(["--platform", "darwin_arm64"]),
        "code: 2
--- stdout
--- stderr
error: a root module is installed for one platform, got 2

hint: for several platforms, fill a mirror with `provender mirror --root DIR --to DEST`, or lock their hashes with `provender lock`
",
    );
}
