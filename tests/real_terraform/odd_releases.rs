//! Releases that are odd or broken are taken or refused alike, and locked alike.

use crate::support::{Outcome, ProviderSpec, Signing, TestRegistry};

use super::scene::{HOST, Scene, current, provider};

/// Installs `acme/odd` as released by `release` with both programs, and compares success and lock files.
fn assert_taken_alike(what: &str, release: ProviderSpec) -> Option<Outcome> {
    let registry = TestRegistry::of([release]);
    let scene = Scene::beside(&registry)?;
    for dir in ["ours", "theirs"] {
        scene.root(dir, &[(&format!("{HOST}/acme/odd"), "")]);
    }
    let ours = scene.context.run(["-C", "ours", "install"]);
    let theirs = scene.terraform("theirs", &["init", "-no-color"]);
    let report = format!("{what}\n{ours}\n{theirs}");
    assert_eq!(ours.code == 0, theirs.code == 0, "{report}");
    assert_eq!(scene.lock("ours"), scene.lock("theirs"), "{report}");
    if ours.code == 0 {
        scene.init("ours");
        assert_eq!(scene.lock("ours"), scene.lock("theirs"), "{report}");
    }
    Some(ours)
}

fn odd() -> ProviderSpec {
    provider("acme/odd").version("1.0.0")
}

/// What becomes of SHA256SUMS before it is signed.
type Edit = fn(String) -> String;

const EDITS: [(&str, Edit); 12] = [
    ("manifest", |sums| {
        format!(
            "{sums}{:064}  terraform-provider-odd_1.0.0_manifest.json\n",
            0
        )
    }),
    ("other files first", |sums| {
        format!("{:064}  anything\n{sums}", 7)
    }),
    ("line ends of Windows", |sums| sums.replace('\n', "\r\n")),
    ("one blank", |sums| sums.replace("  ", " ")),
    ("upper case", |sums| {
        format!("{sums}{}  anything\n", "AB".repeat(32))
    }),
    ("no final line end", |sums| sums.trim_end().to_owned()),
    ("malformed line", |sums| sums + "short  anything\n"),
    ("one field", |sums| format!("{sums}{:064}\n", 0)),
    ("repeated", |sums| sums.repeat(2)),
    ("binary mode", |sums| sums.replace("  ", " *")),
    ("with directories", |sums| sums.replace("  ", "  ./")),
    ("empty", |_| String::new()),
];

#[test]
fn documents_of_checksums() {
    for (what, edit) in EDITS {
        if assert_taken_alike(what, odd().edit_sums(edit)).is_none() {
            return;
        }
    }
}

#[test]
fn signatures() {
    let kinds = [
        Signing::Publisher,
        Signing::NoKeys,
        Signing::OtherDocument,
        Signing::Stranger,
        Signing::Armored,
        Signing::Garbage,
    ];
    for kind in kinds {
        let Some(outcome) = assert_taken_alike(&format!("{kind:?}"), odd().signing(kind)) else {
            return;
        };
        let expected = if kind == Signing::Publisher { 0 } else { 10 };
        outcome.expect_code(expected);
    }
}

#[test]
fn contents_and_metadata() {
    let cases = [
        ("wrong checksum", odd().wrong_shasum()),
        ("tampered", odd().tampered()),
        ("no executable", odd().without_executable()),
        ("no zip", odd().archive(&current(), "no zip")),
        ("protocol 4", odd().protocols(["4.0"])),
        ("protocol 6", odd().protocols(["6.0"])),
        ("protocol 7", odd().protocols(["7.0"])),
        ("protocols 5 and 6", odd().protocols(["5.1", "6.3"])),
        (
            "newest needs protocol 7",
            odd().version("1.1.0").protocols(["7.0"]),
        ),
        (
            "unlisted package",
            odd().version("1.1.0").unpublished(&current()),
        ),
        (
            "newest lacks the platform",
            odd().version("1.1.0").platforms(["plan9_mips"]),
        ),
        ("listed without package", odd().only_listed("9.0.0")),
        (
            "never the unspecified version",
            provider("acme/odd").version("0.0.0"),
        ),
        (
            "other name of the archive",
            odd().edit_download(|document| {
                document["filename"] = "renamed.zip".into();
            }),
        ),
        (
            "other platform",
            odd().edit_download(|document| {
                document["os"] = "plan9".into();
            }),
        ),
        (
            "no keys field",
            odd().edit_download(|document| {
                document["signing_keys"] = serde_json::Value::Null;
            }),
        ),
        (
            "no protocols",
            odd().edit_download(|document| {
                document["protocols"] = serde_json::json!([]);
            }),
        ),
        (
            "upper-case checksum",
            odd().edit_download(|document| {
                let upper = document["shasum"]
                    .as_str()
                    .unwrap_or_default()
                    .to_uppercase();
                document["shasum"] = upper.into();
            }),
        ),
    ];
    for (what, release) in cases {
        if assert_taken_alike(what, release).is_none() {
            return;
        }
    }
}
