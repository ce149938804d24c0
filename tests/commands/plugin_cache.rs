//! The tools' plugin cache: filled, linked to, and believed only as far as a lock file goes.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::scene::{HOST, LINUX, Scene, lock_header, shows};
use crate::support::{ProviderSpec, tree};

const EXECUTABLE: &str = "terraform-provider-net_v1.0.0_x5";

/// A scene whose user has set up an empty plugin cache, with root modules `a` and `b` that require the same.
fn scene() -> Scene {
    let mut scene = Scene::usual();
    fs::create_dir(plugins(&scene)).unwrap();
    let path = plugins(&scene);
    configure(
        &mut scene,
        &format!("plugin_cache_dir = \"{}\"\n", path.display()),
    );
    for root in ["a", "b"] {
        scene.root_in(root, [("acme/net", "1.0.0")]);
    }
    scene
}

/// A scene in whose root module `a` everything is installed; `b` has its lock file.
fn warm() -> Scene {
    let scene = scene();
    scene.install_in("a", []).expect_code(0);
    share_lock_file(&scene);
    scene.registry.clear_requests();
    scene
}

fn share_lock_file(scene: &Scene) {
    let lock_file = scene.cx.read("a/.terraform.lock.hcl");
    scene.cx.write("b/.terraform.lock.hcl", lock_file);
}

fn configure(scene: &mut Scene, settings: &str) {
    let host = scene.registry.host_block(HOST);
    scene.cx.config(&format!("{host}{settings}"));
}

/// Lets the plugin cache be used without a lock file.
fn allow_any(scene: &mut Scene) {
    let name = "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE";
    scene.cx.env(name, "1");
}

fn plugins(scene: &Scene) -> PathBuf {
    scene.cx.path("plugins")
}

/// The entry of `acme/net` 1.0.0.
fn entry(scene: &Scene) -> PathBuf {
    plugins(scene).join(format!("{HOST}/acme/net/1.0.0/{LINUX}"))
}

/// Where `acme/net` 1.0.0 is installed in a root module.
fn place(scene: &Scene, root: &str) -> PathBuf {
    let file = scene.installed_in(root, "1.0.0", EXECUTABLE);
    file.parent().unwrap().to_owned()
}

fn inode(path: &Path) -> u64 {
    path.metadata().unwrap().ino()
}

#[track_caller]
fn assert_linked(scene: &Scene, root: &str) {
    let target = fs::read_link(place(scene, root)).expect("it is a link");
    assert_eq!(target, entry(scene));
}

#[track_caller]
fn assert_entry_is_whole(scene: &Scene) {
    let files = ["LICENSE.txt", "PLATFORM", EXECUTABLE];
    assert_eq!(tree::names(&entry(scene)), files);
    let (_, unpacked) = scene.cached("1.0.0");
    let of = tree::tree_with_digests;
    assert_eq!(of(&entry(scene)), of(&unpacked));
    let temporary = |name: &String| name.contains(".provender-");
    let names = tree::names(&plugins(scene));
    assert!(!names.iter().any(temporary), "{names:?}");
}

#[test]
fn package_goes_into_the_plugin_cache_and_the_root_module_links_to_it() {
    let scene = scene();
    shows(
        &scene.install_in("a", []),
        "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_linked(&scene, "a");
    let prefix = format!("{HOST}/acme/net/1.0.0/{LINUX}");
    let expected = ["LICENSE.txt", "PLATFORM", EXECUTABLE].map(|name| format!("{prefix}/{name}"));
    assert_eq!(tree::names(&plugins(&scene)), expected);
    let expected = lock_header("terraform") + &scene.lock_block("acme/net", "1.0.0", "1.0.0");
    assert_eq!(scene.cx.read("a/.terraform.lock.hcl"), expected);
    let executable = entry(&scene).join(EXECUTABLE).metadata().unwrap();
    assert_eq!(executable.mode() & 0o777, 0o755);
    assert_eq!(executable.nlink(), 1, "tools write into it");
}

#[test]
fn entry_that_the_lock_file_knows_is_linked_without_a_request() {
    let scene = warm();
    for arguments in [["--no-cache"], ["--offline"], ["--locked"]] {
        shows(
            &scene.install_in("b", arguments),
            "code: 0
--- stdout
installed 1 package
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64`
",
        );
        assert_linked(&scene, "b");
        scene.uninstall_in("b");
    }
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    let of = |root: &str| scene.cx.read(&format!("{root}/.terraform.lock.hcl"));
    assert_eq!(of("a"), of("b"));
}

#[test]
fn entry_is_not_believed_without_a_lock_file_but_stays_if_it_is_right() {
    let scene = warm();
    fs::remove_file(scene.cx.work().join("b/.terraform.lock.hcl")).unwrap();
    let before = inode(&entry(&scene));
    let outcome = scene.install_in("b", []).expect_code(0);
    assert!(outcome.stderr.contains("signed by"), "{outcome}");
    assert!(!scene.registry.request_lines().is_empty());
    assert_eq!(inode(&entry(&scene)), before);
    assert_linked(&scene, "b");
    let of = |root: &str| scene.cx.read(&format!("{root}/.terraform.lock.hcl"));
    assert_eq!(of("a"), of("b"));
}

#[test]
fn wrong_entry_is_replaced_as_a_whole() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 5] = [
        ("stray file", |entry| {
            fs::write(entry.join("stray"), "").unwrap();
        }),
        ("changed file", |entry| {
            fs::write(entry.join("LICENSE.txt"), "Mine.\n").unwrap();
        }),
        ("half a package", |entry| {
            fs::remove_file(entry.join(EXECUTABLE)).unwrap();
        }),
        ("file instead of the directory", |entry| {
            fs::remove_dir_all(entry).unwrap();
            fs::write(entry, "").unwrap();
        }),
        ("link that leads nowhere", |entry| {
            fs::remove_dir_all(entry).unwrap();
            std::os::unix::fs::symlink("/nowhere", entry).unwrap();
        }),
    ];
    for (name, damage) in damages {
        for arguments in [["-q"], ["--no-cache"]] {
            let scene = warm();
            damage(&entry(&scene));
            scene.install_in("b", arguments).expect_code(0);
            assert_entry_is_whole(&scene);
            assert_linked(&scene, "b");
            let fetched = usize::from(arguments == ["--no-cache"]);
            assert_eq!(scene.downloads("acme/net", "1.0.0"), fetched, "{name}");
        }
    }
}

#[test]
fn replacing_an_entry_changes_no_file_of_it() {
    let scene = warm();
    let executable = entry(&scene).join(EXECUTABLE);
    fs::write(&executable, "another").unwrap();
    // As a running provider holds it.
    let running = scene.cx.path("running");
    fs::hard_link(&executable, &running).unwrap();
    scene.install_in("b", []).expect_code(0);
    assert_entry_is_whole(&scene);
    assert_eq!(fs::read(running).unwrap(), b"another");
}

#[test]
fn entry_that_is_a_link_is_replaced_and_not_followed() {
    let scene = warm();
    let elsewhere = scene.cx.path("elsewhere");
    fs::rename(entry(&scene), &elsewhere).unwrap();
    fs::write(elsewhere.join("stray"), "theirs").unwrap();
    std::os::unix::fs::symlink(&elsewhere, entry(&scene)).unwrap();
    scene.install_in("b", []).expect_code(0);
    assert!(!entry(&scene).is_symlink());
    assert_entry_is_whole(&scene);
    assert!(elsewhere.join("stray").is_file());
}

#[test]
fn linked_package_counts_as_installed_while_its_files_are_the_locked_ones() {
    let mut scene = warm();
    for settings in ["kept", "gone"] {
        shows(
            &scene.install_in("a", []),
            "code: 0
--- stdout
kept 1 package
--- stderr
",
        );
        if settings == "kept" {
            configure(&mut scene, "");
        }
    }
    assert_linked(&scene, "a");
    // Without the setting the root module gets a directory of its own, and the entry is left alone.
    fs::write(entry(&scene).join("stray"), "").unwrap();
    scene.install_in("a", []).expect_code(0);
    assert!(!place(&scene, "a").is_symlink());
    assert!(entry(&scene).join("stray").is_file());
    assert!(!place(&scene, "a").join("stray").exists());
}

#[test]
fn directory_that_is_installed_already_stays_one() {
    let mut scene = warm();
    configure(&mut scene, "");
    scene.install_in("b", []).expect_code(0);
    scene.cx.env("TF_PLUGIN_CACHE_DIR", plugins(&scene));
    let outcome = scene.install_in("b", []).expect_code(0);
    assert!(outcome.stdout.contains("kept 1 package"), "{outcome}");
    assert!(!place(&scene, "b").is_symlink());
}

#[test]
fn any_entry_will_do_where_the_user_says_so_and_nothing_is_locked() {
    let mut scene = warm();
    allow_any(&mut scene);
    fs::write(entry(&scene).join("extra"), "").unwrap();
    fs::remove_file(scene.cx.work().join("b/.terraform.lock.hcl")).unwrap();
    shows(
        &scene.install_in("b", []),
        "code: 0
--- stdout
installed 1 package
--- stderr
warning: `registry.example.test/acme/net` 1.0.0 for `linux_amd64` is taken from the plugin cache unproved, as \
`plugin_cache_may_break_dependency_lock_file` allows: the lock file gets no hashes of other platforms
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (unauthenticated)
",
    );
    assert_linked(&scene, "b");
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 0);
    let lock_file = scene.cx.read("b/.terraform.lock.hcl");
    let hashes = lock_file.matches("h1:").count() + lock_file.matches("zh:").count();
    assert_eq!(hashes, 1, "{lock_file}");
    let whole = scene.registry.h1("acme/net", "1.0.0", LINUX);
    assert!(!lock_file.contains(&whole), "{lock_file}");
}

#[test]
fn not_any_entry_will_do_where_something_else_is_locked() {
    let mut scene = warm();
    allow_any(&mut scene);
    fs::write(entry(&scene).join("extra"), "").unwrap();
    let outcome = scene.install_in("b", []).expect_code(0);
    assert!(!outcome.stderr.contains("warning"), "{outcome}");
    assert_entry_is_whole(&scene);
    assert_linked(&scene, "b");
}

#[test]
fn entry_without_a_plugin_will_never_do() {
    let mut scene = warm();
    allow_any(&mut scene);
    fs::remove_file(entry(&scene).join(EXECUTABLE)).unwrap();
    fs::remove_file(scene.cx.work().join("b/.terraform.lock.hcl")).unwrap();
    let outcome = scene.install_in("b", []).expect_code(0);
    assert!(outcome.stderr.contains("signed by"), "{outcome}");
    assert_entry_is_whole(&scene);
}

#[test]
fn variable_wins_over_the_setting_and_a_relative_path_counts_from_the_root_module() {
    let mut scene = scene();
    scene.cx.env("TF_PLUGIN_CACHE_DIR", "./own");
    scene.install_in("a", []).expect_code(0);
    assert_eq!(tree::names(&plugins(&scene)), [""; 0]);
    let own = scene.cx.work().join("a/own");
    let target = fs::read_link(place(&scene, "a")).unwrap();
    assert_eq!(target, own.join(format!("{HOST}/acme/net/1.0.0/{LINUX}")));
    assert!(target.join(EXECUTABLE).is_file());
}

#[test]
fn missing_directory_is_told_and_made() {
    let mut scene = scene();
    fs::remove_dir(plugins(&scene)).unwrap();
    let outcome = scene.install_in("a", []).expect_code(0);
    let words = ": the plugin cache directory `[TEMP]/plugins` does not exist\n";
    assert!(
        outcome.stderr.starts_with("warning: [TEMP]/cli.tfrc:"),
        "{outcome}"
    );
    assert!(outcome.stderr.contains(words), "{outcome}");
    assert_entry_is_whole(&scene);
    assert_linked(&scene, "a");

    let other = scene.cx.path("other");
    scene.cx.env("TF_PLUGIN_CACHE_DIR", &other);
    let outcome = scene.install_in("b", []).expect_code(0);
    let line =
        "warning: TF_PLUGIN_CACHE_DIR: the plugin cache directory `[TEMP]/other` does not exist\n";
    assert!(outcome.stderr.starts_with(line), "{outcome}");
    assert!(other.join(HOST).is_dir());
}

#[test]
fn plugin_cache_that_cannot_be_written_is_done_without() {
    for tool in ["terraform", "tofu"] {
        let scene = scene();
        fs::remove_dir(plugins(&scene)).unwrap();
        fs::write(plugins(&scene), "").unwrap();
        let outcome = scene.install_in("a", ["--tool", tool]).expect_code(0);
        let warning = "warning: going on without the plugin cache: cannot create the directory `[TEMP]/plugins/";
        assert!(outcome.stderr.contains(warning), "{outcome}");
        assert!(!place(&scene, "a").is_symlink());
        assert!(place(&scene, "a").join(EXECUTABLE).is_file());
    }
}

#[test]
fn plugin_cache_that_is_the_install_directory_is_not_linked_to_itself() {
    let mut scene = scene();
    for step in ["fresh", "again", "damaged", "any"] {
        scene.cx.env("TF_PLUGIN_CACHE_DIR", ".terraform/providers");
        if step == "damaged" {
            fs::write(place(&scene, "a").join("LICENSE.txt"), "Mine.\n").unwrap();
        }
        if step == "any" {
            allow_any(&mut scene);
            fs::remove_file(scene.cx.work().join("a/.terraform.lock.hcl")).unwrap();
        }
        scene.install_in("a", []).expect_code(0);
        assert!(!place(&scene, "a").is_symlink(), "{step}");
        assert!(place(&scene, "a").join(EXECUTABLE).is_file(), "{step}");
    }
}

#[test]
fn entry_that_leads_back_to_the_root_module_is_not_linked_to() {
    let mut scene = warm();
    allow_any(&mut scene);
    // The root module has the files, and the entry is a link to them.
    fs::remove_file(place(&scene, "a")).unwrap();
    fs::rename(entry(&scene), place(&scene, "a")).unwrap();
    std::os::unix::fs::symlink(place(&scene, "a"), entry(&scene)).unwrap();
    fs::remove_file(scene.cx.work().join("a/.terraform.lock.hcl")).unwrap();
    scene.install_in("a", []).expect_code(0);
    assert!(place(&scene, "a").join(EXECUTABLE).is_file());
    assert!(!place(&scene, "a").is_symlink());
}

#[test]
fn addresses_into_a_directory_leave_the_plugin_cache_alone() {
    let scene = scene();
    let address = format!("{HOST}/acme/net@1.0.0");
    scene.install(["--dir", "own", &address]).expect_code(0);
    assert_eq!(tree::names(&plugins(&scene)), [""; 0]);
    let installed = scene
        .cx
        .work()
        .join(format!("own/{HOST}/acme/net/1.0.0/{LINUX}"));
    assert!(!installed.is_symlink() && installed.is_dir());
}

#[test]
fn many_at_once_share_one_plugin_cache() {
    const ROOTS: [&str; 6] = ["r1", "r2", "r3", "r4", "r5", "r6"];
    for tool in ["terraform", "tofu"] {
        for entry_is_wrong in [false, true] {
            let scene = scene();
            let net = ProviderSpec::new("acme/net").version("1.0.0");
            scene.registry.publish(&net.payload_size(300_000));
            if entry_is_wrong {
                fs::create_dir_all(entry(&scene)).unwrap();
                fs::write(entry(&scene).join("stray"), "").unwrap();
            }
            for root in ROOTS {
                scene.root_in(root, [("acme/net", "1.0.0")]);
            }
            let running = ROOTS.map(|root| {
                let usual = ["install", "--platform", LINUX, "--tool", tool, "--chdir"];
                scene.cx.spawn(usual.into_iter().chain([root]))
            });
            for process in running {
                process.wait().expect_code(0);
            }
            assert_entry_is_whole(&scene);
            for root in ROOTS {
                assert_linked(&scene, root);
            }
        }
    }
}
