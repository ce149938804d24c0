//! `terraform init` uses the filesystem mirror that `provender install ADDRESS` fills.

use crate::support::{TestRegistry, tree};

use super::scene::{HOST, IDN_HOST, Scene, current, lock_text, package_requests, provider};

fn registry() -> TestRegistry {
    TestRegistry::of([provider("acme/net").version("1.0.0").version("1.3.0-Beta1")])
}

#[test]
fn init_uses_the_implied_local_mirror() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    let source = format!("{HOST}/acme/net");
    scene.provender(&["install", &source]);
    registry.clear_requests();
    scene.root("a", &[(&source, "")]);
    scene.init("a");
    assert_eq!(package_requests(&registry), [""; 0]);
    let h1 = registry.h1("acme/net", "1.0.0", &current());
    assert_eq!(scene.lock("a"), lock_text(&source, "1.0.0", "", &[h1]));
}

#[test]
fn init_uses_a_named_directory() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let h1 = |version| registry.h1("acme/net", version, &current());
    let cases = [
        (format!("{HOST}/acme/net"), "1.0.0", h1("1.0.0")),
        (format!("{HOST}/acme/net"), "1.3.0-Beta1", h1("1.3.0-Beta1")),
        (
            format!("{IDN_HOST}/acme/net"),
            "1.3.0-Beta1",
            h1("1.3.0-Beta1"),
        ),
    ];
    for (source, version, _) in &cases {
        let address = format!("{source}@{version}");
        scene.provender(&["install", &address, "--dir", "plugins"]);
    }
    drop(registry);
    let path = scene.context.work().join("plugins");
    scene.only(&format!(
        "filesystem_mirror {{ path = \"{}\" }}",
        path.display()
    ));
    let before = tree::tree_with_digests(&path);
    for (number, (source, version, h1)) in cases.into_iter().enumerate() {
        let dir = number.to_string();
        scene.root(&dir, &[(&source, version)]);
        scene.init(&dir);
        assert_eq!(
            scene.lock(&dir),
            lock_text(&source, version, version, &[h1])
        );
    }
    assert_eq!(tree::tree_with_digests(&path), before);
}

#[test]
fn install_into_a_root_whose_providers_are_links_leaves_the_mirror_alone() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let source = format!("{HOST}/acme/net");
    scene.provender(&["install", &source, "--dir", "plugins"]);
    let path = scene.context.work().join("plugins");
    let before = tree::tree_with_digests(&path);
    scene.only(&format!(
        "filesystem_mirror {{ path = \"{}\" }}",
        path.display()
    ));
    scene.root("a", &[(&source, "")]);
    scene.init("a");
    scene.context.config(&registry.host_block(HOST));
    registry.clear_requests();
    scene.install("a");
    assert_eq!(package_requests(&registry), [""; 0]);
    std::fs::remove_file(scene.lock_path("a")).expect("init wrote it");
    scene.install("a");
    assert_eq!(tree::tree_with_digests(&path), before);
    scene.init("a");
}
