//! What lies in a mirror: indexes, evidence, names that need care.

use std::fs;

use serde_json::{Value, json};

use super::scene::{HOST, LINUX, Scene, shows};
use crate::support::signing::Signer;
use crate::support::{ProviderSpec, tree};

const NET: &str = "registry.example.test/acme/net";

fn archive_entry(scene: &Scene, version: &str, url: &str) -> Value {
    let (h1, zh) = (
        scene.registry.h1("acme/net", version, LINUX),
        scene.registry.zh("acme/net", version, LINUX),
    );
    json!({ "archives": { LINUX: { "hashes": [h1, zh], "url": url } } })
}

#[test]
fn indexes_name_the_archives_with_their_hashes() {
    let scene = Scene::usual();
    scene.mirror(["--latest", "2", NET]).expect_code(0);
    assert_eq!(
        scene.mirror_json("index.json"),
        json!({ "versions": { "1.1.0": {}, "2.0.0": {} } })
    );
    for version in ["1.1.0", "2.0.0"] {
        let url = format!("terraform-provider-net_{version}_linux_amd64.zip");
        let expected = archive_entry(&scene, version, &url);
        assert_eq!(scene.mirror_json(&format!("{version}.json")), expected);
    }
}

#[test]
fn indexes_grow_with_later_runs() {
    let scene = Scene::usual();
    scene
        .mirror(["registry.example.test/acme/net@1.0.0"])
        .expect_code(0);
    let later = ["mirror", "--to", "mirror", "--platform", "darwin_arm64"];
    let later = later
        .into_iter()
        .chain(["registry.example.test/acme/net@1.0.0", NET]);
    scene.cx.run(later).expect_code(0);
    let archives = scene.mirror_json("1.0.0.json");
    let platforms: Vec<_> = archives["archives"].as_object().unwrap().keys().collect();
    assert_eq!(platforms, ["darwin_arm64", LINUX]);
    let index = scene.mirror_json("index.json");
    assert_eq!(index, json!({ "versions": { "1.0.0": {}, "2.0.0": {} } }));
}

#[test]
fn evidence_keeps_what_the_registry_said() {
    let scene = Scene::usual();
    scene.mirror([NET]).expect_code(0);
    let evidence = scene.mirror_json("terraform-provider-net_2.0.0_evidence.json");
    let archive = scene.registry.archive_bytes("acme/net", "2.0.0", LINUX);
    let package = &evidence["packages"][LINUX];
    let zh = scene.registry.zh("acme/net", "2.0.0", LINUX);
    assert_eq!(
        package["filename"],
        "terraform-provider-net_2.0.0_linux_amd64.zip"
    );
    assert_eq!(package["shasum"], zh.trim_start_matches("zh:"));
    assert_eq!(package["size"], archive.len());
    assert_eq!(evidence["protocols"], json!(["5.0"]));
    let text = evidence.to_string();
    assert!(text.contains(Signer::publisher().key_id()), "{text}");
    assert!(text.contains("BEGIN PGP PUBLIC KEY BLOCK"), "{text}");
    for name in ["SHA256SUMS", "SHA256SUMS.sig"] {
        let path = scene
            .mirrored("net")
            .join(format!("terraform-provider-net_2.0.0_{name}"));
        assert!(fs::metadata(path).unwrap().len() > 0, "{name}");
    }
}

#[test]
fn version_with_capitals_is_packed_in_its_directory_and_unpacked_beside() {
    let net = ProviderSpec::new("acme/net").version("1.0.0-Beta1");
    let scene = Scene::of([net]);
    let address = "registry.example.test/acme/net@1.0.0-Beta1";
    shows(
        &scene.mirror([address]),
        "code: 0
--- stdout
mirrored 1 package (1.4 KiB)
--- stderr
mirrored `registry.example.test/acme/net` 1.0.0-Beta1 for `linux_amd64` (signed by [KEY], 1.4 KiB)
",
    );
    assert_eq!(
        scene.names("mirror/registry.example.test/acme/net"),
        [
            "1.0.0-Beta1.json",
            "1.0.0-Beta1/linux_amd64/LICENSE.txt",
            "1.0.0-Beta1/linux_amd64/PLATFORM",
            "1.0.0-Beta1/linux_amd64/terraform-provider-net_v1.0.0-Beta1_x5",
            "1.0.0-Beta1/terraform-provider-net_1.0.0-Beta1_linux_amd64.zip",
            "index.json",
            "terraform-provider-net_1.0.0-Beta1_SHA256SUMS",
            "terraform-provider-net_1.0.0-Beta1_SHA256SUMS.sig",
            "terraform-provider-net_1.0.0-Beta1_evidence.json",
        ]
    );
    let url = "1.0.0-Beta1/terraform-provider-net_1.0.0-Beta1_linux_amd64.zip";
    let expected = archive_entry(&scene, "1.0.0-Beta1", url);
    assert_eq!(scene.mirror_json("1.0.0-Beta1.json"), expected);
    scene.registry.clear_requests();
    scene.mirror([address]).expect_code(0);
    assert_eq!(scene.registry.requests().len(), 1);
}

#[test]
fn build_metadata_keeps_its_plus() {
    let net = ProviderSpec::new("acme/net").version("1.0.0+b1");
    let scene = Scene::of([net]);
    scene
        .mirror(["registry.example.test/acme/net@1.0.0+b1"])
        .expect_code(0);
    let url = "terraform-provider-net_1.0.0+b1_linux_amd64.zip";
    let expected = archive_entry(&scene, "1.0.0+b1", url);
    assert_eq!(scene.mirror_json("1.0.0+b1.json"), expected);
    assert!(scene.mirrored("net").join(url).is_file());
    assert_eq!(
        scene.mirror_json("index.json"),
        json!({ "versions": { "1.0.0+b1": {} } })
    );
}

#[test]
fn international_host_has_packages_under_unicode_and_documents_under_punycode() {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let mut scene = Scene::of([net]);
    scene
        .cx
        .config(&scene.registry.host_block("bücher.example"));
    shows(
        &scene.mirror(["bücher.example/acme/net"]),
        "code: 0
--- stdout
mirrored 1 package (1.3 KiB)
--- stderr
mirrored `bücher.example/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(
        scene.names("mirror"),
        [
            "bücher.example/acme/net/terraform-provider-net_1.0.0_SHA256SUMS",
            "bücher.example/acme/net/terraform-provider-net_1.0.0_SHA256SUMS.sig",
            "bücher.example/acme/net/terraform-provider-net_1.0.0_evidence.json",
            "bücher.example/acme/net/terraform-provider-net_1.0.0_linux_amd64.zip",
            "xn--bcher-kva.example/acme/net/1.0.0.json",
            "xn--bcher-kva.example/acme/net/index.json",
        ]
    );
    let text = scene
        .cx
        .read("mirror/xn--bcher-kva.example/acme/net/1.0.0.json");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        document["archives"][LINUX]["url"],
        "../../../b%C3%BCcher.example/acme/net/terraform-provider-net_1.0.0_linux_amd64.zip"
    );
}

#[test]
fn host_with_a_port_is_mirrored_with_a_warning() {
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let mut scene = Scene::of([net]);
    let ca = scene.registry.ca_file().to_owned();
    scene.cx.env("SSL_CERT_FILE", ca);
    let address = format!("{}/acme/net", scene.registry.host());
    shows(
        &scene.mirror([address.as_str()]),
        "code: 0
--- stdout
mirrored 1 package (1.3 KiB)
--- stderr
mirrored `localhost:[PORT]/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
warning: `localhost:[PORT]/acme/net` has a port in its host name: the tools can install it from this mirror as a filesystem mirror, not over the network
",
    );
}

#[test]
fn foreign_members_of_documents_survive() {
    let scene = Scene::usual();
    scene
        .mirror(["registry.example.test/acme/net@1.0.0"])
        .expect_code(0);
    let path = format!("mirror/{HOST}/acme/net/index.json");
    let foreign = r#"{"made_by":"somebody","versions":{"0.9.0":{"note":1},"1.0.0":{}}}"#;
    scene.cx.write(&path, foreign);
    scene.mirror([NET]).expect_code(0);
    let expected = json!({
        "made_by": "somebody",
        "versions": { "0.9.0": { "note": 1 }, "1.0.0": {}, "2.0.0": {} },
    });
    assert_eq!(scene.mirror_json("index.json"), expected);
}

#[test]
fn deleted_documents_are_made_anew_without_a_download() {
    let scene = Scene::usual();
    scene.mirror([NET]).expect_code(0);
    let before = tree::tree_with_digests(&scene.cx.work().join("mirror"));
    for name in ["2.0.0.json", "index.json"] {
        fs::remove_file(scene.mirrored("net").join(name)).unwrap();
    }
    scene.registry.clear_requests();
    scene.mirror([NET]).expect_code(0);
    assert_eq!(
        tree::tree_with_digests(&scene.cx.work().join("mirror")),
        before
    );
    assert_eq!(
        scene.registry.request_lines(),
        ["GET /v1/providers/acme/net/versions"]
    );
}

#[test]
fn deleted_index_lists_versions_of_earlier_runs_again() {
    let scene = Scene::usual();
    scene.mirror(["--all-versions", NET]).expect_code(0);
    let before = scene.mirror_json("index.json");
    fs::remove_file(scene.mirrored("net").join("index.json")).unwrap();
    scene.mirror([NET]).expect_code(0);
    assert_eq!(scene.mirror_json("index.json"), before);
}

#[test]
fn documents_that_cannot_be_understood_are_left_alone() {
    let scene = Scene::usual();
    scene.mirror([NET]).expect_code(0);
    scene
        .cx
        .write(&format!("mirror/{HOST}/acme/net/index.json"), "{ mine");
    shows(
        &scene.mirror([NET]),
        "code: 1
--- stdout
kept 1 package (1.3 KiB), 1 failure
--- stderr
error: cannot use `[TEMP]/place/mirror/registry.example.test/acme/net/index.json`
  caused by: the document is not JSON
  caused by: key must be a string at line 1 column 3

hint: if nothing else wrote it on purpose, delete `[TEMP]/place/mirror/registry.example.test/acme/net/index.json` and run the command again: it is made anew
",
    );
    assert_eq!(
        scene.cx.read(&format!("mirror/{HOST}/acme/net/index.json")),
        "{ mine"
    );
}

#[test]
fn check_restores_documents_that_prove_nothing_any_more() {
    let scene = Scene::usual();
    scene.mirror([NET]).expect_code(0);
    let dir = scene.mirrored("net");
    let signature = dir.join("terraform-provider-net_2.0.0_SHA256SUMS.sig");
    let sums = dir.join("terraform-provider-net_2.0.0_SHA256SUMS");
    let index = dir.join("2.0.0.json");
    let good = [&signature, &sums, &index].map(|path| fs::read(path).unwrap());
    let wrong_h1 = String::from_utf8(good[2].clone())
        .unwrap()
        .replace("h1:", "h1:x");
    let damages: [&dyn Fn(); 3] = [
        &|| fs::write(&signature, "garbage").unwrap(),
        &|| fs::write(&sums, "garbage").unwrap(),
        &|| fs::write(&index, &wrong_h1).unwrap(),
    ];
    for damage in damages {
        damage();
        scene.mirror(["--check", NET]).expect_code(0);
        let now = [&signature, &sums, &index].map(|path| fs::read(path).unwrap());
        assert!(now == good);
    }
    fs::remove_file(&signature).unwrap();
    scene.mirror([NET]).expect_code(0);
    assert_eq!(fs::read(&signature).unwrap(), good[0]);
}
