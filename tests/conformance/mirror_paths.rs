//! `mirror-paths.json`: what is found in the directory of a filesystem mirror and in the implied ones, and what comes of
//! its installation.

use std::fs;
use std::path::{Path, PathBuf};

use provender::address::{Platform, ProviderAddr, ProviderSource, Tool};
use provender::config::implied_mirror_dirs;
use provender::document::PackageId;
use provender::source::{FilesystemMirrorSource, LayoutUse, PackageLocation, Source};
use provender::store::MirrorLayout;
use serde_json::{Value, json};

use super::installation::{Installed, Wanted, client, install};
use super::registry_client::wait_for;
use super::support::{Report, cases, flag, same, text, texts};
use crate::support::archive;

#[test]
fn mirrors_are_searched_as_the_tools_do() {
    let mut report = Report::new("mirror-paths.json");
    for case in cases("mirror-paths.json") {
        let name = case["name"]
            .as_str()
            .map_or_else(|| case.to_string(), str::to_owned);
        match text(&case, "kind") {
            "search" => report.case(&name, searched(&case)),
            "implied-dir" => report.case(&name, implied(&case)),
            "path" => report.case(&name, paths(&case)),
            "platform" => report.case(&name, platform(&case)),
            "peer-fixture" if case["product"].is_string() => {
                report.leave_out(
                    &name,
                    "underscores in namespaces are accepted by terraform's main branch alone",
                );
            }
            "peer-fixture" => report.case(&name, fixture(&case)),
            other => panic!("unknown kind `{other}`"),
        }
    }
    report.finish();
}

/// Fills a directory: plugins hold `x`, archives hold a plugin.
fn fill(root: &Path, files: &Value) {
    for file in files.as_array().expect("a list of files") {
        let path = root.join(file[0].as_str().expect("a path"));
        fs::create_dir_all(path.parent().expect("it lies below the root")).expect("it can be made");
        if let Some(target) = file[1][1].as_str() {
            let target = target.replace("FS", root.to_str().expect("text"));
            #[cfg(unix)]
            std::os::unix::fs::symlink(target, path).expect("a link can be made");
        } else if file[1] == "dir" {
            fs::create_dir_all(path).expect("it can be made");
        } else if path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("zip"))
        {
            let plugin = archive::Member {
                name: "terraform-provider-demo_v1.0.0".to_owned(),
                mode: 0o755,
                content: b"x".to_vec(),
            };
            fs::write(path, archive::zip(&[plugin])).expect("it can be written");
        } else {
            fs::write(path, "x").expect("it can be written");
        }
    }
}

fn address(case: &Value) -> ProviderAddr {
    match ProviderSource::parse(text(case, "provider"), Tool::Terraform) {
        Ok(ProviderSource::Installable(addr)) => addr,
        other => panic!("{other:?}"),
    }
}

fn installed_from(case: &Value, root: &Path) -> Installed {
    let source = FilesystemMirrorSource::new(root, LayoutUse::Any);
    let provider = address(case);
    let wanted = Wanted {
        provider: &provider,
        constraint: case["constraint"].as_str(),
        prior_lock: case["prior_lock"].as_str(),
    };
    install(&source, &client(None), &wanted)
}

fn searched(case: &Value) -> Result<(), String> {
    let fs_root = tempfile::tempdir().expect("a temporary directory can be made");
    let real = fs::canonicalize(fs_root.path()).expect("it is there");
    fill(&real, &case["files"]);
    let note = case["note"].as_str().unwrap_or_default();
    let configured = note.strip_prefix("the configured path is FS/");
    let configured = configured.map_or_else(|| real.clone(), |below| real.join(below));
    let installed = installed_from(case, &configured);
    judge(case, &installed, "FS", &real)
}

fn judge(case: &Value, installed: &Installed, word: &str, base: &Path) -> Result<(), String> {
    installed.went(flag(case, "ok"))?;
    if !installed.is_ok() {
        return Ok(());
    }
    let (version, hashes) = installed.lock();
    same(&version.as_str(), &text(case, "installed"))?;
    // What the plugin of this case holds is not told.
    if case["name"] != "both same version" {
        same(&hashes, &texts(case, "lock_hashes"))?;
    }
    let link = text(case, "link");
    let expected = link
        .strip_prefix(word)
        .map(|below| PathBuf::from(format!("{}{below}", base.display())));
    same(&installed.link(), &expected)
}

fn implied(case: &Value) -> Result<(), String> {
    let place = tempfile::tempdir().expect("a temporary directory can be made");
    let base = fs::canonicalize(place.path()).expect("it is there");
    let (home, cwd) = (base.join("HOME"), base.join("CWD"));
    let mirror = base.join(text(case, "mirror_root"));
    for dir in [&home, &cwd, &mirror] {
        fs::create_dir_all(dir).expect("it can be made");
    }
    fill(&mirror, &case["files"]);
    let mut variables = vec![("HOME".to_owned(), home.display().to_string())];
    for (name, value) in case["env"].as_object().expect("an object") {
        let value = value
            .as_str()
            .expect("text")
            .replace("HOME", home.to_str().expect("text"));
        variables.push((name.clone(), value));
    }
    let dirs = implied_mirror_dirs(Tool::Terraform, &variables.into_iter().collect(), &cwd);
    let [dir] = dirs.as_slice() else {
        return Err(format!("found {dirs:?}"));
    };
    let word = text(case, "link")
        .split('/')
        .next()
        .expect("a word")
        .to_owned();
    judge(case, &installed_from(case, dir), &word, &base.join(&word))
}

fn paths(case: &Value) -> Result<(), String> {
    let id = PackageId {
        addr: text(case, "provider").parse().expect("an address"),
        version: text(case, "version").parse().expect("a version"),
        platform: text(case, "platform").parse().expect("a platform"),
    };
    let layout = MirrorLayout::new("");
    same(
        &layout.unpacked(&id),
        &PathBuf::from(text(case, "unpacked")),
    )?;
    same(&layout.archive(&id), &PathBuf::from(text(case, "packed")))
}

fn platform(case: &Value) -> Result<(), String> {
    let parsed = text(case, "input").parse::<Platform>().ok();
    let got = parsed.map_or(Value::Null, |found| json!([found.os(), found.arch()]));
    same(&got, &case["os_arch"])
}

/// Every provider that the tools find is found here with the same packages, but for the legacy namespace.
fn fixture(case: &Value) -> Result<(), String> {
    let root = tempfile::tempdir().expect("a temporary directory can be made");
    let tree = texts(case, "tree")
        .into_iter()
        .map(|entry| match entry.split_once(" -> ") {
            Some((link, target)) => json!([link, ["symlink", target]]),
            None => json!([entry, "file"]),
        });
    fill(root.path(), &tree.collect());
    let base = root
        .path()
        .join(case["search_root"].as_str().unwrap_or_default());
    let source = FilesystemMirrorSource::new(base, LayoutUse::Any);
    for (address, expected) in case["found"].as_object().expect("an object") {
        if address.contains("/-/") {
            continue;
        }
        let addr: ProviderAddr = address.parse().expect("an address");
        let answer = wait_for(source.available_versions(&addr)).map_err(|it| it.to_string())?;
        let mut got = Vec::new();
        for offer in &answer.versions {
            for platform in &offer.platforms {
                let id = PackageId {
                    addr: addr.clone(),
                    version: offer.version.clone(),
                    platform: platform.clone(),
                };
                let meta = wait_for(source.package_meta(&id)).map_err(|it| it.to_string())?;
                let form = match meta.location {
                    PackageLocation::Archive(_) => "packed",
                    PackageLocation::Directory(_) => "unpacked",
                    PackageLocation::Url(_) => "remote",
                };
                got.push(format!("{} {platform} {form}", offer.version));
            }
        }
        let mut expected: Vec<String> = serde_json::from_value(expected.clone()).expect("texts");
        got.sort();
        expected.sort();
        same(&got, &expected)?;
    }
    Ok(())
}
