//! `login-discovery.json`, values: what a `login.v1` says, and which way of logging in follows from it.

use provender::document::{BadServiceUrl, LoginService, LoginServiceError};
use serde_json::{Value, json};
use url::Url;

use super::support::{Report, document, same, text};

const HOST: &str = "tfe.example.com";

fn parse(value: &Value) -> Result<LoginService, LoginServiceError> {
    let text = value.to_string().replace("HOST", HOST);
    let value = serde_json::from_str(&text).unwrap();
    let base = format!("https://{HOST}/.well-known/terraform.json");
    let service = LoginService::parse(&value, &base.parse().unwrap())?;
    service.grant(&HOST.parse().unwrap())?;
    Ok(service)
}

fn kind(error: &LoginServiceError) -> String {
    match error {
        LoginServiceError::NotAnObject => "not_an_object".to_owned(),
        LoginServiceError::MissingClient => "missing_client".to_owned(),
        LoginServiceError::GrantTypesNotList => "grant_types_not_array".to_owned(),
        LoginServiceError::MissingEndpoint { member } => format!("missing_{member}"),
        LoginServiceError::Endpoint { source, .. } => match source {
            BadServiceUrl::NotAUrl => "url_invalid".to_owned(),
            BadServiceUrl::Scheme => "url_scheme".to_owned(),
            BadServiceUrl::UserInformation => "url_userinfo".to_owned(),
        },
        LoginServiceError::Insecure { .. } => "insecure".to_owned(),
        LoginServiceError::PortsNotPair => "ports_not_pair".to_owned(),
        LoginServiceError::PortsOutOfRange => "ports_out_of_range".to_owned(),
        LoginServiceError::ScopesNotTexts => "scopes".to_owned(),
        LoginServiceError::NoSupportedGrantType { .. } => "no_supported_grant_type".to_owned(),
    }
}

fn as_json(service: &LoginService) -> Value {
    let url = |url: &Option<Url>| url.as_ref().map(|url| url.as_str().replace(HOST, "HOST"));
    json!({
        "client": service.client,
        "authz": url(&service.authz),
        "token": url(&service.token),
        "ports": [service.ports.start(), service.ports.end()],
        "grant_types": service.grant_types,
        "scopes": service.scopes,
    })
}

#[test]
fn login_values_are_read_as_the_tools_do() {
    let document = document("login-discovery.json");
    let mut report = Report::new("login-discovery.json");
    for case in document["vectors"].as_array().unwrap() {
        let outcome = match parse(&case["login_v1"]) {
            Ok(service) => same(&as_json(&service), &case["expect"]["ok"]),
            Err(error) => same(
                &Some(kind(&error).as_str()),
                &case["expect"]["error_kind"].as_str(),
            ),
        };
        report.case(text(case, "name"), outcome);
    }
    for case in document["real_world"].as_array().unwrap() {
        let host = text(case, "host");
        if case["login_v1"] == "absent" {
            report.leave_out(host, "no `login.v1`; see `login_services`");
            continue;
        }
        let expected = text(case, "expect").split([';', ' ']).next().unwrap();
        let got = parse(&case["login_v1"]).map_or_else(|error| kind(&error), |_| "ok".to_owned());
        report.case(host, same(&got.as_str(), &expected));
    }
    report.finish();
}
