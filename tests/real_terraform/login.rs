//! The real `terraform` after our login, after our logout, and with this program as its credentials helper.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::scene::{Scene, provider};
use crate::support::filter::Filters;
use crate::support::process::Running;
use crate::support::registry::paths;
use crate::support::{OAuthServer, Outcome, TestRegistry, desktop, oauth, terraform};

const TOKEN: &str = "correct-horse-battery-staple";

/// A registry that demands a token, what gives it, and a root module that needs the registry.
fn arranged() -> Option<(Scene, TestRegistry, OAuthServer)> {
    let scene = Scene::alone()?;
    let net = provider("acme/net").version("1.0.0");
    let registry = TestRegistry::builder()
        .provider(net)
        .bearer_token(TOKEN)
        .start();
    let server = OAuthServer::giving(TOKEN);
    server.serve_at(&registry, &json!({ "providers.v1": paths::PROVIDERS }));
    let source = format!("{}/acme/net", registry.host());
    scene.root("a", &[(&source, "")]);
    Some((scene, registry, server))
}

fn log_in(scene: &Scene, registry: &TestRegistry) {
    let login = scene
        .context
        .converse(["login", &registry.host(), "--no-browser"]);
    oauth::browse(&login.url());
    login.wait().expect_code(0);
}

/// Runs `terraform init` from nothing.
fn init(scene: &Scene) -> Outcome {
    for left in ["a/.terraform", "a/.terraform.lock.hcl"] {
        let left = scene.context.work().join(left);
        let _absent = fs::remove_dir_all(&left).or_else(|_| fs::remove_file(&left));
    }
    scene.terraform("a", &["init", "-no-color", "-input=false"])
}

#[test]
fn login_opens_the_registry_to_terraform_and_logout_closes_it() {
    let Some((scene, registry, _oauth)) = arranged() else {
        return;
    };
    let refused = init(&scene).expect_code(1);
    assert!(
        refused.stderr.contains("requires authentication"),
        "{refused}"
    );
    log_in(&scene, &registry);
    init(&scene).expect_code(0);
    scene.provender(&["logout", &registry.host()]);
    let refused = init(&scene).expect_code(1);
    assert!(
        refused.stderr.contains("requires authentication"),
        "{refused}"
    );
}

#[test]
fn terraforms_own_logout_forgets_what_our_login_kept() {
    let Some((scene, registry, _oauth)) = arranged() else {
        return;
    };
    log_in(&scene, &registry);
    let outcome = scene.context.terraform(["logout", &registry.host()]);
    outcome.expect("the scene made sure of it").expect_code(0);
    let file = scene
        .context
        .home()
        .join(".terraform.d/credentials.tfrc.json");
    assert_eq!(
        fs::read_to_string(file).unwrap(),
        "{\n  \"credentials\": {}\n}"
    );
}

#[test]
fn terraform_takes_tokens_from_the_keyring_by_this_program() {
    let Some((scene, registry, _oauth)) = arranged() else {
        return;
    };
    let outcome = scene.provender(&["auth", "install-helper"]);
    fs::write(scene.context.home().join(".terraformrc"), outcome.stdout).unwrap();
    let (host, provender) = (registry.host(), Path::new(env!("CARGO_BIN_EXE_provender")));
    let terraform = terraform::find().expect("the scene made sure of it");
    let script = format!(
        "provender='{}'; terraform='{}'
         echo {TOKEN} | $provender login {host} --token-stdin
         $provender auth status {host}
         $terraform -chdir=a init -no-color -input=false
         rm -r a/.terraform a/.terraform.lock.hcl
         $provender logout {host}
         if $terraform -chdir=a init -no-color -input=false; then exit 9; fi
         $provender logout {host}
         $terraform -chdir=a logout {host} < /dev/null
         echo done",
        provender.display(),
        terraform.display()
    );
    let Some(session) = desktop::session(&scene.context, &script) else {
        return;
    };
    let outcome = Running::start(session, Filters::default()).wait();
    let outcome = outcome.expect_code(0);
    assert!(outcome.stdout.ends_with("done\n"), "{outcome}");
    assert!(
        outcome
            .stdout
            .contains("the credentials helper `provender`"),
        "{outcome}"
    );
    assert!(
        outcome.stderr.contains("requires authentication"),
        "{outcome}"
    );
    assert!(!outcome.to_string().contains(TOKEN), "{outcome}");
    let file = scene
        .context
        .home()
        .join(".terraform.d/credentials.tfrc.json");
    assert!(!file.exists(), "no token lies in a plain file");
}
