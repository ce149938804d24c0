//! The manual tells all of what it is about.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use provender::commands::manual::{Section, sections};
use provender::document::{PackageId, PackageIdentity, Verdict};
use provender::failure::ExitCode;
use provender::ops::{Action, CacheFinding, OpError, PackageFailure, PackageOutcome, Summary};
use provender::store::{CacheContents, CacheDamage, CachedModule, ModuleKey};
use provender::ui::{CacheReport, JsonReport, VersionRow};
use serde_json::Value;

fn section(title: &str) -> Section {
    sections(None)
        .into_iter()
        .find(|section| section.title == title)
        .unwrap()
}

fn text_of(section: &Section) -> String {
    let entries = section
        .entries
        .iter()
        .map(|(term, meaning)| format!("{term}: {meaning}"));
    entries.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_exit_code_is_in_the_manual() {
    let section = section("EXIT STATUS");
    for code in ExitCode::ALL {
        let entry = (code.number().to_string(), code.meaning().to_owned());
        assert!(section.entries.contains(&entry), "{code:?}");
    }
}

/// The constants of the one file that reads the environment are the variables that there are.
#[test]
fn every_variable_is_in_the_manual() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/config/environment.rs");
    let source = fs::read_to_string(file).unwrap();
    let named: BTreeSet<&str> = source
        .split("pub const ")
        .skip(1)
        .map(|constant| constant.split('"').nth(1).unwrap())
        .collect();
    assert!(
        named.contains("PROVENDER_TOOL"),
        "the file has another form: {named:?}"
    );
    let text = text_of(&section("ENVIRONMENT"));
    let missing: Vec<_> = named
        .into_iter()
        .filter(|name| !text.contains(name))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

fn collect_keys(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                keys.insert(key.clone());
                collect_keys(value, keys);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_keys(item, keys)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn package() -> PackageId {
    PackageId {
        addr: provender::address::ProviderAddr::parse_canonical("example.com/acme/net").unwrap(),
        version: "1.0.0".parse().unwrap(),
        platform: "linux_amd64".parse().unwrap(),
    }
}

fn cache_report() -> JsonReport {
    let finding = |got: Option<&str>| CacheFinding {
        packages: vec![package()],
        module: Some(String::new()),
        damage: CacheDamage {
            path: "x".into(),
            got: got.map(str::to_owned),
            expected: String::new(),
        },
    };
    let findings = [finding(None), finding(Some(""))];
    let contents = CacheContents {
        archives: Vec::new(),
        modules: vec![CachedModule {
            key: ModuleKey::of(""),
            identity: PackageIdentity::Directory,
            source: String::new(),
            bytes: 0,
            last_used: None,
        }],
    };
    let report = CacheReport {
        findings: Some(&findings),
        ..CacheReport::of(Path::new("x"), &contents)
    };
    JsonReport::of_cache("cache verify", &report)
}

#[test]
fn every_member_and_word_of_the_json_document_is_in_the_manual() {
    let id = package();
    let failure = OpError::NoListedPlatforms {
        addr: id.addr.clone(),
        version: id.version.clone(),
        is_offered: true,
    };
    let verdict = Verdict::Checksum;
    let summary = Summary {
        packages: vec![
            PackageOutcome::done(id.clone(), Action::Mirrored, Some(verdict), Some(1)),
            PackageOutcome::failed("mirror", id, PackageFailure::Unsigned),
        ],
        modules: Vec::new(),
        failures: vec![failure],
        ..Summary::default()
    };
    let row = VersionRow {
        address: String::new(),
        version: String::new(),
        protocols: Vec::new(),
        platforms: Vec::new(),
    };
    let mut words = BTreeSet::new();
    for report in [
        JsonReport::of_summary("mirror", &summary),
        JsonReport::of_versions("versions", vec![row]),
        cache_report(),
    ] {
        collect_keys(&serde_json::from_str(&report.render()).unwrap(), &mut words);
    }
    let actions = [
        Action::Installed,
        Action::Mirrored,
        Action::Kept,
        Action::WouldFetch,
        Action::Skipped,
        Action::Removed,
        Action::WouldRemove,
        Action::Failed,
    ];
    words.extend(actions.map(|action| action.name().to_owned()));
    words.extend(ExitCode::ALL.map(|code| code.kind().to_owned()));
    let text = text_of(&section("JSON DOCUMENT"));
    let in_text =
        |word: &String| text.contains(&format!("`{word}`")) || text.contains(&format!("{word}:"));
    let missing: Vec<_> = words.into_iter().filter(|word| !in_text(word)).collect();
    assert_eq!(missing, Vec::<String>::new());
}
