//! `verify --mirror` and the modules of a mirror: kinds of damage, one at a time.

use std::fs;
use std::path::Path;

use super::mirror_modules::{app, git, mirror_dir, repository, scene};
use super::module_scene::{call, file};
use super::scene::{HOST, Scene, module};
use crate::support::archive::zip;
use crate::support::{Reply, tree};

const APP: &str = "modules/registry.example.test/acme/app/any";

/// What is done to a mirror, the kind of the problem that this is, the path that is named, and the exit code.
type Damage = (&'static str, fn(&Path), &'static str, &'static str, i32);

fn rewrite(path: &Path, change: impl Fn(String) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed, "{}", path.display());
    fs::write(path, changed).unwrap();
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let mut permissions = path.metadata().unwrap().permissions();
    #[expect(
        clippy::permissions_set_readonly_false,
        reason = "objects of git are read-only"
    )]
    permissions.set_readonly(false);
    fs::set_permissions(path, permissions).unwrap();
    fs::write(path, bytes).unwrap();
}

fn only_file(dir: &Path, extension: &str) -> std::path::PathBuf {
    let entries = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut found = entries.filter(|path| path.extension().is_some_and(|it| it == extension));
    found.next().expect("there is one")
}

fn repository_in(mirror: &Path) -> std::path::PathBuf {
    fn search(dir: &Path) -> Option<std::path::PathBuf> {
        if dir.extension().is_some_and(|it| it == "git") {
            return Some(dir.to_owned());
        }
        let entries = fs::read_dir(dir).ok()?.map(|entry| entry.unwrap().path());
        entries
            .filter(|path| path.is_dir())
            .find_map(|path| search(&path))
    }
    search(&mirror.join("git/localhost")).expect("there is a repository")
}

fn archive_in(mirror: &Path) -> std::path::PathBuf {
    let hosts = fs::read_dir(mirror.join("archives")).unwrap();
    let host = hosts.map(|entry| entry.unwrap().path()).next().unwrap();
    host.join("files/mod.zip")
}

const DAMAGES: &[Damage] = &[
    (
        "a module of other bytes",
        |m| flip(&m.join(APP).join("1.0.0/module.zip")),
        "mismatch",
        "1.0.0/module.zip",
        10,
    ),
    (
        "a cut module",
        |m| fs::write(m.join(APP).join("1.0.0/module.zip"), "PK").unwrap(),
        "mismatch",
        "1.0.0/module.zip",
        10,
    ),
    (
        "a module that is gone",
        |m| fs::remove_file(m.join(APP).join("1.0.0/module.zip")).unwrap(),
        "missing",
        "1.0.0/module.zip",
        11,
    ),
    (
        "a download that leads elsewhere",
        |m| {
            fs::write(
                m.join(APP).join("1.0.0/download"),
                "{\"location\":\"https://evil.example/x.zip\"}",
            )
            .unwrap();
        },
        "wrong-url",
        "1.0.0/download",
        10,
    ),
    (
        "a download that is gone",
        |m| fs::remove_file(m.join(APP).join("1.0.0/download")).unwrap(),
        "missing",
        "1.0.0/download",
        11,
    ),
    (
        "evidence that is gone",
        |m| fs::remove_file(m.join(APP).join("1.0.0/evidence.json")).unwrap(),
        "incomparable",
        "1.0.0/module.zip",
        11,
    ),
    (
        "evidence that is no JSON",
        |m| fs::write(m.join(APP).join("1.0.0/evidence.json"), "{").unwrap(),
        "unreadable",
        "app/any/1.0.0",
        11,
    ),
    (
        "a list without a version",
        |m| {
            fs::write(
                m.join(APP).join("versions"),
                "{\"modules\":[{\"versions\":[]}]}",
            )
            .unwrap();
        },
        "stale-index",
        "app/any/versions",
        11,
    ),
    (
        "a list with a version too many",
        |m| {
            rewrite(&m.join(APP).join("versions"), |text| {
                text.replace("[{\"version\"", "[{\"version\":\"3.0.0\"},{\"version\"")
            });
        },
        "missing",
        "app/any/3.0.0",
        11,
    ),
    (
        "a list that is no JSON",
        |m| fs::write(m.join(APP).join("versions"), "<html>").unwrap(),
        "unreadable",
        "app/any/versions",
        11,
    ),
    (
        "a file that nobody put there",
        |m| fs::write(m.join(APP).join("1.0.0/notes"), "").unwrap(),
        "stray",
        "1.0.0/notes",
        11,
    ),
    (
        "an archive of other bytes",
        |m| flip(&archive_in(m)),
        "mismatch",
        "files/mod.zip",
        10,
    ),
    (
        "an archive that is gone",
        |m| fs::remove_file(archive_in(m)).unwrap(),
        "missing",
        "files/mod.zip",
        11,
    ),
    (
        "a page that leads elsewhere",
        |m| {
            rewrite(
                &archive_in(m)
                    .parent()
                    .unwrap()
                    .parent()
                    .unwrap()
                    .join("vpc/index.html"),
                |text| text.replace("https:", "http:"),
            );
        },
        "wrong-url",
        "vpc/index.html",
        10,
    ),
    (
        "an object of other bytes",
        |m| flip(&only_file(&repository_in(m).join("objects/pack"), "pack")),
        "damaged",
        ".git",
        10,
    ),
    (
        "a branch that web servers do not give",
        |m| git(&repository_in(m), &["branch", "new"]),
        "stale-index",
        "info/refs",
        11,
    ),
];

/// A mirror with a module, a repository, an archive and a page that sends on.
fn filled() -> Scene {
    let scene = scene();
    let members = [file("top/main.tf", &module([("acme/net", "")]))];
    scene
        .registry
        .route("/files/mod.zip", Reply::body(zip(&members)));
    let archive = scene.registry.url("/files/mod.zip");
    let page = Reply::status(200).header("X-Terraform-Get", &format!("{archive}//top"));
    scene.registry.route("/vpc", page);
    let repository = repository(&scene, "net", &[("main.tf", "# a module")]);
    let calls = call("app", &format!("{HOST}/acme/app/any"))
        + &call("net", &repository)
        + &call("vpc", &scene.registry.url("/vpc"));
    scene.cx.write("root/main.tf", calls);
    scene.mirror(["--root", "root"]).expect_code(0);
    scene
}

#[test]
fn a_healthy_mirror_gives_no_finding() {
    let scene = filled();
    for depth in [
        &["verify", "--mirror", "mirror"][..],
        &["verify", "--mirror", "mirror", "--quick"],
    ] {
        let outcome = scene.cx.run(depth).expect_code(0);
        assert!(
            outcome.stdout.contains("5 modules, nothing wrong"),
            "{outcome}"
        );
    }
    assert_eq!(app(), format!("{HOST}/acme/app/any"));
}

#[test]
fn every_damage_is_found_and_named() {
    let scene = filled();
    for (what, damage, kind, path, code) in DAMAGES {
        let damaged = scene.cx.work().join("damaged");
        tree::copy(&mirror_dir(&scene), &damaged);
        damage(&damaged);
        let outcome = scene.cx.run(["verify", "--mirror", "damaged", "--json"]);
        fs::remove_dir_all(&damaged).unwrap();
        let outcome = outcome.expect_code(*code);
        let json = outcome.json();
        let findings = json["findings"].as_array().unwrap();
        let is_it = |finding: &&serde_json::Value| {
            finding["kind"] == *kind && finding["path"].as_str().unwrap().ends_with(path)
        };
        assert_eq!(
            findings.iter().filter(is_it).count(),
            1,
            "{what}: {outcome}"
        );
        assert_eq!(findings.len(), 1, "{what}: {outcome}");
    }
}

/// What a fetch of the same bytes or another list mends.
const MENDED: [&str; 9] = [
    "a module of other bytes",
    "a cut module",
    "a module that is gone",
    "a download that leads elsewhere",
    "a download that is gone",
    "a list without a version",
    "a list that is no JSON",
    "an archive of other bytes",
    "a page that leads elsewhere",
];
const MENDED_TOO: [&str; 2] = [
    "an archive that is gone",
    "a branch that web servers do not give",
];

#[test]
fn fix_mends_what_can_be_had_again_and_nothing_else() {
    let scene = filled();
    for (what, damage, _, _, code) in DAMAGES {
        let damaged = scene.cx.work().join("damaged");
        tree::copy(&mirror_dir(&scene), &damaged);
        damage(&damaged);
        let is_mended = MENDED.contains(what) || MENDED_TOO.contains(what);
        let fix = scene.cx.run(["verify", "--mirror", "damaged", "--fix"]);
        let expected = if is_mended { 0 } else { *code };
        assert_eq!(fix.code, expected, "{what}: {fix}");
        if is_mended {
            scene
                .cx
                .run(["verify", "--mirror", "damaged"])
                .expect_code(0);
        }
        fs::remove_dir_all(&damaged).unwrap();
    }
}

#[test]
fn fix_takes_no_other_bytes_than_evidence_names() {
    let scene = filled();
    let archive = mirror_dir(&scene).join(APP).join("1.0.0/module.zip");
    fs::remove_file(&archive).unwrap();
    let evil = zip(&[file("main.tf", "# evil")]);
    let place = "/v1/modules/acme/app/any/1.0.0/module.zip";
    scene.registry.route(place, Reply::body(evil));
    let outcome = scene
        .cx
        .run(["verify", "--mirror", "mirror", "--fix"])
        .expect_code(10);
    assert!(
        outcome.stderr.contains("its package is another one now"),
        "{outcome}"
    );
    assert!(!archive.exists());
}
