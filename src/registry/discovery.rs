//! Service discovery: which services a host offers, asked once per process (facts/providers 1).
//!
//! Hostile input: a document and redirects from any host that an address names. The answer is
//! capped at 1 MiB, must be declared and be one JSON object, redirects are counted and never lead
//! from https to http (`http`), and the token goes only to the host itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use url::Url;

use crate::address::{Hostname, Tool};
use crate::auth::Credentials;
use crate::config::{HostServices, ServiceValue};
use crate::document::Node;
use crate::http::{Answer, Client, GetRequest, Memo, RetryPolicy};
use crate::registry::json_setting::json_of_setting;
use crate::registry::media_type::media_type;
use crate::registry::{DiscoveryError, Services};
use crate::secret::ShownUrl;

/// The tools refuse a longer document (facts/providers 1.9).
const DOCUMENT_CAP: u64 = 1 << 20;

/// The service whose value is more than a URL.
const LOGIN: &str = "login.v1";

/// Asks hosts for their services and remembers the answers.
#[derive(Debug)]
pub struct DiscoveryClient {
    http: Client,
    credentials: Arc<Credentials>,
    overrides: BTreeMap<Hostname, HostServices>,
    max_redirects: usize,
    retry: RetryPolicy,
    known: Memo<Hostname, Services>,
}

impl DiscoveryClient {
    /// A client that answers for the hosts of `overrides` (the `host` blocks) without asking.
    pub fn new(
        http: Client,
        credentials: Arc<Credentials>,
        overrides: BTreeMap<Hostname, HostServices>,
        tool: Tool,
        retry: RetryPolicy,
    ) -> Self {
        // Facts/providers 1.6: terraform follows 3 redirects, OpenTofu has Go's default.
        let max_redirects = match tool {
            Tool::Terraform => 3,
            Tool::Tofu => 10,
        };
        Self {
            http,
            credentials,
            overrides,
            max_redirects,
            retry,
            known: Memo::default(),
        }
    }

    /// The services of `host`; errors are not remembered.
    ///
    /// # Errors
    ///
    /// If the host cannot be asked or answers against the protocol. Status 404 is no error: such a
    /// host offers nothing.
    pub async fn services(&self, host: &Hostname) -> Result<Arc<Services>, DiscoveryError> {
        let ask = || self.discover(host);
        self.known.get_or_ask(host.clone(), ask).await
    }

    async fn discover(&self, host: &Hostname) -> Result<Services, DiscoveryError> {
        let url = document_url(host);
        if let Some(services) = self.overrides.get(host) {
            log::info!("services of `{host}` come from its `host` block in the CLI configuration");
            let values = services
                .services
                .iter()
                .map(|(id, value)| (id.clone(), text(value)));
            let login = services.services.get(LOGIN).map(json_of_setting);
            return Ok(Services::new(host.clone(), url, values.collect()).with_login(login));
        }
        let answer = self.ask(host, url).await?;
        let services = read(host, &answer)?;
        let login = login(&answer);
        Ok(services.found_by(answer.hops).with_login(login))
    }

    async fn ask(&self, host: &Hostname, url: Url) -> Result<Answer, DiscoveryError> {
        let credentials = self.credentials.for_host(host).await;
        let token = credentials.as_ref().map(|credentials| &credentials.token);
        let request = GetRequest {
            accept: Some("application/json"),
            bearer: token,
            max_redirects: self.max_redirects,
            retry: self.retry,
            ..GetRequest::new(url, DOCUMENT_CAP)
        };
        let sent = self.http.get(&request).await;
        sent.map_err(|source| DiscoveryError::Request {
            host: host.clone(),
            source: Box::new(source),
        })
    }
}

/// The `login.v1` of a document that was found good; a host that answers 404 offers nothing, whatever comes with it.
fn login(answer: &Answer) -> Option<Value> {
    if answer.status != 200 {
        return None;
    }
    let document = Node::only(&answer.body).ok()?;
    let value = document.members().ok()?.remove(LOGIN)?;
    // A value too deep for the parser is as good as none: `login` says that it is no object.
    Some(value.as_value().unwrap_or(Value::Null))
}

fn text(value: &ServiceValue) -> Option<String> {
    match value {
        ServiceValue::Text(text) => Some(text.clone()),
        ServiceValue::Other(_) => None,
    }
}

fn document_url(host: &Hostname) -> Url {
    let text = format!(
        "https://{}/.well-known/terraform.json",
        host.for_comparison()
    );
    Url::parse(&text).expect("a valid host name makes a valid URL")
}

fn read(host: &Hostname, answer: &Answer) -> Result<Services, DiscoveryError> {
    let (base, url) = (answer.final_url.clone(), ShownUrl::of(&answer.final_url));
    match answer.status {
        200 => {}
        404 => return Ok(Services::new(host.clone(), base, BTreeMap::new())),
        status @ (401 | 403) => {
            return Err(DiscoveryError::Unauthorized {
                host: host.clone(),
                url,
                status,
            });
        }
        status => {
            return Err(DiscoveryError::Status {
                host: host.clone(),
                url,
                status,
            });
        }
    }
    require_json(answer, &url)?;
    Services::parse(host.clone(), base, &answer.body)
        .map_err(|source| DiscoveryError::Malformed { url, source })
}

/// Facts/providers 1.8: the header must parse, and the media type be exactly `application/json`.
fn require_json(answer: &Answer, url: &ShownUrl) -> Result<(), DiscoveryError> {
    let declared = answer.content_type.as_deref();
    let media_type = declared.and_then(media_type).unwrap_or_default();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let got = declared.map_or_else(|| "none".to_owned(), |value| format!("`{value}`"));
    Err(DiscoveryError::ContentType {
        url: url.clone(),
        got,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, content_type: Option<&str>, body: &str) -> Answer {
        Answer {
            status,
            final_url: "https://example.com/.well-known/terraform.json"
                .parse()
                .unwrap(),
            hops: Vec::new(),
            content_type: content_type.map(str::to_owned),
            content_length: None,
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
            token_sent: false,
            tries: 1,
        }
    }

    fn outcome(status: u16, content_type: Option<&str>, body: &str) -> Result<Services, String> {
        let host = "example.com".parse().unwrap();
        read(&host, &answer(status, content_type, body)).map_err(|error| error.to_string())
    }

    fn services(values: &[(&str, Option<&str>)]) -> Services {
        let owned =
            |(id, value): &(&str, Option<&str>)| ((*id).to_owned(), value.map(str::to_owned));
        let base = answer(200, None, "").final_url;
        let values = values.iter().map(owned).collect();
        Services::new("example.com".parse().unwrap(), base, values)
    }

    #[test]
    fn accepts_an_object_null_and_404() {
        assert_eq!(
            outcome(
                200,
                Some("Application/JSON; charset=x"),
                r#"{"a.v1":"x","b":1}"#
            ),
            Ok(services(&[("a.v1", Some("x")), ("b", None)]))
        );
        let nothing = services(&[]);
        assert_eq!(
            outcome(200, Some("application/json"), "null").as_ref(),
            Ok(&nothing)
        );
        assert_eq!(outcome(404, None, ""), Ok(nothing));
    }

    #[test]
    fn refuses_other_statuses_types_and_bodies() {
        for (status, content_type, body) in [
            (204, Some("application/json"), "{}"),
            (410, Some("application/json"), "{}"),
            (200, None, "{}"),
            (200, Some("text/html"), "{}"),
            (200, Some("application/json; ;;x"), "{}"),
            (200, Some("application/vnd.api+json"), "{}"),
            (200, Some("application/json"), "[]"),
            (200, Some("application/json"), "{} x"),
            (200, Some("application/json"), "\u{feff}{}"),
        ] {
            assert!(
                outcome(status, content_type, body).is_err(),
                "{status} {content_type:?} {body}"
            );
        }
    }
}
