//! `--offline`: what is on this machine suffices or is named, and nobody is asked.

use super::scene::{HOST, Scene, shows};

#[test]
fn unlocked_provider_is_named() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    shows(
        &scene.install(["--offline"]),
        "code: 12
--- stdout
1 failure
--- stderr
error: cannot find the versions of `registry.example.test/acme/net`
  caused by: nobody is asked under `--offline`, and what is on this machine does not suffice

hint: run the command once without `--offline`; what a lock file then selects and the package cache holds needs no network any more
",
    );
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn locked_package_that_is_not_cached_is_named_and_the_rest_installed() {
    let scene = Scene::of([
        crate::support::ProviderSpec::new("acme/net").version("1.0.0"),
        crate::support::ProviderSpec::new("acme/dns").version("2.0.0"),
    ]);
    scene.root_in("a", [("acme/dns", "2.0.0")]);
    scene.install_in("a", []).expect_code(0);
    scene.root([("acme/net", "1.0.0"), ("acme/dns", "2.0.0")]);
    scene.install(["--no-cache"]).expect_code(0);
    scene.uninstall_in(".");
    scene.registry.clear_requests();
    shows(
        &scene.install(["--offline", "-j", "1"]),
        "code: 12
--- stdout
installed 1 package (1.3 KiB), 1 failure
--- stderr
installed `registry.example.test/acme/dns` 2.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot install `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: nobody is asked under `--offline`, and what is on this machine does not suffice

hint: run the command once without `--offline`; what a lock file then selects and the package cache holds needs no network any more
",
    );
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn what_is_installed_or_mirrored_is_kept() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.install(["--no-cache"]).expect_code(0);
    let lock = ["--lock", ".terraform.lock.hcl"];
    scene.mirror(lock).expect_code(0);
    scene.registry.clear_requests();
    shows(
        &scene.install(["--offline"]),
        "code: 0
--- stdout
kept 1 package
--- stderr
",
    );
    let [option, file] = lock;
    shows(
        &scene.mirror([option, file, "--offline"]),
        "code: 0
--- stdout
kept 1 package (1.3 KiB)
--- stderr
",
    );
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn other_commands_name_what_is_missing() {
    let scene = Scene::usual();
    let address = format!("{HOST}/acme/net");
    scene
        .run(["versions", &address, "--offline"])
        .expect_code(12);
    scene.mirror([&address, "--offline"]).expect_code(12);
    let outcome = scene.run(["--offline", "--json", "install", &address, "--dir", "d"]);
    let error = &outcome.expect_code(12).json()["error"];
    assert_eq!(error["kind"], "not_found");
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}
