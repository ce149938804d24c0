//! Which user name and password belong to a URL of a package (facts/providers 2.9).

use url::Url;

use crate::http::{Client, Login, realm};

/// `url` with the user information that `logins` has for its host and port, unless it has its own or is no place to
/// send a secret to.
pub(super) fn with_login(url: &Url, logins: &[Login]) -> Url {
    let has_own = !url.username().is_empty() || url.password().is_some();
    let mut url = url.clone();
    if has_own || !realm::may_carry_token(&url) {
        return url;
    }
    let host = url.host_str().unwrap_or_default();
    let place = match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    };
    let named = |login: &&Login| login.place.as_deref() == Some(&place);
    let any = |login: &&Login| login.place.is_none();
    let found = logins.iter().find(named);
    if let Some(login) = found.or_else(|| logins.iter().find(any)) {
        // Both fail only for URLs without a host, which are no places.
        let _ = url.set_username(&login.name);
        let _ = url.set_password(Some(login.password.expose()));
    }
    url
}

impl Client {
    /// `url` with the login for its host, as downloads get one, for requests that belong to a download.
    pub fn logged_in(&self, url: &Url) -> Url {
        with_login(url, self.logins())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    fn sent_to(url: &str, logins: &[(Option<&str>, &str)]) -> String {
        let logins: Vec<Login> = logins
            .iter()
            .map(|(place, name)| Login {
                place: place.map(str::to_owned),
                name: (*name).to_owned(),
                password: Secret::new("p"),
            })
            .collect();
        with_login(&url.parse().unwrap(), &logins).to_string()
    }

    #[test]
    fn login_belongs_to_host_and_port() {
        let logins = [(Some("a.example"), "a"), (Some("a.example:8443"), "b")];
        for (url, expected) in [
            ("https://a.example/x", "https://a:p@a.example/x"),
            ("https://a.example:8443/x", "https://b:p@a.example:8443/x"),
            ("https://sub.a.example/x", "https://sub.a.example/x"),
            ("https://a.example:1/x", "https://a.example:1/x"),
            ("https://own:q@a.example/x", "https://own:q@a.example/x"),
        ] {
            assert_eq!(sent_to(url, &logins), expected);
        }
    }

    #[test]
    fn default_login_counts_where_no_other_does() {
        let logins = [(None, "any"), (Some("a.example"), "a")];
        assert_eq!(
            sent_to("https://a.example/", &logins),
            "https://a:p@a.example/"
        );
        assert_eq!(
            sent_to("https://b.example/", &logins),
            "https://any:p@b.example/"
        );
    }

    #[test]
    fn plain_http_gets_no_password() {
        let url = "http://a.example/x";
        assert_eq!(sent_to(url, &[(Some("a.example"), "a")]), url);
    }
}
