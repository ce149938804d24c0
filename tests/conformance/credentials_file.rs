//! `credentials-file.json`, operations: the exact bytes that terraform writes.

use provender::document::{CredentialsFile, CredentialsFileError};
use provender::secret::Secret;
use serde_json::Value;

use super::support::{Report, document, same, text};

#[test]
fn edits_give_the_bytes_that_terraform_writes() {
    let document = document("credentials-file.json");
    let mut report = Report::new("credentials-file.json operations");
    for case in document["operations"].as_array().unwrap() {
        report.case(text(case, "name"), operation(case));
    }
    report.finish();
}

fn operation(case: &Value) -> Result<(), String> {
    let before = case["before"].as_str();
    let operation = &case["operation"];
    let host = text(operation, "host").parse().unwrap();
    let mut file = match CredentialsFile::parse(before.unwrap_or_default().as_bytes()) {
        Ok(file) => file,
        Err(error) => return refused(case, &error),
    };
    if let Some(kind) = case["error_kind"].as_str() {
        return Err(format!("no error, expected {kind}"));
    }
    if text(operation, "op") == "store" {
        file.store(&host, &Secret::new(text(operation, "token")));
    } else if !file.forget(&host) {
        return same(&Some(true), &case["nothing_stored"].as_bool());
    }
    same(&Some(file.render().as_str()), &case["after"].as_str())
}

/// The tools take a file that they cannot parse for one that holds nothing when they forget.
fn refused(case: &Value, error: &CredentialsFileError) -> Result<(), String> {
    let expected = case["error_kind"].as_str();
    let fits = match error {
        CredentialsFileError::CredentialsNotObject => expected == Some("credentials_not_object"),
        CredentialsFileError::NotAnObject => {
            matches!(expected, Some("unparsable" | "peer_crash"))
        }
        CredentialsFileError::Syntax(_) => {
            expected == Some("unparsable") || case["nothing_stored"] == true
        }
        CredentialsFileError::TooMuch | CredentialsFileError::SeveralCredentials => false,
    };
    if fits {
        Ok(())
    } else {
        Err(format!("got {error}, expected {expected:?}"))
    }
}
