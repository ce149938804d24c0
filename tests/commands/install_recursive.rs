//! `install --recursive`: which root modules there are, what each gets, and that nothing is fetched twice.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::scene::{HOST, LINUX, Scene, lock_header, module, shows, without_digests};
use crate::support::registry::paths;
use crate::support::{Outcome, ProviderSpec, tree};

/// Root modules `a` and `b/c`, which share `acme/net` 1.1.0, and of which the second has `acme/dns`, too.
fn two_roots() -> Scene {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .version("1.1.0")
        .version("2.0.0");
    let scene = Scene::of([net, ProviderSpec::new("acme/dns").version("1.0.0")]);
    scene.root_in("a", [("acme/net", "~> 1.0")]);
    scene.root_in("b/c", [("acme/net", "< 2.0.0"), ("acme/dns", "")]);
    scene
}

fn recursive<const N: usize>(scene: &Scene, arguments: [&str; N]) -> Outcome {
    let usual = ["install", "--recursive", "--platform", LINUX];
    scene.cx.run(usual.into_iter().chain(arguments))
}

/// How often each of these was asked for.
fn requests(scene: &Scene, paths: &[String]) -> Vec<usize> {
    let count = |path: &String| scene.registry.requests_for(path).len();
    paths.iter().map(count).collect()
}

/// Everything that the registry has of `acme/net` 1.1.0.
fn of_net() -> [String; 5] {
    [
        paths::versions("acme/net"),
        paths::download("acme/net", "1.1.0", LINUX),
        paths::sums("acme/net", "1.1.0"),
        paths::signature("acme/net", "1.1.0"),
        paths::archive("acme/net", "1.1.0", LINUX),
    ]
}

fn lock_file_in(scene: &Scene, dir: &str) -> Option<String> {
    fs::read_to_string(scene.cx.work().join(dir).join(".terraform.lock.hcl")).ok()
}

fn net_in(scene: &Scene, dir: &str) -> PathBuf {
    scene.installed_in(dir, "1.1.0", "")
}

#[test]
fn every_root_module_gets_its_packages_and_its_lock_file() {
    let scene = two_roots();
    shows(
        &recursive(&scene, ["-j1"]),
        "code: 0
--- stdout
a: installed 1 package (1.3 KiB)
b/c: installed 2 packages (2.7 KiB)
2 root modules: installed 3 packages (2.7 KiB)
--- stderr
installed `registry.example.test/acme/dns` 1.0.0 for `linux_amd64` in `b/c` (signed by [KEY], 1.3 KiB)
installed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` in `a` (signed by [KEY], 1.3 KiB)
installed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` in `b/c` (signed by [KEY], 1.3 KiB)
",
    );
    let header = lock_header("terraform");
    let expected = header.clone() + &scene.lock_block("acme/net", "1.1.0", "~> 1.0");
    assert_eq!(lock_file_in(&scene, "a"), Some(expected));
    let expected = header
        + &scene.lock_block("acme/dns", "1.0.0", "")
        + &scene.lock_block("acme/net", "1.1.0", "< 2.0.0");
    assert_eq!(lock_file_in(&scene, "b/c"), Some(expected));
    let of = |dir: &str| tree::tree_with_digests(&net_in(&scene, dir));
    assert!(!of("a").is_empty());
    assert_eq!(of("a"), of("b/c"));
}

#[test]
fn same_result_as_one_run_in_each() {
    let scene = two_roots();
    let all = |scene: &Scene| {
        let of = |dir: &str| tree::tree_with_digests(&scene.cx.work().join(dir));
        [of("a"), of("b")]
    };
    recursive(&scene, []).expect_code(0);
    let together = all(&scene);
    for dir in ["a", "b/c"] {
        scene.uninstall_in(dir);
        fs::remove_file(scene.cx.work().join(dir).join(".terraform.lock.hcl")).unwrap();
        scene.install_in(dir, []).expect_code(0);
    }
    assert_eq!(together, all(&scene));
}

#[test]
fn each_package_is_asked_for_once() {
    for arguments in [&[][..], &["--no-cache"], &["-j1", "--no-cache"]] {
        let scene = two_roots();
        for number in 0..12 {
            scene.root_in(&format!("more/{number}"), [("acme/net", "1.1.0")]);
        }
        let usual = ["install", "--recursive", "--platform", LINUX];
        let outcome = scene.cx.run(usual.iter().chain(arguments));
        let outcome = outcome.expect_code(0);
        assert_eq!(requests(&scene, &of_net()), [1; 5], "{outcome}");
        assert_eq!(scene.downloads("acme/dns", "1.0.0"), 1);
        for dir in ["a", "b/c", "more/11"] {
            assert!(net_in(&scene, dir).is_dir(), "{dir}");
        }
        // Nothing is left of the place where the package was kept meanwhile.
        for number in 0..12 {
            let names = scene.names(&format!("more/{number}/.terraform"));
            let is_left = |name: &String| !name.starts_with("providers/registry.example.test");
            assert!(!names.iter().any(is_left), "{names:?}");
        }
        let is_cached = !tree::names(&scene.cx.cache()).is_empty();
        assert_eq!(is_cached, arguments.is_empty());
    }
}

#[test]
fn jobs_bound_the_packages_of_all_root_modules_together() {
    let types = ["a", "b", "c", "d", "e", "f"];
    let provider = |ty: &str| ProviderSpec::new(&format!("acme/{ty}")).payload_size(500_000);
    let scene = Scene::of(types.map(|ty| provider(ty).version("1.0.0")));
    for ty in types {
        scene.root_in(ty, [(&format!("acme/{ty}"), "")]);
    }
    recursive(&scene, ["-j1"]).expect_code(0);
    // One archive, while the sums of another package and their signature are asked for.
    let peak = scene.registry.peak_requests();
    assert!(peak <= 3, "{peak}");
}

#[test]
fn one_data_directory_may_serve_all() {
    for option in ["--no-progress", "--no-cache"] {
        let mut scene = two_roots();
        let data = scene.cx.work().join("data");
        scene.cx.env("TF_DATA_DIR", &data);
        scene.cx.write("data/modules/far/main.tf", "");
        recursive(&scene, [option]).expect_code(0);
        let outcome = recursive(&scene, [option]).expect_code(0);
        let expected = "a: kept 1 package\nb/c: kept 2 packages\n";
        assert!(outcome.stdout.starts_with(expected), "{outcome}");
        assert!(data.join("providers").join(HOST).is_dir());
    }
}

#[test]
fn second_run_keeps_everything_and_asks_for_nothing() {
    for option in ["--no-progress", "--no-cache"] {
        let scene = two_roots();
        recursive(&scene, [option]).expect_code(0);
        scene.registry.clear_requests();
        shows(
            &recursive(&scene, [option]),
            "code: 0
--- stdout
a: kept 1 package
b/c: kept 2 packages
2 root modules: kept 3 packages
--- stderr
",
        );
        assert_eq!(scene.registry.request_lines(), [""; 0]);
    }
}

#[test]
fn what_is_missing_in_one_comes_from_the_cache() {
    let scene = two_roots();
    recursive(&scene, []).expect_code(0);
    scene.uninstall_in("b/c");
    scene.registry.clear_requests();
    shows(
        &recursive(&scene, ["--offline", "-j1"]),
        "code: 0
--- stdout
a: kept 1 package
b/c: installed 2 packages (2.7 KiB)
2 root modules: installed 2 packages (2.7 KiB), kept 1 package
--- stderr
installed `registry.example.test/acme/dns` 1.0.0 for `linux_amd64` in `b/c` (signed by [KEY], 1.3 KiB)
installed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` in `b/c` (signed by [KEY], 1.3 KiB)
",
    );
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}

#[test]
fn failing_root_module_does_not_stop_the_others() {
    let scene = two_roots();
    scene.root_in("b/c", [("acme/net", "1.1.0"), ("acme/none", "")]);
    scene.cx.write("d/main.tf", "x {");
    scene.root_in("e", [("acme/net", ">= 9.0.0")]);
    shows(
        &recursive(&scene, []),
        "code: 12
--- stdout
a: installed 1 package (1.3 KiB)
b/c: 1 failure
d: 1 failure
e: 1 failure
4 root modules: installed 1 package (1.3 KiB), 3 failures
--- stderr
installed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` in `a` (signed by [KEY], 1.3 KiB)
error: cannot install the root module `b/c`
  caused by: cannot find the versions of `registry.example.test/acme/none`
  caused by: the registry of `registry.example.test` has no provider `registry.example.test/acme/none` (404 from `https://localhost:[PORT]/v1/providers/acme/none/versions`)

hint: check the address; a private registry may also hide `registry.example.test/acme/none` from requests without a token
error: cannot install the root module `d`
  caused by: the configuration in `[TEMP]/place/d` is invalid
  [TEMP]/place/d/main.tf:1:4: syntax error: invalid block body; expected `}`, newline or identifier
error: cannot install the root module `e`
  caused by: no version of `registry.example.test/acme/net` meets `>= 9.0.0`

hint: the newest version offered is 2.0.0; list all with `provender versions registry.example.test/acme/net`
",
    );
    assert!(lock_file_in(&scene, "a").is_some());
    assert_eq!(lock_file_in(&scene, "b/c"), None);
    assert!(!net_in(&scene, "b/c").exists(), "all packages or none");
}

#[test]
fn package_that_fails_is_tried_once_and_told_for_each_root_module() {
    for option in ["--no-progress", "--no-cache"] {
        let net = ProviderSpec::new("acme/net").version("1.1.0").tampered();
        let dns = ProviderSpec::new("acme/dns").version("1.0.0");
        let scene = Scene::of([net, dns]);
        scene.root_in("a", [("acme/net", ""), ("acme/dns", "")]);
        scene.root_in("b", [("acme/net", "")]);
        scene.root_in("c", [("acme/dns", "")]);
        let outcome = recursive(&scene, ["-j1", option]);
        let reason = "  caused by: cannot install `registry.example.test/acme/net` 1.1.0 for `linux_amd64`
  caused by: the archive has SHA-256 `[DIGEST]`, expected is `[DIGEST]`

hint: somebody on the way, such as a proxy or an artifact store, may have changed the package; if it stays so, tell those who run the source
";
        let expected = format!(
            "code: 10
--- stdout
a: installed 1 package (1.3 KiB), 1 failure
b: 1 failure
c: installed 1 package (1.3 KiB)
3 root modules: installed 2 packages (1.3 KiB), 2 failures
--- stderr
installed `registry.example.test/acme/dns` 1.0.0 for `linux_amd64` in `a` (signed by [KEY], 1.3 KiB)
installed `registry.example.test/acme/dns` 1.0.0 for `linux_amd64` in `c` (signed by [KEY], 1.3 KiB)
failed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` in `a`
failed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` in `b`
error: cannot install the root module `a`
{reason}error: cannot install the root module `b`
{reason}"
        );
        shows(&without_digests(&outcome), &expected);
        assert_eq!(scene.downloads("acme/net", "1.1.0"), 1);
        assert_eq!(lock_file_in(&scene, "a"), None);
        assert!(lock_file_in(&scene, "c").is_some());
    }
}

#[test]
fn failure_of_one_root_module_alone_is_not_that_of_the_next() {
    let scene = two_roots();
    let other = scene.registry.zh("acme/net", "2.0.0", LINUX);
    let locked = format!(
        "{}\nprovider \"{HOST}/acme/net\" {{\n  version = \"1.1.0\"\n  hashes = [\n    \"{other}\",\n  ]\n}}\n",
        lock_header("terraform")
    );
    scene.cx.write("a/.terraform.lock.hcl", &locked);
    let outcome = recursive(&scene, ["--no-cache"]).expect_code(10);
    assert!(
        outcome.stdout.contains("a: 1 failure\nb/c: installed 2"),
        "{outcome}"
    );
    assert_eq!(scene.downloads("acme/net", "1.1.0"), 1, "{outcome}");
    assert_eq!(lock_file_in(&scene, "a"), Some(locked));
}

#[test]
fn locked_holds_for_each_root_module() {
    let scene = two_roots();
    scene.install_in("a", []).expect_code(0);
    scene.uninstall_in("a");
    let outcome = recursive(&scene, ["--locked"]);
    shows(
        &outcome,
        "code: 11
--- stdout
a: installed 1 package (1.3 KiB)
b/c: 1 failure
2 root modules: installed 1 package (1.3 KiB), 1 failure
--- stderr
installed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` in `a` (signed by [KEY], 1.3 KiB)
error: cannot install the root module `b/c`
  caused by: the lock file `[TEMP]/place/b/c/.terraform.lock.hcl` does not fit the configuration: `registry.example.test/acme/dns` is not locked; `registry.example.test/acme/net` is not locked

hint: run `provender install` without `--locked`, with `--upgrade` where a version has to change, and commit the lock file
",
    );
    assert_eq!(lock_file_in(&scene, "b/c"), None);
}

#[test]
fn upgrade_asks_once_for_all() {
    let scene = two_roots();
    scene.root_in("a", [("acme/net", "1.0.0")]);
    scene.root_in("b/c", [("acme/net", "1.0.0")]);
    recursive(&scene, []).expect_code(0);
    scene.root_in("a", [("acme/net", "~> 1.0")]);
    scene.root_in("b/c", [("acme/net", "")]);
    scene.registry.clear_requests();
    recursive(&scene, []).expect_code(0);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    recursive(&scene, ["--upgrade"]).expect_code(0);
    assert_eq!(scene.registry.requests_for(&of_net()[0]).len(), 1);
    for (dir, version) in [("a", "1.1.0"), ("b/c", "2.0.0")] {
        let lock_file = lock_file_in(&scene, dir).unwrap();
        assert!(lock_file.contains(&format!("\"{version}\"")), "{lock_file}");
    }
}

#[test]
fn called_hidden_and_linked_directories_are_no_root_modules() {
    let scene = two_roots();
    let call = "module \"near\" {\n  source = \"../modules/near\"\n}\n";
    scene.cx.write("a/main.tf", call);
    let inner = "module \"inner\" {\n  source = \"./inner\"\n}\n";
    scene.cx.write("modules/near/main.tf", inner);
    let net = module([("acme/net", "1.1.0")]);
    scene.cx.write("modules/near/inner/main.tf", &net);
    scene.cx.write(".hidden/main.tf", &net);
    scene.cx.write("a/.terraform/modules/x/main.tf", &net);
    #[cfg(unix)]
    std::os::unix::fs::symlink("b", scene.cx.work().join("link")).unwrap();
    let outcome = recursive(&scene, []).expect_code(0);
    assert_eq!(
        outcome.stdout,
        "a: installed 1 package (1.3 KiB)
b/c: installed 2 packages (2.7 KiB)
2 root modules: installed 3 packages (2.7 KiB)
"
    );
    assert!(net_in(&scene, "a").is_dir(), "the local module counts");
    assert_eq!(lock_file_in(&scene, "modules/near"), None);
}

#[test]
fn directory_of_chdir_is_a_root_module_too() {
    let scene = two_roots();
    scene.root_in("b", [("acme/net", "1.1.0")]);
    let outcome = recursive(&scene, ["--chdir", "b"]).expect_code(0);
    let expected = ".: installed 1 package (1.3 KiB)\nc: installed 2 packages";
    assert!(outcome.stdout.starts_with(expected), "{outcome}");
    assert_eq!(lock_file_in(&scene, "a"), None);
}

#[test]
fn each_root_module_has_the_tool_that_it_is_written_for() {
    let scene = two_roots();
    scene
        .cx
        .write("t/main.tofu", module([("acme/net", "1.1.0")]));
    let outcome = recursive(&scene, ["--no-cache"]).expect_code(0);
    let header = |dir: &str| {
        let text = lock_file_in(&scene, dir).unwrap();
        text.lines().next().map(str::to_owned)
    };
    let first = |tool: &str| lock_header(tool).lines().next().map(str::to_owned);
    assert_eq!(header("a"), first("terraform"));
    assert_eq!(header("t"), first("tofu"));
    // Each tool has its own rules for what a registry says, but bytes are bytes.
    assert_eq!(scene.downloads("acme/net", "1.1.0"), 1, "{outcome}");
    let tofu = recursive(&scene, ["--tool", "terraform"]).expect_code(1);
    assert!(
        tofu.stderr
            .contains("`[TEMP]/place/t` holds no configuration"),
        "{tofu}"
    );
}

#[test]
fn json_tells_the_root_module_of_each_package() {
    let scene = two_roots();
    scene.cx.write("d/main.tf", "x {");
    let document = recursive(&scene, ["--json"]).expect_code(1).json();
    let packages = document["packages"].as_array().unwrap();
    let told = |package: &serde_json::Value| {
        let member = |name: &str| package[name].as_str().unwrap().to_owned();
        [member("root"), member("address"), member("action")]
    };
    let told: Vec<_> = packages.iter().map(told).collect();
    let (net, dns) = (format!("{HOST}/acme/net"), format!("{HOST}/acme/dns"));
    assert_eq!(
        told,
        [
            ["a", &net, "installed"],
            ["b/c", &dns, "installed"],
            ["b/c", &net, "installed"],
        ]
    );
    let size = |index: usize| packages[index]["size"].as_u64().unwrap();
    assert_eq!(document["summary"]["bytes"], size(1) + size(2), "each once");
    let roots = document["roots"].as_array().unwrap();
    let counts = roots.iter().map(|root| {
        let count = |name: &str| root["summary"][name].as_u64().unwrap();
        json!([
            root["root"],
            root["tool"],
            count("installed"),
            count("failed")
        ])
    });
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [
            json!(["a", "terraform", 1, 0]),
            json!(["b/c", "terraform", 2, 0]),
            json!(["d", "terraform", 0, 1]),
        ]
    );
    assert_eq!(roots[2]["errors"][0], document["error"]);
    assert_eq!(
        document["error"]["message"],
        "cannot install the root module `d`"
    );
    assert_eq!(document["summary"]["installed"], 3);
    assert_eq!(document["summary"]["failed"], 1);
    // Without `--recursive` nothing is new.
    let document = scene.install_in("a", ["--json"]).expect_code(0).json();
    assert!(document.get("roots").is_none());
    assert!(document["packages"][0].get("root").is_none());
}

#[test]
fn tree_without_root_modules_is_told() {
    let scene = Scene::usual();
    scene.cx.write("notes/readme.md", "");
    shows(
        &recursive(&scene, []),
        "code: 1
--- stdout
--- stderr
error: there is no root module in `[TEMP]/place` or below

hint: a root module is a directory with `*.tf` files or a lock file: name a directory above some with `--chdir DIR`
",
    );
}

#[cfg(unix)]
#[test]
fn unreadable_directory_is_told_and_the_rest_installed() {
    use std::os::unix::fs::PermissionsExt;

    let scene = two_roots();
    let closed = scene.cx.work().join("b/c");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let is_open = fs::read_dir(&closed).is_ok();
    let outcome = recursive(&scene, []);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    if is_open {
        return; // Nothing is closed to this user.
    }
    shows(
        &outcome,
        "code: 0
--- stdout
a: installed 1 package (1.3 KiB)
1 root module: installed 1 package (1.3 KiB)
--- stderr
warning: root modules there are left out: cannot read the directory `[TEMP]/place/b/c`: Permission denied (os error 13)
installed `registry.example.test/acme/net` 1.1.0 for `linux_amd64` in `a` (signed by [KEY], 1.3 KiB)
",
    );
}

#[test]
fn addresses_and_recursive_exclude_each_other() {
    let scene = Scene::usual();
    recursive(&scene, ["acme/net"]).expect_code(2);
}

#[test]
fn warning_about_a_provider_is_given_once() {
    let net = ProviderSpec::new("acme/net")
        .version("1.1.0")
        .warning("old");
    let scene = Scene::of([net]);
    scene.root_in("a", [("acme/net", "")]);
    scene.root_in("b", [("acme/net", "")]);
    let outcome = recursive(&scene, []).expect_code(0);
    assert_eq!(outcome.stderr.matches("warning:").count(), 1, "{outcome}");
}
