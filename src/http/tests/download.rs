//! Packages: whole, cut, resumed, started over, too long.

use std::sync::Mutex;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::server::{Reaction, Server, client, hasty, options};
use crate::disk::TempFile;
use crate::failure::{ExitCode, Failure};
use crate::hash::Sha256Digest;
use crate::http::{
    Client, ClientOptions, DownloadRequest, Downloaded, HttpError, NoProgress, Progress,
    TransportKind,
};

const BODY: &[u8] = b"0123456789";
const TAG: &str = "ETag: \"one\"";

fn request(server: &Server, retries: u32) -> DownloadRequest {
    DownloadRequest {
        url: server.url("/package.zip"),
        digest: None,
        expected_size: None,
        bearer: None,
        cap: 100,
        max_redirects: 3,
        retry: hasty(retries),
    }
}

async fn run_with(
    client: &Client,
    request: &DownloadRequest,
    progress: &dyn Progress,
) -> Result<(Downloaded, Vec<u8>), HttpError> {
    let root = tempfile::tempdir().unwrap();
    let target = TempFile::create_beside(&root.path().join("package.zip")).unwrap();
    let downloaded = client.download(request, &target, progress).await?;
    Ok((downloaded, std::fs::read(target.path()).unwrap()))
}

async fn run(request: &DownloadRequest) -> Result<(Downloaded, Vec<u8>), HttpError> {
    run_with(&client(), request, &NoProgress).await
}

async fn assert_arrives(request: &DownloadRequest, body: &[u8]) {
    let (downloaded, bytes) = run(request).await.unwrap();
    assert!(bytes == body, "{} bytes on disk", bytes.len());
    assert_eq!(downloaded.size, body.len() as u64);
    // Compared as bytes: how digests print is not the matter here.
    assert_eq!(downloaded.digest.0, <[u8; 32]>::from(Sha256::digest(body)));
}

#[derive(Default)]
struct Recorder {
    /// Bytes that arrived, none for a restart.
    events: Mutex<Vec<Option<u64>>>,
    announced: Mutex<Vec<u64>>,
}

impl Progress for Recorder {
    fn announce(&self, bytes: u64) {
        self.announced.lock().unwrap().push(bytes);
    }

    fn add(&self, bytes: u64) {
        self.events.lock().unwrap().push(Some(bytes));
    }

    fn restart(&self) {
        self.events.lock().unwrap().push(None);
    }
}

impl Recorder {
    /// Bytes before and after each restart.
    fn sums(&self) -> Vec<u64> {
        let events = self.events.lock().unwrap();
        events
            .split(Option::is_none)
            .map(|part| part.iter().flatten().sum())
            .collect()
    }
}

#[tokio::test]
async fn whole_package_arrives_hashed_after_redirects() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::redirect("/real"),
        _ => Reaction::answer(200, &["Content-Type: application/zip"], BODY),
    })
    .await;
    let (downloaded, bytes) = run(&request(&server, 0)).await.unwrap();
    assert_eq!(
        (bytes.as_slice(), downloaded.final_url),
        (BODY, server.url("/real"))
    );
    assert_eq!(downloaded.content_type.as_deref(), Some("application/zip"));
    assert_eq!(downloaded.digest, Sha256Digest(Sha256::digest(BODY).into()));
}

#[tokio::test]
async fn cut_package_is_continued_where_it_ended() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::cut(200, &[TAG], &BODY[..4], 10),
        1 => Reaction::answer(503, &["Retry-After: 0"], ""),
        2 => Reaction::cut(206, &[TAG, "Content-Range: bytes 4-9/10"], &BODY[4..6], 6),
        _ => Reaction::answer(206, &[TAG, "Content-Range: bytes 6-9/10"], &BODY[6..]),
    })
    .await;
    let progress = Recorder::default();
    let (downloaded, bytes) = run_with(&client(), &request(&server, 3), &progress)
        .await
        .unwrap();
    assert_eq!((bytes.as_slice(), downloaded.size), (BODY, 10));
    assert_eq!(downloaded.digest.0, <[u8; 32]>::from(Sha256::digest(BODY)));
    assert_eq!(progress.sums(), [10]);
    let requests = server.requests();
    assert!(!requests[0].contains("\r\nrange:"));
    assert!(
        requests[2].contains("\r\nrange: bytes=4-\r\n"),
        "{requests:?}"
    );
    assert!(
        requests[3].contains("\r\nrange: bytes=6-\r\n"),
        "{requests:?}"
    );
    assert!(
        requests[3].contains("\r\nif-range: \"one\"\r\n"),
        "{requests:?}"
    );
}

#[tokio::test]
async fn changed_package_starts_over() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::cut(200, &[TAG], b"older", 10),
        _ => Reaction::answer(200, &["ETag: \"two\""], BODY),
    })
    .await;
    let progress = Recorder::default();
    let (downloaded, bytes) = run_with(&client(), &request(&server, 1), &progress)
        .await
        .unwrap();
    assert_eq!(bytes, BODY);
    assert_eq!(downloaded.digest.0, <[u8; 32]>::from(Sha256::digest(BODY)));
    assert_eq!(progress.sums(), [5, 10]);
    assert_eq!(*progress.announced.lock().unwrap(), [10, 10]);
}

#[tokio::test]
async fn package_is_not_stitched_from_a_wrong_range() {
    for head in [
        "Content-Range: bytes 3-9/10",
        "Content-Range: bytes 4-9/11",
        "Content-Range: bytes 4-8/10",
        "X-Nothing: here",
    ] {
        let server = Server::start(move |number, _| match number {
            0 => Reaction::cut(200, &[TAG], &BODY[..4], 10),
            1 => Reaction::answer(206, &[head], "xxxxxx"),
            _ => Reaction::answer(200, &[], BODY),
        })
        .await;
        assert_arrives(&request(&server, 2), BODY).await;
        assert!(!server.requests()[2].contains("\r\nrange:"), "{head}");
    }
}

#[tokio::test]
async fn package_is_not_stitched_from_another_tag() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::cut(200, &[TAG], &BODY[..4], 10),
        1 => Reaction::answer(
            206,
            &["ETag: \"two\"", "Content-Range: bytes 4-9/10"],
            "xxxxxx",
        ),
        _ => Reaction::answer(200, &[], BODY),
    })
    .await;
    assert_arrives(&request(&server, 2), BODY).await;
}

#[tokio::test]
async fn unsatisfiable_range_starts_over() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::cut(200, &[TAG], &BODY[..4], 10),
        1 => Reaction::answer(416, &[], ""),
        _ => Reaction::answer(200, &[], BODY),
    })
    .await;
    assert_arrives(&request(&server, 2), BODY).await;
}

#[tokio::test]
async fn package_without_strong_validator_starts_over() {
    for head in ["ETag: W/\"one\"", "X-Nothing: here"] {
        let server = Server::start(move |number, _| match number {
            0 => Reaction::cut(200, &[head], &BODY[..4], 10),
            _ => Reaction::answer(200, &[head], BODY),
        })
        .await;
        assert_arrives(&request(&server, 1), BODY).await;
        assert!(!server.requests()[1].contains("\r\nrange:"), "{head}");
    }
}

#[tokio::test]
async fn package_that_is_always_cut_is_given_up() {
    let server = Server::start(|_, _| Reaction::cut(200, &[], &BODY[..4], 10)).await;
    let error = run(&request(&server, 2)).await.unwrap_err();
    assert!(
        matches!(&error, HttpError::Transport { tries: 3, source, .. } if source.kind() == TransportKind::Cut),
        "{error:?}"
    );
    assert_eq!(
        (server.requests().len(), error.exit_code()),
        (3, ExitCode::Remote)
    );
}

#[tokio::test]
async fn tries_that_come_further_do_not_count() {
    const STEP: usize = 3 << 19;
    let body: Vec<u8> = (0..=250).cycle().take(4 * STEP).collect();
    let sent = body.clone();
    let server = Server::start(move |number, _| {
        let (first, last) = (number * STEP, sent.len() - 1);
        let piece = &sent[first..first + STEP];
        let range = format!("Content-Range: bytes {first}-{last}/{}", sent.len());
        let status = if number == 0 { 200 } else { 206 };
        Reaction::cut(status, &[TAG, &range], piece, sent.len() - first)
    })
    .await;
    let long = DownloadRequest {
        cap: 1 << 30,
        ..request(&server, 1)
    };
    assert_arrives(&long, &body).await;
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn starting_over_to_the_same_point_is_no_step_forward() {
    let server = Server::start(|number, _| match number {
        0..5 => Reaction::cut(200, &[], &vec![0; 3 << 19], 1 << 21),
        _ => Reaction::answer(404, &[], ""),
    })
    .await;
    let long = DownloadRequest {
        cap: 1 << 30,
        ..request(&server, 1)
    };
    let error = run(&long).await.unwrap_err();
    assert_eq!(error.transport_kind(), Some(TransportKind::Cut));
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn silent_server_is_left_after_the_stall_time_out() {
    let server = Server::start(|_, _| Reaction::cut(200, &[], &BODY[..4], 10).then_hang()).await;
    let limits = ClientOptions {
        stall_timeout: Duration::from_millis(50),
        ..options()
    };
    let client = Client::new(limits).unwrap();
    let error = run_with(&client, &request(&server, 1), &NoProgress)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, HttpError::Transport { source, .. } if source.kind() == TransportKind::Stalled),
        "{error:?}"
    );
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn refuses_package_beyond_the_cap_announced_or_not() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::cut(200, &[], b"", 101).then_hang(),
        _ => Reaction::endless(&[], &[0; 9999]).then_hang(),
    })
    .await;
    for _ in 0..2 {
        let error = run(&request(&server, 0)).await.unwrap_err();
        assert!(
            matches!(error, HttpError::TooLarge { cap: 100, .. }),
            "{error}"
        );
    }
}

#[tokio::test]
async fn refuses_package_of_another_size_than_expected() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::cut(200, &[], b"", 11).then_hang(),
        1 => Reaction::answer(200, &[], &BODY[..9]),
        _ => Reaction::endless(&[], b"0123456789a").then_hang(),
    })
    .await;
    let mut request = request(&server, 0);
    request.expected_size = Some(10);
    for got in [11, 9, 11] {
        let error = run(&request).await.unwrap_err();
        assert!(
            matches!(error, HttpError::SizeMismatch { expected: 10, got: seen, .. } if seen == got),
            "{error}"
        );
        assert_eq!(error.exit_code(), ExitCode::Verification);
    }
}

#[tokio::test]
async fn short_package_without_announced_length_is_tried_again() {
    let server = Server::start(|number, _| match number {
        0 => Reaction::endless(&[], &BODY[..4]),
        _ => Reaction::endless(&[], BODY),
    })
    .await;
    let mut request = request(&server, 1);
    request.expected_size = Some(10);
    assert_arrives(&request, BODY).await;
}

#[tokio::test]
async fn refuses_content_encoding() {
    let server =
        Server::start(|_, _| Reaction::answer(200, &["Content-Encoding: gzip"], BODY)).await;
    let error = run(&request(&server, 0)).await.unwrap_err();
    assert!(
        matches!(error, HttpError::ContentEncoding { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn other_statuses_are_errors_at_once() {
    for status in [204, 206, 304, 403, 404, 416, 501] {
        let server = Server::start(move |_, _| Reaction::answer(status, &[], "")).await;
        let error = run(&request(&server, 3)).await.unwrap_err();
        assert!(
            matches!(error, HttpError::UnexpectedStatus { status: seen, tries: 1, .. } if seen == status),
            "{error}"
        );
    }
}

#[tokio::test]
async fn lasting_server_error_tells_status_and_tries() {
    let server = Server::start(|_, _| Reaction::answer(503, &[], "")).await;
    let error = run(&request(&server, 1)).await.unwrap_err();
    let url = server.url("/package.zip");
    assert_eq!(
        error.to_string(),
        format!("`{url}` answers with status 503 after 2 tries")
    );
}
