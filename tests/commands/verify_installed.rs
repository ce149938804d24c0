//! `verify` of root modules: the lock file against `.terraform/providers`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::scene::{HOST, LINUX, Scene, shows};
use super::verify_mirror::problems;
use crate::support::{Outcome, ProviderSpec, tree};

const LOCK: &str = ".terraform.lock.hcl";

/// A root module with two providers, installed and locked.
fn installed() -> Scene {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .version("1.1.0");
    let scene = Scene::of([net, ProviderSpec::new("acme/dns").version("2.0.0")]);
    scene.root([("acme/net", "1.0.0"), ("acme/dns", "")]);
    scene.install([]).expect_code(0);
    scene
}

fn verify(scene: &Scene, more: &[&str]) -> Outcome {
    let usual = ["verify", "--platform", LINUX];
    scene.cx.run(usual.iter().chain(more))
}

fn dir(scene: &Scene, ty: &str, version: &str) -> PathBuf {
    let providers = scene.cx.work().join(".terraform/providers");
    providers.join(format!("{HOST}/acme/{ty}/{version}/{LINUX}"))
}

fn plugin(scene: &Scene) -> PathBuf {
    dir(scene, "net", "1.0.0").join("terraform-provider-net_v1.0.0_x5")
}

/// Replaces a file, so that no other name of it changes.
fn replace(path: PathBuf, content: &str) {
    fs::remove_file(&path).unwrap();
    fs::write(path, content).unwrap();
}

fn edit_lock(scene: &Scene, change: impl FnOnce(String) -> String) {
    let text = scene.lock_file().unwrap();
    scene.cx.write(LOCK, change(text));
}

/// The lines of the lock file that fit.
fn without_lines(text: &str, is_dropped: impl Fn(&str) -> bool) -> String {
    let kept = text.split_inclusive('\n').filter(|line| !is_dropped(line));
    kept.collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Left {
    Nothing,
    All,
}

use Left::{All, Nothing};

/// A damage: its name, what does it, the problems expected, the exit code, and what `--fix` leaves.
type Damage = (&'static str, fn(&Scene), &'static [&'static str], i32, Left);

const DAMAGES: [Damage; 20] = [
    (
        "file changed",
        |scene| replace(plugin(scene), "evil"),
        &["mismatch 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "plugin that may not be executed",
        |scene| fs::set_permissions(plugin(scene), Permissions::from_mode(0o644)).unwrap(),
        &["not-executable 1.0.0 linux_amd64"],
        11,
        Nothing,
    ),
    (
        "file added",
        |scene| fs::write(dir(scene, "net", "1.0.0").join("extra"), "x").unwrap(),
        &["mismatch 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "file gone",
        |scene| fs::remove_file(plugin(scene)).unwrap(),
        &["mismatch 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "package gone",
        |scene| fs::remove_dir_all(dir(scene, "net", "1.0.0")).unwrap(),
        &["missing 1.0.0 linux_amd64"],
        11,
        Nothing,
    ),
    (
        "everything gone",
        |scene| fs::remove_dir_all(scene.cx.work().join(".terraform")).unwrap(),
        &["missing 2.0.0 linux_amd64", "missing 1.0.0 linux_amd64"],
        11,
        Nothing,
    ),
    (
        "package a link that leads nowhere",
        |scene| {
            let dir = dir(scene, "net", "1.0.0");
            fs::remove_dir_all(&dir).unwrap();
            link(&scene.cx.work().join("nowhere"), &dir);
        },
        &["missing 1.0.0 linux_amd64"],
        11,
        Nothing,
    ),
    (
        "package a link to another package",
        |scene| {
            let net = dir(scene, "net", "1.0.0");
            fs::remove_dir_all(&net).unwrap();
            link(&dir(scene, "dns", "2.0.0"), &net);
        },
        &["mismatch 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "link out of the package",
        |scene| link(&scene.cx.work(), &dir(scene, "net", "1.0.0").join("out")),
        &["damaged 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "older version that an upgrade left, which is no problem",
        |scene| {
            let other = dir(scene, "net", "1.1.0");
            fs::create_dir_all(&other).unwrap();
            fs::write(other.join("terraform-provider-net"), "x").unwrap();
        },
        &[],
        0,
        Nothing,
    ),
    (
        "provider installed that is not locked",
        |scene| {
            let other = dir(scene, "vpn", "3.0.0");
            fs::create_dir_all(&other).unwrap();
            fs::write(other.join("terraform-provider-vpn"), "x").unwrap();
        },
        &["unlocked 3.0.0 linux_amd64"],
        11,
        All,
    ),
    (
        "lock file without its h1 hashes",
        |scene| {
            fs::remove_dir_all(scene.cx.cache()).unwrap();
            edit_lock(scene, |text| {
                without_lines(&text, |line| line.contains("h1:"))
            });
        },
        &[
            "incomparable 2.0.0 linux_amd64",
            "incomparable 1.0.0 linux_amd64",
        ],
        11,
        All,
    ),
    (
        "lock file with nothing but an h1 hash that is another package's",
        |scene| {
            fs::remove_dir_all(scene.cx.cache()).unwrap();
            edit_lock(scene, |text| {
                let other = "    \"h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\",";
                let own = text.lines().find(|line| line.contains("h1:")).unwrap();
                let zh: Vec<_> = text
                    .lines()
                    .filter(|it| it.contains("zh:"))
                    .take(2)
                    .collect();
                without_lines(&text.replace(own, other), |line| {
                    zh.contains(&line.trim_end())
                })
            });
        },
        &["mismatch 2.0.0 linux_amd64"],
        10,
        All,
    ),
    (
        "lock file with a zh hash in capitals",
        |scene| {
            edit_lock(scene, |text| {
                let line = text.lines().find(|line| line.contains("zh:")).unwrap();
                let (zh, hex) = line.split_once("zh:").unwrap();
                let capitals = format!(
                    "{zh}zh:{}",
                    hex.replace(|c: char| c.is_ascii_digit(), "F")
                        .to_uppercase()
                );
                text.replace(line, &capitals)
            });
        },
        &["invented-hash 2.0.0 -"],
        10,
        All,
    ),
    (
        "lock file whose hashes are not sorted",
        |scene| {
            edit_lock(scene, |text| {
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                let first = lines.iter().position(|line| line.contains("h1:")).unwrap();
                lines.swap(first, first + 1);
                lines.concat()
            });
        },
        &["hand-edited 2.0.0 -"],
        11,
        All,
    ),
    (
        "lock file with an unresolved merge",
        |scene| {
            edit_lock(scene, |text| {
                text.replacen("  version", "<<<<<<< HEAD\n  version", 1) + ">>>>>>> theirs\n"
            });
        },
        &["conflict - -"],
        1,
        All,
    ),
    (
        "lock file with a version that no tool writes",
        |scene| edit_lock(scene, |text| text.replacen("\"2.0.0\"", "\"2.0\"", 1)),
        &["bad-lock - -"],
        1,
        All,
    ),
    (
        "lock file with a provider twice",
        |scene| {
            edit_lock(scene, |text| {
                let (_, block) = text.split_once("\nprovider").unwrap();
                let block = format!("\nprovider{block}");
                text.clone() + &block
            });
        },
        &["bad-lock - -", "bad-lock - -"],
        1,
        All,
    ),
    (
        "lock file cut short",
        |scene| edit_lock(scene, |text| text[..text.len() - 20].to_owned()),
        &["bad-lock - -"],
        1,
        All,
    ),
    (
        "lock file that does not have a provider that is installed",
        |scene| {
            edit_lock(scene, |text| {
                let start = text
                    .find("\nprovider \"registry.example.test/acme/net\"")
                    .unwrap();
                text[..start].to_owned()
            });
        },
        &["unlocked 1.0.0 linux_amd64"],
        11,
        All,
    ),
];

#[cfg(unix)]
fn link(to: &std::path::Path, at: &std::path::Path) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

#[test]
fn healthy_root_module_gives_no_finding() {
    let scene = installed();
    let before = tree::tree_with_digests(&scene.cx.work());
    scene.registry.clear_requests();
    shows(
        &verify(&scene, &[]),
        "code: 0\n--- stdout\nverified 2 packages, nothing wrong\n--- stderr\n",
    );
    assert_eq!(tree::tree_with_digests(&scene.cx.work()), before);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn a_lock_without_h1_hashes_is_the_other_form_where_the_package_cache_knows_the_archive() {
    let scene = installed();
    edit_lock(&scene, |text| {
        without_lines(&text, |line| line.contains("h1:"))
    });
    for (more, kind) in [
        (&["--json"][..], "other-form"),
        (&["--json", "--no-cache"], "incomparable"),
    ] {
        let outcome = verify(&scene, more).expect_code(11);
        let found = problems(&outcome);
        assert!(
            !found.is_empty() && found.iter().all(|it| it.starts_with(kind)),
            "{found:?}"
        );
    }
}

#[test]
fn keys_cannot_be_judged_where_no_signature_is_looked_at() {
    let scene = installed();
    let reject = ["--expired-keys", "reject"];
    for more in [&[][..], &["--lock", ".terraform.lock.hcl", "--mirror", "."]] {
        let outcome = verify(&scene, &[&reject, more].concat()).expect_code(2);
        assert!(
            outcome.stderr.contains("no signature is looked at"),
            "{outcome}"
        );
    }
    verify(&scene, &[&reject[..], &["--registry"]].concat()).expect_code(0);
}

#[test]
fn a_pipe_in_place_of_the_lock_file_is_not_waited_for() {
    let scene = installed();
    let path = scene.cx.work().join(".terraform.lock.hcl");
    fs::remove_file(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no mkfifo");
        return;
    }
    for arguments in [&[][..], &["--registry"]] {
        let outcome = verify(&scene, arguments).expect_code(1);
        assert!(outcome.stderr.contains("a pipe or device"), "{outcome}");
    }
}

#[test]
fn every_damage_of_a_root_module_is_found_named_and_mended_where_that_can_be() {
    let mut wrong = Vec::new();
    for (name, damage, expected, code, left) in DAMAGES {
        let scene = installed();
        damage(&scene);
        let lock = scene.lock_file();
        let outcome = verify(&scene, &["--json"]);
        let found = problems(&outcome);
        if found != expected || outcome.code != code {
            wrong.push(format!(
                "{name}: {} {found:?}, expected {code} {expected:?}",
                outcome.code
            ));
        }
        let outcome = verify(&scene, &["--fix", "--json"]);
        let fixed = if left == Nothing { " fixed" } else { "" };
        let expected: Vec<String> = expected.iter().map(|it| format!("{it}{fixed}")).collect();
        let code = if left == Nothing { 0 } else { code };
        let found = problems(&outcome);
        if found != expected || outcome.code != code {
            wrong.push(format!(
                "{name}, fixed: {} {found:?}, expected {code} {expected:?}\n{}",
                outcome.code, outcome.stderr
            ));
        }
        assert_eq!(
            scene.lock_file(),
            lock,
            "{name}: the lock file is nobody's to change"
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn problems_are_shown_with_what_was_got_and_expected() {
    let scene = installed();
    fs::remove_dir_all(dir(&scene, "dns", "2.0.0")).unwrap();
    shows(
        &verify(&scene, &[]),
        "code: 11
--- stdout
problem  address                         version  platform
missing  registry.example.test/acme/dns  2.0.0    linux_amd64
    path: [TEMP]/place/.terraform/providers/registry.example.test/acme/dns/2.0.0/linux_amd64
    the lock file selects it, and it is not installed
verified 1 package, 1 problem
--- stderr
error: verification found 1 problem

hint: once you know how that came about, `--fix` fetches anew what is damaged or missing, and writes indexes anew
",
    );
}

#[test]
fn every_lock_file_below_is_verified() {
    let scene = Scene::usual();
    for root in ["a", "b/c"] {
        scene.root_in(root, [("acme/net", "1.0.0")]);
        scene.install_in(root, []).expect_code(0);
    }
    scene.root_in("unlocked", [("acme/net", "")]);
    let verify = |more: &[&str]| verify(&scene, &[&["--recursive"], more].concat());
    let outcome = verify(&["--json"]).expect_code(0);
    let roots = |outcome: &crate::support::Outcome| -> Vec<(String, String)> {
        let report = outcome.json();
        let packages = report["packages"].as_array().unwrap().iter();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        packages
            .map(|it| (text(&it["root"]), text(&it["action"])))
            .collect()
    };
    let verified = |root: &str| (root.to_owned(), "verified".to_owned());
    assert_eq!(roots(&outcome), [verified("a"), verified("b/c")]);
    fs::remove_dir_all(scene.installed_in("b/c", "1.0.0", "")).unwrap();
    shows(
        &verify(&[]),
        "code: 11
--- stdout
problem  address                         version  platform     root module
missing  registry.example.test/acme/net  1.0.0    linux_amd64  b/c
    path: [TEMP]/place/b/c/.terraform/providers/registry.example.test/acme/net/1.0.0/linux_amd64
    the lock file selects it, and it is not installed
verified 1 package, 1 problem
--- stderr
error: verification found 1 problem

hint: once you know how that came about, `--fix` fetches anew what is damaged or missing, and writes indexes anew
",
    );
    assert_eq!(
        problems(&verify(&["--fix", "--json"])),
        ["missing 1.0.0 linux_amd64 fixed"]
    );
    verify(&[]).expect_code(0);
}

#[test]
fn lock_file_has_to_be_there() {
    let scene = Scene::usual();
    shows(
        &scene.run(["verify"]),
        "code: 1
--- stdout
verified 0 packages, 1 failure
--- stderr
error: there is no lock file `[TEMP]/place/.terraform.lock.hcl`

hint: write it with `provender lock` or `provender install`, or name the root module's directory with `--chdir DIR`
",
    );
    let code = |arguments: &[&str]| scene.cx.run(arguments).code;
    assert_eq!(code(&["verify"]), 1);
    assert_eq!(code(&["verify", "--recursive"]), 1);
    assert_eq!(code(&["verify", "--lock", "x"]), 2);
    assert_eq!(code(&["verify", "--lock", "x", "--registry"]), 1);
    assert_eq!(code(&["verify", "--mirror", "x"]), 1);
    assert_eq!(code(&["verify", "--mirror", "https://x.example/"]), 2);
    assert_eq!(code(&["verify", "--quick"]), 2);
    let signed = [
        "verify",
        "--recursive",
        "--mirror",
        "x",
        "--require-signature",
    ];
    assert_eq!(code(&signed), 2);
}
