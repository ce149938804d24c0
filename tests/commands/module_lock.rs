//! The module lock: `lock` writes it, `install` goes by it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::install_modules::{call, far, file, scene};
use super::scene::{HOST, LINUX, Scene, module, shows};
use crate::support::archive::zip;
use crate::support::{Outcome, Reply, tree};

pub(super) const LOCK: &str = ".provender.lock.hcl";
const BASE: &str = "/v1/modules/acme/far/any";

pub(super) fn lock(scene: &Scene, more: &[&str]) -> Outcome {
    let usual = ["lock", "--platform", LINUX];
    scene.cx.run(usual.iter().chain(more))
}

/// Changes the archive of `acme/far/any` 1.0.0 behind its version.
pub(super) fn change_archive(scene: &Scene) {
    let members = [file("main.tf", &(module([("acme/net", "")]) + "# evil\n"))];
    scene.registry.route(
        &format!("{BASE}/1.0.0/module.zip"),
        Reply::body(zip(&members)),
    );
}

/// Packs the archive of `acme/far/any` 1.0.0 anew, with the same files that count.
fn recut_archive(scene: &Scene) {
    let members = [
        file("main.tf", &module([("acme/net", "")])),
        file(".hidden", ""),
    ];
    scene.registry.route(
        &format!("{BASE}/1.0.0/module.zip"),
        Reply::body(zip(&members)),
    );
}

/// Offers further versions of `acme/far/any`.
fn offer(scene: &Scene, versions: &[&str]) {
    let listed: Vec<String> = versions
        .iter()
        .map(|version| format!("{{\"version\":\"{version}\"}}"))
        .collect();
    let body = format!("{{\"modules\":[{{\"versions\":[{}]}}]}}", listed.join(","));
    scene
        .registry
        .route(&format!("{BASE}/versions"), Reply::body(body));
    for version in &versions[1..] {
        let location = Reply::status(204).header("X-Terraform-Get", "./module.zip");
        scene
            .registry
            .route(&format!("{BASE}/{version}/download"), location);
        let members = [file("main.tf", &format!("# {version}\n"))];
        scene.registry.route(
            &format!("{BASE}/{version}/module.zip"),
            Reply::body(zip(&members)),
        );
    }
}

/// How often a package was asked for.
fn fetches(scene: &Scene) -> usize {
    scene
        .registry
        .requests_for(&format!("{BASE}/1.0.0/module.zip"))
        .len()
}

pub(super) fn module_lock(scene: &Scene) -> Option<String> {
    fs::read_to_string(scene.cx.work().join(LOCK)).ok()
}

/// The value of an argument in the module lock.
pub(super) fn locked(scene: &Scene, argument: &str) -> String {
    let text = module_lock(scene).unwrap();
    let line = text
        .lines()
        .find(|line| line.trim_start().starts_with(argument));
    let value = line.unwrap_or_else(|| panic!("{argument} in\n{text}"));
    value.split('"').nth(1).unwrap().to_owned()
}

fn uninstall(scene: &Scene) {
    fs::remove_dir_all(scene.cx.work().join(".terraform")).unwrap();
}

fn is_installed(scene: &Scene, key: &str) -> bool {
    let dir = scene.cx.work().join(".terraform/modules").join(key);
    dir.exists()
}

/// A git repository with the tag `v1`.
fn repository(scene: &Scene) -> PathBuf {
    let dir = scene.cx.path("repository");
    fs::create_dir_all(&dir).unwrap();
    git(&dir, &["init", "--quiet", "--initial-branch=main"]);
    commit(&dir, "# one\n");
    git(&dir, &["tag", "v1"]);
    dir
}

fn commit(dir: &Path, content: &str) {
    fs::write(dir.join("main.tf"), content).unwrap();
    git(dir, &["add", "."]);
    git(dir, &["commit", "--quiet", "--allow-empty", "-m", "x"]);
}

fn git(dir: &Path, arguments: &[&str]) -> String {
    let usual = ["-c", "user.name=t", "-c", "user.email=t@example.test"];
    let output = Command::new("git")
        .args(usual)
        .args(arguments)
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn an_archive_changed_behind_its_version_is_refused_with_both_hashes() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &[]).expect_code(0);
    let (old, digest) = (locked(&scene, "hash"), locked(&scene, "archive"));
    scene.install(["--locked"]).expect_code(0);
    uninstall(&scene);
    change_archive(&scene);
    for arguments in [&["--locked"][..], &[]] {
        let usual = ["--no-cache", "install", "--platform", LINUX];
        let outcome = scene.cx.run(usual.iter().chain(arguments)).expect_code(10);
        for told in [
            "cannot install module `far` ([TEMP]/place/main.tf:1)",
            "`registry.example.test/acme/far/any` 1.0.0 has changed since it was locked",
            &format!("and `{old}` is locked; it is archive `sha256:"),
            &format!("and archive `{digest}` is locked"),
            "hint: find out from the publisher why it has changed",
        ] {
            assert!(outcome.stderr.contains(told), "{told}\n{outcome}");
        }
        assert_eq!(outcome.stderr.matches("h1:").count(), 2, "{outcome}");
        assert!(!is_installed(&scene, "far"));
    }
    let before = module_lock(&scene);
    lock(&scene, &["--no-cache"]).expect_code(10);
    assert_eq!(module_lock(&scene), before);
    // What was fetched while it was right is right still.
    lock(&scene, &["--check"]).expect_code(0);
    scene.install(["--locked"]).expect_code(0);
    lock(&scene, &["--upgrade"]).expect_code(0);
    assert_ne!(locked(&scene, "hash"), old);
    scene.install(["--locked"]).expect_code(0);
}

#[test]
fn a_recut_archive_of_the_same_files_is_refused() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &[]).expect_code(0);
    recut_archive(&scene);
    let outcome = scene.install(["--locked", "--no-cache"]).expect_code(10);
    let told = format!(
        "its files have the locked hash `{}`",
        locked(&scene, "hash")
    );
    assert!(outcome.stderr.contains(&told), "{outcome}");
    assert!(!is_installed(&scene, "far"));
}

#[test]
fn a_moved_tag_is_refused_with_both_commits() {
    let scene = scene();
    let dir = repository(&scene);
    let source = format!("git::file://{}?ref=v1", dir.display());
    scene
        .cx
        .write("main.tf", call("tag", &source) + &call("again", &source));
    let shown = format!("{}?ref=v1", dir.display());
    lock(&scene, &[]).expect_code(0);
    assert!(module_lock(&scene).unwrap().contains(&shown));
    let old = git(&dir, &["rev-parse", "v1"]);
    assert_eq!(locked(&scene, "commit"), old);
    scene.install(["--locked"]).expect_code(0);
    uninstall(&scene);
    // The files stay what they are.
    commit(&dir, "# one\n");
    git(&dir, &["tag", "-f", "v1"]);
    let new = git(&dir, &["rev-parse", "v1"]);
    let outcome = scene.install(["--locked", "--no-cache"]).expect_code(10);
    let told = format!("it is commit `{new}`, and commit `{old}` is locked");
    assert_eq!(outcome.stderr.matches(&told).count(), 2, "{outcome}");
    assert!(!is_installed(&scene, "tag") && !is_installed(&scene, "again"));
}

#[test]
fn lock_records_all_calls_and_the_providers_of_all_modules() {
    let scene = scene();
    scene.cx.write("near/main.tf", far());
    scene.cx.write(
        "main.tf",
        far() + &call("near", "./near") + &module([("acme/dns", "")]),
    );
    shows(
        &lock(&scene, &["-j1"]),
        "code: 0
--- stdout
locked 2 modules, locked 2 packages (2.7 KiB)
--- stderr
locked module `far` from `registry.example.test/acme/far/any` 1.0.0
locked module `near.far` from `registry.example.test/acme/far/any` 1.0.0
locked `registry.example.test/acme/dns` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
locked `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(fetches(&scene), 1);
    let (archive, hash) = (locked(&scene, "archive"), locked(&scene, "hash"));
    let block = |key: &str| {
        format!(
            "\nmodule \"{key}\" {{\n  source  = \"{HOST}/acme/far/any\"\n  version = \"1.0.0\"\n  archive = \"{archive}\"\n  hash    = \"{hash}\"\n}}\n"
        )
    };
    let text = module_lock(&scene).unwrap();
    assert!(
        text.ends_with(&(block("far") + &block("near.far"))),
        "{text}"
    );
    assert!(scene.lock_file().unwrap().contains("acme/net"));
    assert!(!scene.cx.work().join(".terraform").exists());
    assert!(tree::names(&scene.cx.path("tmp")).is_empty());
}

#[test]
fn what_is_locked_and_installed_is_not_asked_for_again() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &[]).expect_code(0);
    scene.install([]).expect_code(0);
    let before = module_lock(&scene);
    offer(&scene, &["1.0.0", "1.1.0"]);
    scene.registry.clear_requests();
    for arguments in [&[][..], &["--check"], &["--modules-only"]] {
        let outcome = lock(&scene, arguments).expect_code(0);
        assert!(outcome.stdout.contains("kept 1 module"), "{outcome}");
    }
    uninstall(&scene);
    lock(&scene, &["--modules-only", "--check"]).expect_code(0);
    let outcome = lock(&scene, &["--offline"]).expect_code(0);
    assert_eq!(outcome.stderr, "");
    let outcome = lock(&scene, &["--offline", "--no-cache"]).expect_code(0);
    let told =
        "what it calls stays locked as it is, and providers that only it requires are left out";
    assert!(outcome.stderr.contains(told), "{outcome}");
    assert_eq!(fetches(&scene), 0);
    assert!(
        scene
            .registry
            .requests_for(&format!("{BASE}/versions"))
            .is_empty()
    );
    assert_eq!(module_lock(&scene), before);
    lock(&scene, &["--upgrade"]).expect_code(0);
    assert_eq!(locked(&scene, "version"), "1.1.0");
}

#[test]
fn check_writes_nothing_and_tells_what_would_change() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    shows(
        &lock(&scene, &["--check", "--modules-only"]),
        "code: 11
--- stdout
would lock 1 module, 1 failure
--- stderr
would lock module `far` from `registry.example.test/acme/far/any` 1.0.0
error: the module lock `[TEMP]/place/.provender.lock.hcl` would change: module `far` from `registry.example.test/acme/far/any` 1.0.0 is not locked

hint: run `provender lock` with the same arguments without `--check`, and commit the file
",
    );
    assert_eq!(module_lock(&scene), None);
    lock(&scene, &["--modules-only"]).expect_code(0);
    assert_eq!(scene.lock_file(), None);
    lock(&scene, &["--check", "--modules-only"]).expect_code(0);
    scene.cx.write("main.tf", module([("acme/net", "")]));
    let outcome = lock(&scene, &["--check"]).expect_code(11);
    let told = "module `far` is locked but no longer called";
    assert!(outcome.stderr.contains(told), "{outcome}");
    lock(&scene, &[]).expect_code(0);
    assert!(!module_lock(&scene).unwrap().contains("module \""));
}

#[test]
fn a_root_module_without_remote_calls_gets_no_module_lock() {
    let scene = scene();
    scene.root([("acme/net", "")]);
    lock(&scene, &[]).expect_code(0);
    assert_eq!(module_lock(&scene), None);
    scene.cx.write("main.tf", far());
    lock(&scene, &["--providers-only"]).expect_code(0);
    lock(&scene, &[&format!("{HOST}/acme/net")]).expect_code(12);
    assert_eq!((module_lock(&scene), fetches(&scene)), (None, 0));
}

#[test]
fn a_module_that_cannot_be_had_leaves_the_module_lock_and_the_providers_are_locked() {
    let scene = scene();
    let calls = far() + &call("gone", &format!("{HOST}/acme/gone/any"));
    scene
        .cx
        .write("main.tf", calls + &module([("acme/dns", "")]));
    let outcome = lock(&scene, &[]).expect_code(12);
    assert!(
        outcome.stderr.contains("cannot lock module `gone`"),
        "{outcome}"
    );
    assert_eq!(module_lock(&scene), None);
    let providers = scene.lock_file().unwrap();
    assert!(providers.contains("acme/dns") && providers.contains("acme/net"));
    let offline = ["--offline", "--no-cache", "--modules-only"];
    let outcome = lock(&scene, &offline).expect_code(12);
    assert!(
        outcome.stderr.contains("cannot lock module `far`"),
        "{outcome}"
    );
}

#[test]
fn packages_are_fetched_once_for_all_root_modules() {
    let scene = scene();
    for dir in ["a", "b"] {
        scene.cx.write(&format!("{dir}/main.tf"), far());
    }
    scene.root_in("c", [("acme/dns", "")]);
    let outcome = lock(&scene, &["--recursive"]).expect_code(0);
    assert!(outcome.stdout.contains("a: locked 1 module, "), "{outcome}");
    assert_eq!(fetches(&scene), 1);
    let text = |dir: &str| fs::read_to_string(scene.cx.work().join(dir).join(LOCK)).ok();
    assert!(text("a").is_some() && text("a") == text("b"));
    assert_eq!(text("c"), None);
}

#[test]
fn install_takes_the_locked_version_and_tells_what_is_not_locked() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &[]).expect_code(0);
    offer(&scene, &["1.0.0", "1.1.0"]);
    let before = module_lock(&scene);
    let version = |scene: &Scene| {
        let text = scene.cx.read(".terraform/modules/modules.json");
        text.contains("\"Version\":\"1.0.0\"")
    };
    scene.install(["--modules-only"]).expect_code(0);
    assert!(version(&scene));
    let outcome = scene
        .install(["--modules-only", "--upgrade"])
        .expect_code(0);
    let told = "note: `.provender.lock.hcl` stays as it is: record the newest modules with `provender lock --upgrade`\n";
    assert!(outcome.stderr.contains(told), "{outcome}");
    assert!(!version(&scene));
    // What is installed is newer than what is locked.
    let outcome = scene.install(["--modules-only", "--locked"]).expect_code(0);
    assert!(outcome.stdout.contains("installed 1 module"), "{outcome}");
    assert!(version(&scene));
    scene
        .cx
        .write("main.tf", far() + &far().replace("\"far\"", "\"more\""));
    let outcome = scene.install(["--modules-only"]).expect_code(0);
    let told = "note: not in `.provender.lock.hcl`: `more`; lock with `provender lock`\n";
    assert!(outcome.stderr.contains(told), "{outcome}");
    assert_eq!(module_lock(&scene), before);
}

#[test]
fn locked_refuses_what_the_module_lock_does_not_have() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &["--modules-only"]).expect_code(0);
    let versioned = far().replace("}\n", "  version = \"> 1\"\n}\n");
    for (calls, told) in [
        (
            far() + &far().replace("\"far\"", "\"more\""),
            "`.provender.lock.hcl` does not have it, and `--locked` takes nothing else",
        ),
        (
            versioned,
            "has it from `registry.example.test/acme/far/any` 1.0.0, which is not what the call asks for",
        ),
        (String::new(), "module `far` is locked but no longer called"),
    ] {
        scene.cx.write("main.tf", calls + "locals {}\n");
        let outcome = scene
            .install(["--modules-only", "--locked"])
            .expect_code(11);
        assert!(outcome.stderr.contains(told), "{told}\n{outcome}");
        assert!(!is_installed(&scene, "more"));
    }
}

#[test]
fn installed_files_that_were_changed_are_fetched_anew_or_refused() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &[]).expect_code(0);
    scene.install([]).expect_code(0);
    let installed = scene.cx.work().join(".terraform/modules/far/main.tf");
    let right = fs::read_to_string(&installed).unwrap();
    // The file may share its bytes with the package cache.
    let spoil = || {
        fs::remove_file(&installed).unwrap();
        fs::write(&installed, "# evil\n").unwrap();
    };
    spoil();
    for more in ["--modules-only", "--locked"] {
        let outcome = scene.install(["--offline", "--no-cache", more]);
        let outcome = outcome.expect_code(10);
        let told =
            "is installed with other files than the locked ones: its files have the hash `h1:";
        assert!(outcome.stderr.contains(told), "{outcome}");
    }
    for more in ["--no-cache", "--offline"] {
        spoil();
        scene.install(["--modules-only", more]).expect_code(0);
        assert_eq!(fs::read_to_string(&installed).unwrap(), right, "{more}");
    }
    // Hidden files do not count.
    fs::write(installed.with_file_name(".x"), "").unwrap();
    scene.install(["--offline"]).expect_code(0);
}

#[test]
fn a_module_lock_that_cannot_be_understood_is_told_by_line_and_column() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    scene
        .cx
        .write(LOCK, "module \"far\" {\n  signed_by = 1\n}\n");
    shows(
        &scene.install([]),
        "code: 1
--- stdout
--- stderr
error: cannot use the module lock `[TEMP]/place/.provender.lock.hcl`
  caused by: line 2, column 3: this version knows no argument `signed_by` here

hint: if a newer version of `provender` wrote the file, use that one
",
    );
    lock(&scene, &[]).expect_code(1);
}

#[test]
fn secrets_of_sources_are_not_written() {
    let scene = scene();
    scene.cx.write("elsewhere.zip", zip(&[file("main.tf", "")]));
    let path = scene.cx.work().join("elsewhere.zip");
    let source = format!("file://{}?token=secret", path.display());
    scene.cx.write("main.tf", call("a", &source));
    lock(&scene, &[]).expect_code(0);
    let text = module_lock(&scene).unwrap();
    assert!(
        text.contains("token=***") && !text.contains("secret"),
        "{text}"
    );
    scene.install(["--locked"]).expect_code(0);
}

#[test]
fn a_directory_of_this_machine_is_locked_by_its_hash() {
    let scene = scene();
    scene.cx.write("../elsewhere/main.tf", "# one\n");
    let dir = scene.cx.path("elsewhere");
    scene
        .cx
        .write("main.tf", call("a", &dir.display().to_string()));
    lock(&scene, &["--offline"]).expect_code(0);
    let text = module_lock(&scene).unwrap();
    assert!(
        !text.contains("archive") && !text.contains("commit"),
        "{text}"
    );
    scene.install(["--locked", "--offline"]).expect_code(0);
    scene.cx.write("../elsewhere/main.tf", "# two\n");
    scene.install(["--locked", "--offline"]).expect_code(10);
    assert!(dir.join("main.tf").is_file());
}
