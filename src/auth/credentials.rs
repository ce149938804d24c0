//! The chain: variable, then CLI configuration with the credentials file, then the helper (facts/login 4.5).

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::helper::{CredentialsHelper, HelperError};
use super::renewal::Renewal;
use super::storage::Storage;
use super::token_variable::host_of;
use crate::address::Hostname;
use crate::config::cli_config::Place;
use crate::config::{CliConfig, Environment};
use crate::http::Memo;
use crate::secret::Secret;

/// Where a host's credentials come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CredentialsSource {
    /// The environment variable of this name.
    Variable(String),
    /// A `credentials` block of a CLI configuration file, `credentials.tfrc.json` included.
    File(Place),
    /// The credentials helper of this name.
    Helper(String),
}

impl fmt::Display for CredentialsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "the environment variable `{name}`"),
            Self::File(place) => write!(f, "`{place}`"),
            Self::Helper(name) => write!(f, "the credentials helper `{name}`"),
        }
    }
}

/// A usable token and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostCredentials {
    /// The token, verbatim: not empty, and fit for a header.
    pub token: Secret,
    /// Where it was found.
    pub source: CredentialsSource,
}

/// The credentials of all hosts, as one run of the program sees them.
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    entries: BTreeMap<Hostname, Entry>,
    helper: Option<CredentialsHelper>,
    renewal: Option<(Renewal, PathBuf)>,
    answers: Arc<Memo<Hostname, Option<HostCredentials>>>,
}

/// What the first source that knows the host says; the token is missing if it is not usable.
#[derive(Debug, Clone)]
struct Entry {
    token: Option<Secret>,
    source: CredentialsSource,
}

impl Credentials {
    /// Collects the entries of variables and files. Of two variables for one host the later one counts; a
    /// variable hides a block, even if it is empty.
    pub fn new(environment: &Environment, config: &CliConfig) -> Self {
        let blocks = config.credentials.iter().map(|(host, entry)| {
            let source = CredentialsSource::File(entry.place.clone());
            (
                host.clone(),
                Entry {
                    token: entry.token.clone().and_then(usable),
                    source,
                },
            )
        });
        let variables = environment.iter().filter_map(|(name, value)| {
            let source = CredentialsSource::Variable(name.to_owned());
            Some((
                host_of(name)?,
                Entry {
                    token: usable(Secret::new(value)),
                    source,
                },
            ))
        });
        Self {
            entries: blocks.chain(variables).collect(),
            ..Self::default()
        }
    }

    /// Asks `helper` for the hosts that no other source knows.
    #[must_use]
    pub fn with_helper(self, helper: CredentialsHelper) -> Self {
        let helper = Some(helper);
        Self { helper, ..self }
    }

    /// Renews tokens of this program's own logins that lie in `file`, the credentials file, or with the helper.
    #[must_use]
    pub fn with_renewal(self, renewal: Renewal, file: PathBuf) -> Self {
        let renewal = Some((renewal, file));
        Self { renewal, ..self }
    }

    /// The token for exactly this host (port included, no parent domains), asked for once per run.
    ///
    /// A helper that fails is told of, and the host then gets no token.
    pub async fn for_host(&self, host: &Hostname) -> Option<HostCredentials> {
        let ask = || async { Ok::<_, std::convert::Infallible>(self.look_up(host).await) };
        match self.answers.get_or_ask(host.clone(), ask).await {
            Ok(answer) => answer.as_ref().clone(),
            Err(never) => match never {},
        }
    }

    async fn look_up(&self, host: &Hostname) -> Option<HostCredentials> {
        let found = if self.entries.contains_key(host) {
            self.configured(host)?
        } else {
            let asked = self.from_helper(host).await;
            asked.unwrap_or_else(|error| {
                log::warn!("going on without a token for `{host}`: {error}");
                None
            })?
        };
        let Some((renewal, file)) = &self.renewal else {
            return Some(found);
        };
        let storage = match (&found.source, &self.helper) {
            (CredentialsSource::File(place), _) if place.file == *file => {
                Storage::File(file.clone())
            }
            (CredentialsSource::Helper(_), Some(helper)) => Storage::Helper(helper.clone()),
            (_, _) => return Some(found),
        };
        let token = renewal.current(host, found.token, &storage).await;
        let source = found.source;
        Some(HostCredentials { token, source })
    }

    /// What the helper has for `host`.
    ///
    /// # Errors
    ///
    /// If the helper fails.
    pub async fn from_helper(
        &self,
        host: &Hostname,
    ) -> Result<Option<HostCredentials>, HelperError> {
        let Some(helper) = &self.helper else {
            return Ok(None);
        };
        let token = helper.get(host).await?.and_then(usable);
        let source = || CredentialsSource::Helper(helper.name().to_owned());
        Ok(token.map(|token| HostCredentials {
            token,
            source: source(),
        }))
    }

    /// The token of a variable or file for exactly this host.
    pub fn configured(&self, host: &Hostname) -> Option<HostCredentials> {
        let entry = self.entries.get(host)?;
        Some(HostCredentials {
            token: entry.token.clone()?,
            source: entry.source.clone(),
        })
    }

    /// The hosts that variables and files know, whether or not they have a usable token.
    pub fn hosts(&self) -> impl Iterator<Item = &Hostname> {
        self.entries.keys()
    }

    /// The source that ends the search for this host without a usable token: an empty variable, or a
    /// block without a string `token`. For messages after a host refused the request.
    pub fn without_token(&self, host: &Hostname) -> Option<&CredentialsSource> {
        self.entries
            .get(host)
            .filter(|entry| entry.token.is_none())
            .map(|entry| &entry.source)
    }
}

/// A token that can stand in a header: an empty one, or one with control characters, makes every request
/// fail (facts/login 2.7), so no token is sent instead.
pub fn usable(token: Secret) -> Option<Secret> {
    let text = token.expose();
    (!text.is_empty() && !text.contains(char::is_control)).then_some(token)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::config::cli_config::CredentialsEntry;
    use crate::document::hcl1::Position;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    fn config(host: &str, token: Option<&str>) -> CliConfig {
        let position = Position { line: 3, column: 1 };
        let place = Place {
            file: PathBuf::from("/h/.terraformrc"),
            position,
        };
        let entry = CredentialsEntry {
            token: token.map(Secret::new),
            place,
        };
        CliConfig {
            credentials: [(host.parse().unwrap(), entry)].into(),
            ..CliConfig::default()
        }
    }

    #[test]
    fn the_first_source_with_an_entry_ends_the_search() {
        let variable = ("TF_TOKEN_example_com", "variable");
        let empty = ("TF_TOKEN_example_com", "");
        for (variables, block, token, source) in [
            (
                vec![variable],
                Some("block"),
                Some("variable"),
                "environment variable",
            ),
            (vec![], Some("block"), Some("block"), "`/h/.terraformrc:3`"),
            (
                vec![empty],
                Some("block"),
                None,
                "environment variable `TF_TOKEN_example_com`",
            ),
            (vec![], None, None, "`/h/.terraformrc:3`"),
            (vec![], Some("a\nb"), None, "`/h/.terraformrc:3`"),
        ] {
            let credentials =
                Credentials::new(&environment(&variables), &config("example.com", block));
            let host = "EXAMPLE.com:443".parse().unwrap();
            let found = credentials.configured(&host);
            assert_eq!(found.as_ref().map(|found| found.token.expose()), token);
            let told = match found {
                Some(found) => found.source.to_string(),
                None => credentials.without_token(&host).unwrap().to_string(),
            };
            assert!(told.contains(source), "{told}");
        }
    }

    #[test]
    fn a_token_belongs_to_exactly_one_host() {
        let credentials = Credentials::new(&environment(&[]), &config("example.com", Some("t")));
        for host in ["sub.example.com", "com", "example.com:8443", "example.com."] {
            assert_eq!(
                credentials.configured(&host.parse().unwrap()),
                None,
                "{host}"
            );
        }
    }

    #[test]
    fn debug_output_shows_no_token() {
        let credentials =
            Credentials::new(&environment(&[]), &config("example.com", Some("hunter2")));
        let host = "example.com".parse().unwrap();
        assert!(
            !format!("{credentials:?} {:?}", credentials.configured(&host)).contains("hunter2")
        );
    }
}
