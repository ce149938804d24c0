//! `lock` and the whole tree of modules: what it knows without a request, what it completes, keeps and takes out.

use std::fs;
use std::path::PathBuf;

use super::install_modules::{call, far, file, scene};
use super::module_lock::{LOCK, change_archive, lock, locked, module_lock};
use super::module_scene::ModuleScene;
use super::scene::{HOST, Scene, module, shows};
use crate::support::Outcome;
use crate::support::archive::zip;

fn uninstall(scene: &Scene) {
    fs::remove_dir_all(scene.cx.work().join(".terraform")).unwrap();
}

/// Takes an argument out of the module lock.
fn without(scene: &Scene, argument: &str) {
    let text = module_lock(scene).unwrap();
    let lines = text.lines();
    let kept = lines.filter(|line| !line.trim_start().starts_with(argument));
    let kept: Vec<&str> = kept.collect();
    scene.cx.write(LOCK, kept.join("\n") + "\n");
}

/// The only file or directory of this ending in the cache of modules.
fn cached(scene: &Scene, is_wanted: impl Fn(&PathBuf) -> bool) -> PathBuf {
    let keys = fs::read_dir(scene.cx.cache().join("v1/modules")).unwrap();
    let entries = keys.flat_map(|key| fs::read_dir(key.unwrap().path()).unwrap());
    let found: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
    let mut found = found.into_iter().filter(is_wanted);
    let only = found.next().unwrap();
    assert_eq!(found.next(), None);
    only
}

/// The module lock of the root module in `dir`.
fn lock_in(scene: &ModuleScene, dir: &str, more: &[&str]) -> Outcome {
    let usual = ["lock", "--modules-only", "-C", dir];
    scene.scene.cx.run(usual.iter().chain(more))
}

/// A root module `a` whose module `x` calls `leaf`, locked.
fn nested() -> ModuleScene {
    let scene = ModuleScene::new();
    let leaf = scene.repository("leaf");
    leaf.commit([("main.tf", "# leaf\n")], "v1");
    let net = scene.repository("net");
    net.commit([("main.tf", &call("leaf", &leaf.source("?ref=v1")))], "v1");
    scene.root("a", [("x", &net.source("?ref=v1"))]);
    lock_in(&scene, "a", &[]).expect_code(0);
    scene
}

#[test]
fn a_locked_module_that_is_cached_makes_no_request() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &["--modules-only"]).expect_code(0);
    let before = module_lock(&scene);
    change_archive(&scene);
    scene.registry.clear_requests();
    for arguments in [
        &["install", "--modules-only", "--locked"][..],
        &["lock", "--modules-only"],
    ] {
        scene.cx.run(arguments).expect_code(0);
        let _ = fs::remove_dir_all(scene.cx.work().join(".terraform"));
        assert_eq!(scene.registry.request_lines(), [""; 0], "{arguments:?}");
    }
    assert_eq!(module_lock(&scene), before);
}

#[test]
fn a_locked_module_that_the_cache_has_lost_is_fetched() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &["--modules-only"]).expect_code(0);
    let spoil = || {
        let tree = cached(&scene, |path| path.is_dir());
        fs::write(tree.join("main.tf"), "# evil\n").unwrap();
    };
    spoil();
    let outcome = scene.install(["--modules-only", "--locked"]).expect_code(0);
    assert!(outcome.stdout.contains("installed 1 module"), "{outcome}");
    uninstall(&scene);
    // It is in the cache again.
    scene.registry.clear_requests();
    scene.install(["--modules-only", "--locked"]).expect_code(0);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    uninstall(&scene);
    spoil();
    scene
        .install(["--offline", "--modules-only", "--locked"])
        .expect_code(12);
    change_archive(&scene);
    scene
        .install(["--modules-only", "--locked"])
        .expect_code(10);
}

#[test]
fn lock_takes_from_the_cache_what_install_has_fetched() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    scene.install(["--modules-only"]).expect_code(0);
    scene.registry.clear_requests();
    lock(&scene, &["--offline", "--modules-only"]).expect_code(0);
    let before = module_lock(&scene);
    uninstall(&scene);
    for more in [&["--upgrade", "--check"][..], &["--check"]] {
        let usual = ["--offline", "--modules-only"];
        lock(&scene, &[&usual, more].concat()).expect_code(0);
    }
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    fs::remove_file(scene.cx.work().join(LOCK)).unwrap();
    lock(&scene, &["--modules-only"]).expect_code(0);
    assert_eq!(module_lock(&scene), before);
}

#[test]
fn root_modules_with_different_locks_get_each_its_own_package() {
    let scene = ModuleScene::new();
    let net = scene.repository("net");
    let branch = net.source("?ref=main");
    net.commit([("main.tf", "# one\n")], "v1");
    scene.root("a", [("x", &branch)]);
    lock_in(&scene, "a", &[]).expect_code(0);
    net.commit([("main.tf", "# two\n")], "v2");
    scene.root("b", [("x", &branch)]);
    lock_in(&scene, "b", &[]).expect_code(0);
    scene.root("c", [("x", &branch)]);
    let all = ["--recursive", "--modules-only"];
    let locked = [&["lock"][..], &all].concat();
    scene.scene.cx.run(locked.iter()).expect_code(0);
    let text = |dir: &str| scene.scene.cx.read(&format!("{dir}/{LOCK}"));
    assert_ne!(text("a"), text("b"));
    assert_eq!(text("b"), text("c"));
    let install = [&["install", "--locked"][..], &all].concat();
    scene.scene.cx.run(install.iter()).expect_code(0);
    for (root, expected) in [("a", "# one\n"), ("b", "# two\n"), ("c", "# two\n")] {
        assert_eq!(scene.content(root, "x/main.tf"), expected);
    }
}

#[test]
fn a_lock_without_nested_calls_is_completed() {
    let scene = nested();
    let path = format!("a/{LOCK}");
    let whole = scene.scene.cx.read(&path);
    let half = whole
        .split("\nmodule \"x.leaf\"")
        .next()
        .unwrap()
        .to_owned();
    assert_ne!(half, whole);
    for is_installed in [false, true] {
        if is_installed {
            scene.install("a", ["--locked"]).expect_code(0);
        }
        scene.scene.cx.write(&path, &half);
        let outcome = lock_in(&scene, "a", &["--check"]).expect_code(11);
        assert!(
            outcome.stderr.contains("module `x.leaf` from `git::"),
            "{outcome}"
        );
        assert_eq!(scene.scene.cx.read(&path), half);
        scene.install("a", ["--locked"]).expect_code(11);
        let outcome = lock_in(&scene, "a", &[]).expect_code(0);
        assert_eq!(outcome.stdout, "locked 1 module, kept 1 module\n");
        assert_eq!(scene.scene.cx.read(&path), whole);
    }
}

#[test]
fn a_locked_version_that_the_call_does_not_allow_is_resolved_anew() {
    let scene = scene();
    let pinned = far().replace("}\n", "  version = \"1.0.0\"\n}\n");
    scene.cx.write("main.tf", pinned);
    lock(&scene, &["--modules-only"]).expect_code(0);
    let right = module_lock(&scene).unwrap();
    scene
        .cx
        .write(LOCK, right.replace("\"1.0.0\"", "\"1.1.0\""));
    let outcome = scene.install(["--modules-only"]).expect_code(0);
    let told = "note: of another source or version in `.provender.lock.hcl`: `far`; lock with";
    assert!(outcome.stderr.contains(told), "{outcome}");
    let outcome = scene.run(["verify"]).expect_code(11);
    let told = "the module lock has another source or version than its call asks for";
    assert!(outcome.stdout.contains(told), "{outcome}");
    assert!(
        outcome
            .stderr
            .contains("hint: lock it with `provender lock`"),
        "{outcome}"
    );
    assert!(!outcome.stderr.contains("--fix"), "{outcome}");
    let outcome = lock(&scene, &["--modules-only", "--check"]).expect_code(11);
    assert!(outcome.stderr.contains("is locked from"), "{outcome}");
    lock(&scene, &["--modules-only"]).expect_code(0);
    assert_eq!(module_lock(&scene).unwrap(), right);
}

#[test]
fn what_is_locked_stays_while_its_source_is_dynamic() {
    let scene = nested();
    let path = format!("a/{LOCK}");
    let whole = scene.scene.cx.read(&path);
    let root = scene.scene.cx.read("a/main.tf");
    let dynamic = "variable \"v\" {\n}\n".to_owned() + &root.replace("ref=v1", "ref=${var.v}");
    scene.scene.cx.write("a/main.tf", dynamic);
    for more in [&["--check"][..], &[]] {
        let outcome = lock_in(&scene, "a", more).expect_code(0);
        assert!(
            outcome.stderr.contains("module `x` stays locked as it is"),
            "{outcome}"
        );
        assert_eq!(outcome.stdout, "kept 2 modules\n");
        assert_eq!(scene.scene.cx.read(&path), whole);
    }
}

#[test]
fn what_is_no_longer_called_is_taken_out_and_told() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &["--modules-only"]).expect_code(0);
    scene.cx.write("main.tf", "locals {}\n");
    shows(
        &lock(&scene, &["--modules-only", "--check"]),
        "code: 11
--- stdout
would remove 1 module, 1 failure
--- stderr
would remove module `far` from `registry.example.test/acme/far/any` 1.0.0, which is no longer called
error: the module lock `[TEMP]/place/.provender.lock.hcl` would change: module `far` is locked but no longer called

hint: run `provender lock` with the same arguments without `--check`, and commit the file
",
    );
    shows(
        &lock(&scene, &["--modules-only"]),
        "code: 0
--- stdout
removed 1 module
--- stderr
removed module `far` from `registry.example.test/acme/far/any` 1.0.0, which is no longer called
",
    );
    let outcome = lock(&scene, &["--modules-only"]).expect_code(0);
    assert_eq!(outcome.stdout, "nothing to do\n");
}

#[test]
fn a_changed_text_alone_is_told() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &["--modules-only"]).expect_code(0);
    let text = module_lock(&scene).unwrap();
    scene.cx.write(LOCK, format!("{text}# a comment\n"));
    let outcome = lock(&scene, &["--modules-only"]).expect_code(0);
    assert_eq!(outcome.stdout, "kept 1 module, wrote 1 lock file\n");
    assert_eq!(module_lock(&scene).unwrap(), text);
}

#[test]
fn a_lock_file_that_init_would_not_write_is_not_missed() {
    let scene = scene();
    scene.cx.write("main.tf", "locals {}\n");
    scene.install([]).expect_code(0);
    lock(&scene, &["--check"]).expect_code(0);
    assert_eq!(scene.lock_file(), None);
    // As `terraform providers lock` does.
    let outcome = lock(&scene, &[]).expect_code(0);
    assert_eq!(outcome.stdout, "wrote 1 lock file\n");
    lock(&scene, &["--check"]).expect_code(0);
    fs::remove_file(scene.cx.work().join(".terraform.lock.hcl")).unwrap();
    scene.cx.write("main.tf", module([("acme/net", "")]));
    let outcome = lock(&scene, &["--check"]).expect_code(11);
    let told = format!(
        ".terraform.lock.hcl` would change: it is not there; `{HOST}/acme/net` 1.0.0 is not locked"
    );
    assert!(outcome.stderr.contains(&told), "{outcome}");
}

#[test]
fn a_lock_that_does_not_tell_the_package_is_incomplete() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &["--modules-only"]).expect_code(0);
    let whole = module_lock(&scene).unwrap();
    scene.install(["--modules-only"]).expect_code(0);
    without(&scene, "archive");
    let outcome = scene
        .install(["--modules-only", "--locked"])
        .expect_code(11);
    let told = "has it without the `commit` or `archive` that its package is";
    assert!(outcome.stderr.contains(told), "{outcome}");
    let outcome = scene.install(["--modules-only"]).expect_code(0);
    let told = "note: without `commit` or `archive` in `.provender.lock.hcl`: `far`";
    assert!(outcome.stderr.contains(told), "{outcome}");
    let outcome = lock(&scene, &["--modules-only", "--check"]).expect_code(11);
    let archive = "is archive `sha256:";
    assert!(outcome.stderr.contains(archive), "{outcome}");
    lock(&scene, &["--modules-only"]).expect_code(0);
    assert_eq!(module_lock(&scene).unwrap(), whole);
    // The rest of the block binds.
    without(&scene, "archive");
    change_archive(&scene);
    lock(&scene, &["--modules-only"]).expect_code(10);
}

#[test]
fn an_archive_of_this_machine_is_told_from_a_directory() {
    let scene = scene();
    scene.cx.write("elsewhere.zip", zip(&[file("main.tf", "")]));
    scene.cx.write("../elsewhere/main.tf", "");
    let archive = scene.cx.work().join("elsewhere.zip");
    let directory = scene.cx.path("elsewhere").display().to_string();
    let calls = call("a", &archive.display().to_string()) + &call("d", &directory);
    scene.cx.write("main.tf", calls);
    lock(&scene, &["--modules-only"]).expect_code(0);
    scene.install(["--modules-only", "--locked"]).expect_code(0);
    without(&scene, "archive");
    let outcome = scene
        .install(["--modules-only", "--locked"])
        .expect_code(11);
    assert!(outcome.stderr.contains("module `a`"), "{outcome}");
    assert!(!outcome.stderr.contains("module `d`"), "{outcome}");
}

#[test]
fn a_damaged_note_of_the_cache_hides_no_package() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &["--modules-only"]).expect_code(0);
    let note = cached(&scene, |path| path.ends_with("latest"));
    let right = fs::read_to_string(&note).unwrap();
    let offline = ["--offline", "--modules-only", "--locked"];
    fs::write(&note, "junk\n").unwrap();
    scene.install(offline).expect_code(0);
    uninstall(&scene);
    assert_eq!(fs::read_to_string(&note).unwrap(), right);
    for damage in ["junk\n", ""] {
        fs::write(&note, damage).unwrap();
        let outcome = scene.run(["cache", "verify"]).expect_code(10);
        assert!(
            outcome
                .stdout
                .contains("expected is `the name of a package`"),
            "{outcome}"
        );
        scene.run(["cache", "verify"]).expect_code(0);
        // Without a lock, too: there is but one package.
        fs::rename(scene.cx.work().join(LOCK), scene.cx.work().join("kept")).unwrap();
        scene
            .install(["--offline", "--modules-only"])
            .expect_code(0);
        fs::rename(scene.cx.work().join("kept"), scene.cx.work().join(LOCK)).unwrap();
        uninstall(&scene);
        assert_eq!(fs::read_to_string(&note).unwrap(), right);
    }
    assert_eq!(
        locked(&scene, "archive").replace("sha256:", "sha256-"),
        right
    );
}
