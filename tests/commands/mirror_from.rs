//! `mirror --from`: packages from another mirror instead of their registry.

use std::fs;

use crate::support::{TestServer, tree};

use super::scene::{HOST, LINUX, Scene};

/// A scene whose `mirror` holds `acme/net` 1.1.0 and a version with upper-case letters, and whose registry was not
/// asked yet.
fn mirrored() -> Scene {
    let net = crate::support::ProviderSpec::new("acme/net");
    let scene = Scene::of([net.version("1.1.0").version("1.2.0-Beta1")]);
    for version in ["1.1.0", "1.2.0-Beta1"] {
        scene
            .mirror([format!("{HOST}/acme/net@{version}").as_str()])
            .expect_code(0);
    }
    scene.registry.clear_requests();
    scene
}

fn copy(scene: &Scene, from: &str, more: &[&str]) -> crate::support::Outcome {
    let address = format!("{HOST}/acme/net");
    let mut arguments = vec!["mirror", address.as_str(), "--from", from, "--to", "copy"];
    arguments.extend([
        "--platform",
        LINUX,
        "--all-versions",
        "--include-prereleases",
    ]);
    arguments.extend(more);
    scene.cx.run(arguments)
}

fn archives(scene: &Scene, dir: &str) -> Vec<String> {
    let dir = scene.cx.work().join(dir);
    if !dir.is_dir() {
        return Vec::new();
    }
    let mut archives = tree::tree_with_digests(&dir);
    archives.retain(|line| line.contains(".zip"));
    archives
}

#[test]
fn directory_and_network_mirror_give_the_same_archives() {
    let scene = mirrored();
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    for from in ["mirror".to_owned(), server.url("/"), server.url("")] {
        copy(&scene, &from, &[]).expect_code(0);
        assert_eq!(archives(&scene, "copy"), archives(&scene, "mirror"));
        for name in ["index.json", "1.1.0.json", "1.2.0-Beta1.json"] {
            let path = |dir: &str| format!("{dir}/{HOST}/acme/net/{name}");
            assert_eq!(scene.cx.read(&path("copy")), scene.cx.read(&path("mirror")));
        }
        let again = copy(&scene, &from, &["--check"]).expect_code(0);
        assert!(again.stdout.contains("kept 2 packages"), "{again}");
        fs::remove_dir_all(scene.cx.work().join("copy")).expect("it is there");
    }
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn signature_that_a_mirror_does_not_pass_on_can_be_demanded() {
    let scene = mirrored();
    let outcome = copy(&scene, "mirror", &["--require-signature"]).expect_code(10);
    assert!(outcome.stderr.contains("--require-signature"), "{outcome}");
    assert_eq!(archives(&scene, "copy"), [""; 0]);
}

#[test]
fn registry_proves_again_what_came_from_a_mirror() {
    let scene = mirrored();
    copy(&scene, "mirror", &[]).expect_code(0);
    let address = format!("{HOST}/acme/net@1.1.0");
    let arguments = [
        "mirror",
        &address,
        "--to",
        "copy",
        "--platform",
        LINUX,
        "--require-signature",
    ];
    let outcome = scene.run(arguments).expect_code(0);
    assert!(outcome.stdout.contains("mirrored 1 package"), "{outcome}");
    scene.run(arguments).expect_code(0);
    let evidence = format!("copy/{HOST}/acme/net/terraform-provider-net_1.1.0_evidence.json");
    assert!(scene.cx.read(&evidence).contains("\"signed\""));
}

#[test]
fn package_that_is_only_unpacked_cannot_be_mirrored() {
    let scene = mirrored();
    let plugin = format!("plugins/{HOST}/acme/net/1.0.0/{LINUX}/terraform-provider-net");
    scene.cx.write(&plugin, "x");
    let outcome = copy(&scene, "plugins", &[]).expect_code(12);
    assert!(outcome.stderr.contains("only unpacked"), "{outcome}");
}

#[test]
fn other_sources_than_directories_and_https_urls_are_refused() {
    let scene = mirrored();
    copy(&scene, "http://mirror.example/", &[]).expect_code(2);
    copy(&scene, "s3://bucket/", &[]).expect_code(2);
    copy(&scene, "nowhere", &[]).expect_code(1);
    let outcome = copy(&scene, "https://mirror.example/", &["--offline"]).expect_code(12);
    assert!(outcome.stderr.contains("--offline"), "{outcome}");
}
