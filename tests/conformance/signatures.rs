//! Signatures and keys of `registry-responses.json`: what the registry serves for `linux_amd64`,
//! verified without HTTP.
//!
//! Every case that serves a document, a signature and keys is used, also those that fail elsewhere:
//! there the signature must hold. `keys_trust_garbage` fails in `terraform` because of
//! `trust_signature`, which is ignored here as OpenTofu does.

use std::time::{Duration, SystemTime};

use provender::document::SigningKey;
use provender::package::{Expired, KeyTextError, SignatureError, Signer, verify_detached};
use serde_json::Value;

use super::support::{Report, cases, same, vectors_dir};

/// The signer of all cases that do not say another.
const USUAL_SIGNER: &str = "2D92303B278BF177";

/// The cases that are about a signature or key that proves nothing.
const REFUSED: [&str; 10] = [
    "keys_empty",
    "keys_only_other",
    "keys_bad_first",
    "sig_armored",
    "sig_garbage",
    "sig_empty",
    "sig_tamper",
    "g_md5",
    "g_future",
    "g_revoked_key",
];

/// When the cases were observed.
fn observed() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_000_000)
}

/// The body that a case serves under a path; `None` if it does not answer 200 there.
fn body(case: &Value, path: &str) -> Option<Vec<u8>> {
    let route = &case["routes"][path];
    if route["status"] != 200 {
        return None;
    }
    match (route["file"].as_str(), route["body"].as_str()) {
        (Some(file), _) => Some(std::fs::read(vectors_dir().join(file)).unwrap()),
        (None, body) => body.map(|body| body.as_bytes().to_vec()),
    }
}

/// Document, signature and keys of a case.
fn material(case: &Value) -> Option<(Vec<u8>, Vec<u8>, Vec<SigningKey>)> {
    let metadata = &case["routes"]["/v1/providers/acme/demo/1.0.0/download/linux/amd64"]["json"];
    let document = body(case, metadata["shasums_url"].as_str()?)?;
    let signature = body(case, metadata["shasums_signature_url"].as_str()?)?;
    let keys = metadata["signing_keys"]["gpg_public_keys"]
        .as_array()?
        .iter();
    let armor = |key: &Value| SigningKey {
        ascii_armor: key["ascii_armor"].as_str().unwrap().to_owned(),
    };
    Some((document, signature, keys.map(armor).collect()))
}

/// Whether an error is the one that a case is about.
fn is_expected(name: &str, error: &SignatureError) -> bool {
    match name {
        "keys_empty" | "keys_only_other" => matches!(error, SignatureError::UnknownIssuer { .. }),
        "keys_bad_first" => {
            matches!(
                error,
                SignatureError::UnreadableKey {
                    position: 1,
                    source: KeyTextError::NoArmor,
                    ..
                }
            )
        }
        "sig_armored" => *error == SignatureError::Armored,
        "sig_garbage" => *error == SignatureError::Malformed,
        "sig_empty" => *error == SignatureError::Empty,
        "sig_tamper" => matches!(error, SignatureError::Mismatch { .. }),
        "g_md5" => matches!(error, SignatureError::RefusedDigest { digest, .. } if digest == "MD5"),
        "g_future" => matches!(error, SignatureError::FromFuture { .. }),
        "g_revoked_key" => matches!(error, SignatureError::Revoked { .. }),
        _ => false,
    }
}

#[test]
fn signatures_and_keys_are_judged_as_by_the_tools() {
    let mut report = Report::new("registry-responses.json");
    for case in cases("registry-responses.json") {
        let Some(name) = case["name"].as_str() else {
            continue;
        };
        match material(&case) {
            Some((document, signature, keys)) => {
                report.case(
                    name,
                    judge(
                        &case,
                        name,
                        verify_detached(&document, &signature, &keys, observed()),
                    ),
                );
            }
            None => report.leave_out(
                name,
                "serves no document, signature or keys for `linux_amd64`",
            ),
        }
    }
    report.finish();
}

fn judge(case: &Value, name: &str, outcome: Result<Signer, SignatureError>) -> Result<(), String> {
    match outcome {
        Err(error) if is_expected(name, &error) => Ok(()),
        Err(error) => Err(format!("refused: {error}")),
        Ok(_) if REFUSED.contains(&name) => Err("was accepted".to_owned()),
        Ok(signer) => {
            same(
                &signer.key_id.as_str(),
                &case["expect"]["key_id"].as_str().unwrap_or(USUAL_SIGNER),
            )?;
            let is_expired = matches!(signer.expired, Some(Expired::Ended(_)));
            same(&is_expired, &(name == "g_expired_signed_before"))
        }
    }
}
