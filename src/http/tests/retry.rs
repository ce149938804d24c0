//! What is tried again, how often, and what is left in the end.

use super::server::{Reaction, Server, client, hasty};
use crate::http::{GetRequest, HttpError, TransportKind};

#[tokio::test]
async fn passing_statuses_are_tried_again() {
    for status in [429, 500, 502, 503, 504] {
        let server = Server::start(move |number, _| match number {
            0 => Reaction::answer(status, &["Retry-After: 0"], ""),
            _ => Reaction::answer(200, &[], "ok"),
        })
        .await;
        let request = GetRequest {
            retry: hasty(1),
            ..GetRequest::new(server.url("/"), 10)
        };
        let answer = client().get(&request).await.unwrap();
        assert_eq!((answer.status, answer.tries), (200, 2), "{status}");
    }
}

#[tokio::test]
async fn wait_of_a_year_is_not_waited_for() {
    let server = Server::start(|_, _| Reaction::answer(429, &["Retry-After: 31536000"], "")).await;
    let request = GetRequest {
        retry: hasty(3),
        ..GetRequest::new(server.url("/"), 10)
    };
    let answer = client().get(&request).await.unwrap();
    assert_eq!((answer.status, answer.tries), (429, 1));
}

#[tokio::test]
async fn lasting_statuses_are_answers_at_once() {
    for status in [204, 400, 401, 403, 404, 410, 501] {
        let server = Server::start(move |_, _| Reaction::answer(status, &[], "")).await;
        let request = GetRequest {
            retry: hasty(3),
            ..GetRequest::new(server.url("/"), 10)
        };
        let answer = client().get(&request).await.unwrap();
        assert_eq!((answer.status, answer.tries), (status, 1));
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn status_after_the_last_try_is_the_answer() {
    let server = Server::start(|_, _| Reaction::answer(503, &[], "busy")).await;
    let request = GetRequest {
        retry: hasty(2),
        ..GetRequest::new(server.url("/"), 10)
    };
    let answer = client().get(&request).await.unwrap();
    assert_eq!(
        (answer.status, answer.tries, answer.body),
        (503, 3, b"busy".to_vec())
    );
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn cut_body_is_tried_again() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::cut(200, &[], b"ha", 5),
        _ => Reaction::answer(200, &[], "whole"),
    })
    .await;
    let request = GetRequest {
        retry: hasty(1),
        ..GetRequest::new(server.url("/"), 10)
    };
    assert_eq!(client().get(&request).await.unwrap().body, b"whole");
}

#[tokio::test]
async fn giving_up_tells_the_number_of_tries_and_the_last_cause() {
    let server = Server::start(|_, _| Reaction::cut(200, &[], b"ha", 5)).await;
    let request = GetRequest {
        retry: hasty(2),
        ..GetRequest::new(server.url("/"), 10)
    };
    let error = client().get(&request).await.unwrap_err();
    let expected = format!(
        "no complete answer from `{}` after 3 tries",
        server.url("/")
    );
    assert_eq!(error.to_string(), expected);
    assert!(
        matches!(&error, HttpError::Transport { source, .. } if source.kind() == TransportKind::Cut),
        "{error:?}"
    );
}

#[tokio::test]
async fn connection_closed_without_an_answer_is_tried_again() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::raw(""),
        _ => Reaction::answer(200, &[], "ok"),
    })
    .await;
    let request = GetRequest {
        retry: hasty(1),
        ..GetRequest::new(server.url("/"), 10)
    };
    assert_eq!(client().get(&request).await.unwrap().body, b"ok");
}

#[tokio::test]
async fn too_large_body_is_not_tried_again() {
    let server = Server::start(|_, _| Reaction::answer(200, &[], [b'x'; 11])).await;
    let request = GetRequest {
        retry: hasty(3),
        ..GetRequest::new(server.url("/"), 10)
    };
    client().get(&request).await.unwrap_err();
    assert_eq!(server.requests().len(), 1);
}
