//! `verify` of root modules: the module lock against `.terraform/modules`.

use std::fs;
use std::path::PathBuf;

use super::install_modules::{MANIFEST, call, far, file, scene};
use super::module_lock::{LOCK, change_archive, lock, locked, module_lock};
use super::scene::{HOST, LINUX, Scene, module, shows};
use crate::support::archive::zip;
use crate::support::{Outcome, Reply, tree};

/// A root module with `far` and, in a module of another registry package, `outer.far`, locked and installed.
fn installed() -> Scene {
    let scene = scene();
    let base = "/v1/modules/acme/outer/any";
    let versions = "{\"modules\":[{\"versions\":[{\"version\":\"2.0.0\"}]}]}";
    scene
        .registry
        .route(&format!("{base}/versions"), Reply::body(versions));
    let location = Reply::status(204).header("X-Terraform-Get", "./module.zip");
    scene
        .registry
        .route(&format!("{base}/2.0.0/download"), location);
    let members = [file("main.tf", &far()), file("x/y.tf", "")];
    scene.registry.route(
        &format!("{base}/2.0.0/module.zip"),
        Reply::body(zip(&members)),
    );
    let outer = call("outer", &format!("{HOST}/acme/outer/any"));
    scene.cx.write("main.tf", far() + &outer);
    lock(&scene, &[]).expect_code(0);
    scene.install(["--locked"]).expect_code(0);
    scene
}

fn verify(scene: &Scene, more: &[&str]) -> Outcome {
    let usual = ["verify", "--platform", LINUX];
    scene.cx.run(usual.iter().chain(more))
}

fn dir(scene: &Scene, key: &str) -> PathBuf {
    scene.cx.work().join(".terraform/modules").join(key)
}

fn edit(scene: &Scene, file: &str, from: &str, to: &str) {
    let text = scene.cx.read(file);
    assert!(text.contains(from), "{from} in {text}");
    scene.cx.write(file, text.replace(from, to));
}

/// The findings as `KIND KEY`, those that are mended in parentheses.
fn found(outcome: &Outcome) -> Vec<String> {
    let json = outcome.json();
    let findings = json["findings"].as_array().unwrap().iter();
    let word = |finding: &serde_json::Value| {
        let kind = finding["kind"].as_str().unwrap();
        let key = finding["key"].as_str().unwrap_or("-");
        if finding["fixed"] == true {
            format!("({kind} {key})")
        } else {
            format!("{kind} {key}")
        }
    };
    findings.map(word).collect()
}

/// What `--fix` leaves.
#[derive(Clone, Copy, PartialEq)]
enum Left {
    Nothing,
    All,
}

use Left::{All, Nothing};

/// A damage: its name, what does it, the problems expected, the exit code, and what `--fix` leaves.
type Damage = (&'static str, fn(&Scene), &'static [&'static str], i32, Left);

const DAMAGES: [Damage; 15] = [
    (
        "file changed",
        |scene| {
            // The file may share its bytes with others.
            let main = dir(scene, "far").join("main.tf");
            fs::remove_file(&main).unwrap();
            fs::write(main, "").unwrap();
        },
        &["mismatch far"],
        10,
        Nothing,
    ),
    (
        "file added",
        |scene| fs::write(dir(scene, "outer").join("x/z.tf"), "").unwrap(),
        &["mismatch outer"],
        10,
        Nothing,
    ),
    (
        "file gone",
        |scene| fs::remove_file(dir(scene, "outer.far").join("main.tf")).unwrap(),
        &["mismatch outer.far"],
        10,
        Nothing,
    ),
    (
        "hidden file added, which no copy for a second use has",
        |scene| fs::write(dir(scene, "far").join(".terraform-docs.yml"), "").unwrap(),
        &[],
        0,
        Nothing,
    ),
    (
        "file in place of which is a link to a copy",
        |scene| {
            let main = dir(scene, "far").join("main.tf");
            let copy = scene.cx.work().join("copy.txt");
            fs::rename(&main, &copy).unwrap();
            std::os::unix::fs::symlink(copy, main).unwrap();
        },
        &["mismatch far"],
        10,
        Nothing,
    ),
    (
        "file whose name forges lines of what is hashed",
        |scene| fs::write(dir(scene, "far").join("a\nb"), "").unwrap(),
        &["damaged far"],
        10,
        Nothing,
    ),
    (
        "package gone",
        |scene| fs::remove_dir_all(dir(scene, "outer")).unwrap(),
        &["missing outer"],
        11,
        Nothing,
    ),
    (
        "everything gone",
        |scene| fs::remove_dir_all(scene.cx.work().join(".terraform/modules")).unwrap(),
        &["missing far", "missing outer", "missing outer.far"],
        11,
        Nothing,
    ),
    (
        "record of another source",
        |scene| edit(scene, MANIFEST, "acme/outer/any", "acme/other/any"),
        &["mismatch outer"],
        10,
        Nothing,
    ),
    (
        "record of another version",
        |scene| edit(scene, MANIFEST, "2.0.0", "2.0.1"),
        &["mismatch outer"],
        10,
        Nothing,
    ),
    (
        "record of another directory",
        |scene| {
            edit(
                scene,
                MANIFEST,
                ".terraform/modules/outer\"",
                ".terraform/modules/far\"",
            );
        },
        &["mismatch outer"],
        10,
        Nothing,
    ),
    (
        "call that is not locked",
        |scene| {
            let text = scene.cx.read("main.tf") + &far().replace("\"far\"", "\"more\"");
            scene.cx.write("main.tf", text);
            scene.install(["--modules-only"]).expect_code(0);
        },
        &["unlocked more"],
        11,
        All,
    ),
    (
        "record that no call uses, which the tools leave lying",
        |scene| {
            let unused =
                "{\"Modules\":[{\"Key\":\"old\",\"Source\":\"git::https://h/x\",\"Dir\":\"near\"},";
            edit(scene, MANIFEST, "{\"Modules\":[", unused);
        },
        &[],
        0,
        Nothing,
    ),
    (
        "lock of another hash",
        |scene| {
            let hash = locked(scene, "hash");
            let none = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
            edit(scene, LOCK, &hash, none);
        },
        &["mismatch far", "mismatch outer.far"],
        10,
        All,
    ),
    (
        "lock with a merge conflict",
        |scene| {
            let text = module_lock(scene).unwrap();
            scene.cx.write(LOCK, format!("<<<<<<< HEAD\n{text}"));
        },
        &["conflict -"],
        1,
        All,
    ),
];

#[test]
fn every_damage_is_found_and_mended_where_a_fetch_mends_it() {
    for (name, damage, problems, code, left) in DAMAGES {
        let scene = installed();
        damage(&scene);
        let before = module_lock(&scene);
        let outcome = verify(&scene, &["--json"]);
        assert_eq!(found(&outcome), problems, "{name}\n{outcome}");
        assert_eq!(outcome.code, code, "{name}\n{outcome}");
        let files = tree::tree_with_digests(&scene.cx.work());
        assert_eq!(found(&verify(&scene, &["--json"])), problems, "{name}");
        assert_eq!(tree::tree_with_digests(&scene.cx.work()), files, "{name}");
        let outcome = verify(&scene, &["--json", "--fix"]);
        let expected: Vec<String> = match left {
            All => problems.iter().map(|&it| it.to_owned()).collect(),
            Nothing => problems.iter().map(|it| format!("({it})")).collect(),
        };
        assert_eq!(found(&outcome), expected, "{name}\n{outcome}");
        assert_eq!(module_lock(&scene), before, "{name}");
        let again = verify(&scene, &[]);
        assert_eq!(again.code == 0, left == Nothing, "{name}\n{again}");
    }
}

#[test]
fn a_tree_of_the_changed_archive_is_refused_with_both_hashes() {
    let scene = scene();
    scene.cx.write("main.tf", far());
    lock(&scene, &[]).expect_code(0);
    let expected = locked(&scene, "hash");
    let lock_text = module_lock(&scene).unwrap();
    change_archive(&scene);
    // Installed by something that knows no module lock.
    fs::remove_file(scene.cx.work().join(LOCK)).unwrap();
    scene.install([]).expect_code(0);
    scene.cx.write(LOCK, &lock_text);
    let json = verify(&scene, &["--json"]).expect_code(10).json();
    let got = json["findings"][0]["got"].as_str().unwrap().to_owned();
    assert!(got.starts_with("h1:") && got != expected);
    shows(
        &verify(&scene, &[]),
        &format!(
            "code: 10
--- stdout
problem   address                             version  platform
mismatch  registry.example.test/acme/far/any  1.0.0    
    module: far
    path: [TEMP]/place/.terraform/modules/far
    got: {got}
    expected: {expected}
verified 1 package, 1 problem
--- stderr
error: verification found 1 problem

hint: once you know how that came about, `--fix` fetches anew what is damaged or missing, and writes indexes anew
"
        )
        .replace("1.0.0    \n", "1.0.0\n"),
    );
    // What cannot be mended is told: the publisher has nothing else.
    let outcome = verify(&scene, &["--fix", "--no-cache"]).expect_code(10);
    assert!(
        outcome.stderr.contains("has changed since it was locked"),
        "{outcome}"
    );
    let finding = &json["findings"][0];
    assert_eq!(finding["key"], "far");
    assert_eq!(finding["address"], format!("{HOST}/acme/far/any"));
    assert_eq!(finding["version"], "1.0.0");
    assert_eq!(finding["expected"], expected.as_str());
    assert_eq!(json["packages"][1]["kind"], "module");
    assert_eq!(json["packages"][1]["action"], "failed");
}

#[test]
fn root_modules_without_providers_and_trees_are_verified() {
    let scene = scene();
    let members = [file("main.tf", "")];
    scene.registry.route(
        "/v1/modules/acme/far/any/1.0.0/module.zip",
        Reply::body(zip(&members)),
    );
    scene.cx.write("a/main.tf", far());
    scene
        .cx
        .write("b/main.tf", far() + &module([("acme/net", "")]));
    lock(&scene, &["--recursive", "--modules-only"]).expect_code(0);
    let outcome = verify(&scene, &["--chdir", "a"]).expect_code(11);
    assert!(outcome.stdout.contains("missing"), "{outcome}");
    scene.install(["--recursive"]).expect_code(0);
    shows(
        &verify(&scene, &["--chdir", "a"]),
        "code: 0\n--- stdout\nverified 0 packages, 1 module, nothing wrong\n--- stderr\n",
    );
    shows(
        &verify(&scene, &["--recursive"]),
        "code: 0\n--- stdout\nverified 1 package, 2 modules, nothing wrong\n--- stderr\n",
    );
    fs::remove_file(scene.cx.work().join("a").join(LOCK)).unwrap();
    fs::remove_file(scene.cx.work().join("a/.terraform.lock.hcl")).unwrap_or_default();
    verify(&scene, &["--chdir", "a"]).expect_code(1);
}
