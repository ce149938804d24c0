//! `login-discovery.json`, documents: what becomes of a whole discovery document that has a `login.v1`.

use provender::document::LoginService;
use provender::registry::DiscoveryError;
use serde_json::Value;

use super::registry_client::{Clients, hostname, wait_for};
use super::support::{Report, document, same, text};
use crate::support::registry::paths;
use crate::support::{Reply, TestServer};

const BODY: &str = r#"{"login.v1":{"client":"d","authz":"/a","token":"token"}}"#;

#[test]
fn login_is_found_in_documents_as_by_the_tools() {
    let document = document("login-discovery.json");
    let mut report = Report::new("login-discovery.json documents");
    for case in document["documents"].as_array().unwrap() {
        report.case(text(case, "name"), discover(case));
    }
    for case in document["service_selection"].as_array().unwrap() {
        report.leave_out(
            &case["services"].to_string(),
            "is run by the binary, in `commands::login_token`",
        );
    }
    for case in document["port_selection"].as_array().unwrap() {
        let name = format!("ports {} busy {}", case["ports"], case["busy"]);
        report.leave_out(
            &name,
            "is run beside the code with ports that are free, in `auth::login`",
        );
    }
    report.finish();
}

fn reply(case: &Value) -> Reply {
    let body = case["body"].as_str().unwrap_or(BODY).to_owned();
    let status = u16::try_from(case["status"].as_u64().unwrap_or(200)).unwrap();
    let reply = match case["content_length"].as_u64() {
        Some(length) => Reply::body(vec![b' '; usize::try_from(length).unwrap()]),
        None => Reply::body(body),
    };
    let reply = reply.with_status(status);
    match case.get("content_type") {
        None => reply.header("Content-Type", "application/json"),
        Some(Value::String(declared)) => reply.header("Content-Type", declared),
        Some(_) => reply,
    }
}

/// The documents, after as many redirects as the case says.
fn serve(server: &TestServer, case: &Value) {
    let redirects = &case["redirects"];
    if redirects == "loop" {
        return server.route(paths::DISCOVERY, Reply::redirect(paths::DISCOVERY));
    }
    let count = redirects.as_u64().unwrap_or(0);
    let path = |number: u64| match number {
        0 => paths::DISCOVERY.to_owned(),
        number => format!("/moved/{number}.json"),
    };
    for number in 0..count {
        server.route(&path(number), Reply::redirect(&path(number + 1)));
    }
    server.route(&path(count), reply(case));
}

fn discover(case: &Value) -> Result<(), String> {
    let server = TestServer::empty();
    serve(&server, case);
    let found = wait_for(
        Clients::of(&server)
            .discovery()
            .services(&hostname(&server)),
    );
    let expected = text(case, "expect");
    if expected.starts_with("discovery_failed") {
        if expected.ends_with("4 requests") {
            same(&server.requests().len(), &4)?;
        }
        return same(&found.map(drop).map_err(|_: DiscoveryError| ()), &Err(()));
    }
    let services = found.map_err(|error| error.to_string())?;
    let login = services.login().map_err(|error| error.to_string())?;
    if expected == "no_services" {
        return same(&login, &None);
    }
    let client = login
        .as_ref()
        .map(|login: &LoginService| login.client.as_str());
    same(&client, &Some("d"))?;
    if case.get("body").is_some() {
        return Ok(());
    }
    let base = match case["redirects"].as_u64() {
        Some(_) => server.url("/moved/token"),
        None => server.url("/.well-known/token"),
    };
    let token = login
        .and_then(|login| login.token)
        .map(|url| url.to_string());
    same(&token, &Some(base))
}
