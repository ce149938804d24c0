//! `hostname.json`: host names in both forms.

use provender::address::Hostname;
use serde_json::Value;

use super::support::{Report, cases, flag, same, text};

#[test]
fn host_names_are_as_the_tools_have_them() {
    let mut report = Report::new("hostname.json");
    for case in cases("hostname.json") {
        match case["normalized_input"].as_str() {
            Some(input) => report.case(input, show_normalized(input, &case)),
            None => report.case(text(&case, "input"), parse(&case)),
        }
    }
    report.finish();
}

fn show_normalized(input: &str, case: &Value) -> Result<(), String> {
    same(
        &Hostname::lenient_display(input).as_str(),
        &text(case, "display"),
    )
}

fn parse(case: &Value) -> Result<(), String> {
    let input = text(case, "input");
    let lenient = Hostname::lenient_display(input);
    same(&lenient.as_str(), &text(case, "lenient_display"))?;
    match input.parse::<Hostname>() {
        Ok(host) if flag(case, "ok") => {
            same(&host.for_comparison(), &text(case, "comparison"))?;
            same(&host.for_display(), &text(case, "display"))
        }
        Ok(host) => Err(format!("got {host}, expected a refusal")),
        Err(error) if flag(case, "ok") => Err(format!("refused: {error}")),
        Err(_) => Ok(()),
    }
}
