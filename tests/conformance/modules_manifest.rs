//! `modules-manifest.json`: what the tool makes of a given `modules.json`, as far as reading and writing it goes.
//!
//! A case of a whole tree is run by comparing which calls our reading of the manifest finds installed with what
//! terraform took from it: where it succeeded without a network, every call of the tree has its record.

use std::path::Path;

use provender::address::Tool;
use provender::config::scan::StaticInputs;
use provender::config::{ModuleWalk, OpenCall};
use provender::document::{ModuleRecord, ModulesManifest, ModulesManifestError};
use serde_json::Value;

use super::support::{Report, cases, flag, same, text, texts};

#[test]
fn manifests_are_read_and_written_as_by_terraform() {
    let mut report = Report::new("modules-manifest.json");
    for case in cases("modules-manifest.json") {
        let id = text(&case, "id");
        match left_out(&case) {
            Some(reason) => report.leave_out(id, reason),
            None => report.case(id, manifest(&case)),
        }
    }
    report.finish();
}

fn left_out(case: &Value) -> Option<&'static str> {
    match text(case, "command") {
        "terraform init" | "terraform validate" => None,
        "terraform init -get=false" => {
            Some("no command of this program refuses to look for local modules")
        }
        "terraform init -upgrade" => {
            Some("`--upgrade` asks for everything, and no network is here")
        }
        other => panic!("unknown command `{other}`"),
    }
}

fn manifest(case: &Value) -> Result<(), String> {
    let before = case["manifest_before"].as_str().unwrap_or_default();
    let parsed = ModulesManifest::parse(before.as_bytes(), Tool::Terraform);
    let mut manifest = match parsed {
        Err(error) => return same(&vec![kind_of(&error).to_owned()], &texts(case, "errors")),
        Ok(manifest) => manifest,
    };
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in case["files"].as_object().unwrap() {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content.as_str().unwrap()).unwrap();
    }
    let open = install(dir.path(), &mut manifest);
    if flag(case, "ok") {
        same(&open, &Vec::new())?;
    } else if open.is_empty() {
        return Err(format!("accepted, expected {:?}", case["errors"]));
    }
    match case["manifest_after"].as_str() {
        Some("unchanged") | None => Ok(()),
        Some(after) => same(&manifest.render().as_str(), &after),
    }
}

/// Walks the tree by the records; returns the calls without one, whose records are dropped.
fn install(dir: &Path, manifest: &mut ModulesManifest) -> Vec<String> {
    let inputs = StaticInputs::of_root();
    let mut walk = ModuleWalk::start(dir, Tool::Terraform, &inputs).unwrap();
    let mut open = Vec::new();
    walk.run(|call: &OpenCall| {
        let is_there = |record: &&ModuleRecord| dir.join(&record.dir).is_dir();
        let record = manifest.records.get(&call.key);
        let record = record.filter(|it| it.serves(&call.source, call.constraints.as_ref()));
        let is_replaced = record.is_none();
        let found = record
            .filter(is_there)
            .map(|it| (it.dir.clone(), it.version.clone()));
        if found.is_none() {
            open.push(call.key.clone());
        }
        // A record whose directory alone is missing stays until the module is there again.
        if is_replaced {
            manifest.forget(&call.key);
        }
        found
    });
    for (key, module) in &walk.modules {
        let record = ModuleRecord {
            source: module
                .source
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            version: module.version.clone(),
            dir: module.dir.clone(),
        };
        manifest.records.insert(key.clone(), record);
    }
    open
}

fn kind_of(error: &ModulesManifestError) -> &'static str {
    match error {
        ModulesManifestError::Json(_) => "bad_json",
        ModulesManifestError::Repeated(_) => "duplicate_key",
        ModulesManifestError::Version { .. } => "bad_version_in_manifest",
    }
}
