//! Trees of modules, and those of strangers.

use super::*;

fn write(dir: &std::path::Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn call(name: &str, source: &str) -> String {
    format!("module \"{name}\" {{\n  source = \"{source}\"\n}}\n")
}

/// Walks; what is not local is found in the directory `modules/KEY`, if that is there.
fn walk(files: &[(&str, &str)], tool: Tool) -> ModuleWalk {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    let mut walk = ModuleWalk::start(dir.path(), tool, &StaticInputs::of_root()).unwrap();
    walk.run(|open| {
        let found = format!("modules/{}", open.key);
        dir.path().join(&found).is_dir().then_some((found, None))
    });
    walk
}

fn keys(walk: &ModuleWalk) -> Vec<&str> {
    walk.modules.keys().map(String::as_str).collect()
}

#[test]
fn local_and_fetched_modules_make_one_tree() {
    let root = call("net", "./net") + &call("far", "acme/far/any") + &call("gone", "acme/gone/any");
    let walk = walk(
        &[
            ("main.tf", &root),
            ("net/main.tf", &call("deep", "../deep")),
            ("deep/main.tf", "provider \"a\" {}\n"),
            ("modules/far/main.tf", &call("inner", "./inner")),
            (
                "modules/far/inner/main.tf",
                "provider \"b\" {\n  version = \"~> 1.0\"\n}\n",
            ),
        ],
        Tool::Terraform,
    );
    assert_eq!(keys(&walk), ["", "far", "far.inner", "net", "net.deep"]);
    assert_eq!(walk.modules["net.deep"].dir, "deep");
    assert_eq!(walk.modules["far.inner"].dir, "modules/far/inner");
    let required: Vec<String> = walk
        .requirements()
        .iter()
        .map(|(addr, constraints)| format!("{addr} {constraints}"))
        .collect();
    assert_eq!(
        required,
        [
            "registry.terraform.io/hashicorp/a ",
            "registry.terraform.io/hashicorp/b ~> 1.0"
        ]
    );
    assert!(walk.failures.is_empty(), "{:?}", walk.failures);
}

#[test]
fn refuses_modules_that_call_each_other_in_a_circle() {
    for files in [
        vec![("main.tf", call("a", "./"))],
        vec![
            ("main.tf", call("a", "./a")),
            ("a/main.tf", call("b", "../a")),
        ],
        vec![
            ("main.tf", call("a", "acme/a/any")),
            ("modules/a/main.tf", call("b", "acme/a/any")),
            ("modules/a.b/main.tf", String::new()),
        ],
        vec![
            ("main.tf", call("a", "acme/a/any")),
            ("modules/a/main.tf", call("b", "./b")),
            ("modules/a/b/main.tf", call("c", "acme/a/any")),
        ],
    ] {
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(name, text)| (*name, text.as_str()))
            .collect();
        let walk = walk(&files, Tool::Terraform);
        let problem = &walk.failures[0].problem;
        assert!(matches!(problem, ModuleProblem::Cycle(_)), "{problem}");
    }
}

#[test]
fn refuses_circles_that_change_their_source() {
    let deeper = "variable \"n\" {\n  default = \"\"\n}\nmodule \"m\" {\n  source = \"acme/m/any//x${var.n}\"\n  n = \"${var.n}x\"\n}\n";
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[("main.tf", deeper)]);
    let mut walk = ModuleWalk::start(dir.path(), Tool::Tofu, &StaticInputs::of_root()).unwrap();
    let mut turn = 0;
    walk.run(|_| {
        turn += 1;
        write(dir.path(), &[(&format!("m{turn}/main.tf"), deeper)]);
        Some((format!("m{turn}"), None))
    });
    assert!(matches!(
        walk.failures[0].problem,
        ModuleProblem::TooDeep(_)
    ));
    assert_eq!(walk.modules.len(), MAX_DEPTH + 1);
}

#[test]
fn one_call_that_fails_stops_no_other() {
    let root = call("a", "./nope")
        + &call("b", "no module")
        + &call("c", "./c")
        + &call("d", "./d")
        + "variable \"v\" {}\nmodule \"e\" {\n  source = var.v\n}\n";
    let walk = walk(
        &[("main.tf", &root), ("c/main.tf", ""), ("d/main.tf", "x {")],
        Tool::Tofu,
    );
    assert_eq!(keys(&walk), ["", "c"]);
    let mut told: Vec<String> = walk
        .failures
        .iter()
        .map(|failure| format!("{} {}", failure.key, failure.place.line))
        .collect();
    told.sort();
    assert_eq!(told, ["a 1", "b 4", "d 10", "e 14"]);
}

#[test]
fn values_are_passed_down_through_calls() {
    let root = "locals {\n  base = { dir = \"./mods\" }\n}\nmodule \"a\" {\n  source = \"${local.base.dir}/a\"\n  which = \"b\"\n}\n";
    let a = "variable \"which\" {}\nmodule \"b\" {\n  source = var.which == \"b\" ? \"./${lower(\"B\")}\" : \"./x\"\n}\n";
    let files = [
        ("main.tf", root),
        ("mods/a/main.tf", a),
        ("mods/a/b/main.tf", ""),
    ];
    assert_eq!(keys(&walk(&files, Tool::Tofu)), ["", "a", "a.b"]);
    // Terraform evaluates locals from its release 1.15 on, and no functions for us.
    assert_eq!(keys(&walk(&files, Tool::Terraform)), ["", "a"]);
}
