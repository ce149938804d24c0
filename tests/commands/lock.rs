//! `lock`: which hashes come into lock files, from where, and what happens to the rest.

use std::fs;

use serde_json::json;

use super::scene::{HOST, LINUX, Scene, lock_header, shows};
use crate::support::registry::paths;
use crate::support::{Dialect, Fault, Outcome, ProviderSpec, TestRegistry, TestServer};

const MACOS: &str = "darwin_arm64";

fn lock<const N: usize>(scene: &Scene, arguments: [&str; N]) -> Outcome {
    let usual = ["lock", "--platform", LINUX, "--platform", MACOS];
    scene.cx.run(usual.into_iter().chain(arguments))
}

/// The block for a package that is locked for both platforms.
fn block(scene: &Scene, address: &str, version: &str, constraints: &str) -> String {
    let block = scene.lock_block(address, version, constraints);
    let h1 = |platform| {
        format!(
            "    \"{}\",\n",
            scene.registry.h1(address, version, platform)
        )
    };
    let mut both = [h1(LINUX), h1(MACOS)];
    both.sort();
    block.replace(&h1(LINUX), &both.concat())
}

fn archives(scene: &Scene) -> usize {
    let lines = scene.registry.request_lines();
    lines.iter().filter(|line| line.contains(".zip")).count()
}

#[test]
fn hashes_of_all_platforms_are_locked() {
    let scene = Scene::usual();
    scene.root([("acme/net", "~> 1.0")]);
    shows(
        &lock(&scene, []),
        "code: 0
--- stdout
locked 2 packages (2.7 KiB)
--- stderr
locked `registry.example.test/acme/net` 1.1.0 for `darwin_arm64` (signed by [KEY], 1.3 KiB)
locked `registry.example.test/acme/net` 1.1.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    let expected = lock_header("terraform") + &block(&scene, "acme/net", "1.1.0", "~> 1.0");
    assert_eq!(scene.lock_file(), Some(expected));
    assert!(!scene.cx.work().join(".terraform").exists());
    shows(
        &lock(&scene, []),
        "code: 0\n--- stdout\nkept 2 packages (2.7 KiB)\n--- stderr\n",
    );
}

#[test]
fn warm_cache_needs_no_package_byte_and_serves_the_next_install() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    lock(&scene, []).expect_code(0);
    let locked = scene.lock_file();
    assert_eq!(archives(&scene), 2);
    scene.registry.clear_requests();
    lock(&scene, ["--offline"]).expect_code(0);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    fs::remove_file(scene.cx.work().join(".terraform.lock.hcl")).unwrap();
    lock(&scene, []).expect_code(0);
    assert_eq!((scene.lock_file(), archives(&scene)), (locked, 0));
    scene.install([]).expect_code(0);
    assert_eq!(archives(&scene), 0);
}

#[test]
fn without_a_cache_packages_are_fetched_and_nothing_is_left() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    lock(&scene, ["--no-cache"]).expect_code(0);
    let expected = lock_header("terraform") + &block(&scene, "acme/net", "1.0.0", "1.0.0");
    assert_eq!(scene.lock_file(), Some(expected));
    let left: Vec<_> = fs::read_dir(scene.cx.path("tmp")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(!scene.cx.cache().join("v1").exists());
}

#[test]
fn check_writes_nothing_and_tells_what_would_change() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    let h1 = scene.registry.h1("acme/net", "1.0.0", MACOS);
    let missing = lock(&scene, ["--check"]).expect_code(11);
    assert!(
        missing.stderr.contains("acme/net` 1.0.0 is not locked"),
        "{missing}"
    );
    assert!(
        missing.stdout.contains("would lock 2 packages"),
        "{missing}"
    );
    assert_eq!(scene.lock_file(), None);
    scene.cx.run(["lock", "--platform", LINUX]).expect_code(0);
    let locked = scene.lock_file();
    let lacking = lock(&scene, ["--check"]).expect_code(11);
    assert!(
        lacking.stderr.contains(&format!("lacks `{h1}`")),
        "{lacking}"
    );
    assert!(
        lacking
            .stderr
            .contains("run `provender lock` with the same arguments")
    );
    assert_eq!(scene.lock_file(), locked);
    lock(&scene, []).expect_code(0);
    lock(&scene, ["--check"]).expect_code(0);
    let path = scene.cx.work().join(".terraform.lock.hcl");
    let commented = format!("# mine\n{}", scene.lock_file().unwrap());
    fs::write(path, &commented).unwrap();
    let odd = lock(&scene, ["--check"]).expect_code(11);
    assert!(
        odd.stderr.contains("its text is not as the tool writes it"),
        "{odd}"
    );
    assert_eq!(scene.lock_file(), Some(commented));
}

#[test]
fn missing_platform_is_reported_and_the_rest_is_written() {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let dns = ProviderSpec::new("acme/dns")
        .platforms([LINUX])
        .version("2.0.0");
    let scene = Scene::of([net, dns]);
    scene.root([("acme/net", ""), ("acme/dns", "")]);
    let outcome = lock(&scene, []).expect_code(12);
    assert!(
        outcome
            .stderr
            .contains("cannot lock `registry.example.test/acme/dns` 2.0.0 for `darwin_arm64`")
    );
    assert!(outcome.stdout.contains("locked 3 packages"), "{outcome}");
    let lock_file = scene.lock_file().unwrap();
    assert!(lock_file.contains(&block(&scene, "acme/net", "1.0.0", "")));
    assert!(lock_file.contains(&scene.registry.h1("acme/dns", "2.0.0", LINUX)));
}

#[test]
fn after_another_failure_the_lock_file_stays() {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let dns = ProviderSpec::new("acme/dns").version("2.0.0").tampered();
    let scene = Scene::of([net, dns]);
    scene.root([("acme/net", ""), ("acme/dns", "")]);
    lock(&scene, []).expect_code(10);
    assert_eq!(scene.lock_file(), None);
    let down = paths::archive("acme/net", "1.0.0", LINUX);
    scene.registry.fault(&down, Fault::status(500));
    let named = format!("{HOST}/acme/net");
    lock(&scene, ["--no-cache", &named]).expect_code(13);
    assert_eq!(scene.lock_file(), None);
}

#[test]
fn named_providers_alone_are_locked() {
    let dns = ProviderSpec::new("acme/dns").version("2.0.0");
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let scene = Scene::of([net, dns]);
    scene.root([("acme/net", ""), ("acme/dns", "")]);
    let (net, other) = (format!("{HOST}/acme/net"), format!("{HOST}/acme/other"));
    let refused = lock(&scene, [&net, &other]).expect_code(12);
    assert!(
        refused
            .stderr
            .contains("does not require `registry.example.test/acme/other`"),
        "{refused}"
    );
    assert_eq!(scene.lock_file(), None);
    lock(&scene, [&format!("{net}@1.0.0")]).expect_code(2);
    lock(&scene, [&net]).expect_code(0);
    let expected = lock_header("terraform") + &block(&scene, "acme/net", "1.0.0", "");
    assert_eq!(scene.lock_file(), Some(expected));
}

#[test]
fn upgrade_takes_the_newest_and_forgets_hashes_of_the_old() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    lock(&scene, []).expect_code(0);
    scene.root([("acme/net", ">= 1.0.0")]);
    lock(&scene, []).expect_code(0);
    assert!(scene.lock_file().unwrap().contains("\"1.0.0\""));
    let due = lock(&scene, ["--upgrade", "--check"]).expect_code(11);
    assert!(
        due.stderr
            .contains("is locked at 1.0.0, and 2.0.0 is the newest"),
        "{due}"
    );
    lock(&scene, ["--upgrade"]).expect_code(0);
    let expected = lock_header("terraform") + &block(&scene, "acme/net", "2.0.0", ">= 1.0.0");
    assert_eq!(scene.lock_file(), Some(expected));
}

#[test]
fn mirrors_give_the_same_packages_and_no_foreign_hashes() {
    let scene = Scene::usual();
    let address = format!("{HOST}/acme/net@1.0.0");
    scene.mirror(["--platform", MACOS, &address]).expect_code(0);
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    scene.registry.clear_requests();
    scene.root([("acme/net", "")]);
    let mut hashes = [LINUX, MACOS].map(|it| scene.registry.h1("acme/net", "1.0.0", it));
    hashes.sort();
    for from in ["mirror".to_owned(), server.url("/")] {
        lock(&scene, ["--from", &from, "--no-cache"]).expect_code(0);
        let lock_file = scene.lock_file().unwrap();
        let locked: Vec<&str> = lock_file
            .lines()
            .filter(|line| line.starts_with("    \""))
            .collect();
        assert_eq!(
            locked,
            hashes.clone().map(|hash| format!("    \"{hash}\","))
        );
        fs::remove_file(scene.cx.work().join(".terraform.lock.hcl")).unwrap();
    }
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn every_root_module_is_locked_and_each_archive_is_fetched_once() {
    let scene = Scene::usual();
    for number in 0..200 {
        let constraint = ["1.0.0", "~> 1.0", ""][number % 3];
        scene.root_in(&format!("r{number}"), [("acme/net", constraint)]);
    }
    let outcome = lock(&scene, ["--recursive", "--no-cache"]).expect_code(0);
    assert!(
        outcome
            .stdout
            .ends_with("200 root modules: locked 400 packages (8.3 KiB)\n"),
        "{outcome}"
    );
    assert_eq!(archives(&scene), 6, "three versions for two platforms");
    let lock_file = |dir: &str| {
        fs::read_to_string(scene.cx.work().join(dir).join(".terraform.lock.hcl")).unwrap()
    };
    let header = lock_header("terraform");
    for (dir, version, constraint) in [
        ("r0", "1.0.0", "1.0.0"),
        ("r1", "1.1.0", "~> 1.0"),
        ("r199", "1.1.0", "~> 1.0"),
        ("r2", "2.0.0", ""),
    ] {
        let expected = header.clone() + &block(&scene, "acme/net", version, constraint);
        assert_eq!(lock_file(dir), expected, "{dir}");
    }
    lock(&scene, ["--recursive", "--check"]).expect_code(0);
    fs::remove_file(scene.cx.work().join("r7/.terraform.lock.hcl")).unwrap();
    let differing = lock(&scene, ["--recursive", "--check", "--json"]).expect_code(11);
    let document = differing.json();
    assert_eq!(document["summary"]["lock"], 2);
    let failing: Vec<_> = document["roots"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|root| root["errors"] != json!([]))
        .collect();
    assert_eq!(failing.len(), 1);
    assert_eq!(failing[0]["root"], "r7");
}

/// A registry as OpenTofu's own, under the name `host`.
fn tofu_scene(host: &str) -> Scene {
    let net = ProviderSpec::new("hashicorp/net").version("1.0.0");
    let builder = TestRegistry::builder().dialect(Dialect::OpenTofu);
    let mut scene = Scene::built(builder.provider(net));
    scene.cx.config(&scene.registry.host_block(host));
    let source = format!(
        "terraform {{\n  required_providers {{\n    net = {{ source = \"{host}/hashicorp/net\" }}\n  }}\n}}\n"
    );
    scene.cx.write("main.tf", source);
    scene
}

fn reported(scene: &Scene) -> String {
    let hashes = [LINUX, MACOS].map(|platform| {
        [
            scene.registry.h1("hashicorp/net", "1.0.0", platform),
            scene.registry.zh("hashicorp/net", "1.0.0", platform),
        ]
    });
    let hashes = hashes.concat().into_iter();
    let mut lines: Vec<_> = hashes.map(|hash| format!("    \"{hash}\",\n")).collect();
    lines.sort();
    lines.concat()
}

#[test]
fn tofu_locks_what_its_registry_reports_without_any_package() {
    let scene = tofu_scene("registry.opentofu.org");
    let old = "provider \"registry.terraform.io/hashicorp/net\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:theirs\",\n  ]\n}\n";
    scene.cx.write(".terraform.lock.hcl", old);
    let outcome = lock(&scene, ["--tool", "tofu", "--no-cache"]).expect_code(0);
    assert!(
        outcome
            .stderr
            .contains("is taken over for `registry.opentofu.org/hashicorp/net`"),
        "{outcome}"
    );
    assert_eq!(archives(&scene), 0);
    let expected = format!(
        "{}\nprovider \"registry.opentofu.org/hashicorp/net\" {{\n  version = \"1.0.0\"\n  hashes = [\n{}  ]\n}}\n\n{old}",
        lock_header("tofu"),
        reported(&scene),
    );
    assert_eq!(scene.lock_file(), Some(expected));
}

#[test]
fn other_registries_that_report_hashes_are_not_taken_at_their_word() {
    for (host, tool) in [
        ("other.example.test", "tofu"),
        ("registry.opentofu.org", "terraform"),
    ] {
        let scene = tofu_scene(host);
        lock(&scene, ["--tool", tool, "--no-cache"]).expect_code(0);
        assert_eq!(archives(&scene), 2, "{host} {tool}");
        assert!(scene.lock_file().unwrap().contains(&reported(&scene)));
    }
}

#[test]
fn contradicting_report_is_refused_without_any_package() {
    let net = ProviderSpec::new("hashicorp/net").version("1.0.0");
    let net = net.edit_download(|answer| {
        let zeros = format!("zh:{}", "0".repeat(64));
        answer["packages"]["linux_amd64"]["hashes"] = json!(["h1:invented", zeros]);
    });
    let builder = TestRegistry::builder().dialect(Dialect::OpenTofu);
    let mut scene = Scene::built(builder.provider(net));
    scene
        .cx
        .config(&scene.registry.host_block("registry.opentofu.org"));
    scene.cx.write(
        "main.tofu",
        "terraform {\n  required_providers {\n    net = { source = \"hashicorp/net\" }\n  }\n}\n",
    );
    let outcome = scene.cx.run(["lock", "--platform", LINUX]).expect_code(10);
    assert!(
        outcome.stderr.contains("the registry reports `zh:0000"),
        "{outcome}"
    );
    assert_eq!((scene.lock_file(), archives(&scene)), (None, 0));
}
