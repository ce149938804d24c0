//! Logins without a browser flow: a token that the user has, or a password (facts/login 2.9, 3, 7.2).

use std::io;
use std::sync::Arc;

use serde_json::Value;
use url::Url;

use crate::address::Hostname;
use crate::auth::login::{Browser, open_browser};
use crate::auth::{request_token, usable};
use crate::document::LoginService;
use crate::document::oauth::{TokenResponse, clean, password_fields};
use crate::http::{Client, GetRequest};
use crate::ops::auth::dialog::asked;
use crate::ops::{BrowserUse, LoginDialog, LoginError, LoginParts};
use crate::secret::Secret;

/// No account document is larger.
const ACCOUNT_CAP: u64 = 1 << 20;

/// The page where users of this API make tokens. Unlike in the tools the port stays.
pub(in crate::ops) fn token_page(tfe: &Url) -> Option<Url> {
    let mut page = tfe.join("/app/settings/tokens").ok()?;
    page.set_query(Some("source=terraform-login"));
    page.set_fragment(None);
    Some(page)
}

/// Shows the page and asks for the token made there.
pub(in crate::ops) async fn ask_for_token(
    host: &Hostname,
    tfe: &Url,
    browser: BrowserUse,
    parts: &LoginParts<'_>,
    dialog: &Arc<dyn LoginDialog>,
) -> Result<Secret, LoginError> {
    dialog.note(&format!("make a token for `{host}` on this page:"));
    if let Some(page) = token_page(tfe) {
        dialog.url(&page);
        if browser == BrowserUse::Open
            && let Some(program) = Browser::find(parts.environment)
            && let Err(error) = open_browser(&program, &page, parts.environment)
        {
            dialog.warning(&format!(
                "cannot start the browser: {error}; open the page yourself"
            ));
        }
    }
    let question = format!("token for {host} (not shown): ");
    let answer = asked(dialog, move |dialog| dialog.ask_hidden(&question)).await;
    given_token(host, answer)
}

/// The token on the first line of standard input, which a terminal does not show.
pub(in crate::ops) async fn read_token(
    host: &Hostname,
    dialog: &Arc<dyn LoginDialog>,
) -> Result<Secret, LoginError> {
    let question = format!("token for {host} (not shown): ");
    let answer = asked(dialog, move |dialog| dialog.ask_hidden(&question)).await;
    given_token(host, answer)
}

/// Nothing, or something that is no text, is no token.
fn given_token(host: &Hostname, answer: io::Result<Secret>) -> Result<Secret, LoginError> {
    use io::ErrorKind::{InvalidData, UnexpectedEof};

    match answer {
        Ok(token) => clean_token(host, &token),
        Err(error) if [UnexpectedEof, InvalidData].contains(&error.kind()) => {
            Err(LoginError::NoToken { host: host.clone() })
        }
        Err(error) => Err(input(error)),
    }
}

/// White space around a token is of the paste; within it belongs to the token.
fn clean_token(host: &Hostname, given: &Secret) -> Result<Secret, LoginError> {
    let token = usable(Secret::new(given.expose().trim()));
    token.ok_or_else(|| LoginError::NoToken { host: host.clone() })
}

pub(in crate::ops) fn input(error: io::Error) -> LoginError {
    if error.kind() == io::ErrorKind::Interrupted {
        return LoginError::Interrupted;
    }
    LoginError::Input(error)
}

/// Asks the API whose token it is. Tells the user name if the answer has one.
pub(in crate::ops) async fn check_token(
    host: &Hostname,
    tfe: &Url,
    token: &Secret,
    http: &Client,
) -> Result<Option<String>, LoginError> {
    let mut base = tfe.clone();
    if !base.path().ends_with('/') {
        base.set_path(&format!("{}/", tfe.path()));
    }
    let Ok(url) = base.join("account/details") else {
        return Ok(None);
    };
    let request = GetRequest {
        accept: Some("application/vnd.api+json"),
        bearer: Some(token),
        max_redirects: 0,
        ..GetRequest::new(url, ACCOUNT_CAP)
    };
    let answer = http.get(&request).await;
    let answer = answer.map_err(|source| LoginError::Check {
        host: host.clone(),
        source: Box::new(source),
    })?;
    if answer.status != 200 || !answer.token_sent {
        return Err(LoginError::TokenRefused {
            host: host.clone(),
            status: answer.status,
        });
    }
    let account: Option<Value> = serde_json::from_slice(&answer.body).ok();
    let name = account
        .as_ref()
        .and_then(|account| account["data"]["attributes"]["username"].as_str());
    Ok(name.map(clean).filter(|name| !name.is_empty()))
}

/// The resource owner password grant.
pub(in crate::ops) async fn ask_for_password(
    host: &Hostname,
    service: &LoginService,
    token_endpoint: &Url,
    http: &Client,
    dialog: &Arc<dyn LoginDialog>,
) -> Result<TokenResponse, LoginError> {
    let question = format!("user name for {host}: ");
    let username = asked(dialog, move |dialog| dialog.ask(&question)).await;
    let username = username.map_err(input)?;
    let question = format!("password for {host} (not shown): ");
    let password = asked(dialog, move |dialog| dialog.ask_hidden(&question)).await;
    let password = password.map_err(input)?;
    let scope = service.scopes.join(" ");
    let fields = password_fields(&service.client, username.trim(), password.expose(), &scope);
    let answer = request_token(http, token_endpoint, &fields).await;
    answer.map_err(|source| LoginError::Exchange {
        host: host.clone(),
        source: Box::new(source),
    })
}
