//! What `login`, `logout` and `auth` work with.

use std::path::PathBuf;

use crate::auth::{Credentials, CredentialsHelper, HelperError, Renewal, SessionFile};
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::config::cli_config::{credentials_file, helper_dirs};
use crate::config::{CliConfig, Environment, home_dir, user_data_dir};
use crate::http::Client;
use crate::ops::LoginParts;
use crate::registry::DiscoveryClient;

/// The user's configuration of credentials, and a client.
pub(super) struct AuthParts {
    pub(super) config: CliConfig,
    pub(super) helper_dirs: Vec<PathBuf>,
    pub(super) sessions: Option<SessionFile>,
    file: Option<PathBuf>,
    http: Client,
    discovery: DiscoveryClient,
    environment: Environment,
}

impl AuthParts {
    /// Reads the configuration, and warns of what is wrong with it.
    pub(super) fn of(context: &Context<'_>) -> Result<Self, CommandError> {
        let config = context.cli_config();
        for warning in &config.warnings {
            context.printer.warning(&warning.to_string());
        }
        let http = context.http()?;
        let discovery = context.discovery(&http, &config, Credentials::default());
        let places = CredentialsPlaces::of(context);
        Ok(Self {
            config,
            helper_dirs: places.helper_dirs,
            sessions: places.sessions,
            file: places.file,
            http,
            discovery,
            environment: context.environment.clone(),
        })
    }

    pub(super) fn login_parts<'a>(&'a self, context: &Context<'_>) -> LoginParts<'a> {
        LoginParts {
            http: &self.http,
            discovery: &self.discovery,
            config: &self.config,
            environment: &self.environment,
            file: self.file.clone(),
            is_online: context.is_online(),
            sessions: self.sessions.clone(),
        }
    }

    /// The configured helper.
    pub(super) fn helper(&self) -> Option<Result<CredentialsHelper, HelperError>> {
        find_helper(&self.config, &self.helper_dirs)
    }

    /// The whole chain.
    pub(super) fn credentials(&self) -> Credentials {
        let places = CredentialsPlaces {
            file: self.file.clone(),
            helper_dirs: self.helper_dirs.clone(),
            sessions: self.sessions.clone(),
        };
        places.credentials(&self.environment, &self.config, &self.http)
    }

    /// Which file a user edits, in words to follow "the CLI configuration".
    pub(super) fn main_file(&self) -> String {
        let main = self
            .config
            .files
            .iter()
            .find(|file| Some(*file) != self.file.as_ref());
        main.map_or_else(String::new, |file| format!(" (`{}`)", file.display()))
    }
}

/// Where credentials are kept and looked for.
pub(super) struct CredentialsPlaces {
    file: Option<PathBuf>,
    helper_dirs: Vec<PathBuf>,
    sessions: Option<SessionFile>,
}

impl CredentialsPlaces {
    pub(super) fn of(context: &Context<'_>) -> Self {
        let home = home_dir(context.environment);
        let (tool, environment) = (context.tool, context.environment);
        Self {
            file: credentials_file(tool, environment, home.as_deref()),
            helper_dirs: helper_dirs(tool, environment, home.as_deref()),
            sessions: user_data_dir(environment).map(|dir| SessionFile::in_dir(&dir)),
        }
    }

    /// The whole chain: variables, files, the helper; tokens of our own logins renewed. A helper that is not installed
    /// is told of and left out.
    pub(super) fn credentials(
        &self,
        environment: &Environment,
        config: &CliConfig,
        http: &Client,
    ) -> Credentials {
        let mut credentials = Credentials::new(environment, config);
        match find_helper(config, &self.helper_dirs) {
            Some(Ok(helper)) => credentials = credentials.with_helper(helper),
            Some(Err(error)) => log::warn!("going on without it: {error}"),
            None => {}
        }
        if let (Some(sessions), Some(file)) = (&self.sessions, &self.file) {
            let renewal = Renewal {
                http: http.clone(),
                sessions: sessions.clone(),
            };
            credentials = credentials.with_renewal(renewal, file.clone());
        }
        credentials
    }
}

/// Of several helpers, which is a warning already, the first by name.
fn find_helper(
    config: &CliConfig,
    dirs: &[PathBuf],
) -> Option<Result<CredentialsHelper, HelperError>> {
    let setting = config.helpers.values().next()?;
    Some(CredentialsHelper::find(setting, dirs))
}
