//! The value of `login.v1`: where and how a host lets its users log in (facts/login 1).
//!
//! Hostile input: whoever answers for the host writes it. Endpoints that would give codes and tokens away over
//! plain http are refused, unless they are on this machine; ports of the system are refused; values of wrong types are
//! errors or absent, as in the tools.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};
use url::Url;

use crate::address::Hostname;
use crate::document::service_url::{BadServiceUrl, keeps_secrets, resolve_service_url};
use crate::secret::ShownUrl;

/// Ports below are for services of the system.
const LOWEST_PORT: u16 = 1024;

/// The only host whose users may be asked for their password (the protocol page, "grant types").
const PASSWORD_HOST: &str = "app.terraform.io";

/// What `login.v1` says, with the defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginService {
    /// The client id; may be empty.
    pub client: String,
    /// Grant types by their keywords, each once; unknown ones are kept.
    pub grant_types: Vec<String>,
    /// The authorization endpoint.
    pub authz: Option<Url>,
    /// The token endpoint.
    pub token: Option<Url>,
    /// The ports that the callback may use, both ends included.
    pub ports: RangeInclusive<u16>,
    /// The scopes to ask for; none asks for no `scope` at all.
    pub scopes: Vec<String>,
}

/// The way of logging in that a host and this program have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grant {
    /// Authorization code with PKCE.
    AuthorizationCode {
        /// Where the browser goes.
        authz: Url,
        /// Where the code becomes a token.
        token: Url,
    },
    /// The user's own password.
    Password {
        /// Where it becomes a token.
        token: Url,
    },
}

/// Why a `login.v1` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoginServiceError {
    /// It is no object.
    #[error("`login.v1` must be an object")]
    NotAnObject,
    /// There is no client id.
    #[error("`login.v1` has no `client`, which must be a string")]
    MissingClient,
    /// `grant_types` is there and no list.
    #[error("`grant_types` of `login.v1` must be a list of strings")]
    GrantTypesNotList,
    /// An endpoint that the grant types need is missing.
    #[error("`login.v1` has no `{member}`, which must be a URL")]
    MissingEndpoint {
        /// `authz` or `token`.
        member: &'static str,
    },
    /// An endpoint is no URL for this use.
    #[error("`{member}` of `login.v1` is no usable URL")]
    Endpoint {
        /// `authz` or `token`.
        member: &'static str,
        /// Why.
        source: BadServiceUrl,
    },
    /// An endpoint would send codes or tokens in the clear.
    #[error("`{member}` of `login.v1` is `{url}`, which is not https")]
    Insecure {
        /// `authz` or `token`.
        member: &'static str,
        /// The endpoint.
        url: ShownUrl,
    },
    /// `ports` is a list of another length than two.
    #[error("`ports` of `login.v1` must be a list of two numbers, the lowest and the highest port")]
    PortsNotPair,
    /// The ports are no whole numbers in range and order.
    #[error(
        "`ports` of `login.v1` must be two whole numbers from {LOWEST_PORT} to 65535, the lower one first"
    )]
    PortsOutOfRange,
    /// `scopes` holds something else than strings.
    #[error("`scopes` of `login.v1` must be a list of strings")]
    ScopesNotTexts,
    /// None of the grant types is one that this program knows.
    #[error("`login.v1` offers no supported way to log in, but {}", named(offered))]
    NoSupportedGrantType {
        /// The keywords that it offers.
        offered: Vec<String>,
    },
}

fn named(offered: &[String]) -> String {
    if offered.is_empty() {
        return "an empty list of `grant_types`".to_owned();
    }
    format!("`{}`", offered.join("`, `"))
}

impl LoginService {
    /// Reads the value; relative endpoints start from `base`, the final URL of the discovery document.
    ///
    /// # Errors
    ///
    /// If a required member is missing, or a member has a value that the tools refuse too.
    pub fn parse(value: &Value, base: &Url) -> Result<Self, LoginServiceError> {
        let members = value.as_object().ok_or(LoginServiceError::NotAnObject)?;
        let client = members.get("client").and_then(Value::as_str);
        let client = client.ok_or(LoginServiceError::MissingClient)?.to_owned();
        let grant_types = grant_types(members)?;
        let offers = |keyword: &str| grant_types.iter().any(|known| known == keyword);
        let authz = endpoint(members, "authz", base, offers("authz_code"))?;
        let needs_token = offers("authz_code") || offers("password");
        let token = endpoint(members, "token", base, needs_token)?;
        Ok(Self {
            client,
            authz,
            token,
            ports: ports(members)?,
            scopes: scopes(members)?,
            grant_types,
        })
    }

    /// The way to log in to `host`: a code if the host offers that; a password for one host alone.
    ///
    /// # Errors
    ///
    /// If the host offers neither.
    pub fn grant(&self, host: &Hostname) -> Result<Grant, LoginServiceError> {
        let offers = |keyword: &str| self.grant_types.iter().any(|known| known == keyword);
        match (&self.authz, &self.token) {
            (Some(authz), Some(token)) if offers("authz_code") => Ok(Grant::AuthorizationCode {
                authz: authz.clone(),
                token: token.clone(),
            }),
            (_, Some(token)) if offers("password") && host.for_comparison() == PASSWORD_HOST => {
                Ok(Grant::Password {
                    token: token.clone(),
                })
            }
            (_, _) => Err(LoginServiceError::NoSupportedGrantType {
                offered: self.grant_types.clone(),
            }),
        }
    }
}

/// Elements that are no strings are skipped; an absent list means the authorization code.
fn grant_types(members: &Map<String, Value>) -> Result<Vec<String>, LoginServiceError> {
    let Some(value) = members.get("grant_types") else {
        return Ok(vec!["authz_code".to_owned()]);
    };
    let elements = value
        .as_array()
        .ok_or(LoginServiceError::GrantTypesNotList)?;
    let mut keywords: Vec<String> = Vec::new();
    for keyword in elements.iter().filter_map(Value::as_str) {
        if !keywords.iter().any(|known| known == keyword) {
            keywords.push(keyword.to_owned());
        }
    }
    Ok(keywords)
}

fn endpoint(
    members: &Map<String, Value>,
    member: &'static str,
    base: &Url,
    is_needed: bool,
) -> Result<Option<Url>, LoginServiceError> {
    let Some(text) = members.get(member).and_then(Value::as_str) else {
        return if is_needed {
            Err(LoginServiceError::MissingEndpoint { member })
        } else {
            Ok(None)
        };
    };
    let url = resolve_service_url(base, text)
        .map_err(|source| LoginServiceError::Endpoint { member, source })?;
    if !keeps_secrets(&url) {
        let url = ShownUrl::of(&url);
        return Err(LoginServiceError::Insecure { member, url });
    }
    Ok(Some(url))
}

/// Anything but a list is the default, as in the tools. A pair of equal ports is one port.
fn ports(members: &Map<String, Value>) -> Result<RangeInclusive<u16>, LoginServiceError> {
    let Some(elements) = members.get("ports").and_then(Value::as_array) else {
        return Ok(LOWEST_PORT..=u16::MAX);
    };
    let [lowest, highest] = elements.as_slice() else {
        return Err(LoginServiceError::PortsNotPair);
    };
    let (Some(lowest), Some(highest)) = (port(lowest), port(highest)) else {
        return Err(LoginServiceError::PortsOutOfRange);
    };
    if lowest > highest {
        return Err(LoginServiceError::PortsOutOfRange);
    }
    Ok(lowest..=highest)
}

/// A whole number in range, however it is written: `10000.0` and `1e4` too.
fn port(value: &Value) -> Option<u16> {
    let number = value.as_f64()?;
    let in_range = (f64::from(LOWEST_PORT)..=f64::from(u16::MAX)).contains(&number);
    if !in_range || number.fract() != 0.0 {
        return None;
    }
    format!("{number:.0}").parse().ok()
}

fn scopes(members: &Map<String, Value>) -> Result<Vec<String>, LoginServiceError> {
    let Some(elements) = members.get("scopes").and_then(Value::as_array) else {
        return Ok(Vec::new());
    };
    let texts = elements.iter().map(|element| {
        let text = element.as_str().ok_or(LoginServiceError::ScopesNotTexts)?;
        Ok(text.to_owned())
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(value: &Value) -> Result<LoginService, LoginServiceError> {
        let base = "https://example.com/.well-known/terraform.json";
        LoginService::parse(value, &base.parse().unwrap())
    }

    #[test]
    fn refuses_endpoint_that_would_send_codes_in_the_clear() {
        for (authz, token, is_fine) in [
            ("/a", "http://example.com/t", false),
            ("http://idp.example/a", "/t", false),
            ("http://localhost:1/a", "http://[::1]:1/t", true),
            ("http://localhost.example/a", "/t", false),
        ] {
            let parsed = parse(&json!({ "client": "c", "authz": authz, "token": token }));
            assert_eq!(parsed.is_ok(), is_fine, "{authz} {token}");
        }
    }

    #[test]
    fn password_is_for_one_host_and_only_without_a_code() {
        let only = json!({ "client": "c", "token": "/t", "grant_types": ["password"] });
        let both = json!({
            "client": "c", "authz": "/a", "token": "/t", "grant_types": ["password", "authz_code"],
        });
        let grant = |value: &Value, host: &str| parse(value).unwrap().grant(&host.parse().unwrap());
        assert!(matches!(
            grant(&only, "APP.terraform.io:443"),
            Ok(Grant::Password { .. })
        ));
        for host in ["example.com", "app.terraform.io:8443", "x.app.terraform.io"] {
            let error = grant(&only, host).unwrap_err();
            assert!(
                matches!(error, LoginServiceError::NoSupportedGrantType { .. }),
                "{host}"
            );
        }
        assert!(matches!(
            grant(&both, "app.terraform.io"),
            Ok(Grant::AuthorizationCode { .. })
        ));
    }
}
