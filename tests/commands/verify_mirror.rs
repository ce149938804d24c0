//! `verify --mirror DIR`: a healthy mirror gives no finding, and every damage is found, named and told by the exit code.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::scene::{HOST, LINUX, Scene, shows};
use crate::support::signing::Signer;
use crate::support::{Outcome, ProviderSpec, tree};

const NET: &str = "registry.example.test/acme/net";
const OTHER: &str = "darwin_arm64";

/// A mirror of two versions for two platforms.
fn mirrored() -> Scene {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .version("1.1.0");
    let scene = Scene::of([net]);
    scene
        .mirror(["--all-versions", "--platform", OTHER, NET])
        .expect_code(0);
    scene
}

/// A file of the provider in the mirror.
fn file(scene: &Scene, name: &str) -> PathBuf {
    scene.mirrored("net").join(name)
}

fn archive(version: &str, platform: &str) -> String {
    format!("terraform-provider-net_{version}_{platform}.zip")
}

fn sums(version: &str) -> String {
    format!("terraform-provider-net_{version}_SHA256SUMS")
}

fn evidence(version: &str) -> String {
    format!("terraform-provider-net_{version}_evidence.json")
}

fn edit(scene: &Scene, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let path = file(scene, name);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

fn edit_json(scene: &Scene, name: &str, change: impl FnOnce(&mut Value)) {
    let mut document = scene.mirror_json(name);
    change(&mut document);
    fs::write(file(scene, name), document.to_string()).unwrap();
}

fn write(scene: &Scene, name: &str, content: impl AsRef<[u8]>) {
    scene
        .cx
        .write(&format!("mirror/{HOST}/acme/net/{name}"), content);
}

fn remove(scene: &Scene, name: &str) {
    fs::remove_file(file(scene, name)).unwrap();
}

fn copy(scene: &Scene, from: &str, to: &str) {
    fs::copy(file(scene, from), file(scene, to)).unwrap();
}

/// The problems in the JSON document: kind, version and platform.
pub(super) fn problems(outcome: &Outcome) -> Vec<String> {
    let document: Value =
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}\n{outcome}"));
    let findings = document["findings"]
        .as_array()
        .unwrap_or_else(|| panic!("no findings\n{outcome}"));
    let text = |finding: &Value| {
        let word = |name: &str| finding[name].as_str().unwrap_or("-").to_owned();
        let fixed = if finding["fixed"] == true {
            " fixed"
        } else {
            ""
        };
        format!(
            "{} {} {}{fixed}",
            word("kind"),
            word("version"),
            word("platform")
        )
    };
    findings.iter().map(text).collect()
}

fn verify(scene: &Scene, more: &[&str]) -> Outcome {
    let usual = ["verify", "--mirror", "mirror"];
    scene.cx.run(usual.iter().chain(more))
}

#[test]
fn healthy_mirror_gives_no_finding() {
    let scene = mirrored();
    let before = tree::tree_with_digests(&scene.cx.work());
    scene.registry.clear_requests();
    for more in [
        &[][..],
        &["--quick"],
        &["--require-signature"],
        &["--expired-keys", "reject"],
    ] {
        shows(
            &verify(&scene, more),
            "code: 0\n--- stdout\nverified 4 packages (5.5 KiB, 4 signed), nothing wrong\n--- stderr\n",
        );
    }
    assert_eq!(tree::tree_with_digests(&scene.cx.work()), before);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn problems_as_json_have_what_the_manual_says() {
    let scene = mirrored();
    remove(&scene, &archive("1.0.0", LINUX));
    let document = verify(&scene, &["--json"]).json();
    let path = file(&scene, &archive("1.0.0", LINUX));
    let finding = serde_json::json!({
        "kind": "missing", "address": NET, "version": "1.0.0", "platform": LINUX,
        "path": path.display().to_string().replace(&scene.cx.path("").display().to_string(), "[TEMP]/"),
        "got": null, "expected": null, "explanation": "evidence names it", "exit_code": 11, "fixed": false,
    });
    assert_eq!(document["findings"], serde_json::json!([finding]));
    assert_eq!(document["summary"]["verified"], 3);
    assert_eq!(document["error"]["kind"], "difference");
    assert_eq!(document["packages"][0]["action"], "verified");
    assert_eq!(document["packages"][0]["verdict"], "signed");
}

#[test]
fn what_is_not_proved_is_not_told_as_signed() {
    let verdicts = |scene: &Scene| -> Vec<Value> {
        let document = verify(scene, &["--json"]).json();
        let packages = document["packages"].as_array().unwrap().iter();
        packages.map(|it| it["verdict"].clone()).collect()
    };
    let [signed, unknown] = [Value::from("signed"), Value::Null];
    let scene = mirrored();
    edit(&scene, &archive("1.0.0", LINUX), |bytes| bytes[40] ^= 1);
    let others = [signed.clone(), signed.clone()];
    let of = |first: &Value, second: &Value| {
        let both = [first.clone(), second.clone()];
        [both, others.clone()].concat()
    };
    assert_eq!(verdicts(&scene), of(&signed, &unknown));
    let scene = mirrored();
    write(&scene, &(sums("1.0.0") + ".sig"), "garbage");
    assert_eq!(verdicts(&scene), of(&unknown, &unknown));
    // An index proves nothing and takes nothing away.
    let scene = mirrored();
    copy_hashes(&scene);
    assert_eq!(verdicts(&scene), of(&signed, &signed));
}

#[test]
fn archive_that_the_signed_document_lists_needs_no_evidence_of_its_own() {
    let scene = mirrored();
    remove_evidence_of(&scene, LINUX);
    for more in [&["--require-signature"][..], &["--quick"]] {
        let outcome = verify(&scene, more).expect_code(0);
        assert!(outcome.stdout.contains("4 signed"), "{outcome}");
    }
    // The document is one of checksums alone if its signature is gone.
    remove(&scene, &(sums("1.0.0") + ".sig"));
    let outcome = verify(&scene, &["--json"]).expect_code(10);
    assert_eq!(outcome.json()["packages"][1]["verdict"], Value::Null);
}

#[test]
fn directory_with_nothing_of_a_mirror_is_none() {
    let scene = mirrored();
    scene.cx.write("empty/.git/config", "");
    scene.cx.write("other/notes.txt", "");
    for dir in ["empty", "other"] {
        let outcome = scene.cx.run(["verify", "--mirror", dir, "--fix"]);
        let words = format!("place/{dir}` is no mirror");
        assert!(outcome.stderr.contains(&words), "{outcome}");
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (1, ""),
            "{outcome}"
        );
    }
    for part in ["", "/acme", "/acme/net"] {
        let dir = format!("mirror/{HOST}{part}");
        let outcome = scene.cx.run(["verify", "--mirror", &dir]).expect_code(1);
        let words = "hint: it looks like a part of the mirror `[TEMP]/place/mirror`";
        assert!(outcome.stderr.contains(words), "{outcome}");
    }
}

#[test]
fn empty_text_is_no_mirror() {
    let scene = Scene::usual();
    for arguments in [
        &["verify", "--mirror", ""][..],
        &["lock", "--from", ""],
        &["mirror", "--to", "mirror", "--from", "", NET],
    ] {
        scene.cx.run(arguments).expect_code(2);
    }
}

#[test]
fn version_with_upper_case_letters_needs_its_unpacked_files() {
    let scene = Scene::of([ProviderSpec::new("acme/net").version("3.0.0-RC2")]);
    let exact = format!("{NET}@3.0.0-RC2");
    scene.mirror([exact.as_str()]).expect_code(0);
    let (healthy, unpacked) = (digests(&scene), file(&scene, "3.0.0-RC2/linux_amd64"));
    fs::remove_dir_all(&unpacked).unwrap();
    let found = problems(&verify(&scene, &["--json"]));
    assert_eq!(found, ["missing 3.0.0-RC2 linux_amd64"]);
    verify(&scene, &["--fix"]).expect_code(0);
    assert_eq!(digests(&scene), healthy);
    write(&scene, "3.0.0-RC2/linux_amd64/more", "evil");
    let found = problems(&verify(&scene, &["--quick", "--json"]));
    assert_eq!(found, ["mismatch 3.0.0-RC2 linux_amd64"]);
    verify(&scene, &["--fix"]).expect_code(0);
    assert_eq!(digests(&scene), healthy);
}

#[test]
fn file_too_many_takes_no_package_out_of_the_count() {
    let scene = mirrored();
    write(&scene, "notes.txt", "");
    write(
        &scene,
        ".terraform-provider-net_1.0.0_linux_amd64.zip",
        "poison",
    );
    let document = verify(&scene, &["--json"]).json();
    assert_eq!(document["summary"]["verified"], 4);
}

#[cfg(unix)]
#[test]
fn document_that_cannot_be_read_hides_no_other_problem() {
    let scene = mirrored();
    let (document, place) = (file(&scene, &evidence("1.0.0")), scene.cx.path("elsewhere"));
    fs::create_dir(&place).unwrap();
    remove(&scene, &evidence("1.0.0"));
    std::os::unix::fs::symlink(place, document).unwrap();
    write(&scene, &archive("1.1.0", LINUX), "damaged");
    let outcome = verify(&scene, &["--json"]).expect_code(10);
    assert_eq!(problems(&outcome), ["mismatch 1.1.0 linux_amd64"]);
    let document = outcome.json();
    assert_eq!(document["summary"]["verified"], 1, "{outcome}");
    assert_eq!(document["packages"][0]["action"], "failed");
    assert_eq!(document["packages"][0]["verdict"], Value::Null);
}

/// Takes all rights to a file or directory away; `false` for a user who can read everything.
#[cfg(unix)]
fn forbid(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0)).unwrap();
    fs::read_dir(path).is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
        || fs::read(path).is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

#[cfg(unix)]
#[test]
fn directory_that_cannot_be_read_hides_no_other_problem() {
    use std::os::unix::fs::PermissionsExt;
    let scene = mirrored();
    let dir = scene.mirrored("other");
    fs::create_dir(&dir).unwrap();
    write(&scene, &archive("1.1.0", LINUX), "damaged");
    if forbid(&dir) {
        let outcome = verify(&scene, &["--json"]).expect_code(10);
        assert_eq!(problems(&outcome), ["mismatch 1.1.0 linux_amd64"]);
    }
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn archive_that_cannot_be_read_is_not_verified() {
    let scene = mirrored();
    let path = file(&scene, &archive("1.0.0", LINUX));
    if forbid(&path) {
        let outcome = verify(&scene, &["--json"]).expect_code(1);
        let document = outcome.json();
        assert_eq!(document["summary"]["verified"], 3, "{outcome}");
        assert_eq!(document["packages"][1]["action"], "failed");
        assert_eq!(document["packages"][1]["verdict"], Value::Null);
    }
}

#[test]
fn fix_tells_what_it_leaves() {
    let scene = mirrored();
    write(&scene, &evidence("1.0.0"), "{ mine");
    let outcome = verify(&scene, &["--fix"]).expect_code(11);
    assert!(
        outcome.stdout.contains("`--fix` leaves evidence"),
        "{outcome}"
    );
    assert!(!outcome.stderr.contains("hint"), "{outcome}");
    let scene = mirrored();
    remove(&scene, &archive("1.0.0", LINUX));
    let hint = "`--fix` fetches anew";
    let outcome = verify(&scene, &[]).expect_code(11);
    assert!(outcome.stderr.contains(hint), "{outcome}");
    let outcome = verify(&scene, &["--fix", "--offline", "--no-cache"]);
    assert!(outcome.stdout.contains("missing"), "{outcome}");
    assert!(!outcome.stderr.contains(hint), "{outcome}");
}

/// What is left of a damage after `--fix`.
#[derive(Clone, Copy, PartialEq)]
enum Left {
    /// Nothing: the mirror is what it was before.
    Nothing,
    /// All of it, as it takes a decision.
    All,
}

use Left::{All, Nothing};

/// A damage: its name, what does it, the problems expected, the exit code, and what `--fix` leaves.
type Damage = (&'static str, fn(&Scene), &'static [&'static str], i32, Left);

const DAMAGES: [Damage; 39] = [
    (
        "bit flipped in an archive",
        |scene| edit(scene, &archive("1.0.0", LINUX), |bytes| bytes[40] ^= 1),
        &["mismatch 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "archive cut short",
        |scene| edit(scene, &archive("1.0.0", LINUX), |bytes| bytes.truncate(100)),
        &["mismatch 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "archive of another platform in its place",
        |scene| copy(scene, &archive("1.0.0", OTHER), &archive("1.0.0", LINUX)),
        &["mismatch 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "archive gone",
        |scene| remove(scene, &archive("1.0.0", LINUX)),
        &["missing 1.0.0 linux_amd64"],
        11,
        Nothing,
    ),
    (
        "archive that nothing names",
        |scene| {
            copy(
                scene,
                &archive("1.0.0", LINUX),
                &archive("1.0.0", "plan9_386"),
            );
        },
        &["stray 1.0.0 plan9_386"],
        11,
        All,
    ),
    (
        "archive of a version that nothing names",
        |scene| copy(scene, &archive("1.0.0", LINUX), &archive("9.0.0", LINUX)),
        &["stray 9.0.0 linux_amd64"],
        11,
        All,
    ),
    (
        "archive under a name that only the tools understand",
        |scene| {
            copy(
                scene,
                &archive("1.0.0", LINUX),
                "terraform-provider-net_1.0.0_linux_amd64_x.zip",
            );
        },
        &["stray - -"],
        11,
        All,
    ),
    (
        "prerelease packed under a name that the tools lower-case",
        |scene| {
            copy(
                scene,
                &archive("1.0.0", LINUX),
                &archive("1.2.0-Beta1", LINUX),
            );
        },
        &["lower-cased 1.2.0-Beta1 linux_amd64"],
        11,
        All,
    ),
    (
        "dot-file of terraform",
        |scene| {
            write(
                scene,
                ".terraform-provider-net_1.0.0_linux_amd64.zip",
                "poison",
            );
        },
        &["leftover - -"],
        11,
        Nothing,
    ),
    (
        "foreign file",
        |scene| write(scene, "notes.txt", ""),
        &["stray - -"],
        11,
        All,
    ),
    (
        "foreign file at the top",
        |scene| _ = scene.cx.write("mirror/notes.txt", ""),
        &["stray - -"],
        11,
        All,
    ),
    (
        "unpacked files that hide the archive",
        |scene| {
            write(
                scene,
                "1.0.0/linux_amd64/terraform-provider-net_v1.0.0",
                "evil",
            );
        },
        &["mismatch 1.0.0 linux_amd64"],
        10,
        All,
    ),
    (
        "unpacked files that nothing vouches for",
        |scene| {
            write(
                scene,
                "3.0.0/linux_amd64/terraform-provider-net_v3.0.0",
                "evil",
            );
        },
        &["stray 3.0.0 linux_amd64"],
        11,
        All,
    ),
    (
        "signature damaged",
        |scene| write(scene, &(sums("1.0.0") + ".sig"), "garbage"),
        &["bad-signature 1.0.0 -"],
        10,
        Nothing,
    ),
    (
        "signature of another version",
        |scene| copy(scene, &(sums("1.1.0") + ".sig"), &(sums("1.0.0") + ".sig")),
        &["bad-signature 1.0.0 -"],
        10,
        Nothing,
    ),
    (
        "signature gone",
        |scene| remove(scene, &(sums("1.0.0") + ".sig")),
        &["unsigned 1.0.0 -"],
        10,
        Nothing,
    ),
    (
        "signed document gone",
        |scene| remove(scene, &sums("1.0.0")),
        &["unsigned 1.0.0 -"],
        10,
        Nothing,
    ),
    (
        "signed document edited",
        |scene| edit(scene, &sums("1.0.0"), |bytes| bytes.push(b'\n')),
        &["bad-signature 1.0.0 -"],
        10,
        Nothing,
    ),
    (
        "signed document and signature of another version",
        |scene| {
            copy(scene, &sums("1.1.0"), &sums("1.0.0"));
            copy(scene, &(sums("1.1.0") + ".sig"), &(sums("1.0.0") + ".sig"));
        },
        &[
            "bad-signature 1.0.0 darwin_arm64",
            "bad-signature 1.0.0 linux_amd64",
        ],
        10,
        Nothing,
    ),
    (
        "signed anew by a stranger",
        |scene| sign_by_stranger(scene, "\"kind\":\"unchanged\""),
        &["changed-key 1.0.0 -", "changed-key 1.0.0 -"],
        10,
        All,
    ),
    (
        "signed anew by a stranger who edits the verdict, too",
        |scene| sign_by_stranger(scene, Signer::stranger().key_id()),
        &["changed-key 1.0.0 -"],
        10,
        All,
    ),
    (
        "evidence gone",
        |scene| remove(scene, &evidence("1.0.0")),
        &["missing 1.0.0 -"],
        11,
        Nothing,
    ),
    (
        "evidence no JSON",
        |scene| write(scene, &evidence("1.0.0"), "{ mine"),
        &["unreadable 1.0.0 -"],
        11,
        All,
    ),
    (
        "verdict changed to one without a signature, and the signature gone",
        |scene| {
            remove(scene, &(sums("1.0.0") + ".sig"));
            edit_json(scene, &evidence("1.0.0"), |json| {
                for package in json["packages"].as_object_mut().unwrap().values_mut() {
                    package["verdict"] = serde_json::json!({ "kind": "checksum" });
                }
            });
        },
        &["unsigned 1.0.0 -"],
        10,
        Nothing,
    ),
    (
        "verdict changed to one without a signature, and no key left",
        |scene| downgrade(scene, false),
        &["bad-signature 1.0.0 -"],
        10,
        Nothing,
    ),
    (
        "version passed off as one of a mirror without signatures",
        |scene| downgrade(scene, true),
        &["unsigned 1.0.0 -"],
        10,
        Nothing,
    ),
    (
        "version document without an archive",
        |scene| write(scene, "8.0.0.json", "{\"archives\":{}}"),
        &["stray 8.0.0 -"],
        11,
        All,
    ),
    (
        "further zh hash in the index",
        |scene| {
            edit_json(scene, "1.0.0.json", |json| {
                let hashes = json["archives"][LINUX]["hashes"].as_array_mut().unwrap();
                hashes.push(format!("zh:{}", "0".repeat(64)).into());
            });
        },
        &["mismatch 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "archive and evidence replaced",
        |scene| {
            copy(scene, &archive("1.0.0", OTHER), &archive("1.0.0", LINUX));
            edit_json(scene, &evidence("1.0.0"), |json| {
                for member in ["shasum", "size"] {
                    json["packages"][LINUX][member] = json["packages"][OTHER][member].clone();
                }
            });
        },
        &[
            "mismatch 1.0.0 linux_amd64",
            "mismatch 1.0.0 linux_amd64",
            "mismatch 1.0.0 linux_amd64",
        ],
        10,
        All,
    ),
    (
        "archive and index replaced, and its evidence gone",
        |scene| {
            copy(scene, &archive("1.1.0", LINUX), &archive("1.0.0", LINUX));
            copy_hashes(scene);
            remove_evidence_of(scene, LINUX);
        },
        &["mismatch 1.0.0 linux_amd64", "mismatch 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
    (
        "index gone",
        |scene| remove(scene, "index.json"),
        &["missing - -"],
        11,
        Nothing,
    ),
    (
        "index no JSON",
        |scene| write(scene, "index.json", "{ mine"),
        &["unreadable - -"],
        11,
        Nothing,
    ),
    (
        "index that lists a version too many",
        |scene| {
            edit_json(scene, "index.json", |json| {
                json["versions"]["7.0.0"] = serde_json::json!({});
            });
        },
        &["stale-index 7.0.0 -"],
        11,
        Nothing,
    ),
    (
        "index that lacks a version",
        |scene| {
            edit_json(scene, "index.json", |json| {
                json["versions"].as_object_mut().unwrap().remove("1.0.0");
            });
        },
        &["stale-index 1.0.0 -"],
        11,
        Nothing,
    ),
    (
        "document of a version gone",
        |scene| remove(scene, "1.0.0.json"),
        &["missing 1.0.0 -"],
        11,
        Nothing,
    ),
    (
        "document with the hashes of another version",
        |scene| copy_hashes(scene),
        &[
            "foreign-hashes 1.0.0 linux_amd64",
            "foreign-hashes 1.0.0 linux_amd64",
        ],
        10,
        Nothing,
    ),
    (
        "document with a wrong h1",
        |scene| {
            edit(scene, "1.0.0.json", |bytes| {
                let text = String::from_utf8(bytes.clone()).unwrap();
                *bytes = text.replacen("h1:", "h1:x", 1).into_bytes();
            });
        },
        &["mismatch 1.0.0 darwin_arm64"],
        10,
        Nothing,
    ),
    (
        "document that lacks a platform, and has one too many",
        |scene| {
            edit_json(scene, "1.0.0.json", |json| {
                let entry = json["archives"]
                    .as_object_mut()
                    .unwrap()
                    .remove(LINUX)
                    .unwrap();
                json["archives"]["plan9_386"] = entry;
            });
        },
        &["stale-index 1.0.0 linux_amd64", "missing 1.0.0 plan9_386"],
        11,
        Nothing,
    ),
    (
        "document that leads out of the mirror",
        |scene| {
            edit_json(scene, "1.0.0.json", |json| {
                json["archives"][LINUX]["url"] = Value::from("https://evil.example/x.zip");
            });
        },
        &["wrong-url 1.0.0 linux_amd64"],
        10,
        Nothing,
    ),
];

/// Replaces keys, signature and what the verdict says of the key.
fn sign_by_stranger(scene: &Scene, key_in_verdict: &str) {
    let stranger = Signer::stranger();
    let document = fs::read(file(scene, &sums("1.0.0"))).unwrap();
    write(scene, &(sums("1.0.0") + ".sig"), stranger.sign(&document));
    let name = evidence("1.0.0");
    edit_json(scene, &name, |json| {
        json["signing_keys"] = serde_json::json!([{ "ascii_armor": stranger.armor() }]);
        json.as_object_mut().unwrap().remove("trusted_keys");
    });
    edit(scene, &name, |bytes| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        let publisher = Signer::publisher().key_id();
        *bytes = if key_in_verdict == stranger.key_id() {
            text.replace(publisher, key_in_verdict).into_bytes()
        } else {
            text.into_bytes()
        };
    });
}

/// Makes the evidence of a version claim that nobody signed it; if asked, that it never came from a registry.
fn downgrade(scene: &Scene, hides_origin: bool) {
    edit_json(scene, &evidence("1.0.0"), |json| {
        for package in json["packages"].as_object_mut().unwrap().values_mut() {
            package["verdict"] = serde_json::json!({ "kind": "checksum" });
        }
        for member in ["signing_keys", "trusted_keys"] {
            json[member] = serde_json::json!([]);
        }
        if hides_origin {
            json["origin"] = serde_json::json!({});
        }
    });
}

/// Takes the entry of a platform out of the evidence of 1.0.0.
fn remove_evidence_of(scene: &Scene, platform: &str) {
    edit_json(scene, &evidence("1.0.0"), |json| {
        json["packages"].as_object_mut().unwrap().remove(platform);
    });
}

/// Gives an archive the hashes of the same platform in another version, as OpenTofu does.
fn copy_hashes(scene: &Scene) {
    let other = scene.mirror_json("1.1.0.json");
    edit_json(scene, "1.0.0.json", |json| {
        json["archives"][LINUX]["hashes"] = other["archives"][LINUX]["hashes"].clone();
    });
}

#[test]
fn every_damage_of_a_mirror_is_found_and_named() {
    let mut wrong = Vec::new();
    for (name, damage, expected, code, _) in DAMAGES {
        let scene = mirrored();
        damage(&scene);
        let outcome = verify(&scene, &["--json"]);
        let found = problems(&outcome);
        if found != expected || outcome.code != code {
            wrong.push(format!(
                "{name}: {} {found:?}, expected {code} {expected:?}",
                outcome.code
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn quick_finds_every_damage_but_that_of_h1_hashes() {
    let of_h1 = [
        "document with a wrong h1",
        "document with the hashes of another version",
    ];
    let mut wrong = Vec::new();
    for (name, damage, expected, _, _) in DAMAGES {
        let scene = mirrored();
        damage(&scene);
        let mut found = problems(&verify(&scene, &["--quick", "--json"]));
        // An index that is wrong in both hashes is told once.
        found.dedup();
        let mut expected = expected.to_vec();
        expected.dedup();
        if found != expected && !of_h1.contains(&name) {
            wrong.push(format!("{name}: {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn fix_mends_what_a_fetch_or_an_index_mends_and_nothing_else() {
    let mut wrong = Vec::new();
    for (name, damage, expected, code, left) in DAMAGES {
        let scene = mirrored();
        let healthy = digests(&scene);
        damage(&scene);
        let damaged = digests(&scene);
        let outcome = verify(&scene, &["--fix", "--json"]);
        let fixed = if left == Nothing { " fixed" } else { "" };
        let expected: Vec<String> = expected.iter().map(|it| format!("{it}{fixed}")).collect();
        let (tree, code) = match left {
            Nothing => (&healthy, 0),
            All => (&damaged, code),
        };
        let found = problems(&outcome);
        if found != expected || outcome.code != code {
            wrong.push(format!(
                "{name}: {} {found:?}, expected {code} {expected:?}\n{outcome}",
                outcome.code
            ));
        } else if digests(&scene) != *tree {
            wrong.push(format!("{name}: the mirror is not as expected"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files of the mirror and their digests, without the lock file.
fn digests(scene: &Scene) -> Vec<String> {
    let mut tree = tree::tree_with_digests(&scene.cx.work().join("mirror"));
    tree.retain(|line| !line.starts_with(".provender.lock"));
    tree
}

#[test]
fn fix_does_not_take_a_release_that_was_made_anew() {
    let mut scene = mirrored();
    let registry = crate::support::TestRegistry::of([ProviderSpec::new("acme/net")
        .payload_size(99)
        .version("1.0.0")
        .version("1.1.0")]);
    scene.cx.config(&registry.host_block(HOST));
    scene.registry = registry;
    write(&scene, &archive("1.0.0", LINUX), "damaged");
    let damaged = digests(&scene);
    let outcome = verify(&scene, &["--fix", "--no-cache"]).expect_code(10);
    assert!(
        outcome.stderr.contains("the mirror's evidence names"),
        "{outcome}"
    );
    assert_eq!(digests(&scene), damaged);
}

#[test]
fn fix_trusts_no_key_for_the_first_time() {
    let scene = Scene::of([ProviderSpec::new("acme/net").version("1.0.0")]);
    scene.mirror([NET]).expect_code(0);
    remove(&scene, &evidence("1.0.0"));
    let damaged = digests(&scene);
    scene.registry.clear_requests();
    let outcome = verify(&scene, &["--fix", "--json"]);
    assert_eq!(problems(&outcome), ["missing 1.0.0 -"], "{outcome}");
    assert_eq!(digests(&scene), damaged);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}
