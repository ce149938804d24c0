//! Which way a host lets its users log in (facts/login 1, 2.9).

use url::Url;

use crate::address::Hostname;
use crate::document::{Grant, LoginService};
use crate::ops::{LoginDialog, LoginError};
use crate::registry::{DiscoveryError, ServiceId, Services};

/// A way to get a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginWay {
    /// By the browser, with a code.
    Browser {
        /// What the host says of logins.
        service: LoginService,
        /// The authorization endpoint.
        authz: Url,
        /// The token endpoint.
        token: Url,
    },
    /// By the user's password.
    Password {
        /// What the host says of logins.
        service: LoginService,
        /// The token endpoint.
        token: Url,
    },
    /// By a token that the user makes on a page of the host.
    Paste {
        /// The API that can check it.
        tfe: Url,
    },
}

/// The API of HCP Terraform and its like.
pub(in crate::ops) const TFE: ServiceId = ServiceId::new("tfe.v2");

/// Chooses the way. A `login.v1` that cannot be read is a warning, and the token page is next; one that offers nothing
/// usable is final.
///
/// # Errors
///
/// If there is no way.
pub fn login_way(
    host: &Hostname,
    services: &Services,
    dialog: &dyn LoginDialog,
) -> Result<LoginWay, LoginError> {
    let unreadable = match services.login() {
        Ok(Some(service)) => return by_service(host, service),
        Ok(None) => None,
        Err(error) => Some(error),
    };
    let host = host.clone();
    match (services.url(TFE), unreadable) {
        (Ok(tfe), None) => Ok(LoginWay::Paste { tfe }),
        (Ok(tfe), Some(error)) => {
            dialog.warning(&format!(
                "the browser login of `{host}` cannot be used: {error}"
            ));
            Ok(LoginWay::Paste { tfe })
        }
        (Err(_), Some(source)) => Err(LoginError::Service { host, source }),
        (Err(source @ DiscoveryError::ServiceUrl { .. }), None) => {
            let source = Box::new(source);
            Err(LoginError::Discovery { host, source })
        }
        (Err(_), None) => {
            let names = ["login", "tfe"].into_iter();
            let others: Vec<String> = names.flat_map(|name| services.versions_of(name)).collect();
            if others.is_empty() {
                return Err(LoginError::NoLoginService { host });
            }
            Err(LoginError::OtherVersion { host, others })
        }
    }
}

fn by_service(host: &Hostname, service: LoginService) -> Result<LoginWay, LoginError> {
    match service.grant(host) {
        Ok(Grant::AuthorizationCode { authz, token }) => Ok(LoginWay::Browser {
            service,
            authz,
            token,
        }),
        Ok(Grant::Password { token }) => Ok(LoginWay::Password { service, token }),
        Err(source) => Err(LoginError::Service {
            host: host.clone(),
            source,
        }),
    }
}
