//! `mirror` for modules.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::module_scene::{call, file};
use super::scene::{HOST, Scene, module, shows};
use crate::support::archive::{Member, zip};
use crate::support::{ProviderSpec, Reply, tree};

/// Publishes a module whose archive is the same in all versions.
pub(super) fn publish(scene: &Scene, address: &str, versions: &[&str], members: &[Member]) {
    let base = format!("/v1/modules/{address}");
    let rows: Vec<String> = versions
        .iter()
        .map(|it| format!("{{\"version\":\"{it}\"}}"))
        .collect();
    let answer = format!("{{\"modules\":[{{\"versions\":[{}]}}]}}", rows.join(","));
    scene
        .registry
        .route(&format!("{base}/versions"), Reply::body(answer));
    for version in versions {
        locate(scene, address, version, "./module.zip");
        let place = format!("{base}/{version}/module.zip");
        scene.registry.route(&place, Reply::body(zip(members)));
    }
}

pub(super) fn locate(scene: &Scene, address: &str, version: &str, location: &str) {
    let reply = Reply::status(204).header("X-Terraform-Get", location);
    let path = format!("/v1/modules/{address}/{version}/download");
    scene.registry.route(&path, reply);
}

/// `acme/app/any` calls `acme/base/any`, which requires `acme/net`; a module in it requires `acme/dns`.
pub(super) fn scene() -> Scene {
    let provider = |address| ProviderSpec::new(address).version("1.0.0");
    let mut scene = Scene::of([provider("acme/net"), provider("acme/dns")]);
    publish(
        &scene,
        "acme/base/any",
        &["1.1.0", "1.0.0"],
        &[file("main.tf", &module([("acme/net", "")]))],
    );
    let members = [
        file("main.tf", &call("base", &format!("{HOST}/acme/base/any"))),
        file("modules/extra/main.tf", &module([("acme/dns", "")])),
    ];
    publish(
        &scene,
        "acme/app/any",
        &["1.0.0", "2.0.0-rc1", "0.9.0"],
        &members,
    );
    let config = format!(
        "host \"{HOST}\" {{\n  services = {{\n    \"modules.v1\" = \"{}\"\n    \"providers.v1\" = \"{}\"\n  }}\n}}\n",
        scene.registry.url("/v1/modules/"),
        scene.registry.url("/v1/providers/"),
    );
    scene.cx.config(&config);
    scene
}

pub(super) fn app() -> String {
    format!("{HOST}/acme/app/any")
}

pub(super) fn mirror_dir(scene: &Scene) -> PathBuf {
    scene.cx.work().join("mirror")
}

pub(super) fn git(dir: &Path, arguments: &[&str]) {
    let usual = [
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.test",
        "-c",
        "protocol.file.allow=always",
    ];
    let mut command = Command::new("git");
    let status = command
        .args(usual)
        .args(arguments)
        .current_dir(dir)
        .status();
    assert!(status.expect("git is there").success(), "{arguments:?}");
}

/// A repository with one commit and the tag `v1`; the URL by which it is called.
pub(super) fn repository(scene: &Scene, name: &str, files: &[(&str, &str)]) -> String {
    let dir = scene.cx.path(name);
    for (name, content) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    git(&dir, &["init", "--quiet", "--initial-branch=main"]);
    commit(&dir);
    git(&dir, &["tag", "v1"]);
    format!("git::file://{}", dir.display())
}

pub(super) fn commit(dir: &Path) {
    git(dir, &["add", "."]);
    git(dir, &["commit", "--quiet", "-m", "x"]);
}

fn packages_asked(scene: &Scene) -> Vec<String> {
    let mut lines = scene.registry.request_lines();
    lines.retain(|line| line.contains(".zip"));
    lines
}

#[test]
fn a_module_comes_with_all_that_it_calls_and_requires() {
    let scene = scene();
    shows(
        &scene.mirror([&app(), "-j1", "--served-at", "https://m.example/x"]),
        "code: 0
--- stdout
mirrored 2 modules, mirrored 2 packages (2.7 KiB)
--- stderr
mirrored module `registry.example.test/acme/app/any` 1.0.0
mirrored module `base` from `registry.example.test/acme/base/any` 1.1.0 (main.tf:1 in module `registry.example.test/acme/app/any` 1.0.0)
mirrored `registry.example.test/acme/dns` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
mirrored `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    let mut names = tree::names(&mirror_dir(&scene));
    names.retain(|name| {
        !name.starts_with(HOST) && Path::new(name).extension().is_some()
            || name.ends_with("versions")
    });
    assert_eq!(
        names,
        [
            ".provender.lock",
            "README.md",
            "client/mirror.json",
            "client/nginx.conf",
            "client/terraform.rc",
            "modules/registry.example.test/acme/app/any/1.0.0/evidence.json",
            "modules/registry.example.test/acme/app/any/1.0.0/module.zip",
            "modules/registry.example.test/acme/app/any/versions",
            "modules/registry.example.test/acme/base/any/1.1.0/evidence.json",
            "modules/registry.example.test/acme/base/any/1.1.0/module.zip",
            "modules/registry.example.test/acme/base/any/versions",
        ]
    );
    let read = |path: &str| scene.cx.read(&format!("mirror/{path}"));
    let of_app = "modules/registry.example.test/acme/app/any";
    assert_eq!(
        read(&format!("{of_app}/versions")),
        "{\"modules\":[{\"versions\":[{\"version\":\"1.0.0\"}]}]}"
    );
    assert_eq!(
        read(&format!("{of_app}/1.0.0/download")),
        "{\"location\":\"./module.zip\"}"
    );
    assert_eq!(
        read("client/terraform.rc"),
        "# Settings of terraform and tofu for this mirror, written by `provender mirror`.
# Name this file in TF_CLI_CONFIG_FILE.

provider_installation {
  network_mirror {
    url = \"https://m.example/x/\"
  }
}

host \"registry.example.test\" {
  services = {
    \"modules.v1\" = \"https://m.example/x/modules/registry.example.test/\"
  }
}
"
    );
    scene.registry.clear_requests();
    let json = scene.mirror([&app(), "--json"]).expect_code(0).json();
    assert_eq!(json["summary"]["kept"], 4);
    assert_eq!(packages_asked(&scene), [""; 0]);
    assert!(read("client/terraform.rc").contains("m.example"));
}

#[test]
fn without_dependencies_there_is_the_module_alone() {
    let scene = scene();
    let outcome = scene.mirror([&app(), "--no-dependencies"]).expect_code(0);
    assert_eq!(outcome.stdout, "mirrored 1 module\n");
    assert!(!mirror_dir(&scene).join(HOST).exists());
}

#[test]
fn several_versions_come_with_their_own_dependencies() {
    let scene = scene();
    let versions = || {
        let dir = mirror_dir(&scene).join(format!("modules/{HOST}/acme/app/any"));
        let mut names: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|it| it.unwrap().file_name())
            .collect();
        names.sort();
        names.retain(|name| name != "versions");
        names
    };
    scene.mirror([&app(), "--latest", "2"]).expect_code(0);
    assert_eq!(versions(), ["0.9.0", "1.0.0"]);
    scene
        .mirror([&app(), "--include-prereleases"])
        .expect_code(0);
    assert_eq!(versions(), ["0.9.0", "1.0.0", "2.0.0-rc1"]);
    let listed = scene
        .cx
        .read(&format!("mirror/modules/{HOST}/acme/app/any/versions"));
    assert!(
        listed.contains(
            "[{\"version\":\"0.9.0\"},{\"version\":\"1.0.0\"},{\"version\":\"2.0.0-rc1\"}]"
        ),
        "{listed}"
    );
    let outcome = scene.mirror([&format!("{}@>= 3", app())]).expect_code(12);
    assert!(outcome.stderr.contains("the newest is 1.0.0"), "{outcome}");
}

#[test]
fn a_dry_run_fetches_no_package_and_changes_nothing() {
    let scene = scene();
    let outcome = scene.mirror([&app(), "--dry-run"]).expect_code(0);
    assert!(
        outcome
            .stdout
            .contains("fetch   registry.example.test/acme/app/any  1.0.0"),
        "{outcome}"
    );
    assert!(!mirror_dir(&scene).exists());
    assert_eq!(packages_asked(&scene), [""; 0]);
    scene.mirror([&app()]).expect_code(0);
    let outcome = scene.mirror([&app(), "--dry-run"]).expect_code(0);
    assert!(
        outcome.stdout.contains("kept 2 modules, kept 2 packages"),
        "{outcome}"
    );
}

#[test]
fn a_module_made_anew_behind_its_version_is_refused() {
    let scene = scene();
    scene.mirror([&app()]).expect_code(0);
    let archive = mirror_dir(&scene).join(format!("modules/{HOST}/acme/base/any/1.1.0/module.zip"));
    let before = fs::read(&archive).unwrap();
    let evil = zip(&[file("main.tf", "# evil")]);
    scene.registry.route(
        "/v1/modules/acme/base/any/1.1.0/module.zip",
        Reply::body(evil),
    );
    // What is there stays; damage under the same size is found by `--check`.
    scene.mirror([&app()]).expect_code(0);
    let mut damaged = before.clone();
    damaged[40] ^= 1;
    fs::write(&archive, &damaged).unwrap();
    let outcome = scene.mirror([&app(), "--check"]).expect_code(10);
    assert!(
        outcome
            .stderr
            .contains("its package is another one now: SHA-256 `"),
        "{outcome}"
    );
    let honest = zip(&[file("main.tf", &module([("acme/net", "")]))]);
    scene.registry.route(
        "/v1/modules/acme/base/any/1.1.0/module.zip",
        Reply::body(honest),
    );
    scene.mirror([&app(), "--check"]).expect_code(0);
    assert_eq!(fs::read(&archive).unwrap(), before);
}

#[test]
fn repositories_are_kept_bare_and_moved_tags_refused() {
    let scene = scene();
    let url = repository(
        &scene,
        "net",
        &[("a/main.tf", &module([("acme/net", "")])), ("run.sh", "x")],
    );
    let dir = scene.cx.path("net");
    scene
        .cx
        .write("root/main.tf", call("net", &format!("{url}//a?ref=v1")));
    let outcome = scene.mirror(["--root", "root"]).expect_code(0);
    assert_eq!(
        outcome.stdout,
        "mirrored 1 module, mirrored 1 package (1.3 KiB)\n"
    );
    let bare = mirror_dir(&scene).join(format!("git/localhost{}.git", dir.display()));
    let refs = fs::read_to_string(bare.join("info/refs")).unwrap();
    assert!(refs.contains("refs/tags/v1"), "{refs}");
    let config = fs::read_to_string(bare.join("config")).unwrap();
    assert!(!config.contains("[remote"), "{config}");
    let settings = scene.cx.read("mirror/client/gitconfig");
    let expected = format!(
        "[url \"https://mirror.example.com/git/localhost{0}.git\"]\n\tinsteadOf = \"file://{0}\"\n",
        dir.display()
    );
    assert!(settings.ends_with(&expected), "{settings}");
    // The repository grows: a tag that is there needs nothing, a branch is asked for.
    fs::write(dir.join("a/more.tf"), "").unwrap();
    commit(&dir);
    let outcome = scene.mirror(["--root", "root"]).expect_code(0);
    assert_eq!(outcome.stdout, "kept 1 module, kept 1 package (1.3 KiB)\n");
    scene
        .cx
        .write("root/main.tf", call("net", &format!("{url}//a?ref=main")));
    let outcome = scene.mirror(["--root", "root"]).expect_code(0);
    assert_eq!(
        outcome.stdout,
        "mirrored 1 module, kept 1 package (1.3 KiB)\n"
    );
    assert_ne!(fs::read_to_string(bare.join("info/refs")).unwrap(), refs);
    git(&dir, &["tag", "--force", "v1"]);
    // Nothing asks for a tag that is there, but `--check`; an unrelated one stops nothing.
    let outcome = scene.mirror(["--root", "root"]).expect_code(0);
    let words =
        "warning: the tag `v1` has moved in `file://[TEMP]/net`; the mirror keeps it where it was";
    assert!(outcome.stderr.contains(words), "{outcome}");
    scene
        .cx
        .write("root/main.tf", call("net", &format!("{url}//a?ref=v1")));
    scene.mirror(["--root", "root"]).expect_code(0);
    let outcome = scene.mirror(["--root", "root", "--check"]).expect_code(10);
    assert!(
        outcome
            .stderr
            .contains("the tag `v1` has moved since it was mirrored"),
        "{outcome}"
    );
}

#[test]
fn what_a_web_server_cannot_give_is_told_and_stops_nothing() {
    let scene = scene();
    let url = repository(&scene, "net", &[("main.tf", "")]);
    let disk = scene.cx.write("disk/main.tf", module([("acme/dns", "")]));
    let calls = call("shallow", &format!("{url}?ref=v1&depth=1"))
        + &call("disk", &disk.parent().unwrap().to_string_lossy())
        + &call("bucket", "s3::https://s3.amazonaws.com/b/x.zip")
        + &call("app", &app());
    scene.cx.write("root/main.tf", calls);
    let outcome = scene.mirror(["--root", "root"]).expect_code(1);
    for words in [
        "module `shallow` from `git::file://[TEMP]/net?ref=v1&depth=1` ([TEMP]/place/root/main.tf:1) asks for a part of the history (`depth`)",
        "module `disk` from `file://[TEMP]/place/disk` ([TEMP]/place/root/main.tf:4) lies on this machine's disk and is not mirrored",
        "error: cannot mirror module `bucket` from `s3::https://s3.amazonaws.com/b/x.zip` ([TEMP]/place/root/main.tf:7)\n  caused by: sources of the kind `s3` are not supported yet",
    ] {
        assert!(outcome.stderr.contains(words), "{outcome}");
    }
    assert!(
        outcome
            .stdout
            .contains("mirrored 3 modules, mirrored 2 packages"),
        "{outcome}"
    );
}

#[test]
fn submodules_come_along() {
    let scene = scene();
    repository(&scene, "inner", &[("main.tf", &module([("acme/net", "")]))]);
    let url = repository(&scene, "outer", &[("main.tf", &call("inner", "./sub"))]);
    let dir = scene.cx.path("outer");
    git(&dir, &["submodule", "--quiet", "add", "../inner", "sub"]);
    commit(&dir);
    scene.cx.write("root/main.tf", call("outer", &url));
    let outcome = scene.mirror(["--root", "root"]).expect_code(0);
    assert_eq!(
        outcome.stdout,
        "mirrored 1 module, mirrored 1 package (1.3 KiB)\n"
    );
    let settings = scene.cx.read("mirror/client/gitconfig");
    assert!(
        settings.contains("/inner.git\"]") && settings.contains("/outer.git\"]"),
        "{settings}"
    );
}

#[test]
fn archives_and_pages_that_send_on_are_kept_under_their_url() {
    let scene = scene();
    let archive = scene.registry.url("/files/mod.zip");
    let members = [file("top/main.tf", &module([("acme/net", "")]))];
    scene
        .registry
        .route("/files/mod.zip", Reply::body(zip(&members)));
    let page = Reply::status(200).header("X-Terraform-Get", &format!("{archive}//top"));
    scene.registry.route("/vpc", page);
    scene
        .cx
        .write("root/main.tf", call("vpc", &scene.registry.url("/vpc")));
    let outcome = scene.mirror(["--root", "root"]).expect_code(0);
    assert_eq!(
        outcome.stdout,
        "mirrored 1 module, mirrored 1 package (1.3 KiB)\n"
    );
    let host = format!("localhost:{}", scene.registry.port());
    let kept = mirror_dir(&scene).join("archives").join(&host);
    assert_eq!(fs::read(kept.join("files/mod.zip")).unwrap(), zip(&members));
    let page = fs::read_to_string(kept.join("vpc/index.html")).unwrap();
    assert!(
        page.contains(&format!(
            "<meta name=\"terraform-get\" content=\"{archive}//top\">"
        )),
        "{page}"
    );
    let nginx = scene.cx.read("mirror/client/nginx.conf");
    assert!(
        nginx.contains(&format!("listen {} ssl;", scene.registry.port())),
        "{nginx}"
    );
    scene.registry.clear_requests();
    let offline = ["--root", "root", "--offline", "--no-dependencies"];
    scene.mirror(offline).expect_code(0);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    // Another query is another package, which a plain web server cannot tell apart.
    scene
        .cx
        .write("root/main.tf", call("vpc", &format!("{archive}?v=2")));
    let outcome = scene.mirror(["--root", "root"]).expect_code(1);
    assert!(outcome.stderr.contains("the mirror keeps `"), "{outcome}");
}

#[test]
fn a_module_in_a_part_of_its_package_keeps_its_neighbours() {
    let scene = scene();
    let members = [
        file("x/main.tf", &call("near", "../near")),
        file("near/main.tf", &module([("acme/net", "")])),
    ];
    publish(&scene, "acme/part/any", &["1.0.0"], &members);
    locate(&scene, "acme/part/any", "1.0.0", "./module.zip//x");
    let address = format!("{HOST}/acme/part/any");
    let outcome = scene.mirror([&address]).expect_code(0);
    assert_eq!(
        outcome.stdout,
        "mirrored 1 module, mirrored 1 package (1.3 KiB)\n"
    );
    let download = format!("modules/{HOST}/acme/part/any/1.0.0/download");
    assert_eq!(
        scene.cx.read(&format!("mirror/{download}")),
        "{\"location\":\"./module.zip//x\"}"
    );
    let nginx = scene.cx.read("mirror/client/nginx.conf");
    assert!(
        nginx.contains(&format!("location = \"/{download}\"")),
        "{nginx}"
    );
    assert!(
        nginx.contains("add_header X-Terraform-Get \"./module.zip//x\";"),
        "{nginx}"
    );
    // Old registries send patterns, which the tools no longer understand: these are resolved here.
    locate(
        &scene,
        "acme/part/any",
        "1.0.0",
        "./module.zip//nea*?archive=zip",
    );
    fs::remove_dir_all(mirror_dir(&scene)).unwrap();
    scene.mirror([&address]).expect_code(0);
    assert_eq!(
        scene.cx.read(&format!("mirror/{download}")),
        "{\"location\":\"./module.zip\"}"
    );
}

#[test]
fn refuses_modules_that_climb_out_or_name_this_machines_disk() {
    let scene = scene();
    let evil = zip(&[file("main.tf", ""), file("../../evil.tf", "")]);
    scene.registry.route(
        "/v1/modules/acme/base/any/1.1.0/module.zip",
        Reply::body(evil),
    );
    let outcome = scene.mirror([&app()]).expect_code(10);
    assert!(
        outcome.stderr.contains("leads out of its directory"),
        "{outcome}"
    );
    locate(&scene, "acme/base/any", "1.1.0", "git::file:///etc");
    let outcome = scene.mirror([&app()]).expect_code(13);
    assert!(
        outcome
            .stderr
            .contains("a place on this machine's own disk"),
        "{outcome}"
    );
    assert!(
        !mirror_dir(&scene)
            .join(format!("modules/{HOST}/acme/base/any/versions"))
            .exists()
    );
}

#[test]
fn links_that_lead_out_of_a_module_are_left_out_and_told() {
    let scene = scene();
    let url = repository(&scene, "net", &[("main.tf", "")]);
    let dir = scene.cx.path("net");
    symlink("/etc/passwd", dir.join("evil")).unwrap();
    symlink("main.tf", dir.join("same.tf")).unwrap();
    commit(&dir);
    publish(&scene, "acme/link/any", &["1.0.0"], &[]);
    // Registries may not name the disk; a web server of the repository stands between.
    git(&dir, &["update-server-info"]);
    drop(url);
    let served = crate::support::TestServer::builder()
        .transport(crate::support::server::Transport::Plain)
        .directory(&dir)
        .start();
    let location = format!("git::http://127.0.0.1:{}/.git", served.port());
    locate(&scene, "acme/link/any", "1.0.0", &location);
    let outcome = scene
        .mirror([&format!("{HOST}/acme/link/any")])
        .expect_code(0);
    let words = "warning: module `registry.example.test/acme/link/any` 1.0.0: the link `evil` leads out of the module and is left out";
    assert!(outcome.stderr.contains(words), "{outcome}");
}

#[test]
fn archives_that_differ_in_a_hidden_value_are_told_apart() {
    let scene = scene();
    let archive = scene.registry.url("/files/mod.zip");
    scene
        .registry
        .route("/files/mod.zip", Reply::body(zip(&[file("main.tf", "")])));
    let both = call("a", &format!("{archive}?token=1")) + &call("b", &format!("{archive}?token=2"));
    scene.cx.write("root/main.tf", both);
    let outcome = scene.mirror(["--root", "root"]).expect_code(1);
    assert!(
        outcome
            .stderr
            .contains("a plain web server cannot tell the two apart"),
        "{outcome}"
    );
    scene
        .cx
        .write("root/main.tf", call("a", &format!("{archive}?token=3")));
    scene.mirror(["--root", "root"]).expect_code(1);
}

#[test]
fn a_refused_archive_leaves_nothing_and_is_asked_for_again() {
    let scene = scene();
    let archive = scene.registry.url("/files/mod.zip");
    scene
        .registry
        .route("/files/mod.zip", Reply::body("<html>log in</html>"));
    scene.cx.write("root/main.tf", call("a", &archive));
    scene.mirror(["--root", "root"]).expect_code(10);
    assert!(tree::names(&mirror_dir(&scene).join("archives")).is_empty());
    scene
        .registry
        .route("/files/mod.zip", Reply::body(zip(&[file("main.tf", "")])));
    scene.mirror(["--root", "root"]).expect_code(0);
}

#[test]
fn fetched_modules_do_not_reach_this_machines_disk() {
    let scene = scene();
    let secret = scene.cx.write("secret/main.tf", module([("acme/dns", "")]));
    let secret = secret.parent().unwrap().to_string_lossy().into_owned();
    let private = repository(&scene, "private", &[("main.tf", "")]);
    let upwards = format!("{}{secret}", "../".repeat(20));
    for source in [
        secret.clone(),
        private,
        format!("./{upwards}"),
        upwards.clone(),
    ] {
        publish(
            &scene,
            "acme/evil/any",
            &["1.0.0"],
            &[file("main.tf", &call("x", &source))],
        );
        let outcome = scene.mirror([&format!("{HOST}/acme/evil/any")]);
        assert!(matches!(outcome.code, 1 | 13), "{source}: {outcome}");
        let said = [
            "names a place on this machine's disk",
            "is outside of the package that calls it",
        ];
        assert!(
            said.iter().any(|words| outcome.stderr.contains(words)),
            "{outcome}"
        );
        assert!(!mirror_dir(&scene).join("git/localhost").exists());
        assert!(!mirror_dir(&scene).join(HOST).exists());
        fs::remove_dir_all(mirror_dir(&scene)).unwrap();
    }
}

#[test]
fn locked_versions_of_modules_are_mirrored() {
    let scene = scene();
    let address = format!("{HOST}/acme/app/any");
    let root = |version: &str| {
        format!("module \"app\" {{\n  source  = \"{address}\"\n  version = \"{version}\"\n}}\n")
    };
    scene.cx.write("root/main.tf", root("0.9.0"));
    scene
        .cx
        .run(["-C", "root", "lock", "--modules-only"])
        .expect_code(0);
    scene.cx.write("root/main.tf", root(">= 0.9"));
    scene.mirror(["--root", "root"]).expect_code(0);
    let dir = mirror_dir(&scene).join(format!("modules/{address}"));
    assert!(dir.join("0.9.0").is_dir() && !dir.join("1.0.0").exists());
    scene
        .mirror(["--root", "root", "--latest", "1"])
        .expect_code(0);
    assert!(dir.join("1.0.0").is_dir());
}

#[test]
fn the_default_branch_is_followed() {
    let scene = scene();
    let url = repository(&scene, "net", &[("main.tf", "")]);
    let dir = scene.cx.path("net");
    scene.cx.write("root/main.tf", call("net", &url));
    scene.mirror(["--root", "root"]).expect_code(0);
    git(&dir, &["checkout", "--quiet", "-b", "trunk"]);
    scene.mirror(["--root", "root"]).expect_code(0);
    let bare = mirror_dir(&scene).join(format!("git/localhost{}.git", dir.display()));
    assert_eq!(
        fs::read_to_string(bare.join("HEAD")).unwrap(),
        "ref: refs/heads/trunk\n"
    );
}

#[test]
fn runs_at_once_share_a_mirror_and_clean_up_after_killed_ones() {
    let scene = scene();
    let url = repository(&scene, "net", &[("main.tf", "")]);
    scene
        .cx
        .write("root/main.tf", call("net", &url) + &call("app", &app()));
    let left = mirror_dir(&scene).join("git/localhost/.provender-left.tmp");
    fs::create_dir_all(&left).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    fs::File::open(&left)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    let runs: Vec<_> = (0..3)
        .map(|_| scene.start_mirror(["--root", "root"]))
        .collect();
    for run in runs {
        run.wait().expect_code(0);
    }
    assert!(!left.exists());
    scene
        .cx
        .run(["verify", "--mirror", "mirror"])
        .expect_code(0);
}

#[test]
fn modules_do_not_come_from_another_mirror() {
    let scene = scene();
    let outcome = scene
        .mirror([&app(), "--from", "https://mirror.example.test/"])
        .expect_code(2);
    assert!(
        outcome.stderr.contains("`--from` has providers alone"),
        "{outcome}"
    );
    scene
        .mirror([&app(), "--served-at", "ftp://x"])
        .expect_code(2);
}
