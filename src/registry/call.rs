//! One call to the API of a registry, of providers as of modules: the registry is found by discovery, and the token of its
//! host goes along.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use url::Url;

use crate::address::Hostname;
use crate::auth::Credentials;
use crate::document::JsonError;
use crate::http::{Answer, Client, GetRequest, RetryPolicy};
use crate::registry::{CallError, DiscoveryClient, DiscoveryError, RegistryKind};
use crate::secret::{Secret, ShownUrl};

/// Calls registries of one kind.
#[derive(Debug)]
pub(super) struct Caller {
    pub(super) http: Client,
    pub(super) discovery: DiscoveryClient,
    pub(super) credentials: Arc<Credentials>,
    pub(super) retry: RetryPolicy,
    pub(super) kind: RegistryKind,
}

/// What to call.
#[derive(Debug)]
pub(super) struct Call<'a> {
    /// Whose registry.
    pub(super) host: &'a Hostname,
    /// For which provider or module.
    pub(super) addr: String,
    /// Relative to the URL of the service.
    pub(super) path: String,
    /// What is asked for, in words.
    pub(super) what: String,
    /// The most bytes that the answer may have.
    pub(super) cap: u64,
}

/// An answer, with what is said where it is not as it should be.
#[derive(Debug)]
pub(super) struct Reply {
    /// The URL first asked, before redirects.
    pub(super) asked: Url,
    pub(super) answer: Answer,
    host: Hostname,
    what: String,
}

impl Caller {
    /// Makes a call; any status is an answer.
    pub(super) fn call<'a>(&'a self, call: Call<'a>) -> BoxFuture<'a, Result<Reply, CallError>> {
        // In a box: futures in futures make types that are too deep for the compiler.
        self.answer(call).boxed()
    }

    async fn answer(&self, call: Call<'_>) -> Result<Reply, CallError> {
        let base = self.base(call.host).await;
        let base = base.map_err(|source| CallError::Discovery {
            kind: self.kind,
            addr: call.addr.clone(),
            source: Box::new(source),
        })?;
        // Facts/providers 1.14: a relative reference, so a base without final slash loses its last segment, and a query
        // string disappears.
        let asked = base
            .join(&call.path)
            .expect("valid names make a relative reference");
        let token = self.token(call.host).await;
        let request = GetRequest {
            accept: Some("application/json"),
            bearer: token.as_ref(),
            ..GetRequest::new(asked.clone(), call.cap)
        };
        let answer = self.get(request, &call.what).await?;
        Ok(Reply {
            asked,
            answer,
            host: call.host.clone(),
            what: call.what,
        })
    }

    /// The document at `url`, which belongs to no API, so that no token goes there.
    pub(super) async fn document(
        &self,
        url: &Url,
        what: &str,
        cap: u64,
    ) -> Result<Vec<u8>, CallError> {
        let request = GetRequest::new(url.clone(), cap);
        let answer = self.get(request, what).await?;
        match answer.status {
            200 => Ok(answer.body),
            status => Err(CallError::Status {
                what: what.to_owned(),
                url: ShownUrl::of(&answer.final_url),
                status,
                expected: &[200],
            }),
        }
    }

    /// The token for calls to the registry of `host`.
    pub(super) async fn token(&self, host: &Hostname) -> Option<Secret> {
        let credentials = self.credentials.for_host(host).await;
        credentials.map(|credentials| credentials.token)
    }

    async fn get(&self, request: GetRequest<'_>, what: &str) -> Result<Answer, CallError> {
        let request = GetRequest {
            retry: self.retry,
            ..request
        };
        let sent = self.http.get(&request).await;
        sent.map_err(|source| CallError::Request {
            what: what.to_owned(),
            source: Box::new(source),
        })
    }

    async fn base(&self, host: &Hostname) -> Result<Url, DiscoveryError> {
        let mut base = self
            .discovery
            .services(host)
            .await?
            .url(self.kind.service())?;
        // Unlike for providers, a missing slash at the end is added (facts/modules 2.1).
        if self.kind == RegistryKind::Modules && !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        Ok(base)
    }
}

impl Reply {
    /// Whether what was asked for is not there.
    pub(super) fn is_not_found(&self) -> bool {
        self.answer.status == 404
    }

    /// Who answered, after redirects.
    pub(super) fn url(&self) -> ShownUrl {
        ShownUrl::of(&self.answer.final_url)
    }

    /// Refuses all statuses but these.
    pub(super) fn expect(&self, expected: &'static [u16]) -> Result<(), CallError> {
        match self.answer.status {
            status if expected.contains(&status) => Ok(()),
            status @ (401 | 403) => Err(CallError::Unauthorized {
                host: self.host.clone(),
                url: self.url(),
                status,
                token_sent: self.answer.token_sent,
            }),
            status => Err(CallError::Status {
                what: self.what.clone(),
                url: self.url(),
                status,
                expected,
            }),
        }
    }

    /// The error that the body is not what it should be.
    pub(super) fn malformed(&self, source: JsonError) -> CallError {
        CallError::Malformed {
            what: self.what.clone(),
            url: self.url(),
            source,
        }
    }
}
