//! Trees, and what is found in them.

use super::*;

struct Tree {
    top: tempfile::TempDir,
}

impl Tree {
    /// Files by their paths; configuration is given by the local modules that it calls.
    fn of(files: &[(&str, &[&str])]) -> Self {
        let tree = Self {
            top: tempfile::tempdir().unwrap(),
        };
        for (path, calls) in files {
            tree.write(path, calls);
        }
        tree
    }

    fn write(&self, path: &str, calls: &[&str]) {
        let path = self.top.path().join(path);
        let call = |(number, source): (usize, &&str)| {
            format!("module \"m{number}\" {{\n  source = \"{source}\"\n}}\n")
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, calls.iter().enumerate().map(call).collect::<String>()).unwrap();
    }

    fn search(&self, tool: Option<Tool>, data_dir: &str) -> RootModuleSearch {
        RootModuleSearch {
            top: self.top.path().to_owned(),
            tool,
            data_dir: data_dir.into(),
        }
    }

    fn names(&self) -> Vec<String> {
        let found = find_root_modules(&self.search(None, ".terraform")).unwrap();
        assert_eq!(found.warnings, [""; 0]);
        found.roots.into_iter().map(|root| root.name).collect()
    }
}

#[test]
fn configuration_that_nobody_calls_is_a_root_module() {
    let tree = Tree::of(&[
        ("a-b/main.tf", &[]),
        ("a/b/main.tf", &["../../modules/net"]),
        ("a/main.tf.json", &[]),
        ("modules/net/main.tf", &["./inner/", "./"]),
        (
            "modules/net/inner/main.tf",
            &["../../other", "acme/far/any"],
        ),
        ("modules/other/main.tf", &["../../none"]),
        ("notes/readme.md", &[]),
        ("d.tf/readme.md", &[]),
    ]);
    assert_eq!(tree.names(), ["a", "a/b", "a-b"]);
}

#[test]
fn lock_file_makes_a_root_module_in_any_case() {
    let tree = Tree::of(&[
        ("a/main.tf", &["../b"]),
        ("b/main.tf", &[]),
        ("c/.terraform.lock.hcl", &[]),
        ("e/.terraform.lock.hcl/main.tf", &[]),
    ]);
    assert_eq!(tree.names(), ["a", "c"]);
    tree.write("b/.terraform.lock.hcl", &[]);
    assert_eq!(tree.names(), ["a", "b", "c"]);
}

#[test]
fn top_is_one_unless_an_example_below_calls_it() {
    let tree = Tree::of(&[
        ("main.tf", &["./modules/net"]),
        ("modules/net/main.tf", &[]),
    ]);
    assert_eq!(tree.names(), ["."]);
    tree.write("examples/basic/main.tf", &["../.."]);
    assert_eq!(tree.names(), ["examples/basic"]);
}

#[test]
fn a_module_that_calls_itself_is_still_a_root_module() {
    assert_eq!(Tree::of(&[("a/main.tf", &["./"])]).names(), ["a"]);
}

#[test]
fn modules_of_broken_configuration_are_not_taken_for_root_modules() {
    let tree = Tree::of(&[("a/main.tf", &["../net"]), ("net/main.tf", &[])]);
    fs::write(tree.top.path().join("a/broken.tf"), "x {").unwrap();
    assert_eq!(tree.names(), ["a"]);
}

#[test]
fn hidden_and_data_directories_are_skipped() {
    let tree = Tree::of(&[
        ("a/main.tf", &[]),
        ("a/.terraform/modules/far/main.tf", &[]),
        (".git/main.tf", &[]),
        ("a/data/tf/modules/far/main.tf", &[]),
        ("data/main.tf", &[]),
    ]);
    let found = find_root_modules(&tree.search(None, "./data/tf")).unwrap();
    let names: Vec<_> = found.roots.iter().map(|root| root.name.as_str()).collect();
    assert_eq!(names, ["a", "data"]);
}

#[cfg(unix)]
#[test]
fn links_to_directories_are_not_followed() {
    let tree = Tree::of(&[("a/main.tf", &["./link/net"]), ("modules/net/main.tf", &[])]);
    let link = |to: &str, at: &str| {
        std::os::unix::fs::symlink(to, tree.top.path().join(at)).unwrap();
    };
    link("../modules", "a/link");
    link("..", "a/circle");
    let outside = Tree::of(&[("main.tf", &[])]);
    link(outside.top.path().to_str().unwrap(), "outside");
    assert_eq!(tree.names(), ["a"]);
}

#[test]
fn each_has_its_own_tool_unless_one_is_given() {
    let tree = Tree::of(&[("a/main.tf", &[]), ("b/main.tofu", &[])]);
    let tools = |tool| {
        let found = find_root_modules(&tree.search(tool, ".terraform")).unwrap();
        found
            .roots
            .iter()
            .map(|root| (root.name.clone(), root.tool))
            .collect::<Vec<_>>()
    };
    let (a, b) = ("a".to_owned(), "b".to_owned());
    let detected = [(a.clone(), Tool::Terraform), (b.clone(), Tool::Tofu)];
    assert_eq!(tools(None), detected);
    assert_eq!(tools(Some(Tool::Terraform)), detected[..1]);
    let forced = [(a, Tool::Tofu), (b, Tool::Tofu)];
    assert_eq!(tools(Some(Tool::Tofu)), forced);
}

#[test]
fn refuses_a_tree_too_deep() {
    let tree = Tree::of(&[(&format!("{}main.tf", "d/".repeat(MAX_DEPTH)), &[])]);
    assert_eq!(tree.names().len(), 1);
    tree.write(&format!("{}main.tf", "d/".repeat(MAX_DEPTH + 1)), &[]);
    let error = find_root_modules(&tree.search(None, ".terraform")).unwrap_err();
    assert!(matches!(error, RootModulesError::TooDeep { .. }), "{error}");
}

#[test]
fn refuses_a_tree_too_wide() {
    let tree = Tree::of(&[("a/main.tf", &[]), ("b/c/main.tf", &[])]);
    let search = tree.search(None, ".terraform");
    assert_eq!(find_among(&search, 4).unwrap().roots.len(), 2);
    let error = find_among(&search, 3).unwrap_err();
    assert!(matches!(error, RootModulesError::TooMany { .. }), "{error}");
}

#[test]
fn directory_that_cannot_be_read_is_told_unless_it_is_the_top() {
    let tree = Tree::of(&[("a/main.tf", &[])]);
    let search = tree.search(None, ".terraform");
    let mut walk = Walk::new(&search, MAX_DIRECTORIES);
    walk.visit(Path::new("gone")).unwrap();
    let expected = format!(
        "root modules there are left out: cannot read the directory `{}`: ",
        tree.top.path().join("gone").display()
    );
    assert!(walk.warnings[0].starts_with(&expected));
    let top = tree.top.path().join("gone");
    let error = find_root_modules(&RootModuleSearch { top, ..search }).unwrap_err();
    assert!(matches!(error, RootModulesError::Unreadable(_)), "{error}");
}

#[test]
fn tree_without_root_modules_is_an_error() {
    let tree = Tree::of(&[("a/readme.md", &[])]);
    let error = find_root_modules(&tree.search(None, ".terraform")).unwrap_err();
    assert!(matches!(error, RootModulesError::None { .. }), "{error}");
}
