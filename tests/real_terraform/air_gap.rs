//! The air gap from end to end: a tree of modules and providers is mirrored, every origin is stopped, and on the far
//! side nginx serves the mirror's directory with the settings that came with it.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use crate::support::archive::zip;
use crate::support::nginx::{self, Nginx};
use crate::support::server::Transport;
use crate::support::tls::CaFile;
use crate::support::{Reply, TestContext, TestRegistry, TestServer};

use super::modules::{call, file, publish, repository};
use super::scene::{HOST, Scene, configuration, provider};

const MODULE_LOCK: &str = ".provender.lock.hcl";

const PROVIDERS: [&str; 5] = ["p1", "p2", "p3", "p4", "p5"];

fn requires(name: &str) -> String {
    configuration(&[(&format!("{HOST}/acme/{name}"), "~> 1.0")])
}

/// The origins: a registry of five providers and two modules, a repository behind a web server, an archive on another.
struct Origins {
    registry: TestRegistry,
    repositories: TestServer,
    archives: TestServer,
}

impl Origins {
    fn start(dir: &Path) -> Self {
        let registry = TestRegistry::of(
            PROVIDERS.map(|name| provider(&format!("acme/{name}")).version("1.0.0")),
        );
        let base = requires("p2");
        publish(
            &registry,
            "acme/base/any",
            "1.1.0",
            &[file("main.tf", &base)],
        );
        let app = call("base", &format!("{HOST}/acme/base/any"), "~> 1.0");
        let members = [
            file("main.tf", &app),
            file("modules/extra/main.tf", &requires("p3")),
        ];
        publish(&registry, "acme/app/any", "1.0.0", &members);
        let plain = || TestServer::builder().transport(Transport::Plain);
        let archives = plain().start();
        let archive = zip(&[file("sub/main.tf", &requires("p5"))]);
        archives.route("/files/mod.zip", Reply::body(archive));
        let work = dir.join("net");
        repository(
            &work,
            &[
                ("modules/x/main.tf", &call("y", "../y", "")),
                ("modules/y/main.tf", &requires("p4")),
            ],
        );
        git(
            dir,
            &["clone", "--quiet", "--bare", "net", "served/net.git"],
        );
        git(&dir.join("served/net.git"), &["update-server-info"]);
        let repositories = plain().directory(&dir.join("served")).start();
        Self {
            registry,
            repositories,
            archives,
        }
    }

    /// The root module, which calls all of them.
    fn root(&self) -> String {
        let git = format!("git::http://127.0.0.1:{}/net.git", self.repositories.port());
        let archive = format!("http://127.0.0.1:{}/files/mod.zip", self.archives.port());
        requires("p1")
            + &call("app", &format!("{HOST}/acme/app/any"), "~> 1.0")
            + &call(
                "extra",
                &format!("{HOST}/acme/app/any//modules/extra"),
                "1.0.0",
            )
            + &call("net", &format!("{git}//modules/x?ref=v1"), "")
            + &call("archive", &format!("{archive}//sub"), "")
    }

    fn config(&self) -> String {
        format!(
            "host \"{HOST}\" {{\n  services = {{\n    \"modules.v1\" = \"{}\"\n    \"providers.v1\" = \"{}\"\n  }}\n}}\n",
            self.registry.url("/v1/modules/"),
            self.registry.url("/v1/providers/"),
        )
    }
}

fn git(dir: &Path, arguments: &[&str]) {
    let mut command = std::process::Command::new("git");
    let status = command.args(arguments).current_dir(dir).status();
    assert!(status.expect("git is there").success(), "{arguments:?}");
}

#[test]
fn terraform_initialises_from_the_mirror_alone() {
    let (Some(mut near), Some(program)) = (Scene::alone(), nginx::find()) else {
        return;
    };
    let origins = Origins::start(&near.context.path("tmp"));
    let root = origins.root();
    near.context.config(&origins.config());
    near.context.write("root/main.tf", &root);
    let mirror = near.context.work().join("mirror");
    let held = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = held.local_addr().expect("it is bound").port();
    let url = format!("https://127.0.0.1:{port}/");
    let ca = CaFile::write();
    let ca_path = ca.path().to_string_lossy().into_owned();
    let arguments = ["mirror", "--root", "root", "--to", "mirror"];
    let settings = ["--served-at", &url, "--served-ca", &ca_path];
    let lock = ["-C", "root", "lock", "--modules-only"];
    near.provender(&lock);
    let outcome = near.provender(&[&arguments[..], &settings[..]].concat());
    assert!(
        outcome
            .stdout
            .contains("mirrored 4 modules, mirrored 5 packages"),
        "{outcome}"
    );
    // A second run fetches no package.
    for server in [&*origins.registry, &origins.repositories, &origins.archives] {
        server.clear_requests();
    }
    let outcome = near.provender(&arguments);
    assert!(
        outcome.stdout.contains("kept 4 modules, kept 5 packages"),
        "{outcome}"
    );
    let is_package = |line: &String| line.contains(".zip") || line.contains("net.git");
    for server in [&*origins.registry, &origins.repositories, &origins.archives] {
        let lines = server.request_lines();
        assert!(!lines.iter().any(is_package), "{lines:?}");
    }

    drop(origins);
    drop(held);
    let include = fs::read_to_string(mirror.join("client/nginx.conf")).unwrap();
    let names = ["127.0.0.1".to_owned()];
    let server = Nginx::start(
        &program,
        &include,
        &names,
        port,
        &near.context.path("nginx"),
    );
    let mut far = TestContext::new(env!("CARGO_BIN_EXE_provender"));
    far.env("TF_CLI_CONFIG_FILE", mirror.join("client/terraform.rc"));
    far.env("GIT_CONFIG_GLOBAL", mirror.join("client/gitconfig"));
    far.env("SSL_CERT_FILE", ca.path());
    far.write("main.tf", &root);
    let init = far
        .terraform(["init", "-no-color", "-input=false"])
        .unwrap();
    let init = init.expect_code(0);
    let providers = far.terraform(["providers", "-no-color"]).unwrap();
    let providers = providers.expect_code(0);
    for name in PROVIDERS {
        assert!(init.stdout.contains(&format!("acme/{name}")), "{init}");
        assert!(
            providers.stdout.contains(&format!("acme/{name}")),
            "{providers}"
        );
    }
    // The module lock holds there, too.
    let lock = near.context.read(&format!("root/{MODULE_LOCK}"));
    far.write(MODULE_LOCK, &lock);
    far.run(["verify"]).expect_code(0);
    fs::remove_dir_all(far.work().join(".terraform/modules")).unwrap();
    far.run(["install", "--modules-only", "--locked"])
        .expect_code(0);
    far.run(["lock", "--modules-only", "--upgrade", "--check"])
        .expect_code(0);
    let errors = server.errors();
    assert!(
        !errors.contains("[emerg]") && !errors.contains("[warn]"),
        "{errors}"
    );
}
