//! Two root modules with the same files: `terraform` works on one, `provender` on the other.

use std::fs;

use crate::support::TestRegistry;

use super::scene::{HOST, Scene, provider};

/// Types of providers and constraints on them.
pub(super) type Requirements = [(&'static str, &'static str)];

/// The programs and their verbs: usual, and for newer versions.
pub(super) const USUAL: [&[&str]; 2] = [&["init", "-no-color"], &["install"]];
const UPGRADE: [&[&str]; 2] = [
    &["init", "-no-color", "-upgrade"],
    &["install", "--upgrade"],
];

/// The two root modules.
pub(super) struct Twins {
    pub(super) scene: Scene,
    pub(super) registry: TestRegistry,
}

pub(super) const TWINS: [&str; 2] = ["theirs", "ours"];

impl Twins {
    /// Empty root modules, and providers to require in them; `None` where there is no `terraform`.
    pub(super) fn born() -> Option<Self> {
        let net = provider("acme/net")
            .version("1.0.0")
            .version("1.2.0")
            .version("1.3.0-beta1");
        let dns = provider("acme/dns").version("2.0.0");
        let tls = provider("acme/tls").version("3.0.0").version("3.1.0");
        let registry = TestRegistry::of([net, dns, tls]);
        let scene = Scene::beside(&registry)?;
        Some(Self { scene, registry })
    }

    /// Writes a file into both.
    pub(super) fn write(&self, file: &str, text: &str) {
        for dir in TWINS {
            self.scene.context.write(&format!("{dir}/{file}"), text);
        }
    }

    /// Writes configuration that requires these providers.
    pub(super) fn require(&self, requirements: &Requirements) {
        let sources: Vec<(String, &str)> = requirements
            .iter()
            .map(|(ty, constraints)| (format!("{HOST}/acme/{ty}"), *constraints))
            .collect();
        let requirements: Vec<(&str, &str)> = sources
            .iter()
            .map(|(source, constraints)| (source.as_str(), *constraints))
            .collect();
        for dir in TWINS {
            self.scene.root(dir, &requirements);
        }
    }

    /// Changes both lock files.
    pub(super) fn edit_lock(&self, edit: impl Fn(String) -> String) {
        for dir in TWINS {
            let text = edit(self.scene.lock(dir));
            fs::write(self.scene.lock_path(dir), text).expect("the directory is there");
        }
    }

    /// Removes what is installed in both, as in a fresh clone.
    pub(super) fn forget_packages(&self) {
        for dir in TWINS {
            let data = self.scene.context.work().join(dir).join(".terraform");
            fs::remove_dir_all(data).expect("something was installed");
        }
    }

    /// Empties the package cache: with it and a fitting lock file nobody is asked, and so no further hashes are told.
    pub(super) fn forget_cache(&self) {
        let cache = self.scene.context.cache();
        fs::remove_dir_all(cache.join("v1")).expect("something was cached");
    }

    /// Runs both programs. Both must succeed or fail, and leave the same lock file, which is returned.
    pub(super) fn agree(&self, what: &str) -> String {
        self.compare(what, USUAL, 0)
    }

    /// As [`agree`](Self::agree), for newer versions.
    pub(super) fn agree_on_upgrade(&self, what: &str) -> String {
        self.compare(what, UPGRADE, 0)
    }

    /// As [`agree`](Self::agree), where both must fail, `provender` with this code.
    pub(super) fn agree_to_fail(&self, what: &str, code: i32) -> String {
        self.compare(what, USUAL, code)
    }

    fn compare(&self, what: &str, verbs: [&[&str]; 2], code: i32) -> String {
        let theirs = self.scene.terraform(TWINS[0], verbs[0]);
        let ours = self
            .scene
            .context
            .run([&["-C", TWINS[1]], verbs[1]].concat());
        let report = format!("{what}\n=== terraform\n{theirs}\n=== provender\n{ours}");
        assert_eq!(ours.code, code, "{report}");
        assert_eq!(theirs.code == 0, code == 0, "{report}");
        let [theirs, ours] = TWINS.map(|dir| self.scene.lock(dir));
        assert_eq!(ours, theirs, "{report}");
        ours
    }
}
