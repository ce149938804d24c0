//! The credentials helper: a program that keeps tokens for the tools (facts/login 4.8).
//!
//! The user chose the program, yet what it prints is not trusted blindly.
//!
//! | trouble | answer |
//! |---|---|
//! | endless output | reading stops at a cap, which breaks its pipe |
//! | output that is no JSON object | an error; the output, which may hold a token, is not shown |
//! | a token among its complaints | masked |
//! | it never ends | it dies with the command that waits for it |

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use super::helper_search::find;
use crate::address::Hostname;
use crate::config::cli_config::HelperSetting;
use crate::document::oauth::clean;
use crate::failure::{ExitCode, Failure};
use crate::secret::Secret;

/// No honest answer or complaint is longer.
const OUTPUT_CAP: u64 = 1 << 20;

/// An installed credentials helper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialsHelper {
    name: String,
    program: PathBuf,
    args: Vec<String>,
}

/// Why a helper is of no use.
#[derive(Debug, thiserror::Error)]
pub enum HelperError {
    /// The program is in none of the directories.
    #[error("the credentials helper `{name}` is configured and not installed")]
    NotInstalled {
        /// The label of the block.
        name: String,
        /// Where it was looked for.
        dirs: Vec<PathBuf>,
    },
    /// The program does not start, or its pipes break.
    #[error("cannot run the credentials helper `{}`", program.display())]
    Run {
        /// The program.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It ended with a failure.
    #[error(
        "the credentials helper `{name}` failed to {verb} the token for `{host}` ({status}): {message}"
    )]
    Failed {
        /// The helper.
        name: String,
        /// What was asked of it.
        verb: &'static str,
        /// The host.
        host: Box<Hostname>,
        /// How it ended.
        status: ExitStatus,
        /// What it printed on stderr.
        message: String,
    },
    /// It printed something else than one JSON object.
    #[error("the credentials helper `{name}` answered something else than one JSON object")]
    Malformed {
        /// The helper.
        name: String,
    },
}

impl Failure for HelperError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::NotInstalled { name, dirs } => {
                let dirs: Vec<String> = dirs
                    .iter()
                    .map(|dir| format!("`{}`", dir.display()))
                    .collect();
                vec![format!(
                    "put `terraform-credentials-{name}` into {}, or remove the `credentials_helper` block",
                    dirs.join(" or ")
                )]
            }
            Self::Run { .. } | Self::Failed { .. } | Self::Malformed { .. } => Vec::new(),
        }
    }
}

impl CredentialsHelper {
    /// Finds the program that a `credentials_helper` block names.
    ///
    /// # Errors
    ///
    /// If it is in none of `dirs`.
    pub fn find(setting: &HelperSetting, dirs: &[PathBuf]) -> Result<Self, HelperError> {
        let name = setting.name.clone();
        let Some(program) = find(&name, dirs) else {
            let dirs = dirs.to_vec();
            return Err(HelperError::NotInstalled { name, dirs });
        };
        let args = setting.args.clone();
        Ok(Self {
            name,
            program,
            args,
        })
    }

    /// The label of the block.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The token for `host`, if the helper has one.
    ///
    /// # Errors
    ///
    /// If the helper fails, or answers against the protocol.
    pub async fn get(&self, host: &Hostname) -> Result<Option<Secret>, HelperError> {
        let output = self.ask("get", host, None).await?;
        let malformed = || HelperError::Malformed {
            name: self.name.clone(),
        };
        match serde_json::from_slice(&output).map_err(|_| malformed())? {
            Value::Null => Ok(None),
            Value::Object(members) => {
                let token = members.get("token").and_then(Value::as_str);
                Ok(token.map(Secret::new))
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err(malformed())
            }
        }
    }

    /// Has the helper keep `token` for `host`.
    ///
    /// # Errors
    ///
    /// If the helper fails.
    pub async fn store(&self, host: &Hostname, token: &Secret) -> Result<(), HelperError> {
        self.ask("store", host, Some(token)).await.map(drop)
    }

    /// Has the helper forget the token for `host`; one that it does not know is no failure.
    ///
    /// # Errors
    ///
    /// If the helper fails.
    pub async fn forget(&self, host: &Hostname) -> Result<(), HelperError> {
        self.ask("forget", host, None).await.map(drop)
    }

    async fn ask(
        &self,
        verb: &'static str,
        host: &Hostname,
        token: Option<&Secret>,
    ) -> Result<Vec<u8>, HelperError> {
        log::info!(
            "asking the credentials helper `{}` to {verb} the token for `{host}`",
            self.name
        );
        let ran = self.run(verb, host, token).await;
        let (status, output, complaint) = ran.map_err(|source| HelperError::Run {
            program: self.program.clone(),
            source,
        })?;
        if status.success() {
            return Ok(output);
        }
        let message = complaint_text(&complaint, token);
        Err(HelperError::Failed {
            name: self.name.clone(),
            verb,
            host: Box::new(host.clone()),
            status,
            message,
        })
    }

    async fn run(
        &self,
        verb: &str,
        host: &Hostname,
        token: Option<&Secret>,
    ) -> std::io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
        let stdin = if token.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        };
        let mut child = Command::new(&self.program)
            .args(&self.args)
            .args([verb, host.for_comparison()])
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let write = async {
            if let (Some(mut stdin), Some(token)) = (stdin, token) {
                let text = serde_json::json!({ "token": token.expose() }).to_string();
                // A helper that does not read says by its status what it thinks of it.
                let _ = stdin.write_all(text.as_bytes()).await;
            }
        };
        let ((), output, complaint) = tokio::join!(write, read(stdout), read(stderr));
        Ok((child.wait().await?, output?, complaint?))
    }
}

async fn read(stream: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.take(OUTPUT_CAP).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

fn complaint_text(bytes: &[u8], token: Option<&Secret>) -> String {
    let text = String::from_utf8_lossy(bytes);
    // What follows a blank line is advice.
    let first = text.trim().split("\n\n").next().unwrap_or_default();
    let text = first.replace('\n', " ");
    let text = match token {
        Some(token) => text.replace(token.expose(), "***"),
        None => text,
    };
    if text.is_empty() {
        return "it gave no reason".to_owned();
    }
    clean(&text)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;
    use crate::config::cli_config::Place;
    use crate::document::hcl1::Position;

    /// A helper that runs `script`, with the directory that it works in.
    fn helper(script: &str, args: &[&str]) -> (CredentialsHelper, TempDir) {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("terraform-credentials-foo");
        let script = format!("#!/bin/sh\ncd '{}'\n{script}\n", root.path().display());
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let place = Place {
            file: PathBuf::from("/h/.terraformrc"),
            position: Position { line: 1, column: 1 },
        };
        let setting = HelperSetting {
            name: "foo".to_owned(),
            args: args.iter().map(ToString::to_string).collect(),
            place,
        };
        let found = CredentialsHelper::find(&setting, &[root.path().to_owned()]).unwrap();
        (found, root)
    }

    fn host() -> Hostname {
        "BÜCHER.example:8080".parse().unwrap()
    }

    #[tokio::test]
    async fn store_and_forget_speak_the_protocol() {
        let (helper, root) = helper("echo \"$@\" >> argv; cat > stdin.$2", &["--a"]);
        helper
            .store(&host(), &Secret::new("good-token"))
            .await
            .unwrap();
        helper.forget(&host()).await.unwrap();
        let read = |name: &str| std::fs::read_to_string(root.path().join(name)).unwrap();
        let name = "xn--bcher-kva.example:8080";
        assert_eq!(
            read("argv"),
            format!("--a store {name}\n--a forget {name}\n")
        );
        assert_eq!(read("stdin.store"), "{\"token\":\"good-token\"}");
        assert_eq!(read("stdin.forget"), "");
    }

    #[tokio::test]
    async fn get_takes_one_object_and_the_status_counts() {
        for (script, expected) in [
            ("echo ' {\"token\":\"t\"} '; echo warn >&2", Ok(Some("t"))),
            ("echo '{}'", Ok(None)),
            ("echo null", Ok(None)),
            ("echo '{\"token\":1}'", Ok(None)),
            ("echo '{\"token\":null}'", Ok(None)),
            ("true", Err("one JSON object")),
            ("echo '[]'", Err("one JSON object")),
            ("echo '{} {}'", Err("one JSON object")),
            ("echo oops >&2; exit 1", Err("oops")),
            ("exit 1", Err("it gave no reason")),
            ("echo '{\"token\":\"t\"}'; exit 3", Err("exit status: 3")),
            ("kill -9 $$", Err("signal")),
            ("cat /dev/zero", Err("")),
        ] {
            let (helper, _root) = helper(script, &[]);
            let got = helper.get(&host()).await;
            match (got, expected) {
                (Ok(got), Ok(expected)) => {
                    assert_eq!(got.as_ref().map(Secret::expose), expected, "{script}");
                }
                (Err(error), Err(part)) => {
                    assert!(error.to_string().contains(part), "{script}: {error}");
                }
                (got, _) => panic!("{script}: {got:?}"),
            }
        }
    }

    #[tokio::test]
    async fn complaint_shows_no_token() {
        let (helper, _root) = helper("cat >&2; exit 1", &[]);
        let error = helper
            .store(&host(), &Secret::new("hunter2"))
            .await
            .unwrap_err();
        let text = error.to_string();
        assert!(text.contains("***") && !text.contains("hunter2"), "{text}");
    }
}
