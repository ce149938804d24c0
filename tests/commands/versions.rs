//! `versions`.

use super::scene::{Scene, shows};
use crate::support::ProviderSpec;

const NET: &str = "registry.example.test/acme/net";

#[test]
fn versions_are_a_table_with_the_newest_first() {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .version("2.0.0-rc1")
        .protocols(["5.0", "6.0"])
        .version("1.10.0")
        .platforms(["linux_amd64"]);
    let scene = Scene::of([net]);
    shows(
        &scene.run(["versions", NET]),
        "code: 0
--- stdout
version    protocols  platforms
2.0.0-rc1  5.0, 6.0   darwin_arm64, linux_amd64
1.10.0     5.0        linux_amd64
1.0.0      5.0        darwin_arm64, linux_amd64
--- stderr
",
    );
}

#[test]
fn constraint_leaves_out_the_rest() {
    shows(
        &Scene::usual().run(["versions", "registry.example.test/acme/net@~>1.0"]),
        "code: 0
--- stdout
version  protocols  platforms
1.1.0    5.0        darwin_arm64, linux_amd64
1.0.0    5.0        darwin_arm64, linux_amd64
--- stderr
",
    );
}

#[test]
fn constraint_that_nothing_meets_is_not_found() {
    shows(
        &Scene::usual().run(["versions", "registry.example.test/acme/net@>=3"]),
        "code: 12
--- stdout
--- stderr
error: no version of `registry.example.test/acme/net` meets `>= 3.0.0`

hint: the newest version offered is 2.0.0; list all with `provender versions registry.example.test/acme/net`
",
    );
}

#[test]
fn odd_versions_and_words_of_the_registry_are_shown() {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .listed_as("1.0")
        .only_listed("v2")
        .only_listed("nightly")
        .warning("This provider is no longer maintained.");
    shows(
        &Scene::of([net]).run(["versions", NET]),
        "code: 0
--- stdout
version  protocols  platforms
1.0.0    5.0        darwin_arm64, linux_amd64
--- stderr
warning: the registry says of `registry.example.test/acme/net`: This provider is no longer maintained.
warning: the source lists versions of `registry.example.test/acme/net` that cannot be parsed, left out: `v2`, `nightly`
",
    );
}

#[test]
fn escapes_of_a_registry_do_not_reach_the_terminal() {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let scene = Scene::of([net.warning("look \u{1b}[2J here")]);
    let outcome = scene.run(["versions", NET]).expect_code(0);
    assert!(!outcome.stderr.contains('\u{1b}'), "{outcome}");
    assert!(outcome.stderr.contains("look \\u{1b}[2J here"), "{outcome}");
}

#[test]
fn versions_as_json() {
    let scene = Scene::usual();
    let document = scene.run(["versions", "--json", NET]).expect_code(0).json();
    assert_eq!(document["format_version"], "1.0");
    assert_eq!(document["command"], "versions");
    let row = serde_json::json!({
        "address": NET,
        "version": "2.0.0",
        "protocols": ["5.0"],
        "platforms": ["darwin_arm64", "linux_amd64"],
    });
    assert_eq!(document["versions"][0], row);
    assert_eq!(document["versions"].as_array().unwrap().len(), 3);
}

#[test]
fn default_host_follows_the_tool() {
    let net = ProviderSpec::new("hashicorp/net").version("1.0.0");
    let mut scene = Scene::of([net]);
    scene
        .cx
        .config(&scene.registry.host_block("registry.opentofu.org"));
    scene
        .run(["versions", "--tool", "tofu", "net"])
        .expect_code(0);
    scene
        .cx
        .config(&scene.registry.host_block("registry.terraform.io"));
    scene.run(["versions", "net"]).expect_code(0);
    scene.cx.env("PROVENDER_TOOL", "tofu");
    scene
        .cx
        .config(&scene.registry.host_block("registry.opentofu.org"));
    scene.run(["versions", "hashicorp/net"]).expect_code(0);
}
