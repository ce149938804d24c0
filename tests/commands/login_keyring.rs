//! Refresh tokens in the system's keyring.

use std::fs;

use serde_json::json;

use super::login_scene::{LoginScene, TOKEN};
use crate::support::oauth::{TOKEN_PATH, browse};
use crate::support::{Conversation, Outcome, desktop};

/// `provender` with arguments, in a session that has the keyring.
fn start(scene: &LoginScene, arguments: &str) -> Option<Conversation> {
    let script = format!("exec '{}' {arguments}", env!("CARGO_BIN_EXE_provender"));
    desktop::session(&scene.cx, &script).map(Conversation::start)
}

fn run(scene: &LoginScene, arguments: &str) -> Outcome {
    let mut started = start(scene, arguments).expect("sessions can be had");
    started.hush();
    started.wait()
}

#[test]
fn refresh_token_lies_in_the_keyring_and_renews_from_there() {
    let scene = LoginScene::new();
    let host = scene.host();
    scene.oauth.answer(&json!({
        "access_token": "old-token", "expires_in": 60, "refresh_token": "refresh-1",
    }));
    let Some(login) = start(&scene, &format!("login {host} --no-browser")) else {
        return;
    };
    browse(&login.url());
    login.wait().expect_code(0);
    let record = || fs::read_to_string(scene.sessions()).unwrap();
    assert!(!record().contains("refresh-1"), "{}", record());

    scene
        .oauth
        .answer(&json!({ "access_token": TOKEN, "expires_in": 60 }));
    let wanted = format!("{host}/acme/net");
    let arguments = format!("mirror --to=mirror --platform=linux_amd64 {wanted}");
    let outcome = run(&scene, &arguments).expect_code(0);
    assert!(!outcome.to_string().contains("refresh-1"), "{outcome}");
    assert_eq!(scene.registry.requests_for(TOKEN_PATH).len(), 2);
    assert!(!record().contains("refresh-1"), "{}", record());

    // It goes with the login.
    run(&scene, &format!("logout {host}")).expect_code(0);
    assert!(!record().contains(&host), "{}", record());
}
