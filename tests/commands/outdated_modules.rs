//! `outdated` for calls of modules of registries.

use std::fs;

use serde_json::{Value, json};

use super::scene::{HOST, Scene, shows};
use crate::support::{ProviderSpec, Reply};

/// A registry of `acme/net` and of modules: `acme/far/any` up to 2.0.0 and `acme/deep/any`, which has a prerelease, too.
fn scene() -> Scene {
    let mut scene = Scene::of([ProviderSpec::new("acme/net").version("1.0.0")]);
    let answers = [
        (
            "far",
            "{\"version\":\"1.0.0\"},{\"version\":\"v1.2\"},{\"version\":\"2.0.0\"}",
        ),
        (
            "deep",
            "{\"version\":\"0.3.0\"},{\"version\":\"0.4.0-rc1\"}",
        ),
    ];
    for (name, versions) in answers {
        let answer = format!("{{\"modules\":[{{\"versions\":[{versions}]}}]}}");
        scene
            .registry
            .route(&versions_of(name), Reply::body(answer));
    }
    let config = format!(
        "host \"{HOST}\" {{\n  services = {{\n    \"modules.v1\" = \"{}\"\n    \"providers.v1\" = \"{}\"\n  }}\n}}\n",
        scene.registry.url("/v1/modules/"),
        scene.registry.url("/v1/providers/"),
    );
    scene.cx.config(&config);
    scene
}

fn versions_of(name: &str) -> String {
    format!("/v1/modules/acme/{name}/any/versions")
}

fn call(name: &str, module: &str, constraint: &str) -> String {
    let source = format!("{HOST}/acme/{module}");
    format!("module \"{name}\" {{\n  source  = \"{source}\"\n  version = \"{constraint}\"\n}}\n")
}

/// Makes modules installed: key, module, version, and the configuration of each.
fn installed(scene: &Scene, dir: &str, modules: &[(&str, &str, &str, String)]) {
    let mut records = vec![json!({"Key": "", "Source": "", "Dir": "."})];
    for (key, module, version, configuration) in modules {
        let place = format!(".terraform/modules/{key}");
        scene
            .cx
            .write(&format!("{dir}/{place}/main.tf"), configuration);
        let source = format!("{HOST}/acme/{module}");
        records.push(json!({"Key": key, "Source": source, "Version": version, "Dir": place}));
    }
    let manifest = json!({ "Modules": records }).to_string();
    let path = format!("{dir}/.terraform/modules/modules.json");
    scene.cx.write(&path, manifest);
}

/// What the registry was asked, apart from where its services are.
fn asked(scene: &Scene, name: &str) -> usize {
    scene.registry.requests_for(&versions_of(name)).len()
}

#[test]
fn modules_stand_among_providers_and_what_is_installed_is_followed() {
    let scene = scene();
    let calls = call("far", "far/any", "~> 1.0") + &call("new", "far/any//sub", "");
    scene
        .cx
        .write("main.tf", calls.replace("  version = \"\"\n", ""));
    let below = call("inner", "deep/any", "< 1.0");
    installed(&scene, ".", &[("far", "far/any", "1.0.0", below)]);
    let manifest = scene.cx.read(".terraform/modules/modules.json");
    shows(
        &scene.run(["outdated"]),
        "code: 0
--- stdout
address                                  current  allowed  newest                         module
registry.example.test/acme/deep/any      -        0.3.0    0.3.0, 0.4.0-rc1 (prerelease)  far.inner
registry.example.test/acme/far/any       1.0.0    1.2.0    2.0.0                          far
registry.example.test/acme/far/any//sub  -        2.0.0    2.0.0                          new
1 of 3 modules behind the newest allowed version
--- stderr
warning: module `new` from `registry.example.test/acme/far/any//sub` is not installed, and providers that only it requires are left out ([TEMP]/place/main.tf:5)
warning: module `far.inner` from `registry.example.test/acme/deep/any` is not installed, and providers that only it requires are left out ([TEMP]/place/.terraform/modules/far/main.tf:1)
",
    );
    assert_eq!(scene.cx.read(".terraform/modules/modules.json"), manifest);
    assert_eq!((asked(&scene, "far"), asked(&scene, "deep")), (1, 1));
    let lines = scene.registry.request_lines();
    assert!(
        lines.iter().all(|line| !line.contains("download")),
        "{lines:?}"
    );
}

#[test]
fn check_fails_for_modules_that_are_installed_and_older() {
    let scene = scene();
    scene.cx.write("main.tf", call("far", "far/any", "~> 1.0"));
    scene.run(["outdated", "--check"]).expect_code(0);
    installed(&scene, ".", &[("far", "far/any", "1.0.0", String::new())]);
    let outcome = scene.run(["outdated", "--check"]).expect_code(11);
    let expected = "error: 1 of the modules may be newer than what is installed\n\nhint: run `provender install --upgrade`, and commit the lock file if it has changed\n";
    assert_eq!(outcome.stderr, expected);
    // The registry writes the version shorter than the record does.
    installed(&scene, ".", &[("far", "far/any", "1.2.0", String::new())]);
    scene.run(["outdated", "--check"]).expect_code(0);
    // What the call no longer allows is told as installed, and nothing below it is followed.
    let below = call("inner", "deep/any", "< 1.0");
    installed(&scene, ".", &[("far", "far/any", "2.0.0", below)]);
    let outcome = scene.run(["outdated", "--check"]).expect_code(11);
    assert!(outcome.stdout.contains("2.0.0    1.2.0"), "{outcome}");
    assert_eq!(asked(&scene, "deep"), 0);
}

#[test]
fn the_module_lock_counts_before_what_is_installed() {
    let scene = scene();
    scene.cx.write("main.tf", call("far", "far/any", "~> 1.0"));
    let locked = |version: &str| {
        let (source, digest) = (format!("{HOST}/acme/far/any"), "0a".repeat(32));
        let hash = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        let text = format!(
            "module \"far\" {{\n  source = \"{source}\"\n  version = \"{version}\"\n  archive = \"sha256:{digest}\"\n  hash = \"{hash}\"\n}}\n"
        );
        scene.cx.write(".provender.lock.hcl", text);
    };
    // In a fresh checkout nothing is installed.
    locked("1.0.0");
    let outcome = scene.run(["outdated", "--check"]).expect_code(11);
    assert!(outcome.stdout.contains("1.0.0    1.2.0"), "{outcome}");
    assert!(
        outcome.stderr.ends_with("error: 1 of the modules may be newer than what is locked\n\nhint: run `provender lock --upgrade`, and commit the lock files; `provender install` then installs what they have\n"),
        "{outcome}"
    );
    installed(&scene, ".", &[("far", "far/any", "1.2.0", String::new())]);
    let json = scene.run(["outdated", "--check", "--json"]).expect_code(11);
    let row = &json.json()["outdated"][0];
    assert_eq!(
        (&row["locked"], &row["installed"]),
        (&json!("1.0.0"), &json!("1.2.0"))
    );
    // What is installed comes from the lock with the next run.
    locked("1.2.0");
    installed(&scene, ".", &[("far", "far/any", "1.0.0", String::new())]);
    scene.run(["outdated", "--check"]).expect_code(0);
}

#[test]
fn root_modules_share_the_questions_about_modules() {
    let scene = scene();
    for (dir, constraint) in [("a", "1.0.0"), ("b", ">= 1.0")] {
        scene.cx.write(
            &format!("{dir}/main.tf"),
            call("far", "far/any", constraint),
        );
        installed(&scene, dir, &[("far", "far/any", "1.0.0", String::new())]);
    }
    scene.root_in("c", [("acme/net", "")]);
    scene
        .cx
        .write("d/main.tf", call("gone", "gone/any", "1.0.0"));
    let outcome = scene
        .run(["outdated", "--recursive", "--json"])
        .expect_code(12);
    let row = |root: &str, constraints: &str, allowed: &str| {
        json!({
            "kind": "module", "address": format!("{HOST}/acme/far/any"), "key": "far", "root": root,
            "constraints": constraints, "locked": null, "installed": "1.0.0", "allowed": allowed,
            "newest": "2.0.0", "newer_prerelease": null, "behind": allowed != "1.0.0",
        })
    };
    let document = outcome.json();
    let rows = document["outdated"].as_array().unwrap();
    assert_eq!(
        rows[..2],
        [row("a", "1.0.0", "1.0.0"), row("b", ">= 1.0", "2.0.0")]
    );
    assert_eq!(rows[2]["kind"], "provider");
    assert_eq!(rows[2].get("key"), None::<&Value>);
    assert_eq!(rows[2].get("installed"), None::<&Value>);
    assert_eq!(
        document["error"]["message"],
        format!("cannot find the versions of module `{HOST}/acme/gone/any`")
    );
    assert_eq!(asked(&scene, "far"), 1);
}

#[test]
fn nothing_is_counted_where_an_error_leaves_nothing_to_compare() {
    let scene = scene();
    scene.cx.write("main.tf", call("far", "far/any", "1.0.0"));
    let outcome = scene.run(["outdated", "--offline"]).expect_code(12);
    assert_eq!(outcome.stdout, "");
    fs::remove_file(scene.cx.work().join("main.tf")).unwrap();
    let outcome = scene.run(["outdated"]).expect_code(1);
    assert_eq!(outcome.stdout, "");
    scene.cx.write("main.tf", "locals {}\n");
    let outcome = scene.run(["outdated"]).expect_code(0);
    assert_eq!(
        outcome.stdout,
        "0 of 0 providers behind the newest allowed version\n"
    );
}
