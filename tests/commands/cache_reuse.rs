//! The package cache where all goes well: nothing is fetched twice, and nothing is asked that is known.

use std::fs;

use super::scene::{HOST, LINUX, Scene, lock_header, shows};
use crate::support::{ProviderSpec, tree};

const EXECUTABLE: &str = "terraform-provider-net_v1.0.0_x5";

/// A scene in whose root module `a` everything is installed.
fn warm() -> Scene {
    let scene = Scene::usual();
    scene.root_in("a", [("acme/net", "1.0.0")]);
    scene.install_in("a", []).expect_code(0);
    scene.root_in("b", [("acme/net", "1.0.0")]);
    scene.registry.clear_requests();
    scene
}

/// Gives root module `b` the lock file of `a`.
fn share_lock_file(scene: &Scene) -> String {
    let text = scene.cx.read("a/.terraform.lock.hcl");
    scene.cx.write("b/.terraform.lock.hcl", &text);
    text
}

#[test]
fn second_root_module_downloads_no_package() {
    let scene = warm();
    shows(
        &scene.install_in("b", []),
        "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 0);
    assert!(
        !scene.registry.request_lines().is_empty(),
        "its metadata is asked for"
    );
    let of = |dir: &str| tree::tree_with_digests(&scene.cx.work().join(dir));
    assert_eq!(of("a"), of("b"));
}

#[test]
fn lock_file_and_cache_together_need_no_request() {
    let scene = warm();
    let lock_file = share_lock_file(&scene);
    for arguments in [[].as_slice(), &["--locked"], &["--offline"]] {
        let usual = ["install", "--platform", LINUX, "--chdir", "b"];
        let arguments = usual.iter().chain(arguments).copied();
        shows(
            &scene.cx.run(arguments),
            "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
        );
        assert_eq!(scene.registry.request_lines(), [""; 0]);
        assert_eq!(scene.cx.read("b/.terraform.lock.hcl"), lock_file);
        scene.uninstall_in("b");
    }
}

#[test]
fn one_fitting_hash_suffices_and_the_lock_file_becomes_that_of_a_download() {
    for scheme in ["zh", "h1"] {
        let scene = warm();
        let h1 = scene.registry.h1("acme/net", "1.0.0", LINUX);
        let fitting = match scheme {
            "zh" => scene.registry.zh("acme/net", "1.0.0", LINUX),
            _ => h1.clone(),
        };
        let lock_file = format!(
            "{}\nprovider \"{HOST}/acme/net\" {{\n  version     = \"1.0.0\"\n  constraints = \"1.0.0\"\n  hashes = [\n    \"{fitting}\",\n  ]\n}}\n",
            lock_header("terraform")
        );
        scene.cx.write("b/.terraform.lock.hcl", &lock_file);
        scene.install_in("b", []).expect_code(0);
        assert_eq!(scene.registry.request_lines(), [""; 0]);
        let written = scene.cx.read("b/.terraform.lock.hcl");
        scene.uninstall_in("b");
        scene.cx.write("b/.terraform.lock.hcl", &lock_file);
        scene.install_in("b", ["--no-cache"]).expect_code(0);
        assert_eq!(written, scene.cx.read("b/.terraform.lock.hcl"));
        assert!(written.contains(&h1) && written != lock_file, "{written}");
    }
}

#[test]
fn way_of_placing_is_told_on_request() {
    let scene = warm();
    let outcome = scene.install_in("b", ["-v"]).expect_code(0);
    let ways = ["reflink", "hard link", "copy"];
    let told = |way: &&str| {
        let line =
            format!("placed `{HOST}/acme/net` 1.0.0 for `{LINUX}` from the package cache by {way}");
        outcome.stderr.contains(&line)
    };
    assert_eq!(ways.iter().filter(|way| told(way)).count(), 1, "{outcome}");
    let kind = fs::symlink_metadata(scene.installed_in("b", "1.0.0", EXECUTABLE)).unwrap();
    assert!(kind.is_file());
}

#[test]
fn installed_hard_links_are_known_without_reading_them() {
    let scene = warm();
    let installed = scene.installed_in("a", "1.0.0", EXECUTABLE);
    let (_, unpacked) = scene.cached("1.0.0");
    if !is_same_file(&installed, &unpacked.join(EXECUTABLE)) {
        return;
    }
    shows(
        &scene.install_in("a", []),
        "code: 0
--- stdout
kept 1 package
--- stderr
",
    );
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[cfg(unix)]
fn is_same_file(one: &std::path::Path, other: &std::path::Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let inode = |path: &std::path::Path| fs::metadata(path).unwrap().ino();
    inode(one) == inode(other)
}

#[cfg(not(unix))]
fn is_same_file(_: &std::path::Path, _: &std::path::Path) -> bool {
    false
}

#[test]
fn no_cache_neither_reads_nor_fills() {
    let scene = warm();
    let before = tree::tree_with_digests(&scene.cx.cache());
    let lock_file = share_lock_file(&scene);
    scene.install_in("b", ["--no-cache"]).expect_code(0);
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 1);
    assert_eq!(tree::tree_with_digests(&scene.cx.cache()), before);
    assert_eq!(scene.cx.read("b/.terraform.lock.hcl"), lock_file);
    scene.root_in("c", [("acme/net", "1.1.0")]);
    scene.install_in("c", ["--no-cache"]).expect_code(0);
    assert_eq!(tree::tree_with_digests(&scene.cx.cache()), before);
}

#[test]
fn option_names_another_directory() {
    let scene = warm();
    let before = tree::names(&scene.cx.cache());
    scene.install_in("b", ["--cache-dir", "own"]).expect_code(0);
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 1);
    assert_eq!(tree::names(&scene.cx.cache()), before);
    let own = tree::names(&scene.cx.work().join("b/own"));
    assert!(
        own.iter().any(|name| name.starts_with("v1/records/")),
        "{own:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn cache_lies_in_the_users_cache_directory() {
    for (variable, place) in [(None, "home/.cache"), (Some("xdg"), "xdg")] {
        let mut scene = Scene::usual();
        scene.cx.env_remove("PROVENDER_CACHE_DIR");
        if let Some(name) = variable {
            scene.cx.env("XDG_CACHE_HOME", scene.cx.path(name));
        }
        scene.root([("acme/net", "1.0.0")]);
        scene.install([]).expect_code(0);
        let tag = scene.cx.path(place).join("provender/v1/CACHEDIR.TAG");
        assert!(tag.is_file(), "{place}");
    }
}

#[test]
fn mirror_takes_from_the_cache_and_does_not_fill_it() {
    let scene = warm();
    let before = tree::tree_with_digests(&scene.cx.cache());
    let address = |version: &str| format!("{HOST}/acme/net@{version}");
    scene.mirror([&address("1.0.0")]).expect_code(0);
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 0);
    scene.mirror([&address("1.1.0")]).expect_code(0);
    assert_eq!(scene.downloads("acme/net", "1.1.0"), 1);
    assert_eq!(tree::tree_with_digests(&scene.cx.cache()), before);
    let archive = scene
        .mirrored("net")
        .join("terraform-provider-net_1.0.0_linux_amd64.zip");
    let (cached, _) = scene.cached("1.0.0");
    assert_eq!(fs::read(&archive).unwrap(), fs::read(&cached).unwrap());
    assert!(
        !is_same_file(&archive, &cached),
        "a mirror may be written to"
    );
    let hashes = scene.mirror_json("1.0.0.json")["archives"][LINUX]["hashes"].clone();
    let h1 = scene.registry.h1("acme/net", "1.0.0", LINUX);
    let zh = scene.registry.zh("acme/net", "1.0.0", LINUX);
    assert_eq!(hashes, serde_json::json!([h1, zh]));
}

#[test]
fn mirror_makes_no_cache() {
    let scene = Scene::usual();
    let address = format!("{HOST}/acme/net@1.0.0");
    scene.mirror([&address]).expect_code(0);
    assert_eq!(tree::names(&scene.cx.cache()), [""; 0]);
}

#[test]
fn proof_of_one_address_is_none_of_another_with_the_same_bytes() {
    let provider = |address: &str| ProviderSpec::new(address).version("1.0.0");
    let scene = Scene::of([
        provider("acme/net"),
        provider("other/net"),
        provider("third/net"),
    ]);
    let zh = scene.registry.zh("acme/net", "1.0.0", LINUX);
    assert_eq!(scene.registry.zh("other/net", "1.0.0", LINUX), zh);
    scene.root_in("a", [("acme/net", "1.0.0")]);
    scene.install_in("a", []).expect_code(0);
    let lock_file = scene.cx.read("a/.terraform.lock.hcl");
    scene.root_in("b", [("other/net", "1.0.0")]);
    scene.cx.write(
        "b/.terraform.lock.hcl",
        lock_file.replace("acme/", "other/"),
    );
    // Nobody has proved it yet, so the lock file's hash does not suffice ...
    scene.install_in("b", ["--offline"]).expect_code(12);
    scene.registry.clear_requests();
    scene.install_in("b", []).expect_code(0);
    assert!(!scene.registry.request_lines().is_empty());
    assert_eq!(
        scene.downloads("other/net", "1.0.0"),
        0,
        "the bytes are there"
    );
    // ... and then each is known for itself.
    for dir in ["a", "b"] {
        scene.uninstall_in(dir);
        scene.install_in(dir, ["--offline"]).expect_code(0);
    }
    scene.root_in("c", [("third/net", "1.0.0")]);
    scene.cx.write(
        "c/.terraform.lock.hcl",
        lock_file.replace("acme/", "third/"),
    );
    scene.install_in("c", ["--offline"]).expect_code(12);
}

#[test]
fn same_bytes_for_another_type_are_looked_at_again() {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let scene = Scene::of([net]);
    let bytes = scene.registry.archive_bytes("acme/net", "1.0.0", LINUX);
    let dns = ProviderSpec::new("acme/dns").version("1.0.0");
    scene.registry.publish(&dns.archive(LINUX, bytes));
    scene.root_in("a", [("acme/net", "1.0.0")]);
    scene.install_in("a", []).expect_code(0);
    scene.root_in("b", [("acme/dns", "1.0.0")]);
    let outcome = scene.install_in("b", []).expect_code(10);
    assert!(
        outcome.stderr.contains("terraform-provider-dns"),
        "{outcome}"
    );
    scene.uninstall_in("a");
    scene.install_in("a", ["--offline"]).expect_code(0);
}

#[test]
fn addresses_into_a_directory_come_from_the_cache() {
    let scene = warm();
    let address = format!("{HOST}/acme/net@1.0.0");
    scene.install(["--dir", "plugins", &address]).expect_code(0);
    assert_eq!(scene.downloads("acme/net", "1.0.0"), 0);
    let names = scene.names("plugins");
    assert!(
        names.iter().any(|name| name.ends_with(EXECUTABLE)),
        "{names:?}"
    );
}

#[cfg(unix)]
#[test]
fn cache_that_cannot_be_made_is_done_without() {
    let scene = Scene::usual();
    scene.root([("acme/net", "1.0.0")]);
    let file = scene.cx.write("file", "");
    let file = file.to_str().unwrap();
    let outcome = scene.install(["--cache-dir", file]).expect_code(0);
    assert!(
        outcome
            .stderr
            .contains("going on without the package cache"),
        "{outcome}"
    );
}
