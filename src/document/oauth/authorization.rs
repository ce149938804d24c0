//! The authorization request: the URL for the browser (facts/login 2.3).

use url::Url;
use url::form_urlencoded::Serializer;

/// The path of the callback, which identity providers have registered literally.
pub const CALLBACK_PATH: &str = "/login";

/// The redirect URI for a port: this very text, since servers compare it as text.
pub fn redirect_uri(port: u16) -> String {
    format!("http://localhost:{port}{CALLBACK_PATH}")
}

/// What the authorization endpoint is told.
#[derive(Debug, Clone, Copy)]
pub struct AuthorizationRequest<'a> {
    /// The authorization endpoint; its query is kept.
    pub authz: &'a Url,
    /// The client id.
    pub client: &'a str,
    /// The scopes; none sends no `scope`.
    pub scopes: &'a [String],
    /// The port of the callback.
    pub port: u16,
    /// The state that the callback must bring back.
    pub state: &'a str,
    /// The PKCE challenge.
    pub challenge: &'a str,
}

impl AuthorizationRequest<'_> {
    /// The URL, with the parameters in the order in which the tools send them.
    pub fn url(&self) -> Url {
        let mut parameters = Serializer::new(String::new());
        parameters
            .append_pair("client_id", self.client)
            .append_pair("code_challenge", self.challenge)
            .append_pair("code_challenge_method", "S256")
            .append_pair("redirect_uri", &redirect_uri(self.port))
            .append_pair("response_type", "code");
        if !self.scopes.is_empty() {
            parameters.append_pair("scope", &self.scopes.join(" "));
        }
        parameters.append_pair("state", self.state);
        let ours = parameters.finish();
        let mut url = self.authz.clone();
        let query = match url.query() {
            Some(theirs) if !theirs.is_empty() => format!("{theirs}&{ours}"),
            Some(_) | None => ours,
        };
        url.set_query(Some(&query));
        url
    }
}
