//! Tokens that the user has: from standard input, or pasted from a page of the host.

use std::fs;

use serde_json::json;

use super::login_scene::{LoginScene, TOKEN};
use crate::support::oauth::{CLIENT, TOKEN_PATH};
use crate::support::{Outcome, Reply};

const ACCOUNT: &str = "/api/v2/account/details";

fn say(scene: &LoginScene, arguments: &[&str], line: &str) -> Outcome {
    let host = scene.host();
    let arguments = ["login", &host]
        .into_iter()
        .chain(arguments.iter().copied());
    let mut login = scene.cx.converse(arguments);
    login.say(line);
    login.hush();
    login.wait()
}

/// A host with the API of HCP Terraform that knows one token.
fn with_account(scene: &LoginScene) {
    scene.announce_all(&json!({ "tfe.v2": "/api/v2/" }));
    scene.registry.route_fn(ACCOUNT, |request| {
        let expected = format!("Bearer {TOKEN}");
        if request.header("authorization") != Some(expected.as_str()) {
            return Reply::status(401);
        }
        Reply::json(&json!({ "data": { "attributes": { "username": "ann\u{1b}[2Ja" } } }))
    });
}

#[test]
fn token_from_standard_input_is_kept_trimmed() {
    let scene = LoginScene::new();
    let outcome = say(&scene, &["--token-stdin"], &format!("  {TOKEN} \r")).expect_code(0);
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with(TOKEN)
    );
    assert!(!outcome.to_string().contains(TOKEN), "{outcome}");
}

#[test]
fn empty_or_broken_token_is_refused() {
    let scene = LoginScene::new();
    for line in ["", "   ", "a\u{7}b"] {
        let outcome = say(&scene, &["--token-stdin"], line).expect_code(4);
        assert!(outcome.stderr.contains("is no token"), "{outcome}");
    }
    assert!(!scene.file().exists());
}

#[test]
fn token_from_standard_input_needs_no_network_but_uses_it() {
    let scene = LoginScene::new();
    with_account(&scene);
    let outcome = say(&scene, &["--token-stdin"], "wrong").expect_code(4);
    assert!(
        outcome.stderr.contains("does not accept the token (401)"),
        "{outcome}"
    );
    assert!(!scene.file().exists());
    say(&scene, &["--token-stdin", "--offline"], "wrong").expect_code(0);
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with("wrong")
    );
    let outcome = say(&scene, &["--token-stdin"], TOKEN).expect_code(0);
    assert!(outcome.stdout.contains("as `ann[2Ja`"), "{outcome}");
}

#[test]
fn host_with_a_token_page_has_the_token_pasted_and_checked() {
    let scene = LoginScene::new();
    with_account(&scene);
    let host = scene.host();
    let page = format!("https://{host}/app/settings/tokens?source=terraform-login");
    let outcome = say(&scene, &["--no-browser"], "wrong").expect_code(4);
    assert!(outcome.stderr.lines().any(|line| line == page), "{outcome}");
    let outcome = say(&scene, &["--no-browser"], TOKEN).expect_code(0);
    assert!(!outcome.to_string().contains(TOKEN), "{outcome}");
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with(TOKEN)
    );
}

#[test]
fn way_to_log_in_is_chosen_as_by_the_tools() {
    let scene = LoginScene::new();
    let good = scene.oauth.login();
    for (services, code, part) in [
        (json!({ "login.v2": good }), 12, "`login.v2`"),
        (
            json!({ "login.v1": { "authz": "/a" }, "tfe.v2": "/api/v2/" }),
            4,
            "has no `client`",
        ),
        (
            json!({ "login.v1": { "authz": "/a" } }),
            13,
            "has no `client`",
        ),
        (json!({ "tfe.v3": "/api" }), 12, "`tfe.v3`"),
        (json!({ "tfe.v2": { "x": 1 } }), 12, "`tfe.v2`"),
        (json!({ "tfe.v2": "ftp://x/" }), 13, "scheme"),
        (
            json!({ "modules.v1": "/m/" }),
            12,
            "offers no way to log in",
        ),
        (json!({}), 12, "offers no way to log in"),
        (
            json!({ "login.v1": { "client": "c", "token": "/t", "grant_types": ["password"] }, "tfe.v2": "/api/v2/" }),
            13,
            "no supported way to log in, but `password`",
        ),
    ] {
        scene.announce_all(&services);
        let outcome = say(&scene, &["--no-browser"], "").expect_code(code);
        assert!(outcome.stderr.contains(part), "{services}\n{outcome}");
    }
}

#[test]
fn login_without_network_is_a_usage_error() {
    let scene = LoginScene::new();
    let outcome = scene
        .run(["login", &scene.host(), "--offline"])
        .expect_code(2);
    assert!(outcome.stderr.contains("`--offline`"), "{outcome}");
    let outcome = scene.run(["login", "https://example.com"]).expect_code(2);
    assert!(outcome.stderr.contains("https://example.com"), "{outcome}");
}

/// `app.terraform.io` and another host, both with the password grant alone, in host blocks.
fn with_password_grant(scene: &LoginScene) {
    let token = scene.registry.url(TOKEN_PATH);
    let block = |host: &str| {
        format!(
            "host \"{host}\" {{\n  services = {{\n    \"login.v1\" = {{\n      client = \"{CLIENT}\"\n      grant_types = [\"password\"]\n      token = \"{token}\"\n      scopes = [\"one\", \"two\"]\n    }}\n  }}\n}}\n"
        )
    };
    let blocks = ["app.terraform.io", "other.example.test"].map(block);
    fs::write(scene.cx.home().join(".terraformrc"), blocks.concat()).unwrap();
}

#[test]
fn password_is_given_to_one_host_alone() {
    let scene = LoginScene::new();
    with_password_grant(&scene);
    scene.oauth.account("ann", "pass word&1");
    let ask = |host: &str, password: &str| {
        let mut login = scene.cx.converse(["login", host]);
        login.say(" ann ");
        login.say(password);
        login.hush();
        login.wait()
    };
    let wrong = ask("app.terraform.io", "guess").expect_code(4);
    assert!(wrong.stderr.contains("`invalid_grant`"), "{wrong}");
    assert!(!scene.file().exists());
    let right = ask("app.terraform.io", "pass word&1").expect_code(0);
    assert!(fs::read_to_string(scene.file()).unwrap().contains(TOKEN));
    for outcome in [&wrong, &right] {
        for secret in [TOKEN, "guess", "pass word", "pass+word"] {
            assert!(!outcome.to_string().contains(secret), "{outcome}");
        }
    }
    let sent = scene.registry.requests_for(TOKEN_PATH).len();
    let other = ask("other.example.test", "pass word&1").expect_code(13);
    assert!(other.stderr.contains("`password`"), "{other}");
    assert_eq!(scene.registry.requests_for(TOKEN_PATH).len(), sent);
}

#[test]
fn token_that_is_not_whole_or_no_text_is_refused() {
    let scene = LoginScene::new();
    // Just more than is taken, so that the pipe holds the rest.
    let long = "a".repeat((64 << 10) + 10);
    let outcome = say(&scene, &["--token-stdin"], &long).expect_code(4);
    assert!(outcome.stderr.contains("is no token"), "{outcome}");
    assert!(!scene.file().exists());
    say(&scene, &["--token-stdin"], &format!("\u{feff}{TOKEN}")).expect_code(0);
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with(TOKEN)
    );
}

#[test]
fn wait_for_another_edit_can_be_interrupted() {
    let scene = LoginScene::new();
    let dir = scene.cx.home().join(".terraform.d");
    fs::create_dir_all(&dir).unwrap();
    let path = dir.join(".credentials.tfrc.json.provender.lock");
    let held = fs::File::create(path).unwrap();
    held.lock().unwrap();
    let host = scene.host();
    let mut login = scene.cx.converse(["login", &host, "--token-stdin"]);
    login.say(TOKEN);
    login.line(|line| line.contains("waiting for another process"));
    login.interrupt();
    login.wait().expect_code(130);
    drop(held);
    assert!(!scene.file().exists());
}

#[test]
fn proxy_that_is_none_is_told_and_not_shown() {
    let mut scene = LoginScene::new();
    for odd in ["http://[bad", "ftp://u:hunter2@proxy.example:21"] {
        scene.cx.env("HTTPS_PROXY", odd);
        let outcome = scene.mirror().expect_code(1);
        let told = outcome.stderr.contains("`HTTPS_PROXY` names no proxy");
        assert!(told && !outcome.stderr.contains("hunter2"), "{outcome}");
    }
}
