//! `credentials-file.json`, reading: where the file is, what its entries mean, and which source wins.

use std::fs;
use std::path::Path;

use provender::address::{Hostname, Tool};
use provender::auth::{Credentials, CredentialsHelper};
use provender::config::cli_config::CliConfigProblem;
use provender::config::cli_config::{credentials_file, helper_dirs};
use provender::config::{CliConfig, Environment};
use serde_json::Value;
use tempfile::TempDir;

use super::registry_client::wait_for;
use super::support::{Report, document, same, text};

fn list(document: &Value, key: &str) -> Vec<Value> {
    document[key].as_array().expect("a list of cases").clone()
}

fn variables(case: &Value, home: &Path) -> Environment {
    let given = case.as_object().into_iter().flatten();
    let given = given.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
    let own = ("HOME".to_owned(), home.to_str().unwrap().to_owned());
    std::iter::once(own).chain(given).collect()
}

#[test]
fn credentials_are_found_and_read_as_the_tools_do() {
    let document = document("credentials-file.json");
    let mut report = Report::new("credentials-file.json reading");
    for case in list(&document, "locations") {
        let name = case.to_string();
        if text(&case, "os") == "windows" {
            report.leave_out(&name, "another system");
        } else {
            report.case(&name, location(&case));
        }
    }
    for case in list(&document, "reads") {
        report.case(text(&case, "name"), read(&case));
    }
    for case in list(&document, "precedence") {
        report.case(text(&case, "name"), precedence(&case));
    }
    for case in list(&document, "helper") {
        report.leave_out(
            &case["name"].to_string(),
            "is run beside the code, in `auth::helper` and its search",
        );
    }
    report.finish();
}

/// Paths of a case lie below a temporary root, so that its directories can be there or not.
fn location(case: &Value) -> Result<(), String> {
    let root = TempDir::new().unwrap();
    let below = |path: &Value| {
        root.path()
            .join(path.as_str().unwrap().trim_start_matches('/'))
    };
    for dir in case["exists"].as_array().into_iter().flatten() {
        fs::create_dir_all(below(dir)).unwrap();
    }
    let variables = case["env"].as_object().unwrap().iter();
    let environment: Environment = variables
        .map(|(name, value)| (name.clone(), below(value).to_str().unwrap().to_owned()))
        .collect();
    let tool: Tool = text(case, "program")
        .parse()
        .map_err(|error| format!("{error}"))?;
    let found = credentials_file(tool, &environment, None);
    same(&found, &Some(below(&case["path"])))
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A file that makes the tools crash is refused here; an empty token is none.
fn read(case: &Value) -> Result<(), String> {
    let home = TempDir::new().unwrap();
    let file = home.path().join(".terraform.d/credentials.tfrc.json");
    write(&file, text(case, "text"));
    let environment = variables(&Value::Null, home.path());
    let config = CliConfig::load(Tool::Terraform, &environment, None, home.path());
    let host: Hostname = text(case, "host").parse().unwrap();
    let found = Credentials::new(&environment, &config).configured(&host);
    let token = found.as_ref().map(|found| found.token.expose());
    let is_refused = matches!(text(case, "result"), "file_rejected" | "peer_crash");
    let expected = case["token"]
        .as_str()
        .filter(|token| !token.is_empty() && !is_refused);
    same(&token, &expected)?;
    // Of unknown names we warn where the tools are silent.
    let is_unknown =
        |problem: &CliConfigProblem| matches!(problem, CliConfigProblem::UnknownSetting { .. });
    let warnings = config.warnings.iter();
    let is_warned = warnings
        .map(|it| &it.problem)
        .any(|problem| !is_unknown(problem));
    same(&is_warned, &(is_refused || case.get("warning").is_some()))
}

fn precedence(case: &Value) -> Result<(), String> {
    let home = TempDir::new().unwrap();
    let sources = &case["sources"];
    let dir = home.path().join(".terraform.d");
    if let Some(content) = sources["credentials_file"].as_str() {
        write(&dir.join("credentials.tfrc.json"), content);
    }
    for (name, content) in sources["dir_files"].as_object().into_iter().flatten() {
        write(&dir.join(name), content.as_str().unwrap());
    }
    let mut environment = variables(&sources["env"], home.path());
    if let Some(main) = sources["main_config"].as_str() {
        let (place, content) = main.split_once(": ").unwrap();
        write(&home.path().join(place.trim_start_matches("~/")), content);
    }
    if text(case, "name").contains("TF_CLI_CONFIG_FILE") {
        let named = home.path().join("TF_CLI_CONFIG_FILE");
        if !named.exists() {
            write(&named, "");
        }
        let pairs = environment
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let named = (
            "TF_CLI_CONFIG_FILE".to_owned(),
            named.to_str().unwrap().to_owned(),
        );
        environment = pairs.chain([named]).collect();
    }
    let calls = dir.join("plugins/calls");
    if sources["helper_installed"] == true {
        install(&dir.join("plugins/terraform-credentials-foo"));
    }
    let config = CliConfig::load(Tool::Terraform, &environment, None, home.path());
    let mut credentials = Credentials::new(&environment, &config);
    if let Some(setting) = config.helpers.get("foo") {
        let dirs = helper_dirs(Tool::Terraform, &environment, None);
        let helper = CredentialsHelper::find(setting, &dirs).map_err(|error| error.to_string())?;
        credentials = credentials.with_helper(helper);
    }
    let found = wait_for(credentials.for_host(&"example.com".parse().unwrap()));
    let header = found.map(|found| format!("Bearer {}", found.token.expose()));
    // The tools send a header without a token for an empty variable.
    let expected = case["authorization"]
        .as_str()
        .filter(|header| *header != "Bearer");
    same(&header.as_deref(), &expected)?;
    same(&Some(calls.exists()), &case["helper_called"].as_bool())
}

fn install(program: &Path) {
    write(
        program,
        "#!/bin/sh\necho \"$@\" > \"$(dirname \"$0\")/calls\"\necho '{\"token\":\"from-helper\"}'\n",
    );
    #[cfg(unix)]
    fs::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
}
