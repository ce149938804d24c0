//! One try: a GET, the redirects that follow it, and the head of the answer.

use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, AUTHORIZATION, HeaderMap, HeaderValue, LOCATION};
use url::Url;

use crate::http::answer::text;
use crate::http::client::{Limits, Pool};
use crate::http::realm;
use crate::http::{HttpError, TransportError, TransportKind};
use crate::secret::{Secret, ShownUrl};

/// What is sent.
pub(super) struct Outgoing<'a> {
    pub(super) url: &'a Url,
    pub(super) headers: HeaderMap,
    pub(super) bearer: Option<&'a Secret>,
    pub(super) max_redirects: usize,
}

/// The head of the final answer; the body is still to come.
pub(super) struct Reply {
    pub(super) response: reqwest::Response,
    pub(super) url: Url,
    /// Every URL on the way, that one last.
    pub(super) hops: Vec<ShownUrl>,
    pub(super) token_sent: bool,
}

/// Why a try failed.
#[derive(Debug)]
pub(super) enum Fault {
    /// Another try may help, unless the kind says otherwise.
    Transport {
        url: ShownUrl,
        source: TransportError,
    },
    /// Another try would end the same.
    Final(HttpError),
}

impl Fault {
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Transport { source, .. } => source.kind().is_passing(),
            Self::Final(_) => false,
        }
    }

    /// Whether the connection ended, and that is all.
    pub(super) fn is_end_of_input(&self) -> bool {
        match self {
            Self::Transport { source, .. } => source.is_end_of_input(),
            Self::Final(_) => false,
        }
    }

    /// The error to give up with after `tries` tries.
    pub(super) fn into_error(self, tries: u32) -> HttpError {
        match self {
            Self::Transport { url, source } => HttpError::Transport { url, tries, source },
            Self::Final(error) => error,
        }
    }

    /// What to say about it before another try.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Transport { source, .. } => source.to_string(),
            Self::Final(error) => error.to_string(),
        }
    }
}

impl<E: Into<HttpError>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Final(error.into())
    }
}

/// Sends `request` and follows redirects by the rules of the module's head.
pub(super) async fn exchange(
    pool: &Pool,
    request: &Outgoing<'_>,
    limits: Limits,
) -> Result<Reply, Fault> {
    realm::check_scheme(request.url)?;
    let mut url = request.url.clone();
    let mut bearer = request.bearer;
    let mut hops = vec![ShownUrl::of(&url)];
    loop {
        let token = bearer.filter(|_| may_send(&url));
        let response = send(pool, &url, &request.headers, token, limits.head).await?;
        let Some(target) = redirect(&response, &url)? else {
            return Ok(Reply {
                response,
                url,
                hops,
                token_sent: token.is_some(),
            });
        };
        hops.push(ShownUrl::of(&target));
        if hops.len() > request.max_redirects + 1 {
            return Err(HttpError::TooManyRedirects {
                limit: request.max_redirects,
                hops,
            }
            .into());
        }
        // Once dropped, the token stays dropped, even if a later redirect comes back.
        bearer = bearer.filter(|_| realm::is_same(&url, &target));
        url = target;
    }
}

fn may_send(url: &Url) -> bool {
    let may = realm::may_carry_token(url);
    if !may {
        log::warn!(
            "the token for `{}` is not sent over plain http",
            ShownUrl::of(url)
        );
    }
    may
}

/// Where an answer redirects to, if it does. A redirect without `Location` is an answer like others.
fn redirect(response: &reqwest::Response, url: &Url) -> Result<Option<Url>, HttpError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    match response.headers().get(LOCATION) {
        Some(location) => realm::redirect_target(url, location.as_bytes()).map(Some),
        None => Ok(None),
    }
}

async fn send(
    pool: &Pool,
    url: &Url,
    headers: &HeaderMap,
    token: Option<&Secret>,
    limit: Duration,
) -> Result<reqwest::Response, Fault> {
    let mut headers = headers.clone();
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let mut target = url.clone();
    if let Some(token) = token {
        headers.insert(AUTHORIZATION, bearer_header(token)?);
        // User information would become a second `Authorization`.
        let _ = target.set_username("");
        let _ = target.set_password(None);
    }
    log::info!("GET `{}`", ShownUrl::of(url));
    let sending = pool.client_for(url).get(target).headers(headers).send();
    let response = receive(sending, url, TransportKind::Stalled, limit).await?;
    log_head(&response, url);
    Ok(response)
}

fn bearer_header(token: &Secret) -> Result<HeaderValue, HttpError> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", token.expose())).map_err(|_| {
        HttpError::BadHeader {
            name: AUTHORIZATION.to_string(),
        }
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// Waits for the next part of an answer, but not longer than `limit`.
pub(super) async fn receive<T>(
    part: impl Future<Output = Result<T, reqwest::Error>>,
    url: &Url,
    kind: TransportKind,
    limit: Duration,
) -> Result<T, Fault> {
    let fault = |source| Fault::Transport {
        url: ShownUrl::of(url),
        source,
    };
    match tokio::time::timeout(limit, part).await {
        Ok(Ok(part)) => Ok(part),
        Ok(Err(error)) => Err(fault(TransportError::of(&error))),
        Err(_) => Err(fault(TransportError::timeout(kind, limit))),
    }
}

/// Refuses bodies that would have to be unpacked first.
///
/// # Errors
///
/// Fails if there is a content encoding other than `identity`.
pub(super) fn refuse_encoding(reply: &Reply) -> Result<(), HttpError> {
    let values = reply.response.headers().get_all("content-encoding");
    for value in values {
        if !value.as_bytes().eq_ignore_ascii_case(b"identity") {
            return Err(HttpError::ContentEncoding {
                url: ShownUrl::of(&reply.url),
                encoding: String::from_utf8_lossy(value.as_bytes())
                    .escape_debug()
                    .to_string(),
            });
        }
    }
    Ok(())
}

/// The headers that are of use to somebody who looks for a fault and cannot hold a secret.
const SHOWN_HEADERS: [&str; 12] = [
    "accept-ranges",
    "age",
    "content-encoding",
    "content-length",
    "content-range",
    "content-type",
    "date",
    "etag",
    "last-modified",
    "retry-after",
    "server",
    "via",
];

fn log_head(response: &reqwest::Response, url: &Url) {
    let status = response.status().as_u16();
    log::info!(
        "{status} from `{}` ({:?})",
        ShownUrl::of(url),
        response.version()
    );
    for name in SHOWN_HEADERS {
        if let Some(value) = text(response.headers(), name) {
            log::debug!("  {name}: {value}");
        }
    }
}
