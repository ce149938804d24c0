//! What happens to the package cache and what it does about it: nothing corrupt stays, nothing corrupt is installed.

use std::fs;
use std::path::Path;

use super::scene::{HOST, LINUX, Scene};
use crate::support::tree;

const LICENSE: &str = "LICENSE.txt";
const EXECUTABLE: &str = "terraform-provider-net_v1.0.0_x5";

/// A scene in whose root module `a` everything is installed, and a root module `b` with the same lock file.
fn warm() -> Scene {
    let scene = Scene::usual();
    scene.root_in("a", [("acme/net", "1.0.0")]);
    scene.install_in("a", []).expect_code(0);
    scene.root_in("b", [("acme/net", "1.0.0")]);
    let text = scene.cx.read("a/.terraform.lock.hcl");
    scene.cx.write("b/.terraform.lock.hcl", text);
    scene.registry.clear_requests();
    scene
}

/// Installs into `b` and makes sure that what lies there is what was published.
fn assert_installs_the_truth(scene: &Scene) {
    scene.install_in("b", []).expect_code(0);
    assert_is_true(scene, "b");
    // And the cache has it whole again, so that nobody is asked.
    scene.registry.clear_requests();
    scene.uninstall_in("b");
    scene.install_in("b", ["--offline"]).expect_code(0);
    assert_is_true(scene, "b");
    scene.run(["cache", "verify"]).expect_code(0);
}

fn assert_is_true(scene: &Scene, dir: &str) {
    let root = scene.installed_in(dir, "1.0.0", "");
    let h1 = provender::package::h1_of_directory(&root).unwrap();
    let published = scene.registry.h1("acme/net", "1.0.0", LINUX);
    assert_eq!(h1.to_string(), published, "{:?}", tree::tree(&root));
}

/// Changes a byte and nothing else; the file keeps its size.
fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn tampered_archive_is_dropped_and_fetched_anew() {
    let scene = warm();
    let (archive, _) = scene.cached("1.0.0");
    flip(&archive);
    assert_installs_the_truth(&scene);
    assert_eq!(scene.registry.request_lines(), [""; 0], "the second time");
}

#[test]
fn tampered_archive_is_fetched_once() {
    let scene = warm();
    let (archive, _) = scene.cached("1.0.0");
    flip(&archive);
    scene.install_in("b", []).expect_code(0);
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 1);
}

#[test]
fn short_and_missing_archives_are_fetched_anew() {
    for damage in [cut as fn(&Path), delete] {
        let scene = warm();
        let (archive, _) = scene.cached("1.0.0");
        damage(&archive);
        assert_installs_the_truth(&scene);
    }
}

fn cut(path: &Path) {
    fs::write(path, &fs::read(path).unwrap()[..100]).unwrap();
}

fn delete(path: &Path) {
    fs::remove_file(path).unwrap();
}

#[test]
fn tampered_unpacked_file_is_made_anew_from_the_archive() {
    for damage in [
        flip as fn(&Path),
        cut_to_nothing,
        delete,
        replace_by_a_directory,
    ] {
        for file in [LICENSE, EXECUTABLE] {
            let scene = warm();
            let (_, unpacked) = scene.cached("1.0.0");
            damage(&unpacked.join(file));
            assert_installs_the_truth(&scene);
            assert_eq!(scene.downloads("acme/net", "1.0.0"), 0);
        }
    }
}

fn cut_to_nothing(path: &Path) {
    fs::write(path, "").unwrap();
}

fn replace_by_a_directory(path: &Path) {
    delete(path);
    fs::create_dir(path).unwrap();
}

#[test]
fn stray_file_among_the_unpacked_is_not_installed() {
    let scene = warm();
    let (_, unpacked) = scene.cached("1.0.0");
    fs::write(unpacked.join("stray"), "").unwrap();
    assert_installs_the_truth(&scene);
}

#[cfg(unix)]
#[test]
fn link_among_the_unpacked_is_not_followed() {
    let scene = warm();
    let (_, unpacked) = scene.cached("1.0.0");
    let outside = scene.cx.write("outside", "Public domain.\n");
    delete(&unpacked.join(LICENSE));
    std::os::unix::fs::symlink(&outside, unpacked.join(LICENSE)).unwrap();
    assert_installs_the_truth(&scene);
    let elsewhere = scene.cx.path("elsewhere");
    fs::rename(&unpacked, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &unpacked).unwrap();
    scene.uninstall_in("b");
    assert_installs_the_truth(&scene);
}

#[test]
fn both_damaged_means_fetching_anew() {
    let scene = warm();
    let (archive, unpacked) = scene.cached("1.0.0");
    flip(&archive);
    flip(&unpacked.join(EXECUTABLE));
    assert_installs_the_truth(&scene);
}

#[test]
fn edit_of_an_installed_file_does_not_poison_the_next_install() {
    for file in [LICENSE, EXECUTABLE] {
        let scene = warm();
        let edited = scene.installed_in("a", "1.0.0", file);
        flip(&edited);
        let content = fs::read(&edited).unwrap();
        assert_installs_the_truth(&scene);
        assert_eq!(
            fs::read(&edited).unwrap(),
            content,
            "mending changes nobody's file"
        );
        scene.install_in("a", []).expect_code(0);
        assert_is_true(&scene, "a");
    }
}

#[cfg(unix)]
#[test]
fn change_of_an_installed_files_mode_does_not_spread() {
    use std::os::unix::fs::PermissionsExt;

    let scene = warm();
    let installed = |dir| scene.installed_in(dir, "1.0.0", EXECUTABLE);
    fs::set_permissions(installed("a"), fs::Permissions::from_mode(0o600)).unwrap();
    assert_installs_the_truth(&scene);
    let mode = fs::metadata(installed("b")).unwrap().permissions().mode();
    assert_eq!(mode & 0o111, 0o111);
}

#[test]
fn damaged_or_missing_record_is_made_anew() {
    for content in [
        None,
        Some(""),
        Some("{}"),
        Some("{\"format_version\":\"9.0\"}"),
    ] {
        let scene = warm();
        for entry in fs::read_dir(scene.cx.cache().join("v1/records")).unwrap() {
            let path = entry.unwrap().path();
            match content {
                None => fs::remove_file(path).unwrap(),
                Some(text) => fs::write(path, text).unwrap(),
            }
        }
        scene.install_in("b", []).expect_code(0);
        assert_eq!(
            scene.downloads("acme/net", "1.0.0"),
            0,
            "the archive proves itself"
        );
        scene.uninstall_in("b");
        assert_installs_the_truth(&scene);
    }
}

#[test]
fn cache_that_was_moved_or_restored_is_used_again() {
    let scene = warm();
    let (cache, moved) = (scene.cx.cache(), scene.cx.path("moved"));
    copy_all(&cache, &moved);
    fs::remove_dir_all(&cache).unwrap();
    fs::rename(&moved, &cache).unwrap();
    assert_installs_the_truth(&scene);
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 0);
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn mirror_notices_a_tampered_archive() {
    let scene = warm();
    let (archive, _) = scene.cached("1.0.0");
    flip(&archive);
    let address = format!("{HOST}/acme/net@1.0.0");
    scene.mirror([&address]).expect_code(0);
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 1);
    let name = "terraform-provider-net_1.0.0_linux_amd64.zip";
    let mirrored = fs::read(scene.mirrored("net").join(name)).unwrap();
    assert_eq!(
        mirrored,
        scene.registry.archive_bytes("acme/net", "1.0.0", LINUX)
    );
}

/// Changes a byte and nothing else; not even the time of the last change tells.
fn rot(path: &Path) {
    let changed = path.metadata().unwrap().modified().unwrap();
    flip(path);
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(changed).unwrap();
}

#[test]
fn rot_without_a_trace_is_found_by_verify_and_gone_then() {
    for of_archive in [false, true] {
        let scene = warm();
        let (archive, unpacked) = scene.cached("1.0.0");
        let file = if of_archive {
            archive
        } else {
            unpacked.join(EXECUTABLE)
        };
        rot(&file);
        scene.run(["cache", "verify"]).expect_code(10);
        assert_installs_the_truth(&scene);
    }
}

#[test]
fn rot_does_not_replace_what_does_not_fit() {
    let scene = warm();
    let (_, unpacked) = scene.cached("1.0.0");
    rot(&unpacked.join(EXECUTABLE));
    // The very same file, so that the cache does not know better.
    fs::write(scene.installed_in("a", "1.0.0", LICENSE), "other").unwrap();
    scene.install_in("a", []).expect_code(0);
    assert_is_true(&scene, "a");
}
