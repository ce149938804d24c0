//! The lock file after `provender install` is the one that `terraform init` and `terraform providers lock` write.

use crate::support::TestRegistry;

use super::scene::{HOST, IDN_HOST, Scene, configuration, provider};

/// Constraints of the root module and of a local module, empty where there is none.
const CONSTRAINTS: [(&str, &str); 15] = [
    ("", ""),
    ("~> 1", ""),
    ("~> 1.0", ""),
    ("~> 1.2.0", ""),
    (">= 1.0, < 2", ""),
    (">=1.0,<2", ""),
    ("!= 2.1.0", ""),
    ("!= 2.1, != 1.2.3, >= 0.9.0", ""),
    ("1.2.3", ""),
    ("= 1.2", ""),
    ("2.2.0-Beta1", ""),
    ("1.1.0+b1", ""),
    ("~> 1.0", "~> 1.0.0"),
    (">= 1", ">= 1.0.0, >= 1.0"),
    ("<= 2.0, > 1", "~> 1.2, !=1.2.3"),
];

fn registry() -> TestRegistry {
    let versions = [
        "0.9.0",
        "1.0.0",
        "1.0.4",
        "1.1.0+b1",
        "1.2.0",
        "1.2.3",
        "2.0.0",
        "2.1.0",
        "2.2.0-Beta1",
    ];
    let net = versions
        .iter()
        .fold(provider("acme/net"), |net, version| net.version(version));
    TestRegistry::of([net, provider("acme/dns").version("2.0.0")])
}

#[test]
fn lock_file_is_the_one_that_terraform_writes() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    let source = format!("{HOST}/acme/net");
    for (number, (of_root, of_module)) in CONSTRAINTS.iter().enumerate() {
        let dirs = ["install", "init", "lock"].map(|verb| format!("{verb}{number}"));
        for dir in &dirs {
            let call = "module \"m\" {\n  source = \"./m\"\n}\n";
            scene.context.write(
                &format!("{dir}/main.tf"),
                configuration(&[(&source, of_root)]) + call,
            );
            scene.context.write(
                &format!("{dir}/m/main.tf"),
                configuration(&[(&source, of_module)]),
            );
        }
        let [ours, theirs, locked] = dirs;
        scene.install(&ours);
        scene
            .terraform(&theirs, &["init", "-no-color"])
            .expect_code(0);
        // Local modules must be known before providers can be locked.
        scene.terraform(&locked, &["get"]).expect_code(0);
        scene
            .terraform(&locked, &["providers", "lock"])
            .expect_code(0);
        let case = format!("`{of_root}` and `{of_module}`");
        assert_eq!(scene.lock(&ours), scene.lock(&theirs), "{case}: init");
        assert_eq!(
            scene.lock(&ours),
            scene.lock(&locked),
            "{case}: providers lock"
        );
    }
}

/// Texts at the edge of the language: what matters is that both programs take or refuse them.
const EDGES: [&str; 15] = [
    ">=1.0,<2,",
    ",>= 1",
    "v1.0.0",
    "= v1.0.0",
    "1.0.0.0",
    ">= 1.0.0-beta",
    "~> 1.2.0-beta1",
    "*",
    "1.x",
    ">=  1.0",
    "  >= 1.0  ",
    "=1.0.0 ",
    "== 1.0.0",
    "^1.0.0",
    "01.0.0",
];

#[test]
fn constraints_at_the_edge_are_taken_or_refused_as_by_terraform() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    let source = format!("{HOST}/acme/net");
    for (number, constraints) in EDGES.iter().enumerate() {
        let dirs = ["install", "init"].map(|verb| format!("{verb}{number}"));
        for dir in &dirs {
            scene.root(dir, &[(&source, constraints)]);
        }
        let [ours, theirs] = dirs;
        let install = scene.context.run(["-C", &ours, "install"]);
        let init = scene.terraform(&theirs, &["init", "-no-color"]);
        let report = format!("`{constraints}`\n{install}\n{init}");
        assert_eq!(install.code == 0, init.code == 0, "{report}");
        assert_eq!(scene.lock(&ours), scene.lock(&theirs), "{report}");
    }
}

#[test]
fn several_providers_are_locked_in_the_same_order() {
    let registry = registry();
    let Some(scene) = Scene::beside(&registry) else {
        return;
    };
    let sources = [
        (IDN_HOST, "net"),
        (HOST, "net"),
        (IDN_HOST, "dns"),
        (HOST, "dns"),
    ];
    let sources = sources.map(|(host, ty)| format!("{host}/acme/{ty}"));
    let requirements: Vec<(&str, &str)> = sources
        .iter()
        .map(|source| (source.as_str(), "> 0.1"))
        .collect();
    for dir in ["install", "lock"] {
        scene.root(dir, &requirements);
    }
    scene.install("install");
    scene
        .terraform("lock", &["providers", "lock"])
        .expect_code(0);
    assert_eq!(scene.lock("install"), scene.lock("lock"));
}
