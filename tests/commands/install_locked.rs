//! `install` and the lock file's say: hashes that must fit, and `--locked`.

use super::scene::{HOST, Scene, shows, without_digests};
use crate::support::ProviderSpec;

/// An `h1:` that no package has.
const WRONG: &str = "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

fn lock_with_hash(hash: &str) -> String {
    format!(
        "provider \"{HOST}/acme/net\" {{\n  version = \"1.0.0\"\n  hashes = [\n    \"{hash}\",\n  ]\n}}\n"
    )
}

/// A scene whose lock file was made by `install` for `constraint`.
fn installed(constraint: &str) -> Scene {
    let scene = Scene::usual();
    scene.root([("acme/net", constraint)]);
    scene.install([]).expect_code(0);
    scene
}

#[test]
fn package_that_fits_no_locked_hash_is_refused() {
    let mut scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.cx.filter(
        &scene.registry.h1("acme/net", "1.0.0", "linux_amd64"),
        "[H1]",
    );
    scene.cx.filter(
        &scene.registry.zh("acme/net", "1.0.0", "linux_amd64"),
        "[ZH]",
    );
    scene.cx.write(".terraform.lock.hcl", lock_with_hash(WRONG));
    shows(
        &scene.install([]),
        "code: 10
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
error: cannot install `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
  caused by: the package's hashes are `[ZH]`, `[H1]`, the lock file allows `h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=`

hint: if the publisher replaced the package, find out why before you delete its entry from the lock file; if only another platform was locked, lock this one too
",
    );
    assert_eq!(scene.lock_file(), Some(lock_with_hash(WRONG)));
    let files = scene.names(".terraform/providers");
    assert!(files.iter().all(|name| name.ends_with('/')), "{files:?}");
}

#[test]
fn package_that_fits_no_locked_hash_is_a_difference_under_locked() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.cx.write(".terraform.lock.hcl", lock_with_hash(WRONG));
    scene.install(["--locked"]).expect_code(11);
    assert_eq!(scene.lock_file(), Some(lock_with_hash(WRONG)));
}

#[test]
fn hashes_of_unknown_schemes_bind_only_under_locked() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene
        .cx
        .write(".terraform.lock.hcl", lock_with_hash("h9:abc"));
    scene.install(["--locked"]).expect_code(11);
    scene.install([]).expect_code(0);
    assert!(!scene.lock_file().unwrap().contains("h9:abc"));
}

#[test]
fn locked_installs_what_the_lock_file_names_and_leaves_it() {
    let scene = installed("1.0.0");
    let zh = scene.registry.zh("acme/net", "1.0.0", "linux_amd64");
    scene.cx.write(".terraform.lock.hcl", lock_with_hash(&zh));
    std::fs::remove_dir_all(scene.cx.work().join(".terraform")).unwrap();
    shows(
        &scene.install(["--locked"]),
        "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    // The `h1:` is new, but that is neither written nor an error.
    assert_eq!(scene.lock_file(), Some(lock_with_hash(&zh)));
}

#[test]
fn locked_refuses_a_provider_that_is_not_locked() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    shows(
        &scene.install(["--locked"]),
        "code: 11
--- stdout
--- stderr
error: the lock file `[TEMP]/place/.terraform.lock.hcl` does not fit the configuration: `registry.example.test/acme/net` is not locked

hint: run `provender install` without `--locked`, with `--upgrade` where a version has to change, and commit the lock file
",
    );
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    assert_eq!(scene.lock_file(), None);
    assert_eq!(scene.names(".terraform"), [""; 0]);
}

#[test]
fn locked_refuses_a_version_that_the_constraints_no_longer_allow() {
    let scene = installed("1.0.0");
    let lock_file = scene.lock_file();
    scene.root([("acme/net", "~> 2.0")]);
    shows(
        &scene.install(["--locked"]),
        "code: 11
--- stdout
--- stderr
error: the lock file `[TEMP]/place/.terraform.lock.hcl` does not fit the configuration: `registry.example.test/acme/net` is locked at 1.0.0, and `~> 2.0` is required

hint: run `provender install` without `--locked`, with `--upgrade` where a version has to change, and commit the lock file
",
    );
    shows(
        &scene.install([]),
        "code: 12
--- stdout
1 failure
--- stderr
error: the lock file selects `registry.example.test/acme/net` 1.0.0, but the configuration requires `~> 2.0`

hint: choose a version anew with `provender install --upgrade` or `provender lock --upgrade`, or correct the constraint
",
    );
    assert_eq!(scene.lock_file(), lock_file);
}

#[test]
fn locked_refuses_an_entry_that_nothing_requires() {
    let scene = installed("1.0.0");
    scene.cx.write("main.tf", "locals {}\n");
    shows(
        &scene.install(["--locked"]),
        "code: 11
--- stdout
--- stderr
error: the lock file `[TEMP]/place/.terraform.lock.hcl` does not fit the configuration: `registry.example.test/acme/net` is locked but no longer required

hint: run `provender install` without `--locked`, with `--upgrade` where a version has to change, and commit the lock file
",
    );
}

#[test]
fn lock_file_stays_if_any_provider_fails() {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let dns = ProviderSpec::new("acme/dns").version("1.0.0").tampered();
    let scene = Scene::of([net, dns]);
    scene.root([("acme/net", ""), ("acme/dns", "")]);
    let outcome = scene.install(["-j1"]);
    shows(
        &without_digests(&outcome),
        "code: 10
--- stdout
installed 1 package (1.3 KiB), 1 failure
--- stderr
failed `registry.example.test/acme/dns` 1.0.0 for `linux_amd64`
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
error: cannot install `registry.example.test/acme/dns` 1.0.0 for `linux_amd64`
  caused by: the archive has SHA-256 `[DIGEST]`, expected is `[DIGEST]`

hint: somebody on the way, such as a proxy or an artifact store, may have changed the package; if it stays so, tell those who run the source
",
    );
    assert_eq!(scene.lock_file(), None);
    let files = scene.names(".terraform/providers");
    assert!(
        !files.iter().any(|name| name.contains("provider-dns")),
        "{files:?}"
    );
}

#[test]
fn unreadable_lock_file_is_told_with_its_line() {
    let scene = Scene::usual();
    scene.root([("acme/net", "")]);
    scene.cx.write(".terraform.lock.hcl", "provider \"x\" {\n");
    let outcome = scene.install([]);
    shows(
        &outcome,
        "code: 1
--- stdout
--- stderr
error: cannot use the lock file `[TEMP]/place/.terraform.lock.hcl`
  caused by: line 1, column 16: the syntax is wrong: invalid block body; expected `}`, newline or identifier
",
    );
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn upgrade_and_locked_exclude_each_other() {
    let scene = Scene::usual();
    scene.install(["--upgrade", "--locked"]).expect_code(2);
}
