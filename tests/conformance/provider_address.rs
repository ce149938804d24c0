//! `provider-address.json`: provider source addresses with the defaults of each tool.

use provender::address::{ProviderAddr, ProviderAddrError, ProviderSource, Tool};
use serde_json::Value;

use super::support::{Report, cases, flag, same, text};

#[test]
fn provider_addresses_are_as_the_tools_have_them() {
    let mut report = Report::new("provider-address.json");
    for case in cases("provider-address.json") {
        let input = text(&case, "input");
        match text(&case, "kind") {
            "part" => report.case(&format!("part {input}"), part(input, &case)),
            _ => report.case(input, source_for_both(input, &case)),
        }
    }
    report.finish();
}

fn part(input: &str, case: &Value) -> Result<(), String> {
    match ProviderAddr::from_parts("example.com", input, input) {
        Ok(addr) if flag(case, "ok") => {
            same(&addr.namespace(), &text(case, "value"))?;
            same(&addr.ty(), &text(case, "value"))
        }
        Ok(addr) => Err(format!("got {addr}, expected a refusal")),
        Err(error) if flag(case, "ok") => Err(format!("refused: {error}")),
        Err(_) => Ok(()),
    }
}

fn source_for_both(input: &str, case: &Value) -> Result<(), String> {
    for tool in [Tool::Terraform, Tool::Tofu] {
        source(input, tool, &case[tool.name()]).map_err(|error| format!("{tool}: {error}"))?;
    }
    Ok(())
}

fn source(input: &str, tool: Tool, expected: &Value) -> Result<(), String> {
    match (
        ProviderSource::parse(input, tool),
        expected["error"].as_str(),
    ) {
        (Err(error), Some(summary)) => same(&summary_of(&error), &summary),
        (Err(error), None) => Err(format!("refused: {error}")),
        (Ok(found), Some(summary)) => Err(format!("got {found:?}, expected {summary}")),
        (Ok(found), None) => compare(&found, tool, expected),
    }
}

fn compare(found: &ProviderSource, tool: Tool, expected: &Value) -> Result<(), String> {
    let (kind, full) = match found {
        ProviderSource::Installable(addr) => {
            same(&addr.for_display(tool).as_str(), &text(expected, "display"))?;
            same(
                &addr.hostname().for_comparison(),
                &text(expected, "hostname"),
            )?;
            same(&addr.namespace(), &text(expected, "namespace"))?;
            same(&addr.ty(), &text(expected, "type"))?;
            ((false, false), addr.to_string())
        }
        ProviderSource::BuiltIn(full) => ((true, false), full.clone()),
        ProviderSource::Legacy(full) => ((false, true), full.clone()),
    };
    same(&full.as_str(), &text(expected, "string"))?;
    same(
        &kind,
        &(flag(expected, "builtin"), flag(expected, "legacy")),
    )
}

/// The tools' summary line for the same mistake.
fn summary_of(error: &ProviderAddrError) -> &'static str {
    match error {
        ProviderAddrError::Shape(_) => "Invalid provider source string",
        ProviderAddrError::Host { .. } => "Invalid provider source hostname",
        ProviderAddrError::Namespace { .. } => "Invalid provider namespace",
        ProviderAddrError::Type { .. } | ProviderAddrError::TypePrefix { .. } => {
            "Invalid provider type"
        }
        ProviderAddrError::BuiltIn(_)
        | ProviderAddrError::Legacy(_)
        | ProviderAddrError::NotCanonical { .. } => "not an error of the tools here",
    }
}
