//! `provender auth`: what is known of credentials, a token for scripts, and the credentials helper.

use clap::{Args, Subcommand};

use crate::address::Hostname;
use crate::commands::auth_parts::AuthParts;
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::login::parse_host;
use crate::failure::ExitCode;
use crate::ops::{HELPER_NAME, auth_status, auth_token, install_helper};
use crate::ui::{CredentialsRow, JsonReport, status_lines};

/// Arguments of `auth`.
#[derive(Debug, Args)]
pub struct AuthArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: AuthCommand,
}

/// The verbs of `auth`.
#[derive(Debug, Subcommand)]
pub enum AuthCommand {
    /// List for each host which source of credentials wins, never the token
    ///
    /// Without hosts, all that variables and files name; a credentials helper cannot list its own.
    Status {
        /// Hosts to look up
        #[arg(value_name = "HOST", value_parser = parse_host)]
        hosts: Vec<Hostname>,
    },
    /// Print the token for a host, for scripts
    Token {
        /// The host
        #[arg(value_name = "HOST", value_parser = parse_host)]
        host: Hostname,
    },
    /// Make this program the credentials helper of the tools
    ///
    /// Puts a link to it where they look for helpers, and prints the block to add to the CLI configuration. Tokens
    /// then live in the operating system's keyring instead of a plain file.
    InstallHelper,
}

impl AuthArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        let parts = AuthParts::of(context)?;
        match &self.command {
            AuthCommand::Status { hosts } => status(context, &parts, hosts).await,
            AuthCommand::Token { host } => {
                let token = auth_token(host, &parts.credentials()).await?;
                context.printer.reveal(&token);
            }
            AuthCommand::InstallHelper => install(context, &parts)?,
        }
        Ok(None)
    }

    /// The verb as reports name it.
    pub(super) fn name(&self) -> &'static str {
        match self.command {
            AuthCommand::Status { .. } => "auth status",
            AuthCommand::Token { .. } => "auth token",
            AuthCommand::InstallHelper => "auth install-helper",
        }
    }
}

async fn status(context: &Context<'_>, parts: &AuthParts, hosts: &[Hostname]) {
    let statuses = auth_status(hosts, &parts.credentials(), parts.sessions.as_ref()).await;
    let text = if context.printer.is_json() {
        let rows = statuses.iter().map(CredentialsRow::of_status).collect();
        JsonReport::of_credentials("auth status", rows).render()
    } else {
        status_lines(&statuses)
    };
    context.printer.answer(&text);
}

fn install(context: &Context<'_>, parts: &AuthParts) -> Result<(), CommandError> {
    let program = std::env::current_exe().map_err(CommandError::OwnPath)?;
    let place = install_helper(&program, &parts.helper_dirs)?;
    context
        .printer
        .note(&format!("installed as `{}`", place.display()));
    let known = parts.config.helpers.get(HELPER_NAME);
    if let Some(known) = known {
        context
            .printer
            .note(&format!("`{}` uses it already", known.place));
        return Ok(());
    }
    context.printer.note(&format!(
        "add this to the CLI configuration{}:",
        parts.main_file()
    ));
    context
        .printer
        .answer(&format!("credentials_helper \"{HELPER_NAME}\" {{}}\n"));
    Ok(())
}
