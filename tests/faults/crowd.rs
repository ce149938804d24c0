//! Several processes at once in one place.

use std::collections::BTreeSet;

use serde_json::Value;

use super::scene::{ADDRESS, HOST, Scene, net, words};
use crate::support::ProviderSpec;
use crate::support::process::Running;
use crate::support::tree;

/// Ten versions.
fn many() -> ProviderSpec {
    let provider = ProviderSpec::new(ADDRESS).payload_size(20_000);
    (0..10).fold(provider, |provider, minor| {
        provider.version(&format!("1.{minor}.0"))
    })
}

fn all_succeed(running: Vec<Running>) {
    for running in running {
        running.wait().expect_code(0);
    }
}

fn mirror(selection: &str) -> Vec<String> {
    let address = format!("{HOST}/{ADDRESS}{selection}");
    words([
        "mirror",
        "--to=mirror",
        "--all-versions",
        "--platform=linux_amd64",
        &address,
    ])
}

/// Ten versions are there: archive, sums, signature, evidence, document; and one index that lists them.
fn holds_all_versions(scene: &Scene) {
    let index = scene
        .cx
        .read(&format!("mirror/{HOST}/{ADDRESS}/index.json"));
    let index: Value = serde_json::from_str(&index).expect("the index is JSON");
    let listed = index["versions"].as_object().expect("an object");
    assert_eq!(listed.len(), 10, "{index}");
    assert_eq!(scene.mirrored().len(), 51, "{:#?}", scene.mirrored());
    let outcome = scene.measure(&mirror("")).outcome.expect_code(0);
    let archives = scene.registry.requests().into_iter();
    let archives: Vec<_> = archives
        .filter(|request| request.path().contains("linux_amd64.zip"))
        .collect();
    assert!(archives.is_empty(), "{archives:?}\n{outcome}");
}

#[test]
fn two_processes_fill_one_mirror() {
    let scene = Scene::of(many());
    let running = [mirror(""), mirror("")].map(|arguments| scene.cx.spawn(arguments));
    all_succeed(running.into());
    holds_all_versions(&scene);
}

#[test]
fn twenty_processes_fill_one_mirror() {
    let scene = Scene::of(many());
    // Each version by two of them.
    let start = |number: usize| scene.cx.spawn(mirror(&format!("@1.{}.0", number % 10)));
    all_succeed((0..20).map(start).collect());
    holds_all_versions(&scene);
}

#[test]
fn processes_that_install_into_one_directory_do_not_disturb_each_other() {
    for _ in 0..3 {
        let scene = Scene::of(net().payload_size(2_000_000));
        let address = format!("{HOST}/{ADDRESS}");
        let arguments = words([
            "install",
            "--dir=plugins",
            "--platform=linux_amd64",
            &address,
        ]);
        all_succeed((0..8).map(|_| scene.cx.spawn(&arguments)).collect());
        let names = tree::names(&scene.cx.work().join("plugins"));
        let (notes, names): (Vec<_>, Vec<_>) = names
            .into_iter()
            .partition(|name| name.contains("/.linux_"));
        assert_eq!(notes.len(), 1, "{notes:?}");
        let directories: BTreeSet<_> = names
            .iter()
            .filter_map(|name| name.rsplit_once('/'))
            .map(|(directory, _)| directory)
            .collect();
        assert_eq!(
            directories,
            BTreeSet::from([format!("{HOST}/{ADDRESS}/1.0.0/linux_amd64").as_str()])
        );
        assert_eq!(names.len(), 3, "{names:?}");
    }
}
