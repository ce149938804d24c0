//! `archive-url.json`: archives and servers that send on, each installed as the module `m`.
//!
//! Set-id bits are dropped here and no HEAD is sent (facts 6.4, 2.5); the trees are compared else to the bit.

use std::io::Write as _;

use provender::address::Tool;
use provender::http::{Client, ClientOptions, Proxies};
use provender::ops::{Action, ModuleOrigins};
use serde_json::Value;

use super::module_registries::{getter, install};
use super::registry_client::wait_for;
use super::support::{Report, cases, flag, same, text};
use crate::support::archive::{Member, zip};
use crate::support::{Reply, TestServer, server::Transport};

const MAIN: &str = "output \"v\" {\n value = 1\n}\n";

#[test]
fn archives_are_unpacked_as_by_the_tools() {
    let mut report = Report::new("archive-url.json");
    for case in cases("archive-url.json") {
        let id = text(&case, "id");
        let has_digest = text(&case, "url").contains("checksum=") && case["ok"] == true;
        if has_digest {
            report.leave_out(id, "the archive of that digest is not in the cases; kinds of checksums are tested in `package`");
            continue;
        }
        report.case(id, archive(&case));
    }
    report.finish();
}

fn archive(case: &Value) -> Result<(), String> {
    let server = TestServer::builder().transport(Transport::Plain).start();
    let port = server.port().to_string();
    let filled = |text: &str| text.replace("PORT", &port);
    serve(case, &server, &filled);
    let root = tempfile::tempdir().unwrap();
    let call = format!(
        "module \"m\" {{\n  source = \"{}\"\n}}\n",
        filled(text(case, "url"))
    );
    std::fs::write(root.path().join("main.tf"), call).unwrap();
    let http = Client::new(ClientOptions {
        proxies: Proxies::None,
        ..ClientOptions::default()
    })
    .unwrap();
    let origins = ModuleOrigins {
        registry: None,
        getter: getter(&http, Tool::Terraform),
    };
    let summary = wait_for(install(root.path(), &origins, &http, Tool::Terraform))?;
    let module = summary.modules.first().ok_or("no module")?;
    if !flag(case, "ok") {
        return same(&module.action, &Action::Failed);
    }
    if let Some(error) = &module.error {
        let why = std::error::Error::source(error).map(ToString::to_string);
        return Err(format!("refused: {error}: {why:?}"));
    }
    requests(case, &server)?;
    let manifest =
        std::fs::read_to_string(root.path().join(".terraform/modules/modules.json")).unwrap();
    let dir = format!("\"Dir\":\"{}\"", text(case, "dir"));
    same(&manifest.contains(&dir), &true).map_err(|it| format!("{it}: {manifest}"))?;
    tree(&root.path().join(".terraform/modules/m"), case)
}

fn requests(case: &Value, server: &TestServer) -> Result<(), String> {
    let recorded = case["requests"].as_array().into_iter().flatten();
    let recorded: Vec<&str> = recorded
        .filter_map(Value::as_str)
        .filter(|it| !it.starts_with("HEAD"))
        .collect();
    same(
        &server.request_lines(),
        &recorded.into_iter().map(str::to_owned).collect(),
    )
}

#[cfg(unix)]
fn tree(dir: &std::path::Path, case: &Value) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt as _;
    let mut got = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let metadata = path.symlink_metadata().unwrap();
            let name = path
                .strip_prefix(dir)
                .unwrap()
                .to_string_lossy()
                .into_owned();
            if metadata.is_dir() {
                open.push(path);
            }
            let size = metadata.is_file().then_some(metadata.len());
            got.push((name, format!("{:o}", metadata.mode()), size));
        }
    }
    got.sort();
    let expected = case["tree"].as_array().unwrap().iter().map(|entry| {
        let mode = u32::from_str_radix(text(entry, "mode"), 8).unwrap();
        // The set-id bits that the tool keeps.
        let mode = mode & !0o7000;
        (
            text(entry, "path").to_owned(),
            format!("{mode:o}"),
            entry["size"].as_u64(),
        )
    });
    same(&got, &expected.collect())
}

#[cfg(not(unix))]
fn tree(_: &std::path::Path, _: &Value) -> Result<(), String> {
    Ok(())
}

fn serve(case: &Value, server: &TestServer, filled: &dyn Fn(&str) -> String) {
    let archive = &case["served"];
    let url = filled(text(case, "url"));
    let path = url.split_once("://").unwrap().1.split_once('/').unwrap().1;
    let path = format!(
        "/{}",
        path.split(['?'])
            .next()
            .unwrap()
            .split("//")
            .next()
            .unwrap()
    );
    let usual = [serde_json::json!({"name": "main.tf", "content": MAIN, "mode": "644"})];
    server.route("/a.zip", Reply::body(packed("zip", &usual)));
    let members = [("top/main.tf", MAIN), ("top/sub/main.tf", MAIN)];
    server.route("/t.tar.gz", Reply::body(tar_gz(&members)));
    let entries = archive["entries"].as_array().cloned().unwrap_or_default();
    match text(archive, "format") {
        "raw" => server.route(&path, Reply::body("raw")),
        format => {
            let is_given = archive.get("entries").is_some();
            let entries = if is_given { entries } else { usual.to_vec() };
            server.route(&path, Reply::body(packed(format, &entries)));
        }
    }
    for (path, described) in case["other_answers"].as_object().into_iter().flatten() {
        if described["body"] == "(archive)" {
            continue;
        }
        let status = u16::try_from(described["status"].as_u64().unwrap()).unwrap();
        let body = filled(described["body"].as_str().unwrap_or_default());
        let mut reply = Reply {
            body: body.into(),
            ..Reply::status(status)
        };
        for (name, value) in described["headers"].as_object().into_iter().flatten() {
            reply = reply.header(name, &filled(value.as_str().unwrap()));
        }
        server.route(path, reply);
    }
}

fn packed(format: &str, entries: &[Value]) -> Vec<u8> {
    if format == "zip" {
        let member = |entry: &Value| Member {
            name: text(entry, "name").to_owned(),
            mode: mode(entry),
            content: entry["content"]
                .as_str()
                .unwrap_or_default()
                .as_bytes()
                .to_vec(),
        };
        let members: Vec<Member> = entries.iter().map(member).collect();
        return zip(&members).to_vec();
    }
    let tar = tar(entries);
    match format {
        "tar.gz" => gz(&tar),
        "tar.bz2" => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(&tar).unwrap();
            encoder.finish().unwrap()
        }
        "tar.xz" => xz(&tar),
        "tar" => tar,
        other => panic!("unknown format `{other}`"),
    }
}

/// An xz stream, as the command of that name makes it.
fn xz(bytes: &[u8]) -> Vec<u8> {
    use std::process::{Command, Stdio};
    let mut command = Command::new("xz")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    command.stdin.take().unwrap().write_all(bytes).unwrap();
    command.wait_with_output().unwrap().stdout
}

fn mode(entry: &Value) -> u32 {
    u32::from_str_radix(entry["mode"].as_str().unwrap_or("644"), 8).unwrap()
}

/// A tar.gz of these files.
pub(super) fn tar_gz(files: &[(&str, &str)]) -> Vec<u8> {
    let entry =
        |(name, content): &(&str, &str)| serde_json::json!({"name": name, "content": content});
    gz(&tar(&files.iter().map(entry).collect::<Vec<_>>()))
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Written by hand, since libraries refuse the names that matter.
fn tar(entries: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in entries {
        let name = text(entry, "name");
        let content = entry["content"].as_str().unwrap_or_default();
        let mut header = tar::Header::new_ustar();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        let (kind, default_mode) = match entry["type"].as_str() {
            None => (tar::EntryType::Regular, 0o644),
            Some("dir") => (tar::EntryType::Directory, 0o755),
            Some("symlink") => (tar::EntryType::Symlink, 0o644),
            Some("hardlink") => (tar::EntryType::Link, 0o644),
            Some(other) => panic!("unknown type `{other}`"),
        };
        header.set_entry_type(kind);
        if let Some(target) = entry["target"].as_str() {
            header.as_old_mut().linkname[..target.len()].copy_from_slice(target.as_bytes());
        }
        header.set_mode(if entry["mode"].is_null() {
            default_mode
        } else {
            mode(entry)
        });
        header.set_size(content.len() as u64);
        header.set_cksum();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(content.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}
