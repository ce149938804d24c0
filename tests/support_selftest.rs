//! The fake registry is honest where it should be, and misbehaves exactly as told.

/// What is tested here.
pub mod support;

use std::time::Duration;

use pgp::composed::{Deserializable, DetachedSignature, SignedPublicKey};
use reqwest::{Certificate, Client, Response, StatusCode};
use serde_json::Value;
use support::registry::paths;
use support::server::Transport;
use support::{
    Dialect, Fault, ProviderSpec, Reply, Signing, TestContext, TestRegistry, TestServer, Urls,
    When, archive, tree, vectors,
};

const NET: &str = "acme/net";
const LINUX: &str = "linux_amd64";

/// A client that trusts only what `SSL_CERT_FILE` would make it trust.
fn client(server: &TestServer) -> Client {
    // An error says that another test of this process was first.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let pem = std::fs::read(server.ca_file()).expect("the CA file is there");
    Client::builder()
        .no_proxy()
        .tls_certs_only([Certificate::from_pem(&pem).expect("the CA file is PEM")])
        .build()
        .expect("the settings fit")
}

async fn get(server: &TestServer, path: &str) -> Response {
    client(server)
        .get(server.url(path))
        .send()
        .await
        .expect("the server answers")
}

async fn get_json(server: &TestServer, path: &str) -> Value {
    serde_json::from_slice(
        &get(server, path)
            .await
            .bytes()
            .await
            .expect("the body is whole"),
    )
    .expect("the body is JSON")
}

async fn get_range(server: &TestServer, path: &str, range: &str, if_range: &str) -> Response {
    let request = client(server)
        .get(server.url(path))
        .header("Range", range)
        .header("If-Range", if_range);
    request.send().await.expect("the server answers")
}

/// A server with one file of 1000 different bytes, and these bytes.
fn with_file() -> (TestServer, Vec<u8>) {
    let body: Vec<u8> = (0_u32..1000)
        .map(|number| u8::try_from(number % 251).expect("it is less than 251"))
        .collect();
    let server = TestServer::empty();
    server.route("/file", Reply::file("application/zip", body.clone()));
    (server, body)
}

#[tokio::test]
async fn registry_answers_by_the_protocol() {
    let registry = TestRegistry::of([ProviderSpec::new(NET)
        .version("1.0.0")
        .version("1.1.0-Beta1+b1")]);
    assert_eq!(
        get_json(&registry, paths::DISCOVERY).await["providers.v1"],
        "/v1/providers/"
    );

    let versions = get_json(&registry, &paths::versions(NET)).await;
    assert_eq!(versions["versions"][1]["version"], "1.1.0-Beta1+b1");
    assert_eq!(versions["versions"][0]["platforms"][1]["arch"], "arm64");

    let metadata = get_json(&registry, &paths::download(NET, "1.0.0", LINUX)).await;
    let archive = get(&registry, metadata["download_url"].as_str().unwrap())
        .await
        .bytes()
        .await
        .unwrap();
    assert_eq!(archive, registry.archive_bytes(NET, "1.0.0", LINUX));
    assert_eq!(
        format!("zh:{}", metadata["shasum"].as_str().unwrap()),
        archive::zh(&archive)
    );

    let strange = paths::archive(NET, "1.1.0-Beta1+b1", LINUX).replace('+', "%2B");
    assert_eq!(get(&registry, &strange).await.status(), StatusCode::OK);
    assert_eq!(registry.requests_for(&paths::versions(NET)).len(), 1);
    assert_eq!(
        registry.request_lines()[0],
        "GET /.well-known/terraform.json"
    );
}

#[tokio::test]
async fn signatures_are_what_their_names_say() {
    for (signing, good) in [
        (Signing::Publisher, true),
        (Signing::OtherDocument, false),
        (Signing::Stranger, false),
        (Signing::Armored, false),
        (Signing::Garbage, false),
    ] {
        let registry = TestRegistry::of([ProviderSpec::new(NET).signing(signing).version("1.0.0")]);
        let metadata = get_json(&registry, &paths::download(NET, "1.0.0", LINUX)).await;
        let armor = metadata["signing_keys"]["gpg_public_keys"][0]["ascii_armor"]
            .as_str()
            .unwrap();
        let (key, _headers) = SignedPublicKey::from_string(armor).unwrap();
        let sums = get(&registry, &paths::sums(NET, "1.0.0"))
            .await
            .bytes()
            .await
            .unwrap();
        let signature = get(&registry, &paths::signature(NET, "1.0.0"))
            .await
            .bytes()
            .await
            .unwrap();
        let verified =
            DetachedSignature::from_bytes(&*signature).and_then(|sig| sig.verify(&key, &sums));
        assert_eq!(verified.is_ok(), good, "{signing:?}");
    }
}

#[tokio::test]
async fn odd_releases_are_odd_in_one_respect_only() {
    let registry = TestRegistry::builder()
        .provider(
            ProviderSpec::new(NET)
                .warning("moved")
                .only_listed("not a version")
                .version("1.0.0")
                .tampered()
                .version("1.1.0")
                .wrong_shasum()
                .version("1.2.0")
                .unpublished("darwin_arm64")
                .version("1.3.0")
                .archive(LINUX, &b"no zip"[..])
                .version("1.4.0")
                .signing(Signing::NoKeys),
        )
        .dialect(Dialect::OpenTofu)
        .urls(Urls::Absolute)
        .start();
    let versions = get_json(&registry, &paths::versions(NET)).await;
    assert_eq!(versions["warnings"][0], "moved");
    assert_eq!(versions["versions"].as_array().unwrap().len(), 6);

    let tampered = get(&registry, &paths::archive(NET, "1.0.0", LINUX))
        .await
        .bytes()
        .await
        .unwrap();
    assert_ne!(archive::zh(&tampered), registry.zh(NET, "1.0.0", LINUX));
    let metadata = get_json(&registry, &paths::download(NET, "1.0.0", LINUX)).await;
    assert_eq!(
        metadata["packages"][LINUX]["hashes"][0],
        registry.zh(NET, "1.0.0", LINUX)
    );
    assert_eq!(
        metadata["packages"][LINUX]["hashes"][1],
        registry.h1(NET, "1.0.0", LINUX)
    );
    assert_eq!(metadata["packages"][LINUX]["package_size"], tampered.len());
    assert!(
        metadata["download_url"]
            .as_str()
            .unwrap()
            .starts_with(&registry.base_url())
    );

    let metadata = get_json(&registry, &paths::download(NET, "1.1.0", LINUX)).await;
    assert_eq!(metadata["shasum"], "0".repeat(64));
    let missing = get(&registry, &paths::download(NET, "1.2.0", "darwin_arm64")).await;
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
    let hostile = get(&registry, &paths::archive(NET, "1.3.0", LINUX))
        .await
        .bytes()
        .await
        .unwrap();
    assert_eq!(hostile, &b"no zip"[..]);
    let unsigned = get_json(&registry, &paths::download(NET, "1.4.0", LINUX)).await;
    assert_eq!(
        unsigned["signing_keys"]["gpg_public_keys"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
}

#[tokio::test]
async fn token_guards_the_api_but_not_the_files() {
    let registry = TestRegistry::builder()
        .provider(ProviderSpec::new(NET).version("1.0.0"))
        .bearer_token("secret")
        .downloads_elsewhere()
        .start();
    assert_eq!(
        get(&registry, &paths::versions(NET)).await.status(),
        StatusCode::UNAUTHORIZED
    );
    let request = client(&registry)
        .get(registry.url(&paths::download(NET, "1.0.0", LINUX)))
        .bearer_auth("secret");
    let metadata: Value =
        serde_json::from_slice(&request.send().await.unwrap().bytes().await.unwrap()).unwrap();
    let url = metadata["download_url"].as_str().unwrap();
    assert!(url.starts_with(&registry.downloads().numeric_url()));
    let archive = client(&registry)
        .get(url)
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    assert_eq!(archive, registry.archive_bytes(NET, "1.0.0", LINUX));
}

#[tokio::test]
async fn ranges_are_served_only_for_the_same_file() {
    let (server, body) = with_file();
    let etag = get(&server, "/file").await.headers()["etag"]
        .to_str()
        .unwrap()
        .to_owned();

    let part = get_range(&server, "/file", "bytes=400-", &etag).await;
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.headers()["content-range"], "bytes 400-999/1000");
    assert_eq!(part.bytes().await.unwrap(), body[400..]);
    assert_eq!(
        get_range(&server, "/file", "bytes=-10", &etag)
            .await
            .bytes()
            .await
            .unwrap(),
        body[990..]
    );
    assert_eq!(
        get_range(&server, "/file", "bytes=1000-", &etag)
            .await
            .status(),
        StatusCode::RANGE_NOT_SATISFIABLE
    );
    assert_eq!(
        get_range(&server, "/file", "bytes=400-", "\"other\"")
            .await
            .status(),
        StatusCode::OK
    );

    server.fault_when("/file", When::Nth(1), Fault::NoRanges);
    server.fault_when("/file", When::Nth(2), Fault::WrongRange);
    server.fault_when("/file", When::From(3), Fault::Changed(vec![7; 1000].into()));
    assert_eq!(
        get_range(&server, "/file", "bytes=400-", &etag)
            .await
            .status(),
        StatusCode::OK
    );
    let wrong = get_range(&server, "/file", "bytes=400-", &etag).await;
    assert_eq!(wrong.headers()["content-range"], "bytes 399-999/1000");
    assert_eq!(wrong.bytes().await.unwrap(), body[399..]);
    let changed = get_range(&server, "/file", "bytes=400-", &etag).await;
    assert_eq!(
        (changed.status(), changed.bytes().await.unwrap().len()),
        (StatusCode::OK, 1000)
    );
}

#[tokio::test]
async fn broken_bodies_are_noticed_by_the_client() {
    for after in [0, 100, 1000] {
        let (server, body) = with_file();
        server.fault_when("/file", When::Nth(1), Fault::Reset { after });
        server.fault_when(
            "/file",
            When::Nth(2),
            Fault::Cut {
                after: after.min(999),
            },
        );
        let reset = client(&server).get(server.url("/file")).send().await;
        if let Ok(response) = reset {
            assert_eq!(response.content_length(), Some(1000));
            assert!(after == 1000 || response.bytes().await.is_err(), "{after}");
        }
        let cut = get(&server, "/file").await;
        assert_eq!(cut.content_length(), Some(1000));
        assert!(cut.bytes().await.is_err(), "{after}");
        assert_eq!(get(&server, "/file").await.bytes().await.unwrap(), body);
    }
    let (server, _) = with_file();
    server.fault("/file", Fault::HangUp);
    assert!(
        client(&server)
            .get(server.url("/file"))
            .send()
            .await
            .is_err()
    );
}

#[tokio::test]
async fn stalled_bodies_go_on_when_released() {
    let (server, body) = with_file();
    server.fault("/file", Fault::Stall { after: 300 });
    let mut stalled = get(&server, "/file").await;
    let mut got = Vec::new();
    while got.len() < 300 {
        got.extend_from_slice(&stalled.chunk().await.unwrap().unwrap());
    }
    assert!(
        tokio::time::timeout(Duration::from_millis(50), stalled.chunk())
            .await
            .is_err()
    );
    server.release();
    while let Some(more) = stalled.chunk().await.unwrap() {
        got.extend_from_slice(&more);
    }
    assert_eq!(got, body);
}

#[test]
fn dropping_the_server_ends_stalled_answers() {
    let (server, _) = with_file();
    server.fault("/file", Fault::Silence);
    let (client, url) = (client(&server), server.url("/file"));
    let asking = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async { client.get(url).send().await.is_err() })
    });
    server.wait_for("/file", 1);
    assert_eq!(server.peak_requests(), 1);
    drop(server);
    assert!(asking.join().unwrap());
}

#[tokio::test]
async fn statuses_and_spoiled_bodies_come_as_planned() {
    let (server, body) = with_file();
    server.fault_when("/file", When::Nth(1), Fault::retry_after(429, "0"));
    server.fault_when("/file", When::Nth(2), Fault::Longer { extra: 5 });
    server.fault_when("/file", When::Nth(3), Fault::WrongBytes);
    server.fault_when(
        "/file",
        When::Nth(4),
        Fault::Slow {
            chunk: 300,
            pause: Duration::from_millis(1),
        },
    );
    server.fault_when("/file", When::Nth(5), Fault::ContentType(None));
    server.fault_when("/file", When::Nth(6), Fault::Overrun { extra: 5 });
    let limited = get(&server, "/file").await;
    assert_eq!(
        (
            limited.status().as_u16(),
            limited.headers()["retry-after"].to_str().unwrap()
        ),
        (429, "0")
    );
    assert_eq!(
        get(&server, "/file").await.bytes().await.unwrap().len(),
        1005
    );
    let wrong = get(&server, "/file").await.bytes().await.unwrap();
    assert_eq!(
        wrong
            .iter()
            .zip(&body)
            .filter(|(got, expected)| got != expected)
            .count(),
        1
    );
    assert_eq!(get(&server, "/file").await.bytes().await.unwrap(), body);
    assert!(
        get(&server, "/file")
            .await
            .headers()
            .get("content-type")
            .is_none()
    );
    assert_eq!(get(&server, "/file").await.bytes().await.unwrap(), body);
    assert_eq!(get(&server, "/file").await.bytes().await.unwrap(), body);
    assert_eq!(server.requests().len(), 7);
}

#[tokio::test]
async fn bombs_and_endless_answers_are_as_large_as_they_claim() {
    let (server, _) = with_file();
    server.fault_when(
        "/file",
        When::Nth(1),
        Fault::GzipBomb {
            inflated: 50_000_000,
        },
    );
    server.fault_when("/file", When::From(2), Fault::endless_json());
    let bomb = get(&server, "/file").await;
    assert_eq!(bomb.headers()["content-encoding"], "gzip");
    assert!(bomb.bytes().await.unwrap().len() < 100_000);
    let mut endless = get(&server, "/file").await;
    let mut got = 0;
    while got < 2_000_000 {
        got += endless.chunk().await.unwrap().unwrap().len();
    }
}

#[tokio::test]
async fn redirects_lead_anywhere() {
    let (server, body) = with_file();
    let plain = TestServer::builder().transport(Transport::Plain).start();
    plain.route("/far", Reply::redirect(&server.url("/file")));
    server.route("/near", Reply::redirect("/next"));
    server.route("/next", Reply::redirect(&plain.url("/far")));
    server.route("/loop", Reply::redirect("/loop"));
    assert_eq!(get(&server, "/near").await.bytes().await.unwrap(), body);
    assert_eq!(plain.requests().len(), 1);
    assert!(
        client(&server)
            .get(server.url("/loop"))
            .send()
            .await
            .is_err()
    );
}

#[tokio::test]
async fn untrusted_servers_are_not_trusted() {
    let server = TestServer::builder()
        .transport(Transport::UntrustedTls)
        .start();
    assert!(client(&server).get(server.url("/")).send().await.is_err());
}

#[tokio::test]
async fn directories_are_served_and_nothing_above_them() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("served")).unwrap();
    std::fs::write(directory.path().join("secret.json"), "{}").unwrap();
    std::fs::write(directory.path().join("served/index.json"), "{}").unwrap();
    let server = TestServer::of_directory(&directory.path().join("served"));
    assert_eq!(
        get(&server, "/index.json").await.headers()["content-type"],
        "application/json"
    );
    for path in ["/", "/%2e%2e/secret.json", "/%2E%2E%2Fsecret.json", "/none"] {
        assert_eq!(
            get(&server, path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    assert_eq!(
        tree::tree(directory.path()),
        ["secret.json 2", "served/index.json 2"]
    );
}

#[tokio::test]
async fn every_route_of_the_vectors_can_be_served() {
    let mut routes = 0;
    for file in [
        "discovery.json",
        "registry-responses.json",
        "network-mirror.json",
    ] {
        for case in vectors::cases(file) {
            for (key, described) in case["routes"].as_object().into_iter().flatten() {
                let _reply = vectors::reply(key, described);
                routes += 1;
            }
        }
    }
    assert!(routes > 1000, "{routes}");

    let cases = vectors::cases("discovery.json");
    let case = cases
        .iter()
        .find(|case| vectors::name(case) == "disc_exact1m")
        .unwrap();
    let server = vectors::serve(case).unwrap();
    let document = get(&server, paths::DISCOVERY).await;
    assert_eq!(document.headers()["content-type"], "application/json");
    assert_eq!(document.bytes().await.unwrap().len(), 1 << 20);
    assert_eq!(
        vectors::filled_in("https://HOST/m/", &server),
        server.url("/m/")
    );
}

#[test]
fn outcomes_are_the_same_in_every_run() {
    let mut context = TestContext::new("sh");
    context.filter("secret", "[SECRET]");
    context.env("WORD", "secret");
    let script = "pwd; echo http://localhost:4711/ $WORD $USER; echo $HOME >&2; exit 3";
    let outcome = context.run(["-c", script]).expect_code(3);
    let expected = "code: 3\n--- stdout\n[TEMP]/place\nhttp://localhost:[PORT]/ [SECRET]\n--- stderr\n[TEMP]/home\n";
    assert_eq!(outcome.to_string(), expected);
}

#[test]
fn programs_can_be_interrupted_and_killed() {
    let context = TestContext::new("sleep");
    let interrupted = context.spawn(["60"]);
    interrupted.interrupt();
    assert_eq!(interrupted.wait().code, 130);
    let mut killed = context.spawn(["60"]);
    killed.kill();
    assert_eq!(killed.wait().code, 137);
}

#[test]
fn the_real_terraform_installs_from_this_registry() {
    let registry = TestRegistry::of([ProviderSpec::new(NET)
        .platforms(["linux_amd64", "linux_arm64"])
        .version("1.2.3")]);
    let mut context = TestContext::new("true");
    context.config(&registry.host_block("registry.example.test"));
    let source = "registry.example.test/acme/net";
    context.write(
        "main.tf",
        format!("terraform {{\n  required_providers {{ net = {{ source = \"{source}\" }} }}\n}}\n"),
    );
    let Some(outcome) = context.terraform(["init", "-no-color"]) else {
        return;
    };
    let outcome = outcome.expect_code(0);
    let key = support::signing::Signer::publisher().key_id();
    let line = format!("Installed {source} v1.2.3 (self-signed, key ID {key})");
    assert!(outcome.stdout.contains(&line), "{outcome}");
    let lock = context.read(".terraform.lock.hcl");
    for hash in [
        registry.h1(NET, "1.2.3", LINUX),
        registry.zh(NET, "1.2.3", "linux_arm64"),
    ] {
        assert!(lock.contains(&hash), "{lock}");
    }
}
