//! What the tests of modules arrange: repositories and archives on a server of their own, which serves plain files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::scene::Scene;
use crate::support::archive::Member;
use crate::support::server::Transport;
use crate::support::{Outcome, ProviderSpec, TestServer};

/// A place to run in, and a web server with repositories.
pub(super) struct ModuleScene {
    pub(super) scene: Scene,
    pub(super) server: TestServer,
    /// What the server has.
    root: PathBuf,
}

impl ModuleScene {
    pub(super) fn new() -> Self {
        let scene = Scene::of([ProviderSpec::new("acme/net").version("1.0.0")]);
        let root = scene.cx.path("web");
        fs::create_dir_all(&root).unwrap();
        let builder = TestServer::builder().transport(Transport::Plain);
        let server = builder.directory(&root).start();
        Self {
            scene,
            server,
            root,
        }
    }

    /// A repository with a branch `main` and no commit.
    pub(super) fn repository(&self, name: &str) -> Repository {
        let work = self.scene.cx.path(&format!("work-{name}"));
        fs::create_dir_all(&work).unwrap();
        git(&work, &["init", "--quiet", "--initial-branch=main"]);
        let bare = self.root.join(format!("{name}.git"));
        let init = ["init", "--quiet", "--bare", "--initial-branch=main"];
        git(&work, &[&init[..], &[text(&bare)]].concat());
        let url = format!("git::{}/{name}.git", self.server.base_url());
        Repository { work, bare, url }
    }

    /// Installs the modules of the root module in `dir`, with further arguments.
    pub(super) fn install<const N: usize>(&self, dir: &str, arguments: [&str; N]) -> Outcome {
        let usual = ["install", "--modules-only", "-C", dir];
        self.scene.cx.run(usual.into_iter().chain(arguments))
    }

    /// Writes a root module with calls: name and source.
    pub(super) fn root<const N: usize>(&self, dir: &str, calls: [(&str, &str); N]) {
        let calls = calls.map(|(name, source)| call(name, source));
        self.scene
            .cx
            .write(&format!("{dir}/main.tf"), calls.concat());
    }

    /// A file of an installed module.
    pub(super) fn installed(&self, dir: &str, path: &str) -> PathBuf {
        let modules = self.scene.cx.work().join(dir).join(".terraform/modules");
        modules.join(path)
    }

    /// The content of a file of an installed module.
    pub(super) fn content(&self, dir: &str, path: &str) -> String {
        fs::read_to_string(self.installed(dir, path)).unwrap_or_else(|error| format!("{error}"))
    }

    /// What was asked of the web server since the last time.
    pub(super) fn requests(&self) -> Vec<String> {
        let lines = self.server.request_lines();
        self.server.clear_requests();
        lines
    }

    /// Whether any file of the package cache has this text.
    pub(super) fn cache_holds(&self, text: &str) -> bool {
        holds(&self.scene.cx.cache(), text)
    }
}

/// A repository and its copy on the web server.
pub(super) struct Repository {
    pub(super) work: PathBuf,
    bare: PathBuf,
    /// The source of modules in it, without query.
    pub(super) url: String,
}

impl Repository {
    /// Commits files and publishes the commit, with a tag; its name.
    pub(super) fn commit<const N: usize>(&self, files: [(&str, &str); N], tag: &str) -> String {
        for (name, content) in files {
            let path = self.work.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        git(&self.work, &["add", "."]);
        git(&self.work, &["commit", "--quiet", "-m", tag]);
        git(&self.work, &["tag", "--force", tag]);
        self.publish();
        git(&self.work, &["rev-parse", "HEAD"])
    }

    /// Makes the web server's copy the same, readable without a program behind it.
    pub(super) fn publish(&self) {
        let bare = text(&self.bare);
        git(&self.work, &["push", "--quiet", "--force", "--all", bare]);
        git(&self.work, &["push", "--quiet", "--force", "--tags", bare]);
        git(&self.bare, &["update-server-info"]);
    }

    /// A source with a directory and a query.
    pub(super) fn source(&self, dir_and_query: &str) -> String {
        format!("{}{dir_and_query}", self.url)
    }
}

/// Runs git; what it writes.
#[track_caller]
pub(super) fn git(dir: &Path, arguments: &[&str]) -> String {
    let usual = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.test",
        "-c",
        "protocol.file.allow=always",
    ];
    let command = Command::new("git")
        .args(usual)
        .args(arguments)
        .current_dir(dir)
        .output();
    let output = command.unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {words}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn holds(dir: &Path, text: &str) -> bool {
    let Ok(entries) = fs::read_dir(dir) else {
        return false;
    };
    let mut entries = entries.map(|entry| entry.unwrap().path());
    entries.any(|path| {
        if path.is_dir() {
            return holds(&path, text);
        }
        let bytes = fs::read(&path).unwrap_or_default();
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    })
}

/// A file of an archive.
pub(super) fn file(name: &str, content: &str) -> Member {
    Member {
        name: name.to_owned(),
        mode: 0o644,
        content: content.as_bytes().to_vec(),
    }
}

/// A module call.
pub(super) fn call(name: &str, source: &str) -> String {
    format!("module \"{name}\" {{\n  source = \"{source}\"\n}}\n")
}
