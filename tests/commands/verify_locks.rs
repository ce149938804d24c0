//! `verify` of lock files against mirrors and registries.

use std::fs;

use super::scene::{HOST, LINUX, Scene, shows};
use super::verify_mirror::problems;
use crate::support::archive::{self, Member};
use crate::support::{Outcome, ProviderSpec, TestRegistry, TestServer};

const LOCK: &str = ".terraform.lock.hcl";
const NET: &str = "registry.example.test/acme/net";

/// A lock file of `acme/net` 1.0.0, and a mirror of it for two platforms.
fn locked_and_mirrored(net: ProviderSpec) -> Scene {
    let scene = Scene::of([net]);
    scene.root([("acme/net", "1.0.0")]);
    scene.install([]).expect_code(0);
    scene
        .mirror(["--platform", "darwin_arm64", "--lock", LOCK])
        .expect_code(0);
    scene
}

fn net() -> ProviderSpec {
    ProviderSpec::new("acme/net").version("1.0.0")
}

fn verify(scene: &Scene, more: &[&str]) -> Outcome {
    let usual = ["verify", "--lock", LOCK, "--platform", LINUX];
    scene.cx.run(usual.iter().chain(more))
}

fn edit_lock(scene: &Scene, change: impl FnOnce(String) -> String) {
    scene.cx.write(LOCK, change(scene.lock_file().unwrap()));
}

fn without_lines(text: &str, is_dropped: impl Fn(&str) -> bool) -> String {
    let kept = text.split_inclusive('\n').filter(|line| !is_dropped(line));
    kept.collect()
}

/// An archive with a directory entry, which counts for one form of `h1` alone.
fn with_directory_entry() -> Vec<u8> {
    let mut members = archive::release("net", "1.0.0", "5", 100);
    members.push(Member {
        name: "docs/".to_owned(),
        mode: 0o755,
        content: Vec::new(),
    });
    archive::zip(&members).to_vec()
}

#[test]
fn mirror_directory_and_network_mirror_have_what_is_locked() {
    let scene = locked_and_mirrored(net());
    let healthy = "code: 0\n--- stdout\nverified 2 packages (2.7 KiB), nothing wrong\n--- stderr\n";
    let both = ["--platform", "darwin_arm64", "--mirror"];
    shows(&verify(&scene, &[&both[..], &["mirror"]].concat()), healthy);
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    let url = server.url("/");
    shows(&verify(&scene, &[&both[..], &[&url]].concat()), healthy);
}

#[test]
fn what_a_mirror_lacks_or_has_wrong_is_found() {
    let scene = locked_and_mirrored(net());
    let mirror = scene.cx.work().join("mirror");
    let server = TestServer::of_directory(&mirror);
    let url = server.url("/");
    let archive = scene
        .mirrored("net")
        .join(format!("terraform-provider-net_1.0.0_{LINUX}.zip"));
    let healthy = fs::read(&archive).unwrap();
    let found = |expected: &str, code: i32| {
        for place in ["mirror", &url] {
            let outcome = verify(&scene, &["--json", "--mirror", place]);
            assert_eq!(
                (problems(&outcome), outcome.code),
                (vec![expected.to_owned()], code),
                "{outcome}"
            );
        }
    };
    // Another sound package, that the index knows as well.
    let other = archive::zip(&archive::release("net", "1.0.0", "5", 77));
    fs::write(&archive, &other).unwrap();
    let index = scene.mirrored("net").join("1.0.0.json");
    let text = fs::read_to_string(&index).unwrap();
    let hash = |bytes: &[u8]| (archive::zh(bytes), archive::h1(bytes).unwrap());
    let ((zh, h1), (other_zh, other_h1)) = (hash(&healthy), hash(&other));
    fs::write(&index, text.replace(&zh, &other_zh).replace(&h1, &other_h1)).unwrap();
    found("mismatch 1.0.0 linux_amd64", 10);
    // No package at all.
    fs::write(&archive, "no zip").unwrap();
    let no_zip = archive::zh(b"no zip");
    fs::write(&index, text.replace(&zh, &no_zip).replace(&h1, &no_zip)).unwrap();
    found("damaged 1.0.0 linux_amd64", 10);
    // Not there.
    fs::remove_file(&archive).unwrap();
    fs::write(&index, text.replace(LINUX, "plan9_386")).unwrap();
    found("missing 1.0.0 linux_amd64", 11);
    // A directory is mended from the registry, and is then what it was.
    let outcome = verify(&scene, &["--json", "--fix", "--mirror", "mirror"]);
    assert_eq!(
        problems(&outcome),
        ["missing 1.0.0 linux_amd64 fixed"],
        "{outcome}"
    );
    assert_eq!(fs::read(&archive).unwrap(), healthy);
}

#[test]
fn network_mirror_that_contradicts_itself_is_found() {
    let scene = locked_and_mirrored(net());
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    let archive = scene
        .mirrored("net")
        .join(format!("terraform-provider-net_1.0.0_{LINUX}.zip"));
    fs::write(archive, "other bytes").unwrap();
    let outcome = verify(&scene, &["--json", "--mirror", &server.url("/")]);
    assert_eq!(
        problems(&outcome),
        ["mismatch 1.0.0 linux_amd64"],
        "{outcome}"
    );
}

#[test]
fn both_forms_of_h1_are_told_apart() {
    let scene = locked_and_mirrored(net().archive(LINUX, with_directory_entry()));
    verify(&scene, &["--mirror", "mirror"]).expect_code(0);
    edit_lock(&scene, |text| {
        without_lines(&text, |line| line.contains("zh:"))
    });
    let outcome = verify(&scene, &["--mirror", "mirror"]);
    assert_eq!(outcome.code, 11, "{outcome}");
    assert!(
        outcome.stdout.starts_with("problem     address"),
        "{outcome}"
    );
    assert!(
        outcome
            .stdout
            .contains("\nother-form  registry.example.test/acme/net"),
        "{outcome}"
    );
    assert!(
        outcome
            .stdout
            .contains("the archive unpacks to the locked directory"),
        "{outcome}"
    );
    // The other way round: the lock file has the hash of the archive, the directory is installed.
    let directory = scene
        .lock_file()
        .unwrap()
        .split('"')
        .find(|it| it.starts_with("h1:"))
        .unwrap()
        .to_owned();
    let zip = archive::h1(&with_directory_entry()).unwrap();
    assert_ne!(directory, zip);
    edit_lock(&scene, |text| text.replace(&directory, &zip));
    verify(&scene, &["--mirror", "mirror"]).expect_code(0);
    let outcome = scene.cx.run(["verify", "--json", "--platform", LINUX]);
    assert_eq!(
        problems(&outcome),
        ["other-form 1.0.0 linux_amd64"],
        "{outcome}"
    );
}

#[test]
fn packed_and_unpacked_mirrors_are_read_as_the_tools_read_them() {
    let scene = locked_and_mirrored(net());
    fs::remove_dir_all(scene.cx.work().join("mirror")).unwrap();
    let place = format!("plain/{HOST}/acme/net/1.0.0");
    let installed = scene
        .cx
        .work()
        .join(format!(".terraform/providers/{HOST}/acme/net/1.0.0"));
    fs::create_dir_all(scene.cx.work().join(&place)).unwrap();
    fs::rename(
        installed.join(LINUX),
        scene.cx.work().join(&place).join(LINUX),
    )
    .unwrap();
    verify(&scene, &["--mirror", "plain"]).expect_code(0);
    scene.cx.write(&format!("{place}/{LINUX}/extra"), "x");
    let outcome = verify(&scene, &["--json", "--mirror", "plain"]);
    assert_eq!(
        problems(&outcome),
        ["mismatch 1.0.0 linux_amd64"],
        "{outcome}"
    );
    edit_lock(&scene, |text| {
        without_lines(&text, |line| line.contains("h1:"))
    });
    let outcome = verify(&scene, &["--json", "--mirror", "plain"]);
    assert_eq!(
        problems(&outcome),
        ["incomparable 1.0.0 linux_amd64"],
        "{outcome}"
    );
}

/// Points the host of the scene to another registry.
fn publish(scene: &mut Scene, net: ProviderSpec) {
    let registry = TestRegistry::of([net]);
    scene.cx.config(&registry.host_block(HOST));
    scene.registry = registry;
}

#[test]
fn registry_is_asked_for_metadata_alone() {
    let scene = locked_and_mirrored(net());
    scene.registry.clear_requests();
    shows(
        &verify(&scene, &["--registry", "--platform", "darwin_arm64"]),
        "code: 0\n--- stdout\nverified 2 packages, nothing wrong\n--- stderr\n",
    );
    let lines = scene.registry.request_lines();
    assert!(!lines.iter().any(|line| line.contains(".zip")), "{lines:?}");
}

#[test]
fn what_a_registry_no_longer_publishes_is_found() {
    let cases: [(ProviderSpec, &[&str], i32); 5] = [
        (net().payload_size(77), &["recut 1.0.0 -"], 10),
        (
            ProviderSpec::new("acme/net").version("1.0.1"),
            &["withdrawn 1.0.0 -"],
            12,
        ),
        (
            net().platforms(["darwin_arm64"]),
            &["not-published 1.0.0 linux_amd64"],
            12,
        ),
        (
            net().archive(
                LINUX,
                archive::zip(&archive::release("net", "1.0.0", "5", 77)),
            ),
            &["recut 1.0.0 linux_amd64"],
            10,
        ),
        (
            net().signing(crate::support::Signing::Garbage),
            &["bad-signature 1.0.0 linux_amd64"],
            10,
        ),
    ];
    let mut wrong = Vec::new();
    for (number, (published, expected, code)) in cases.into_iter().enumerate() {
        let mut scene = locked_and_mirrored(net());
        publish(&mut scene, published);
        let outcome = verify(&scene, &["--json", "--registry"]);
        let found = problems(&outcome);
        if found != expected || outcome.code != code {
            wrong.push(format!(
                "{number}: {} {found:?}, expected {code} {expected:?}",
                outcome.code
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn version_that_is_no_longer_listed_is_withdrawn_although_its_documents_are_there() {
    let scene = locked_and_mirrored(net());
    let others = serde_json::json!({ "versions": [{ "version": "9.9.9" }] });
    let path = crate::support::registry::paths::versions("acme/net");
    scene
        .registry
        .route(&path, crate::support::Reply::json(&others));
    let outcome = verify(&scene, &["--json", "--registry"]);
    assert_eq!(
        (problems(&outcome), outcome.code),
        (vec!["withdrawn 1.0.0 -".to_owned()], 12)
    );
}

#[test]
fn a_list_of_versions_that_cannot_be_had_is_no_good_news() {
    let scene = locked_and_mirrored(net());
    let path = crate::support::registry::paths::versions("acme/net");
    for (status, found, code) in [
        (404, &["withdrawn 1.0.0 -"][..], 12),
        (403, &[], 4),
        (400, &[], 13),
    ] {
        let answer = crate::support::Reply::status(status);
        scene.registry.route(&path, answer);
        let outcome = verify(&scene, &["--json", "--registry"]);
        assert_eq!(
            (problems(&outcome), outcome.code),
            (found.iter().map(|it| (*it).to_owned()).collect(), code),
            "{status}: {outcome}"
        );
    }
}

#[test]
fn metadata_that_contradicts_the_signed_document_is_found() {
    let mut scene = locked_and_mirrored(net());
    publish(
        &mut scene,
        net().edit_download(|document| {
            document["filename"] = "terraform-provider-net_9.9.9_linux_amd64.zip".into();
        }),
    );
    let outcome = verify(&scene, &["--json", "--registry"]);
    assert_eq!(
        (problems(&outcome), outcome.code),
        (vec!["mismatch 1.0.0 linux_amd64".to_owned()], 10)
    );
}

#[test]
fn a_network_mirror_whose_index_lacks_the_version_does_not_have_it_for_the_tools() {
    let scene = locked_and_mirrored(net());
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    fs::write(
        scene.mirrored("net").join("index.json"),
        "{\"versions\":{\"1.0.1\":{}}}",
    )
    .unwrap();
    let outcome = verify(&scene, &["--json", "--mirror", &server.url("/")]);
    assert_eq!(
        (problems(&outcome), outcome.code),
        (vec!["missing 1.0.0 linux_amd64".to_owned()], 11),
        "{outcome}"
    );
}

#[test]
fn hash_that_nobody_published_is_found() {
    let scene = locked_and_mirrored(net());
    let invented = format!("    \"zh:{}\",\n  ]", "f".repeat(64));
    edit_lock(&scene, |text| text.replacen("  ]", &invented, 1));
    // A mirror's evidence tells as much, without anybody being asked.
    let outcome = verify(&scene, &["--json", "--offline", "--mirror", "mirror"]);
    assert_eq!(problems(&outcome), ["invented-hash 1.0.0 -"], "{outcome}");
    let outcome = verify(&scene, &["--json", "--registry"]);
    assert_eq!(
        (problems(&outcome), outcome.code),
        (vec!["invented-hash 1.0.0 -".to_owned()], 10)
    );
    edit_lock(&scene, |text| {
        without_lines(&text, |line| line.contains("zh:"))
    });
    let outcome = verify(&scene, &["--json", "--registry"]);
    assert_eq!(problems(&outcome), ["incomparable 1.0.0 linux_amd64"]);
}

#[test]
fn every_lock_file_below_is_compared_and_each_package_fetched_once() {
    let scene = locked_and_mirrored(net());
    for root in ["a", "b"] {
        scene
            .cx
            .write(&format!("{root}/{LOCK}"), scene.lock_file().unwrap());
    }
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    let url = server.url("/");
    let verify = |place: &[&str]| {
        let usual = ["verify", "--recursive", "--platform", LINUX];
        scene.cx.run(usual.iter().chain(place))
    };
    for place in [
        &["--mirror", "mirror"][..],
        &["--mirror", &url],
        &["--registry"],
    ] {
        verify(place).expect_code(0);
    }
    let archives = server
        .request_lines()
        .into_iter()
        .filter(|line| line.contains(".zip"));
    assert_eq!(archives.count(), 1);
    scene.cx.write(
        &format!("b/{LOCK}"),
        scene.lock_file().unwrap().replace("1.0.0", "1.0.1"),
    );
    let outcome = verify(&["--mirror", "mirror"]);
    assert_eq!(outcome.code, 11, "{outcome}");
    assert!(outcome.stdout.contains("linux_amd64  b\n"), "{outcome}");
}

#[test]
fn nothing_is_asked_offline() {
    let scene = locked_and_mirrored(net());
    scene.registry.clear_requests();
    verify(&scene, &["--offline", "--mirror", "mirror"]).expect_code(0);
    verify(&scene, &["--offline", "--registry"]).expect_code(12);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    assert!(scene.lock_file().unwrap().contains(NET));
}
