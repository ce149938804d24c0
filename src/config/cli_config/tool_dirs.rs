//! Where the tools keep credentials and look for credentials helpers (facts/login 4.1, 4.8).

use std::path::{Path, PathBuf};

use super::location::{Search, System};
use crate::address::{Platform, Tool};
use crate::config::Environment;
use crate::config::environment;

/// The name of the credentials file in the tool's configuration directory.
const CREDENTIALS_FILE: &str = "credentials.tfrc.json";

/// The tool's configuration directory, whether or not a variable names another configuration file: `login` writes
/// there all the same.
fn config_dir(tool: Tool, environment: &Environment, home: Option<&Path>) -> Option<PathBuf> {
    let names_file = |name: &str| {
        matches!(
            name,
            environment::TF_CLI_CONFIG_FILE | environment::TERRAFORM_CONFIG
        )
    };
    let others = environment.iter().filter(|(name, _)| !names_file(name));
    let others: Environment = others
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let search = Search {
        tool,
        system: System::current(),
        environment: &others,
        home,
        cwd: Path::new(""),
    };
    search.locate(Path::exists).directory
}

/// The credentials file of `tool`, present or not; none without a home directory.
pub fn credentials_file(
    tool: Tool,
    environment: &Environment,
    home: Option<&Path>,
) -> Option<PathBuf> {
    Some(config_dir(tool, environment, home)?.join(CREDENTIALS_FILE))
}

/// The directories in which `tool` looks for credentials helpers, in its order.
///
/// `terraform` looks in its configuration directory; `tofu` in `~/.terraform.d` and then in its data directory, but
/// not in its configuration directory.
pub fn helper_dirs(tool: Tool, environment: &Environment, home: Option<&Path>) -> Vec<PathBuf> {
    let mut bases: Vec<PathBuf> = match tool {
        Tool::Terraform => config_dir(tool, environment, home).into_iter().collect(),
        Tool::Tofu => config_dir(Tool::Terraform, environment, home)
            .into_iter()
            .collect(),
    };
    let data = environment.non_empty(environment::XDG_DATA_HOME);
    if tool == Tool::Tofu && !cfg!(windows) {
        bases.extend(data.map(|data| Path::new(data).join("opentofu")));
    }
    let platform = Platform::current().to_string();
    let below = |base: PathBuf| {
        let plugins = base.join("plugins");
        [plugins.clone(), plugins.join(&platform)]
    };
    bases.into_iter().flat_map(below).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        let pairs = pairs.iter();
        pairs
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    #[test]
    fn named_configuration_file_moves_no_credentials() {
        let environment = environment(&[("HOME", "/h"), ("TF_CLI_CONFIG_FILE", "/x")]);
        let file = credentials_file(Tool::Terraform, &environment, None);
        assert_eq!(
            file.unwrap(),
            Path::new("/h/.terraform.d/credentials.tfrc.json")
        );
    }

    #[test]
    fn helpers_lie_where_each_tool_looks() {
        let environment = environment(&[
            ("HOME", "/h"),
            ("XDG_CONFIG_HOME", "/c"),
            ("XDG_DATA_HOME", "/d"),
        ]);
        let platform = Platform::current();
        let below = |base: &str| {
            let plugins = format!("{base}/plugins");
            [plugins.clone(), format!("{plugins}/{platform}")].map(PathBuf::from)
        };
        let terraform = helper_dirs(Tool::Terraform, &environment, None);
        assert_eq!(terraform, below("/h/.terraform.d"));
        let tofu = helper_dirs(Tool::Tofu, &environment, None);
        assert_eq!(
            tofu,
            [below("/h/.terraform.d"), below("/d/opentofu")].concat()
        );
    }
}
