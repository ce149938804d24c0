//! The client: two connection pools and the time-outs they share.

use std::sync::Arc;
use std::time::Duration;

use reqwest::ClientBuilder;
use url::Url;

use crate::http::host_budget::{HostBudget, HostBudgets};
use crate::http::promise::Promises;
use crate::http::realm;
use crate::http::roots::tls_config;
use crate::http::{ClientOptions, HttpError, Login, NoProxy, Proxies};

/// Speaks HTTP with registries, mirrors and file servers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    documents: Pool,
    packages: Pool,
    budgets: HostBudgets,
    promises: Promises,
    options: ClientOptions,
}

/// Connections of one kind. This machine itself is never asked through a proxy: a token may go to
/// loopback over plain http, and a proxy would read it.
#[derive(Debug)]
pub(super) struct Pool {
    usual: reqwest::Client,
    direct: reqwest::Client,
    no_proxy: NoProxy,
}

impl Pool {
    /// Builds both clients of the pool from the settings that `builder` makes.
    fn new(
        builder: impl Fn() -> ClientBuilder,
        options: &ClientOptions,
    ) -> Result<Self, HttpError> {
        let build = |builder: ClientBuilder| {
            builder.build().map_err(|error| HttpError::Setup {
                source: error.into(),
            })
        };
        let direct = build(builder().no_proxy())?;
        let usual = match options.proxies {
            Proxies::System => build(builder())?,
            Proxies::None => direct.clone(),
        };
        Ok(Self {
            usual,
            direct,
            no_proxy: options.no_proxy.clone(),
        })
    }

    /// The client to ask `url` with.
    pub(super) fn client_for(&self, url: &Url) -> &reqwest::Client {
        if realm::is_loopback(url) || self.no_proxy.names(url) {
            &self.direct
        } else {
            &self.usual
        }
    }
}

/// How long the steps of one try may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// From the request to the head of the answer.
    pub(super) head: Duration,
    /// Between two pieces of a body.
    pub(super) silence: Duration,
}

impl Client {
    /// Builds a client.
    ///
    /// # Errors
    ///
    /// Fails if certificates cannot be loaded (see [`ClientOptions::ca_files`]), or the HTTP library
    /// refuses the settings: a user agent with a line break, say.
    pub fn new(options: ClientOptions) -> Result<Self, HttpError> {
        let tls = tls_config(&options.ca_files, options.client_identity.as_ref())?;
        let mut for_documents = tls.clone();
        for_documents.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        // All streams of an HTTP/2 connection share one window and one TCP connection, which makes
        // large transfers slower than connections of their own.
        let mut for_packages = tls;
        for_packages.alpn_protocols = vec![b"http/1.1".to_vec()];
        let documents = || builder(&options).tls_backend_preconfigured(for_documents.clone());
        let packages = || {
            builder(&options)
                .http1_only()
                .tls_backend_preconfigured(for_packages.clone())
        };
        let inner = Inner {
            documents: Pool::new(documents, &options)?,
            packages: Pool::new(packages, &options)?,
            budgets: HostBudgets::default(),
            promises: Promises::default(),
            options,
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The pool for small answers: HTTP/2 where the server speaks it.
    pub(super) fn documents(&self) -> &Pool {
        &self.inner.documents
    }

    /// The pool for large answers: HTTP/1.1, a connection for each.
    pub(super) fn packages(&self) -> &Pool {
        &self.inner.packages
    }

    /// How many requests the host of `url` takes.
    pub(super) fn budget(&self, url: &Url) -> Arc<HostBudget> {
        self.inner.budgets.of(url)
    }

    /// What downloads in flight are still to write.
    pub(super) fn promises(&self) -> &Promises {
        &self.inner.promises
    }

    /// How long a document may take as a whole.
    pub(super) fn request_timeout(&self) -> Option<Duration> {
        self.inner.options.request_timeout
    }

    /// The user names and passwords for downloads.
    pub(super) fn logins(&self) -> &[Login] {
        &self.inner.options.logins
    }

    pub(super) fn limits(&self) -> Limits {
        let silence = self.inner.options.stall_timeout;
        Limits {
            head: self.inner.options.connect_timeout.saturating_add(silence),
            silence,
        }
    }
}

fn builder(options: &ClientOptions) -> ClientBuilder {
    reqwest::Client::builder()
        .user_agent(options.user_agent())
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(options.connect_timeout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_user_agent_with_line_break() {
        let user_agent_suffix = Some("a\nb".to_owned());
        let options = ClientOptions {
            user_agent_suffix,
            ..ClientOptions::default()
        };
        assert!(matches!(Client::new(options), Err(HttpError::Setup { .. })));
    }

    #[test]
    fn loopback_is_never_asked_through_a_proxy() {
        let client = Client::new(ClientOptions::default()).unwrap();
        for (text, is_direct) in [
            ("http://localhost:8080/", true),
            ("https://127.0.0.1/", true),
            ("http://[::1]/", true),
            ("https://example.com/", false),
            ("http://10.0.0.1/", false),
        ] {
            let url = text.parse().unwrap();
            for pool in [client.documents(), client.packages()] {
                let direct = std::ptr::eq(pool.client_for(&url), &raw const pool.direct);
                assert_eq!(direct, is_direct, "{text}");
            }
        }
    }
}
