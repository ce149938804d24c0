//! Packages, and the keys and signatures that prove them.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use provender::document::SigningKey;
use provender::package::{h1_of_directory, h1_of_zip, inspect, unpack, verify_detached};

use super::corpus::files_ending;
use super::told::told;

pub(super) mod seeds {
    //! The files of the vectors.

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    use super::super::corpus::files_ending;

    pub(in super::super) fn archive() -> Vec<Vec<u8>> {
        files_ending(".zip")
    }

    /// Armored, and the packets within.
    pub(in super::super) fn signing_key() -> Vec<Vec<u8>> {
        let armored = files_ending(".asc");
        let packets: Vec<_> = armored.iter().filter_map(|key| dearmored(key)).collect();
        armored.into_iter().chain(packets).collect()
    }

    fn dearmored(key: &[u8]) -> Option<Vec<u8>> {
        let text = str::from_utf8(key).ok()?;
        let (_, body) = text.split_once("\n\n")?;
        let lines = body
            .lines()
            .take_while(|line| !line.starts_with(['=', '-']));
        STANDARD.decode(lines.collect::<String>()).ok()
    }

    pub(in super::super) fn signature() -> Vec<Vec<u8>> {
        files_ending(".bin")
    }
}

/// What the three readers of an archive make of it is the same, and stays in its directory.
pub(super) fn archive(input: &[u8]) {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    let path = directory.path().join("package.zip");
    let place = directory.path().join("place");
    fs::write(&path, input).expect("it can be filled");
    let h1 = told(h1_of_zip(&path));
    let inspected = told(inspect(&path, "demo"));
    let unpacked = told(unpack(&path, &place, "demo"));
    assert_eq!(inspected, unpacked);
    let names = fs::read_dir(directory.path()).expect("it is there");
    assert!(
        names.count() <= 2,
        "something beside the archive and its place"
    );
    let Some(contents) = unpacked else {
        return;
    };
    assert_eq!(h1.as_ref(), Some(&contents.h1_zip));
    assert_eq!(told(h1_of_directory(&place)), Some(contents.h1_directory));
}

/// After the keys were made and before they expire.
fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_000_000)
}

/// As armor, and as the packets within.
pub(super) fn signing_key(input: &[u8]) {
    static SIGNATURES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| files_ending(".bin"));
    let key = |ascii_armor| [SigningKey { ascii_armor }];
    let raw = key(String::from_utf8_lossy(input).into_owned());
    let armored = key(armor(input));
    for signature in SIGNATURES.iter().take(3) {
        let _ = told(verify_detached(b"document", signature, &raw, now()));
        let _ = told(verify_detached(b"document", signature, &armored, now()));
    }
}

fn armor(packets: &[u8]) -> String {
    let body = STANDARD.encode(packets);
    format!("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{body}\n-----END PGP PUBLIC KEY BLOCK-----\n")
}

pub(super) fn signature(input: &[u8]) {
    static KEYS: LazyLock<Vec<SigningKey>> = LazyLock::new(|| {
        let armored = files_ending(".asc").into_iter();
        let armored = armored.map(|key| String::from_utf8_lossy(&key).into_owned());
        armored
            .map(|ascii_armor| SigningKey { ascii_armor })
            .collect()
    });
    let _ = told(verify_detached(b"document", input, &KEYS, now()));
}
