//! Redirects, and who gets the token.

use super::server::{Reaction, Server, client};
use crate::http::{GetRequest, HttpError};
use crate::secret::Secret;

const TOKEN: &str = "authorization: bearer s3cret";

#[tokio::test]
async fn token_follows_redirects_within_its_realm() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::redirect("/b"),
        _ => Reaction::answer(200, &[], "ok"),
    })
    .await;
    let secret = Secret::new("s3cret");
    let mut request = GetRequest::new(server.url("/a"), 10);
    request.bearer = Some(&secret);
    let answer = client().get(&request).await.unwrap();
    assert_eq!(answer.final_url, server.url("/b"));
    assert!(answer.token_sent);
    assert!(server.requests().iter().all(|sent| sent.contains(TOKEN)));
}

#[tokio::test]
async fn token_is_dropped_for_another_port_and_stays_dropped() {
    let back = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
    let location = std::sync::Arc::clone(&back);
    let other = Server::start(move |_, _| Reaction::redirect(location.get().unwrap())).await;
    let away = other.url("/").to_string();
    let home = Server::start(move |number, _| match number {
        0 => Reaction::redirect(&away),
        _ => Reaction::answer(401, &[], ""),
    })
    .await;
    back.set(home.url("/again").to_string()).unwrap();
    let secret = Secret::new("s3cret");
    let mut request = GetRequest::new(home.url("/"), 10);
    request.bearer = Some(&secret);
    let answer = client().get(&request).await.unwrap();
    assert_eq!((answer.status, answer.token_sent), (401, false));
    let (at_home, elsewhere) = (home.requests(), other.requests());
    assert!(at_home[0].contains(TOKEN));
    assert!(!elsewhere[0].contains("authorization"));
    assert!(!at_home[1].contains("authorization"));
}

#[tokio::test]
async fn refuses_redirects_without_end() {
    let server = Server::start(|number, _| Reaction::redirect(&format!("/{number}"))).await;
    let mut request = GetRequest::new(server.url("/a"), 10);
    request.max_redirects = 3;
    let error = client().get(&request).await.unwrap_err();
    assert_eq!(server.requests().len(), 4);
    let host = server.url("");
    assert_eq!(
        error.to_string(),
        format!("more than 3 redirects: `{host}a`, `{host}0`, `{host}1`, `{host}2`, `{host}3`")
    );
}

#[tokio::test]
async fn as_many_redirects_as_allowed_are_followed() {
    let server = Server::start(|number, _| match number {
        0..3 => Reaction::redirect("next"),
        _ => Reaction::answer(200, &[], "end"),
    })
    .await;
    let mut request = GetRequest::new(server.url("/a/b"), 10);
    request.max_redirects = 3;
    let answer = client().get(&request).await.unwrap();
    assert_eq!(
        (answer.final_url, answer.body),
        (server.url("/a/next"), b"end".to_vec())
    );
}

#[tokio::test]
async fn refuses_redirect_to_a_file() {
    let server = Server::start(|_, _| Reaction::redirect("file:///etc/passwd")).await;
    let error = client()
        .get(&GetRequest::new(server.url("/"), 10))
        .await
        .unwrap_err();
    assert!(
        matches!(error, HttpError::InsecureRedirect { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn redirect_status_without_location_is_an_answer() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::answer(302, &[], ""),
        _ => Reaction::answer(304, &["Location: /b"], ""),
    })
    .await;
    for status in [302, 304] {
        let answer = client()
            .get(&GetRequest::new(server.url("/"), 10))
            .await
            .unwrap();
        assert_eq!(answer.status, status);
    }
}
