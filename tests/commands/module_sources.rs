//! What sources of modules can ask for: checksums, submodules, depths, keys, and the registry's own token.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::module_scene::{ModuleScene, file, git};
use super::scene::HOST;
use crate::support::archive::{zh, zip};
use crate::support::{Reply, Request, TestServer};

#[test]
fn an_archive_with_another_checksum_is_not_placed() {
    let scene = ModuleScene::new();
    let archive = zip(&[file("main.tf", "# one\n")]);
    let right = zh(&archive).replace("zh:", "");
    scene.server.route("/a.zip", Reply::body(archive));
    let sums = format!("{right}  a.zip\n{}  b.zip\n", "0".repeat(64));
    scene.server.route("/SUMS", Reply::body(sums));
    let file_of_sums = format!("file:{}", scene.server.url("/SUMS"));
    for (root, checksum) in [
        ("a", right.clone()),
        ("b", format!("SHA256:{}", right.to_uppercase())),
        ("c", file_of_sums),
    ] {
        let source = scene.server.url(&format!("/a.zip?checksum={checksum}"));
        scene.root(root, [("x", &source)]);
        scene.install(root, []).expect_code(0);
        assert_eq!(scene.content(root, "x/main.tf"), "# one\n", "{checksum}");
    }
    let wrong = "0".repeat(64);
    let source = scene.server.url(&format!("/a.zip?checksum=sha256:{wrong}"));
    scene.root("d", [("x", &source)]);
    let outcome = scene.install("d", []).expect_code(10);
    for text in [right, wrong] {
        assert!(outcome.stderr.contains(&text), "{outcome}");
    }
    assert!(!scene.installed("d", "x").exists());
    scene.install("d", ["--offline"]).expect_code(12);
}

#[test]
fn submodules_of_submodules_are_there() {
    let mut scene = ModuleScene::new();
    // Git follows submodules on this machine's disk only if that is allowed.
    scene.scene.cx.env("GIT_CONFIG_COUNT", "1");
    scene
        .scene
        .cx
        .env("GIT_CONFIG_KEY_0", "protocol.file.allow");
    scene.scene.cx.env("GIT_CONFIG_VALUE_0", "always");
    let [inner, middle, outer] = ["inner", "middle", "outer"].map(|name| scene.repository(name));
    inner.commit([("main.tf", "# inner\n")], "v1");
    for (above, below, name) in [(&middle, &inner, "in"), (&outer, &middle, "mid")] {
        let url = below.url.trim_start_matches("git::");
        above.commit([("main.tf", "")], "v0");
        git(&above.work, &["submodule", "--quiet", "add", url, name]);
        above.commit([("more.tf", "")], "v1");
    }
    let source = outer.source("//mid/in?ref=v1");
    scene.root("a", [("x", &source)]);
    scene.install("a", []).expect_code(0);
    assert_eq!(scene.content("a", "x/mid/in/main.tf"), "# inner\n");
    scene.root("b", [("x", &source)]);
    scene.install("b", ["--offline"]).expect_code(0);
    assert_eq!(scene.content("b", "x/mid/in/main.tf"), "# inner\n");
}

#[test]
fn a_depth_cuts_the_history_of_a_tag_and_of_the_head() {
    let scene = ModuleScene::new();
    let repository = scene.repository("net");
    for content in ["# one\n", "# two\n", "# three\n"] {
        repository.commit(
            [("main.tf", content)],
            content.trim_start_matches("# ").trim(),
        );
    }
    // Plain files on a web server have no depth.
    let url = format!("git::file://{}", repository.work.display());
    let [tag, head] = ["?ref=two&depth=1", "?depth=2"].map(|query| format!("{url}{query}"));
    scene.root("a", [("tag", &tag), ("head", &head)]);
    scene.install("a", []).expect_code(0);
    for (name, content, commits) in [("tag", "# two\n", "1"), ("head", "# three\n", "2")] {
        assert_eq!(scene.content("a", &format!("{name}/main.tf")), content);
        let clone = scene.installed("a", name);
        assert_eq!(git(&clone, &["rev-list", "--count", "HEAD"]), commits);
        assert_eq!(git(&clone, &["status", "--porcelain"]), "");
    }
}

#[test]
fn a_clone_is_what_git_itself_would_leave() {
    let scene = ModuleScene::new();
    let repository = scene.repository("net");
    repository.commit([("main.tf", "# one\n"), ("old.tf", "")], "v1");
    repository.commit([("main.tf", "# two\n")], "v2");
    scene.root("a", [("x", &repository.source("?ref=v1"))]);
    scene.install("a", []).expect_code(0);
    let (ours, theirs) = (scene.installed("a", "x"), scene.scene.cx.path("theirs"));
    let url = repository.url.trim_start_matches("git::");
    git(
        &repository.work,
        &["clone", "--quiet", url, theirs.to_str().unwrap()],
    );
    git(&theirs, &["checkout", "--quiet", "v1"]);
    for question in [
        &["status", "--porcelain=v2", "--branch"][..],
        &["show-ref"],
        &["ls-files", "--stage"],
        &["symbolic-ref", "--short", "refs/remotes/origin/HEAD"],
        &["config", "--local", "--list"],
        &["reflog", "--format=%H %gs"],
    ] {
        let told = |dir| {
            git(dir, question)
                .replace("/theirs", "")
                .replace("/a/.terraform/modules/x", "")
        };
        assert_eq!(told(&ours), told(&theirs), "{question:?}");
    }
}

#[test]
fn a_key_of_the_source_is_given_to_ssh_and_removed() {
    let mut scene = ModuleScene::new();
    let script = scene.scene.cx.path("ssh.sh");
    let log = scene.scene.cx.path("ssh.log");
    // Tells how it was called and what the key file holds, and fails.
    let text = format!(
        "#!/bin/sh\necho \"$@\" >> {log}\nwhile [ $# -gt 0 ]; do\n  if [ \"$1\" = -i ]; then cat \"$2\" >> {log}; stat -c %a \"$2\" >> {log}; fi\n  shift\ndone\nexit 1\n",
        log = log.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let command = format!("{} -o User=x", script.display());
    scene.scene.cx.env("GIT_SSH_COMMAND", command);
    // `the key` in base64.
    let source = "git::ssh://git@localhost/a.git?ref=v1&sshkey=dGhlIGtleQ==";
    scene.root("a", [("x", source)]);
    let outcome = scene.install("a", []).expect_code(13);
    assert!(!outcome.to_string().contains("dGhlIGtleQ"), "{outcome}");
    let log = fs::read_to_string(log).unwrap();
    assert!(log.starts_with("-o User=x -i "), "{log}");
    assert!(log.contains("\nthe key600\n"), "{log}");
    let modules = scene.installed("a", "");
    assert_eq!(crate::support::tree::names(&modules), [""; 0]);
    assert!(!scene.cache_holds("the key"));
    scene.root("b", [("x", "git::ssh://git@localhost/a.git?sshkey=***")]);
    let outcome = scene.install("b", []).expect_code(1);
    let expected = "the git source is refused: its `sshkey` is no base64";
    assert!(outcome.stderr.contains(expected), "{outcome}");
}

/// Serves `/m/acme/far/any` 1.0.0 at `location`, with the direct way, and returns the root module's directory.
fn direct(scene: &mut ModuleScene, location: &str, with_token: bool) -> &'static str {
    let base = "/m/acme/far/any";
    let list = "{\"modules\":[{\"versions\":[{\"version\":\"1.0.0\"}]}]}";
    let versions = format!("{base}/versions");
    scene.server.route(&versions, Reply::body(list));
    let body = format!("{{\"location\":\"{location}\",\"use_registry_credentials\":{with_token}}}");
    let download = format!("{base}/1.0.0/download");
    scene.server.route(&download, Reply::body(body));
    let url = scene.server.url("/m/");
    let host = format!("host \"{HOST}\" {{\n  services = {{ \"modules.v1\" = \"{url}\" }}\n}}\n");
    let token = format!("credentials \"{HOST}\" {{\n  token = \"opensesame\"\n}}\n");
    scene.scene.cx.config(&(host + &token));
    scene.root("a", [("x", &format!("{HOST}/acme/far/any"))]);
    "a"
}

fn is_authorised(request: &Request) -> bool {
    request.header("authorization") == Some("Bearer opensesame")
}

/// The content of a module whose format no name tells.
fn archive() -> Reply {
    Reply::body(zip(&[file("main.tf", "# direct\n")]))
}

#[test]
fn a_registry_that_says_so_gets_its_token_for_the_archive_too() {
    for with_token in [true, false] {
        let mut scene = ModuleScene::new();
        let root = direct(&mut scene, "../package", with_token);
        let path = "/m/acme/far/any/package";
        scene.server.route(path, archive());
        scene.install(root, ["--tool", "tofu"]).expect_code(0);
        assert_eq!(scene.content(root, "x/main.tf"), "# direct\n");
        let requests = scene.server.requests_for(path);
        assert_eq!(requests.len(), 1);
        assert_eq!(is_authorised(&requests[0]), with_token);
        let asked = scene.server.requests_for("/m/acme/far/any/versions");
        assert!(is_authorised(&asked[0]));
    }
}

#[test]
fn the_token_does_not_leave_the_registry_with_a_location_or_a_redirect() {
    let elsewhere = TestServer::builder()
        .transport(crate::support::server::Transport::Plain)
        .start();
    elsewhere.route("/package", archive());
    let mut scene = ModuleScene::new();
    let root = direct(&mut scene, &elsewhere.url("/package"), true);
    scene.install(root, ["--tool", "tofu"]).expect_code(0);
    let mut scene = ModuleScene::new();
    let root = direct(&mut scene, "/package", true);
    let redirect = Reply::redirect(&elsewhere.url("/package"));
    scene.server.route("/package", redirect);
    scene.install(root, ["--tool", "tofu"]).expect_code(0);
    assert!(is_authorised(&scene.server.requests_for("/package")[0]));
    assert_eq!(scene.content(root, "x/main.tf"), "# direct\n");
    let requests = elsewhere.requests();
    assert_eq!(requests.len(), 2);
    for request in requests {
        assert_eq!(request.header("authorization"), None);
    }
}

#[test]
fn what_is_not_there_is_not_found() {
    let scene = ModuleScene::new();
    let repository = scene.repository("net");
    repository.commit([("main.tf", "")], "v1");
    let gone = repository.source("?ref=v1").replace("net", "none");
    for (source, words) in [
        (repository.source("?ref=nope"), "git ls-remote URL"),
        (gone, "a server may also hide a repository"),
        (
            scene.server.url("/none.zip"),
            "a server may also hide a package",
        ),
    ] {
        scene.root("a", [("x", &source)]);
        let outcome = scene.install("a", []).expect_code(12);
        assert!(outcome.stderr.contains(words), "{source}: {outcome}");
    }
}
