//! What `terraform` has installed, locked and mirrored is verified without a finding, but for what it does wrong.

use serde_json::Value;

use crate::support::TestRegistry;

use super::scene::{FOREIGN, HOST, IDN_HOST, Scene, current, provider};

/// Kind and version of each problem that a run finds.
fn problems(scene: &Scene, arguments: &[&str]) -> Vec<String> {
    let outcome = scene
        .context
        .run([&["verify", "--json"], arguments].concat());
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let findings = document["findings"].as_array().unwrap();
    let word = |finding: &Value, name: &str| finding[name].as_str().unwrap_or("-").to_owned();
    let told = findings
        .iter()
        .map(|it| format!("{} {}", word(it, "kind"), word(it, "version")));
    told.collect()
}

#[test]
fn installs_locks_and_mirrors_of_terraform_are_healthy() {
    let registry = TestRegistry::of([
        provider("acme/net").version("1.0.0").version("1.2.0"),
        provider("acme/dns").version("2.0.0-beta1"),
    ]);
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    let (net, dns, idn) = (
        format!("{HOST}/acme/net"),
        format!("{HOST}/acme/dns"),
        format!("{IDN_HOST}/acme/net"),
    );
    scene.root(
        "a",
        &[(&net, "1.0.0"), (&dns, "2.0.0-beta1"), (&idn, "1.0.0")],
    );
    scene.init("a");
    let platforms = [current(), FOREIGN[0].to_owned()];
    let options: Vec<String> = platforms
        .iter()
        .map(|it| format!("-platform={it}"))
        .collect();
    let lock = [
        &["providers", "lock"],
        &options.iter().map(String::as_str).collect::<Vec<_>>()[..],
    ];
    scene.terraform("a", &lock.concat()).expect_code(0);
    let mirror = [
        &["providers", "mirror"],
        &options.iter().map(String::as_str).collect::<Vec<_>>()[..],
        &["../mirror"],
    ];
    scene.terraform("a", &mirror.concat()).expect_code(0);
    let of_both: Vec<&str> = platforms.iter().flat_map(|it| ["--platform", it]).collect();
    let lock = "a/.terraform.lock.hcl";
    for arguments in [
        &["--chdir", "a"][..],
        &["--mirror", "mirror"],
        &["--mirror", "mirror", "--quick"],
        &[&["--lock", lock, "--mirror", "mirror"], &of_both[..]].concat(),
        &[&["--lock", lock, "--registry"], &of_both[..]].concat(),
    ] {
        assert_eq!(problems(&scene, arguments), [""; 0], "{arguments:?}");
    }
    // Nothing is signed there.
    let arguments = ["--mirror", "mirror", "--require-signature"];
    assert!(
        problems(&scene, &arguments)
            .iter()
            .all(|it| it.starts_with("unsigned "))
    );
    // Both programs may go on with one mirror.
    scene.provender(&["mirror", &net, "--to", "mirror"]);
    assert_eq!(problems(&scene, &["--mirror", "mirror"]), [""; 0]);
    scene.terraform("a", &mirror.concat()).expect_code(0);
    assert_eq!(problems(&scene, &["--mirror", "mirror"]), [""; 0]);
}

#[test]
fn what_terraform_does_wrong_to_a_mirror_is_named() {
    let registry = TestRegistry::of([
        provider("acme/net").version("1.3.0-Beta1"),
        provider("acme/dns").version("1.0.0").tampered(),
    ]);
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    let [net, dns] = ["net", "dns"].map(|ty| format!("{HOST}/acme/{ty}"));
    scene.root("a", &[(&net, "1.3.0-Beta1")]);
    scene.terraform("a", &["providers", "mirror", "../mirror"]);
    assert_eq!(
        problems(&scene, &["--mirror", "mirror"]),
        ["lower-cased 1.3.0-Beta1"]
    );
    scene.root("b", &[(&dns, "1.0.0")]);
    scene
        .terraform("b", &["providers", "mirror", "../poisoned"])
        .expect_code(1);
    assert_eq!(problems(&scene, &["--mirror", "poisoned"]), ["leftover -"]);
    assert_eq!(
        problems(&scene, &["--mirror", "poisoned", "--fix"]),
        ["leftover -"]
    );
    assert_eq!(problems(&scene, &["--mirror", "poisoned"]), [""; 0]);
}
