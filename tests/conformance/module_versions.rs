//! `module-registry.json`, the cases of version selection. The cases of whole exchanges with a registry are run by
//! `module_registries`.

use provender::address::Tool;
use provender::version::{
    ModuleConstraints, ModuleVersion, NamedPrerelease, Version, VersionConstraints,
};
use serde_json::Value;

use super::support::{Report, cases, same, text, texts};

#[test]
fn module_versions_are_chosen_as_the_tools_do() {
    let mut report = Report::new("module-registry.json (version selection)");
    for case in cases("module-registry.json") {
        if text(&case, "type") != "version_selection" {
            continue;
        }
        let outcome = match text(&case, "applies_to") {
            "module" => module(&case),
            _ => provider(&case),
        };
        report.case(text(&case, "id"), outcome);
    }
    report.finish();
}

fn module(case: &Value) -> Result<(), String> {
    let tool = match case["tool"].as_str() {
        None => Tool::Terraform,
        Some(_) => Tool::Tofu,
    };
    let named = match tool {
        Tool::Terraform => NamedPrerelease::Bare,
        Tool::Tofu => NamedPrerelease::WithV,
    };
    let listed = texts(case, "available");
    let available: Vec<ModuleVersion> = listed.iter().filter_map(|it| it.parse().ok()).collect();
    if let Some(warns) = case["warns_about_bad_version"].as_bool() {
        same(&(available.len() < listed.len()), &warns)?;
    }
    let constraints = case["constraint"]
        .as_str()
        .map(str::parse::<ModuleConstraints>);
    let constraints = match constraints.transpose() {
        Err(_) => return same(&Some("bad_constraint"), &case["error"].as_str()),
        Ok(constraints) => constraints.unwrap_or_default(),
    };
    let selected = constraints
        .select(&available, named)
        .map(ToString::to_string);
    same(&selected.as_deref(), &case["selected"].as_str())?;
    if selected.is_some() || tool == Tool::Tofu {
        return Ok(());
    }
    let has_any = available
        .iter()
        .any(|version| constraints.may_choose(version, named));
    let error = if has_any {
        "no_matching_version"
    } else {
        "no_versions"
    };
    same(&Some(error), &case["error"].as_str())
}

fn provider(case: &Value) -> Result<(), String> {
    let available: Vec<Version> = texts(case, "available")
        .iter()
        .map(|it| it.parse().expect("a version"))
        .collect();
    let constraints: VersionConstraints = text(case, "constraint").parse().expect("a constraint");
    let selected = constraints.select(&available).map(ToString::to_string);
    same(&selected.as_deref(), &case["selected"].as_str())
}
