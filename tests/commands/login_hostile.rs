//! Hosts, servers and strangers that mean no good, and odd files of the user.

use std::fs;
use std::net::TcpListener;

use serde_json::json;

use super::login_scene::{LoginScene, TOKEN};
use crate::support::oauth::{TOKEN_PATH, browse};
use crate::support::registry::paths;
use crate::support::{Fault, Outcome, Reply, TestServer};

/// Logs in with a token endpoint that answers so; the login must fail.
fn with_token_answer(scene: &LoginScene, reply: Reply) -> Outcome {
    scene.registry.route(&format!("POST {TOKEN_PATH}"), reply);
    let login = scene.cx.converse(scene.login_arguments(["-vv"]));
    let page = browse(&login.url());
    assert!(page.contains("Not logged in"), "{page}");
    let outcome = login.wait();
    assert!(!scene.file().exists(), "{outcome}");
    outcome
}

#[test]
fn trailing_comma_in_the_discovery_document_is_named() {
    let scene = LoginScene::new();
    let body = "{\n  \"login.v1\": {\n    \"client\": \"c\",\n    \"authz\": \"/a\",\n    \"token\": \"/t\",\n  }\n}\n";
    let reply = Reply::body(body).header("Content-Type", "application/json");
    scene.registry.route(paths::DISCOVERY, reply);
    let outcome = scene.run(["login", &scene.host()]).expect_code(13);
    assert!(
        outcome
            .stderr
            .contains("there is a trailing comma in line 5"),
        "{outcome}"
    );
}

#[test]
fn all_ports_busy_is_told_before_any_browser() {
    let scene = LoginScene::new();
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = busy.local_addr().unwrap().port();
    let mut login = scene.oauth.login();
    login["ports"] = json!([port, port]);
    scene.announce(&login);
    let outcome = scene
        .run(["login", &scene.host(), "--no-browser"])
        .expect_code(1);
    assert!(
        outcome
            .stderr
            .contains(&format!("no port from {port} to {port} can be listened on")),
        "{outcome}"
    );
    assert!(!outcome.stderr.contains("code_challenge"), "{outcome}");
}

#[test]
fn callback_of_a_stranger_neither_logs_in_nor_ends_the_login() {
    let scene = LoginScene::new();
    let login = scene.cx.converse(scene.login_arguments([]));
    let url = login.url();
    let port = url
        .split("localhost%3A")
        .nth(1)
        .unwrap()
        .split('%')
        .next()
        .unwrap();
    for (target, status) in [
        ("login?code=theirs&state=guessed", "400"),
        ("login?error=access_denied&state=guessed", "400"),
        ("login?error=access_denied", "400"),
        ("", "404"),
        ("favicon.ico", "404"),
    ] {
        let answer = browse(&format!("http://localhost:{port}/{target}"));
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{target}\n{answer}"
        );
    }
    assert!(browse(&url).starts_with("HTTP/1.1 200"));
    login.wait().expect_code(0);
    assert_eq!(
        fs::read_to_string(scene.file()).unwrap(),
        scene.file_with(TOKEN)
    );
}

#[test]
fn redirect_at_the_token_endpoint_is_not_followed() {
    let scene = LoginScene::new();
    let other = TestServer::empty();
    other.route("/steal", Reply::json(&json!({ "access_token": "stolen" })));
    for status in [302, 307, 308] {
        let reply = Reply::redirect(&other.url("/steal")).with_status(status);
        let outcome = with_token_answer(&scene, reply).expect_code(13);
        assert!(
            outcome.stderr.contains("redirects instead of answering"),
            "{outcome}"
        );
    }
    assert_eq!(other.requests().len(), 0);
    let reply =
        Reply::redirect("http://localhost:1/login?error=invalid_grant&error_description=too+late");
    let outcome = with_token_answer(&scene, reply).expect_code(4);
    assert!(
        outcome
            .stderr
            .contains("`invalid_grant` (in its own words: too late)"),
        "{outcome}"
    );
}

#[test]
fn page_and_flood_instead_of_a_token_are_refused_and_not_shown() {
    let scene = LoginScene::new();
    let page = Reply::body("<html>hunter2</html>").header("Content-Type", "text/html");
    let outcome = with_token_answer(&scene, page).expect_code(13);
    assert!(
        outcome
            .stderr
            .contains("something else than a token response"),
        "{outcome}"
    );
    assert!(!outcome.stderr.contains("hunter2"), "{outcome}");
    let flood = Reply::body(vec![b' '; (1 << 20) + 1]).header("Content-Type", "application/json");
    let outcome = with_token_answer(&scene, flood.chunked()).expect_code(13);
    assert!(
        outcome
            .stderr
            .contains("more than the allowed 1048576 bytes"),
        "{outcome}"
    );
}

#[test]
fn endless_token_response_is_cut_off() {
    let scene = LoginScene::new();
    let fault = Fault::Endless {
        first: "{".into(),
        then: vec![b' '; 4096].into(),
    };
    scene.registry.fault(&format!("POST {TOKEN_PATH}"), fault);
    let login = scene.cx.converse(scene.login_arguments([]));
    browse(&login.url());
    login.wait().expect_code(13);
}

#[test]
fn token_that_would_break_headers_is_not_kept() {
    let scene = LoginScene::new();
    let reply = Reply::json(&json!({ "access_token": "a\r\nX-Evil: 1" }));
    let outcome = with_token_answer(&scene, reply).expect_code(13);
    assert!(outcome.stderr.contains("control characters"), "{outcome}");
}

#[test]
fn endpoints_in_the_clear_and_of_other_schemes_are_refused() {
    let scene = LoginScene::new();
    for (authz, token) in [
        ("http://idp.example/a", "/t"),
        ("/a", "http://idp.example/t"),
        ("javascript:alert(1)", "/t"),
        ("https://u:hunter2@idp.example/a", "/t"),
    ] {
        scene.announce(&json!({ "client": "c", "authz": authz, "token": token }));
        let outcome = scene
            .run(["login", &scene.host(), "--no-browser"])
            .expect_code(13);
        assert!(!outcome.stderr.contains("code_challenge"), "{outcome}");
        assert!(!outcome.stderr.contains("hunter2"), "{outcome}");
    }
}

#[test]
fn odd_credentials_file_is_refused_before_the_login_and_never_lost() {
    let scene = LoginScene::new();
    for text in [
        "{\"credentials\":",
        "[]",
        "{\"credentials\":{}} x",
        "{\"credentials\":null}",
    ] {
        scene.write_file(text);
        let outcome = scene
            .run(["login", &scene.host(), "--no-browser"])
            .expect_code(1);
        assert!(
            outcome.stderr.contains("cannot edit the credentials file"),
            "{outcome}"
        );
        assert_eq!(fs::read_to_string(scene.file()).unwrap(), text);
    }
    assert_eq!(scene.registry.requests().len(), 0);
}

#[test]
fn nothing_of_a_login_shows_its_secrets() {
    let scene = LoginScene::new();
    scene
        .oauth
        .answer(&json!({ "refresh_token": "refresh-hunter2", "expires_in": 3600 }));
    let login = scene.cx.converse(scene.login_arguments(["-vv"]));
    let callback = crate::support::oauth::redirect_of(&login.url());
    browse(&callback);
    let outcome = login.wait().expect_code(0);
    let code = callback.split("code=").nth(1).unwrap();
    for secret in [TOKEN, "refresh-hunter2", code, "code+/"] {
        assert!(!outcome.to_string().contains(secret), "{secret}\n{outcome}");
    }
    // The verifier goes to the token endpoint alone.
    let request = &scene.registry.requests_for(TOKEN_PATH)[0];
    let body = String::from_utf8_lossy(&request.body).into_owned();
    let verifier = body
        .split("code_verifier=")
        .nth(1)
        .unwrap()
        .split('&')
        .next()
        .unwrap();
    assert!(
        verifier.len() == 43 && !outcome.to_string().contains(verifier),
        "{outcome}"
    );
    for arguments in [
        &["auth", "status", "-vv"][..],
        &["logout", "-vv"],
        &["auth", "status", "--json"],
    ] {
        let host = scene.host();
        let arguments = arguments.iter().copied().chain([host.as_str()]);
        let outcome = scene.cx.run(arguments);
        assert!(!outcome.to_string().contains(TOKEN), "{outcome}");
    }
}
