//! Trust on first use of signing keys, and the policy for expired ones.

use std::fs;

use serde_json::json;

use super::scene::{HOST, Scene, shows};
use super::verify_mirror::problems;
use crate::support::signing::Signer;
use crate::support::{ProviderSpec, TestRegistry};

const OLD: &str = "registry.example.test/acme/net@1.0.0";
const NEW: &str = "registry.example.test/acme/net@2.0.0";

/// `acme/net` 1.0.0 by the publisher and 2.0.0 by a stranger, whose key the registry lists, after the publisher's if
/// `announced`.
fn taken_over(announced: bool) -> ProviderSpec {
    let stranger = Signer::stranger();
    let key = json!({ "key_id": stranger.key_id(), "ascii_armor": stranger.armor() });
    let all = move |document: &mut serde_json::Value, keeps_old: bool| {
        let keys = document["signing_keys"]["gpg_public_keys"]
            .as_array_mut()
            .unwrap();
        if !keeps_old {
            keys.clear();
        }
        keys.push(key.clone());
    };
    let (of_old, of_new) = (all.clone(), all);
    let net = ProviderSpec::new("acme/net").version("1.0.0");
    let net = net.edit_download(move |document| {
        if announced {
            of_old(document, true);
        }
    });
    net.version("2.0.0")
        .signing(crate::support::Signing::Stranger)
        .edit_download(move |document| of_new(document, false))
}

#[test]
fn key_that_the_mirror_does_not_know_is_refused_until_it_is_accepted() {
    let scene = Scene::of([taken_over(false)]);
    scene.mirror([OLD]).expect_code(0);
    let refused = scene.mirror([NEW]);
    assert_eq!(refused.code, 10, "{refused}");
    assert!(
        refused.stderr.contains("it is signed by key `"),
        "{refused}"
    );
    assert!(
        refused
            .stderr
            .contains("and the mirror knows the provider by `"),
        "{refused}"
    );
    assert!(
        refused.stderr.contains("with `--accept-new-keys`"),
        "{refused}"
    );
    assert_eq!(scene.downloads("acme/net", "2.0.0"), 0);
    assert!(
        !scene
            .names(&format!("mirror/{HOST}"))
            .iter()
            .any(|name| name.contains("2.0.0"))
    );
    scene.mirror(["--accept-new-keys", NEW]).expect_code(0);
    // From now on the key is known.
    let path = scene
        .mirrored("net")
        .join("terraform-provider-net_2.0.0_linux_amd64.zip");
    fs::remove_file(path).unwrap();
    scene.mirror([NEW]).expect_code(0);
    scene
        .cx
        .run(["verify", "--mirror", "mirror"])
        .expect_code(0);
}

#[test]
fn key_that_an_earlier_version_announced_is_known() {
    let scene = Scene::of([taken_over(true)]);
    scene.mirror([OLD]).expect_code(0);
    scene.mirror([NEW]).expect_code(0);
    scene
        .cx
        .run(["verify", "--mirror", "mirror"])
        .expect_code(0);
}

#[test]
fn first_use_trusts_every_key_of_that_run() {
    let scene = Scene::of([taken_over(false)]);
    scene.mirror([OLD, NEW]).expect_code(0);
    scene
        .cx
        .run(["verify", "--mirror", "mirror"])
        .expect_code(0);
}

#[test]
fn evidence_that_does_not_say_whom_it_trusts_is_judged_by_earlier_versions() {
    let scene = Scene::of([taken_over(false)]);
    scene.mirror([OLD, NEW]).expect_code(0);
    for version in ["1.0.0", "2.0.0"] {
        let name = format!("terraform-provider-net_{version}_evidence.json");
        let mut evidence = scene.mirror_json(&name);
        evidence.as_object_mut().unwrap().remove("trusted_keys");
        fs::write(scene.mirrored("net").join(name), evidence.to_string()).unwrap();
    }
    let outcome = scene.cx.run(["verify", "--mirror", "mirror", "--json"]);
    assert_eq!(
        (problems(&outcome), outcome.code),
        (vec!["changed-key 2.0.0 -".to_owned()], 10)
    );
}

#[test]
fn unreadable_evidence_is_no_first_use() {
    let scene = Scene::of([taken_over(false)]);
    scene.mirror([OLD]).expect_code(0);
    let name = "terraform-provider-net_1.0.0_evidence.json";
    fs::write(scene.mirrored("net").join(name), "{ mine").unwrap();
    scene.mirror([NEW]).expect_code(1);
}

#[test]
fn key_of_another_registry_for_the_same_version_is_refused() {
    let mut scene = Scene::of([ProviderSpec::new("acme/net").version("1.0.0")]);
    scene.mirror([OLD]).expect_code(0);
    let stranger = Signer::stranger();
    let key = json!([{ "key_id": stranger.key_id(), "ascii_armor": stranger.armor() }]);
    let registry = TestRegistry::of([ProviderSpec::new("acme/net")
        .version("1.0.0")
        .signing(crate::support::Signing::Stranger)
        .edit_download(move |document| document["signing_keys"]["gpg_public_keys"] = key.clone())]);
    scene.cx.config(&registry.host_block(HOST));
    scene.registry = registry;
    scene
        .mirror(["--platform", "darwin_arm64", OLD])
        .expect_code(10);
}

#[test]
fn expired_keys_are_as_good_as_the_user_says() {
    let expired = Signer::expired();
    let key = json!([{ "key_id": expired.key_id(), "ascii_armor": expired.armor() }]);
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .signing(crate::support::Signing::Expired)
        .edit_download(move |document| document["signing_keys"]["gpg_public_keys"] = key.clone());
    let mut scene = Scene::of([net]);
    scene.cx.filter(expired.key_id(), "[EXPIRED]");
    let warning = "warning: `registry.example.test/acme/net` 1.0.0 for `linux_amd64` is signed by key `[EXPIRED]`, which has expired\n";
    scene.root([("acme/net", "1.0.0")]);
    let cases = [
        (&[][..], 0, false),
        (&["--expired-keys", "accept"], 0, false),
        (&["--expired-keys", "warn"], 0, true),
        (&["--expired-keys", "reject"], 10, false),
        (&["--tool", "tofu"], 0, true),
        (&["--tool", "tofu", "--expired-keys", "accept"], 0, false),
    ];
    for (more, code, warns) in cases {
        for verb in [&["install"][..], &["mirror", "--to", "mirror", OLD]] {
            for place in [".terraform", ".terraform.lock.hcl", "mirror"] {
                let path = scene.cx.work().join(place);
                _ = fs::remove_dir_all(&path);
                _ = fs::remove_file(&path);
            }
            let usual = ["--no-cache", "--platform", "linux_amd64"];
            let outcome = scene.cx.run(verb.iter().chain(&usual).chain(more));
            assert_eq!(outcome.code, code, "{verb:?} {more:?}\n{outcome}");
            assert_eq!(
                outcome.stderr.contains(warning),
                warns,
                "{verb:?} {more:?}\n{outcome}"
            );
        }
    }
    scene.mirror([OLD]).expect_code(0);
    for (more, code, warns) in cases {
        let usual = ["verify", "--mirror", "mirror"];
        let outcome = scene.cx.run(usual.iter().chain(more));
        assert_eq!(outcome.code, code, "{more:?}\n{outcome}");
        assert_eq!(
            outcome.stderr.contains("which has expired"),
            warns,
            "{more:?}\n{outcome}"
        );
    }
    let outcome = scene.cx.run([
        "verify",
        "--mirror",
        "mirror",
        "--expired-keys",
        "reject",
        "--json",
    ]);
    assert_eq!(problems(&outcome), ["expired-key 1.0.0 -"]);
    scene.cx.env("OPENTOFU_ENFORCE_GPG_EXPIRATION", "true");
    let outcome = scene
        .cx
        .run(["--tool", "tofu", "verify", "--mirror", "mirror"]);
    assert_eq!(outcome.code, 10, "{outcome}");
}

#[test]
fn signature_can_be_required() {
    let scene = Scene::usual();
    scene.mirror([OLD]).expect_code(0);
    let outcome = scene.cx.run([
        "mirror",
        "--from",
        "mirror",
        "--to",
        "copy",
        "--platform",
        "linux_amd64",
        OLD,
    ]);
    outcome.expect_code(0);
    shows(
        &scene.cx.run(["verify", "--mirror", "copy"]),
        "code: 0\n--- stdout\nverified 1 package (1.3 KiB, 1 unauthenticated), nothing wrong\n--- stderr\n",
    );
    let outcome = scene.cx.run([
        "verify",
        "--mirror",
        "copy",
        "--require-signature",
        "--json",
    ]);
    assert_eq!(
        (problems(&outcome), outcome.code),
        (vec!["unsigned 1.0.0 linux_amd64".to_owned()], 10)
    );
}
