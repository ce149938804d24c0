//! Packages of modules in the package cache: used where it is known which one is wanted, and never a wrong one.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::module_scene::{ModuleScene, file};
use super::scene::{HOST, shows, without_digests};
use crate::support::Reply;
use crate::support::archive::{zh, zip};
use crate::support::tree::names;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The only cached tree.
fn tree(scene: &ModuleScene) -> PathBuf {
    let keys = fs::read_dir(scene.scene.cx.cache().join("v1/modules")).unwrap();
    let entries = keys.flat_map(|key| fs::read_dir(key.unwrap().path()).unwrap());
    let mut trees = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir());
    let tree = trees.next().unwrap();
    assert_eq!(trees.next(), None);
    tree
}

#[test]
fn a_ref_that_still_leads_to_the_cached_commit_is_not_cloned_again() {
    let scene = ModuleScene::new();
    let repository = scene.repository("net");
    repository.commit([("m/main.tf", "# one\n"), (".hidden", "")], "v1");
    for (number, query) in ["?ref=v1", "?ref=main", ""].iter().enumerate() {
        let source = repository.source(&format!("//m{query}"));
        let [first, second] = ["a", "b"].map(|name| format!("{name}{number}"));
        scene.root(&first, [("x", &source)]);
        scene.install(&first, []).expect_code(0);
        let cold = scene.requests();
        assert!(
            cold.iter().any(|line| line.contains("/objects/")),
            "{cold:?}"
        );
        scene.root(&second, [("x", &source)]);
        scene.install(&second, []).expect_code(0);
        let warm = scene.requests();
        assert!(
            warm.iter().all(|line| !line.contains("/objects/")),
            "{warm:?}"
        );
        assert!(!warm.is_empty());
        // All of it is there, as after a clone.
        assert_eq!(scene.content(&second, "x/m/main.tf"), "# one\n");
        assert!(scene.installed(&second, "x/.hidden").is_file());
        assert!(scene.installed(&second, "x/.git/HEAD").is_file());
    }
    // The branch and the tag move.
    repository.commit([("m/main.tf", "# two\n")], "v1");
    for (number, query) in ["?ref=v1", "?ref=main", ""].iter().enumerate() {
        let root = format!("c{number}");
        scene.root(&root, [("x", &repository.source(&format!("//m{query}")))]);
        scene.install(&root, []).expect_code(0);
        assert_eq!(scene.content(&root, "x/m/main.tf"), "# two\n", "{query}");
    }
}

#[test]
fn a_full_commit_makes_no_request_and_offline_takes_what_was_there_last() {
    let scene = ModuleScene::new();
    let repository = scene.repository("net");
    let one = repository.commit([("main.tf", "# one\n")], "v1");
    let commit = repository.source(&format!("?ref={one}"));
    let branch = repository.source("?ref=main");
    scene.root("a", [("commit", &commit), ("branch", &branch)]);
    scene.install("a", []).expect_code(0);
    repository.commit([("main.tf", "# two\n")], "v2");
    scene.root("b", [("branch", &branch)]);
    scene.install("b", []).expect_code(0);
    scene.requests();
    scene.root("c", [("commit", &commit)]);
    scene.install("c", []).expect_code(0);
    assert_eq!(scene.content("c", "commit/main.tf"), "# one\n");
    scene.root("d", [("commit", &commit), ("branch", &branch)]);
    scene.install("d", ["--offline"]).expect_code(0);
    assert_eq!(scene.content("d", "commit/main.tf"), "# one\n");
    assert_eq!(scene.content("d", "branch/main.tf"), "# two\n");
    assert_eq!(scene.requests(), [""; 0]);
    let unknown = repository.source("?ref=v2");
    scene.root("e", [("x", &unknown)]);
    scene.install("e", ["--offline"]).expect_code(12);
    scene.root("f", [("commit", &commit)]);
    scene
        .install("f", ["--offline", "--no-cache"])
        .expect_code(12);
}

#[test]
fn a_cached_tree_that_was_changed_is_never_installed() {
    type Damage = fn(PathBuf);
    let damages: [Damage; 4] = [
        |tree| fs::write(tree.join("main.tf"), "# evil\n").unwrap(),
        |tree| fs::write(tree.join("more.tf"), "").unwrap(),
        |tree| fs::remove_file(tree.join("main.tf")).unwrap(),
        |tree| fs::remove_dir_all(tree).unwrap(),
    ];
    for damage in damages {
        let scene = ModuleScene::new();
        let repository = scene.repository("net");
        let source = repository.source("?ref=v1");
        repository.commit([("main.tf", "# one\n")], "v1");
        scene.root("a", [("x", &source)]);
        scene.install("a", []).expect_code(0);
        damage(tree(&scene));
        scene.root("b", [("x", &source)]);
        scene.install("b", ["--offline"]).expect_code(12);
        assert!(!scene.installed("b", "x").exists());
        scene.install("b", []).expect_code(0);
        assert_eq!(scene.content("b", "x/main.tf"), "# one\n");
        // And the cache has it whole again.
        scene.requests();
        scene.root("c", [("x", &source)]);
        scene.install("c", ["--offline"]).expect_code(0);
        assert_eq!(scene.content("c", "x/main.tf"), "# one\n");
        assert!(!scene.installed("c", "x/more.tf").exists());
    }
}

#[test]
fn archives_are_downloaded_again_unless_their_checksum_is_in_the_source() {
    let scene = ModuleScene::new();
    let archive = zip(&[file("main.tf", "# one\n")]);
    let checksum = zh(&archive).replace("zh:", "");
    scene.server.route("/a.zip", Reply::body(archive));
    let plain = scene.server.url("/a.zip");
    let checked = scene
        .server
        .url(&format!("/a.zip?checksum=sha256:{checksum}"));
    scene.root("a", [("plain", &plain), ("checked", &checked)]);
    scene.install("a", []).expect_code(0);
    scene.requests();
    scene.root("b", [("checked", &checked)]);
    scene.install("b", []).expect_code(0);
    assert_eq!(scene.requests(), [""; 0]);
    scene.root("c", [("plain", &plain), ("checked", &checked)]);
    scene.install("c", ["--offline"]).expect_code(0);
    assert_eq!(scene.requests(), [""; 0]);
    let two = zip(&[file("main.tf", "# two\n")]);
    scene.server.route("/a.zip", Reply::body(two));
    scene.root("d", [("plain", &plain)]);
    scene.install("d", []).expect_code(0);
    assert_eq!(scene.content("d", "plain/main.tf"), "# two\n");
    for (root, name) in [("b", "checked"), ("c", "plain"), ("c", "checked")] {
        assert_eq!(scene.content(root, &format!("{name}/main.tf")), "# one\n");
    }
}

#[test]
fn modules_of_registries_come_from_the_cache_offline() {
    let mut scene = ModuleScene::new();
    let versions = ["1.0.0", "1.1.0", "2.0.0"];
    let list = versions.map(|version| format!("{{\"version\":\"{version}\"}}"));
    let list = format!("{{\"modules\":[{{\"versions\":[{}]}}]}}", list.join(","));
    let base = "/m/acme/far/any";
    scene
        .server
        .route(&format!("{base}/versions"), Reply::body(list));
    for version in versions {
        let location = Reply::status(204).header("X-Terraform-Get", "./module.zip//inner");
        scene
            .server
            .route(&format!("{base}/{version}/download"), location);
        let archive = zip(&[file("inner/main.tf", &format!("# {version}\n"))]);
        let path = format!("{base}/{version}/module.zip");
        scene.server.route(&path, Reply::body(archive));
    }
    let config = format!(
        "host \"{HOST}\" {{\n  services = {{ \"modules.v1\" = \"{}\" }}\n}}\n",
        scene.server.url("/m/")
    );
    scene.scene.cx.config(&config);
    let call = |constraint: &str| {
        format!(
            "module \"far\" {{\n  source = \"{HOST}/acme/far/any\"\n  version = \"{constraint}\"\n}}\n"
        )
    };
    for (root, constraint) in [("a", "1.0.0"), ("b", "~> 1.0")] {
        scene
            .scene
            .cx
            .write(&format!("{root}/main.tf"), call(constraint));
        scene.install(root, []).expect_code(0);
    }
    scene.requests();
    for (root, constraint, expected) in [("c", ">= 1.0", "# 1.1.0\n"), ("d", "1.0.0", "# 1.0.0\n")]
    {
        scene
            .scene
            .cx
            .write(&format!("{root}/main.tf"), call(constraint));
        scene.install(root, ["--offline"]).expect_code(0);
        assert_eq!(scene.content(root, "far/inner/main.tf"), expected);
        let record = scene.content(root, "modules.json");
        assert!(
            record.contains("\"Dir\":\".terraform/modules/far/inner\""),
            "{record}"
        );
    }
    scene.scene.cx.write("e/main.tf", call(">= 2"));
    scene.install("e", ["--offline"]).expect_code(12);
    assert_eq!(scene.requests(), [""; 0]);
}

#[test]
fn no_secret_of_a_source_is_in_the_cache_in_clear() {
    let scene = ModuleScene::new();
    let repository = scene.repository("net");
    repository.commit([("main.tf", "")], "v1");
    scene
        .server
        .route("/a.zip", Reply::body(zip(&[file("main.tf", "")])));
    let with_password = |url: &str| url.replace("http://", "http://user:hunter2@");
    let git = with_password(&repository.source("?ref=v1"));
    let archive = with_password(&scene.server.url("/a.zip?token=hunter2"));
    scene.root("a", [("git", &git), ("archive", &archive)]);
    scene.install("a", []).expect_code(0);
    assert!(!scene.cache_holds("hunter2"));
    // The archive is there all the same, the clone is not: git keeps the password in it.
    scene.root("b", [("archive", &archive)]);
    scene.install("b", ["--offline"]).expect_code(0);
    scene.root("c", [("git", &git)]);
    scene.install("c", ["--offline"]).expect_code(12);
}

#[test]
fn without_a_cache_nothing_is_kept() {
    let scene = ModuleScene::new();
    let repository = scene.repository("net");
    repository.commit([("main.tf", "")], "v1");
    let source = repository.source("?ref=v1");
    scene.root("a", [("x", &source)]);
    scene.install("a", ["--no-cache"]).expect_code(0);
    assert_eq!(names(&scene.scene.cx.cache()), [""; 0]);
}

/// A cache with an archive that was used long ago and a clone.
fn filled() -> ModuleScene {
    let mut scene = ModuleScene::new();
    let host = scene.server.host();
    scene.scene.cx.filter(&host, "[HOST]");
    let repository = scene.repository("net");
    let commit = repository.commit([("main.tf", "# one\n")], "v1");
    scene.scene.cx.filter(&commit, "[COMMIT]");
    let archive = zip(&[file("main.tf", "# two\n")]);
    scene.server.route("/a.zip", Reply::body(archive));
    let archive = scene.server.url("/a.zip?token=x");
    scene.root("a", [("x", &archive)]);
    scene.install("a", []).expect_code(0);
    let name = tree(&scene).with_extension("json");
    let record = fs::File::options().write(true).open(name).unwrap();
    record.set_modified(SystemTime::now() - DAY * 30).unwrap();
    scene.root("a", [("x", &repository.source("?ref=v1"))]);
    scene.install("a", []).expect_code(0);
    scene
}

#[test]
fn info_lists_packages_of_modules() {
    let scene = filled();
    let json = scene
        .scene
        .run(["cache", "info", "--json"])
        .expect_code(0)
        .json();
    assert_eq!(json["cache"]["archives"], 0);
    assert_eq!(json["cache"]["modules"].as_array().unwrap().len(), 2);
    assert_eq!(json["packages"][0]["kind"], "module");
    assert_eq!(json["packages"][0]["key"], serde_json::Value::Null);
    let outcome = scene.scene.run(["cache", "info"]).expect_code(0);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(lines[0]), ["module", "source", "package", "files"]);
    assert_eq!(
        words(lines[1])[..3],
        ["git::http://[HOST]/net.git?ref=v1", "commit", "[COMMIT]"]
    );
    assert!(
        lines[2].starts_with("http://[HOST]/a.zip?token="),
        "{outcome}"
    );
    assert!(
        lines[3].starts_with("0 archives (0 B, unpacked 0 B), 2 module packages ("),
        "{outcome}"
    );
}

#[test]
fn verify_finds_changed_packages_of_modules_and_drops_them() {
    let scene = filled();
    scene.scene.run(["cache", "verify"]).expect_code(0);
    let modules = scene.scene.cx.cache().join("v1/modules");
    let keys = fs::read_dir(&modules)
        .unwrap()
        .map(|key| key.unwrap().path());
    let trees = keys.flat_map(|key| fs::read_dir(key).unwrap());
    let trees = trees
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir());
    let archive = trees
        .filter(|tree| !tree.join(".git").exists())
        .collect::<Vec<_>>();
    fs::write(archive[0].join("main.tf"), "# evil\n").unwrap();
    let outcome = without_digests(&scene.scene.run(["cache", "verify"]).expect_code(10));
    let expected = "` of `http://[HOST]/a.zip?token=***` has `[DIGEST]`, expected is `[DIGEST]`\n";
    assert!(outcome.stdout.contains(expected), "{outcome}");
    scene.scene.run(["cache", "verify"]).expect_code(0);
}

#[test]
fn gc_deletes_packages_of_modules_by_age_and_size() {
    let scene = filled();
    let gc = |arguments: [&str; 2]| scene.scene.run(["cache", "gc", arguments[0], arguments[1]]);
    let outcome = scene
        .scene
        .run(["cache", "gc", "--unused-for", "10", "--dry-run"]);
    let outcome = outcome.expect_code(0);
    assert!(
        outcome.stdout.contains("http://[HOST]/a.zip?token="),
        "{outcome}"
    );
    assert!(
        outcome.stdout.contains("would remove 1 module"),
        "{outcome}"
    );
    shows_line(
        &gc(["--unused-for", "10"]).expect_code(0).stdout,
        "removed 1 module",
    );
    shows_line(
        &gc(["--max-size", "0"]).expect_code(0).stdout,
        "removed 1 module",
    );
    shows(
        &scene.scene.run(["cache", "info"]),
        "code: 0
--- stdout
0 archives (0 B, unpacked 0 B) in `[TEMP]/cache`
--- stderr
",
    );
}

fn shows_line(text: &str, line: &str) {
    assert!(text.lines().any(|it| it == line), "{text}");
}
