//! Modules: `provender install` and the tool itself make the same of one tree, and `init` accepts what was installed
//! when no registry answers for modules.

use std::path::Path;
use std::process::Command;

use crate::support::archive::{Member, zip};
use crate::support::{Reply, TestRegistry, tree};

use super::scene::{HOST, Scene, configuration, provider};

pub(super) fn file(name: &str, content: &str) -> Member {
    Member {
        name: name.to_owned(),
        mode: 0o644,
        content: content.as_bytes().to_vec(),
    }
}

pub(super) fn call(name: &str, source: &str, version: &str) -> String {
    let version = match version {
        "" => String::new(),
        version => format!("  version = \"{version}\"\n"),
    };
    format!("module \"{name}\" {{\n  source = \"{source}\"\n{version}}}\n")
}

/// Publishes a module in one version, whose archive lies beside.
pub(super) fn publish(registry: &TestRegistry, address: &str, version: &str, members: &[Member]) {
    let base = format!("/v1/modules/{address}");
    let versions = format!(
        "{{\"modules\":[{{\"versions\":[{{\"version\":\"{version}\"}},{{\"version\":\"0.1.0\"}}]}}]}}"
    );
    registry.route(&format!("{base}/versions"), Reply::body(versions));
    let location = Reply::status(204).header("X-Terraform-Get", "./module.zip");
    registry.route(&format!("{base}/{version}/download"), location);
    registry.route(
        &format!("{base}/{version}/module.zip"),
        Reply::body(zip(members)),
    );
}

/// A repository with one commit and a tag `v1`.
pub(super) fn repository(dir: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let steps: [&[&str]; 4] = [
        &["init", "--quiet", "--initial-branch=main"],
        &["add", "."],
        &[
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.test",
            "commit",
            "--quiet",
            "-m",
            "x",
        ],
        &["tag", "v1"],
    ];
    for step in steps {
        let status = Command::new("git").args(step).current_dir(dir).status();
        assert!(status.expect("git is there").success(), "{step:?}");
    }
}

/// A registry, a repository and an archive, and root modules `mine` and `theirs` that call modules from all of them.
fn scene(registry: &TestRegistry) -> Option<Scene> {
    let mut scene = Scene::beside(registry)?;
    let provider = configuration(&[(&format!("{HOST}/acme/deep"), "~> 1.0")]);
    publish(
        registry,
        "acme/inner/any",
        "1.0.0",
        &[file("main.tf", &provider)],
    );
    let outer =
        call("inner", &format!("{HOST}/acme/inner/any"), "~> 1") + &call("near", "./near", "");
    let members = [
        file("main.tf", ""),
        file("modules/x/main.tf", &outer),
        file("modules/x/near/main.tf", ""),
    ];
    publish(registry, "acme/outer/any", "2.1.0", &members);
    registry.route(
        "/plain/mod.zip",
        Reply::body(zip(&[file("sub/main.tf", ""), file(".hidden", "x")])),
    );
    let git = scene.context.path("git");
    repository(
        &git,
        &[
            ("main.tf", ""),
            ("a/main.tf", &call("up", "../", "")),
            ("run.sh", "x"),
        ],
    );
    scene.context.config(&format!(
        "host \"{HOST}\" {{\n  services = {{\n    \"modules.v1\" = \"{}\"\n    \"providers.v1\" = \"{}\"\n  }}\n}}\n",
        registry.url("/v1/modules/"),
        registry.url("/v1/providers/"),
    ));
    let archive = registry.url("/plain/mod.zip");
    let git = format!("git::file://{}", git.display());
    let root = call(
        "outer",
        &format!("{HOST}/acme/outer/any//modules/x"),
        ">= 2.0, < 3.0",
    ) + &call(
        "Again",
        &format!("{HOST}/acme/outer/any//modules/x"),
        "2.1.0",
    ) + &call("archive", &format!("{archive}//sub?archive=zip"), "")
        + &call("archive_too", &format!("{archive}//sub?archive=zip"), "")
        + &call("glob", &format!("{archive}//s*?archive=zip"), "")
        + &call("git", &format!("{git}//a?ref=v1"), "")
        + &call("whole-git", &git, "")
        + &call("local", "./local", "");
    for dir in ["mine", "theirs"] {
        scene.context.write(&format!("{dir}/main.tf"), &root);
        scene
            .context
            .write(&format!("{dir}/local/main.tf"), call("deep", &git, ""));
        let test = "run \"setup\" {\n  module {\n    source = \"./local\"\n  }\n}\n";
        scene
            .context
            .write(&format!("{dir}/tests/t.tftest.hcl"), test);
    }
    Some(scene)
}

fn manifest(scene: &Scene, dir: &str) -> String {
    scene
        .context
        .read(&format!("{dir}/.terraform/modules/modules.json"))
}

/// Names in the directory of modules without those of version control, whose presence differs in copies.
fn module_files(scene: &Scene, dir: &str) -> Vec<String> {
    let mut names = tree::names(&scene.context.work().join(dir).join(".terraform/modules"));
    names.retain(|name| !name.split('/').any(|part| part.starts_with('.')));
    names
}

#[test]
fn the_record_and_the_files_are_those_of_terraform() {
    let registry = TestRegistry::of([provider("acme/deep").version("1.0.0")]);
    let Some(scene) = scene(&registry) else {
        return;
    };
    scene
        .terraform("theirs", &["get", "-no-color"])
        .expect_code(0);
    scene.provender(&["-C", "mine", "install", "--modules-only"]);
    assert_eq!(manifest(&scene, "mine"), manifest(&scene, "theirs"));
    assert_eq!(module_files(&scene, "mine"), module_files(&scene, "theirs"));
    // Either goes on with what the other installed.
    registry.clear_requests();
    scene
        .terraform("mine", &["get", "-no-color"])
        .expect_code(0);
    scene.provender(&["-C", "theirs", "install", "--modules-only"]);
    assert_eq!(registry.request_lines(), [""; 0]);
    assert_eq!(manifest(&scene, "mine"), manifest(&scene, "theirs"));
}

#[test]
fn init_accepts_the_modules_where_no_registry_answers_for_them() {
    let registry = TestRegistry::of([provider("acme/deep").version("1.0.0")]);
    let Some(mut scene) = scene(&registry) else {
        return;
    };
    scene.install("mine");
    let before = manifest(&scene, "mine");
    // Modules have no service any more, and the repository is gone.
    scene.context.config(&registry.host_block(HOST));
    std::fs::remove_dir_all(scene.context.path("git")).unwrap();
    registry.route("/plain/mod.zip", Reply::status(404));
    registry.clear_requests();
    let outcome = scene.init("mine");
    assert!(outcome.stdout.contains("acme/deep"), "{outcome}");
    scene
        .terraform("mine", &["providers", "-no-color"])
        .expect_code(0);
    assert_eq!(manifest(&scene, "mine"), before);
    let of_modules = |line: &String| line.contains("/modules/") || line.contains("/plain/");
    let asked: Vec<String> = registry
        .request_lines()
        .into_iter()
        .filter(of_modules)
        .collect();
    assert_eq!(asked, [""; 0]);
}

#[test]
fn sixty_calls_of_one_repository_are_one_fetch() {
    let registry = TestRegistry::of([provider("acme/deep").version("1.0.0")]);
    let Some(scene) = scene(&registry) else {
        return;
    };
    let archive = registry.url("/plain/mod.zip");
    let calls: String = (0..60)
        .map(|n| call(&format!("m{n}"), &format!("{archive}//sub"), ""))
        .collect();
    for dir in ["mine", "theirs"] {
        scene.context.write(&format!("{dir}/main.tf"), &calls);
    }
    registry.clear_requests();
    scene.provender(&["-C", "mine", "install", "--modules-only"]);
    assert_eq!(registry.request_lines(), ["GET /plain/mod.zip"]);
    scene
        .terraform("theirs", &["get", "-no-color"])
        .expect_code(0);
    assert_eq!(manifest(&scene, "mine"), manifest(&scene, "theirs"));
    assert_eq!(module_files(&scene, "mine"), module_files(&scene, "theirs"));
}
