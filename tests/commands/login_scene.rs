//! A registry that demands a token, and an authorization server that gives it.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::scene::LINUX;
use crate::support::registry::paths;
use crate::support::{OAuthServer, Outcome, ProviderSpec, TestContext, TestRegistry};

/// The token that the registry demands.
pub(super) const TOKEN: &str = "correct-horse-battery-staple";

/// Everything that a login needs.
pub(super) struct LoginScene {
    pub(super) cx: TestContext,
    pub(super) registry: TestRegistry,
    pub(super) oauth: OAuthServer,
}

impl LoginScene {
    pub(super) fn new() -> Self {
        let net = ProviderSpec::new("acme/net").version("1.0.0");
        let registry = TestRegistry::builder()
            .provider(net)
            .bearer_token(TOKEN)
            .start();
        let oauth = OAuthServer::giving(TOKEN);
        oauth.serve_at(&registry, &json!({ "providers.v1": paths::PROVIDERS }));
        let mut cx = TestContext::new(env!("CARGO_BIN_EXE_provender"));
        cx.env("TF_REGISTRY_DISCOVERY_RETRY", "1");
        Self {
            cx,
            registry,
            oauth,
        }
    }

    /// The host as users name it.
    pub(super) fn host(&self) -> String {
        self.registry.host()
    }

    /// Announces this `login.v1` instead.
    pub(super) fn announce(&self, login: &Value) {
        let document = json!({ "providers.v1": paths::PROVIDERS, "login.v1": login });
        self.announce_all(&document);
    }

    /// Announces these services instead.
    pub(super) fn announce_all(&self, services: &Value) {
        self.registry
            .route(paths::DISCOVERY, crate::support::Reply::json(services));
    }

    /// `login HOST --no-browser` with further arguments, not run yet.
    pub(super) fn login_arguments<const N: usize>(&self, arguments: [&str; N]) -> Vec<String> {
        let usual = ["login".to_owned(), self.host(), "--no-browser".to_owned()];
        usual
            .into_iter()
            .chain(arguments.map(str::to_owned))
            .collect()
    }

    /// Logs in by the browser, which must succeed.
    pub(super) fn log_in(&self) -> Outcome {
        let login = self.cx.converse(self.login_arguments([]));
        let page = crate::support::oauth::browse(&login.url());
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        login.wait().expect_code(0)
    }

    /// Runs the binary.
    pub(super) fn run<const N: usize>(&self, arguments: [&str; N]) -> Outcome {
        self.cx.run(arguments)
    }

    /// Mirrors from the registry that demands the token.
    pub(super) fn mirror(&self) -> Outcome {
        let address = format!("{}/acme/net", self.host());
        self.run([
            "mirror",
            "-vv",
            "--to",
            "mirror",
            "--platform",
            LINUX,
            &address,
        ])
    }

    /// The credentials file.
    pub(super) fn file(&self) -> PathBuf {
        self.cx.home().join(".terraform.d/credentials.tfrc.json")
    }

    /// What the credentials file holds when the token is kept.
    pub(super) fn file_with(&self, token: &str) -> String {
        let host = self.host();
        format!(
            "{{\n  \"credentials\": {{\n    \"{host}\": {{\n      \"token\": \"{token}\"\n    }}\n  }}\n}}"
        )
    }

    /// Writes the credentials file.
    pub(super) fn write_file(&self, text: &str) {
        fs::create_dir_all(self.file().parent().unwrap()).unwrap();
        fs::write(self.file(), text).unwrap();
    }

    /// Where logins are remembered.
    pub(super) fn sessions(&self) -> PathBuf {
        self.cx.home().join(".local/share/provender/oauth.json")
    }
}
