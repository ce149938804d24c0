//! `install` with the address of one module: its files in a directory of their own.

use std::fs;

use super::module_scene::{ModuleScene, Repository, file};
use super::scene::{HOST, shows};
use crate::support::archive::zip;
use crate::support::tree::names;
use crate::support::{Outcome, Reply};

/// A registry with `acme/far/any` 1.0.0 and 2.0.0, whose package has modules in it.
fn scene() -> ModuleScene {
    let mut scene = ModuleScene::new();
    let base = "/m/acme/far/any";
    let list = "{\"modules\":[{\"versions\":[{\"version\":\"1.0.0\"},{\"version\":\"2.0.0\"}]}]}";
    let versions = format!("{base}/versions");
    scene.server.route(&versions, Reply::body(list));
    for version in ["1.0.0", "2.0.0"] {
        let location = Reply::status(204).header("X-Terraform-Get", "./module.zip//top");
        let download = format!("{base}/{version}/download");
        scene.server.route(&download, location);
        let members = [
            file("top/main.tf", &format!("# {version}\n")),
            file("top/modules/inner/main.tf", "# inner\n"),
            file("README.md", ""),
        ];
        let archive = format!("{base}/{version}/module.zip");
        scene.server.route(&archive, Reply::body(zip(&members)));
    }
    serve_as(&mut scene, HOST);
    scene
}

/// Makes the scene's server the module registry of a host.
fn serve_as(scene: &mut ModuleScene, host: &str) {
    let url = scene.server.url("/m/");
    let services = format!("services = {{ \"modules.v1\" = \"{url}\" }}");
    let block = format!("host \"{host}\" {{\n  {services}\n}}\n");
    scene.scene.cx.config(&block);
}

/// Lets the registry offer the tag `v1` of a repository as `acme/net/any` 1.0.0.
fn publish(scene: &mut ModuleScene, repository: &Repository) {
    let list = "{\"modules\":[{\"versions\":[{\"version\":\"1.0.0\"}]}]}";
    let versions = "/m/acme/net/any/versions";
    scene.server.route(versions, Reply::body(list));
    let location = Reply::status(204).header("X-Terraform-Get", &repository.source("?ref=v1"));
    let download = "/m/acme/net/any/1.0.0/download";
    scene.server.route(download, location);
}

fn install<const N: usize>(scene: &ModuleScene, arguments: [&str; N]) -> Outcome {
    scene.scene.cx.run(["install"].into_iter().chain(arguments))
}

fn far(rest: &str) -> String {
    format!("{HOST}/acme/far/any{rest}")
}

#[test]
fn the_modules_files_go_directly_into_the_directory() {
    let scene = scene();
    shows(
        &install(&scene, [&far(""), "--dir", "new/far"]),
        "code: 0
--- stdout
installed 1 module
--- stderr
installed module `registry.example.test/acme/far/any` 2.0.0 into `[TEMP]/place/new/far`
",
    );
    let work = scene.scene.cx.work();
    let new = work.join("new");
    assert_eq!(names(&new), ["far/main.tf", "far/modules/inner/main.tf"]);
    assert_eq!(scene.scene.cx.read("new/far/main.tf"), "# 2.0.0\n");
    fs::create_dir(work.join("empty")).unwrap();
    install(&scene, [&far("//.@2.0.0"), "--dir", "dot"]).expect_code(0);
    assert_eq!(scene.scene.cx.read("dot/main.tf"), "# 2.0.0\n");
    let arguments = [&far("//modules/inner@~> 1.0"), "--dir", "empty", "--json"];
    let json = install(&scene, arguments).expect_code(0).json();
    assert_eq!(names(&work.join("empty")), ["main.tf"]);
    assert_eq!(json["packages"][0]["kind"], "module");
    assert_eq!(json["packages"][0]["address"], far("//modules/inner"));
    assert_eq!(json["packages"][0]["version"], "1.0.0");
    assert_eq!(json["summary"]["installed"], 1);
    install(&scene, [&far("@1.0.0"), "--dir", "other", "--offline"]).expect_code(0);
    assert_eq!(scene.scene.cx.read("other/main.tf"), "# 1.0.0\n");
}

#[test]
fn a_directory_with_anything_in_it_stays_as_it_is() {
    let scene = scene();
    scene.scene.cx.write("full/theirs", "");
    shows(
        &install(&scene, [&far(""), "--dir", "full"]),
        "code: 1
--- stdout
--- stderr
error: `[TEMP]/place/full` is neither an empty directory nor absent

hint: name another directory with `--dir DIR`, or empty this one
",
    );
    assert_eq!(names(&scene.scene.cx.work()), ["full/theirs"]);
    assert_eq!(scene.requests(), [""; 0]);
}

#[test]
fn what_cannot_be_had_leaves_no_directory() {
    let scene = scene();
    for (rest, code) in [("@>= 3", 12), ("//nope", 12), ("//..", 10), ("//../x", 10)] {
        install(&scene, [&far(rest), "--dir", "new"]).expect_code(code);
        assert_eq!(names(&scene.scene.cx.work()), [""; 0], "{rest}");
    }
}

#[test]
fn a_module_is_installed_alone_into_a_directory_and_for_no_platform() {
    let scene = scene();
    shows(
        &install(&scene, [&far("@1.0.0")]),
        "code: 2
--- stdout
--- stderr
error: `registry.example.test/acme/far/any@1.0.0` is a module, whose files need a directory

hint: add one: `provender install registry.example.test/acme/far/any@1.0.0 --dir DIR`
",
    );
    for other in [&far("//modules/inner"), "acme/net"] {
        let outcome = install(&scene, [&far(""), other, "--dir", "new"]).expect_code(2);
        let expected = "is a module, and a module is installed alone";
        assert!(outcome.stderr.contains(expected), "{outcome}");
    }
    let platform = ["--platform", "linux_amd64"];
    let arguments = [&far(""), "--dir", "new", platform[0], platform[1]];
    let outcome = install(&scene, arguments).expect_code(2);
    assert!(
        outcome.stderr.contains("the same on all platforms"),
        "{outcome}"
    );
    let outcome = install(&scene, [&far("@=>1"), "--dir", "new"]).expect_code(2);
    assert!(
        outcome.stderr.contains("no valid version constraint"),
        "{outcome}"
    );
}

#[test]
fn a_clone_leaves_its_history_out_and_the_tool_decides_the_host() {
    let mut scene = ModuleScene::new();
    let repository = scene.repository("net");
    repository.commit([("main.tf", "# one\n"), (".tflint.hcl", "")], "v1");
    publish(&mut scene, &repository);
    serve_as(&mut scene, "registry.opentofu.org");
    let arguments = ["acme/net/any", "--dir", "net", "--tool", "tofu"];
    install(&scene, arguments).expect_code(0);
    assert_eq!(
        names(&scene.scene.cx.work().join("net")),
        [".tflint.hcl", "main.tf"]
    );
    serve_as(&mut scene, "registry.terraform.io");
    install(&scene, ["acme/net/any", "--dir", "here"]).expect_code(0);
    assert_eq!(
        names(&scene.scene.cx.work().join("here")),
        [".tflint.hcl", "main.tf"]
    );
}

/// A registry whose `acme/net/any` 1.0.0 is the tag `v1` of the repository that `links` come to.
#[cfg(unix)]
fn scene_with_links(links: &[(&str, &str)]) -> ModuleScene {
    let mut scene = ModuleScene::new();
    let repository = scene.repository("net");
    for dir in ["deep", "real"] {
        fs::create_dir_all(repository.work.join(dir)).unwrap();
    }
    for (link, text) in links {
        std::os::unix::fs::symlink(text, repository.work.join(link)).unwrap();
    }
    let files = [
        ("shared.tf", "# shared\n"),
        ("deep/main.tf", "# deep\n"),
        ("real/main.tf", "# real\n"),
    ];
    repository.commit(files, "v1");
    publish(&mut scene, &repository);
    serve_as(&mut scene, "registry.terraform.io");
    scene
}

#[cfg(unix)]
#[test]
fn what_links_lead_to_in_the_package_comes_along() {
    let scene = scene_with_links(&[
        ("deep/shared.tf", "../shared.tf"),
        ("deep/real", "../real"),
        ("deep/own.tf", "main.tf"),
        ("linked", "real"),
    ]);
    install(&scene, ["acme/net/any//deep", "--dir", "deep"]).expect_code(0);
    let deep = scene.scene.cx.work().join("deep");
    assert_eq!(scene.scene.cx.read("deep/shared.tf"), "# shared\n");
    assert_eq!(scene.scene.cx.read("deep/real/main.tf"), "# real\n");
    assert!(deep.join("own.tf").is_symlink() && !deep.join("shared.tf").is_symlink());
    install(&scene, ["acme/net/any//linked", "--dir", "linked"]).expect_code(0);
    assert_eq!(scene.scene.cx.read("linked/main.tf"), "# real\n");
    assert!(!scene.scene.cx.work().join("linked").is_symlink());
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_package_are_refused() {
    for text in ["/etc/passwd", "../../../../../../../../etc"] {
        let scene = scene_with_links(&[("deep/link", text)]);
        for address in ["acme/net/any//deep", "acme/net/any"] {
            let outcome = install(&scene, [address, "--dir", "out"]).expect_code(10);
            assert!(
                outcome.stderr.contains("leads out of the package"),
                "{outcome}"
            );
        }
        assert_eq!(names(&scene.scene.cx.work()), [""; 0]);
    }
}

#[test]
fn leftovers_of_killed_runs_beside_the_directory_are_removed() {
    let scene = scene();
    let work = scene.scene.cx.work();
    let left = work.join(".provender-abcdefghij.tmp");
    fs::create_dir_all(left.join("package")).unwrap();
    let past = std::time::SystemTime::now() - std::time::Duration::from_secs(120);
    fs::File::open(&left).unwrap().set_modified(past).unwrap();
    install(&scene, [&far(""), "--dir", "new"]).expect_code(0);
    assert!(!left.exists() && work.join("new/main.tf").exists());
}
