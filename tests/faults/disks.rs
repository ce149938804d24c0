//! Disks that are full or read-only, and places that are taken.
//!
//! Small file systems of their own can only be mounted by the superuser; elsewhere these tests say so and pass.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::scene::{ADDRESS, HOST, Scene, VERSION, net, words};
use crate::support::tree;

/// A mounted file system, unmounted when dropped.
struct Mount(PathBuf);

impl Mount {
    /// Mounts a file system in memory; `None` where that is not allowed.
    fn new(place: &Path, options: &str) -> Option<Self> {
        fs::create_dir_all(place).expect("the temporary directory can be filled");
        let options = format!("{options},mode=0755");
        if mount(&["-t", "tmpfs", "-o", &options, "tmpfs"], place) {
            return Some(Self(place.to_owned()));
        }
        eprintln!("skipped: mounting a file system is not allowed here");
        None
    }

    fn change(&self, options: &str) {
        let options = format!("remount,{options}");
        assert!(mount(&["-o", &options], &self.0), "{options}");
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // Whatever fails here is left to the end of the machine.
        let _unmounted = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

fn mount(options: &[&str], place: &Path) -> bool {
    let output = Command::new("mount").args(options).arg(place).output();
    output.is_ok_and(|output| output.status.success())
}

fn install_arguments() -> Vec<String> {
    words([
        "install",
        "--dir=plugins",
        "--platform=linux_amd64",
        &format!("{HOST}/{ADDRESS}"),
    ])
}

#[test]
fn full_disk_is_told_and_nothing_partial_stays() {
    let scene = Scene::usual();
    let Some(mount) = Mount::new(&scene.cx.work().join("mirror"), "size=200k") else {
        return;
    };
    let outcome = scene.mirror().outcome.expect_code(1);
    assert!(
        outcome
            .stderr
            .contains(" bytes are needed, and the file system has "),
        "{outcome}"
    );
    assert!(
        outcome.stderr.contains("\nhint: free some space"),
        "{outcome}"
    );
    assert_eq!(scene.mirrored(), [""; 0]);
    mount.change("size=10m");
    scene.mirror().outcome.expect_code(0);
    scene.holds_the_package();
}

#[test]
fn disk_that_is_full_when_unpacking_is_told_too() {
    let scene = Scene::usual();
    // The archive fits, its files beside it do not.
    let Some(mount) = Mount::new(&scene.cx.work().join("plugins"), "size=600k") else {
        return;
    };
    let arguments = [install_arguments(), words(["--no-cache"])].concat();
    let outcome = scene.measure(&arguments).outcome.expect_code(1);
    assert!(
        outcome
            .stderr
            .contains(" bytes are needed, and the file system has "),
        "{outcome}"
    );
    assert!(
        outcome.stderr.contains("\nhint: free some space"),
        "{outcome}"
    );
    let names = tree::names(&scene.cx.work().join("plugins"));
    assert!(names.iter().all(|name| name.ends_with('/')), "{names:?}");
    mount.change("size=10m");
    scene.measure(&arguments).outcome.expect_code(0);
}

#[test]
fn full_disk_of_the_cache_is_done_without() {
    // Too small for the archive, and too small for its files beside it.
    for size in ["size=200k", "size=600k"] {
        let scene = Scene::usual();
        let cache = scene.cx.work().join("cache");
        let Some(_mount) = Mount::new(&cache, size) else {
            return;
        };
        let arguments = [install_arguments(), words(["--cache-dir=cache"])].concat();
        let outcome = scene.measure(&arguments).outcome.expect_code(0);
        assert!(
            outcome
                .stderr
                .contains("going on without the package cache"),
            "{size}: {outcome}"
        );
        let names = tree::names(&cache.join("v1"));
        let is_left = |name: &&String| !name.ends_with('/') && !name.starts_with("locks/");
        let left: Vec<_> = names
            .iter()
            .filter(is_left)
            .filter(|name| *name != "CACHEDIR.TAG")
            .collect();
        assert!(left.is_empty(), "{size}: {left:?}");
    }
}

#[test]
fn disk_that_fills_up_at_any_file_leaves_a_mirror_that_the_next_run_completes() {
    // Directories and files count; the lock file, too.
    let mut ended_well = 0;
    for files in 2..18 {
        let scene = Scene::of(net().payload_size(100));
        let options = format!("nr_inodes={files}");
        let Some(mount) = Mount::new(&scene.cx.work().join("mirror"), &options) else {
            return;
        };
        let outcome = scene.mirror().outcome;
        if outcome.code == 0 {
            ended_well += 1;
        } else {
            assert_eq!(outcome.code, 1, "{files} files\n{outcome}");
            assert!(
                outcome.stderr.contains("\nhint: free some space"),
                "{outcome}"
            );
        }
        documents_name_what_is_there(&scene, files);
        let had_evidence = scene
            .mirrored()
            .iter()
            .any(|name| name.ends_with("_evidence.json"));
        mount.change("nr_inodes=1000");
        scene.mirror().outcome.expect_code(0);
        let fetched = scene.asked(super::scene::Route::Archive);
        assert!(
            fetched <= 1 && !(had_evidence && fetched > 0),
            "{files} files: fetched again"
        );
        scene.holds_the_package();
    }
    assert!(
        (1..15).contains(&ended_well),
        "{ended_well} of the disks were large enough"
    );
}

/// No index without its document, no document without its archive, no temporary file.
fn documents_name_what_is_there(scene: &Scene, files: usize) {
    let names = scene.mirrored();
    let has = |end: &str| names.iter().any(|name| name.ends_with(end));
    let document = format!("/{VERSION}.json");
    assert!(
        !has("index.json") || has(&document),
        "{files} files: {names:?}"
    );
    assert!(
        !has(&document) || has("_evidence.json"),
        "{files} files: {names:?}"
    );
    assert!(
        !has("_evidence.json") || has("_linux_amd64.zip"),
        "{files} files: {names:?}"
    );
    assert!(
        !names.iter().any(|name| name.contains(".provender-")),
        "{files} files: {names:?}"
    );
}

#[test]
fn read_only_disk_is_told() {
    let scene = Scene::usual();
    for (directory, arguments) in [
        ("mirror", super::scene::mirror_arguments()),
        ("plugins", install_arguments()),
    ] {
        let Some(mount) = Mount::new(&scene.cx.work().join(directory), "size=10m") else {
            return;
        };
        mount.change("ro");
        let outcome = scene.measure(&arguments).outcome.expect_code(1);
        assert!(
            outcome
                .stderr
                .contains("\nhint: the file system is read-only"),
            "{outcome}"
        );
        mount.change("rw");
        scene.measure(&arguments).outcome.expect_code(0);
    }
}

#[test]
fn file_in_the_place_of_a_directory_is_told_and_stays() {
    let scene = Scene::usual();
    let module = format!(
        "terraform {{\n  required_providers {{\n    net = {{\n      source = \"{HOST}/{ADDRESS}\"\n    }}\n  }}\n}}\n"
    );
    scene.cx.write("main.tf", module);
    for (place, arguments) in [
        ("mirror", super::scene::mirror_arguments()),
        ("plugins", install_arguments()),
        (".terraform", words(["install", "--platform=linux_amd64"])),
    ] {
        let file = scene.cx.write(place, "theirs");
        let outcome = scene.measure(&arguments).outcome.expect_code(1);
        assert!(
            outcome.stderr.contains("\nhint: a file stands where"),
            "{outcome}"
        );
        assert_eq!(scene.cx.read(place), "theirs");
        fs::remove_file(file).expect("it is there");
        scene.measure(&arguments).outcome.expect_code(0);
    }
}
