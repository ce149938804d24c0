//! `versions.json`: the grammar of versions and their precedence.

use std::cmp::Ordering;

use provender::version::Version;
use serde_json::Value;

use super::support::{Report, cases, flag, same, text};

#[test]
fn versions_are_as_the_tools_have_them() {
    let mut report = Report::new("versions.json");
    for case in cases("versions.json") {
        if text(&case, "kind") == "parse" {
            report.case(&format!("{:?}", text(&case, "input")), parse(&case));
        } else {
            let name = format!("{} {}", text(&case, "a"), text(&case, "b"));
            report.case(&name, compare(&case));
        }
    }
    report.finish();
}

fn parse(case: &Value) -> Result<(), String> {
    match text(case, "input").parse::<Version>() {
        Ok(version) if flag(case, "ok") => {
            same(&version.to_string().as_str(), &text(case, "canonical"))?;
            let numbers = [version.major(), version.minor(), version.patch()];
            same(
                &numbers,
                &["major", "minor", "patch"].map(|key| case[key].as_u64().unwrap()),
            )?;
            same(
                &(version.pre(), version.meta()),
                &(text(case, "pre"), text(case, "meta")),
            )
        }
        Ok(version) => Err(format!("got {version}, expected a refusal")),
        Err(error) if flag(case, "ok") => Err(format!("refused: {error}")),
        Err(_) => Ok(()),
    }
}

fn compare(case: &Value) -> Result<(), String> {
    let [one, other] = ["a", "b"].map(|key| text(case, key).parse::<Version>().unwrap());
    let expected = match case["cmp"].as_i64() {
        Some(-1) => Ordering::Less,
        Some(0) => Ordering::Equal,
        _ => Ordering::Greater,
    };
    same(&one.cmp_precedence(&other), &expected)?;
    same(&other.cmp_precedence(&one), &expected.reverse())?;
    same(
        &(expected == Ordering::Equal),
        &flag(case, "same_precedence"),
    )
}
