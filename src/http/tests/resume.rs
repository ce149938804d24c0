//! Packages whose beginning an earlier run has left.

use std::io::Write;

use sha2::{Digest, Sha256};

use super::server::{Reaction, Server, client, hasty};
use crate::disk::TempFile;
use crate::hash::Sha256Digest;
use crate::http::{DownloadRequest, Downloaded, HttpError, NoProgress};

const BODY: &[u8] = b"0123456789";

fn request(server: &Server, retries: u32) -> DownloadRequest {
    DownloadRequest {
        url: server.url("/package.zip"),
        digest: Some(Sha256Digest(Sha256::digest(BODY).into())),
        expected_size: None,
        bearer: None,
        cap: 100,
        max_redirects: 3,
        retry: hasty(retries),
    }
}

/// Downloads into a file that holds `left` already.
async fn run(request: &DownloadRequest, left: &[u8]) -> Result<(Downloaded, Vec<u8>), HttpError> {
    let root = tempfile::tempdir().unwrap();
    let mut target = TempFile::create_beside(&root.path().join("package.zip")).unwrap();
    target.write_all(left).unwrap();
    let downloaded = client().download(request, &target, &NoProgress).await?;
    Ok((downloaded, std::fs::read(target.path()).unwrap()))
}

async fn assert_arrives(request: &DownloadRequest, left: &[u8]) {
    let (downloaded, bytes) = run(request, left).await.unwrap();
    assert_eq!(bytes, BODY);
    assert_eq!(Some(downloaded.digest), request.digest);
    assert_eq!(downloaded.size, 10);
}

#[tokio::test]
async fn rest_alone_is_asked_for() {
    let server =
        Server::start(|_, _| Reaction::answer(206, &["Content-Range: bytes 4-9/10"], &BODY[4..]))
            .await;
    assert_arrives(&request(&server, 0), &BODY[..4]).await;
    let asked = &server.requests()[0];
    assert!(asked.contains("\r\nrange: bytes=4-\r\n"), "{asked}");
    assert!(!asked.contains("if-range"), "{asked}");
}

#[tokio::test]
async fn whole_package_is_not_asked_for() {
    let server = Server::start(|_, _| Reaction::answer(404, &[], "")).await;
    assert_arrives(&request(&server, 0), BODY).await;
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn server_without_ranges_sends_all_of_it() {
    let server = Server::start(|_, _| Reaction::answer(200, &[], BODY)).await;
    assert_arrives(&request(&server, 0), b"left").await;
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn rest_that_does_not_go_with_the_beginning_is_fetched_with_it() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::answer(206, &["Content-Range: bytes 4-9/10"], &BODY[4..]),
        _ => Reaction::answer(200, &[], BODY),
    })
    .await;
    assert_arrives(&request(&server, 0), b"bad!").await;
    assert!(!server.requests()[1].contains("\r\nrange:"));
}

#[tokio::test]
async fn wrong_and_refused_ranges_start_over() {
    for reaction in [
        Reaction::answer(206, &["Content-Range: bytes 3-9/10"], "xxxxxxx"),
        Reaction::answer(206, &["Content-Range: bytes 4-8/10"], "xxxxx"),
        Reaction::answer(416, &["Content-Range: bytes */3"], ""),
    ] {
        let reaction = std::sync::Mutex::new(Some(reaction));
        let server = Server::start(move |_, _| {
            let first = reaction.lock().unwrap().take();
            first.unwrap_or_else(|| Reaction::answer(200, &[], BODY))
        })
        .await;
        assert_arrives(&request(&server, 1), &BODY[..4]).await;
        assert!(!server.requests()[1].contains("\r\nrange:"));
    }
}

#[tokio::test]
async fn more_than_there_can_be_is_thrown_away() {
    let server = Server::start(|_, _| Reaction::answer(200, &[], BODY)).await;
    let mut request = request(&server, 0);
    request.expected_size = Some(10);
    assert_arrives(&request, b"0123456789a").await;
    assert!(!server.requests()[0].contains("\r\nrange:"));
}

#[tokio::test]
async fn another_package_in_its_place_is_told_by_its_digest() {
    let server = Server::start(|_, _| Reaction::answer(200, &[], "other")).await;
    let (downloaded, bytes) = run(&request(&server, 0), &BODY[..4]).await.unwrap();
    assert_eq!(bytes, b"other");
    assert_ne!(Some(downloaded.digest), request(&server, 0).digest);
}

#[tokio::test]
async fn continued_package_is_cut_and_continued_again() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::cut(
            206,
            &["ETag: \"one\"", "Content-Range: bytes 4-9/10"],
            &BODY[4..6],
            6,
        ),
        _ => Reaction::answer(
            206,
            &["ETag: \"one\"", "Content-Range: bytes 6-9/10"],
            &BODY[6..],
        ),
    })
    .await;
    assert_arrives(&request(&server, 1), &BODY[..4]).await;
    assert!(server.requests()[1].contains("\r\nif-range: \"one\"\r\n"));
}
