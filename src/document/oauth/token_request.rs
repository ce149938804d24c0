//! The fields of the forms that a token endpoint is sent, in the order of the tools (facts/login 2.6, 3).

use crate::document::oauth::Verifier;

/// The exchange of a code. An empty client id is left out.
pub fn code_fields<'a>(
    client: &'a str,
    code: &'a str,
    verifier: &'a Verifier,
    redirect_uri: &'a str,
) -> Vec<(&'a str, &'a str)> {
    let mut fields = of_client(client);
    fields.extend([
        ("code", code),
        ("code_verifier", verifier.expose()),
        ("grant_type", "authorization_code"),
        ("redirect_uri", redirect_uri),
    ]);
    fields
}

/// The resource owner password grant; `scope` is the scopes joined by spaces.
pub fn password_fields<'a>(
    client: &'a str,
    username: &'a str,
    password: &'a str,
    scope: &'a str,
) -> Vec<(&'a str, &'a str)> {
    let mut fields = of_client(client);
    fields.extend([("grant_type", "password"), ("password", password)]);
    if !scope.is_empty() {
        fields.push(("scope", scope));
    }
    fields.push(("username", username));
    fields
}

/// A new token for a refresh token (RFC 6749, section 6); the scopes stay as they were.
pub fn refresh_fields<'a>(client: &'a str, refresh_token: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut fields = of_client(client);
    fields.extend([
        ("grant_type", "refresh_token"),
        ("refresh_token", refresh_token),
    ]);
    fields
}

fn of_client(client: &str) -> Vec<(&str, &str)> {
    if client.is_empty() {
        return Vec::new();
    }
    vec![("client_id", client)]
}
