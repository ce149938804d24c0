//! Tokens that expire: renewed before use where the server allows it, told of where not.

use std::fs;

use serde_json::{Value, json};

use super::login_scene::{LoginScene, TOKEN};
use crate::support::oauth::TOKEN_PATH;

/// Logs in with a token that is about to expire, and whose successor is the one that the registry demands.
fn about_to_expire(members: &Value) -> LoginScene {
    let scene = LoginScene::new();
    scene
        .oauth
        .answer(&json!({ "access_token": "old-token", "expires_in": 60 }));
    scene.oauth.answer(members);
    scene.log_in();
    scene
        .oauth
        .answer(&json!({ "access_token": TOKEN, "expires_in": 3600 }));
    scene
}

fn exchanges(scene: &LoginScene) -> usize {
    scene.registry.requests_for(TOKEN_PATH).len()
}

#[test]
fn token_is_renewed_before_it_is_used_too_late() {
    let scene = about_to_expire(&json!({ "refresh_token": "refresh-1" }));
    // The tools' file holds the token alone.
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with("old-token")
    );
    scene.oauth.answer(&json!({ "refresh_token": "refresh-1" }));
    let outcome = scene.mirror().expect_code(0);
    for secret in ["refresh-1", "old-token", TOKEN] {
        assert!(!outcome.to_string().contains(secret), "{secret}\n{outcome}");
    }
    assert_eq!(exchanges(&scene), 2);
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with(TOKEN)
    );
    // The new one is good for an hour.
    scene.mirror().expect_code(0);
    assert_eq!(exchanges(&scene), 2);
}

#[cfg(unix)]
#[test]
fn record_of_logins_is_the_owners_alone_and_goes_with_the_login() {
    use std::os::unix::fs::PermissionsExt;

    let scene = about_to_expire(&json!({ "refresh_token": "refresh-1" }));
    let mode = scene.sessions().metadata().unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode, 0o600);
    let text = fs::read_to_string(scene.sessions()).unwrap();
    assert!(!text.contains("old-token"), "{text}");
    scene.run(["logout", &scene.host()]).expect_code(0);
    let text = fs::read_to_string(scene.sessions()).unwrap();
    assert!(
        !text.contains("refresh-1") && !text.contains(&scene.host()),
        "{text}"
    );
}

#[test]
fn token_that_cannot_be_renewed_is_told_of() {
    for members in [json!({}), json!({ "refresh_token": "refresh-1" })] {
        let scene = about_to_expire(&members);
        // A refresh token that the server no longer knows is as good as none.
        scene.oauth.answer(&json!({ "refresh_token": "refresh-2" }));
        let outcome = scene.mirror().expect_code(4);
        let advice = format!("log in again with `provender login {}`", "localhost:[PORT]");
        assert!(outcome.stderr.contains(&advice), "{outcome}");
    }
}

#[test]
fn token_of_another_origin_is_left_alone() {
    let scene = about_to_expire(&json!({ "refresh_token": "refresh-1" }));
    // Somebody logged in by the tool itself meanwhile.
    scene.write_file(&scene.file_with(TOKEN));
    scene.mirror().expect_code(0);
    assert_eq!(exchanges(&scene), 1);
}

#[test]
fn server_out_of_reach_leaves_the_old_token() {
    let scene = about_to_expire(&json!({ "refresh_token": "refresh-1" }));
    scene
        .registry
        .fault(&format!("POST {TOKEN_PATH}"), crate::support::Fault::HangUp);
    let outcome = scene.mirror().expect_code(4);
    assert!(
        outcome.stderr.contains("cannot be renewed now"),
        "{outcome}"
    );
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with("old-token")
    );
}
