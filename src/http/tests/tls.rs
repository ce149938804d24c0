//! Trust in certificates, and the way from https to http.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::PrivateKeyDer;
use tempfile::TempDir;
use tokio_rustls::TlsAcceptor;

use super::server::{Reaction, Server, hasty, options};
use crate::failure::Failure;
use crate::http::{Client, ClientIdentity, ClientOptions, GetRequest, HttpError, TransportKind};

/// A self-signed certificate for `name`: the side of the server, and the file that trusts it.
fn authority(name: &str) -> (TlsAcceptor, TempDir, PathBuf) {
    let made = rcgen::generate_simple_self_signed(vec![name.to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("ca.pem");
    std::fs::write(&path, made.cert.pem()).unwrap();
    (TlsAcceptor::from(Arc::new(config)), root, path)
}

fn trusting(path: PathBuf) -> Client {
    Client::new(ClientOptions {
        ca_files: vec![path],
        ..options()
    })
    .unwrap()
}

#[tokio::test]
async fn ca_file_makes_a_private_authority_trusted() {
    let (acceptor, _root, ca) = authority("127.0.0.1");
    let server = Server::start_tls(acceptor, |_, _| Reaction::answer(200, &[], "ok")).await;
    let request = GetRequest::new(server.url("/"), 10);
    assert_eq!(trusting(ca).get(&request).await.unwrap().body, b"ok");
}

#[tokio::test]
async fn unknown_authority_is_not_tried_again_and_has_a_hint() {
    let (acceptor, _root, _) = authority("127.0.0.1");
    let server = Server::start_tls(acceptor, |_, _| Reaction::answer(200, &[], "ok")).await;
    let request = GetRequest {
        retry: hasty(3),
        ..GetRequest::new(server.url("/"), 10)
    };
    let error = Client::new(options())
        .unwrap()
        .get(&request)
        .await
        .unwrap_err();
    assert_eq!(error.transport_kind(), Some(TransportKind::UnknownIssuer));
    assert!(!error.to_string().contains("tries"), "{error}");
    assert!(error.hints()[0].contains("--ca-file"));
}

#[tokio::test]
async fn certificate_for_another_name_is_refused() {
    let (acceptor, _root, ca) = authority("other.test");
    let server = Server::start_tls(acceptor, |_, _| Reaction::answer(200, &[], "ok")).await;
    let error = trusting(ca)
        .get(&GetRequest::new(server.url("/"), 10))
        .await
        .unwrap_err();
    assert_eq!(error.transport_kind(), Some(TransportKind::Certificate));
}

#[tokio::test]
async fn refuses_redirect_from_https_to_http() {
    let plain = Server::start(|_, _| Reaction::answer(200, &[], "ok")).await;
    let (acceptor, _root, ca) = authority("127.0.0.1");
    let location = plain.url("/").to_string();
    let server = Server::start_tls(acceptor, move |_, _| Reaction::redirect(&location)).await;
    let error = trusting(ca)
        .get(&GetRequest::new(server.url("/"), 10))
        .await
        .unwrap_err();
    assert!(
        matches!(error, HttpError::InsecureRedirect { .. }),
        "{error}"
    );
    assert!(plain.requests().is_empty());
}

/// A server that talks only to who has the key to a certificate; and the user's files.
fn picky() -> (TlsAcceptor, TempDir, PathBuf, ClientIdentity) {
    let server = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let user = rcgen::generate_simple_self_signed(vec!["user.test".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(server.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut users = RootCertStore::empty();
    users.add(user.cert.der().clone()).unwrap();
    let verifier =
        WebPkiClientVerifier::builder_with_provider(Arc::new(users), Arc::clone(&provider));
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier.build().unwrap())
        .with_single_cert(vec![server.cert.der().clone()], key)
        .unwrap();
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        let path = root.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let ca = write("ca.pem", server.cert.pem());
    let identity = ClientIdentity {
        certificate: write("user.pem", user.cert.pem()),
        key: write("key.pem", user.signing_key.serialize_pem()),
    };
    (TlsAcceptor::from(Arc::new(config)), root, ca, identity)
}

#[tokio::test]
async fn server_that_asks_for_a_certificate_gets_the_users_one() {
    let (acceptor, _root, ca, identity) = picky();
    let server = Server::start_tls(acceptor, |_, _| Reaction::answer(200, &[], "ok")).await;
    let request = GetRequest::new(server.url("/"), 10);
    let refused = trusting(ca.clone()).get(&request).await.unwrap_err();
    assert!(refused.transport_kind().is_some(), "{refused}");
    let client = Client::new(ClientOptions {
        ca_files: vec![ca],
        client_identity: Some(identity),
        ..options()
    });
    let answer = client.unwrap().get(&request).await.unwrap();
    assert_eq!(answer.body, b"ok");
}
