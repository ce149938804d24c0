//! Which credentials win, where a login writes, what hides it (facts/login 4.5, 4.7).

use std::fs;

use super::login_scene::{LoginScene, TOKEN};
use super::scene::shows;
use crate::support::Outcome;

fn give(scene: &LoginScene) -> Outcome {
    let host = scene.host();
    let mut login = scene
        .cx
        .converse(["login", &host, "--token-stdin", "--offline"]);
    login.say(TOKEN);
    scene.cx.filtered(&login.wait())
}

fn main_config(scene: &LoginScene, text: &str) {
    fs::write(scene.cx.home().join(".terraformrc"), text).unwrap();
}

#[test]
fn status_tells_which_source_wins_and_no_token() {
    let mut scene = LoginScene::new();
    shows(
        &scene.run(["auth", "status"]),
        "code: 0\n--- stdout\nno credentials are configured\n--- stderr\n",
    );
    main_config(
        &scene,
        "credentials \"a.example\" {\n  token = \"hunter2\"\n}\ncredentials \"b.example\" {\n}\n",
    );
    scene.write_file("{\"credentials\": {\"c.example\": {\"token\": \"hunter2\"}}}");
    scene.cx.env("TF_TOKEN_c_example", "hunter2");
    scene.cx.env("TF_TOKEN_d_example", "");
    shows(
        &scene.run(["auth", "status"]),
        "code: 0
--- stdout
host       token     source
a.example  yes       `[TEMP]/home/.terraformrc:1`
b.example  unusable  `[TEMP]/home/.terraformrc:4`
c.example  yes       the environment variable `TF_TOKEN_c_example`
d.example  unusable  the environment variable `TF_TOKEN_d_example`
--- stderr
",
    );
    let outcome = scene
        .run(["auth", "status", "--json", "a.example", "x.example"])
        .expect_code(0);
    let document = outcome.json();
    assert_eq!(document["credentials"][0]["source"], "file");
    assert_eq!(document["credentials"][1]["has_token"], false);
    assert!(!outcome.to_string().contains("hunter2"), "{outcome}");
}

#[test]
fn host_configured_by_hand_is_left_to_the_user() {
    let scene = LoginScene::new();
    let host = scene.host();
    main_config(
        &scene,
        &format!("credentials \"{host}\" {{\n  token = \"mine\"\n}}\n"),
    );
    for arguments in [["login", &host], ["logout", &host]] {
        let outcome = scene.run(arguments).expect_code(1);
        assert!(
            outcome
                .stderr
                .contains("are configured by hand in `[TEMP]/home/.terraformrc:1`"),
            "{outcome}"
        );
    }
    assert!(!scene.file().exists());
    // Once the file has the host, the file is edited, and what is left is told.
    scene.write_file(&scene.file_with("old"));
    scene.run(["logout", &host]).expect_code(0);
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        "{\n  \"credentials\": {}\n}"
    );
}

#[test]
fn what_hides_the_new_token_is_told() {
    let mut scene = LoginScene::new();
    let host = scene.host();
    scene.cx.env(format!("TF_TOKEN_{host}"), "old");
    let outcome = give(&scene).expect_code(0);
    assert!(
        outcome.stderr.contains("is set and hides the new token"),
        "{outcome}"
    );
    let outcome = scene.run(["logout", &host]).expect_code(0);
    assert!(
        outcome.stdout.contains("still provides a token"),
        "{outcome}"
    );
    scene.cx.env_remove(&format!("TF_TOKEN_{host}"));
    scene.cx.config("");
    let outcome = give(&scene).expect_code(0);
    assert!(
        outcome
            .stderr
            .contains("`TF_CLI_CONFIG_FILE` is set, so that the tools do not read"),
        "{outcome}"
    );
}

#[test]
fn tofu_keeps_its_tokens_in_its_own_directory() {
    let mut scene = LoginScene::new();
    scene
        .cx
        .env("XDG_CONFIG_HOME", scene.cx.home().join("config"));
    scene.cx.env("PROVENDER_TOOL", "tofu");
    give(&scene).expect_code(0);
    let file = scene
        .cx
        .home()
        .join("config/opentofu/credentials.tfrc.json");
    assert_eq!(fs::read_to_string(&file).unwrap(), scene.file_with(TOKEN));
    assert!(!scene.cx.home().join(".terraform.d").exists());
    // A login for terraform makes the directory that hides that file from tofu.
    scene.cx.env("PROVENDER_TOOL", "terraform");
    let outcome = give(&scene).expect_code(0);
    assert!(
        outcome.stderr.contains("`tofu` no longer reads"),
        "{outcome}"
    );
}

#[cfg(unix)]
#[test]
fn file_and_new_directories_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;

    let scene = LoginScene::new();
    give(&scene).expect_code(0);
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&scene.file()), 0o600);
    assert_eq!(mode(scene.file().parent().unwrap()), 0o700);
    // A link is not followed: what it points to stays as it is.
    let elsewhere = scene.cx.path("elsewhere");
    fs::rename(scene.file(), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, scene.file()).unwrap();
    let before = fs::read(&elsewhere).unwrap();
    let outcome = give(&scene).expect_code(0);
    assert!(outcome.stderr.contains("was a symbolic link"), "{outcome}");
    assert!(scene.file().symlink_metadata().unwrap().is_file());
    assert_eq!(fs::read(&elsewhere).unwrap(), before);
}

#[test]
fn entries_that_the_tools_cannot_read_are_told() {
    let scene = LoginScene::new();
    scene.write_file("{\"credentials\":{\"b.example\":{\"token\":\"u\",\"x\":{\"y\":1}}}}");
    let outcome = give(&scene).expect_code(0);
    assert!(
        outcome
            .stderr
            .contains("the entry of `b.example` holds an object"),
        "{outcome}"
    );
}
