//! The module lock on the far side of an air gap: what it names comes from a mirror, which packs registries' modules anew.

use std::fs;
use std::path::PathBuf;

use super::mirror_modules::{locate, publish, repository, scene};
use super::module_lock::LOCK;
use super::module_scene::{call, file, git};
use super::scene::{HOST, Scene};
use crate::support::archive::{Member, zip};
use crate::support::server::Transport;
use crate::support::{Outcome, Reply, TestContext, TestServer};

/// A mirror behind a web server, and a place that knows nothing else.
struct FarSide {
    cx: TestContext,
    mirror: PathBuf,
    _server: TestServer,
}

impl FarSide {
    /// What is mirrored for the root module in `root`, whose files come along.
    fn of(scene: &Scene) -> Self {
        let mirror = scene.cx.work().join("mirror");
        let builder = TestServer::builder().transport(Transport::Plain);
        let server = builder.directory(&mirror).start();
        // The one thing that a server of plain files has to be told.
        for (name, inner) in [("zip", ""), ("git", "//modules/a")] {
            let path = format!("/modules/{HOST}/acme/{name}/any/1.0.0/download");
            let location = format!("./module.zip{inner}");
            let reply = Reply::status(204).header("X-Terraform-Get", &location);
            server.route(&path, reply);
        }
        let mut cx = TestContext::new(env!("CARGO_BIN_EXE_provender"));
        let registry = server.url(&format!("/modules/{HOST}/"));
        cx.config(&format!(
            "host \"{HOST}\" {{\n  services = {{\n    \"modules.v1\" = \"{registry}\"\n  }}\n}}\n"
        ));
        for name in ["main.tf", LOCK] {
            cx.write(name, scene.cx.read(&format!("root/{name}")));
        }
        Self {
            cx,
            mirror,
            _server: server,
        }
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        self.cx.run(arguments)
    }

    fn modules(&self) -> PathBuf {
        self.cx.work().join(".terraform/modules")
    }
}

/// A module with hidden files, a program, and modules below it.
fn members() -> Vec<Member> {
    vec![
        file("main.tf", &call("near", "./modules/near")),
        file("modules/near/main.tf", ""),
        Member {
            mode: 0o755,
            ..file("scripts/run.sh", "#!/bin/sh\n")
        },
        file(".terraform-docs.yml", "x"),
    ]
}

/// `acme/zip/any` is an archive, `acme/git/any` is a directory of a repository; both are called, the first one twice.
fn root(scene: &Scene) -> String {
    publish(scene, "acme/zip/any", &["1.0.0"], &members());
    publish(scene, "acme/git/any", &["1.0.0"], &[]);
    let files = [
        ("modules/a/main.tf", "#"),
        ("README", "x"),
        (".gitignore", "y"),
    ];
    let url = repository(scene, "origin", &files);
    // A location on this machine's disk is refused.
    let bare = scene.cx.path("web/origin.git");
    fs::create_dir_all(bare.parent().unwrap()).unwrap();
    let from = url.strip_prefix("git::file://").unwrap().to_owned();
    git(
        bare.parent().unwrap(),
        &["clone", "--quiet", "--bare", &from, "origin.git"],
    );
    git(&bare, &["update-server-info"]);
    let address = |name: &str| format!("{HOST}/acme/{name}/any");
    call("zip", &address("zip"))
        + &call("near", &format!("{}//modules/near", address("zip")))
        + &call("git", &address("git"))
}

/// Locks and mirrors on the near side.
fn mirrored() -> (Scene, TestServer) {
    let scene = scene();
    let text = root(&scene);
    let builder = TestServer::builder().transport(Transport::Plain);
    let web = builder.directory(&scene.cx.path("web")).start();
    let location = format!("git::{}/origin.git//modules/a?ref=v1", web.base_url());
    locate(&scene, "acme/git/any", "1.0.0", &location);
    scene.cx.write("root/main.tf", text);
    let lock = ["-C", "root", "lock", "--modules-only"];
    scene.cx.run(lock).expect_code(0);
    let lock = scene.cx.read(&format!("root/{LOCK}"));
    assert!(
        lock.contains("commit") && lock.contains("archive"),
        "{lock}"
    );
    scene.mirror(["--root", "root"]).expect_code(0);
    (scene, web)
}

#[test]
fn what_was_locked_before_the_air_gap_is_installed_behind_it() {
    let (scene, _web) = mirrored();
    let far = FarSide::of(&scene);
    let before = far.cx.read(LOCK);
    for arguments in [
        &["install", "--modules-only"][..],
        &["install", "--modules-only", "--locked"],
        &["install", "--modules-only", "--locked", "--no-cache"],
        &["--offline", "install", "--modules-only", "--locked"],
    ] {
        far.run(arguments).expect_code(0);
        let program = far.modules().join("zip/scripts/run.sh");
        assert!(program.is_file() && far.modules().join("git/modules/a").is_dir());
        fs::remove_dir_all(far.modules()).unwrap();
    }
    for arguments in [
        &["lock", "--modules-only"][..],
        &["lock", "--modules-only", "--check"],
        &["lock", "--modules-only", "--upgrade", "--check"],
        &["lock", "--modules-only", "--upgrade"],
    ] {
        let outcome = far.run(arguments).expect_code(0);
        assert!(!outcome.stderr.contains("h1:"), "{outcome}");
        assert_eq!(far.cx.read(LOCK), before);
    }
    far.run(&["install", "--modules-only"]).expect_code(0);
    fs::remove_dir_all(far.modules().join("zip")).unwrap();
    fs::remove_dir_all(far.modules().join("git")).unwrap();
    far.run(&["verify"]).expect_code(11);
    far.run(&["verify", "--fix"]).expect_code(0);
    assert_eq!(far.cx.read(LOCK), before);
}

#[test]
fn what_is_locked_behind_the_air_gap_is_installed_before_it() {
    let (scene, _web) = mirrored();
    let far = FarSide::of(&scene);
    fs::remove_file(far.cx.work().join(LOCK)).unwrap();
    far.run(&["lock", "--modules-only"]).expect_code(0);
    let lock = far.cx.read(LOCK);
    assert!(!lock.contains("commit"), "{lock}");
    scene.cx.write(&format!("root/{LOCK}"), lock);
    let install = ["-C", "root", "install", "--modules-only", "--locked"];
    scene.cx.run(install).expect_code(0);
    scene.mirror(["--root", "root"]).expect_code(0);
}

#[test]
fn an_archive_that_no_mirror_packed_is_refused_with_equal_files_too() {
    let (scene, _web) = mirrored();
    let far = FarSide::of(&scene);
    let archive = |far: &FarSide| {
        let dir = far.mirror.join(format!("modules/{HOST}/acme/zip/any"));
        dir.join("1.0.0/module.zip")
    };
    let mut recut = members();
    recut.push(file(".more", ""));
    fs::write(archive(&far), zip(&recut)).unwrap();
    let outcome = far.run(&["install", "--modules-only", "--no-cache"]);
    let outcome = outcome.expect_code(10);
    let told = "has changed since it was locked: its files have the locked hash";
    assert_eq!(outcome.stderr.matches(told).count(), 2, "{outcome}");
    assert!(!far.modules().join("zip").exists());
    let outcome = far.run(&["lock", "--modules-only", "--upgrade", "--check"]);
    let outcome = outcome.expect_code(11);
    for told in ["is locked as archive `sha256:", ", and is archive `sha256:"] {
        assert!(outcome.stderr.contains(told), "{outcome}");
    }
    assert!(!outcome.stderr.contains("h1:"), "{outcome}");
}
