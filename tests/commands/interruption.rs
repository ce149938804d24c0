//! Ctrl-C and sudden death: the old state or the new one, and the next run finishes the job.

#![cfg(unix)]

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::scene::{LINUX, Scene, shows};
use crate::support::process::Running;
use crate::support::registry::paths;
use crate::support::{Fault, ProviderSpec, tree};

const NET: &str = "registry.example.test/acme/net";

/// Two providers, one of whose archives stalls in the middle.
fn stalling() -> (Scene, String) {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .payload_size(100_000);
    let dns = ProviderSpec::new("acme/dns").version("1.0.0");
    let scene = Scene::of([net, dns]);
    let archive = paths::archive("acme/net", "1.0.0", LINUX);
    scene
        .registry
        .fault(&archive, Fault::Stall { after: 50_000 });
    (scene, archive)
}

/// Files of the mirror, without temporary ones.
fn lasting(scene: &Scene) -> Vec<String> {
    let mut names = scene.names("mirror");
    names.retain(|name| !name.contains(".provender-") && !name.ends_with('/'));
    names
}

#[test]
fn interrupt_ends_with_130_and_removes_temporary_files() {
    let (scene, archive) = stalling();
    let running = scene.start_mirror([NET]);
    scene.registry.wait_for(&archive, 1);
    running.interrupt();
    shows(
        &running.wait(),
        "code: 130
--- stdout
--- stderr
error: interrupted

hint: what is complete stays; run the command again to go on
",
    );
    let left: Vec<_> = scene
        .names("mirror")
        .into_iter()
        .filter(|name| !name.ends_with('/'))
        .collect();
    assert_eq!(left, [""; 0]);
    assert_eq!(tree::names(&scene.cx.path("tmp")), [""; 0]);
    scene.registry.clear_faults();
    scene.mirror([NET]).expect_code(0);
    assert_eq!(lasting(&scene).len(), 6);
}

#[test]
fn interrupted_install_leaves_no_lock_file() {
    let (scene, archive) = stalling();
    scene.root([("acme/net", ""), ("acme/dns", "")]);
    let running = scene.cx.spawn(["install", "--platform", LINUX]);
    scene.registry.wait_for(&archive, 1);
    running.interrupt();
    running.wait().expect_code(130);
    assert_eq!(scene.lock_file(), None);
    let names = scene.names(".terraform");
    assert!(
        !names.iter().any(|name| name.contains(".provender-")),
        "{names:?}"
    );
    scene.registry.clear_faults();
    scene.install([]).expect_code(0);
    assert!(scene.lock_file().is_some());
}

#[test]
fn interrupted_run_as_json_is_told_as_json() {
    let (scene, archive) = stalling();
    let running = scene.start_mirror(["-j1", "--json", NET, "registry.example.test/acme/dns"]);
    scene.registry.wait_for(&archive, 1);
    running.interrupt();
    let document = running.wait().expect_code(130).json();
    assert_eq!(document["error"]["kind"], "interrupted");
    // What was done before is told as well.
    assert_eq!(document["packages"][0]["action"], "mirrored");
    assert_eq!(document["summary"]["mirrored"], 1);
}

#[test]
fn killed_run_leaves_nothing_partial_and_the_next_completes() {
    let (scene, archive) = stalling();
    let mut running = scene.start_mirror([NET]);
    scene.registry.wait_for(&archive, 1);
    running.kill();
    drop(running);
    assert_eq!(lasting(&scene), [""; 0]);
    make_temporaries_old(&scene);
    scene.registry.clear_faults();
    scene.mirror([NET]).expect_code(0);
    assert_eq!(lasting(&scene).len(), 6);
    assert_eq!(scene.names("mirror"), lasting(&scene));
}

/// Root modules `a` and `b`, of which the first needs nothing that stalls, and a run in both.
fn stalling_tree() -> (Scene, Running, String) {
    let (scene, archive) = stalling();
    scene.root_in("a", [("acme/dns", "")]);
    scene.root_in("b", [("acme/dns", ""), ("acme/net", "")]);
    scene.root_in("c", [("acme/net", "")]);
    let run = ["install", "--recursive", "--no-cache", "-j1"];
    let running = scene.cx.spawn(run.iter().chain(&["--platform", LINUX]));
    scene.registry.wait_for(&archive, 1);
    (scene, running, archive)
}

/// What lies in the data directories of `a`, `b` and `c` beside providers that are in place.
fn left_in_tree(scene: &Scene) -> Vec<String> {
    let of = |dir: &str| scene.names(&format!("{dir}/.terraform"));
    let mut names = ["a", "b", "c"].map(of).concat();
    names.retain(|name| name.contains(".provender-"));
    names
}

fn lock_files_in_tree(scene: &Scene) -> [bool; 3] {
    let of = |dir: &str| scene.cx.work().join(dir).join(".terraform.lock.hcl");
    ["a", "b", "c"].map(|dir| of(dir).exists())
}

#[test]
fn interrupted_tree_has_lock_files_where_all_is_in_place() {
    let (scene, running, _) = stalling_tree();
    running.interrupt();
    running.wait().expect_code(130);
    assert_eq!(lock_files_in_tree(&scene), [true, false, false]);
    assert_eq!(left_in_tree(&scene), [""; 0]);
}

#[test]
fn killed_tree_is_completed_by_the_next_run_which_cleans_up() {
    let (scene, mut running, _) = stalling_tree();
    running.kill();
    drop(running);
    assert_eq!(lock_files_in_tree(&scene), [true, false, false]);
    let left = left_in_tree(&scene);
    let mut tops = left.iter().filter_map(|name| name.split('/').next());
    let own_cache = tops.find(|name| Path::new(name).extension() == Some("tmp".as_ref()));
    let own_cache = own_cache.expect("the run has a cache of its own");
    let own_cache = scene.cx.work().join("a/.terraform").join(own_cache);
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    File::open(own_cache)
        .unwrap()
        .set_modified(hour_ago)
        .unwrap();
    scene.registry.clear_faults();
    let run = ["install", "--recursive", "--no-cache"];
    let outcome = scene.cx.run(run.iter().chain(&["--platform", LINUX]));
    outcome.expect_code(0);
    assert_eq!(lock_files_in_tree(&scene), [true; 3]);
    assert_eq!(left_in_tree(&scene), [""; 0]);
}

/// Young temporaries could belong to a process that has not locked them yet, and are left alone.
fn make_temporaries_old(scene: &Scene) {
    let names = scene.names("mirror").into_iter();
    let temporary = names.filter(|name| name.contains(".provender-"));
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    let mut count = 0;
    for name in temporary {
        let path = scene.cx.work().join("mirror").join(name);
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(hour_ago).unwrap();
        count += 1;
    }
    assert_eq!(count, 1, "the download had begun");
}
