//! Many processes, and modules of one root module or of one source.

use super::module_scene::ModuleScene;
use crate::support::tree;

#[test]
fn several_at_once_in_one_root_module_leave_what_one_would() {
    let scene = ModuleScene::new();
    let repository = scene.repository("net");
    let names = ["a", "b", "c", "d"].map(|name| format!("m/{name}.tf"));
    let files = names.each_ref().map(|name| (name.as_str(), "# x\n"));
    repository.commit(files, "v1");
    let source = repository.source("//m?ref=v1");
    let calls = ["c1", "c2", "c3", "c4", "c5", "c6"].map(|name| (name, source.as_str()));
    for dir in ["one", "many"] {
        scene.root(dir, calls);
    }
    scene.install("one", ["--no-cache"]).expect_code(0);
    scene.requests();
    let arguments = ["install", "--modules-only", "--no-cache", "-C", "many"];
    let running = [(); 4].map(|()| scene.scene.cx.spawn(arguments));
    for process in running {
        process.wait().expect_code(0);
    }
    let of = |dir: &str| {
        let mut names = tree::tree(&scene.installed(dir, ""));
        names.retain(|line| !line.contains(".git/") && !line.starts_with("modules.json"));
        names
    };
    assert_eq!(of("many"), of("one"));
    assert_eq!(
        scene.content("many", "modules.json"),
        scene.content("one", "modules.json")
    );
    // Who came later found everything in place.
    let clones = scene.requests();
    let clones = clones.iter().filter(|line| line.contains("/info/refs"));
    assert_eq!(clones.count(), 1);
}

#[test]
fn several_at_once_in_root_modules_of_their_own_share_one_cache() {
    let scene = ModuleScene::new();
    let repository = scene.repository("net");
    repository.commit([("main.tf", "# x\n")], "v1");
    let source = repository.source("?ref=v1");
    let roots = ["r1", "r2", "r3", "r4"];
    for root in roots {
        scene.root(root, [("x", &source)]);
    }
    let start = |root| {
        scene
            .scene
            .cx
            .spawn(["install", "--modules-only", "-C", root])
    };
    for process in roots.map(start) {
        process.wait().expect_code(0);
    }
    for root in roots {
        assert_eq!(scene.content(root, "x/main.tf"), "# x\n");
    }
    scene.scene.run(["cache", "verify"]).expect_code(0);
    let names = tree::names(&scene.scene.cx.cache());
    assert!(
        !names.iter().any(|name| name.contains(".provender-")),
        "{names:?}"
    );
}
