//! Who gets a token, and that nobody ever sees it.

use super::scene::{HOST, LINUX, Scene, shows};
use crate::support::registry::paths;
use crate::support::{Fault, Outcome, ProviderSpec, Reply, TestRegistry, TestServer};

const NET: &str = "registry.example.test/acme/net";
const TOKEN: &str = "correct-horse-battery-staple";
const VARIABLE: &str = "TF_TOKEN_registry_example_test";

fn net() -> ProviderSpec {
    ProviderSpec::new("acme/net").version("1.0.0")
}

/// A registry that wants a token for its API and has files on the same server.
fn guarded() -> Scene {
    Scene::built(TestRegistry::builder().provider(net()).bearer_token(TOKEN))
}

fn with_token(mut scene: Scene) -> Scene {
    scene.cx.env(VARIABLE, TOKEN);
    scene
}

/// The requests with `Authorization`, as `METHOD TARGET`.
fn authorized(server: &TestServer) -> Vec<String> {
    let requests = server.requests().into_iter();
    requests
        .filter(|request| request.header("authorization").is_some())
        .map(|request| request.line())
        .collect()
}

#[track_caller]
fn shows_no_token(outcome: &Outcome) {
    assert!(!outcome.to_string().contains(TOKEN), "{outcome}");
}

#[test]
fn without_a_token_the_hint_names_the_variable() {
    shows(
        &guarded().mirror([NET]),
        r#"code: 4
--- stdout
1 failure
--- stderr
error: cannot find the versions of `registry.example.test/acme/net`
  caused by: host `registry.example.test` asks for credentials (401 from `https://localhost:[PORT]/v1/providers/acme/net/versions`), and none are configured

hint: log in with `provender login registry.example.test`, or set a token for it in `TF_TOKEN_registry_example_test` or in a `credentials "registry.example.test"` block of the CLI configuration
"#,
    );
}

#[test]
fn hint_spells_the_variable_of_a_host_with_hyphens_and_port() {
    let mut scene = guarded();
    scene
        .cx
        .config(&scene.registry.host_block("my-host.example.test"));
    let outcome = scene
        .mirror(["my-host.example.test/acme/net"])
        .expect_code(4);
    assert!(
        outcome.stderr.contains("`TF_TOKEN_my__host_example_test`"),
        "{outcome}"
    );
    // No shell can set a variable with a colon.
    let address = format!("{}/acme/net", scene.registry.host());
    let outcome = scene.mirror([address.as_str()]).expect_code(4);
    assert!(!outcome.stderr.contains("TF_TOKEN_"), "{outcome}");
    assert!(
        outcome
            .stderr
            .contains("`credentials \"localhost:[PORT]\"` block"),
        "{outcome}"
    );
}

#[test]
fn refused_token_is_told_but_not_shown() {
    let mut scene = guarded();
    scene.cx.env(VARIABLE, "wrong-token");
    let outcome = scene.mirror(["-vv", NET]).expect_code(4);
    assert!(!outcome.to_string().contains("wrong-token"), "{outcome}");
    shows(
        &scene.mirror([NET]),
        r#"code: 4
--- stdout
1 failure
--- stderr
error: cannot find the versions of `registry.example.test/acme/net`
  caused by: host `registry.example.test` refused the credentials sent for it (401 from `https://localhost:[PORT]/v1/providers/acme/net/versions`)

hint: the token for `registry.example.test` may have expired or lack access to this address; log in with `provender login registry.example.test`, or set a token for it in `TF_TOKEN_registry_example_test` or in a `credentials "registry.example.test"` block of the CLI configuration
"#,
    );
}

#[test]
fn variable_is_sent_to_the_api_and_nowhere_else() {
    let scene = with_token(guarded());
    scene.mirror([NET]).expect_code(0);
    assert_eq!(
        authorized(&scene.registry),
        [
            format!("GET {}", paths::versions("acme/net")),
            format!("GET {}", paths::download("acme/net", "1.0.0", LINUX)),
        ]
    );
    let archive = paths::archive("acme/net", "1.0.0", LINUX);
    assert_eq!(scene.registry.requests_for(&archive).len(), 1);
}

#[test]
fn discovery_gets_the_token_of_its_host() {
    let mut scene = guarded();
    let host = scene.registry.host();
    scene.cx.env(format!("TF_TOKEN_{host}"), TOKEN);
    let address = format!("{host}/acme/net");
    scene.mirror([address.as_str()]).expect_code(0);
    let lines = authorized(&scene.registry);
    assert_eq!(lines[0], format!("GET {}", paths::DISCOVERY));
    assert_eq!(lines.len(), 3);
}

#[test]
fn other_server_for_files_gets_no_token() {
    let builder = TestRegistry::builder()
        .bearer_token(TOKEN)
        .downloads_elsewhere();
    let scene = with_token(Scene::built(builder.provider(net())));
    scene.mirror([NET]).expect_code(0);
    assert_eq!(authorized(scene.registry.downloads()), [""; 0]);
    assert_eq!(scene.registry.downloads().requests().len(), 3);
}

#[test]
fn credentials_file_is_used() {
    let mut scene = guarded();
    let mut file = scene.cx.home();
    file.push(".terraform.d/credentials.tfrc.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let document = serde_json::json!({ "credentials": { HOST: { "token": TOKEN } } });
    std::fs::write(file, document.to_string()).unwrap();
    // The variable would turn off what lies in the home directory.
    scene.cx.env_remove("TF_CLI_CONFIG_FILE");
    std::fs::write(
        scene.cx.home().join(".terraformrc"),
        scene.registry.host_block(HOST),
    )
    .unwrap();
    let outcome = scene.mirror(["-vv", NET]).expect_code(0);
    shows_no_token(&outcome);
}

#[test]
fn redirect_to_another_port_or_host_carries_no_token() {
    let scene = with_token(guarded());
    let other = TestRegistry::of([net()]);
    let path = paths::versions("acme/net");
    for target in [other.url(&path), other.numeric_url() + &path] {
        scene.registry.clear_faults();
        scene.registry.fault(&path, Fault::Redirect(target));
        scene.run(["versions", NET]).expect_code(0);
    }
    assert_eq!(authorized(&other), [""; 0]);
    assert_eq!(other.requests().len(), 2);
}

#[test]
fn nothing_shows_the_token() {
    let scene = with_token(guarded());
    for arguments in [
        &["mirror", "-vv", "--to", "m", "--platform", LINUX, NET][..],
        &["versions", "-vv", NET],
        &["versions", "-vv", "--json", NET],
        &["versions", "-vv", "registry.example.test/acme/dns"],
    ] {
        shows_no_token(&scene.cx.run(arguments));
    }
    // A registry that sends the token back in an error and in a URL.
    let leaky = Reply::redirect(&format!("/gone?token={TOKEN}"));
    scene
        .registry
        .fault(&paths::versions("acme/net"), Fault::Reply(leaky));
    shows_no_token(&scene.run(["versions", "-vv", NET]));
}

#[test]
fn password_in_a_download_url_is_masked() {
    let spec = net().edit_download(|document| {
        document["download_url"] =
            "https://user:hunter2@localhost:1/x.zip?X-Amz-Signature=abcdef".into();
    });
    let scene = Scene::of([spec]);
    let outcome = scene.mirror(["-vv", NET]).expect_code(13);
    assert!(!outcome.to_string().contains("hunter2"), "{outcome}");
    assert!(!outcome.to_string().contains("abcdef"), "{outcome}");
}

#[test]
fn password_of_netrc_goes_to_archives_alone() {
    for (tool, arguments, is_read) in [
        ("terraform", ["install", "--platform", LINUX], true),
        ("tofu", ["install", "--platform", LINUX], false),
        ("tofu", ["mirror", NET, "--to=mirror"], true),
    ] {
        let mut scene = Scene::of([net()]);
        let host = scene.registry.host();
        let netrc = format!(
            "machine {host} login user password {TOKEN}\nmachine localhost login x password y\n"
        );
        std::fs::write(scene.cx.home().join(".netrc"), netrc).expect("the home is there");
        scene.cx.env("PROVENDER_TOOL", tool);
        scene.root([("acme/net", "")]);
        let outcome = scene.run(arguments).expect_code(0);
        shows_no_token(&outcome);
        let mut got = authorized(&scene.registry);
        got.retain(|line| line.contains(".zip"));
        assert_eq!(got, authorized(&scene.registry), "{tool}");
        assert_eq!(!got.is_empty(), is_read, "{tool}");
        let requests = scene.registry.requests();
        let basic = requests
            .iter()
            .filter_map(|request| request.header("authorization"));
        assert!(basic.into_iter().all(|value| value.starts_with("Basic ")));
        let verbose = scene.run(["install", "--platform", LINUX, "-vv", "--no-cache"]);
        shows_no_token(&verbose);
    }
}
