//! `login` by the browser, and `logout`.

use std::fs;

use serde_json::json;

use super::login_scene::{LoginScene, TOKEN};
use super::scene::shows;
use crate::support::oauth::{TOKEN_PATH, browse, redirect_of};
use crate::support::{Outcome, registry::paths};

/// The outcome with what is random in the URL replaced.
fn without_random(scene: &LoginScene, outcome: &Outcome) -> Outcome {
    let mut filtered = scene.cx.filtered(outcome);
    for name in ["code_challenge=", "state=", "localhost%3A", "ssh -L "] {
        let mut pieces = filtered.stderr.split(name);
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let end = piece.find(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c)));
            text = format!(
                "{text}{name}[RANDOM]{}",
                &piece[end.unwrap_or(piece.len())..]
            );
        }
        filtered.stderr = text;
    }
    filtered.stderr = filtered
        .stderr
        .replace("127.0.0.1:[PORT] MACHINE", "127.0.0.1:[RANDOM] MACHINE");
    filtered
}

#[test]
fn login_and_logout_as_one_block() {
    let scene = LoginScene::new();
    let outcome = scene.log_in();
    shows(
        &without_random(&scene, &outcome),
        "code: 0
--- stdout
logged in to `localhost:[PORT]`; the token is kept in `[TEMP]/home/.terraform.d/credentials.tfrc.json`
--- stderr
the token for `localhost:[PORT]` will be kept in `[TEMP]/home/.terraform.d/credentials.tfrc.json`
log in to `localhost:[PORT]` at this address:
http://localhost:[PORT]/authz?tenant=a%20b&client_id=provender+tests%2F1&code_challenge=[RANDOM]&code_challenge_method=S256&redirect_uri=http%3A%2F%2Flocalhost%3A[RANDOM]%2Flogin&response_type=code&scope=one+two&state=[RANDOM]
if the browser is on another machine, run `ssh -L [RANDOM]:127.0.0.1:[RANDOM] MACHINE` there before, or paste here the `http://localhost:[PORT]/login?...` address that it ends at
",
    );
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with(TOKEN)
    );
    let host = scene.host();
    shows(
        &scene.run(["logout", &host]),
        "code: 0
--- stdout
removed the token for `localhost:[PORT]` from `[TEMP]/home/.terraform.d/credentials.tfrc.json`; at the host it stays good
--- stderr
",
    );
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        "{\n  \"credentials\": {}\n}"
    );
    shows(
        &scene.run(["logout", &host]),
        "code: 0\n--- stdout\nno token for `localhost:[PORT]` was stored\n--- stderr\n",
    );
}

#[test]
fn token_of_a_login_opens_the_registry_and_logout_closes_it() {
    let scene = LoginScene::new();
    scene.mirror().expect_code(4);
    scene.log_in();
    scene.mirror().expect_code(0);
    let outcome = scene.run(["auth", "token", &scene.host()]).expect_code(0);
    assert_eq!(
        (outcome.stdout, outcome.stderr),
        (format!("{TOKEN}\n"), String::new())
    );
    scene.run(["logout", &scene.host()]).expect_code(0);
    fs::remove_dir_all(scene.cx.work().join("mirror")).unwrap();
    scene.mirror().expect_code(4);
    scene.run(["auth", "token", &scene.host()]).expect_code(4);
}

#[test]
fn page_tells_success_only_after_the_token_is_kept() {
    let scene = LoginScene::new();
    let login = scene.cx.converse(scene.login_arguments([]));
    let page = browse(&login.url());
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("<h1>Logged in</h1>"),
        "{page}"
    );
    assert!(scene.file().exists());
    login.wait().expect_code(0);
}

#[test]
fn page_tells_that_the_exchange_failed() {
    let scene = LoginScene::new();
    let refused = crate::support::Reply::json(&json!({
        "error": "invalid_client", "error_description": "<b>who are you</b>"
    }));
    scene
        .registry
        .route(&format!("POST {TOKEN_PATH}"), refused.with_status(401));
    let login = scene.cx.converse(scene.login_arguments([]));
    let page = browse(&login.url());
    assert!(
        page.starts_with("HTTP/1.1 400") && page.contains("<h1>Not logged in</h1>"),
        "{page}"
    );
    assert!(
        page.contains("cannot get a token") && !page.contains("<b>"),
        "{page}"
    );
    let outcome = login.wait().expect_code(4);
    assert!(
        outcome
            .stderr
            .contains("`invalid_client` (in its own words: <b>who are you</b>)"),
        "{outcome}"
    );
    assert!(!scene.file().exists());
}

#[test]
fn error_callback_ends_the_login_with_its_reason() {
    let scene = LoginScene::new();
    scene.oauth.refuse("access_denied");
    let login = scene.cx.converse(scene.login_arguments([]));
    let page = browse(&login.url());
    assert!(
        page.starts_with("HTTP/1.1 400") && page.contains("access_denied"),
        "{page}"
    );
    let outcome = login.wait().expect_code(4);
    assert!(
        outcome
            .stderr
            .contains("does not allow the login: `access_denied` (in its own words: not today[2J)"),
        "{outcome}"
    );
}

#[test]
fn pasted_address_does_for_a_browser_elsewhere() {
    let scene = LoginScene::new();
    let mut login = scene.cx.converse(scene.login_arguments([]));
    let callback = redirect_of(&login.url());
    login.say("");
    login.say("http://localhost:1/login?code=c&state=s");
    login.line(|line| line.contains("what was pasted is not used"));
    login.say(&callback);
    login.wait().expect_code(0);
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with(TOKEN)
    );
}

#[test]
fn end_of_standard_input_does_not_end_the_wait() {
    let scene = LoginScene::new();
    let mut login = scene.cx.converse(scene.login_arguments([]));
    let url = login.url();
    login.hush();
    assert!(browse(&url).starts_with("HTTP/1.1 200"));
    login.wait().expect_code(0);
}

#[test]
fn wait_ends_after_its_time() {
    let scene = LoginScene::new();
    let login = scene.cx.converse(scene.login_arguments(["--timeout", "1"]));
    let outcome = login.wait().expect_code(4);
    assert!(
        outcome
            .stderr
            .contains("no answer came back from the browser within 1 second"),
        "{outcome}"
    );
    assert!(outcome.stderr.contains("`--timeout SECONDS`"), "{outcome}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_wait_at_once() {
    let scene = LoginScene::new();
    let login = scene.cx.converse(scene.login_arguments([]));
    login.url();
    login.interrupt();
    login.wait().expect_code(130);
}

#[cfg(unix)]
#[test]
fn browser_is_started_with_the_url_and_without_secrets() {
    use std::os::unix::fs::PermissionsExt;

    let mut scene = LoginScene::new();
    let (script, pipe) = (scene.cx.path("browser"), scene.cx.path("seen"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let text = format!(
        "#!/bin/sh\n{{ echo \"$@\"; env; }} > '{}'\n",
        pipe.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    scene
        .cx
        .env("BROWSER", format!("{} --new-window", script.display()));
    scene.cx.env("TF_TOKEN_other_example", "hunter2");
    let login = scene.cx.converse(["login", &scene.host()]);
    let url = login.url();
    let seen = fs::read_to_string(&pipe).unwrap();
    assert!(seen.starts_with(&format!("--new-window {url}\n")), "{seen}");
    assert!(
        seen.contains("HOME=") && !seen.contains("hunter2") && !seen.contains("TF_TOKEN"),
        "{seen}"
    );
    browse(&url);
    login.wait().expect_code(0);
}

#[test]
fn json_tells_where_the_token_is() {
    let scene = LoginScene::new();
    scene.oauth.answer(&json!({ "expires_in": 3600 }));
    let login = scene.cx.converse(scene.login_arguments(["--json"]));
    browse(&login.url());
    let outcome = login.wait().expect_code(0);
    let document = outcome.json();
    assert_eq!(document["command"], "login");
    let row = &document["credentials"][0];
    assert_eq!(row["host"], scene.host());
    assert_eq!(row["source"], "file");
    assert_eq!(row["place"], scene.file().to_str().unwrap());
    assert!(row["expires_at"].as_u64().unwrap() > 1_700_000_000, "{row}");
    assert!(!outcome.to_string().contains(TOKEN), "{outcome}");
}

#[test]
fn login_finds_its_services_in_a_host_block() {
    let scene = LoginScene::new();
    let login = scene.oauth.login();
    let (authz, token) = (
        login["authz"].as_str().unwrap(),
        scene.registry.url(TOKEN_PATH),
    );
    let config = format!(
        "host \"registry.example.test\" {{\n  services = {{\n    \"login.v1\" = {{\n      client = \"{}\"\n      authz = \"{authz}\"\n      token = \"{token}\"\n      scopes = [\"one\", \"two\"]\n    }}\n  }}\n}}\n",
        crate::support::oauth::CLIENT,
    );
    fs::write(scene.cx.home().join(".terraformrc"), config).unwrap();
    let login = scene
        .cx
        .converse(["login", "registry.example.test", "--no-browser"]);
    assert!(browse(&login.url()).starts_with("HTTP/1.1 200"));
    login.wait().expect_code(0);
    assert!(
        fs::read_to_string(scene.file())
            .unwrap()
            .contains("\"registry.example.test\"")
    );
    assert_eq!(scene.registry.requests_for(paths::DISCOVERY).len(), 0);
}
