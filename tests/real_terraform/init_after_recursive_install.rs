//! `terraform init` finds what `provender install --recursive` placed in each root module.

use crate::support::TestRegistry;
use crate::support::registry::paths;

use super::scene::{HOST, Scene, configuration, current, package_requests, provider};

#[test]
fn init_asks_for_no_package_in_any_root_module() {
    for option in ["--no-progress", "--no-cache"] {
        let net = provider("acme/net").version("1.0.0").version("1.2.0");
        let registry = TestRegistry::of([net, provider("acme/dns").version("2.0.0")]);
        let Some(scene) = Scene::beside(&registry) else {
            return;
        };
        let (net, dns) = (format!("{HOST}/acme/net"), format!("{HOST}/acme/dns"));
        let call = "module \"near\" {\n  source = \"../../modules/near\"\n}\n";
        let prod = configuration(&[(&net, "~> 1.0")]) + call;
        scene.context.write("envs/prod/main.tf", prod);
        scene.root("envs/test", &[(&net, ">= 1.0.0")]);
        scene.root("modules/near", &[(&dns, "")]);
        scene.provender(&["install", "--recursive", option]);
        let archive = paths::archive("acme/net", "1.2.0", &current());
        assert_eq!(registry.requests_for(&archive).len(), 1);
        assert_eq!(scene.lock("modules/near"), "");
        for dir in ["envs/prod", "envs/test"] {
            let lock = scene.lock(dir);
            registry.clear_requests();
            let outcome = scene.init(dir);
            assert!(
                outcome.stdout.contains("Using previously-installed"),
                "{outcome}"
            );
            assert_eq!(package_requests(&registry), [""; 0], "{outcome}");
            assert_eq!(scene.lock(dir), lock);
            let readonly = ["init", "-no-color", "-lockfile=readonly"];
            scene.terraform(dir, &readonly).expect_code(0);
            let providers = scene.terraform(dir, &["providers"]).expect_code(0);
            assert!(providers.stdout.contains(&net), "{providers}");
        }
    }
}
