//! `Dir` in the record of installed modules, from which the tools take a module: it is compared with what is locked.

use std::fs;

use super::install_modules::MANIFEST;
use super::mirror_modules::{git, locate, publish, repository, scene};
use super::module_lock::{LOCK, lock};
use super::module_scene::{call, file};
use super::scene::{HOST, Scene};
use crate::support::Outcome;

const PACKAGE: &str = "/v1/modules/acme/deep/any/1.0.0/module.zip";

/// `acme/deep/any` is the directory `pkg` of its package; it is called, and so is a module in it, which it calls itself.
fn deep() -> Scene {
    let scene = scene();
    let members = [
        file("top.tf", ""),
        file("pkg/main.tf", &call("ep", "./modules/ep")),
        file("pkg/modules/ep/main.tf", ""),
        file("pkg/other/modules/ep/main.tf", ""),
    ];
    publish(&scene, "acme/deep/any", &["1.0.0"], &members);
    locate(&scene, "acme/deep/any", "1.0.0", "./module.zip//pkg");
    let address = format!("{HOST}/acme/deep/any");
    let sub = format!("{address}//modules/ep");
    scene
        .cx
        .write("main.tf", call("deep", &address) + &call("sub", &sub));
    scene.cx.write("victim/main.tf", "");
    scene
}

fn installed() -> Scene {
    let scene = deep();
    lock(&scene, &[]).expect_code(0);
    scene.install(["--locked"]).expect_code(0);
    scene
}

fn redirect(scene: &Scene, from: &str, to: &str) {
    let text = scene.cx.read(MANIFEST);
    let [from, to] = [from, to].map(|dir| format!("\"Dir\":\"{dir}\""));
    assert!(text.contains(&from), "{from} in {text}");
    scene.cx.write(MANIFEST, text.replace(&from, &to));
}

fn fetches(scene: &Scene) -> usize {
    scene.registry.requests_for(PACKAGE).len()
}

fn run(scene: &Scene, arguments: &[&str]) -> Outcome {
    scene.cx.run(arguments)
}

#[test]
fn another_directory_is_found_and_mended() {
    let own = ".terraform/modules";
    let scene = installed();
    let text = scene.cx.read(LOCK);
    for told in [
        "  directory = \"pkg\"\n",
        "  directory = \"pkg/modules/ep\"\n",
    ] {
        assert!(text.contains(told), "{text}");
    }
    let before = scene.cx.read(MANIFEST);
    for (key, from, to) in [
        ("deep", "deep/pkg", "deep"),
        ("deep", "deep/pkg", "deep/pkg/other"),
        ("sub", "sub/pkg/modules/ep", "sub/pkg/other/modules/ep"),
        ("sub", "sub/pkg/modules/ep", "sub/pkg"),
        ("sub", "sub/pkg/modules/ep", "deep/pkg"),
        ("deep.ep", "deep/pkg/modules/ep", "../../victim"),
    ] {
        let (from, to) = (format!("{own}/{from}"), format!("{own}/{to}"));
        let to = to.replace(".terraform/modules/../../", "");
        for fixing in [
            &["verify", "--fix"][..],
            &["install", "--modules-only", "--locked"],
            &["install", "--modules-only"],
        ] {
            redirect(&scene, &from, &to);
            let outcome = run(&scene, &["verify", "--json"]).expect_code(10);
            let finding = &outcome.json()["findings"][0];
            assert_eq!(finding["kind"], "mismatch", "{outcome}");
            assert_eq!(finding["key"], key, "{outcome}");
            assert_eq!(finding["got"], to.as_str(), "{outcome}");
            assert_eq!(finding["expected"], from.as_str(), "{outcome}");
            let count = fetches(&scene);
            run(&scene, fixing).expect_code(0);
            assert_eq!(scene.cx.read(MANIFEST), before, "{to} {fixing:?}");
            // The files are what they should be.
            assert_eq!(fetches(&scene), count, "{to} {fixing:?}");
            run(&scene, &["verify"]).expect_code(0);
        }
        redirect(&scene, &from, &to);
        run(&scene, &["lock", "--modules-only", "--check"]).expect_code(0);
        run(&scene, &["install", "--modules-only"]).expect_code(0);
    }
}

#[test]
fn without_a_lock_a_directory_that_is_not_the_calls_is_placed_anew() {
    let scene = deep();
    scene.install(["--modules-only"]).expect_code(0);
    let before = scene.cx.read(MANIFEST);
    let ep = ".terraform/modules/sub/pkg/modules/ep";
    redirect(&scene, ep, ".terraform/modules/sub/pkg");
    let outcome = scene.install(["--modules-only"]).expect_code(0);
    assert!(outcome.stdout.contains("kept 1 module"), "{outcome}");
    assert_eq!(scene.cx.read(MANIFEST), before);
    // What something else has put elsewhere stays.
    fs::create_dir_all(scene.cx.work().join("vendor")).unwrap();
    redirect(&scene, ep, "vendor");
    scene.install(["--modules-only"]).expect_code(0);
    assert!(scene.cx.read(MANIFEST).contains("\"Dir\":\"vendor\""));
}

#[test]
fn another_directory_that_the_registry_names_is_refused_with_both() {
    let scene = deep();
    lock(&scene, &[]).expect_code(0);
    locate(&scene, "acme/deep/any", "1.0.0", "./module.zip//pkg/other");
    let told = format!(
        "`{HOST}/acme/deep/any//modules/ep` is the directory `pkg/other/modules/ep` of its package now, and `pkg/modules/ep` is locked"
    );
    for arguments in [
        &["--no-cache", "install", "--modules-only", "--locked"][..],
        &["--no-cache", "lock"],
        &["--no-cache", "mirror", "--root", ".", "--to", "mirror"],
    ] {
        let outcome = run(&scene, arguments).expect_code(10);
        let is_mirror = arguments.contains(&"mirror");
        assert!(is_mirror || outcome.stderr.contains(&told), "{outcome}");
        assert!(outcome.stderr.contains("of its package now"), "{outcome}");
        assert!(!scene.cx.work().join(".terraform/modules/sub").exists());
        assert!(!scene.cx.work().join("mirror/modules").exists());
    }
}

#[test]
fn a_pattern_is_locked_as_what_it_leads_to() {
    let scene = scene();
    let files = [("modules/one/main.tf", ""), ("other/main.tf", "")];
    let url = repository(&scene, "net", &files);
    scene
        .cx
        .write("main.tf", call("net", &format!("{url}//modules/o*?ref=v1")));
    lock(&scene, &["--modules-only"]).expect_code(0);
    assert!(scene.cx.read(LOCK).contains("directory = \"modules/one\""));
    run(&scene, &["install", "--modules-only", "--locked"]).expect_code(0);
    run(&scene, &["verify"]).expect_code(0);
    let dir = ".terraform/modules/net";
    redirect(
        &scene,
        &format!("{dir}/modules/one"),
        &format!("{dir}/other"),
    );
    run(&scene, &["verify"]).expect_code(10);
    run(&scene, &["verify", "--fix"]).expect_code(0);
}

#[test]
fn a_local_call_through_a_link_out_of_the_package_is_told_alike() {
    let scene = scene();
    let url = repository(&scene, "net", &[("main.tf", &call("out", "./out"))]);
    let dir = scene.cx.path("net");
    let outside = scene.cx.path("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("main.tf"), "").unwrap();
    std::os::unix::fs::symlink(outside, dir.join("out")).unwrap();
    git(&dir, &["add", "."]);
    git(&dir, &["commit", "--quiet", "-m", "x"]);
    git(&dir, &["tag", "--force", "v1"]);
    scene
        .cx
        .write("main.tf", call("net", &format!("{url}?ref=v1")));
    let told = "it is outside of the package that calls it";
    for arguments in [
        &["lock", "--modules-only"][..],
        &["install", "--modules-only"],
        // What is installed already is no better.
        &["install", "--modules-only"],
        &["lock", "--modules-only"],
    ] {
        let outcome = run(&scene, arguments).expect_code(1);
        assert!(outcome.stderr.contains(told), "{arguments:?}\n{outcome}");
    }
    // Locked by something that has not looked.
    let commit = fs::read_to_string(dir.join(".git/refs/heads/main")).unwrap();
    let lock = |hash: &str| {
        let source = format!("git::file://{}?ref=v1", dir.display());
        let text = format!(
            "module \"net\" {{\n  source = \"{source}\"\n  commit = \"{}\"\n  hash = \"{hash}\"\n}}\n",
            commit.trim()
        );
        scene.cx.write(LOCK, text);
    };
    lock("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    let outcome = run(&scene, &["verify", "--json"]);
    lock(outcome.json()["findings"][0]["got"].as_str().unwrap());
    let outcome = run(&scene, &["verify"]).expect_code(1);
    assert!(outcome.stderr.contains(told), "{outcome}");
}
