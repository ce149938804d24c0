//! A root module on disk: where its data directory and its local state are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::address::Tool;
use crate::config::scan::{StaticInputs, StaticValue};
use crate::config::state::STATE_FILE;
use crate::config::static_files::add_values_of_files;
use crate::config::{Environment, environment};
use crate::disk::{self, SafePath};

/// The file in the data directory that keeps the name of the selected workspace.
const WORKSPACE_FILE: &str = "environment";
/// The name of the workspace whose state lies in the root module's directory itself.
const DEFAULT_WORKSPACE: &str = "default";
/// The directory of the states of all other workspaces.
const WORKSPACES_DIR: &str = "terraform.tfstate.d";
/// A workspace name is a word.
const WORKSPACE_CAP: u64 = 4096;

/// A root module and for which tool it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootModule {
    /// Its directory.
    pub dir: PathBuf,
    /// `.terraform`, or what `TF_DATA_DIR` names.
    pub data_dir: PathBuf,
    /// For which tool it is written.
    pub tool: Tool,
    workspace: Option<String>,
    /// Values of variables that the environment gives.
    given: BTreeMap<String, String>,
}

impl RootModule {
    /// The root module in `dir`, with the data directory and the workspace of `environment`.
    pub fn new(dir: impl Into<PathBuf>, environment: &Environment, tool: Tool) -> Self {
        let dir = dir.into();
        let workspace = environment
            .non_empty(environment::TF_WORKSPACE)
            .map(str::to_owned);
        let given = environment.iter().filter_map(|(name, value)| {
            let name = name.strip_prefix(environment::TF_VAR_PREFIX)?;
            Some((name.to_owned(), value.to_owned()))
        });
        Self {
            given: given.collect(),
            data_dir: dir.join(data_dir(environment)),
            dir,
            tool,
            workspace,
        }
    }

    /// The selected workspace, if it is not the default one.
    fn workspace(&self) -> Option<String> {
        let selected = || selected_workspace(&self.data_dir);
        self.workspace.clone().or_else(selected)
    }

    /// What the sources of its module calls may be evaluated with, and what of it could not be read.
    pub fn static_inputs(&self) -> (StaticInputs, Vec<String>) {
        let mut inputs = StaticInputs::of_root();
        if let Some(workspace) = self.workspace().filter(|name| !name.is_empty()) {
            inputs.workspace = workspace;
        }
        let given = self.given.iter();
        inputs.variables = given
            .map(|(name, value)| (name.clone(), StaticValue::text(value)))
            .collect();
        let warnings = add_values_of_files(&self.dir, &mut inputs);
        (inputs, warnings)
    }

    /// The local state of the selected workspace; `None` if its name cannot be a directory's.
    pub fn state_file(&self) -> Option<PathBuf> {
        match self.workspace().as_deref() {
            None | Some("" | DEFAULT_WORKSPACE) => Some(self.dir.join(STATE_FILE)),
            Some(name) => {
                let name: SafePath = name.parse().ok()?;
                Some(name.under(&self.dir.join(WORKSPACES_DIR)).join(STATE_FILE))
            }
        }
    }
}

/// The data directory of a root module as `environment` names it, mostly relative to its directory.
pub fn data_dir(environment: &Environment) -> &Path {
    let named = environment.non_empty(environment::TF_DATA_DIR);
    Path::new(named.unwrap_or(".terraform"))
}

fn selected_workspace(data_dir: &Path) -> Option<String> {
    let bytes = disk::read_capped(&data_dir.join(WORKSPACE_FILE), WORKSPACE_CAP).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state_file(dir: &Path, pairs: &[(&str, &str)]) -> Option<PathBuf> {
        let pairs = pairs
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()));
        let state = RootModule::new(dir, &pairs.collect(), Tool::Terraform).state_file()?;
        Some(state.strip_prefix(dir).unwrap().to_owned())
    }

    #[test]
    fn state_follows_the_selected_workspace() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        let default = Some(PathBuf::from("terraform.tfstate"));
        let of = |name: &str| Some(Path::new("terraform.tfstate.d").join(name).join(STATE_FILE));
        assert_eq!(state_file(dir, &[]), default);
        assert_eq!(state_file(dir, &[("TF_WORKSPACE", "blue")]), of("blue"));
        assert_eq!(state_file(dir, &[("TF_WORKSPACE", "../x")]), None);
        std::fs::create_dir(dir.join(".terraform")).unwrap();
        std::fs::write(dir.join(".terraform/environment"), "green\n").unwrap();
        assert_eq!(state_file(dir, &[]), of("green"));
        assert_eq!(state_file(dir, &[("TF_WORKSPACE", "default")]), default);
        assert_eq!(state_file(dir, &[("TF_DATA_DIR", "data")]), default);
    }
}
