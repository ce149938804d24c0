//! Where packages come from: the methods of `provider_installation`, implied local mirrors, `dev_overrides`.

use std::fs;

use crate::support::registry::paths;
use crate::support::{ProviderSpec, Reply, TestServer, tree};

use super::scene::{HOST, LINUX, Scene, lock_header};

/// A scene whose `mirror` holds these versions of `acme/net`, and whose registry was not asked yet.
fn mirrored(versions: &[&str]) -> Scene {
    let scene = Scene::usual();
    for version in versions {
        let address = format!("{HOST}/acme/net@{version}");
        scene.mirror([address.as_str()]).expect_code(0);
    }
    scene.registry.clear_requests();
    scene
}

impl Scene {
    /// Configures these methods beside the registry's `host` block.
    fn methods(&mut self, methods: &str) {
        let host = self.registry.host_block(HOST);
        self.cx.config(&format!(
            "{host}\nprovider_installation {{\n{methods}\n}}\n"
        ));
    }

    fn filesystem_mirror(&self, more: &str) -> String {
        let path = self.cx.work().join("mirror");
        format!(
            "filesystem_mirror {{\n  path = \"{}\"\n{more}\n}}\n",
            path.display()
        )
    }

    fn h1_lock(&self, version: &str) -> String {
        let h1 = self.registry.h1("acme/net", version, LINUX);
        format!(
            "{}\nprovider \"{HOST}/acme/net\" {{\n  version = \"{version}\"\n  hashes = [\n    \"{h1}\",\n  ]\n}}\n",
            lock_header("terraform")
        )
    }
}

fn network_mirror(server: &TestServer, more: &str) -> String {
    format!(
        "network_mirror {{\n  url = \"{}\"\n{more}\n}}\n",
        server.url("/")
    )
}

#[test]
fn filesystem_mirror_serves_without_a_request() {
    let mut scene = mirrored(&["1.1.0"]);
    scene.methods(&scene.filesystem_mirror(""));
    scene.root([("acme/net", "")]);
    let outcome = scene.install([]).expect_code(0);
    assert!(outcome.stderr.contains("(unauthenticated"), "{outcome}");
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    assert_eq!(scene.lock_file(), Some(scene.h1_lock("1.1.0")));
    // What is installed by the lock file needs nobody.
    fs::remove_dir_all(scene.cx.work().join("mirror")).expect("it is there");
    scene.install([]).expect_code(0);
}

#[test]
fn unpacked_package_of_a_mirror_is_linked_to() {
    let mut scene = mirrored(&[]);
    let dir = scene.cx.work().join("mirror");
    let place = dir.to_str().expect("text").to_owned();
    let address = format!("{HOST}/acme/net@1.0.0");
    scene
        .run(["install", &address, "--dir", &place, "--platform", LINUX])
        .expect_code(0);
    let before = tree::tree_with_digests(&dir);
    scene.methods(&scene.filesystem_mirror(""));
    scene.root([("acme/net", "")]);
    scene.install([]).expect_code(0);
    assert_eq!(scene.lock_file(), Some(scene.h1_lock("1.0.0")));
    let installed = scene.cx.work().join(format!(
        ".terraform/providers/{HOST}/acme/net/1.0.0/{LINUX}"
    ));
    let target = fs::canonicalize(dir.join(format!("{HOST}/acme/net/1.0.0/{LINUX}")));
    assert_eq!(fs::read_link(installed).ok(), target.ok());
    assert_eq!(tree::tree_with_digests(&dir), before);
}

#[test]
fn changed_files_of_an_unpacked_package_do_not_fit_the_lock_file() {
    let mut scene = mirrored(&[]);
    scene.methods(&scene.filesystem_mirror(""));
    let plugin = format!("mirror/{HOST}/acme/net/1.0.0/{LINUX}/terraform-provider-net");
    scene.cx.write(&plugin, "one");
    scene.root([("acme/net", "")]);
    scene.install([]).expect_code(0);
    let lock = scene.lock_file();
    scene.cx.write(&plugin, "two");
    let outcome = scene.install([]).expect_code(10);
    assert!(outcome.stderr.contains("the lock file allows"), "{outcome}");
    assert_eq!(scene.lock_file(), lock);
}

#[test]
fn network_mirror_serves_with_its_hashes() {
    let mut scene = mirrored(&["1.1.0"]);
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    scene.methods(&network_mirror(&server, ""));
    scene.root([("acme/net", "")]);
    let outcome = scene.install(["--json"]).expect_code(0);
    assert!(outcome.stdout.contains("\"checksum\""), "{outcome}");
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    assert_eq!(scene.lock_file(), Some(scene.h1_lock("1.1.0")));
    assert_eq!(server.requests().len(), 3, "{:?}", server.request_lines());
}

#[test]
fn token_of_the_mirror_goes_to_its_documents_alone() {
    let mut scene = mirrored(&["1.1.0"]);
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    scene.methods(&network_mirror(&server, ""));
    scene
        .cx
        .env(format!("TF_TOKEN_{}", server.host()), "hunter2");
    scene.root([("acme/net", "")]);
    let outcome = scene
        .run(["install", "--platform", LINUX, "-vv"])
        .expect_code(0);
    assert!(!outcome.to_string().contains("hunter2"), "{outcome}");
    for request in server.requests() {
        let is_document = !request.path().contains(".zip");
        let token = request.header("authorization");
        assert_eq!(
            token,
            is_document.then_some("Bearer hunter2"),
            "{}",
            request.line()
        );
    }
}

#[test]
fn changed_archive_of_a_network_mirror_is_refused() {
    let mut scene = mirrored(&["1.1.0"]);
    let archive = paths::filename("acme/net", "1.1.0", LINUX);
    let path = format!("mirror/{HOST}/acme/net/{archive}");
    let other = scene.registry.archive_bytes("acme/net", "1.0.0", LINUX);
    scene.cx.write(&path, other);
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    scene.methods(&network_mirror(&server, ""));
    scene.root([("acme/net", "")]);
    let outcome = scene.install([]).expect_code(10);
    assert!(outcome.stderr.contains("the mirror lists"), "{outcome}");
    assert_eq!(scene.lock_file(), None);
}

#[test]
fn newest_version_of_all_methods_comes_from_the_first_that_has_it() {
    let mut scene = mirrored(&["1.1.0"]);
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    for first in [scene.filesystem_mirror(""), network_mirror(&server, "")] {
        scene.methods(&format!("{first}direct {{}}\n"));
        scene.root_in("new", [("acme/net", "")]);
        scene.root_in("old", [("acme/net", "1.1.0")]);
        scene.registry.clear_requests();
        let outcome = scene.install_in("new", ["--json"]).expect_code(0);
        assert!(outcome.stdout.contains("\"2.0.0\""), "{outcome}");
        assert!(outcome.stdout.contains("\"signed\""), "{outcome}");
        scene.registry.clear_requests();
        let outcome = scene
            .install_in("old", ["--json", "--no-cache"])
            .expect_code(0);
        assert!(!outcome.stdout.contains("\"signed\""), "{outcome}");
        assert_eq!(scene.downloads("acme/net", "1.1.0"), 0);
        for dir in ["new", "old"] {
            fs::remove_dir_all(scene.cx.work().join(dir)).expect("it is there");
        }
    }
}

#[test]
fn failing_mirror_is_not_replaced_by_the_registry() {
    let mut scene = mirrored(&[]);
    let server = TestServer::empty();
    server.route(&format!("/{HOST}/acme/net/index.json"), Reply::status(500));
    scene.methods(&format!("{}direct {{}}\n", network_mirror(&server, "")));
    scene.root([("acme/net", "")]);
    let outcome = scene.install([]).expect_code(13);
    assert!(outcome.stderr.contains("network mirror"), "{outcome}");
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    let missing = scene.cx.work().join("none");
    scene.methods(&format!(
        "filesystem_mirror {{\n  path = \"{}\"\n}}\ndirect {{}}\n",
        missing.display()
    ));
    scene.install([]).expect_code(1);
}

#[test]
fn patterns_decide_who_serves() {
    let mut scene = mirrored(&["1.1.0"]);
    let patterns = format!("  exclude = [\"{HOST}/acme/*\"]");
    scene.methods(&format!(
        "{}direct {{}}\n",
        scene.filesystem_mirror(&patterns)
    ));
    scene.root([("acme/net", "")]);
    let outcome = scene
        .run(["versions", &format!("{HOST}/acme/net")])
        .expect_code(0);
    assert!(outcome.stdout.contains("2.0.0"), "{outcome}");
    let patterns = format!("  include = [\"{HOST}/acme/net\"]");
    scene.methods(&format!(
        "{}direct {{\n  exclude = [\"{HOST}/*/*\"]\n}}\n",
        scene.filesystem_mirror(&patterns)
    ));
    let outcome = scene
        .run(["versions", &format!("{HOST}/acme/net")])
        .expect_code(0);
    assert!(!outcome.stdout.contains("2.0.0"), "{outcome}");
    let outcome = scene
        .run(["versions", &format!("{HOST}/acme/dns")])
        .expect_code(12);
    assert!(
        outcome.stderr.contains("no installation method serves"),
        "{outcome}"
    );
}

#[test]
fn empty_block_means_that_nothing_can_be_installed() {
    let mut scene = mirrored(&[]);
    scene.methods("");
    scene.root([("acme/net", "")]);
    let outcome = scene.install([]).expect_code(12);
    assert!(
        outcome.stderr.contains("no installation method serves"),
        "{outcome}"
    );
}

#[test]
fn implied_mirror_hides_the_registry() {
    let scene = Scene::usual();
    let address = format!("{HOST}/acme/net@1.0.0");
    scene
        .run(["install", &address, "--platform", LINUX])
        .expect_code(0);
    scene.registry.clear_requests();
    scene.root([("acme/net", "")]);
    scene.install([]).expect_code(0);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    assert_eq!(scene.lock_file(), Some(scene.h1_lock("1.0.0")));
    // Who names a provider wants the registry's newest, though the mirror has an older one.
    let address = format!("{HOST}/acme/net");
    scene
        .run(["install", &address, "--platform", LINUX])
        .expect_code(0);
    let installed = ".local/share/terraform/plugins";
    let place = format!("{installed}/{HOST}/acme/net/2.0.0/{LINUX}");
    assert!(scene.cx.home().join(place).is_dir());
}

#[test]
fn vendor_directory_of_the_place_where_it_was_started_counts() {
    let scene = Scene::usual();
    let plugin =
        format!("terraform.d/plugins/{HOST}/acme/net/9.0.0/{LINUX}/terraform-provider-net");
    scene.cx.write(&plugin, "x");
    scene.root_in("a", [("acme/net", "")]);
    scene.install_in("a", []).expect_code(0);
    assert!(scene.cx.read("a/.terraform.lock.hcl").contains("9.0.0"));
}

#[test]
fn provider_under_development_is_left_out_and_stays_locked() {
    let mut scene = Scene::of([
        ProviderSpec::new("acme/net").version("1.0.0"),
        ProviderSpec::new("acme/dns").version("1.0.0"),
    ]);
    scene.root([("acme/net", ""), ("acme/dns", "")]);
    scene.install([]).expect_code(0);
    let lock = scene.lock_file();
    scene.methods(&format!(
        "dev_overrides {{\n  \"{HOST}/acme/net\" = \"/opt/net\"\n}}\ndirect {{}}\n"
    ));
    fs::remove_dir_all(scene.cx.work().join(".terraform")).expect("it is there");
    for arguments in [["--upgrade"], ["--locked"]] {
        let outcome = scene.install(arguments).expect_code(0);
        let told = format!("`{HOST}/acme/net` is not installed");
        assert!(outcome.stderr.contains(&told), "{outcome}");
        assert_eq!(scene.lock_file(), lock);
    }
    let place = scene
        .cx
        .work()
        .join(format!(".terraform/providers/{HOST}/acme"));
    assert_eq!(
        tree::names(&place)
            .iter()
            .filter(|name| name.starts_with("net"))
            .count(),
        0
    );
}

#[test]
fn oci_mirror_is_refused_with_a_hint() {
    let mut scene = Scene::usual();
    scene.methods(
        "oci_mirror {\n  repository_template = \"x.example/${namespace}/${type}\"\n}\ndirect {}\n",
    );
    scene.root([("acme/net", "")]);
    let outcome = scene.install(["--tool", "tofu"]).expect_code(1);
    assert!(
        outcome.stderr.contains("`oci_mirror` of `x.example"),
        "{outcome}"
    );
    assert!(
        outcome.stderr.contains("hint: leave it to another method"),
        "{outcome}"
    );
    let outcome = scene.install(["--tool", "terraform"]).expect_code(0);
    let told = "there is no installation method `oci_mirror`";
    assert!(outcome.stderr.contains(told), "{outcome}");
}

#[test]
fn offline_uses_directories_and_asks_no_mirror() {
    let mut scene = mirrored(&["1.1.0"]);
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    scene.root([("acme/net", "")]);
    scene.methods(&format!("{}direct {{}}\n", network_mirror(&server, "")));
    scene.install(["--offline"]).expect_code(12);
    let both = format!(
        "{}{}direct {{}}\n",
        network_mirror(&server, ""),
        scene.filesystem_mirror("")
    );
    scene.methods(&both);
    scene.install(["--offline"]).expect_code(0);
    assert_eq!(scene.lock_file(), Some(scene.h1_lock("1.1.0")));
    assert_eq!(server.requests().len() + scene.registry.requests().len(), 0);
}

#[test]
fn package_of_a_network_mirror_is_remembered_for_offline() {
    let mut scene = mirrored(&["1.1.0"]);
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    scene.methods(&network_mirror(&server, ""));
    scene.root([("acme/net", "")]);
    scene.install([]).expect_code(0);
    fs::remove_dir_all(scene.cx.work().join(".terraform")).expect("it is there");
    drop(server);
    scene.install(["--offline"]).expect_code(0);
}
