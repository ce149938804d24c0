//! `constraints-parse.json`: the constraint language, its terms and their canonical text.

use provender::version::{Constraint, ConstraintOp, VersionConstraints};
use serde_json::{Value, json};

use super::support::{Report, cases, flag, same, text};

#[test]
fn constraints_are_read_as_the_tools_read_them() {
    let mut report = Report::new("constraints-parse.json");
    for case in cases("constraints-parse.json") {
        report.case(&format!("{:?}", text(&case, "input")), parse(&case));
    }
    report.finish();
}

fn parse(case: &Value) -> Result<(), String> {
    match text(case, "input").parse::<VersionConstraints>() {
        Ok(constraints) if flag(case, "ok") => {
            let terms: Vec<Value> = constraints.terms().iter().map(as_json).collect();
            same(&Value::Array(terms), &case["terms"])?;
            same(&constraints.to_string().as_str(), &text(case, "canonical"))
        }
        Ok(constraints) => Err(format!("got `{constraints}`, expected a refusal")),
        Err(error) if flag(case, "ok") => Err(format!("refused: {error}")),
        Err(_) => Ok(()),
    }
}

fn as_json(term: &Constraint) -> Value {
    let op = match term.op {
        ConstraintOp::Equal => "=",
        ConstraintOp::NotEqual => "!=",
        ConstraintOp::Greater => ">",
        ConstraintOp::GreaterOrEqual => ">=",
        ConstraintOp::Less => "<",
        ConstraintOp::LessOrEqual => "<=",
        ConstraintOp::PessimisticMinor => "~>minor",
        ConstraintOp::PessimisticPatch => "~>patch",
    };
    json!({
        "op": op, "major": term.major, "minor": term.minor, "patch": term.patch,
        "pre": term.pre, "meta": term.meta,
    })
}
