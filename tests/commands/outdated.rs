//! `outdated`: what is locked, what is allowed, what there is.

use serde_json::json;

use super::scene::{HOST, Scene, shows};
use crate::support::ProviderSpec;

/// `acme/net` up to 2.0.0 with a prerelease beyond, `acme/dns` with prereleases alone.
fn scene() -> Scene {
    let net = ["1.0.0", "1.1.0", "2.0.0", "2.1.0-beta1"];
    let net = net
        .into_iter()
        .fold(ProviderSpec::new("acme/net"), ProviderSpec::version);
    let dns = ProviderSpec::new("acme/dns").version("0.9.0-rc1");
    Scene::of([net, dns])
}

fn locked(scene: &Scene, dir: &str, version: &str) {
    let text = format!("provider \"{HOST}/acme/net\" {{\n  version = \"{version}\"\n}}\n");
    scene.cx.write(&format!("{dir}/.terraform.lock.hcl"), text);
}

#[test]
fn versions_of_all_required_providers_as_one_block() {
    let scene = scene();
    scene.root([("acme/net", "~> 1.0"), ("acme/dns", "")]);
    locked(&scene, ".", "1.0.0");
    let before = scene.lock_file();
    shows(
        &scene.run(["outdated"]),
        "code: 0
--- stdout
address                         current  allowed  newest
registry.example.test/acme/dns  -        -        0.9.0-rc1 (prerelease)
registry.example.test/acme/net  1.0.0    1.1.0    2.0.0, 2.1.0-beta1 (prerelease)
1 of 2 providers behind the newest allowed version
--- stderr
",
    );
    assert_eq!(scene.lock_file(), before);
    let asked = scene.registry.request_lines();
    assert!(
        asked.iter().all(|line| !line.contains("download")),
        "{asked:?}"
    );
}

#[test]
fn check_fails_where_a_newer_version_is_allowed() {
    let scene = scene();
    scene.root([("acme/net", "~> 1.0")]);
    let unlocked = scene.run(["outdated", "--check"]).expect_code(11);
    assert!(
        unlocked.stderr.contains("`provender lock --upgrade`"),
        "{unlocked}"
    );
    locked(&scene, ".", "1.1.0");
    scene.run(["outdated", "--check"]).expect_code(0);
}

#[test]
fn root_modules_are_told_apart_and_a_provider_is_asked_for_once() {
    let scene = scene();
    for (dir, constraint, version) in [("a", "< 2", "1.0.0"), ("b", "", "2.0.0")] {
        scene.root_in(dir, [("acme/net", constraint)]);
        locked(&scene, dir, version);
    }
    scene.root_in("c", [("acme/gone", "")]);
    let outcome = scene
        .run(["outdated", "--recursive", "--json"])
        .expect_code(12);
    let document = outcome.json();
    let row = |root: &str, constraints: &str, locked: &str, allowed: &str| {
        json!({
            "kind": "provider", "address": format!("{HOST}/acme/net"), "root": root,
            "constraints": constraints, "locked": locked, "allowed": allowed,
            "newest": "2.0.0", "newer_prerelease": "2.1.0-beta1", "behind": locked != allowed,
        })
    };
    let expected = [
        row("a", "< 2.0.0", "1.0.0", "1.1.0"),
        row("b", "", "2.0.0", "2.0.0"),
    ];
    assert_eq!(document["outdated"], json!(expected));
    assert_eq!(document["error"]["kind"], "not_found");
    let lines = scene.registry.request_lines();
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.ends_with("acme/net/versions"))
            .count(),
        1
    );
}

#[test]
fn a_provider_of_which_nothing_is_offered_any_more_is_not_behind() {
    let scene = scene();
    scene.root([("acme/net", "")]);
    locked(&scene, ".", "1.0.0");
    let path = crate::support::registry::paths::versions("acme/net");
    let none = crate::support::Reply::json(&json!({ "versions": [] }));
    scene.registry.route(&path, none);
    scene.run(["outdated", "--check"]).expect_code(0);
}
