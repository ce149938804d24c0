//! `install` without addresses, where all goes well.

use super::scene::{HOST, LINUX, Scene, lock_header, shows};
use crate::support::registry::{Dialect, paths};
use crate::support::{ProviderSpec, TestRegistry};

const PACKAGE: &str = ".terraform/providers/registry.example.test/acme/net";

#[test]
fn fresh_root_module_gets_packages_and_a_lock_file() {
    let scene = Scene::usual();
    scene.root([("acme/net", "~> 1.0")]);
    let outcome = scene.install([]);
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
        scene.names(PACKAGE),
        [
            "1.1.0/linux_amd64/LICENSE.txt",
            "1.1.0/linux_amd64/PLATFORM",
            "1.1.0/linux_amd64/terraform-provider-net_v1.1.0_x5",
        ]
    );
    let expected = lock_header("terraform") + &scene.lock_block("acme/net", "1.1.0", "~> 1.0");
    assert_eq!(scene.lock_file(), Some(expected));
}

#[test]
fn second_run_keeps_everything_and_asks_for_nothing() {
    let scene = Scene::usual();
    scene.root([("acme/net", "~> 1.0")]);
    scene.install([]).expect_code(0);
    let lock_file = scene.lock_file();
    scene.registry.clear_requests();
    shows(
        &scene.install([]),
        "code: 0
--- stdout
kept 1 package
--- stderr
",
    );
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    assert_eq!(scene.lock_file(), lock_file);
}

#[test]
fn damaged_installation_is_installed_again() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.install([]).expect_code(0);
    let license = format!("{PACKAGE}/1.0.0/linux_amd64/LICENSE.txt");
    scene.cx.write(&license, "All rights reserved.\n");
    shows(
        &scene.install([]),
        "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(scene.cx.read(&license), "Public domain.\n");
}

#[test]
fn locked_version_wins_over_newer_ones() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.install([]).expect_code(0);
    scene.root([("acme/net", ">= 1.0.0")]);
    let lock_file = scene.lock_file();
    shows(
        &scene.install([]),
        "code: 0
--- stdout
kept 1 package
--- stderr
",
    );
    assert_eq!(scene.lock_file(), lock_file);
    assert_eq!(
        scene
            .registry
            .requests_for(&paths::versions("acme/net"))
            .len(),
        1
    );
}

#[test]
fn upgrade_takes_the_newest_that_the_constraints_allow() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.install([]).expect_code(0);
    scene.root([("acme/net", "~> 1.0")]);
    shows(
        &scene.install(["--upgrade"]),
        "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    let expected = lock_header("terraform") + &scene.lock_block("acme/net", "1.1.0", "~> 1.0");
    assert_eq!(scene.lock_file(), Some(expected));
}

#[test]
fn lock_file_with_comments_stays_where_only_constraints_change() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.install([]).expect_code(0);
    let commented = format!("# Ours.\n{}", scene.lock_file().unwrap());
    scene.cx.write(".terraform.lock.hcl", &commented);
    scene.root([("acme/net", "~> 1.0")]);
    scene.install([]).expect_code(0);
    assert_eq!(scene.lock_file(), Some(commented));
}

#[test]
fn packages_go_where_the_data_directory_is() {
    let mut scene = Scene::usual();
    scene.cx.env("TF_DATA_DIR", "data");
    scene.root([("acme/net", "1.0.0")]);
    scene.install([]).expect_code(0);
    let executable = "1.0.0/linux_amd64/terraform-provider-net_v1.0.0_x5";
    let names = scene.names("data/providers");
    assert!(
        names.contains(&format!("{HOST}/acme/net/{executable}")),
        "{names:?}"
    );
    assert_eq!(scene.names(".terraform"), [""; 0]);
    assert!(scene.lock_file().is_some());
}

#[test]
fn chdir_names_the_root_module() {
    let scene = Scene::usual();
    let configuration = super::scene::module([("acme/net", "1.0.0")]);
    scene.cx.write("infra/main.tf", configuration);
    scene.install(["--chdir", "infra"]).expect_code(0);
    let names = scene.names("");
    let inside = |name: &&String| name.starts_with("infra/");
    assert_eq!(
        names.iter().filter(inside).count(),
        names.len(),
        "{names:?}"
    );
    assert!(names.contains(&"infra/.terraform.lock.hcl".to_owned()));
}

#[test]
fn platform_of_another_machine_is_installed_and_locked() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    let outcome = scene.run(["install", "--platform", "darwin_arm64"]);
    shows(
        &outcome,
        "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `darwin_arm64` (signed by [KEY], 1.3 KiB)
",
    );
    let h1 = scene.registry.h1("acme/net", "1.0.0", "darwin_arm64");
    assert!(scene.lock_file().unwrap().contains(&h1));
    // The package for this one is not locked by `h1:`, but its `zh:` is in the signed document.
    scene.install([]).expect_code(0);
    let lock_file = scene.lock_file().unwrap();
    assert!(lock_file.contains(&h1));
    assert!(lock_file.contains(&scene.registry.h1("acme/net", "1.0.0", LINUX)));
}

#[test]
fn tofu_option_and_tofu_file_choose_the_header() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.install(["--tool", "tofu"]).expect_code(0);
    assert!(scene.lock_file().unwrap().starts_with(&lock_header("tofu")));

    let scene = Scene::usual();
    let configuration = super::scene::module([("acme/net", "1.0.0")]);
    scene.cx.write("main.tofu", configuration);
    scene.install([]).expect_code(0);
    assert!(scene.lock_file().unwrap().starts_with(&lock_header("tofu")));
}

#[test]
fn header_of_the_lock_file_tells_the_tool() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    scene.cx.write(".terraform.lock.hcl", lock_header("tofu"));
    scene.install([]).expect_code(0);
    let lock_file = scene.lock_file().unwrap();
    assert!(lock_file.starts_with(&lock_header("tofu")));
    assert!(lock_file.contains("acme/net"));
}

#[test]
fn tofu_locks_what_its_registry_reports() {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let builder = TestRegistry::builder().dialect(Dialect::OpenTofu);
    let mut scene = Scene::built(builder.provider(net));
    scene
        .cx
        .config(&scene.registry.host_block("registry.opentofu.org"));
    let source =
        "terraform {\n  required_providers {\n    net = { source = \"acme/net\" }\n  }\n}\n";
    scene.cx.write("main.tofu", source);
    scene.install([]).expect_code(0);
    let lock_file = scene.lock_file().unwrap();
    for platform in [LINUX, "darwin_arm64"] {
        for hash in [
            scene.registry.h1("acme/net", "1.0.0", platform),
            scene.registry.zh("acme/net", "1.0.0", platform),
        ] {
            assert!(lock_file.contains(&hash), "{hash} is not in\n{lock_file}");
        }
    }
}
