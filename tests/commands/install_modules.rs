//! `install` for the modules of a root module.

use std::process::Command;

use super::scene::{HOST, Scene, module, shows};
use crate::support::archive::{Member, zip};
use crate::support::{ProviderSpec, Reply};

pub(super) const MANIFEST: &str = ".terraform/modules/modules.json";

pub(super) fn file(name: &str, content: &str) -> Member {
    Member {
        name: name.to_owned(),
        mode: 0o644,
        content: content.as_bytes().to_vec(),
    }
}

pub(super) fn call(name: &str, source: &str) -> String {
    format!("module \"{name}\" {{\n  source = \"{source}\"\n}}\n")
}

/// A registry of providers and modules: `acme/far/any` 1.0.0, which requires `acme/net`.
pub(super) fn scene() -> Scene {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let mut scene = Scene::of([net, ProviderSpec::new("acme/dns").version("1.0.0")]);
    let base = "/v1/modules/acme/far/any";
    let versions = "{\"modules\":[{\"versions\":[{\"version\":\"1.0.0\"},{\"version\":\"v0.9\"},{\"version\":\"2.0.0-rc1\"}]}]}";
    scene
        .registry
        .route(&format!("{base}/versions"), Reply::body(versions));
    let location = Reply::status(204).header("X-Terraform-Get", "./module.zip");
    scene
        .registry
        .route(&format!("{base}/1.0.0/download"), location);
    let members = [file("main.tf", &module([("acme/net", "")]))];
    scene.registry.route(
        &format!("{base}/1.0.0/module.zip"),
        Reply::body(zip(&members)),
    );
    let config = format!(
        "host \"{HOST}\" {{\n  services = {{\n    \"modules.v1\" = \"{}\"\n    \"providers.v1\" = \"{}\"\n  }}\n}}\n",
        scene.registry.url("/v1/modules/"),
        scene.registry.url("/v1/providers/"),
    );
    scene.cx.config(&config);
    scene
}

pub(super) fn far() -> String {
    call("far", &format!("{HOST}/acme/far/any"))
}

#[test]
fn modules_are_placed_and_their_providers_installed() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    shows(
        &scene.install(["-j1"]),
        "code: 0
--- stdout
installed 1 module, installed 1 package (1.3 KiB)
--- stderr
installed module `far` from `registry.example.test/acme/far/any` 1.0.0
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    let expected = "{\"Modules\":[{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"},{\"Key\":\"far\",\"Source\":\"registry.example.test/acme/far/any\",\"Version\":\"1.0.0\",\"Dir\":\".terraform/modules/far\"}]}";
    assert_eq!(scene.cx.read(MANIFEST), expected);
    assert!(scene.lock_file().unwrap().contains("acme/net"));
    scene.registry.clear_requests();
    shows(
        &scene.install(["--offline"]),
        "code: 0
--- stdout
kept 1 module, kept 1 package
--- stderr
",
    );
    let json = scene.install(["--json", "--upgrade"]).expect_code(0).json();
    let modules = json["packages"].as_array().unwrap().iter();
    let of_far = modules
        .filter(|it| it["kind"] == "module")
        .collect::<Vec<_>>();
    assert_eq!(of_far[0]["key"], "far");
    assert_eq!(of_far[0]["action"], "installed");
    assert_eq!(of_far[0]["version"], "1.0.0");
}

#[test]
fn one_module_that_cannot_be_had_stops_nothing_else() {
    let scene = scene();
    let git = "git::https://localhost:1/x.git?ref=--upload-pack=evil";
    let calls =
        far() + &call("bucket", "s3::https://s3.amazonaws.com/b/x.zip") + &call("option", git);
    scene.cx.write("main.tf", calls);
    shows(
        &scene.install(["-j1"]),
        "code: 1
--- stdout
installed 1 module, installed 1 package (1.3 KiB), 2 failures
--- stderr
installed module `far` from `registry.example.test/acme/far/any` 1.0.0
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
error: cannot install module `bucket` ([TEMP]/place/main.tf:4)
  caused by: sources of the kind `s3` are not supported yet

hint: use an https URL of the object, signed if it has to be, or let the tool itself install this module
error: cannot install module `option` ([TEMP]/place/main.tf:7)
  caused by: the git source is refused: its ref begins with `-`
",
    );
    assert!(scene.lock_file().unwrap().contains("acme/net"));
    assert!(!scene.cx.read(MANIFEST).contains("bucket"));
}

#[test]
fn either_kind_can_be_installed_alone() {
    let scene = scene();
    scene
        .cx
        .write("main.tf", far() + &module([("acme/dns", "")]));
    shows(
        &scene.install(["--providers-only"]),
        "code: 0
--- stdout
installed 1 package (1.3 KiB)
--- stderr
warning: module `far` from `registry.example.test/acme/far/any` is not installed, and providers that only it requires are left out ([TEMP]/place/main.tf:1)
installed `registry.example.test/acme/dns` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert!(!scene.cx.work().join(MANIFEST).exists());
    let lock = scene.lock_file();
    shows(
        &scene.install(["--modules-only"]),
        "code: 0
--- stdout
installed 1 module
--- stderr
installed module `far` from `registry.example.test/acme/far/any` 1.0.0
",
    );
    assert_eq!(scene.lock_file(), lock);
    scene.install(["--providers-only"]).expect_code(0);
    assert!(scene.lock_file().unwrap().contains("acme/net"));
    scene
        .install(["--providers-only", "--modules-only"])
        .expect_code(2);
}

#[test]
fn refuses_a_location_on_this_machines_disk() {
    let scene = scene();
    let secret = scene.cx.write("secret.zip", zip(&[file("main.tf", "")]));
    for location in [
        format!("file://{}", secret.display()),
        format!("git::{}", secret.display()),
    ] {
        let reply = Reply::status(204).header("X-Terraform-Get", &location);
        scene
            .registry
            .route("/v1/modules/acme/far/any/1.0.0/download", reply);
        scene.cx.write("main.tf", far());
        let outcome = scene.install(["--modules-only"]).expect_code(13);
        assert!(
            outcome
                .stderr
                .contains("a place on this machine's own disk"),
            "{outcome}"
        );
    }
    assert!(!scene.cx.work().join(".terraform/modules/far").exists());
}

#[test]
fn refuses_archives_that_climb_out_and_leaves_nothing() {
    let scene = scene();
    let archive = zip(&[file("main.tf", ""), file("../evil.tf", "")]);
    scene.registry.route(
        "/v1/modules/acme/far/any/1.0.0/module.zip",
        Reply::body(archive),
    );
    scene.cx.write("main.tf", far());
    let outcome = scene.install(["--modules-only"]).expect_code(10);
    assert!(
        outcome.stderr.contains("leads out of its directory"),
        "{outcome}"
    );
    assert!(!scene.cx.work().join(".terraform/modules/far").exists());
    assert!(!scene.cx.work().join(".terraform/modules/evil.tf").exists());
}

#[test]
fn a_repository_is_cloned_with_its_ref_and_nobody_is_asked_for_passwords() {
    let scene = scene();
    let dir = scene.cx.path("repository");
    std::fs::create_dir_all(&dir).unwrap();
    let git = |arguments: &[&str]| {
        let usual = ["-c", "user.name=t", "-c", "user.email=t@example.test"];
        let status = Command::new("git")
            .args(usual)
            .args(arguments)
            .current_dir(&dir)
            .status();
        assert!(status.unwrap().success(), "{arguments:?}");
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    for (content, tag) in [("# one\n", "v1"), ("# two\n", "v2")] {
        std::fs::write(dir.join("main.tf"), content).unwrap();
        git(&["add", "."]);
        git(&["commit", "--quiet", "-m", tag]);
        git(&["tag", tag]);
    }
    git(&["branch", "feature/x", "v1"]);
    let url = format!("git::file://{}", dir.display());
    let calls = [
        ("tag", "?ref=v1"),
        ("head", ""),
        ("branch", "?ref=feature/x"),
        ("shallow", "?ref=v1&depth=1"),
    ];
    let calls: String = calls
        .iter()
        .map(|(name, query)| call(name, &format!("{url}{query}")))
        .collect();
    scene
        .cx
        .write("main.tf", calls + &call("gone", &format!("{url}-nope")));
    let outcome = scene.install(["--modules-only"]).expect_code(12);
    assert!(
        outcome.stderr.contains("`git clone` failed, its words: "),
        "{outcome}"
    );
    for (name, content) in [
        ("tag", "# one\n"),
        ("head", "# two\n"),
        ("branch", "# one\n"),
        ("shallow", "# one\n"),
    ] {
        assert_eq!(
            scene.cx.read(&format!(".terraform/modules/{name}/main.tf")),
            content,
            "{name}"
        );
    }
    assert!(
        scene
            .cx
            .work()
            .join(".terraform/modules/shallow/.git/shallow")
            .exists()
    );
}

#[test]
fn a_local_directory_is_linked_and_a_second_use_is_a_copy() {
    let scene = scene();
    scene.cx.write("../elsewhere/main.tf", "");
    let dir = scene.cx.path("elsewhere");
    let calls = call("a", &dir.display().to_string()) + &call("b", &dir.display().to_string());
    scene.cx.write("main.tf", calls);
    scene
        .install(["--modules-only", "--offline"])
        .expect_code(0);
    let modules = scene.cx.work().join(".terraform/modules");
    assert!(modules.join("a").is_symlink() && !modules.join("b").is_symlink());
    assert!(modules.join("b/main.tf").is_file());
    scene
        .install(["--modules-only", "--upgrade"])
        .expect_code(0);
    assert!(dir.join("main.tf").is_file());
}

#[test]
fn a_dynamic_source_is_told_by_file_and_line() {
    let scene = scene();
    scene.cx.write(
        "main.tf",
        "variable \"v\" {}\nmodule \"m\" {\n  source = var.v\n}\n",
    );
    let told = "main.tf:2: the source or version of the module call `m` is dynamic";
    let outcome = scene.install([]).expect_code(0);
    assert!(outcome.stderr.contains(told), "{outcome}");
    scene.cx.write("near/main.tf", "");
    scene.cx.write("terraform.tfvars", "v = \"./near\"\n");
    let outcome = scene.install(["--tool", "tofu"]).expect_code(0);
    assert!(!outcome.stderr.contains("dynamic"), "{outcome}");
    assert!(
        scene
            .cx
            .read(MANIFEST)
            .contains("\"Source\":\"./near\",\"Dir\":\"near\"")
    );
}

#[test]
fn a_broken_record_is_an_error_with_advice() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    scene
        .cx
        .write(MANIFEST, "{\"Modules\":[{\"Key\":\"a\"},{\"Key\":\"a\"}]}");
    shows(
        &scene.install([]),
        "code: 1
--- stdout
--- stderr
error: cannot understand the record of modules `[TEMP]/place/.terraform/modules/modules.json`
  caused by: the module `a` is recorded twice

hint: delete the file: it is written anew from the configuration
",
    );
}

#[test]
fn versions_of_modules_are_listed_with_the_newest_first() {
    let scene = scene();
    let far = format!("{HOST}/acme/far/any");
    shows(
        &scene.run(["versions", &far]),
        "code: 0
--- stdout
version
2.0.0-rc1
1.0.0
0.9.0
--- stderr
",
    );
    let json = scene
        .run(["versions", "--json", &format!("{far}@~>0")])
        .expect_code(0)
        .json();
    assert_eq!(json["versions"][0]["version"], "1.0.0");
    scene
        .run(["versions", &format!("{far}@>=3")])
        .expect_code(12);
    scene.run(["versions", "--offline", &far]).expect_code(12);
}
