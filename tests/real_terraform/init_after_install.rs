//! `terraform init` finds what `provender install` placed: no package is asked for, no byte of the lock file changes.

use crate::support::TestRegistry;

use super::scene::{FOREIGN, HOST, IDN_HOST, Scene, current, package_requests, provider};

fn registry() -> TestRegistry {
    let net = provider("acme/net")
        .version("1.0.0")
        .version("1.2.0")
        .version("1.3.0-Beta1")
        .version("1.1.0+b1");
    TestRegistry::of([net, provider("acme/dns").version("2.0.0")])
}

/// Installs and initializes a root module; `init` must find everything in place.
fn assert_init_has_nothing_to_do(scene: &Scene, registry: &TestRegistry, dir: &str) {
    scene.install(dir);
    let lock = scene.lock(dir);
    registry.clear_requests();
    let outcome = scene.init(dir);
    assert!(
        outcome.stdout.contains("Using previously-installed"),
        "{outcome}"
    );
    assert_eq!(package_requests(registry), [""; 0], "{outcome}");
    assert_eq!(scene.lock(dir), lock);
    scene
        .terraform(dir, &["init", "-no-color", "-lockfile=readonly"])
        .expect_code(0);
}

#[test]
fn init_asks_for_no_package_after_install() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    let (net, dns) = (format!("{HOST}/acme/net"), format!("{HOST}/acme/dns"));
    let idn = format!("{IDN_HOST}/acme/net");
    scene.root("a", &[(&net, "~> 1.0"), (&dns, ""), (&idn, "1.3.0-Beta1")]);
    assert_init_has_nothing_to_do(&scene, &registry, "a");
    scene.root("b", &[(&net, "1.1.0+b1"), (&idn, "1.1.0+b1")]);
    assert_init_has_nothing_to_do(&scene, &registry, "b");
}

#[test]
fn init_asks_for_no_package_after_install_with_a_lock_file_of_several_platforms() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    scene.root("a", &[(&format!("{HOST}/acme/net"), "1.0.0")]);
    let foreign = FOREIGN.map(|platform| format!("-platform={platform}"));
    let platform = format!("-platform={}", current());
    for platforms in [vec![&platform, &foreign[0], &foreign[1]], vec![&foreign[0]]] {
        let mut arguments = vec!["providers", "lock"];
        arguments.extend(platforms.iter().map(|platform| platform.as_str()));
        scene.terraform("a", &arguments).expect_code(0);
        // A later version must not matter to what is locked.
        scene.root("a", &[(&format!("{HOST}/acme/net"), ">= 1.0.0")]);
        let before = scene.lock("a");
        assert_init_has_nothing_to_do(&scene, &registry, "a");
        let has_current = platforms.contains(&&platform);
        assert_eq!(scene.lock("a") == before, has_current, "{platforms:?}");
        std::fs::remove_dir_all(scene.context.work().join("a")).expect("it is there");
        scene.root("a", &[(&format!("{HOST}/acme/net"), "1.0.0")]);
    }
}

#[test]
fn init_asks_for_no_package_after_install_with_another_data_directory() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let absolute = scene.context.path("elsewhere");
    for (dir, data) in [("a", "data/tf".into()), ("b", absolute)] {
        scene.context.env("TF_DATA_DIR", data);
        scene.root(dir, &[(&format!("{HOST}/acme/net"), "")]);
        assert_init_has_nothing_to_do(&scene, &registry, dir);
        assert!(!scene.context.work().join(dir).join(".terraform").exists());
    }
}
