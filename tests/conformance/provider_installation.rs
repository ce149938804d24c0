//! `cli-config-include-exclude.json`: which method serves which provider, and which blocks are refused. The cases that
//! choose among several methods are run in `methods`.

use std::path::Path;

use provender::address::{ProviderAddr, ProviderPattern, Tool};
use provender::config::cli_config::{
    CliConfigProblem, InstallationMethod, InstallationProblem, MethodKind, Place,
};
use provender::config::{CliConfig, Environment};
use provender::document::hcl1::Position;
use serde_json::Value;

use super::support::{Report, cases, same, text};

#[test]
fn methods_serve_the_providers_that_they_serve_for_the_tools() {
    let mut report = Report::new("cli-config-include-exclude.json");
    for case in cases("cli-config-include-exclude.json") {
        let name = case["name"].as_str().map_or_else(
            || {
                format!(
                    "{} {} {}",
                    case["include"], case["exclude"], case["provider"]
                )
            },
            str::to_owned,
        );
        match case["kind"].as_str() {
            None if text(&case, "provider").starts_with("terraform.io/builtin/") => {
                report.leave_out(&name, "built-in providers are no addresses to install from");
            }
            None => report.case(&name, served(&case)),
            Some("cli-config") => report.case(&name, configured(&case)),
            Some(_) => report.leave_out(&name, "is run in `methods`"),
        }
    }
    report.finish();
}

fn patterns(list: &Value, tool: Tool) -> Result<Vec<ProviderPattern>, String> {
    let texts = list.as_array().into_iter().flatten();
    let parse = |text: &Value| {
        let text = text.as_str().expect("patterns are text");
        ProviderPattern::parse(text, tool).map_err(|error| error.to_string())
    };
    texts.map(parse).collect()
}

fn served(case: &Value) -> Result<(), String> {
    let tool = match text(case, "product") {
        "opentofu" => Tool::Tofu,
        _ => Tool::Terraform,
    };
    let addr: ProviderAddr = text(case, "provider").parse().expect("an address");
    let include = patterns(&case["include"], tool);
    same(&include.is_err(), &case["config_error"].is_string())?;
    let handled = include.is_ok_and(|include| {
        let method = InstallationMethod {
            kind: MethodKind::Direct,
            include,
            exclude: patterns(&case["exclude"], tool).expect("no case has a wrong `exclude`"),
            place: Place {
                file: "x".into(),
                position: Position { line: 1, column: 1 },
            },
        };
        method.serves(&addr)
    });
    same(&Some(handled), &case["handled"].as_bool())
}

fn configured(case: &Value) -> Result<(), String> {
    let home = tempfile::tempdir().expect("a temporary directory can be made");
    let file = home.path().join(".terraformrc");
    std::fs::write(file, text(case, "config")).expect("it can be written to");
    let none = Environment::default();
    let config = CliConfig::load(Tool::Terraform, &none, Some(home.path()), Path::new("/"));
    let is_ignored = |problem: &CliConfigProblem| {
        matches!(
            problem,
            CliConfigProblem::UnknownSetting { .. }
                | CliConfigProblem::Installation(InstallationProblem::UnknownArgument { .. })
        )
    };
    let reported = config.warnings.iter().map(|warning| &warning.problem);
    let has_error = reported.filter(|problem| !is_ignored(problem)).count() > 0;
    let expects_error = text(case, "expect").starts_with("error");
    same(&has_error, &expects_error)
}
