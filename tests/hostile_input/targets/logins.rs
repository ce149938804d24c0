//! What hosts and files tell of logins: the service, callbacks, token answers, and the files that keep tokens.

use std::fs;

use provender::address::{Hostname, Tool};
use provender::auth::Credentials;
use provender::config::{CliConfig, Environment, environment, read_netrc};
use provender::document::oauth::{self, Callback, State, TokenResponse};
use provender::document::{CredentialsFile, LoginService, LoginSessions};
use provender::secret::Secret;

use super::told::told;

pub(super) mod seeds {
    //! From the vectors, and odd ones.

    use super::super::corpus::{literal, texts_of};

    pub(in super::super) fn login_service() -> Vec<Vec<u8>> {
        texts_of(&["login-discovery.json"])
    }

    pub(in super::super) fn login_answers() -> Vec<Vec<u8>> {
        literal(&[
            r#"{"access_token":"a","token_type":"bearer","expires_in":3600,"refresh_token":"b"}"#,
            r#"{"access_token":"a","expires_in":"1e400"}"#,
            r#"{"error":"invalid_grant","error_description":"no\u001b[2J"}"#,
            "access_token=a&expires_in=60&refresh_token=%FF",
            "state=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE&code=x",
            "state=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE&error=access_denied&error_description=a+b",
            "http://localhost:10000/login?state=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE&code=x",
            "<!doctype html><title>log in</title>",
        ])
    }

    pub(in super::super) fn credentials() -> Vec<Vec<u8>> {
        let files = literal(&[
            r#"{"credentials":{"example.com":{"token":"a","x":1},"b.example":{}},"y":[]}"#,
            r#"{"sessions":{"example.com":{"token_sha256":"00","refresh_token":"r","expires_at":1,"client":"c","token_endpoint":"https://example.com/t"}}}"#,
            "machine example.com:8443 login a password b\ndefault login c password d\nmacdef x\ny\n\n",
        ]);
        [files, texts_of(&["credentials-file.json"])].concat()
    }
}

fn host() -> Hostname {
    "example.com".parse().expect("a host name")
}

/// The value of `login.v1`.
pub(super) fn login_service(input: &[u8]) {
    let base = "https://example.com/.well-known/terraform.json";
    let base = base.parse().expect("a URL");
    if let Ok(value) = serde_json::from_slice(input)
        && let Ok(service) = LoginService::parse(&value, &base)
    {
        let _ = service.grant(&host());
    }
}

/// Callbacks, pasted ones too, and the answers of token endpoints.
pub(super) fn login_answers(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let state = State::from_random([1; 32]);
    let _ = Callback::parse(&text, &state).map_err(|error| error.to_string());
    let _ = oauth::pasted_callback(&text, 10_000, &state).map_err(|error| error.to_string());
    let form = Some("application/x-www-form-urlencoded");
    for (status, content_type) in [(200, None), (200, form), (400, None), (302, form)] {
        let location = Some(text.as_ref());
        let answer = TokenResponse::parse(status, content_type, location, input);
        let _ = answer.map_err(|error| error.to_string());
    }
}

/// What a rewrite keeps is read again; a stored token is found.
pub(super) fn credentials(input: &[u8]) {
    if let Ok(mut file) = CredentialsFile::parse(input) {
        let token = Secret::new("a token".to_owned());
        file.store(&host(), &token);
        let again = CredentialsFile::parse(file.render().as_bytes()).expect("our own file");
        assert!(again.holds(&host()));
        assert_eq!(again.token(&host()), Some(token));
    }
    if let Ok(sessions) = LoginSessions::parse(input) {
        let again = LoginSessions::parse(sessions.render().as_bytes()).expect("our own file");
        assert_eq!(again.render(), sessions.render());
    }
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let path = directory.path().join("netrc");
    fs::write(&path, input).expect("it can be filled");
    let named = |name: &str| (name.to_owned(), path.display().to_string());
    let environment = Environment::from_iter([
        named(environment::NETRC),
        named(environment::TF_CLI_CONFIG_FILE),
    ]);
    let _ = told(read_netrc(&environment));
    let config = CliConfig::load(Tool::Terraform, &environment, None, directory.path());
    let _ = Credentials::new(&environment, &config);
}
