//! `discovery.json`, the cases that are no whole registries: URLs of services, and answers to one discovery request.

use std::collections::BTreeMap;

use provender::registry::{DiscoveryError, ServiceId, Services};
use serde_json::Value;

use super::registry_client::{Clients, hostname, wait_for};
use super::support::{Report, cases, same, text};
use crate::support::registry::paths;
use crate::support::{Reply, TestServer, vectors};

#[test]
fn services_and_their_urls_are_found_as_by_the_tools() {
    let mut report = Report::new("discovery.json");
    for case in cases("discovery.json") {
        let name = text(&case, "name");
        if name.starts_with("service_url") {
            report.case(name, service_url(&case));
        } else if case.get("response").is_some() {
            report.case(name, discover(&case));
        } else if name == "discover: redirect to another host" {
            report.case(name, redirect());
        } else if name == "discover: credentials" {
            report.leave_out(name, "is run in `registry_requests`");
        } else {
            report.leave_out(name, "is run in `registries`");
        }
    }
    report.finish();
}

fn service_url(case: &Value) -> Result<(), String> {
    let id = text(case, "service_id");
    let values = BTreeMap::from([(id.to_owned(), Some(text(case, "value").to_owned()))]);
    let base = text(case, "discovery_url").parse().expect("a URL");
    let host = "example.com".parse().expect("a host name");
    let outcome = Services::new(host, base, values).url(service_id(id));
    match case["expect"]["url"].as_str() {
        Some(url) => same(&outcome.map_err(|e| e.to_string())?.as_str(), &url),
        None => same(
            &matches!(outcome, Err(DiscoveryError::ServiceUrl { .. })),
            &true,
        ),
    }
}

/// A service id for the rest of the process: those of the program are constants.
fn service_id(text: &str) -> ServiceId {
    ServiceId::new(text.to_owned().leak())
}

fn discover(case: &Value) -> Result<(), String> {
    let server = vectors::serve_response(paths::DISCOVERY, &case["response"]);
    let found = wait_for(
        Clients::of(&server)
            .discovery()
            .services(&hostname(&server)),
    );
    let expect = &case["expect"];
    if expect == "error" {
        return same(
            &matches!(found, Err(DiscoveryError::Malformed { .. })),
            &true,
        );
    }
    let services = found.map_err(|error| error.to_string())?;
    if expect == "no services, no error" {
        let absent = services.url(ServiceId::PROVIDERS_V1);
        return same(
            &matches!(absent, Err(DiscoveryError::NotOffered { .. })),
            &true,
        );
    }
    for (id, url) in expect["services"].as_object().expect("expected services") {
        let got = services.url(service_id(id)).map_err(|e| e.to_string())?;
        same(&Some(got.as_str()), &url.as_str())?;
    }
    Ok(())
}

/// Relative values start from the final URL.
fn redirect() -> Result<(), String> {
    let (first, second) = (TestServer::empty(), TestServer::empty());
    let target = format!("{}/moved/services.json", second.numeric_url());
    first.route(paths::DISCOVERY, Reply::redirect(&target));
    let document = serde_json::json!({ "providers.v1": "./p/" });
    second.route("/moved/services.json", Reply::json(&document));
    let found = wait_for(Clients::of(&first).discovery().services(&hostname(&first)));
    let services = found.map_err(|error| error.to_string())?;
    let url = services.url(ServiceId::PROVIDERS_V1);
    let expected = format!("{}/moved/p/", second.numeric_url());
    same(
        &url.map_err(|e| e.to_string())?.as_str(),
        &expected.as_str(),
    )
}
