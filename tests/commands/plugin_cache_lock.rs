//! The lock that OpenTofu takes on an entry of its plugin cache is taken here, too.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use provender::disk::RecordLock;

use super::scene::{HOST, LINUX, Scene};
use crate::support::tree;

const WAITS: &str = "waiting for another process that puts `registry.example.test/acme/net` 1.0.0 for \
                     `linux_amd64` into the plugin cache";

fn scene() -> Scene {
    let mut scene = Scene::usual();
    let plugins = scene.cx.path("plugins");
    fs::create_dir_all(version_dir(&scene)).unwrap();
    scene.cx.env("TF_PLUGIN_CACHE_DIR", plugins);
    scene.root([("acme/net", "1.0.0")]);
    scene
}

fn version_dir(scene: &Scene) -> PathBuf {
    let plugins = scene.cx.path("plugins");
    plugins.join(format!("{HOST}/acme/net/1.0.0"))
}

/// What stands in the plugin cache, beside the lock file.
fn names(scene: &Scene) -> Vec<String> {
    let mut names = tree::names(&version_dir(scene));
    names.retain(|name| name != "linux_amd64.lock");
    names
}

/// Locks the entry as `tofu` does.
fn lock(scene: &Scene) -> RecordLock {
    let lock = RecordLock::try_exclusive(&version_dir(scene).join("linux_amd64.lock"));
    lock.unwrap().expect("nobody else has it")
}

/// An installation that has said that it waits.
struct Waiting {
    child: Child,
    stderr: BufReader<Box<dyn Read>>,
}

impl Waiting {
    fn start(scene: &Scene, tool: &str) -> Self {
        let arguments = ["install", "--platform", LINUX, "--tool", tool, "-v"];
        let mut command: Command = scene.cx.command(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stderr = child.stderr.take().unwrap();
        let mut stderr = BufReader::new(Box::new(stderr) as Box<dyn Read>);
        let mut line = String::new();
        while !line.contains(WAITS) {
            line.clear();
            let length = stderr.read_line(&mut line).unwrap();
            assert!(length > 0, "it ended without waiting");
        }
        Self { child, stderr }
    }

    fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.stderr.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

#[test]
fn install_waits_for_tofu_and_then_fills() {
    let scene = scene();
    let held = lock(&scene);
    let waiting = Waiting::start(&scene, "tofu");
    assert_eq!(names(&scene), [""; 0]);
    drop(held);
    let (code, stderr) = waiting.end();
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(names(&scene).len(), 3);
    assert!(version_dir(&scene).join("linux_amd64.lock").is_file());
    lock(&scene);
}

#[test]
fn waiting_for_the_lock_can_be_interrupted() {
    let scene = scene();
    let _held = lock(&scene);
    let waiting = Waiting::start(&scene, "tofu");
    let pid = waiting.child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.unwrap().success());
    let (code, stderr) = waiting.end();
    assert_eq!(code, Some(130), "{stderr}");
    assert_eq!(names(&scene), [""; 0]);
    assert_eq!(scene.lock_file(), None);
}

#[test]
fn entry_that_is_being_filled_is_waited_for_where_any_will_do() {
    let mut scene = scene();
    let name = "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE";
    scene.cx.env(name, "1");
    let held = lock(&scene);
    let entry = version_dir(&scene).join(LINUX);
    fs::create_dir(&entry).unwrap();
    let waiting = Waiting::start(&scene, "tofu");
    fs::write(entry.join("terraform-provider-net"), "whole").unwrap();
    drop(held);
    let (code, stderr) = waiting.end();
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("(unauthenticated)"), "{stderr}");
    assert_eq!(names(&scene), ["linux_amd64/terraform-provider-net"]);
}

#[test]
fn terraform_knows_no_lock() {
    let scene = scene();
    let path = version_dir(&scene).join("linux_amd64.lock");
    let held = lock(&scene);
    scene.install(["--tool", "terraform"]).expect_code(0);
    drop(held);
    fs::remove_file(&path).unwrap();
    fs::remove_dir_all(scene.cx.work().join(".terraform")).unwrap();
    fs::remove_dir_all(version_dir(&scene).join(LINUX)).unwrap();
    scene.install(["--tool", "terraform"]).expect_code(0);
    assert!(!path.exists());
}
