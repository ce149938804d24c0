//! Tests of evidence: reading back, unknown members, secrets, refusals.

use std::error::Error;

use super::*;

const SHASUM: &str = "71b8d997a1e5253c03a5ded749434bac74dce505c5e58da43d56efc29d2dd9eb";

fn sample() -> Evidence {
    let url: Url = "https://example.com/a_linux.zip?X-Sig=hunter2"
        .parse()
        .unwrap();
    let host: Hostname = "registry.example.com".parse().unwrap();
    let mut evidence = Evidence::new(Origin::new(&host, Some(&url), None));
    let verdicts = [
        Verdict::Signed {
            key_id: "0123456789ABCDEF".into(),
            expired: true,
        },
        Verdict::Checksum,
        Verdict::Unauthenticated,
    ];
    let platforms = ["linux_amd64", "darwin_arm64", "windows_386"];
    for (platform, verdict) in platforms.into_iter().zip(verdicts) {
        let shasum = SHASUM.parse().unwrap();
        let package = PackageEvidence::new("a.zip", shasum, 7, verdict, Some(&url));
        evidence.packages.insert(platform.parse().unwrap(), package);
    }
    evidence.protocols = vec!["5.0".into()];
    evidence.trusted_keys.insert("89ABCDEF".into());
    evidence.add_signing_key(SigningKey {
        ascii_armor: "armor".into(),
    });
    evidence
}

fn refused(document: &str) -> JsonDocumentError {
    Evidence::parse(document.as_bytes()).unwrap_err()
}

#[test]
fn evidence_reads_back_as_written() {
    let evidence = sample();
    let text = evidence.render();
    assert_eq!(Evidence::parse(text.as_bytes()).unwrap(), evidence);
    assert!(text.starts_with("{\n  \"format_version\": \"1.0\",\n  \"origin\": {\n    \"host\""));
}

#[test]
fn secrets_in_urls_are_not_written() {
    let text = sample().render();
    assert!(!text.contains("hunter2"), "{text}");
    assert!(
        text.contains("https://example.com/a_linux.zip?X-Sig=***"),
        "{text}"
    );
}

#[test]
fn unknown_members_survive_a_rewrite_on_every_level() {
    let mut before: Value = serde_json::from_str(&sample().render()).unwrap();
    before["format_version"] = Value::from("1.7");
    before["new"] = Value::from(1);
    before["origin"]["new"] = Value::from(2);
    before["packages"]["linux_amd64"]["new"] = Value::from(3);
    before["signing_keys"][0]["new"] = Value::from(4);
    let mut read = Evidence::parse(before.to_string().as_bytes()).unwrap();
    read.add_signing_key(SigningKey {
        ascii_armor: "armor".into(),
    });
    assert_eq!(
        serde_json::from_str::<Value>(&read.render()).unwrap(),
        before
    );
}

#[test]
fn another_major_format_is_refused() {
    for version in ["2.0", "10.0", "1", ""] {
        let error = refused(&format!(r#"{{"format_version":"{version}"}}"#));
        assert!(
            matches!(error, JsonDocumentError::FormatVersion { .. }),
            "{version}"
        );
    }
    assert_eq!(refused("{}").to_string(), "`format_version` is missing");
}

#[test]
fn refusals_name_the_place_and_the_cause() {
    let replace = |old: &str, new: &str| {
        let text = sample().render();
        assert!(text.contains(old), "{old}");
        refused(&text.replace(old, new))
    };
    let error = replace(SHASUM, "00");
    assert_eq!(
        error.to_string(),
        "`packages.darwin_arm64.shasum` is invalid"
    );
    let cause = error.source().unwrap().to_string();
    assert_eq!(
        cause,
        "`00` is no SHA-256 digest, which has 64 hexadecimal digits"
    );

    let error = replace("\"size\": 7", "\"size\": -7");
    let message = "`packages.darwin_arm64.size` is a number where a whole number is wanted";
    assert_eq!(error.to_string(), message);

    let error = replace("linux_amd64", "../x");
    assert_eq!(error.to_string(), "`packages.../x` is invalid");
}

#[test]
fn unknown_verdict_is_not_guessed() {
    let text = sample().render().replace("\"checksum\"", "\"trusted\"");
    let error = refused(&text);
    assert_eq!(
        error.to_string(),
        "`packages.darwin_arm64.verdict.kind` is invalid"
    );
}
