//! `registry-responses.json`, the cases that are about requests and advice: who gets a token, how often a registry is asked,
//! which version is named where a package cannot be run.

use std::collections::BTreeSet;

use provender::config::Environment;
use provender::document::PackageId;
use provender::registry::{CallError, DiscoveryError, RegistryError};
use serde_json::{Value, json};

use super::registry_client::{Clients, hostname, provider, wait_for};
use super::support::{Report, cases, same, text};
use crate::support::registry::paths;
use crate::support::{ProviderSpec, Reply, TestRegistry, TestServer, vectors};

const ADDRESS: &str = "acme/demo";

#[test]
fn requests_and_advice_are_those_of_the_tools() {
    let mut report = Report::new("registry-responses.json");
    for case in cases("registry-responses.json") {
        let name = text(&case, "name");
        match name {
            "peer_versions_misordered" => report.case(name, versions(&case)),
            "peer_no_service" => report.case(name, no_service(&case)),
            "peer_connection_closed" => report.case(name, connection_closed(&case)),
            "token sent to discovery and the two API calls only" => {
                report.case(name, token_goes_to(&case));
            }
            // Deviation: a token belongs to scheme, host and port, so another port does not get it.
            "redirect of an API call to another port of the same hostname keeps the token" => {
                report.case(name, redirect_to_other_port());
            }
            "redirect of discovery to another hostname drops the token" => {
                report.case(name, redirect_to_other_host());
            }
            "TF_TOKEN_<host> wins over credentials block; host part must include a non-default port" =>
            {
                report.case(name, variable_wins());
            }
            "netrc is used only for the archive (terraform 1.11.4; basic auth on HEAD and GET)" => {
                report.leave_out(name, "is seen with the whole program: `commands::tokens`");
            }
            "user agents" => {
                report.leave_out(name, "this program names itself; see `http::options`");
            }
            _ if name.starts_with("closest_protocol:") => {
                report.case(name, closest_protocol(&case));
            }
            _ if case.get("routes").is_some() => {
                report.leave_out(name, "is run in `registries`");
            }
            _ => report.leave_out(name, "is run in `reported_packages`"),
        }
    }
    report.finish();
}

/// A server with a discovery document and a list of versions.
fn registry_of(versions: &Value) -> TestServer {
    let server = TestServer::empty();
    announce(&server);
    server.route(&paths::versions(ADDRESS), Reply::json(versions));
    server
}

fn announce(server: &TestServer) {
    let document = json!({ "providers.v1": paths::PROVIDERS });
    server.route(paths::DISCOVERY, Reply::json(&document));
}

fn listed(server: &TestServer, clients: &Clients) -> Result<Vec<String>, Box<RegistryError>> {
    let registry = clients.registry();
    let addr = provider(server);
    let answer = wait_for(registry.available_versions(&addr))?;
    let versions = answer.versions.iter();
    Ok(versions.map(|offer| offer.version.to_string()).collect())
}

fn versions(case: &Value) -> Result<(), String> {
    let server = registry_of(&case["response"]);
    let got = listed(&server, &Clients::of(&server)).map_err(|error| error.to_string())?;
    same(&json!(got), &case["expect"]["versions"])
}

fn no_service(case: &Value) -> Result<(), String> {
    let server = TestServer::empty();
    server.route(paths::DISCOVERY, Reply::json(&case["discovery"]));
    let error = listed(&server, &Clients::of(&server)).expect_err("there is no registry");
    let is_absent = matches!(
        *error,
        RegistryError::Call(CallError::Discovery { ref source, .. })
            if matches!(**source, DiscoveryError::NotOffered { ref others, .. } if others.is_empty())
    );
    same(&is_absent, &true).map_err(|_| error.to_string())
}

fn connection_closed(case: &Value) -> Result<(), String> {
    let server = vectors::serve_hang_ups(&paths::versions(ADDRESS));
    announce(&server);
    let error = listed(&server, &Clients::of(&server)).expect_err("nobody answers");
    let is_request = matches!(*error, RegistryError::Call(CallError::Request { .. }));
    same(&is_request, &true).map_err(|_| error.to_string())?;
    let attempts = server.requests_for(&paths::versions(ADDRESS)).len();
    same(&json!(attempts), &case["expect"]["attempts"])
}

/// The metadata names no supported protocol; what the error suggests comes from the list.
fn closest_protocol(case: &Value) -> Result<(), String> {
    let server = registry_of(&json!({ "versions": case["versions"] }));
    let version = text(case, "requested");
    let metadata = json!({ "protocols": ["4.0"], "os": "linux", "arch": "amd64" });
    let path = paths::download(ADDRESS, version, "linux_amd64");
    server.route(&path, Reply::json(&metadata));
    let id = PackageId {
        addr: provider(&server),
        version: version.parse().expect("a version"),
        platform: "linux_amd64".parse().expect("a platform"),
    };
    let outcome = wait_for(Clients::of(&server).registry().package(&id));
    match outcome {
        Err(RegistryError::ProtocolUnsupported { newest, .. }) => same(
            &json!(newest.map(|version| version.to_string())),
            &case["expect"]["suggestion"],
        ),
        other => Err(format!("got {other:?}")),
    }
}

/// The environment of a user with a `credentials` block for `server`, and perhaps a variable. The file lives as long as
/// the returned directory.
fn credentials(server: &TestServer, variable: Option<&str>) -> (Environment, tempfile::TempDir) {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let file = directory.path().join("cli.tfrc");
    let host = server.host();
    let block = format!("credentials \"{host}\" {{\n  token = \"from-block\"\n}}\n");
    std::fs::write(&file, block).expect("it can be written to");
    let file = file.to_str().expect("a temporary path is text").to_owned();
    let mut pairs = vec![("TF_CLI_CONFIG_FILE".to_owned(), file)];
    pairs.extend(variable.map(|token| (format!("TF_TOKEN_{host}"), token.to_owned())));
    (pairs.into_iter().collect(), directory)
}

/// The paths of the requests that carried `Authorization`.
fn authorized(server: &TestServer) -> BTreeSet<String> {
    let requests = server.requests().into_iter();
    requests
        .filter(|request| request.header("authorization").is_some())
        .map(|request| request.path().to_owned())
        .collect()
}

/// Metadata and proof are fetched here. That archives get no token is seen with the whole program: `commands::tokens`.
fn token_goes_to(case: &Value) -> Result<(), String> {
    let registry = TestRegistry::of([ProviderSpec::new(ADDRESS).version("1.0.0")]);
    let (environment, _directory) = credentials(&registry, None);
    let clients = Clients::with_environment(&registry, &environment);
    let client = clients.registry();
    let id = PackageId {
        addr: provider(&registry),
        version: "1.0.0".parse().expect("a version"),
        platform: "linux_amd64".parse().expect("a platform"),
    };
    let asked = wait_for(async {
        client.available_versions(&id.addr).await?;
        let offer = client.package(&id).await?;
        client.proof_document(&offer.shasums_url, "sums").await?;
        client
            .proof_document(&offer.signature_url, "signature")
            .await
    });
    asked.map_err(|error| error.to_string())?;
    let path_of = |call: &Value| match call.as_str().expect("the name of a call") {
        "discovery" => paths::DISCOVERY.to_owned(),
        "versions" => paths::versions(ADDRESS),
        "download" => paths::download(ADDRESS, "1.0.0", "linux_amd64"),
        other => panic!("unknown call `{other}`"),
    };
    let calls = case["expect"]["authorization_on"].as_array();
    let expected = calls
        .expect("a list of calls")
        .iter()
        .map(path_of)
        .collect();
    same(&authorized(&registry), &expected)?;
    same(&registry.requests().len(), &5)
}

fn redirect_to_other_port() -> Result<(), String> {
    let other = registry_of(&json!({ "versions": [{ "version": "1.0.0" }] }));
    let server = TestServer::empty();
    announce(&server);
    let path = paths::versions(ADDRESS);
    server.route(&path, Reply::redirect(&other.url(&path)));
    let (environment, _directory) = credentials(&server, None);
    let clients = Clients::with_environment(&server, &environment);
    listed(&server, &clients).map_err(|error| error.to_string())?;
    same(&authorized(&server).len(), &2)?;
    same(&authorized(&other), &BTreeSet::new())?;
    same(&other.request_lines(), &vec![format!("GET {path}")])
}

fn redirect_to_other_host() -> Result<(), String> {
    let (server, other) = (TestServer::empty(), TestServer::empty());
    announce(&other);
    let target = other.numeric_url() + paths::DISCOVERY;
    server.route(paths::DISCOVERY, Reply::redirect(&target));
    let (environment, _directory) = credentials(&server, None);
    let discovery = Clients::with_environment(&server, &environment).discovery();
    wait_for(discovery.services(&hostname(&server))).map_err(|error| error.to_string())?;
    same(&authorized(&server).len(), &1)?;
    same(&authorized(&other), &BTreeSet::new())?;
    same(&other.requests().len(), &1)
}

fn variable_wins() -> Result<(), String> {
    let server = registry_of(&json!({ "versions": [{ "version": "1.0.0" }] }));
    let (environment, _directory) = credentials(&server, Some("from-variable"));
    let clients = Clients::with_environment(&server, &environment);
    listed(&server, &clients).map_err(|error| error.to_string())?;
    for request in server.requests() {
        same(
            &request.header("authorization"),
            &Some("Bearer from-variable"),
        )?;
    }
    same(&server.requests().len(), &2)
}
