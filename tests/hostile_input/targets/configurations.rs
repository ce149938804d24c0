//! Files of a user's repositories and home: configurations, states, CLI configurations.

use std::fs;

use provender::address::Tool;
use provender::auth::Credentials;
use provender::config::{
    CliConfig, Environment, ModuleKind, environment, providers_in_state, scan_module,
};
use provender::document::hcl1;
use tempfile::TempDir;

use super::told::told;

pub(super) mod seeds {
    //! From the vectors, but for states.

    use super::super::corpus::{literal, texts_of};

    pub(in super::super) fn module_configuration() -> Vec<Vec<u8>> {
        texts_of(&["config-scan.json"])
    }

    pub(in super::super) fn state() -> Vec<Vec<u8>> {
        literal(&[
            r#"{"version":4,"resources":[{"mode":"managed","provider":"provider[\"example.com/acme/net\"]"},{"module":"module.a","provider":"module.a.provider[\"registry.terraform.io/hashicorp/aws\"].x"}]}"#,
            r#"{"version":3,"modules":[{"resources":{"a":{"provider":"provider.aws"}}}]}"#,
            r#"{"encrypted_data":"x","meta":{}}"#,
        ])
    }

    pub(in super::super) fn cli_configuration() -> Vec<Vec<u8>> {
        texts_of(&[
            "cli-config.json",
            "cli-config-include-exclude.json",
            "credentials-file.json",
        ])
    }
}

const TOOLS: [Tool; 2] = [Tool::Terraform, Tool::Tofu];

/// A directory that holds `input` as each of these files.
fn holding(input: &[u8], names: &[&str]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    for name in names {
        fs::write(directory.path().join(name), input).expect("it can be filled");
    }
    directory
}

/// In both languages, with overrides and tests.
pub(super) fn module_configuration(input: &[u8]) {
    for (tool, names) in [
        (Tool::Terraform, ["main.tf", "main_override.tf"]),
        (Tool::Tofu, ["main.tofu", "main.tftest.hcl"]),
        (Tool::Terraform, ["main.tf.json", "main.tftest.json"]),
        (Tool::Tofu, ["main.tofu.json", "main_override.tofu.json"]),
    ] {
        let module = holding(input, &names);
        let _ = told(scan_module(module.path(), tool, ModuleKind::Root));
    }
}

pub(super) fn state(input: &[u8]) {
    let directory = holding(input, &["terraform.tfstate"]);
    let path = directory.path().join("terraform.tfstate");
    for tool in TOOLS {
        let _ = told(providers_in_state(&path, tool));
    }
}

/// The language, then the settings made of it.
pub(super) fn cli_configuration(input: &[u8]) {
    let _ = hcl1::parse(input);
    let directory = holding(input, &["a.tfrc"]);
    let file = directory.path().join("a.tfrc");
    let file = file
        .to_str()
        .expect("temporary directories have plain names");
    let named = (environment::TF_CLI_CONFIG_FILE.to_owned(), file.to_owned());
    let environment = Environment::from_iter([named]);
    for tool in TOOLS {
        let config = CliConfig::load(tool, &environment, None, directory.path());
        for warning in &config.warnings {
            let _ = warning.to_string();
        }
        let _ = Credentials::new(&environment, &config);
    }
}
