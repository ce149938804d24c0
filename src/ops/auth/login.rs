//! `login`: from a host name to a token that is kept where the tools find it (facts/login 2, 4.7).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use crate::address::Hostname;
use crate::auth::login::Page;
use crate::auth::{
    CredentialsHelper, Edited, HelperError, SessionFile, Storage, new_session, variable_for,
};
use crate::config::{CliConfig, Environment, environment};
use crate::document::oauth::TokenResponse;
use crate::http::Client;
use crate::ops::auth::browser::{BrowserLogin, ask_for_code, exchange};
use crate::ops::auth::token::{ask_for_password, ask_for_token, check_token, read_token};
use crate::ops::auth::way::TFE;
use crate::ops::{BrowserUse, LoginDialog, LoginError, LoginWay, login_way};
use crate::registry::DiscoveryClient;
use crate::secret::Secret;

/// What is asked for.
#[derive(Debug, Clone)]
pub struct LoginRequest {
    /// The host.
    pub host: Hostname,
    /// Where the token comes from.
    pub from: TokenFrom,
}

/// Where a token comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenFrom {
    /// The way that the host offers.
    Host {
        /// Who opens pages.
        browser: BrowserUse,
        /// How long to wait for the browser.
        timeout: Duration,
    },
    /// The first line of standard input.
    StandardInput,
}

/// What a login works with.
pub struct LoginParts<'a> {
    /// For token endpoints and accounts.
    pub http: &'a Client,
    /// Finds the services; without the host's old token, which may have expired.
    pub discovery: &'a DiscoveryClient,
    /// The user's configuration.
    pub config: &'a CliConfig,
    /// The environment.
    pub environment: &'a Environment,
    /// The credentials file of the tool.
    pub file: Option<PathBuf>,
    /// Whether the network may be used.
    pub is_online: bool,
    /// Where logins are remembered.
    pub sessions: Option<SessionFile>,
}

/// A login that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginOutcome {
    /// The host.
    pub host: Hostname,
    /// Where the token is kept.
    pub storage: Storage,
    /// Who the user is there, if the host tells.
    pub account: Option<String>,
    /// For how many seconds the token is good, if the host tells.
    pub expires_in: Option<u64>,
    /// Whether the token is renewed by itself.
    pub is_renewable: bool,
}

/// Logs in and keeps the token.
///
/// # Errors
///
/// If there is no place for the token, no way to get one, or the host does not give one.
pub async fn log_in(
    request: &LoginRequest,
    parts: &LoginParts<'_>,
    helper: Option<Result<CredentialsHelper, HelperError>>,
    dialog: Arc<dyn LoginDialog>,
) -> Result<LoginOutcome, LoginError> {
    let host = &request.host;
    let storage = Storage::of(host, parts.config, parts.file.as_deref(), helper)?;
    let is_new = is_new_home(&storage);
    storage.prepare(host).await?;
    dialog.note(&format!("the token for `{host}` will be kept in {storage}"));
    warn_of_hiding(host, &storage, is_new, parts, dialog.as_ref());
    let login = Login {
        host,
        parts,
        storage,
        dialog,
    };
    match request.from {
        TokenFrom::StandardInput => login.with_given_token().await,
        TokenFrom::Host { .. } if !parts.is_online => Err(LoginError::Offline),
        TokenFrom::Host { browser, timeout } => login.by_host(browser, timeout).await,
    }
}

struct Login<'a> {
    host: &'a Hostname,
    parts: &'a LoginParts<'a>,
    storage: Storage,
    dialog: Arc<dyn LoginDialog>,
}

impl Login<'_> {
    async fn by_host(
        &self,
        browser: BrowserUse,
        timeout: Duration,
    ) -> Result<LoginOutcome, LoginError> {
        let (host, parts, dialog) = (self.host, self.parts, &self.dialog);
        let services = parts.discovery.services(host).await;
        let services = services.map_err(|source| LoginError::Discovery {
            host: host.clone(),
            source: Box::new(source),
        })?;
        match login_way(host, &services, dialog.as_ref())? {
            LoginWay::Browser {
                service,
                authz,
                token,
            } => {
                let login = BrowserLogin {
                    host,
                    service: &service,
                    authz: &authz,
                    browser,
                    timeout,
                    environment: parts.environment,
                };
                self.by_browser(&login, &token).await
            }
            LoginWay::Password { service, token } => {
                let response = ask_for_password(host, &service, &token, parts.http, dialog).await?;
                self.keep(response, Some((&token, &service.client)), None)
                    .await
            }
            LoginWay::Paste { tfe } => {
                let token = ask_for_token(host, &tfe, browser, parts, dialog).await?;
                let account = check_token(host, &tfe, &token, parts.http).await?;
                self.keep(bare(token), None, account).await
            }
        }
    }

    /// The browser gets its page after the token is kept or known not to come.
    async fn by_browser(
        &self,
        login: &BrowserLogin<'_>,
        token_endpoint: &Url,
    ) -> Result<LoginOutcome, LoginError> {
        let mut given = ask_for_code(login, &self.dialog).await?;
        let arrival = given.arrival.take();
        let code = std::mem::replace(&mut given.code, Err(LoginError::Deaf));
        let outcome = match code {
            Ok(code) => {
                let response =
                    exchange(self.parts.http, login, token_endpoint, &given, &code).await;
                match response {
                    Ok(response) => {
                        let renewed_by = Some((token_endpoint, login.service.client.as_str()));
                        self.keep(response, renewed_by, None).await
                    }
                    Err(error) => Err(error),
                }
            }
            Err(error) => Err(error),
        };
        if let Some(arrival) = arrival {
            arrival.show(self.page(&outcome)).await;
        }
        outcome
    }

    fn page(&self, outcome: &Result<LoginOutcome, LoginError>) -> Page {
        match outcome {
            Ok(_) => Page::success(format!(
                "The token for {} is kept on this machine. This page can be closed.",
                self.host
            )),
            Err(error) => {
                let cause = std::error::Error::source(error);
                let cause = cause.map_or_else(String::new, |cause| format!(": {cause}"));
                Page::failure(format!("{error}{cause}. See the terminal for more."))
            }
        }
    }

    /// `--token-stdin`: checked where the host has an API for that, and kept in any case but a refusal.
    async fn with_given_token(&self) -> Result<LoginOutcome, LoginError> {
        let host = self.host;
        let token = read_token(host, &self.dialog).await?;
        let mut account = None;
        if self.parts.is_online {
            match self.parts.discovery.services(host).await {
                Ok(services) => {
                    if let Ok(tfe) = services.url(TFE) {
                        account = check_token(host, &tfe, &token, self.parts.http).await?;
                    }
                }
                Err(error) => self.dialog.warning(&format!(
                    "the token is kept without asking `{host}` about it: {error}"
                )),
            }
        }
        self.keep(bare(token), None, account).await
    }

    /// Keeps the token and remembers how to renew it: by this endpoint, as this client.
    async fn keep(
        &self,
        response: TokenResponse,
        renewed_by: Option<(&Url, &str)>,
        account: Option<String>,
    ) -> Result<LoginOutcome, LoginError> {
        let edited = self
            .storage
            .store(self.host, &response.access_token)
            .await?;
        self.tell_of_edit(&edited);
        let mut is_renewable = response.refresh_token.is_some() && renewed_by.is_some();
        let is_remembered = response.expires_in.is_some() || response.refresh_token.is_some();
        if let Some(sessions) = &self.parts.sessions {
            // What is known of an earlier login is no longer true.
            let kept = match renewed_by {
                Some((endpoint, client)) if is_remembered => {
                    let session = new_session(&response, endpoint.clone(), client);
                    in_background(sessions, self.host, move |sessions, host| {
                        sessions.put(host, &session)
                    })
                    .await
                }
                Some(_) | None => in_background(sessions, self.host, SessionFile::remove).await,
            };
            if let Err(error) = kept {
                let lost = if is_renewable {
                    "the token will not be renewed"
                } else {
                    "what is known of an earlier login stays"
                };
                is_renewable = false;
                self.dialog.warning(&format!("{lost}: {error}"));
            }
        }
        Ok(LoginOutcome {
            host: self.host.clone(),
            storage: self.storage.clone(),
            account,
            expires_in: response.expires_in,
            is_renewable,
        })
    }

    fn tell_of_edit(&self, edited: &Edited) {
        if let Some(reason) = &edited.unreadable {
            self.dialog.warning(&format!(
                "`terraform` and `tofu` cannot read {}, nor any token in it: {reason}",
                self.storage
            ));
        }
        if edited.replaced_link {
            self.dialog.warning(&format!(
                "{} was a symbolic link and is a file of its own now",
                self.storage
            ));
        }
    }
}

/// Work with the record of logins, which may ask the keyring and wait for locks.
pub(in crate::ops) async fn in_background<T: Send + 'static>(
    sessions: &SessionFile,
    host: &Hostname,
    work: impl FnOnce(&SessionFile, &Hostname) -> Result<T, crate::auth::SessionError> + Send + 'static,
) -> Result<T, String> {
    let (sessions, host) = (sessions.clone(), host.clone());
    let done = tokio::task::spawn_blocking(move || work(&sessions, &host)).await;
    match done {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

fn bare(access_token: Secret) -> TokenResponse {
    TokenResponse {
        access_token,
        refresh_token: None,
        expires_in: None,
    }
}

/// Whether the login makes the configuration directory.
fn is_new_home(storage: &Storage) -> bool {
    match storage {
        Storage::File(path) => !path.parent().is_some_and(Path::exists),
        Storage::Helper(_) => false,
    }
}

/// What will keep the tools from the new token, or from others.
fn warn_of_hiding(
    host: &Hostname,
    storage: &Storage,
    is_new: bool,
    parts: &LoginParts<'_>,
    dialog: &dyn LoginDialog,
) {
    let credentials = crate::auth::Credentials::new(parts.environment, &CliConfig::default());
    let hides = credentials
        .configured(host)
        .map(|found| found.source)
        .or_else(|| credentials.without_token(host).cloned());
    if let Some(source) = hides {
        dialog.warning(&format!(
            "{source} is set and hides the new token from all tools"
        ));
    }
    let Storage::File(path) = storage else {
        return;
    };
    let variables = [
        environment::TF_CLI_CONFIG_FILE,
        environment::TERRAFORM_CONFIG,
    ];
    let named = variables
        .into_iter()
        .find(|name| parts.environment.non_empty(name).is_some());
    if let Some(name) = named
        && !parts.config.files.contains(path)
    {
        let instead = variable_for(host);
        let instead = instead.map_or_else(String::new, |it| format!(", or set `{it}` instead"));
        dialog.warning(&format!(
            "`{name}` is set, so that the tools do not read {storage}: unset it{instead}"
        ));
    }
    if let Some(entry) = parts.config.credentials.get(host)
        && entry.place.file != *path
    {
        dialog.warning(&format!("`{}` hides the new token", entry.place));
    }
    let xdg = parts.environment.non_empty(environment::XDG_CONFIG_HOME);
    let other = xdg.map(|base| Path::new(base).join("opentofu"));
    if let Some(other) =
        other.filter(|other| is_new && other.join("credentials.tfrc.json").exists())
        && path.parent() != Some(&other)
    {
        dialog.warning(&format!(
            "with `{}` made for this, `tofu` no longer reads `{}`",
            path.parent().unwrap_or(path).display(),
            other.display()
        ));
    }
}
