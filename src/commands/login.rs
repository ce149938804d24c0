//! `provender login`.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::address::Hostname;
use crate::commands::auth_parts::AuthParts;
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::failure::ExitCode;
use crate::ops::{BrowserUse, LoginRequest, TokenFrom, log_in};
use crate::ui::{CredentialsRow, JsonReport, TerminalDialog, login_lines};

/// Arguments of `login`.
#[derive(Debug, Args)]
pub struct LoginArgs {
    /// The host to log in to, such as `app.terraform.io` or `registry.example.com:8443`
    #[arg(value_name = "HOST", value_parser = parse_host)]
    pub host: Hostname,

    /// Print the address only and start no browser
    ///
    /// For machines without one: open the address elsewhere, and paste the address that the browser ends at.
    #[arg(long)]
    pub no_browser: bool,

    /// Read a token from the first line of standard input
    ///
    /// A token never stands on the command line, where other users of the machine could see it.
    #[arg(long, conflicts_with_all = ["no_browser", "timeout"])]
    pub token_stdin: bool,

    /// How long to wait for the browser [default: 300]
    #[arg(long, value_name = "SECONDS", value_parser = RangedU64ValueParser::<u64>::new().range(1..=86_400))]
    pub timeout: Option<u64>,
}

/// Reads a host name argument.
pub(super) fn parse_host(text: &str) -> Result<Hostname, String> {
    text.parse()
        .map_err(|error: crate::address::HostnameError| error.to_string())
}

impl LoginArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        let parts = AuthParts::of(context)?;
        let from = if self.token_stdin {
            TokenFrom::StandardInput
        } else {
            TokenFrom::Host {
                browser: if self.no_browser {
                    BrowserUse::Leave
                } else {
                    BrowserUse::Open
                },
                timeout: Duration::from_secs(self.timeout.unwrap_or(300)),
            }
        };
        let request = LoginRequest {
            host: self.host.clone(),
            from,
        };
        let dialog = Arc::new(TerminalDialog::new(context.printer.clone()));
        let login = parts.login_parts(context);
        let outcome = log_in(&request, &login, parts.helper(), dialog).await?;
        let text = if context.printer.is_json() {
            JsonReport::of_credentials("login", vec![CredentialsRow::of_login(&outcome)]).render()
        } else {
            login_lines(&outcome)
        };
        context.printer.answer(&text);
        Ok(None)
    }
}
