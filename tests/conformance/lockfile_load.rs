//! `lockfile-load.json`: lock file text to locks, or to the problems that the tools name.

use std::collections::BTreeSet;

use provender::address::{ProviderAddr, ProviderAddrError, Tool};
use provender::document::lock_file::LockProblemKind;
use provender::document::{LockFileError, LockWarning, Locks, ProviderLock};
use serde_json::{Value, json};

use super::support::{Report, cases, flag, same, text, texts};

const ABOUT_FILES: &str = "is about a path that holds no file; reading here is from text";

#[test]
fn lock_files_are_read_as_the_tools_read_them() {
    let mut report = Report::new("lockfile-load.json");
    for case in cases("lockfile-load.json") {
        let name = text(&case, "name");
        match input(&case) {
            Some(input) if case["after_migration"].is_object() => {
                report.case(name, migrate(&input, &case));
            }
            Some(input) => report.case(name, load(&input, &case)),
            None => report.leave_out(name, ABOUT_FILES),
        }
    }
    report.finish();
}

/// The text; bytes that are not UTF-8 are replaced, as a reader of files does.
fn input(case: &Value) -> Option<String> {
    if let Some(text) = case["input"].as_str() {
        return Some(text.to_owned());
    }
    let latin1 = case["input_latin1"].as_str()?;
    let bytes: Vec<u8> = latin1.chars().map(|c| u8::try_from(c).unwrap()).collect();
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn tool(case: &Value) -> Tool {
    match case["product"].as_str() {
        Some("opentofu") => Tool::Tofu,
        _ => Tool::Terraform,
    }
}

fn migrate(input: &str, case: &Value) -> Result<(), String> {
    let parsed = Locks::parse(input, tool(case)).map_err(|error| error.to_string())?;
    let before = parsed.locks.clone();
    let mut locks = parsed.locks;
    let adopted = locks.adopt_terraform_locks();
    let changes: Value = adopted
        .iter()
        .map(|lock| (lock.from.to_string(), Value::from(lock.to.to_string())))
        .collect();
    same(&changes, &case["after_migration"]["changes"])?;
    locks
        .providers
        .retain(|addr, _| !before.providers.contains_key(addr));
    same(&as_json(&locks), &case["after_migration"]["added"])
}

fn load(input: &str, case: &Value) -> Result<(), String> {
    let parsed = match Locks::parse(input, tool(case)) {
        Ok(parsed) if flag(case, "ok") => parsed,
        Ok(parsed) => return Err(format!("got {parsed:?}, expected a refusal")),
        Err(error) if flag(case, "ok") => return Err(format!("refused: {error}")),
        Err(error) => return compare_problems(&error, case),
    };
    let warns = parsed.warnings == [LockWarning::ModuleBlocks];
    same(&warns, &case["warnings"].is_array())?;
    if !case["locks"].is_null() {
        same(&as_json(&parsed.locks), &case["locks"])?;
    }
    match case["resaved"].as_str() {
        Some(resaved) => same(&parsed.locks.render(tool(case)).as_str(), &resaved),
        None => Ok(()),
    }
}

fn as_json(locks: &Locks) -> Value {
    let lock = |(addr, lock): (&ProviderAddr, &ProviderLock)| {
        let hashes: Vec<&str> = lock
            .sorted_hashes()
            .iter()
            .map(|hash| hash.as_str())
            .collect();
        json!({
            "address": addr.to_string(), "version": lock.version.to_string(),
            "constraints": lock.constraints.to_string(), "hashes": hashes,
        })
    };
    locks.providers.iter().map(lock).collect()
}

fn compare_problems(error: &LockFileError, case: &Value) -> Result<(), String> {
    if let Some(expected) = case["errors_by_line"].as_array() {
        let expected: Vec<(u64, &str)> = expected
            .iter()
            .map(|error| (error["line"].as_u64().unwrap(), text(error, "summary")))
            .collect();
        let got: Vec<(u64, &str)> = error
            .problems
            .iter()
            .map(|problem| (problem.line as u64, summary_of(&problem.kind)))
            .collect();
        return same(&got, &expected);
    }
    // The tools say of a function also that it is none of the constants; of wrong syntax they say more
    // than one thing where this parser says one.
    let mut expected: BTreeSet<String> = texts(case, "errors").into_iter().collect();
    expected.remove("Function calls not allowed");
    let got = error
        .problems
        .iter()
        .map(|problem| summary_of(&problem.kind).to_owned());
    same(&got.collect(), &expected)
}

fn syntax_summary_of(message: &str) -> &'static str {
    if message.contains("redefined") {
        return "Attribute redefined";
    }
    "Argument or block definition required"
}

/// The tools' summary line for the same problem.
fn summary_of(kind: &LockProblemKind) -> &'static str {
    use LockProblemKind as Kind;
    match kind {
        Kind::Syntax(message) => syntax_summary_of(message),
        Kind::MergeConflict => "a problem that the tools have no word for",
        Kind::UnknownBlock(_) => "Unsupported block type",
        Kind::UnknownArgument(_) => "Unsupported argument",
        Kind::Labels(0) => "Missing source_addr for provider",
        Kind::Labels(_) => "Extraneous label for provider",
        Kind::Address(ProviderAddrError::NotCanonical { .. }) => {
            "Non-normalized provider source address"
        }
        Kind::Address(_) => "Invalid provider source address",
        Kind::Duplicate(_) => "Duplicate provider lock",
        Kind::MissingVersion => "Missing required argument",
        Kind::NotText { .. } => "Unsuitable value type",
        Kind::Version(_)
        | Kind::NotCanonical {
            argument: "version",
            ..
        } => "Invalid provider version number",
        Kind::Constraints(_) | Kind::NotCanonical { .. } => "Invalid provider version constraints",
        Kind::HashesNotList(_) => "Invalid expression",
        Kind::NoHashes => "Invalid provider hash set",
        Kind::Hash(_) => "Invalid provider hash string",
    }
}
