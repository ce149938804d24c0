//! `pkce.json`: verifiers, challenges, the requests of a login and the answers to it.

use provender::document::oauth::{
    AuthorizationRequest, TokenResponse, TokenResponseError, Verifier, code_fields,
    password_fields, random_text, redirect_uri,
};
use serde_json::Value;
use url::form_urlencoded::Serializer;

use super::support::{Report, document, same, text};

fn list(document: &Value, key: &str) -> Vec<Value> {
    document[key].as_array().expect("a list of cases").clone()
}

#[test]
fn a_login_speaks_as_the_tools_do() {
    let document = document("pkce.json");
    let mut report = Report::new("pkce.json");
    for case in list(&document, "base64url") {
        let octets: Vec<u8> = serde_json::from_value(case["octets"].clone()).unwrap();
        match <[u8; 32]>::try_from(octets) {
            Ok(octets) => report.case(
                "base64url",
                same(&random_text(octets).as_str(), &text(&case, "text")),
            ),
            Err(_) => report.leave_out("base64url", "only 32 octets are ever encoded here"),
        }
    }
    for case in list(&document, "s256") {
        let verifier = Verifier::parse(text(&case, "verifier")).unwrap();
        let challenge = verifier.challenge();
        report.case("s256", same(&challenge.as_str(), &text(&case, "challenge")));
        report.case("length", same(&challenge.len(), &43));
    }
    for case in list(&document, "verifier_validity") {
        let is_valid = Verifier::parse(text(&case, "verifier")).is_ok();
        report.case("validity", same(&Some(is_valid), &case["valid"].as_bool()));
    }
    for case in list(&document, "requests") {
        report.case(text(&case, "name"), request(&case));
    }
    for case in list(&document, "token_responses") {
        report.case(text(&case, "name"), token_response(&case));
    }
    report.finish();
}

fn request(case: &Value) -> Result<(), String> {
    let given = &case["given"];
    if let Some(url) = case["url"].as_str() {
        let scopes: Vec<String> = serde_json::from_value(given["scopes"].clone()).unwrap();
        let request = AuthorizationRequest {
            authz: &text(given, "authz").parse().unwrap(),
            client: text(given, "client"),
            scopes: &scopes,
            port: port(given),
            state: text(given, "state"),
            challenge: text(given, "challenge"),
        };
        return same(&request.url().as_str(), &url);
    }
    let body = text(case, "body");
    if body.contains("grant_type=password") {
        let fields = password_fields("cid", "user name&x", "PASSWORDTYPED", "s1 s2");
        return same(&form(&fields).as_str(), &body);
    }
    if given.is_null() {
        // The request with an empty client, whose values stand in its body alone.
        let verifier = "c8fc8ced-eb6d-fc76-73f3-141cf463d6ca.955298306";
        let verifier = Verifier::parse(verifier).unwrap();
        let uri = redirect_uri(10559);
        return same(
            &form(&code_fields("", "CODE", &verifier, &uri)).as_str(),
            &body,
        );
    }
    let verifier = Verifier::parse(text(given, "verifier")).unwrap();
    let uri = redirect_uri(port(given));
    let fields = code_fields(text(given, "client"), text(given, "code"), &verifier, &uri);
    same(&form(&fields).as_str(), &body)
}

fn port(given: &Value) -> u16 {
    given["port"].as_u64().unwrap().try_into().unwrap()
}

fn form(fields: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Where the tools follow a redirect, a redirect must be refused instead.
fn token_response(case: &Value) -> Result<(), String> {
    let status = u16::try_from(case["status"].as_u64().unwrap()).unwrap();
    let body = text(case, "body").as_bytes();
    let parsed = TokenResponse::parse(status, case["content_type"].as_str(), None, body);
    let expected = text(case, "result");
    if let Some(token) = expected.strip_prefix("token ") {
        let got = parsed.map_err(|error| error.to_string())?;
        return same(&got.access_token.expose(), &token);
    }
    let Err(error) = parsed else {
        return Err(format!("a token, expected {expected}"));
    };
    let fits = match &error {
        TokenResponseError::Redirected { .. } => (300..400).contains(&status),
        TokenResponseError::Refused(refusal) => expected.contains(refusal.error()),
        TokenResponseError::MissingToken => expected == "error missing access_token",
        TokenResponseError::Status { .. }
        | TokenResponseError::Malformed { .. }
        | TokenResponseError::NotAnObject
        | TokenResponseError::TooManyValues(_)
        | TokenResponseError::UnusableToken
        | TokenResponseError::Expiry => expected == "error",
    };
    if fits {
        Ok(())
    } else {
        Err(format!("got {error}, expected {expected}"))
    }
}
