//! `provender logout`.

use clap::Args;

use crate::address::Hostname;
use crate::commands::auth_parts::AuthParts;
use crate::commands::context::Context;
use crate::commands::error::CommandError;
use crate::commands::login::parse_host;
use crate::failure::ExitCode;
use crate::ops::log_out;
use crate::ui::{CredentialsRow, JsonReport, TerminalDialog, logout_lines};

/// Arguments of `logout`.
#[derive(Debug, Args)]
pub struct LogoutArgs {
    /// The host whose token to forget
    #[arg(value_name = "HOST", value_parser = parse_host)]
    pub host: Hostname,
}

impl LogoutArgs {
    pub(super) async fn run(
        &self,
        context: &Context<'_>,
    ) -> Result<Option<ExitCode>, CommandError> {
        let parts = AuthParts::of(context)?;
        let dialog = TerminalDialog::new(context.printer.clone());
        let login = parts.login_parts(context);
        let outcome = log_out(&self.host, &login, parts.helper(), &dialog).await?;
        let text = if context.printer.is_json() {
            JsonReport::of_credentials("logout", vec![CredentialsRow::of_logout(&outcome)]).render()
        } else {
            logout_lines(&outcome)
        };
        context.printer.answer(&text);
        Ok(None)
    }
}
