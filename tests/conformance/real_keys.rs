//! Keys and signed documents collected from public registries and releases, where they are at hand.
//!
//! They are not part of this repository: see `support::data_dir`. What `gpg` found out about each file is in its `index.json`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime};

use provender::document::SigningKey;
use provender::package::{SignatureError, Signer, Unfit, verify_detached};
use serde_json::Value;

use super::support::data_dir;

/// When the data was collected.
fn collected() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_000_000)
}

fn read_key(directory: &Path, file: &str) -> SigningKey {
    let bytes = std::fs::read(directory.join("keys").join(file)).unwrap();
    SigningKey {
        ascii_armor: String::from_utf8_lossy(&bytes).into_owned(),
    }
}

/// A signature packet that names an issuer and is made of nothing.
fn forged_by(key_id: &str, algorithm: u8) -> Vec<u8> {
    let id: Vec<u8> = (0..8)
        .map(|at| u8::from_str_radix(&key_id[2 * at..2 * at + 2], 16).unwrap())
        .collect();
    let created = [5, 2, 0x5f, 0, 0, 0];
    let numbers: &[u8] = if algorithm == 1 {
        &[0, 1, 1]
    } else {
        &[0, 1, 1, 0, 1, 1]
    };
    let body = [
        &[4, 0, algorithm, 8, 0, 6][..],
        &created,
        &[0, 10, 9, 16],
        &id,
        &[0, 0],
        numbers,
    ]
    .concat();
    [&[0x88, u8::try_from(body.len()).unwrap()][..], &body].concat()
}

fn algorithm_number(name: &str) -> u8 {
    match name {
        "DSA" => 17,
        "ECDSA" => 19,
        "EdDSA" => 22,
        _ => 1,
    }
}

fn index(directory: &Path, part: &str) -> BTreeMap<String, Value> {
    serde_json::from_slice(&std::fs::read(directory.join(part).join("index.json")).unwrap())
        .unwrap()
}

/// The primary key and the subkeys of a listed key.
fn parts(listed: &Value) -> impl Iterator<Item = &Value> {
    std::iter::once(listed).chain(listed["subkeys"].as_array().into_iter().flatten())
}

/// Keys that `gpg` would sign with and that cannot have signed here, with the reason.
fn exception(file: &str) -> Option<&'static str> {
    match file {
        "odd/rpgp__rpgp__tests~openpgp~bug894-test.asc"
        | "other/jdx__mise__src~assets~gpg~swift.asc"
        | "other/rpgp__rpgp__tests~openpgp~trust-pgp~scenario4.asc" => {
            Some("only the first armor block is read")
        }
        "other/rpgp__rpgp__tests~eddsa~bp256.pub" => Some("the curve is not supported"),
        _ => None,
    }
}

#[test]
fn every_real_key_is_able_to_sign_as_gnupg_says() {
    let Some(directory) = data_dir() else { return };
    let (mut judged, mut problems) = (0, Vec::new());
    for (file, facts) in index(&directory, "keys") {
        let key = read_key(&directory, &file);
        for part in facts["keys"].as_array().unwrap().iter().flat_map(parts) {
            let (id, algorithm) = (
                part["keyid"].as_str().unwrap(),
                part["algorithm"].as_str().unwrap(),
            );
            let signs = part["capabilities"].as_str().unwrap().contains('s');
            let forged = forged_by(id, algorithm_number(algorithm));
            judged += 1;
            match verify_detached(b"x", &forged, std::slice::from_ref(&key), collected()) {
                Err(SignatureError::Mismatch { .. }) if signs => {}
                Err(SignatureError::UnknownIssuer { unfit, .. })
                    if !signs || exception(&file).is_some() =>
                {
                    let reasons: Vec<Unfit> = unfit.into_iter().map(|(_, reason)| reason).collect();
                    println!(
                        "{file} {id} {:?} {reasons:?}",
                        exception(&file).unwrap_or_default()
                    );
                }
                other => problems.push(format!("{file} {id}, signs: {signs}: {other:?}")),
            }
        }
    }
    assert!(
        problems.is_empty(),
        "{} of {judged}\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn block_that_holds_only_a_revocation_is_unreadable() {
    let Some(directory) = data_dir() else { return };
    let files = index(&directory, "keys");
    for (file, _) in files
        .iter()
        .filter(|(_, facts)| facts["keys"].as_array().unwrap().is_empty())
    {
        let key = read_key(&directory, file);
        let refused = verify_detached(b"x", &forged_by("0000000000000000", 1), &[key], collected());
        assert!(
            matches!(refused, Err(SignatureError::UnreadableKey { .. })),
            "{file}: {refused:?}"
        );
    }
}

#[test]
fn real_documents_verify_as_gnupg_says() {
    let Some(directory) = data_dir() else { return };
    let ring = publishers(&directory);
    let mut judged = 0;
    for (file, facts) in index(&directory, "shasums") {
        for (document, verdict) in facts["gpg_verify"].as_object().into_iter().flatten() {
            let read = |name: &str| std::fs::read(directory.join("shasums").join(name)).unwrap();
            let outcome = verify_detached(&read(document), &read(&file), &ring, collected());
            let statuses = verdict["status"].as_array().unwrap();
            let has = |status: &str| statuses.iter().any(|found| found == status);
            match outcome {
                Ok(Signer { expired, .. }) if has("VALIDSIG") => {
                    // A listed copy of the key may be older than the one `gpg` had, with an earlier
                    // end.
                    assert!(expired.is_some() || !has("EXPKEYSIG"), "{file} {expired:?}");
                }
                Err(SignatureError::Mismatch { .. }) if has("BADSIG") => {}
                Err(SignatureError::UnknownIssuer { .. }) if has("NO_PUBKEY") => {}
                Err(SignatureError::UnknownIssuer { issuers, .. }) => {
                    println!("skipped {file}: no key {issuers:?} in any registry's answer");
                    continue;
                }
                other => panic!("{file} over {document}: {other:?}, gpg says {statuses:?}"),
            }
            judged += 1;
        }
    }
    println!("{judged} pairs of document and signature");
    assert!(judged > 0);
}

/// The different keys that registries' answers list, and OpenTofu's key for tests, which signed
/// some of the documents.
fn publishers(directory: &Path) -> Vec<SigningKey> {
    let mut keys = vec![read_key(
        directory,
        "other/opentofu__opentofu__TestingPublicKey.asc",
    )];
    let mut directories = vec![directory.join("shasums/responses")];
    while let Some(next) = directories.pop() {
        for path in std::fs::read_dir(next)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path.is_dir() {
                directories.push(path);
            } else if let Ok(answer) =
                serde_json::from_slice::<Value>(&std::fs::read(&path).unwrap())
            {
                let listed = answer["signing_keys"]["gpg_public_keys"]
                    .as_array()
                    .into_iter()
                    .flatten();
                let armors = listed.filter_map(|key| key["ascii_armor"].as_str());
                let armors = armors.filter(|armor| armor.contains("-----BEGIN PGP PUBLIC KEY"));
                keys.extend(armors.map(|armor| SigningKey {
                    ascii_armor: armor.to_owned(),
                }));
            }
        }
    }
    keys.sort_by(|one, other| one.ascii_armor.cmp(&other.ascii_armor));
    keys.dedup();
    keys
}
