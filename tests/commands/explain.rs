//! `explain`: who would serve a provider, how its host is found, whose credentials are used.

use serde_json::{Value, json};

use crate::support::registry::paths;
use crate::support::{Reply, TestServer};

use super::scene::{HOST, LINUX, Scene, shows};

fn explained(scene: &Scene, code: i32) -> Value {
    let address = format!("{HOST}/acme/net");
    let outcome = scene
        .run(["explain", &address, "--platform", LINUX, "--json"])
        .expect_code(code);
    let document: Value = serde_json::from_str(&outcome.stdout).expect("a JSON document");
    document["explanation"].clone()
}

#[test]
fn registry_is_shown_with_its_host_block_and_the_variable_of_its_token() {
    let mut scene = Scene::usual();
    scene.cx.env("TF_TOKEN_registry_example_test", "hunter2");
    scene.cx.filter(&scene.registry.host(), "[HOST]");
    let address = format!("{HOST}/acme/net@< 2");
    let outcome = scene.run(["explain", &address, "--platform", LINUX]);
    shows(
        &outcome,
        "code: 0
--- stdout
`registry.example.test/acme/net`
1. the provider's registry: asked, no implied local mirror has it; 3 versions
version 1.1.0 comes from 1: `https://[HOST]/archives/acme/net/1.1.0/terraform-provider-net_1.1.0_linux_amd64.zip`
services of `registry.example.test` come from the `host` block in `[TEMP]/cli.tfrc:1`
provider registry of `registry.example.test`: `https://[HOST]/v1/providers/`
credentials for `registry.example.test`: the environment variable `TF_TOKEN_registry_example_test`
--- stderr
",
    );
}

#[test]
fn every_hop_of_discovery_is_shown() {
    let scene = Scene::usual();
    let moved = "/moved/terraform.json";
    let document = json!({ "providers.v1": paths::PROVIDERS });
    scene
        .registry
        .route(paths::DISCOVERY, Reply::redirect(moved));
    scene.registry.route(moved, Reply::json(&document));
    let address = format!("{}/acme/net", scene.registry.host());
    let outcome = scene
        .run(["explain", &address, "--platform", LINUX, "--json"])
        .expect_code(0);
    let document: Value = serde_json::from_str(&outcome.stdout).expect("a JSON document");
    let host = &document["explanation"]["hosts"][0];
    let url = |path: &str| format!("https://localhost:[PORT]{path}");
    assert_eq!(
        host["discovery"],
        json!([url(paths::DISCOVERY), url(moved)])
    );
    assert_eq!(host["registry"], json!(url(paths::PROVIDERS)));
    assert_eq!(host["credentials"], "none");
}

#[test]
fn every_method_is_shown_with_its_place_and_reason() {
    let mut scene = Scene::usual();
    scene
        .mirror([format!("{HOST}/acme/net@1.0.0").as_str()])
        .expect_code(0);
    let server = TestServer::of_directory(&scene.cx.work().join("mirror"));
    let host = scene.registry.host_block(HOST);
    let mirror = scene.cx.work().join("mirror");
    scene.cx.config(&format!(
        "{host}
provider_installation {{
  dev_overrides {{
    \"{HOST}/acme/net\" = \"/opt/net\"
  }}
  filesystem_mirror {{
    path = \"{}\"
    exclude = [\"{HOST}/*/*\"]
  }}
  network_mirror {{
    url = \"{}\"
  }}
  direct {{
    include = [\"other/*\"]
  }}
}}
",
        mirror.display(),
        server.url("/")
    ));
    scene
        .cx
        .env(format!("TF_TOKEN_{}", server.host()), "hunter2");
    let explanation = explained(&scene, 0);
    assert_eq!(explanation["dev_override"], "/opt/net");
    assert_eq!(explanation["version"], "1.0.0");
    let methods = explanation["methods"].as_array().expect("a list");
    let asked: Vec<&Value> = methods.iter().map(|method| &method["asked"]).collect();
    assert_eq!(asked, [&json!(false), &json!(true), &json!(false)]);
    assert_eq!(methods[0]["reason"], format!("`exclude` has `{HOST}/*/*`"));
    assert_eq!(methods[2]["reason"], "`include` has no pattern for it");
    let name = methods[1]["method"].as_str().expect("text");
    assert!(name.contains("cli.tfrc:"), "{name}");
    let place = methods[1]["serves"].as_str().expect("text");
    assert!(place.starts_with("https://localhost:[PORT]/"), "{place}");
    let hosts = explanation["hosts"].as_array().expect("a list");
    assert_eq!(hosts.len(), 1);
    let credentials = hosts[0]["credentials"].as_str().expect("text");
    assert!(
        credentials.contains("environment variable `TF_TOKEN_localhost"),
        "{credentials}"
    );
    assert!(!explanation.to_string().contains("hunter2"));
}

#[test]
fn failing_method_is_shown_and_the_run_fails_as_an_installation_would() {
    let mut scene = Scene::usual();
    let server = TestServer::empty();
    server.route(&format!("/{HOST}/acme/net/index.json"), Reply::status(401));
    let host = scene.registry.host_block(HOST);
    scene.cx.config(&format!(
        "{host}\nprovider_installation {{\n  network_mirror {{\n    url = \"{}\"\n  }}\n  direct {{}}\n}}\n",
        server.url("/")
    ));
    let explanation = explained(&scene, 4);
    let failure = explanation["methods"][0]["failure"].as_str().expect("text");
    assert!(failure.contains("asks for credentials"), "{failure}");
    assert_eq!(explanation["methods"][1]["versions"], 3);
    assert_eq!(explanation["version"], Value::Null);
}
