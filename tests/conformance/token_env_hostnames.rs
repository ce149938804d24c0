//! `token-env-hostnames.json`: `TF_TOKEN_*` names to hosts, and what becomes of the values.

use provender::address::Hostname;
use provender::auth::{Credentials, variable_for};
use provender::config::{CliConfig, Environment};
use serde_json::Value;

use super::support::{Report, cases, document, same, text};

fn credentials(variables: &[(&str, &str)]) -> Credentials {
    let environment: Environment = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    Credentials::new(&environment, &CliConfig::default())
}

fn list(document: &Value, key: &str) -> Vec<Value> {
    document[key].as_array().expect("a list of cases").clone()
}

#[test]
fn token_variables_name_their_hosts() {
    let document = document("token-env-hostnames.json");
    let mut report = Report::new("token-env-hostnames.json");
    for case in cases("token-env-hostnames.json") {
        let variable = text(&case, "var");
        report.case(variable, names_host(&case, variable));
    }
    for case in list(&document, "duplicates") {
        let variables: Vec<(&str, &str)> = case["env"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
            .collect();
        let host: Hostname = text(&case, "host").parse().unwrap();
        let token = credentials(&variables)
            .configured(&host)
            .map(|found| found.token);
        let token = token.as_ref().map(|token| token.expose().to_owned());
        report.case(
            "duplicates",
            same(&token.as_deref(), &Some(text(&case, "token"))),
        );
    }
    for case in list(&document, "values") {
        report.case(&format!("value {}", case["value"]), value(&case));
    }
    for case in list(&document, "host_to_variable") {
        let host: Hostname = text(&case, "host").parse().unwrap();
        let expected = case["posix_safe_var"].as_str().map(str::to_owned);
        report.case(text(&case, "host"), same(&variable_for(&host), &expected));
    }
    for case in list(&document, "hostname_normalisation") {
        let given = text(&case, "given");
        let got = given
            .parse::<Hostname>()
            .ok()
            .map(|host| host.for_comparison().to_owned());
        report.case(given, same(&got.as_deref(), &case["comparison"].as_str()));
    }
    report.finish();
}

/// The variable gives a token to its host; one that names no host gives none to the obvious candidate.
fn names_host(case: &Value, variable: &str) -> Result<(), String> {
    let credentials = credentials(&[(variable, "t")]);
    let Some(comparison) = case["host"].as_str() else {
        let hosts = format!("{credentials:?}");
        return same(&hosts.contains("TF_TOKEN"), &false);
    };
    let host: Hostname = text(case, "display")
        .parse()
        .map_err(|error| format!("{error}"))?;
    same(&host.for_comparison(), &comparison)?;
    same(
        &credentials
            .configured(&host)
            .map(|found| found.token.expose().to_owned()),
        &Some("t".to_owned()),
    )
}

/// The value is the token, verbatim. An empty one hides other sources; no empty header is sent for it,
/// which differs from the tools on purpose.
fn value(case: &Value) -> Result<(), String> {
    let value = text(case, "value");
    let host: Hostname = "example.com".parse().unwrap();
    let found = credentials(&[(text(case, "var"), value)]).configured(&host);
    let header = found.map(|found| format!("Bearer {}", found.token.expose()));
    if value.is_empty() {
        return same(&header, &None);
    }
    same(&header.as_deref(), &case["authorization"].as_str())
}
