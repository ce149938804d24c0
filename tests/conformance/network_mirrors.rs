//! `network-mirror.json`: each case with routes is served over TLS, and a root module that requires its provider is
//! installed from there.

use std::path::Path;
use std::sync::Arc;

use provender::address::{ProviderAddr, Tool};
use provender::auth::Credentials;
use provender::config::{CliConfig, Environment};
use provender::document::{PackageId, Verdict};
use provender::registry::NetworkMirrorClient;
use provender::source::{HashTrust, NetworkMirrorSource, Source, SourceError};
use serde_json::{Value, json};

use super::installation::{Wanted, client, impatient, install};
use super::registry_client::wait_for;
use super::support::{Report, cases, flag, same, text, texts};
use crate::support::{Reply, TestServer, vectors};

const INDEX: &str = "/registry.terraform.io/acme/demo/index.json";
const VERSION: &str = "/registry.terraform.io/acme/demo/1.0.0.json";

#[test]
fn mirrors_are_read_as_the_tools_do() {
    let mut report = Report::new("network-mirror.json");
    for case in cases("network-mirror.json") {
        let name = text(&case, "name");
        match (vectors::serve(&case), name) {
            (Some(server), _) => report.case(name, installed(&case, &server)),
            (None, "peer: 0 archives for version") => report.case(name, no_archives(&case)),
            (None, "peer: versions list") => report.case(name, versions(&case)),
            (None, "peer: redirect loop") => report.case(name, redirect_loop()),
            (None, "peer: archive url relative to redirect target") => {
                report.leave_out(name, "a case with routes says the same");
            }
            (None, "peer: hashes filtered") => {
                report.leave_out(
                    name,
                    "hashes of unknown schemes are kept and never fit: see `package`",
                );
            }
            (None, _) => report.leave_out(
                name,
                "all requests are tried again, which is kinder than what tofu does",
            ),
        }
    }
    report.finish();
}

fn source(server: &TestServer, base: &str, environment: &Environment) -> NetworkMirrorSource {
    let config = CliConfig::load(Tool::Terraform, environment, None, Path::new("/"));
    let credentials = Arc::new(Credentials::new(environment, &config));
    let base = base.parse().expect("a URL");
    let client = NetworkMirrorClient::new(client(Some(server)), base, credentials, impatient());
    NetworkMirrorSource::new(client, HashTrust::Matching)
}

fn installed(case: &Value, server: &TestServer) -> Result<(), String> {
    let base = text(case, "mirror_base_url").replace("HOST", &server.host());
    let has_token = case["credentials"].is_string();
    let variable = (format!("TF_TOKEN_{}", server.host()), "tokm".to_owned());
    let environment: Environment = has_token.then_some(variable).into_iter().collect();
    let provider: ProviderAddr = text(case, "provider").parse().expect("an address");
    let wanted = Wanted {
        provider: &provider,
        constraint: case["constraint"].as_str(),
        prior_lock: case["prior_lock"].as_str(),
    };
    let source = source(server, &base, &environment);
    let installed = install(&source, &client(Some(server)), &wanted);
    let expect = &case["expect"];
    installed.went(flag(expect, "ok"))?;
    for request in server.requests() {
        let carries = request.header("authorization") == Some("Bearer tokm");
        let is_archive = request.path().contains(".zip");
        same(&carries, &(has_token && !is_archive))?;
    }
    if !installed.is_ok() {
        return Ok(());
    }
    let (version, hashes) = installed.lock();
    same(&version.as_str(), &text(expect, "version"))?;
    same(&hashes, &texts(expect, "lock_hashes"))?;
    let summary = installed.result.as_ref().map_err(ToString::to_string)?;
    let verdict = match text(expect, "auth") {
        "verified checksum" => Verdict::Checksum,
        "unauthenticated" => Verdict::Unauthenticated,
        other => panic!("unknown label `{other}`"),
    };
    same(&summary.packages[0].verdict, &Some(verdict))
}

fn demo() -> PackageId {
    PackageId {
        addr: "registry.terraform.io/acme/demo"
            .parse()
            .expect("an address"),
        version: "1.0.0".parse().expect("a version"),
        platform: "linux_amd64".parse().expect("a platform"),
    }
}

fn no_archives(case: &Value) -> Result<(), String> {
    let server = TestServer::empty();
    server.route(VERSION, Reply::json(&case["response"]));
    let source = source(&server, &server.url("/"), &Environment::default());
    let error = wait_for(source.package_meta(&demo())).expect_err("there is no archive");
    same(&error.is_missing_platform(), &true)?;
    same(&error.is_absence(), &true)
}

fn versions(case: &Value) -> Result<(), String> {
    let server = TestServer::empty();
    let content_type = text(case, "content_type");
    let reply = Reply::json(&case["response"]).header("Content-Type", content_type);
    server.route(INDEX, reply);
    let source = source(&server, &server.url("/"), &Environment::default());
    let answer = wait_for(source.available_versions(&demo().addr)).map_err(|it| it.to_string())?;
    let versions = answer
        .versions
        .iter()
        .map(|offer| offer.version.to_string());
    same(
        &json!(versions.collect::<Vec<_>>()),
        &case["expect"]["versions"],
    )
}

fn redirect_loop() -> Result<(), String> {
    let server = TestServer::empty();
    server.route(INDEX, Reply::redirect(INDEX));
    let source = source(&server, &server.url("/"), &Environment::default());
    let error = wait_for(source.available_versions(&demo().addr)).expect_err("it has no end");
    same(&matches!(error, SourceError::NetworkMirror(_)), &true)?;
    same(&error.is_absence(), &false)
}
