//! `mirror --root` by the module lock: what it names has to be what is mirrored.

use std::fs;

use super::mirror_modules::{app, git, locate, mirror_dir, publish, repository, scene};
use super::module_lock::LOCK;
use super::module_scene::{call, file};
use super::scene::{HOST, Scene};
use crate::support::archive::zip;
use crate::support::{Outcome, Reply, tree};

const CHANGED: &str = "has changed since it was locked: ";

/// A root module in `root`, locked.
fn locked(scene: &Scene, text: &str) {
    scene.cx.write("root/main.tf", text);
    let lock = ["-C", "root", "lock", "--modules-only"];
    scene.cx.run(lock).expect_code(0);
}

fn mirror(scene: &Scene, more: &[&str]) -> Outcome {
    let usual = ["--no-cache", "mirror", "--root", "root", "--to", "mirror"];
    scene.cx.run(usual.iter().chain(more))
}

/// Everything below the mirror that names a module or holds one.
fn modules(scene: &Scene) -> Vec<String> {
    let mut names = tree::names(&mirror_dir(scene));
    names.retain(|name| {
        !name.ends_with('/')
            && ["modules", "git", "archives"]
                .iter()
                .any(|it| name.starts_with(it))
    });
    names
}

/// Replaces the package of `acme/base/any` 1.1.0.
fn replace(scene: &Scene, content: &str) {
    scene.registry.route(
        "/v1/modules/acme/base/any/1.1.0/module.zip",
        Reply::body(zip(&[file("main.tf", content)])),
    );
}

#[test]
fn a_registrys_package_that_was_replaced_is_refused_and_the_rest_is_mirrored() {
    let scene = scene();
    locked(&scene, &call("app", &app()));
    replace(&scene, "# evil");
    let outcome = mirror(&scene, &[]).expect_code(10);
    let base = format!("`{HOST}/acme/base/any`");
    for told in [
        format!(
            "error: cannot mirror module `app.base` from {base} 1.1.0 (main.tf:1 in module `app`)"
        ),
        format!("{base} 1.1.0 {CHANGED}its files have the hash `h1:"),
        "; it is archive `sha256:".to_owned(),
        "hint: find out from the publisher why it has changed".to_owned(),
    ] {
        assert!(outcome.stderr.contains(&told), "{told}\n{outcome}");
    }
    assert!(
        outcome.stdout.starts_with("mirrored 1 module, "),
        "{outcome}"
    );
    let names = modules(&scene);
    assert!(names.iter().any(|it| it.contains("acme/app/")), "{names:?}");
    assert!(
        !names.iter().any(|it| it.contains("acme/base/")),
        "{names:?}"
    );
    // Without the module lock nothing is known to be wrong.
    fs::remove_file(scene.cx.work().join("root").join(LOCK)).unwrap();
    mirror(&scene, &[]).expect_code(0);
    assert!(modules(&scene).iter().any(|it| it.contains("acme/base/")));
}

#[test]
fn what_the_mirror_has_already_is_compared_too() {
    let scene = scene();
    scene.mirror([&app()]).expect_code(0);
    replace(&scene, "# new");
    locked(&scene, &call("app", &app()));
    for more in [&["--dry-run"][..], &[]] {
        let outcome = mirror(&scene, more).expect_code(10);
        let told = format!("`{HOST}/acme/base/any` 1.1.0 {CHANGED}");
        assert!(outcome.stderr.contains(&told), "{outcome}");
    }
    // A lock of what is there is content.
    scene.cx.write("root/main.tf", call("app", &app()));
    let scene = self::scene();
    locked(&scene, &call("app", &app()));
    mirror(&scene, &[]).expect_code(0);
    let outcome = mirror(&scene, &[]).expect_code(0);
    assert!(outcome.stdout.starts_with("kept 2 modules"), "{outcome}");
}

#[test]
fn the_package_of_a_call_further_down_is_compared_with_its_own_lock() {
    let scene = scene();
    // The same package at two levels, and the lower one is locked as something else.
    let base = format!("{HOST}/acme/base/any");
    locked(&scene, &(call("app", &app()) + &call("base", &base)));
    let lock = scene.cx.read(&format!("root/{LOCK}"));
    let (head, tail) = lock.split_once("module \"base\"").unwrap();
    let at = head.rfind("hash").unwrap();
    let other = "hash    = \"h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"\n}\n\n";
    let text = format!("{}{other}module \"base\"{tail}", &head[..at]);
    scene.cx.write(&format!("root/{LOCK}"), text);
    let outcome = mirror(&scene, &[]).expect_code(10);
    assert!(
        outcome.stderr.contains("cannot mirror module `app.base`"),
        "{outcome}"
    );
}

#[test]
fn a_tag_that_moved_before_it_was_mirrored_leaves_no_repository() {
    let scene = scene();
    let url = repository(&scene, "net", &[("main.tf", "")]);
    let dir = scene.cx.path("net");
    locked(&scene, &call("net", &format!("{url}?ref=v1")));
    let mut commits = Vec::new();
    let mut commit = |arguments: &[&str]| {
        git(&dir, &["commit", "--quiet", "--allow-empty", "-m", "x"]);
        git(&dir, arguments);
        let head = fs::read_to_string(dir.join(".git/refs/heads/main")).unwrap();
        commits.push(head.trim().to_owned());
    };
    commit(&["tag", "--force", "v1"]);
    let outcome = mirror(&scene, &[]).expect_code(10);
    let told = format!("{CHANGED}it is commit `{}`, and commit `", commits[0]);
    assert!(outcome.stderr.contains(&told), "{outcome}");
    assert_eq!(modules(&scene), [""; 0]);
    git(&dir, &["tag", "--force", "v1", "v1~1"]);
    mirror(&scene, &[]).expect_code(0);
}

#[test]
fn a_branch_that_moves_does_not_move_in_the_mirror() {
    let scene = scene();
    let url = repository(&scene, "net", &[("main.tf", "")]);
    let dir = scene.cx.path("net");
    locked(&scene, &call("net", &format!("{url}?ref=main")));
    mirror(&scene, &[]).expect_code(0);
    let bare = mirror_dir(&scene).join(format!("git/localhost{}.git", dir.display()));
    let refs = || fs::read_to_string(bare.join("info/refs")).unwrap();
    let before = refs();
    git(&dir, &["commit", "--quiet", "--allow-empty", "-m", "x"]);
    // What is locked is there.
    mirror(&scene, &[]).expect_code(0);
    assert_eq!(refs(), before);
    mirror(&scene, &["--check"]).expect_code(10);
    assert_eq!(refs(), before);
    mirror(&scene, &["--dry-run"]).expect_code(0);
    scene
        .cx
        .run(["-C", "root", "lock", "--modules-only", "--upgrade"])
        .expect_code(0);
    let outcome = mirror(&scene, &["--dry-run"]).expect_code(10);
    assert!(outcome.stderr.contains(CHANGED), "{outcome}");
    mirror(&scene, &[]).expect_code(0);
    assert_ne!(refs(), before);
}

#[test]
fn an_archive_that_was_replaced_leaves_neither_page_nor_archive() {
    let scene = scene();
    let server = crate::support::TestServer::builder()
        .transport(crate::support::server::Transport::Plain)
        .start();
    let page = server.url("/page");
    let good = zip(&[file("sub/in/main.tf", ""), file("main.tf", "")]);
    server.route("/files/mod.zip", Reply::body(good.clone()));
    let header = format!("{}//sub", server.url("/files/mod.zip"));
    server.route(
        "/page",
        Reply::status(204).header("X-Terraform-Get", &header),
    );
    locked(&scene, &call("page", &format!("{page}//in")));
    let evil = zip(&[file("sub/in/main.tf", "# evil")]);
    server.route("/files/mod.zip", Reply::body(evil));
    let outcome = mirror(&scene, &[]).expect_code(10);
    assert!(outcome.stderr.contains(CHANGED), "{outcome}");
    assert_eq!(modules(&scene), [""; 0]);
    server.route("/files/mod.zip", Reply::body(good));
    mirror(&scene, &[]).expect_code(0);
    assert_ne!(modules(&scene), [""; 0]);
    mirror(&scene, &[]).expect_code(0);
    // A lock of something else is told of what is kept.
    let lock = scene.cx.read(&format!("root/{LOCK}"));
    let digest = lock.split("sha256:").nth(1).unwrap()[..64].to_owned();
    let other = lock.replace(&digest, &"0".repeat(64));
    scene.cx.write(&format!("root/{LOCK}"), other);
    mirror(&scene, &["--dry-run"]).expect_code(10);
}

#[test]
fn a_module_with_links_is_told_to_be_refused_on_the_far_side() {
    let scene = scene();
    let url = repository(&scene, "net", &[("main.tf", "")]);
    let dir = scene.cx.path("net");
    std::os::unix::fs::symlink("main.tf", dir.join("same.tf")).unwrap();
    git(&dir, &["add", "."]);
    git(&dir, &["commit", "--quiet", "-m", "x"]);
    git(&dir, &["tag", "--force", "v1"]);
    let web = scene.cx.path("web");
    fs::create_dir_all(&web).unwrap();
    let from = url.strip_prefix("git::file://").unwrap().to_owned();
    git(&web, &["clone", "--quiet", "--bare", &from, "net.git"]);
    git(&web.join("net.git"), &["update-server-info"]);
    let server = crate::support::TestServer::builder()
        .transport(crate::support::server::Transport::Plain)
        .directory(&web)
        .start();
    publish(&scene, "acme/link/any", &["1.0.0"], &[]);
    let location = format!("git::{}/net.git?ref=v1", server.base_url());
    locate(&scene, "acme/link/any", "1.0.0", &location);
    locked(&scene, &call("link", &format!("{HOST}/acme/link/any")));
    for _ in ["fetched", "kept"] {
        let outcome = mirror(&scene, &[]).expect_code(0);
        let told = format!(
            "warning: module `{HOST}/acme/link/any` 1.0.0 has links, in place of which the mirror has files: its module lock refuses it on the far side"
        );
        assert_eq!(outcome.stderr.matches(&told).count(), 1, "{outcome}");
    }
}
