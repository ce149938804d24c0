//! The package cache shares files with root modules that `terraform` works in: it takes what the cache placed, and
//! what it writes into such files stays out of the cache.

use std::fs;

use provender::package::h1_of_directory;

use crate::support::TestRegistry;

use super::scene::{HOST, Scene, current, package_requests, provider};

fn registry() -> TestRegistry {
    TestRegistry::of([provider("acme/net").version("1.0.0").version("1.1.0")])
}

fn h1_of(scene: &Scene, dir: &str) -> String {
    let package = format!(".terraform/providers/{HOST}/acme/net/1.0.0/{}", current());
    let package = scene.context.work().join(dir).join(package);
    h1_of_directory(&package)
        .expect("it is installed")
        .to_string()
}

#[test]
fn init_keeps_what_the_cache_placed() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    for dir in ["a", "b", "c"] {
        scene.root(dir, &[(&format!("{HOST}/acme/net"), "1.0.0")]);
    }
    scene.install("a");
    scene.install("b");
    scene
        .context
        .write("c/.terraform.lock.hcl", scene.lock("a"));
    scene.provender(&["-C", "c", "--offline", "install"]);
    for dir in ["b", "c"] {
        let lock = scene.lock(dir);
        registry.clear_requests();
        let outcome = scene.init(dir);
        assert!(
            outcome.stdout.contains("Using previously-installed"),
            "{outcome}"
        );
        assert_eq!(package_requests(&registry), [""; 0], "{outcome}");
        assert_eq!(scene.lock(dir), lock);
        assert_eq!(lock, scene.lock("a"));
    }
    scene.provender(&["cache", "verify"]);
}

#[test]
fn init_that_writes_into_installed_files_does_not_poison_the_cache() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    for dir in ["a", "b"] {
        scene.root(dir, &[(&format!("{HOST}/acme/net"), "1.0.0")]);
    }
    scene.install("a");
    let (h1, lock) = (h1_of(&scene, "a"), scene.lock("a"));
    // The publisher replaces the package. Without a lock file, the tool unpacks it over the installed one.
    let replaced = provider("acme/net").version("1.0.0").payload_size(2000);
    registry.publish(&replaced.extra_file("NEWS", b"Replaced.\n"));
    fs::remove_file(scene.lock_path("a")).expect("it is there");
    scene.init("a");
    let other = h1_of(&scene, "a");
    assert_ne!(other, h1);
    // Whoever has the old lock file still gets the old package, out of the cache.
    scene.context.write("b/.terraform.lock.hcl", &lock);
    scene.provender(&["-C", "b", "--offline", "install"]);
    assert_eq!(h1_of(&scene, "b"), h1);
    assert_eq!(scene.lock("b"), lock);
    assert_eq!(h1_of(&scene, "a"), other, "mending changes nobody's files");
    scene.provender(&["cache", "verify"]);
    scene.init("b");
    assert_eq!(scene.lock("b"), lock);
}
