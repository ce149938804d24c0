//! A release that was made anew under the same version: what a mirror knows of a version binds everything that adds to it.

use std::fs;

use serde_json::json;

use super::scene::{HOST, LINUX, Scene};
use super::verify_mirror::problems;
use crate::support::signing::Signer;
use crate::support::{Outcome, ProviderSpec, Signing, TestRegistry, tree};

const NET: &str = "registry.example.test/acme/net";
const OTHER: &str = "darwin_arm64";

fn net() -> ProviderSpec {
    ProviderSpec::new("acme/net")
}

/// The same versions with other bytes.
fn made_anew() -> ProviderSpec {
    net().payload_size(99).version("1.0.0")
}

/// A mirror of version 1.0.0 for Linux, whose registry is then `later`.
fn mirrored_then(first: ProviderSpec, later: ProviderSpec) -> Scene {
    let mut scene = Scene::of([first]);
    scene.mirror([NET]).expect_code(0);
    become_registry(&mut scene, later);
    scene
}

fn become_registry(scene: &mut Scene, later: ProviderSpec) {
    let registry = TestRegistry::of([later]);
    scene.cx.config(&registry.host_block(HOST));
    scene.registry = registry;
}

fn digests(scene: &Scene) -> Vec<String> {
    let mut tree = tree::tree_with_digests(&scene.cx.work().join("mirror"));
    tree.retain(|line| !line.starts_with(".provender.lock"));
    tree
}

fn verify(scene: &Scene, more: &[&str]) -> Outcome {
    let usual = ["verify", "--mirror", "mirror"];
    scene.cx.run(usual.iter().chain(more))
}

fn archive(scene: &Scene) -> std::path::PathBuf {
    let name = format!("terraform-provider-net_1.0.0_{LINUX}.zip");
    scene.mirrored("net").join(name)
}

/// Runs `mirror`, and sees that the release is refused and nothing written.
fn is_refused<const N: usize>(scene: &Scene, arguments: [&str; N]) {
    let before = digests(scene);
    let outcome = scene.mirror(arguments).expect_code(10);
    let words = "the mirror's evidence names `";
    assert!(outcome.stderr.contains(words), "{outcome}");
    let hint = "hint: the release was made anew";
    assert!(outcome.stderr.contains(hint), "{outcome}");
    assert!(!outcome.stderr.contains("--accept-new-keys"), "{outcome}");
    assert_eq!(digests(scene), before);
}

#[test]
fn another_platform_of_it_is_refused() {
    let scene = mirrored_then(net().version("1.0.0"), made_anew());
    is_refused(&scene, ["--platform", OTHER, NET]);
    verify(&scene, &[]).expect_code(0);
}

#[test]
fn it_does_not_replace_what_is_damaged_or_gone() {
    let scene = mirrored_then(net().version("1.0.0"), made_anew());
    fs::write(archive(&scene), "damaged").unwrap();
    is_refused(&scene, [NET]);
    fs::remove_file(archive(&scene)).unwrap();
    is_refused(&scene, [NET]);
}

#[test]
fn accepting_a_new_key_does_not_excuse_it() {
    let stranger = Signer::stranger();
    let key = json!([{ "key_id": stranger.key_id(), "ascii_armor": stranger.armor() }]);
    let later = made_anew()
        .signing(Signing::Stranger)
        .edit_download(move |document| document["signing_keys"]["gpg_public_keys"] = key.clone());
    let scene = mirrored_then(net().version("1.0.0"), later);
    is_refused(&scene, ["--accept-new-keys", "--platform", OTHER, NET]);
    fs::remove_file(archive(&scene)).unwrap();
    is_refused(&scene, ["--accept-new-keys", NET]);
}

#[test]
fn a_file_that_only_the_signed_document_knows_is_bound_as_well() {
    // Linux stays what it was; macOS, which was never mirrored, is another one.
    let mut scene = Scene::of([net().version("1.0.0")]);
    scene.mirror([NET]).expect_code(0);
    let linux = fs::read(archive(&scene)).unwrap();
    become_registry(&mut scene, made_anew().archive(LINUX, linux));
    is_refused(&scene, ["--platform", OTHER, NET]);
}

#[test]
fn evidence_alone_binds_where_the_signed_document_is_gone() {
    let scene = mirrored_then(net().version("1.0.0"), made_anew());
    let sums = "terraform-provider-net_1.0.0_SHA256SUMS";
    fs::remove_file(scene.mirrored("net").join(sums)).unwrap();
    is_refused(&scene, [NET]);
    let damaged = digests(&scene);
    verify(&scene, &["--fix"]).expect_code(10);
    assert_eq!(digests(&scene), damaged);
}

#[test]
fn platforms_that_are_published_later_are_taken() {
    let first = net().version("1.0.0").platforms([LINUX]);
    let scene = mirrored_then(first, net().version("1.0.0"));
    scene.mirror(["--platform", OTHER, NET]).expect_code(0);
    verify(&scene, &["--require-signature"]).expect_code(0);
}

#[test]
fn document_that_lists_less_does_not_take_the_place_of_one_that_proves_more() {
    let mut scene = Scene::of([net().version("1.0.0")]);
    scene.mirror([NET]).expect_code(0);
    become_registry(&mut scene, net().version("1.0.0").platforms([OTHER]));
    scene.mirror(["--platform", OTHER, NET]).expect_code(0);
    verify(&scene, &["--require-signature"]).expect_code(0);

    let first = net().version("1.0.0").platforms([LINUX]);
    let scene = mirrored_then(first, net().version("1.0.0").platforms([OTHER]));
    let before = digests(&scene);
    let outcome = scene.mirror(["--platform", OTHER, NET]).expect_code(10);
    let words = "the source no longer lists the file";
    assert!(outcome.stderr.contains(words), "{outcome}");
    assert_eq!(digests(&scene), before);
}

#[test]
fn fix_leaves_an_archive_that_fits_its_evidence_whatever_another_document_says() {
    let scene = mirrored_then(net().version("1.0.0"), made_anew());
    scene
        .cx
        .run(["mirror", "--to", "other", "--platform", OTHER, NET])
        .expect_code(0);
    for name in ["SHA256SUMS", "SHA256SUMS.sig"] {
        let name = format!("terraform-provider-net_1.0.0_{name}");
        let other = scene
            .cx
            .work()
            .join(format!("other/{HOST}/acme/net/{name}"));
        fs::copy(other, scene.mirrored("net").join(name)).unwrap();
    }
    let before = digests(&scene);
    let outcome = verify(&scene, &["--fix"]).expect_code(10);
    let hint = "hint: the release was made anew";
    assert!(outcome.stderr.contains(hint), "{outcome}");
    let left = problems(&verify(&scene, &["--json"]));
    assert_eq!(left, [format!("mismatch 1.0.0 {LINUX}")]);
    assert_eq!(digests(&scene), before);
    is_refused(&scene, ["--platform", OTHER, NET]);
}

#[test]
fn it_is_taken_once_the_evidence_is_deleted() {
    let scene = mirrored_then(net().version("1.0.0"), made_anew());
    fs::remove_file(archive(&scene)).unwrap();
    is_refused(&scene, [NET]);
    let evidence = "terraform-provider-net_1.0.0_evidence.json";
    fs::remove_file(scene.mirrored("net").join(evidence)).unwrap();
    scene.mirror([NET]).expect_code(0);
    verify(&scene, &[]).expect_code(0);
}
