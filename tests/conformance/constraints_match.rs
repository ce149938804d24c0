//! `constraints-match.json`: which versions a constraint allows, and which one is selected.

use provender::version::{Prereleases, Version, VersionConstraints};
use serde_json::Value;

use super::support::{Report, cases, same, text, texts};

#[test]
fn constraints_select_what_the_tools_select() {
    let mut report = Report::new("constraints-match.json");
    for case in cases("constraints-match.json") {
        report.case(&format!("{:?}", text(&case, "constraint")), select(&case));
    }
    report.finish();
}

fn select(case: &Value) -> Result<(), String> {
    let constraints: VersionConstraints = text(case, "constraint")
        .parse()
        .map_err(|error| format!("refused: {error}"))?;
    let available: Vec<Version> = texts(case, "available")
        .iter()
        .map(|version| version.parse().unwrap())
        .collect();
    let allowed: Vec<String> = constraints
        .allowed(&available, Prereleases::ExactOnly)
        .into_iter()
        .map(ToString::to_string)
        .collect();
    same(&allowed, &texts(case, "allowed"))?;
    let selected = constraints.select(&available).map(ToString::to_string);
    same(&selected.as_deref(), &case["selected"].as_str())
}
