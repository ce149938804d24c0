//! Documents: small answers, read whole into memory.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use url::Url;

use crate::http::answer::{text, texts};
use crate::http::client::Limits;
use crate::http::exchange::{Fault, Outgoing, Reply, exchange, receive, refuse_encoding};
use crate::http::retry::{asked_wait, is_passing_status, tells_a_limit};
use crate::http::{Answer, Client, HttpError, RetryPolicy, TransportError, TransportKind};
use crate::secret::{Secret, ShownUrl};

/// No more of the body of an error answer is kept, which is for showing only.
const ERROR_BODY_CAP: u64 = 64 << 10;

/// What happens to a body that grows beyond its cap without having announced it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overflow {
    /// The request fails.
    #[default]
    Refuse,
    /// The body ends there, as service discovery wants it (facts 1.9). A body that announces too
    /// much is refused all the same.
    Cut,
}

/// A request for a document.
#[derive(Debug, Clone)]
pub struct GetRequest<'a> {
    /// What to get. User information in it is sent as basic authentication, unless there is a token.
    pub url: Url,
    /// The `Accept` header.
    pub accept: Option<&'static str>,
    /// The token for the host of `url`.
    pub bearer: Option<&'a Secret>,
    /// Further headers. They are sent along redirects too, so they must not be secret.
    pub headers: Vec<(&'static str, String)>,
    /// The most bytes that the body may have.
    pub cap: u64,
    /// What happens to longer ones.
    pub overflow: Overflow,
    /// How many redirects are followed.
    pub max_redirects: usize,
    /// Whether and when the request is repeated.
    pub retry: RetryPolicy,
}

impl GetRequest<'_> {
    /// A request for `url` with a body of at most `cap` bytes: no token, ten redirects, one try.
    pub fn new(url: Url, cap: u64) -> Self {
        Self {
            url,
            accept: None,
            bearer: None,
            headers: Vec::new(),
            cap,
            overflow: Overflow::Refuse,
            max_redirects: 10,
            retry: RetryPolicy::none(),
        }
    }

    fn outgoing(&self) -> Result<Outgoing<'_>, HttpError> {
        let mut headers = HeaderMap::new();
        if let Some(accept) = self.accept {
            headers.insert(ACCEPT, HeaderValue::from_static(accept));
        }
        for (name, value) in &self.headers {
            let bad = || HttpError::BadHeader {
                name: (*name).to_owned(),
            };
            let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
            headers.insert(key, HeaderValue::from_str(value).map_err(|_| bad())?);
        }
        let max_redirects = self.max_redirects;
        Ok(Outgoing {
            url: &self.url,
            headers,
            bearer: self.bearer,
            max_redirects,
        })
    }
}

impl Client {
    /// Gets a document. Every status that is left after the retries is an answer.
    ///
    /// # Errors
    ///
    /// Fails if no complete answer comes within the retries, a redirect is not followed, the body is
    /// too large or has a content encoding.
    pub async fn get(&self, request: &GetRequest<'_>) -> Result<Answer, HttpError> {
        let outgoing = request.outgoing()?;
        let retry = &request.retry;
        let budget = self.budget(&request.url);
        let mut tries = 1;
        loop {
            let may_retry = tries <= retry.retries;
            let admission = Arc::clone(&budget).admission().await;
            let result = self.get_once(&outgoing, request).await;
            let (reason, limited, asked) = match result {
                Ok(answer) if may_retry && is_passing_status(answer.status) => {
                    let value = answer.header("retry-after");
                    let asked = asked_wait(answer.status, value, SystemTime::now());
                    if retry.is_too_long(&request.url, asked) {
                        return Ok(Answer { tries, ..answer });
                    }
                    let limited = tells_a_limit(answer.status, asked);
                    (format!("status {}", answer.status), limited, asked)
                }
                Ok(answer) => {
                    budget.succeeded();
                    return Ok(Answer { tries, ..answer });
                }
                Err(fault) if may_retry && fault.is_passing() => (fault.reason(), false, None),
                Err(fault) => return Err(fault.into_error(tries)),
            };
            let pause = retry.announced_pause(&request.url, tries, &reason, asked);
            if limited {
                budget.exceeded(pause);
            }
            drop(admission);
            tokio::time::sleep(pause).await;
            tries += 1;
        }
    }

    async fn get_once(
        &self,
        outgoing: &Outgoing<'_>,
        request: &GetRequest<'_>,
    ) -> Result<Answer, Fault> {
        let limits = self.limits();
        let work = async {
            let reply = exchange(self.documents(), outgoing, limits).await?;
            read_answer(reply, request.cap, request.overflow, limits).await
        };
        within(self.request_timeout(), &request.url, work).await
    }
}

/// Gives `work` at most `limit`.
pub(super) async fn within<T>(
    limit: Option<Duration>,
    url: &Url,
    work: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let Some(limit) = limit else {
        return work.await;
    };
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
        let source = TransportError::timeout(TransportKind::TimedOut, limit);
        Err(Fault::Transport {
            url: ShownUrl::of(url),
            source,
        })
    })
}

/// Reads the body within its cap.
pub(super) async fn read_answer(
    mut reply: Reply,
    cap: u64,
    overflow: Overflow,
    limits: Limits,
) -> Result<Answer, Fault> {
    let hops = std::mem::take(&mut reply.hops);
    let headers = reply.response.headers();
    let mut answer = Answer {
        status: reply.response.status().as_u16(),
        final_url: reply.url.clone(),
        hops,
        content_type: text(headers, "content-type").map(str::to_owned),
        content_length: reply.response.content_length(),
        headers: texts(headers),
        body: Vec::new(),
        token_sent: reply.token_sent,
        tries: 1,
    };
    let encoding = refuse_encoding(&reply);
    if !answer.is_success() {
        // The status is the message: a strange, endless or cut body must not hide it.
        if encoding.is_ok() {
            answer.body = read_error_body(&mut reply, cap, limits).await;
        }
        return Ok(answer);
    }
    encoding?;
    if answer.content_length.is_some_and(|length| length > cap) {
        return Err(HttpError::TooLarge {
            url: ShownUrl::of(&reply.url),
            cap,
        }
        .into());
    }
    answer.body = read_body(&mut reply, cap, overflow, limits).await?;
    Ok(answer)
}

async fn read_error_body(reply: &mut Reply, cap: u64, limits: Limits) -> Vec<u8> {
    let body = read_body(reply, cap.min(ERROR_BODY_CAP), Overflow::Cut, limits).await;
    body.unwrap_or_else(|fault| {
        log::info!(
            "the body from `{}` is lost: {}",
            ShownUrl::of(&reply.url),
            fault.reason()
        );
        Vec::new()
    })
}

async fn read_body(
    reply: &mut Reply,
    cap: u64,
    overflow: Overflow,
    limits: Limits,
) -> Result<Vec<u8>, Fault> {
    let mut body = Vec::new();
    let ends_with_connection = ends_with_connection(&reply.response);
    loop {
        let next = reply.response.chunk();
        let bytes = match receive(next, &reply.url, TransportKind::Stalled, limits.silence).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(body),
            // The document itself tells whether it is whole.
            Err(fault) if ends_with_connection && fault.is_end_of_input() => return Ok(body),
            Err(fault) => return Err(fault),
        };
        body.extend_from_slice(&bytes);
        if body.len() as u64 > cap {
            if overflow == Overflow::Refuse {
                return Err(HttpError::TooLarge {
                    url: ShownUrl::of(&reply.url),
                    cap,
                }
                .into());
            }
            body.truncate(usize::try_from(cap).unwrap_or(usize::MAX));
            return Ok(body);
        }
    }
}

/// Whether nothing but the end of the connection tells where the body ends (RFC 9112, 6.3). Some servers close it
/// without the farewell of TLS.
fn ends_with_connection(response: &reqwest::Response) -> bool {
    response.version() <= reqwest::Version::HTTP_11
        && response.content_length().is_none()
        && !response.headers().contains_key("transfer-encoding")
}
