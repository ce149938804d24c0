//! Forms sent to a token endpoint: one try, no redirects, no token of ours.

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE};
use url::{Url, form_urlencoded};

use crate::http::exchange::{Reply, receive};
use crate::http::get::{read_answer, within};
use crate::http::realm;
use crate::http::{Answer, Client, HttpError, Overflow, TransportKind};
use crate::secret::ShownUrl;

/// A form for the token endpoint of `login.v1`.
///
/// The fields hold the authorization code and its verifier, so they are neither logged nor sent
/// anywhere else: a redirect is an answer here, for the caller to judge (facts on login, 3).
#[derive(Clone)]
pub struct PostRequest<'a> {
    /// Where to; its query is kept.
    pub url: Url,
    /// Names and values, sent in this order.
    pub fields: &'a [(&'a str, &'a str)],
    /// The most bytes that the answer may have.
    pub cap: u64,
}

impl Client {
    /// Sends a form and reads the answer, whatever its status.
    ///
    /// # Errors
    ///
    /// Fails if no complete answer comes, or its body is too large or has a content encoding.
    pub async fn post_form(&self, request: &PostRequest<'_>) -> Result<Answer, HttpError> {
        realm::check_scheme(&request.url)?;
        let form = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(request.fields)
            .finish();
        let limits = self.limits();
        log::info!("POST `{}`", ShownUrl::of(&request.url));
        let work = async {
            let sending = self
                .documents()
                .client_for(&request.url)
                .post(request.url.clone())
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                .header(ACCEPT, "application/json")
                .header(ACCEPT_ENCODING, "identity")
                .body(form)
                .send();
            let url = request.url.clone();
            let response = receive(sending, &url, TransportKind::Stalled, limits.head).await?;
            let reply = Reply {
                hops: vec![ShownUrl::of(&request.url)],
                response,
                url,
                token_sent: false,
            };
            read_answer(reply, request.cap, Overflow::Refuse, limits).await
        };
        let answer = within(self.request_timeout(), &request.url, work).await;
        answer.map_err(|fault| fault.into_error(1))
    }
}
