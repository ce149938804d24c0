//! The program called as `terraform-credentials-provender`: a credentials helper backed by the keyring
//! (facts/login 4.8).
//!
//! Hostile input: none is expected, as the tools call it; still the input is capped and must be one object, and what
//! cannot be kept is refused rather than lost.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process;

use serde_json::{Value, json};

use crate::address::Hostname;
use crate::auth::SessionFile;
use crate::auth::keyring::{self, KeyringError};
use crate::config::{Environment, user_data_dir};
use crate::document::oauth::clean;
use crate::failure::{ExitCode, Failure};
use crate::ops::HELPER_PROGRAM;
use crate::secret::Secret;
use crate::ui::{Printer, render_error};

/// No credentials object is larger.
const INPUT_CAP: u64 = 1 << 20;

/// Why a call of the helper failed.
#[derive(Debug, thiserror::Error)]
enum HelperCallError {
    #[error(
        "called as a credentials helper with other arguments than `get`, `store` or `forget` and a host"
    )]
    Usage,
    #[error("`{text}` is no host name")]
    Host { text: String },
    #[error("cannot read the credentials to store")]
    Input(#[source] io::Error),
    #[error("the credentials to store are no JSON object with a string `token`")]
    NoToken,
    #[error("the credentials to store have a member `{name}`, which cannot be kept")]
    UnknownMember { name: String },
    #[error(transparent)]
    Keyring(#[from] KeyringError),
}

impl Failure for HelperCallError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Keyring(error) => error.hints(),
            Self::Usage
            | Self::Host { .. }
            | Self::Input(_)
            | Self::NoToken
            | Self::UnknownMember { .. } => Vec::new(),
        }
    }
}

/// Whether the program was called by the helper's name, perhaps with a version.
pub(super) fn is_helper_call(args: &[OsString]) -> bool {
    let name = args.first().map(Path::new).and_then(Path::file_name);
    let name = name
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let rest = name.strip_prefix(HELPER_PROGRAM);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("_v"))
}

/// Answers the tool. Arguments of the block come before the verb and mean nothing here.
pub(super) fn answer(args: &[OsString], printer: &Printer) -> process::ExitCode {
    let mut words = args.iter().skip(1).rev().map(|word| word.to_string_lossy());
    let (host, verb) = (words.next(), words.next());
    let answered = match (verb.as_deref(), host.as_deref()) {
        (Some(verb), Some(host)) => carry_out(verb, host),
        (_, _) => Err(HelperCallError::Usage),
    };
    match answered {
        Ok(Some(object)) => printer.reveal(&object),
        Ok(None) => {}
        Err(error) => {
            printer.error(&render_error(&error));
            return process::ExitCode::from(error.exit_code().number());
        }
    }
    let is_written = printer.unwritten().is_none();
    process::ExitCode::from(u8::from(!is_written))
}

fn carry_out(verb: &str, host: &str) -> Result<Option<Secret>, HelperCallError> {
    if !matches!(verb, "get" | "store" | "forget") {
        return Err(HelperCallError::Usage);
    }
    let host = parse_host(host)?;
    match verb {
        "get" => {
            let token = keyring::token(&host)?;
            let object = token.map_or_else(|| json!({}), |it| json!({ "token": it.expose() }));
            Ok(Some(Secret::new(object.to_string())))
        }
        "store" => {
            keyring::store_token(&host, &token_of(&read_input()?)?)?;
            Ok(None)
        }
        _ => {
            keyring::forget_token(&host)?;
            forget_login(&host);
            Ok(None)
        }
    }
}

/// The refresh token goes with the token.
fn forget_login(host: &Hostname) {
    let dir = user_data_dir(&Environment::of_process());
    let Some(dir) = dir else { return };
    if let Err(error) = SessionFile::in_dir(&dir).remove(host) {
        log::warn!("what is known of the login at `{host}` stays: {error}");
    }
}

/// The tools give the comparison form, whose punycode a host name argument must not have.
fn parse_host(text: &str) -> Result<Hostname, HelperCallError> {
    let parsed = Hostname::lenient_display(text).parse();
    parsed.map_err(|_| HelperCallError::Host { text: clean(text) })
}

/// All of the input, even if it is of no use, so that the tool's pipe does not break.
fn read_input() -> Result<Vec<u8>, HelperCallError> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock();
    let read = stdin.by_ref().take(INPUT_CAP).read_to_end(&mut bytes);
    read.map_err(HelperCallError::Input)?;
    Ok(bytes)
}

fn token_of(input: &[u8]) -> Result<Secret, HelperCallError> {
    let value: Value = serde_json::from_slice(input).map_err(|_| HelperCallError::NoToken)?;
    let members = value.as_object().ok_or(HelperCallError::NoToken)?;
    if let Some(name) = members.keys().find(|name| *name != "token") {
        let name = clean(name);
        return Err(HelperCallError::UnknownMember { name });
    }
    let token = members.get("token").and_then(Value::as_str);
    token.map(Secret::new).ok_or(HelperCallError::NoToken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_helpers_name_makes_a_helper() {
        for (name, is_helper) in [
            (
                "/h/.terraform.d/plugins/terraform-credentials-provender",
                true,
            ),
            ("terraform-credentials-provender.exe", true),
            ("terraform-credentials-provender_v1.2.3", true),
            ("terraform-credentials-provenders", false),
            ("/terraform-credentials-provender/provender", false),
            ("provender", false),
        ] {
            assert_eq!(is_helper_call(&[name.into()]), is_helper, "{name}");
        }
        assert!(!is_helper_call(&[]));
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        assert_eq!(token_of(br#"{"token":"t"}"#).unwrap(), Secret::new("t"));
        for input in [
            "",
            "null",
            "[]",
            "{}",
            r#"{"token":1}"#,
            r#"{"token":"t","x":1}"#,
            "{} {}",
        ] {
            assert!(token_of(input.as_bytes()).is_err(), "{input}");
        }
    }

    #[test]
    fn punycode_of_the_tools_names_its_host() {
        let host = parse_host("xn--bcher-kva.example:8080").unwrap();
        assert_eq!(host, "bücher.example:8080".parse().unwrap());
    }
}
