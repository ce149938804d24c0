//! What users read when something is wrong with a host, a registry or what it offers.

use std::net::{TcpListener, TcpStream};

use super::scene::{Scene, shows};
use crate::support::registry::paths;
use crate::support::server::Transport;
use crate::support::{Fault, ProviderSpec, Reply, TestRegistry, TestServer};

const NET: &str = "registry.example.test/acme/net";

#[test]
fn host_that_refuses_connections() {
    let scene = Scene::usual();
    // The near end of a connection: taken as long as it lives, and nobody listens there.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let port = taken.local_addr().unwrap().port();
    let address = format!("localhost:{port}/acme/net");
    shows(
        &scene.run(["versions", &address]),
        "code: 13
--- stdout
--- stderr
error: cannot find the versions of `localhost:[PORT]/acme/net`
  caused by: cannot find the provider registry of `localhost:[PORT]/acme/net`
  caused by: cannot ask `localhost:[PORT]` which services it offers
  caused by: no complete answer from `https://localhost:[PORT]/.well-known/terraform.json` after 2 tries
  caused by: the connection was refused
  caused by: Connection refused (os error 111)

hint: check the host and port, and `HTTPS_PROXY` if the way out is through a proxy
",
    );
}

#[test]
fn host_without_a_provider_registry() {
    let scene = Scene::usual();
    let server = TestServer::empty();
    let document = serde_json::json!({ "modules.v1": "/v1/modules/" });
    server.route(paths::DISCOVERY, Reply::json(&document));
    let address = format!("{}/acme/net", server.host());
    shows(
        &scene.run(["versions", &address]),
        r#"code: 12
--- stdout
--- stderr
error: cannot find the versions of `localhost:[PORT]/acme/net`
  caused by: cannot find the provider registry of `localhost:[PORT]/acme/net`
  caused by: host `localhost:[PORT]` does not offer a registry of this kind (`providers.v1`)

hint: check the host name in the address, or name the registry's URL in a `host "localhost:[PORT]"` block of the CLI configuration
"#,
    );
}

#[test]
fn host_without_discovery_offers_nothing() {
    let scene = Scene::usual();
    let server = TestServer::empty();
    let address = format!("{}/acme/net", server.host());
    scene.run(["versions", &address]).expect_code(12);
}

#[test]
fn certificate_of_an_unknown_authority() {
    let builder = TestRegistry::builder().transport(Transport::UntrustedTls);
    let scene = Scene::built(builder.provider(ProviderSpec::new("acme/net").version("1.0.0")));
    shows(
        &scene.run(["versions", NET]),
        "code: 13
--- stdout
--- stderr
error: cannot find the versions of `registry.example.test/acme/net`
  caused by: cannot get the versions of `registry.example.test/acme/net`
  caused by: no complete answer from `https://localhost:[PORT]/v1/providers/acme/net/versions`
  caused by: the server's certificate is from an authority that is not trusted
  caused by: invalid peer certificate: UnknownIssuer

hint: if a private authority signs the server's certificates, name its certificate with `--ca-file PEM`
",
    );
}

#[test]
fn provider_that_the_registry_does_not_know() {
    shows(
        &Scene::usual().mirror(["registry.example.test/acme/dns"]),
        "code: 12
--- stdout
1 failure
--- stderr
error: cannot find the versions of `registry.example.test/acme/dns`
  caused by: the registry of `registry.example.test` has no provider `registry.example.test/acme/dns` (404 from `https://localhost:[PORT]/v1/providers/acme/dns/versions`)

hint: check the address; a private registry may also hide `registry.example.test/acme/dns` from requests without a token
",
    );
}

#[test]
fn no_version_that_meets_the_constraint() {
    shows(
        &Scene::usual().mirror(["registry.example.test/acme/net@~>3.0"]),
        "code: 12
--- stdout
1 failure
--- stderr
error: no version of `registry.example.test/acme/net` meets `~> 3.0`

hint: the newest version offered is 2.0.0; list all with `provender versions registry.example.test/acme/net`
",
    );
}

#[test]
fn only_prereleases() {
    let net = ProviderSpec::new("acme/net").version("1.0.0-beta1");
    shows(
        &Scene::of([net]).mirror([NET]),
        "code: 12
--- stdout
1 failure
--- stderr
error: no version of `registry.example.test/acme/net` can be selected

hint: the newest version offered is 1.0.0-beta1; list all with `provender versions registry.example.test/acme/net`
hint: a prerelease is selected only by its exact version, such as `@1.0.0-beta1`
",
    );
}

#[test]
fn platform_that_only_an_older_version_has() {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .version("2.0.0")
        .platforms(["darwin_arm64"]);
    shows(
        &Scene::of([net]).mirror([NET]),
        "code: 12
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 2.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 2.0.0 for `linux_amd64`
  caused by: `registry.example.test/acme/net` 2.0.0 is not published for `linux_amd64`

hint: 2.0.0 is published for: darwin_arm64
hint: the newest version listed for `linux_amd64` is 1.0.0
",
    );
}

#[test]
fn protocol_that_the_tools_do_not_speak() {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .version("2.0.0")
        .protocols(["7.0"]);
    shows(
        &Scene::of([net]).mirror([NET]),
        "code: 12
--- stdout
1 failure
--- stderr
failed `registry.example.test/acme/net` 2.0.0 for `linux_amd64`
error: cannot mirror `registry.example.test/acme/net` 2.0.0 for `linux_amd64`
  caused by: `registry.example.test/acme/net` 2.0.0 for `linux_amd64` speaks plugin protocol 7.0, the tools support >= 5.0.0, < 7.0.0

hint: the newest version that the tools can run is 1.0.0
",
    );
}

#[test]
fn malformed_answer_of_a_registry() {
    let scene = Scene::usual();
    let html = Reply::body("<html>").header("Content-Type", "text/html");
    scene
        .registry
        .fault(&paths::versions("acme/net"), Fault::Reply(html));
    shows(
        &scene.run(["versions", NET]),
        "code: 13
--- stdout
--- stderr
error: cannot find the versions of `registry.example.test/acme/net`
  caused by: the registry's answer for the versions of `registry.example.test/acme/net` (`https://localhost:[PORT]/v1/providers/acme/net/versions`) is malformed
  caused by: not valid JSON
  caused by: expected value at line 1 column 1

hint: this is a fault of the registry; tell those who run it
",
    );
}

#[test]
fn registry_in_trouble() {
    let scene = Scene::usual();
    scene
        .registry
        .fault(&paths::versions("acme/net"), Fault::status(502));
    shows(
        &scene.run(["versions", NET]),
        "code: 13
--- stdout
--- stderr
error: cannot find the versions of `registry.example.test/acme/net`
  caused by: the registry answered 502 for the versions of `registry.example.test/acme/net` (`https://localhost:[PORT]/v1/providers/acme/net/versions`), expected 200

hint: the registry is in trouble, try again later
",
    );
    assert_eq!(
        scene
            .registry
            .requests_for(&paths::versions("acme/net"))
            .len(),
        2
    );
}
