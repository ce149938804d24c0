//! The login by the browser: authorization code with PKCE (facts/login 2.2 to 2.7).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use url::Url;

use crate::address::Hostname;
use crate::auth::login::{
    Arrival, Browser, CallbackListener, CallbackServer, open_browser, random_bytes,
};
use crate::auth::request_token;
use crate::config::Environment;
use crate::document::LoginService;
use crate::document::oauth::{
    AuthorizationRequest, Callback, State, TokenResponse, Verifier, code_fields, pasted_callback,
    redirect_uri,
};
use crate::http::Client;
use crate::ops::{LoginDialog, LoginError};
use crate::secret::Secret;

/// Who opens the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrowserUse {
    /// This program, if there is a browser here; the URL is shown in any case.
    Open,
    /// The user, perhaps on another machine.
    Leave,
}

/// A login by the browser that is about to begin.
pub(in crate::ops) struct BrowserLogin<'a> {
    pub(in crate::ops) host: &'a Hostname,
    pub(in crate::ops) service: &'a LoginService,
    pub(in crate::ops) authz: &'a Url,
    pub(in crate::ops) browser: BrowserUse,
    pub(in crate::ops) timeout: Duration,
    pub(in crate::ops) environment: &'a Environment,
}

/// A code, what proves that it is ours, and the browser that waits for a page if it came by one.
pub(in crate::ops) struct GivenCode {
    pub(in crate::ops) code: Result<Secret, LoginError>,
    pub(in crate::ops) arrival: Option<Arrival>,
    verifier: Verifier,
    port: u16,
    /// Lives until the browser has its page.
    _server: CallbackServer,
}

/// Sends the user to the browser and waits for what comes back.
pub(in crate::ops) async fn ask_for_code(
    login: &BrowserLogin<'_>,
    dialog: &Arc<dyn LoginDialog>,
) -> Result<GivenCode, LoginError> {
    let listener = CallbackListener::bind(login.service.ports.clone()).await?;
    let port = listener.port();
    let state = State::from_random(random_bytes()?);
    let verifier = Verifier::from_random(random_bytes()?);
    let request = AuthorizationRequest {
        authz: login.authz,
        client: &login.service.client,
        scopes: &login.service.scopes,
        port,
        state: state.expose(),
        challenge: &verifier.challenge(),
    };
    let url = request.url();
    let mut server = CallbackServer::start(listener, state.clone());
    let pasted = invite(login, dialog, &url, port);
    let waiting = wait(&mut server, pasted, port, &state, dialog);
    let Ok(came) = tokio::time::timeout(login.timeout, waiting).await else {
        return Err(LoginError::TimedOut {
            waited: login.timeout,
        });
    };
    let (callback, arrival) = came?;
    let code = match callback {
        Callback::Code(code) => Ok(code),
        Callback::Refused(refusal) => Err(LoginError::Refused {
            host: login.host.clone(),
            refusal,
        }),
    };
    Ok(GivenCode {
        code,
        arrival,
        verifier,
        port,
        _server: server,
    })
}

/// Shows the URL first, since a launcher may hang or lie, then starts the browser. Where the user has to open the URL
/// elsewhere, standard input takes what came of it.
fn invite(
    login: &BrowserLogin<'_>,
    dialog: &Arc<dyn LoginDialog>,
    url: &Url,
    port: u16,
) -> Option<mpsc::Receiver<Secret>> {
    dialog.note(&format!("log in to `{}` at this address:", login.host));
    dialog.url(url);
    let place = login.authz.host_str().unwrap_or_default();
    if !is_of(login.host, place) {
        dialog.note(&format!("the page is on another host, `{place}`"));
    }
    if login.browser == BrowserUse::Open
        && let Some(browser) = Browser::find(login.environment)
    {
        match open_browser(&browser, url, login.environment) {
            Ok(()) => {
                dialog.note("waiting for the browser; Ctrl-C ends the wait");
                return None;
            }
            Err(error) => dialog.warning(&format!(
                "cannot start the browser `{}`: {error}; open the address yourself",
                browser.program().display()
            )),
        }
    }
    dialog.note(&format!(
        "if the browser is on another machine, run `ssh -L {port}:127.0.0.1:{port} MACHINE` there before, or paste \
         here the `{}?...` address that it ends at",
        redirect_uri(port)
    ));
    Some(dialog.lines())
}

fn is_of(host: &Hostname, name: &str) -> bool {
    let comparison = host.for_comparison();
    comparison == name || comparison.split(':').next() == Some(name)
}

/// The callback, by the browser or pasted; what is neither is told and the wait goes on. The end of standard input
/// ends nothing.
async fn wait(
    server: &mut CallbackServer,
    mut pasted: Option<mpsc::Receiver<Secret>>,
    port: u16,
    state: &State,
    dialog: &Arc<dyn LoginDialog>,
) -> Result<(Callback, Option<Arrival>), LoginError> {
    loop {
        let next_line = async {
            match &mut pasted {
                Some(lines) => lines.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            arrival = server.arrival() => {
                let arrival = arrival.ok_or(LoginError::Deaf)?;
                return Ok((arrival.callback.clone(), Some(arrival)));
            }
            line = next_line => match line {
                None => pasted = None,
                Some(line) if line.expose().trim().is_empty() => {}
                Some(line) => match pasted_callback(line.expose(), port, state) {
                    Ok(callback) => return Ok((callback, None)),
                    Err(error) => dialog.warning(&format!("what was pasted is not used: {error}")),
                },
            },
        }
    }
}

/// Turns the code into a token.
pub(in crate::ops) async fn exchange(
    http: &Client,
    login: &BrowserLogin<'_>,
    token_endpoint: &Url,
    given: &GivenCode,
    code: &Secret,
) -> Result<TokenResponse, LoginError> {
    let uri = redirect_uri(given.port);
    let client = &login.service.client;
    let fields = code_fields(client, code.expose(), &given.verifier, &uri);
    let asked = request_token(http, token_endpoint, &fields).await;
    asked.map_err(|source| LoginError::Exchange {
        host: login.host.clone(),
        source: Box::new(source),
    })
}
