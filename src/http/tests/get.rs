//! Documents: what is sent, what comes back, and which bodies are refused.

use std::time::Duration;

use super::server::{Reaction, Server, client, options};
use crate::failure::{ExitCode, Failure};
use crate::http::{
    Client, ClientOptions, GetRequest, HttpError, Overflow, PostRequest, TransportKind,
};

const CAP: u64 = 10;

#[tokio::test]
async fn answer_has_status_headers_and_body() {
    let server = Server::start(|_, _| {
        Reaction::answer(
            404,
            &["Content-Type: text/plain", "X-Terraform-Get: ./a"],
            "none",
        )
    })
    .await;
    let mut request = GetRequest::new(server.url("/a?b=c"), CAP);
    request.accept = Some("application/json");
    request.headers = vec![("X-Terraform-Version", "1.2.3".to_owned())];
    let answer = client().get(&request).await.unwrap();
    assert_eq!(
        (answer.status, answer.is_success(), answer.tries),
        (404, false, 1)
    );
    assert_eq!(answer.final_url, server.url("/a?b=c"));
    assert_eq!(answer.content_type.as_deref(), Some("text/plain"));
    assert_eq!(answer.content_length, Some(4));
    assert_eq!(answer.header("x-terraform-get"), Some("./a"));
    assert_eq!(
        (answer.body.as_slice(), answer.token_sent),
        (&b"none"[..], false)
    );
    let sent = &server.requests()[0];
    for line in [
        "get /a?b=c http/1.1\r\n",
        "\r\naccept: application/json\r\n",
        "\r\naccept-encoding: identity\r\n",
        "\r\nx-terraform-version: 1.2.3\r\n",
        concat!(
            "\r\nuser-agent: provender/",
            env!("CARGO_PKG_VERSION"),
            "\r\n"
        ),
    ] {
        assert!(sent.contains(line), "{line:?} is not in {sent:?}");
    }
    assert!(!sent.contains("authorization"));
}

#[tokio::test]
async fn body_of_exactly_the_cap_is_fine() {
    let server = Server::start(|_, _| Reaction::answer(200, &[], "0123456789")).await;
    let answer = client()
        .get(&GetRequest::new(server.url("/"), CAP))
        .await
        .unwrap();
    assert_eq!(answer.body, b"0123456789");
}

#[tokio::test]
async fn refuses_body_that_announces_more_than_the_cap() {
    let server = Server::start(|_, _| Reaction::cut(200, &[], b"", 11).then_hang()).await;
    for overflow in [Overflow::Refuse, Overflow::Cut] {
        let request = GetRequest {
            overflow,
            ..GetRequest::new(server.url("/"), CAP)
        };
        let error = client().get(&request).await.unwrap_err();
        assert!(
            matches!(error, HttpError::TooLarge { cap: CAP, .. }),
            "{error}"
        );
        assert_eq!(error.exit_code(), ExitCode::Remote);
    }
}

#[tokio::test]
async fn body_that_never_ends_is_refused_or_cut() {
    let server = Server::start(|_, _| Reaction::endless(&[], &[b'x'; 999]).then_hang()).await;
    let mut request = GetRequest::new(server.url("/"), CAP);
    let error = client().get(&request).await.unwrap_err();
    assert!(matches!(error, HttpError::TooLarge { .. }), "{error}");
    request.overflow = Overflow::Cut;
    assert_eq!(client().get(&request).await.unwrap().body, [b'x'; 10]);
}

#[tokio::test]
async fn error_status_is_not_hidden_by_its_body() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::answer(404, &[], [b'x'; 99]),
        1 => Reaction::answer(404, &["Content-Encoding: gzip"], "??"),
        _ => Reaction::cut(404, &[], b"", 5),
    })
    .await;
    for body in [&b"xxxxxxxxxx"[..], b"", b""] {
        let answer = client()
            .get(&GetRequest::new(server.url("/"), CAP))
            .await
            .unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (404, body));
    }
}

#[tokio::test]
async fn refuses_content_encoding() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::answer(200, &["Content-Encoding: identity"], "plain"),
        _ => Reaction::answer(200, &["Content-Encoding: gzip"], "bomb"),
    })
    .await;
    let request = GetRequest::new(server.url("/"), CAP);
    assert_eq!(client().get(&request).await.unwrap().body, b"plain");
    let error = client().get(&request).await.unwrap_err();
    assert!(
        matches!(&error, HttpError::ContentEncoding { encoding, .. } if encoding == "gzip"),
        "{error}"
    );
}

#[tokio::test]
async fn silent_server_is_left_after_the_stall_time_out() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::raw("").then_hang(),
        _ => Reaction::cut(200, &[], b"half", 8).then_hang(),
    })
    .await;
    let limits = ClientOptions {
        connect_timeout: Duration::from_millis(50),
        stall_timeout: Duration::from_millis(50),
        ..options()
    };
    let client = Client::new(limits).unwrap();
    for _ in 0..2 {
        let error = client
            .get(&GetRequest::new(server.url("/"), CAP))
            .await
            .unwrap_err();
        assert_eq!(error.transport_kind(), Some(TransportKind::Stalled));
    }
}

#[tokio::test]
async fn document_as_a_whole_has_a_time_limit() {
    let server = Server::start(|_, _| Reaction::raw("").then_hang()).await;
    let limits = ClientOptions {
        request_timeout: Some(Duration::from_millis(50)),
        ..options()
    };
    let request = GetRequest::new(server.url("/"), CAP);
    let error = Client::new(limits)
        .unwrap()
        .get(&request)
        .await
        .unwrap_err();
    assert_eq!(error.transport_kind(), Some(TransportKind::TimedOut));
    assert!(error.hints()[0].contains("TF_REGISTRY_CLIENT_TIMEOUT"));
}

#[tokio::test]
async fn refused_connection_says_so_without_repeating_the_url() {
    // A port that was free a moment ago and that nobody listens on.
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let url = format!("http://{free}/a?signature=secret").parse().unwrap();
    let error = client().get(&GetRequest::new(url, CAP)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("no complete answer from `http://{free}/a?signature=***`")
    );
    let cause = std::error::Error::source(&error).unwrap();
    assert_eq!(cause.to_string(), "the connection was refused");
    let words = cause.source().unwrap().to_string();
    assert!(
        !words.contains("http") && words.contains("refused"),
        "{words}"
    );
    assert_eq!(error.exit_code(), ExitCode::Remote);
}

#[tokio::test]
async fn unknown_host_is_told_as_such() {
    // A label of 64 letters: the resolver refuses it without asking anybody.
    let url = format!("http://{}/", "a".repeat(64)).parse().unwrap();
    let error = client().get(&GetRequest::new(url, CAP)).await.unwrap_err();
    assert_eq!(error.transport_kind(), Some(TransportKind::Dns));
}

#[tokio::test]
async fn refuses_other_schemes_and_header_injection() {
    let ftp = GetRequest::new("ftp://example.com/".parse().unwrap(), CAP);
    let error = client().get(&ftp).await.unwrap_err();
    assert!(matches!(error, HttpError::UnsupportedScheme { .. }));
    let mut split = GetRequest::new("http://127.0.0.1/".parse().unwrap(), CAP);
    split.headers = vec![("x-a", "b\r\nx-c: d".to_owned())];
    let error = client().get(&split).await.unwrap_err();
    assert!(matches!(error, HttpError::BadHeader { name } if name == "x-a"));
}

#[tokio::test]
async fn user_information_becomes_basic_authentication() {
    let server = Server::start(|_, _| Reaction::answer(200, &[], "")).await;
    let mut url = server.url("/");
    url.set_username("user").unwrap();
    url.set_password(Some("pw")).unwrap();
    client().get(&GetRequest::new(url, CAP)).await.unwrap();
    assert!(server.requests()[0].contains("\r\nauthorization: basic dxnlcjpwdw==\r\n"));
}

#[tokio::test]
async fn posted_form_is_sent_once_and_redirects_are_answers() {
    let server = Server::start(|_, _| Reaction::redirect("/elsewhere?error=denied")).await;
    let fields = [("code", "a b&c"), ("code_verifier", "v")];
    let request = PostRequest {
        url: server.url("/token?x=1"),
        fields: &fields,
        cap: CAP,
    };
    let answer = client().post_form(&request).await.unwrap();
    assert_eq!(answer.status, 302);
    assert_eq!(answer.header("location"), Some("/elsewhere?error=denied"));
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert!(
        requests[0].starts_with("post /token?x=1 http/1.1\r\n"),
        "{requests:?}"
    );
    assert!(
        requests[0].ends_with("\r\n\r\ncode=a+b%26c&code_verifier=v"),
        "{requests:?}"
    );
}
