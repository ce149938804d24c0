//! One plugin cache for `terraform` and `provender`: each uses what the other put there.

#![cfg(unix)]

use std::fs;
use std::path::PathBuf;

use crate::support::{Outcome, TestRegistry, tree};

use super::scene::{HOST, IDN_HOST, Scene, current, package_requests, provider};

fn registry() -> TestRegistry {
    TestRegistry::of([provider("acme/net").version("1.0.0").version("1.1.0-Beta1")])
}

/// Root modules `a` and `b` that require the same, and a plugin cache.
fn scene(registry: &TestRegistry) -> Option<Scene> {
    let mut scene = Scene::beside(registry)?;
    let plugins = scene.context.path("plugins");
    fs::create_dir(&plugins).unwrap();
    scene.context.env("TF_PLUGIN_CACHE_DIR", plugins);
    let (net, idn) = (format!("{HOST}/acme/net"), format!("{IDN_HOST}/acme/net"));
    for dir in ["a", "b"] {
        scene.root(dir, &[(&net, "1.0.0"), (&idn, "1.1.0-Beta1")]);
    }
    Some(scene)
}

fn share_lock_file(scene: &Scene) {
    scene
        .context
        .write("b/.terraform.lock.hcl", scene.lock("a"));
}

/// What is installed in a root module; links with their targets.
fn installed(scene: &Scene, dir: &str) -> Vec<String> {
    tree::tree(&scene.context.work().join(dir).join(".terraform/providers"))
}

fn entry(scene: &Scene) -> PathBuf {
    let entry = format!("plugins/{HOST}/acme/net/1.0.0/{}", current());
    scene.context.path(&entry)
}

#[track_caller]
fn says(outcome: &Outcome, words: &str) {
    assert_eq!(outcome.stdout.matches(words).count(), 2, "{outcome}");
}

#[test]
fn init_takes_what_install_put_into_the_plugin_cache() {
    let registry = registry();
    let Some(scene) = scene(&registry) else {
        return;
    };
    scene.install("a");
    share_lock_file(&scene);
    registry.clear_requests();
    says(&scene.init("a"), "Using previously-installed");
    says(&scene.init("b"), "from the shared cache directory");
    assert_eq!(package_requests(&registry), [""; 0]);
    assert_eq!(installed(&scene, "a"), installed(&scene, "b"));
    assert!(
        installed(&scene, "a")
            .iter()
            .all(|line| line.contains(" -> "))
    );
    assert_eq!(scene.lock("a"), scene.lock("b"));
}

#[test]
fn install_takes_what_init_put_into_the_plugin_cache() {
    let registry = registry();
    let Some(scene) = scene(&registry) else {
        return;
    };
    scene.init("a");
    share_lock_file(&scene);
    let plugins = scene.context.path("plugins");
    let before = tree::tree_with_digests(&plugins);
    registry.clear_requests();
    let outcome = scene.install("a");
    assert!(outcome.stdout.contains("kept 2 packages"), "{outcome}");
    scene.install("b");
    assert_eq!(registry.request_lines(), [""; 0]);
    assert_eq!(installed(&scene, "a"), installed(&scene, "b"));
    assert_eq!(scene.lock("a"), scene.lock("b"));
    assert_eq!(tree::tree_with_digests(&plugins), before);
    says(&scene.init("b"), "Using previously-installed");
}

#[test]
fn each_mends_what_the_other_left_damaged() {
    let registry = registry();
    let Some(scene) = scene(&registry) else {
        return;
    };
    scene.init("a");
    share_lock_file(&scene);
    let license = entry(&scene).join("LICENSE.txt");
    let whole = fs::read(&license).unwrap();
    for mends in [Scene::install, Scene::init] {
        fs::write(&license, "damaged").unwrap();
        mends(&scene, "b");
        assert_eq!(fs::read(&license).unwrap(), whole);
        says(&scene.init("a"), "Using previously-installed");
        let outcome = scene.install("a");
        assert!(outcome.stdout.contains("kept 2 packages"), "{outcome}");
    }
}

#[test]
fn without_a_lock_file_both_write_the_same_one() {
    let registry = registry();
    let Some(mut scene) = scene(&registry) else {
        return;
    };
    scene.install("a");
    scene.init("b");
    assert_eq!(scene.lock("a"), scene.lock("b"));
    let name = "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE";
    scene.context.env(name, "1");
    for dir in ["a", "b"] {
        fs::remove_file(scene.lock_path(dir)).unwrap();
        fs::remove_dir_all(scene.context.work().join(dir).join(".terraform")).unwrap();
    }
    registry.clear_requests();
    let outcome = scene.install("a");
    assert_eq!(outcome.stderr.matches("warning: ").count(), 2, "{outcome}");
    says(&scene.init("b"), "from the shared cache directory");
    assert_eq!(package_requests(&registry), [""; 0]);
    assert_eq!(scene.lock("a"), scene.lock("b"));
    assert_eq!(scene.lock("a").matches("h1:").count(), 2);
    assert_eq!(installed(&scene, "a"), installed(&scene, "b"));
}

#[test]
fn relative_path_leads_both_to_the_same_place() {
    let registry = registry();
    let Some(mut scene) = scene(&registry) else {
        return;
    };
    scene.context.env("TF_PLUGIN_CACHE_DIR", "own");
    let named = |dir: &str| tree::names(&scene.context.work().join(dir).join("own"));
    scene.install("a");
    scene.init("b");
    assert_eq!(named("a"), named("b"));
    assert!(!named("a").is_empty());
}
