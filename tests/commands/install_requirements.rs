//! `install` and what counts as required: modules, state, unused entries.

use serde_json::json;

use super::scene::{HOST, Scene, lock_header, module, shows};
use crate::support::ProviderSpec;

fn two_providers() -> Scene {
    let net = ProviderSpec::new("acme/net")
        .version("1.0.0")
        .version("2.0.0");
    let dns = ProviderSpec::new("acme/dns").version("1.0.0");
    Scene::of([net, dns])
}

/// The addresses in the lock file, without host.
fn locked(scene: &Scene) -> Vec<String> {
    let text = scene.lock_file().unwrap_or_default();
    let start = format!("provider \"{HOST}/");
    let addresses = text.lines().filter_map(|line| line.strip_prefix(&start));
    addresses
        .map(|rest| rest.trim_end_matches("\" {").to_owned())
        .collect()
}

#[test]
fn entries_that_nothing_requires_are_dropped() {
    let scene = two_providers();
    scene.root([("acme/net", ""), ("acme/dns", "")]);
    scene.install([]).expect_code(0);
    assert_eq!(locked(&scene), ["acme/dns", "acme/net"]);
    scene.root([("acme/net", "")]);
    scene.install([]).expect_code(0);
    assert_eq!(locked(&scene), ["acme/net"]);
}

#[test]
fn entries_stay_while_a_module_is_not_read() {
    let scene = two_providers();
    scene.root([("acme/net", ""), ("acme/dns", "")]);
    scene.install([]).expect_code(0);
    let call = "module \"far\" {\n  source = \"acme/far/any\"\n}\n";
    scene.cx.write("main.tf", module([("acme/net", "")]) + call);
    shows(
        &scene.install(["--providers-only"]),
        "code: 0
--- stdout
kept 1 package
--- stderr
warning: module `far` from `registry.terraform.io/acme/far/any` is not installed, and providers that only it requires are left out ([TEMP]/place/main.tf:8)
",
    );
    assert_eq!(locked(&scene), ["acme/dns", "acme/net"]);
}

#[test]
fn requirements_of_local_modules_count() {
    let scene = two_providers();
    let call = "module \"near\" {\n  source = \"./near\"\n}\n";
    scene
        .cx
        .write("main.tf", module([("acme/net", ">= 1.0.0")]) + call);
    let inner = module([("acme/net", "< 2.0.0"), ("acme/dns", "")]);
    scene.cx.write("near/main.tf", inner);
    shows(
        &scene.install(["-j1"]),
        "code: 0
--- stdout
installed 2 packages (2.7 KiB)
--- stderr
installed `registry.example.test/acme/dns` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
installed `registry.example.test/acme/net` 1.0.0 for `linux_amd64` (signed by [KEY], 1.3 KiB)
",
    );
    let expected = lock_header("terraform")
        + &scene.lock_block("acme/dns", "1.0.0", "")
        + &scene.lock_block("acme/net", "1.0.0", ">= 1.0.0, < 2.0.0");
    assert_eq!(scene.lock_file(), Some(expected));
}

/// A state that uses `acme/dns`.
fn state_of_dns() -> String {
    json!({
        "version": 4,
        "terraform_version": "1.11.4",
        "serial": 1,
        "lineage": "0",
        "outputs": {},
        "resources": [{
            "mode": "managed",
            "type": "dns_zone",
            "name": "a",
            "provider": format!("provider[\"{HOST}/acme/dns\"]"),
            "instances": [],
        }],
    })
    .to_string()
}

#[test]
fn providers_of_a_local_state_count() {
    let scene = two_providers();
    scene.root([("acme/net", "2.0.0")]);
    scene.cx.write("terraform.tfstate", state_of_dns());
    scene.install([]).expect_code(0);
    assert_eq!(locked(&scene), ["acme/dns", "acme/net"]);
}

#[test]
fn state_of_the_selected_workspace_counts_and_no_other() {
    let scene = two_providers();
    scene.root([("acme/net", "2.0.0")]);
    scene.cx.write("terraform.tfstate", state_of_dns());
    scene.cx.write(".terraform/environment", "blue");
    scene.install([]).expect_code(0);
    assert_eq!(locked(&scene), ["acme/net"]);
    scene
        .cx
        .write("terraform.tfstate.d/blue/terraform.tfstate", state_of_dns());
    scene.install([]).expect_code(0);
    assert_eq!(locked(&scene), ["acme/dns", "acme/net"]);
}

#[test]
fn entries_stay_while_a_backend_keeps_the_state() {
    let scene = two_providers();
    scene.root([("acme/net", ""), ("acme/dns", "")]);
    scene.install([]).expect_code(0);
    let backend = "terraform {\n  backend \"http\" {}\n}\n";
    scene
        .cx
        .write("main.tf", module([("acme/net", "")]) + backend);
    scene.install([]).expect_code(0);
    assert_eq!(locked(&scene), ["acme/dns", "acme/net"]);
}

#[test]
fn root_module_without_requirements_needs_nothing() {
    let scene = two_providers();
    scene.cx.write("main.tf", "locals {}\n");
    shows(
        &scene.install([]),
        "code: 0
--- stdout
nothing to do
--- stderr
",
    );
    assert_eq!(scene.registry.request_lines(), [""; 0]);
    assert_eq!(scene.lock_file(), None);
}

#[test]
fn directory_without_configuration_is_refused() {
    shows(
        &two_providers().install([]),
        "code: 1
--- stdout
--- stderr
error: `[TEMP]/place` holds no configuration files

hint: name the directory of a root module, such as with `--chdir DIR`; `provender install ADDRESS` and `provender mirror ADDRESS` need none
",
    );
}

#[test]
fn configuration_that_does_not_parse_is_told_with_its_line() {
    let scene = two_providers();
    scene
        .cx
        .write("main.tf", "terraform {\n  required_providers {\n");
    shows(
        &scene.install([]),
        "code: 1
--- stdout
--- stderr
error: the configuration in `[TEMP]/place` is invalid
  [TEMP]/place/main.tf:2:24: syntax error: invalid block body; expected `}`, newline or identifier
",
    );
}

#[test]
fn builtin_provider_is_never_asked_for() {
    let scene = two_providers();
    let builtin = "resource \"terraform_data\" \"a\" {}\n";
    scene.cx.write("main.tf", builtin);
    scene.install([]).expect_code(0);
    assert_eq!(scene.registry.request_lines(), [""; 0]);
}
