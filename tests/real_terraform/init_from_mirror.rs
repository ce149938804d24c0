//! `terraform init` on the far side of an air gap, from mirrors that `provender mirror` filled.

use crate::support::{TestRegistry, TestServer, tree};

use super::scene::{FOREIGN, HOST, IDN_HOST, Scene, current, is_archive, lock_text, provider};

/// A provider to mirror, and what a configuration says to get this version.
struct Case {
    host: &'static str,
    version: &'static str,
    constraint: &'static str,
}

const CASES: [Case; 6] = [
    Case {
        host: HOST,
        version: "1.2.0",
        constraint: "~> 1.2",
    },
    Case {
        host: HOST,
        version: "1.3.0-Beta1",
        constraint: "1.3.0-Beta1",
    },
    Case {
        host: HOST,
        version: "1.3.0-rc.1",
        constraint: "1.3.0-rc.1",
    },
    Case {
        host: HOST,
        version: "1.1.0+b1",
        constraint: "1.1.0+b1",
    },
    Case {
        host: HOST,
        version: "1.1.0-RC.1+B.7",
        constraint: "1.1.0-RC.1+B.7",
    },
    Case {
        host: IDN_HOST,
        version: "1.3.0-Beta1",
        constraint: "1.3.0-Beta1",
    },
];

impl Case {
    fn source(&self) -> String {
        format!("{}/acme/net", self.host)
    }
}

fn registry() -> TestRegistry {
    let versions = [
        "1.0.0",
        "1.1.0+b1",
        "1.1.0-RC.1+B.7",
        "1.2.0",
        "1.3.0-Beta1",
        "1.3.0-rc.1",
    ];
    let net = versions
        .iter()
        .fold(provider("acme/net"), |net, version| net.version(version));
    TestRegistry::of([net])
}

/// Mirrors all cases for all platforms into `mirror`, writes a root module for each, and stops the registry. Returns
/// the expected lock files, with hashes for these platforms.
fn filled(scene: &Scene, registry: TestRegistry, platforms: &[String]) -> Vec<String> {
    let mut arguments = vec!["mirror".to_owned(), "--to".to_owned(), "mirror".to_owned()];
    for case in &CASES {
        arguments.push(format!("{}@{}", case.source(), case.constraint));
    }
    for platform in [current().as_str(), FOREIGN[0], FOREIGN[1]] {
        arguments.extend(["--platform".to_owned(), platform.to_owned()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    scene.provender(&arguments);
    let mut locks = Vec::new();
    for (number, case) in CASES.iter().enumerate() {
        let source = case.source();
        scene.root(&number.to_string(), &[(&source, case.constraint)]);
        let h1 = |platform: &String| registry.h1("acme/net", case.version, platform);
        let mut hashes: Vec<String> = platforms.iter().map(h1).collect();
        hashes.sort();
        locks.push(lock_text(&source, case.version, case.constraint, &hashes));
    }
    drop(registry);
    locks
}

fn filesystem_mirror(scene: &mut Scene) {
    let path = scene.context.work().join("mirror");
    scene.only(&format!(
        "filesystem_mirror {{ path = \"{}\" }}",
        path.display()
    ));
}

fn network_mirror(scene: &mut Scene) -> TestServer {
    let server = TestServer::of_directory(&scene.context.work().join("mirror"));
    scene.only(&format!(
        "network_mirror {{ url = \"{}\" }}",
        server.url("/")
    ));
    server
}

fn assert_init_gives(scene: &Scene, locks: &[String]) {
    for (number, lock) in locks.iter().enumerate() {
        let dir = number.to_string();
        scene.init(&dir);
        assert_eq!(&scene.lock(&dir), lock, "case {number}");
    }
}

#[test]
fn filesystem_mirror_serves_every_kind_of_version_and_host() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let locks = filled(&scene, registry, &[current()]);
    filesystem_mirror(&mut scene);
    assert_init_gives(&scene, &locks);
}

#[test]
fn network_mirror_serves_every_kind_of_version_and_host() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let locks = filled(&scene, registry, &[current()]);
    let _server = network_mirror(&mut scene);
    assert_init_gives(&scene, &locks);
}

#[test]
fn mirrors_serve_every_platform() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    let platforms = [current(), FOREIGN[0].to_owned(), FOREIGN[1].to_owned()];
    let locks = filled(&scene, registry, &platforms);
    let server = TestServer::of_directory(&scene.context.work().join("mirror"));
    let mirrors = [
        format!("-net-mirror={}", server.url("/")),
        format!(
            "-fs-mirror={}",
            scene.context.work().join("mirror").display()
        ),
    ];
    for mirror in mirrors {
        for (number, lock) in locks.iter().enumerate() {
            let dir = number.to_string();
            let mut arguments = vec!["providers".to_owned(), "lock".to_owned(), mirror.clone()];
            arguments.extend(
                platforms
                    .iter()
                    .map(|platform| format!("-platform={platform}")),
            );
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            scene.terraform(&dir, &arguments).expect_code(0);
            assert_eq!(&scene.lock(&dir), lock, "case {number}, {mirror}");
            std::fs::remove_file(scene.lock_path(&dir)).expect("it was just read");
        }
    }
}

#[test]
fn mirror_of_all_versions_gives_the_version_that_the_registry_would() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let source = format!("{HOST}/acme/net");
    scene.provender(&[
        "mirror",
        &source,
        "--all-versions",
        "--include-prereleases",
        "--to",
        "mirror",
    ]);
    let constraints = ["", "< 1.2", "~> 1.0", "1.1.0+b1", ">= 1.0, != 1.2"];
    for (number, constraint) in constraints.iter().enumerate() {
        for side in ["near", "far", "farther"] {
            scene.root(&format!("{side}{number}"), &[(&source, constraint)]);
        }
        scene.init(&format!("near{number}"));
    }
    filesystem_mirror(&mut scene);
    for number in 0..constraints.len() {
        scene.init(&format!("far{number}"));
    }
    let _server = network_mirror(&mut scene);
    for (number, constraint) in constraints.iter().enumerate() {
        scene.init(&format!("farther{number}"));
        let version = |side: &str| {
            let lock = scene.lock(&format!("{side}{number}"));
            let lines = lock.lines().filter(|line| !line.contains("\"zh:"));
            lines.collect::<Vec<_>>().join("\n")
        };
        assert_eq!(version("far"), version("near"), "{constraint}");
        assert_eq!(version("farther"), version("near"), "{constraint}");
    }
}

#[test]
fn lock_file_of_the_near_side_holds_on_the_far_side() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    scene.root("near", &[(&format!("{HOST}/acme/net"), "~> 1.0")]);
    scene.init("near");
    let lock = scene.lock("near");
    scene.provender(&[
        "mirror",
        "--lock",
        "near/.terraform.lock.hcl",
        "--to",
        "mirror",
    ]);
    drop(registry);
    filesystem_mirror(&mut scene);
    std::fs::remove_dir_all(scene.context.work().join("near/.terraform")).expect("init made it");
    scene.init("near");
    assert_eq!(scene.lock("near"), lock);
    let _server = network_mirror(&mut scene);
    std::fs::remove_dir_all(scene.context.work().join("near/.terraform")).expect("init made it");
    scene.init("near");
    assert_eq!(scene.lock("near"), lock);
}

#[test]
fn filesystem_mirror_serves_a_host_with_a_port() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let source = format!("{}/acme/net", registry.host());
    scene.root("a", &[(&source, "~> 1.2")]);
    let outcome = scene.provender(&["mirror", "--root", "a", "--to", "mirror"]);
    assert!(outcome.stderr.contains("port"), "{outcome}");
    let h1 = registry.h1("acme/net", "1.2.0", &current());
    drop(registry);
    filesystem_mirror(&mut scene);
    scene.init("a");
    assert_eq!(
        scene.lock("a"),
        lock_text(&source, "1.2.0", "~> 1.2", &[h1])
    );
}

#[test]
fn leftovers_of_a_killed_run_disturb_nobody() {
    let registry = registry();
    let Some(mut scene) = Scene::beside(&registry) else {
        return;
    };
    let locks = filled(&scene, registry, &[current()]);
    let names = tree::names(&scene.context.work().join("mirror"));
    for archive in names.iter().filter(|name| is_archive(name)) {
        let (dir, _) = archive.rsplit_once('/').expect("archives lie deeper");
        scene
            .context
            .write(&format!("mirror/{dir}/.provender-aB3dE6gH9j.tmp"), "half");
        scene.context.write(
            &format!("mirror/{dir}/.provender-bB3dE6gH9j.tmp/half"),
            "half",
        );
    }
    filesystem_mirror(&mut scene);
    assert_init_gives(&scene, &locks);
}
