//! The providers that a local `terraform.tfstate` uses: they count as required (facts/modules 5.2.6).
//!
//! Only the local state of the selected workspace is read, never a remote one.
//! Nothing but the providers' addresses is taken from it, so no value of it can reach a message.
//!
//! Attacks known, and the answer to each:
//! - *A state too large to hold*: refused above [`MAX_BYTES`], before parsing.
//! - *Deep nesting*: the JSON reader's own limit; members that are not needed are skipped unread.
//! - *Provider texts that are no addresses*: named in a warning and left out, never passed on.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::address::{ProviderAddr, ProviderSource, Tool};
use crate::disk;
use crate::failure::{ExitCode, Failure};

/// The largest state file that is read, in bytes.
pub const MAX_BYTES: u64 = 512 << 20;

/// The name of the state file in the root module's directory.
pub const STATE_FILE: &str = "terraform.tfstate";

/// What a state file says of providers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StateProviders {
    /// The installable providers, sorted, each once.
    pub providers: Vec<ProviderAddr>,
    /// Why providers may be missing from the list.
    pub warnings: Vec<String>,
}

/// Why a state file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The file cannot be read.
    #[error("cannot read the state file `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file is no state in JSON.
    #[error("the state file `{}` is broken", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
}

impl Failure for StateError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Local
    }

    fn hints(&self) -> Vec<String> {
        match self {
            Self::Unreadable { .. } => Vec::new(),
            Self::Broken { path, .. } => vec![format!(
                "restore `{}` from a backup such as `{}.backup`, or move it away if it is not needed",
                path.display(),
                path.display()
            )],
        }
    }
}

#[derive(Deserialize)]
struct State {
    version: Option<u64>,
    #[serde(default)]
    resources: Vec<Resource>,
    encrypted_data: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Resource {
    provider: Option<String>,
}

/// Just the version, for states whose other members have other shapes.
#[derive(Deserialize)]
struct Versioned {
    version: Option<u64>,
}

const CURRENT_VERSION: u64 = 4;

/// Reads the providers of the resources in the state file at `path`; an absent or empty file has none.
///
/// # Errors
///
/// Returns an error if the file cannot be read or is no JSON state. States of an older format, encrypted
/// ones and single unusable providers are warnings.
pub fn providers_in_state(path: &Path, tool: Tool) -> Result<StateProviders, StateError> {
    let bytes = match disk::read_capped(path, MAX_BYTES).map_err(|error| error.source) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(StateProviders::default());
        }
        Err(source) => {
            return Err(StateError::Unreadable {
                path: path.to_owned(),
                source,
            });
        }
    };
    if bytes.trim_ascii().is_empty() {
        return Ok(StateProviders::default());
    }
    let broken = |source| StateError::Broken {
        path: path.to_owned(),
        source,
    };
    let version = serde_json::from_slice::<Versioned>(&bytes)
        .map_err(broken)?
        .version;
    if let Some(old) = version.filter(|version| *version < CURRENT_VERSION) {
        return Ok(only_warning(format!(
            "`{}` has the old format {old}, so its providers are not known",
            path.display()
        )));
    }
    let state: State = serde_json::from_slice(&bytes).map_err(broken)?;
    if state.encrypted_data.is_some() {
        return Ok(only_warning(format!(
            "`{}` is encrypted, so its providers are not known",
            path.display()
        )));
    }
    if state.version.is_none() {
        return Ok(only_warning(format!(
            "`{}` names no format version",
            path.display()
        )));
    }
    Ok(collect(path, tool, &state.resources))
}

fn only_warning(warning: String) -> StateProviders {
    StateProviders {
        providers: Vec::new(),
        warnings: vec![warning],
    }
}

fn collect(path: &Path, tool: Tool, resources: &[Resource]) -> StateProviders {
    let mut providers = BTreeSet::new();
    let mut warnings = BTreeSet::new();
    let distinct: BTreeSet<&str> = resources
        .iter()
        .filter_map(|resource| resource.provider.as_deref())
        .collect();
    for text in distinct {
        match provider_source(text, tool) {
            Some(ProviderSource::Installable(addr)) => {
                providers.insert(addr);
            }
            Some(ProviderSource::BuiltIn(_)) => {}
            Some(ProviderSource::Legacy(_)) | None => {
                let shown = text.escape_default();
                warnings.insert(format!(
                    "`{}` names no usable provider in `{shown}`",
                    path.display()
                ));
            }
        }
    }
    let (providers, warnings) = (
        providers.into_iter().collect(),
        warnings.into_iter().collect(),
    );
    StateProviders {
        providers,
        warnings,
    }
}

/// The address in `[module.PATH.]provider["ADDRESS"][.ALIAS]`.
fn provider_source(text: &str, tool: Tool) -> Option<ProviderSource> {
    const OPENING: &str = "provider[\"";
    // A module's key may hold any text, also this one; the provider itself comes last.
    let start = text.rfind(OPENING)?;
    let (module, rest) = (&text[..start], &text[start + OPENING.len()..]);
    let (address, alias) = rest.split_once("\"]")?;
    let well_formed = (module.is_empty() || module.ends_with('.'))
        && (alias.is_empty() || alias.starts_with('.') || alias.starts_with('['))
        && address.matches('/').count() == 2;
    if !well_formed {
        return None;
    }
    ProviderSource::parse(address, tool).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(text: &str) -> Result<StateProviders, StateError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(STATE_FILE);
        std::fs::write(&path, text).unwrap();
        providers_in_state(&path, Tool::Terraform)
    }

    fn addresses(found: &StateProviders) -> Vec<String> {
        found.providers.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn providers_are_found_behind_modules_and_before_aliases() {
        let found = state(
            r#"{"version": 4, "resources": [
                {"provider": "provider[\"registry.terraform.io/hashicorp/null\"]", "instances": []},
                {"provider": "provider[\"registry.terraform.io/hashicorp/null\"].west"},
                {"provider": "module.a[\"x.y\"].module.b.provider[\"example.com/acme/net\"]"},
                {"provider": "provider[\"terraform.io/builtin/terraform\"]"}
            ]}"#,
        )
        .unwrap();
        let expected = [
            "example.com/acme/net",
            "registry.terraform.io/hashicorp/null",
        ];
        assert_eq!(addresses(&found), expected);
        assert_eq!(found.warnings, Vec::<String>::new());
    }

    #[test]
    fn states_without_known_providers_are_told() {
        for (text, word) in [
            (
                r#"{"version": 3, "modules": [{"resources": {}}], "resources": {"a": 1}}"#,
                "old format 3",
            ),
            (r#"{"version": 4, "encrypted_data": "x"}"#, "encrypted"),
            (r#"{"resources": []}"#, "format version"),
            (
                r#"{"version": 4, "resources": [{"provider": "provider.null"}]}"#,
                "provider.null",
            ),
            (
                r#"{"version": 4, "resources": [{"provider": "provider[\"a/b\"]"}]}"#,
                "no usable",
            ),
            (
                r#"{"version": 4, "resources": [{"provider": "provider[\"registry.terraform.io/-/a\"]"}]}"#,
                "registry.terraform.io/-/a",
            ),
        ] {
            let found = state(text).unwrap();
            assert_eq!(addresses(&found), Vec::<String>::new(), "{text}");
            assert!(
                found.warnings[0].contains(word),
                "{text}: {:?}",
                found.warnings
            );
        }
    }

    #[test]
    fn absent_and_empty_states_have_no_providers() {
        let nowhere = Path::new("/nonexistent/terraform.tfstate");
        assert_eq!(
            providers_in_state(nowhere, Tool::Tofu).unwrap(),
            StateProviders::default()
        );
        assert_eq!(state(" \n").unwrap(), StateProviders::default());
    }

    #[test]
    fn broken_states_are_errors_with_advice() {
        for text in [
            "{",
            "[]",
            r#"{"version": 4, "resources": {}}"#,
            r#"{"version": "x"}"#,
        ] {
            let error = state(text).unwrap_err();
            assert!(matches!(error, StateError::Broken { .. }), "{text}");
            assert_eq!(error.hints().len(), 1);
        }
    }

    #[test]
    fn refuses_nesting_that_would_exhaust_the_stack() {
        let deep = format!(
            "{{\"version\": 4, \"x\": {}{}}}",
            "[".repeat(500_000),
            "]".repeat(500_000)
        );
        assert!(state(&deep).is_ok_and(|found| found == StateProviders::default()));
    }
}
