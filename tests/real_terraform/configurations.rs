//! What a configuration requires is understood alike, wherever and however it says so.

use super::scene::{HOST, IDN_HOST, provider};
use super::twins::{TWINS, Twins, USUAL};

#[test]
fn state_requires_providers() {
    let Some(twins) = Twins::born() else {
        return;
    };
    let resource = r#"{"mode":"managed","type":"dns_a","name":"a","provider":"provider[\"registry.example.test/acme/dns\"]","instances":[]}"#;
    let state = format!(
        r#"{{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"l","outputs":{{}},"resources":[{resource}]}}"#
    );
    twins.require(&[("net", "~> 1.0")]);
    twins.write("terraform.tfstate", &state);
    let lock = twins.agree("with a state");
    assert!(lock.contains("acme/dns"), "{lock}");
}

#[test]
fn every_place_that_names_a_provider() {
    let Some(mut twins) = Twins::born() else {
        return;
    };
    for name in [
        "hashicorp/random",
        "hashicorp/null",
        "hashicorp/local",
        "hashicorp/http",
        "hashicorp/time",
    ] {
        twins.registry.publish(&provider(name).version("1.0.0"));
    }
    let hosts = ["registry.terraform.io", HOST].map(|host| twins.registry.host_block(host));
    twins.scene.context.config(&hosts.concat());
    let sources = [
        ("resource", "resource \"random_id\" \"x\" {\n}\n"),
        ("data source", "data \"http\" \"x\" {\n}\n"),
        ("provider block", "provider \"null\" {\n}\n"),
        (
            "provider block with version",
            "provider \"null\" {\n  version = \"~> 1.0\"\n}\n",
        ),
        ("ephemeral resource", "ephemeral \"time_x\" \"y\" {\n}\n"),
        (
            "built-in provider",
            "resource \"terraform_data\" \"x\" {\n}\n",
        ),
        (
            "legacy constraint",
            "terraform {\n  required_providers {\n    null = \"1.0.0\"\n  }\n}\n",
        ),
        (
            "removed block",
            "removed {\n  from = random_id.x\n  lifecycle {\n    destroy = false\n  }\n}\n",
        ),
        (
            "import block",
            "resource \"null_x\" \"y\" {\n}\nimport {\n  to = null_x.y\n  id = \"1\"\n}\n",
        ),
        (
            "check block",
            "check \"c\" {\n  data \"http\" \"x\" {\n  }\n  assert {\n    condition     = data.http.x.ok\n    error_message = \"no\"\n  }\n}\n",
        ),
    ];
    for (what, text) in sources {
        twins.write("main.tf", text);
        twins.agree(what);
    }
    twins.write("main.tf", "");
    twins.write("main.tf.json", r#"{"resource":{"local_file":{"x":{}}},"terraform":{"required_providers":{"n":{"source":"registry.example.test/acme/net"}}}}"#);
    twins.agree("JSON");
    twins.write("over_override.tf", "terraform {\n  required_providers {\n    n = {\n      source = \"registry.example.test/acme/dns\"\n    }\n  }\n}\n");
    twins.agree("override");
    twins.write("tests/a.tftest.hcl", "provider \"random\" {\n}\n\nrun \"one\" {\n  module {\n    source = \"./helper\"\n  }\n}\n");
    twins.write("helper/main.tf", "resource \"null_x\" \"y\" {\n}\n");
    twins.agree("test file");
}

#[test]
fn every_spelling_of_an_address() {
    let Some(mut twins) = Twins::born() else {
        return;
    };
    let hosts = [HOST, IDN_HOST].map(|host| twins.registry.host_block(host));
    twins.scene.context.config(&hosts.concat());
    let spellings = [
        "Registry.Example.TEST/Acme/NET",
        "registry.example.test:443/acme/net",
        "xn--bcher-kva.example/acme/net",
        "BÜCHER.example/acme/net",
        "registry.example.test:0443/acme/net",
        "registry.example.test./acme/net",
        "registry.example.test/acme/terraform-provider-net",
        "registry.example.test/acme/net/",
        "registry.example.test/ac_me/net",
    ];
    for spelling in spellings {
        for dir in TWINS {
            twins.scene.root(dir, &[(spelling, "")]);
        }
        let theirs = twins.scene.terraform(TWINS[0], USUAL[0]);
        let ours = twins
            .scene
            .context
            .run([&["-C", TWINS[1]], USUAL[1]].concat());
        let report = format!("{spelling}\n{theirs}\n{ours}");
        assert_eq!(theirs.code == 0, ours.code == 0, "{report}");
        assert_eq!(
            twins.scene.lock(TWINS[1]),
            twins.scene.lock(TWINS[0]),
            "{report}"
        );
    }
}

#[test]
fn version_that_the_registry_spells_otherwise() {
    let Some(twins) = Twins::born() else {
        return;
    };
    twins
        .registry
        .publish(&provider("acme/net").version("3.0.0").listed_as("3"));
    twins.require(&[("net", "~> 3")]);
    let lock = twins.agree("listed as 3");
    assert!(lock.contains("\"3.0.0\""), "{lock}");
}
