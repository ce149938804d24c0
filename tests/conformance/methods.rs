//! The cases of `cli-config-include-exclude.json` that choose among several methods.

use std::fs;
use std::path::{Path, PathBuf};

use provender::source::{ChainLink, FilesystemMirrorSource, LayoutUse, ServingRule, SourceChain};
use serde_json::Value;

use super::installation::{Wanted, client, install};
use super::support::{Report, cases, same, text};

#[test]
fn versions_are_the_union_and_the_first_method_serves() {
    let mut report = Report::new("cli-config-include-exclude.json, multi-source");
    for case in cases("cli-config-include-exclude.json") {
        if case["kind"] != "multi-source" {
            continue;
        }
        let name = text(&case, "name");
        if case["methods"].is_array() {
            report.case(name, chosen(&case));
        } else {
            report.leave_out(name, "is run with the whole program: `commands::methods`");
        }
    }
    report.finish();
}

fn mirror(root: &Path, versions: &Value) {
    for version in versions.as_array().expect("a list") {
        let version = version.as_str().expect("text");
        let (version, platform) = match version.split_once(' ') {
            Some((version, _)) => (version, "darwin_arm64"),
            None => (version, "linux_amd64"),
        };
        let dir = root.join(format!("example.com/acme/demo/{version}/{platform}"));
        fs::create_dir_all(&dir).expect("it can be made");
        fs::write(dir.join("terraform-provider-demo"), "x").expect("it can be written");
    }
}

fn chosen(case: &Value) -> Result<(), String> {
    let place = tempfile::tempdir().expect("a temporary directory can be made");
    let base = fs::canonicalize(place.path()).expect("it is there");
    let methods = case["methods"].as_array().expect("a list");
    let dirs: Vec<PathBuf> = (0..methods.len())
        .map(|number| base.join(number.to_string()))
        .collect();
    let links = dirs.iter().zip(methods).map(|(dir, method)| {
        mirror(dir, &method["versions"]);
        ChainLink {
            name: dir.display().to_string(),
            rule: ServingRule::Every,
            source: Box::new(FilesystemMirrorSource::new(dir, LayoutUse::Any)),
        }
    });
    let chain = SourceChain::new(links.collect(), "x".to_owned());
    let provider = "example.com/acme/demo".parse().expect("an address");
    let wanted = Wanted {
        provider: &provider,
        constraint: case["constraint"].as_str(),
        prior_lock: None,
    };
    let installed = install(&chain, &client(None), &wanted);
    installed.went(true)?;
    let expect = &case["expect"];
    same(&installed.lock().0.as_str(), &text(expect, "version"))?;
    let from = usize::try_from(expect["from_method"].as_u64().expect("a number")).expect("small");
    let link = installed.link().expect("an unpacked package is linked to");
    same(&link.starts_with(&dirs[from]), &true)
}
